// Peaks and damage of stresses over a run. Searches peaks block by block of elements, and counts
// cycles at locations where damage is possible.
#include "femflex/durability/run_stress.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <string>

#include "femflex/durability/critical_plane.h"
#include "femflex/errors.h"
#include "femflex/name_table.h"
#include "femflex/parallel.h"

#include "peak_search.h"

namespace femflex::durability {
namespace {

/// Whether no cycle between these two values can do damage: the curve has no damage below its knee,
/// and the equivalent amplitude of the largest possible cycle is below the knee.
bool is_harmless(double low, double high, const WoehlerCurve& curve) {
  if (high == low) return true;
  if (curve.below != BelowKnee::original) return false;
  const double amplitude = 0.5 * (high - low);
  // the equivalent amplitude increases with the mean, which is at most `high`
  const double worst = equivalent_amplitude(amplitude, std::max(high, 0.0), curve);
  return worst < curve.knee;
}

// Largest von Mises stress over largest principal stress, in size, above which the sum of two
// opposite principal stresses is below 0.2 of their difference (plane states).
constexpr double kShearRatio = 1.45;

// Share of a location's damage that cycles may do together which are not counted one by one.
constexpr double kNegligible = 1e-9;
// halvings of the range searched; more would not show in the time it saves
constexpr int kRangeHalvings = 30;

/// A range up to which all cycles of a history together do no more than kNegligible of its damage.
/// @param low, high  the history reaches these values, so its largest cycle does at least the
///   damage of half a cycle between them
/// @param highest    no value is above
double negligible_range(
    double low, double high, double highest, Eigen::Index count, const WoehlerCurve& curve) {
  if (!(high > low)) return 0.0;
  const auto damage = [&](double range, double mean) {
    return 1.0 / cycles_to_failure(equivalent_amplitude(0.5 * range, mean, curve), curve);
  };
  const double allowed = kNegligible * 0.5 * damage(high - low, 0.5 * (low + high));
  const double most = 0.5 * static_cast<double>(count);  // cycles
  const double mean = std::max(highest, 0.0);            // the least favourable one
  double below = 0.0, above = high - low;
  for (int k = 0; k < kRangeHalvings; ++k) {
    const double middle = 0.5 * (below + above);
    (most * damage(middle, mean) <= allowed ? below : above) = middle;
  }
  return below;
}

/// Memory of the turning points of a location of `instants` rows, with one in eight among them.
std::size_t turning_bytes(Eigen::Index instants) {
  return static_cast<std::size_t>(instants) / 8 * (sizeof(float) + sizeof(std::int32_t));
}

/// The criterion for which turning points are collected while peaks are searched.
std::optional<Criterion> turning_criterion(const RunStressOptions& options) {
  if (!options.damage || options.damage->criterion == Criterion::critical_plane) return {};
  return options.damage->criterion;
}

/// Finds peaks and damage of one block after another; one object per thread.
class BlockWorker {
 public:
  BlockWorker(const StressSource& source,
              const PackedCoordinates& coordinates,
              const Eigen::VectorXd& time,
              const RunStressOptions& options)
      : source_(source),
        search_(coordinates, time, turning_criterion(options)),
        options_(options) {}

  void run(std::size_t first, std::size_t last, RunStress& out) {
    search_.find(source_.stress(first, last), out.locations);
    if (!options_.damage) return;
    for (std::size_t k = 0; k < out.locations.size(); ++k)
      count_cycles(*options_.damage, k, out);
  }

 private:
  /// @param k  of the block, and of `out`
  void count_cycles(const DamageRule& rule, std::size_t k, RunStress& out) {
    LocationPeaks& peaks = out.locations[k];
    // the criterion never leaves the range of the peaks; the stress normal to any plane lies
    // between the principal ones
    const bool is_principal = rule.criterion != Criterion::signed_von_mises;
    double low = is_principal ? std::min(0.0, peaks.principal_min.value) : peaks.signed_min.value;
    double high = is_principal ? std::max(0.0, peaks.principal_max.value) : peaks.signed_max.value;
    const bool is_shear = rule.criterion != Criterion::critical_plane && shear_dominates(peaks);
    if (is_shear) {
      high = std::max(high, -low);
      low = -high;
    }
    if (is_harmless(low, high, rule.curve)) return;
    if (rule.criterion == Criterion::critical_plane) {
      ++out.counted;
      const CriticalPlane worst = critical_plane(
          search_.components(peaks.location), search_.instants(), rule.curve, rule.residue);
      peaks.damage = worst.damage;
      peaks.plane = worst.normal;
      return;
    }
    if (!is_shear && search_.has_turning_points(k)) {
      const std::array<double, 2> limits = search_.turning_limits(k);
      const double range =
          negligible_range(limits[0], limits[1], high, search_.instants(), rule.curve);
      count_history(rule, search_.turning_values(peaks.location, k, range), peaks, out);
      return;
    }
    const Eigen::ArrayXd history = counted_history(
        rule.criterion, search_.components(peaks.location), search_.instants(), peaks);
    count_history(rule, {history.data(), static_cast<std::size_t>(history.size())}, peaks, out);
  }

  static void count_history(const DamageRule& rule,
                            std::span<const double> history,
                            LocationPeaks& peaks,
                            RunStress& out) {
    const auto [low, high] = std::minmax_element(history.begin(), history.end());
    if (is_harmless(*low, *high, rule.curve)) return;
    ++out.counted;
    peaks.damage = damage_of(rainflow(history, rule.residue), rule.curve);
  }

  const StressSource& source_;
  PeakSearch search_;
  const RunStressOptions& options_;
};

constexpr auto kCriteria = name_table<Criterion>({{Criterion::signed_von_mises, "signed-von-mises"},
                                                  {Criterion::principal, "principal"},
                                                  {Criterion::critical_plane, "critical-plane"}});

}  // namespace

Criterion parse_criterion(std::string_view name) {
  return kCriteria.parse(name, "criterion", "a criterion");
}

std::vector<std::string> criterion_names() {
  return kCriteria.names();
}

Eigen::ArrayXd history_of(Criterion criterion, const Invariants& invariants) {
  if (criterion == Criterion::signed_von_mises) return invariants.signed_von_mises;
  return (invariants.principal_max + invariants.principal_min < 0.0)
      .select(invariants.principal_min, invariants.principal_max);
}

bool shear_dominates(const LocationPeaks& peaks) {
  // 1.73 in pure shear, 1 along one axis
  const double principal = std::max(peaks.principal_max.value, -peaks.principal_min.value);
  return peaks.von_mises.value > kShearRatio * principal;
}

Eigen::ArrayXd counted_history(Criterion criterion,
                               const SixHistories& stress,
                               Eigen::Index count,
                               const LocationPeaks& peaks) {
  Invariants invariants;
  compute_invariants(stress, count, invariants);
  const Eigen::ArrayXd history = history_of(criterion, invariants);
  if (!shear_dominates(peaks)) return history;
  Eigen::Index largest = 0;
  history.abs().maxCoeff(&largest);
  return history.abs() * signs_against(stress, count, largest);
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
      2 * sizeof(double) * static_cast<std::size_t>(zeta.cols()) * source.most_rows() +
      (turning_criterion(options) ? turning_bytes(zeta.rows()) * source.most_rows() / 3 : 0);
  const std::size_t per_block = std::max<std::size_t>(1, options.bytes / per_element);
  const std::size_t blocks = (source.size() + per_block - 1) / per_block;
  const int threads = std::max(1, options.threads);
  std::vector<RunStress> parts(blocks);
  // blocks are processed in groups, so that this thread can report progress between them
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
