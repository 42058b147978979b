// Blocks of elements: H = zeta S^T holds the history of each stress component in one column, so
// that peaks and cycles read memory in order.
#include "femflex/durability/run_stress.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "femflex/errors.h"
#include "femflex/parallel.h"

namespace femflex::durability {
namespace {

Extreme largest(const Eigen::ArrayXd& values, const Eigen::VectorXd& time) {
  Eigen::Index at = 0;
  const double value = values.maxCoeff(&at);
  return {value, time[at]};
}

Extreme smallest(const Eigen::ArrayXd& values, const Eigen::VectorXd& time) {
  Eigen::Index at = 0;
  const double value = values.minCoeff(&at);
  return {value, time[at]};
}

LocationPeaks peaks_of(const StressLocation& location,
                       const Invariants& all,
                       const Eigen::VectorXd& time) {
  LocationPeaks out{location};
  out.signed_max = largest(all.signed_von_mises, time);
  out.signed_min = smallest(all.signed_von_mises, time);
  out.von_mises = out.signed_max;
  if (-out.signed_min.value > out.signed_max.value)
    out.von_mises = {-out.signed_min.value, out.signed_min.time};
  out.principal_max = largest(all.principal_max, time);
  out.principal_min = smallest(all.principal_min, time);
  out.tresca = largest(all.tresca, time);
  return out;
}

/// True if no cycle between these values can do damage: the largest range with the least favourable
/// mean stays at or below the knee of a curve without damage there.
bool is_harmless(double low, double high, const WoehlerCurve& curve) {
  if (high == low) return true;
  if (curve.below != BelowKnee::original) return false;
  const double amplitude = 0.5 * (high - low);
  // the rules rise with the mean, whose largest value is that of a small cycle at the top
  const double worst = equivalent_amplitude(amplitude, std::max(high, 0.0), curve);
  return worst < curve.knee;
}

/// Works on one block after another, with memory of its own.
class BlockWorker {
 public:
  BlockWorker(const StressSource& source,
              const Eigen::VectorXd& time,
              const Eigen::MatrixXd& zeta,
              const RunStressOptions& options)
      : source_(source), time_(time), zeta_(zeta), options_(options) {}

  void run(std::size_t first, std::size_t last, RunStress& out) {
    const ModalStress stress = source_.stress(first, last);
    histories_.noalias() = zeta_ * stress.S.transpose();
    for (const StressLocation& location : stress.locations) {
      SixHistories six{};
      for (std::size_t c = 0; c < 6; ++c)
        if (location.rows[c] >= 0) six[c] = histories_.col(location.rows[c]).data();
      compute_invariants(six, time_.size(), invariants_);
      out.locations.push_back(peaks_of(location, invariants_, time_));
      if (options_.damage) count_cycles(*options_.damage, out);
    }
  }

 private:
  void count_cycles(const DamageRule& rule, RunStress& out) {
    const Eigen::ArrayXd history = history_of(rule.criterion, invariants_);
    if (is_harmless(history.minCoeff(), history.maxCoeff(), rule.curve)) return;
    ++out.counted;
    const std::vector<Cycle> cycles =
        rainflow({history.data(), static_cast<std::size_t>(history.size())}, rule.residue);
    out.locations.back().damage = damage_of(cycles, rule.curve);
  }

  const StressSource& source_;
  const Eigen::VectorXd& time_;
  const Eigen::MatrixXd& zeta_;
  const RunStressOptions& options_;
  Eigen::MatrixXd histories_;
  Invariants invariants_;
};

}  // namespace

Criterion parse_criterion(std::string_view name) {
  if (name == "signed-von-mises") return Criterion::signed_von_mises;
  if (name == "principal") return Criterion::principal;
  throw UsageError("criterion",
                   "'" + std::string(name) + "' is not a criterion",
                   {},
                   "choose signed-von-mises or principal");
}

Eigen::ArrayXd history_of(Criterion criterion, const Invariants& invariants) {
  if (criterion == Criterion::signed_von_mises) return invariants.signed_von_mises;
  return (invariants.principal_max + invariants.principal_min < 0.0)
      .select(invariants.principal_min, invariants.principal_max);
}

RunStress stress_over_run(const StressSource& source,
                          const Eigen::VectorXd& time,
                          const Eigen::MatrixXd& zeta,
                          const RunStressOptions& options,
                          Progress& progress) {
  if (options.damage) check_curve(options.damage->curve);
  if (time.size() == 0 || zeta.rows() != time.size())
    throw UsageError("no-rows", "the run has no rows", {}, "give a run that has been simulated");
  if (zeta.cols() != source.shape_count())
    throw ModelError("mode-count", "the run and the shapes have different numbers of modes");
  const auto instants = static_cast<std::size_t>(time.size());
  const std::size_t per_block =
      std::max<std::size_t>(1, options.bytes / (sizeof(double) * instants * source.most_rows()));
  const std::size_t blocks = (source.size() + per_block - 1) / per_block;
  const int threads = std::max(1, options.threads);
  std::vector<RunStress> parts(blocks);
  // groups of blocks, so that progress is reported from this thread
  const std::size_t group = static_cast<std::size_t>(threads) * 8;
  for (std::size_t begin = 0; begin < blocks; begin += group) {
    const std::size_t end = std::min(blocks, begin + group);
    run_parallel(threads, threads, [&](int thread) {
      BlockWorker worker(source, time, zeta, options);
      for (std::size_t b = begin + static_cast<std::size_t>(thread); b < end;
           b += static_cast<std::size_t>(threads))
        worker.run(b * per_block, std::min(source.size(), (b + 1) * per_block), parts[b]);
    });
    progress.step(static_cast<double>(std::min(source.size(), end * per_block)));
  }
  RunStress out;
  for (RunStress& part : parts) {
    out.locations.insert(out.locations.end(), part.locations.begin(), part.locations.end());
    out.counted += part.counted;
    part.locations = {};
  }
  return out;
}

}  // namespace femflex::durability
