// Peaks and damage of stresses over a run: searches peaks block by block of elements, and counts
// cycles where they can do damage.
#include "femflex/durability/run_stress.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "femflex/durability/critical_plane.h"
#include "femflex/errors.h"
#include "femflex/parallel.h"

#include "peak_search.h"

namespace femflex::durability {
namespace {

/// True if no cycle between these values can do damage: the curve has no damage below its knee, and
/// the largest range with the least favourable mean is below the knee.
bool is_harmless(double low, double high, const WoehlerCurve& curve) {
  if (high == low) return true;
  if (curve.below != BelowKnee::original) return false;
  const double amplitude = 0.5 * (high - low);
  // the equivalent amplitude rises with the mean, which is at most `high`
  const double worst = equivalent_amplitude(amplitude, std::max(high, 0.0), curve);
  return worst < curve.knee;
}

/// Finds peaks and damage of one block after another; one object per thread.
class BlockWorker {
 public:
  BlockWorker(const StressSource& source,
              const PackedCoordinates& coordinates,
              const Eigen::VectorXd& time,
              const RunStressOptions& options)
      : source_(source), search_(coordinates, time), options_(options) {}

  void run(std::size_t first, std::size_t last, RunStress& out) {
    search_.find(source_.stress(first, last), out.locations);
    if (!options_.damage) return;
    for (LocationPeaks& peaks : out.locations)
      count_cycles(*options_.damage, peaks, out);
  }

 private:
  void count_cycles(const DamageRule& rule, LocationPeaks& peaks, RunStress& out) {
    // the criterion never leaves the range of the peaks; the stress normal to any plane lies
    // between the principal ones
    const bool is_principal = rule.criterion != Criterion::signed_von_mises;
    const double low =
        is_principal ? std::min(0.0, peaks.principal_min.value) : peaks.signed_min.value;
    const double high =
        is_principal ? std::max(0.0, peaks.principal_max.value) : peaks.signed_max.value;
    if (is_harmless(low, high, rule.curve)) return;
    if (rule.criterion == Criterion::critical_plane) {
      ++out.counted;
      const CriticalPlane worst = critical_plane(
          search_.components(peaks.location), search_.instants(), rule.curve, rule.residue);
      peaks.damage = worst.damage;
      peaks.plane = worst.normal;
      return;
    }
    const Eigen::ArrayXd history = history_of(rule.criterion, search_.history(peaks.location));
    if (is_harmless(history.minCoeff(), history.maxCoeff(), rule.curve)) return;
    ++out.counted;
    const std::vector<Cycle> cycles =
        rainflow({history.data(), static_cast<std::size_t>(history.size())}, rule.residue);
    peaks.damage = damage_of(cycles, rule.curve);
  }

  const StressSource& source_;
  PeakSearch search_;
  const RunStressOptions& options_;
};

}  // namespace

Criterion parse_criterion(std::string_view name) {
  if (name == "signed-von-mises") return Criterion::signed_von_mises;
  if (name == "principal") return Criterion::principal;
  if (name == "critical-plane") return Criterion::critical_plane;
  throw UsageError("criterion",
                   "'" + std::string(name) + "' is not a criterion",
                   {},
                   "choose signed-von-mises, principal or critical-plane");
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
  if (!zeta.allFinite())
    throw UsageError("not-finite",
                     "the run has modal coordinates that are not finite",
                     {},
                     "give a run that has not diverged");
  if (zeta.cols() != source.shape_count())
    throw ModelError("mode-count", "the run and the shapes have different numbers of modes");
  const PackedCoordinates coordinates(zeta);
  const std::size_t per_element =
      sizeof(PanelBounds) * static_cast<std::size_t>(coordinates.panels) * source.most_rows() / 3 +
      2 * sizeof(double) * static_cast<std::size_t>(zeta.cols()) * source.most_rows();
  const std::size_t per_block = std::max<std::size_t>(1, options.bytes / per_element);
  const std::size_t blocks = (source.size() + per_block - 1) / per_block;
  const int threads = std::max(1, options.threads);
  std::vector<RunStress> parts(blocks);
  // groups of blocks, so that progress is reported from this thread
  const std::size_t group = static_cast<std::size_t>(threads) * 8;
  for (std::size_t begin = 0; begin < blocks; begin += group) {
    const std::size_t end = std::min(blocks, begin + group);
    run_parallel(threads, threads, [&](int thread) {
      BlockWorker worker(source, coordinates, time, options);
      for (std::size_t b = begin + static_cast<std::size_t>(thread); b < end;
           b += static_cast<std::size_t>(threads))
        worker.run(b * per_block, std::min(source.size(), (b + 1) * per_block), parts[b]);
    });
    progress.step(static_cast<double>(std::min(source.size(), end * per_block)));
  }
  RunStress out;
  std::size_t count = 0;
  for (const RunStress& part : parts)
    count += part.locations.size();
  out.locations.reserve(count);
  for (RunStress& part : parts) {
    out.locations.insert(out.locations.end(), part.locations.begin(), part.locations.end());
    out.counted += part.counted;
    part.locations = {};
  }
  return out;
}

}  // namespace femflex::durability
