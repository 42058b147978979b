// Stresses over a run: peaks and damage at every point of a body.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <Eigen/Core>

#include "femflex/durability/invariants.h"
#include "femflex/durability/modal_stress.h"
#include "femflex/durability/rainflow.h"
#include "femflex/durability/stress_source.h"
#include "femflex/durability/woehler.h"
#include "femflex/progress.h"

namespace femflex::durability {

/// The scalar whose cycles are counted.
enum class Criterion : std::uint8_t {
  signed_von_mises,
  principal,       ///< the principal stress with the largest absolute value, with its sign
  critical_plane,  ///< the stress normal to the plane on which it does the most damage
};
/// Reads "signed-von-mises", "principal" or "critical-plane".
/// @throws UsageError  the name is none of these
Criterion parse_criterion(std::string_view name);
std::vector<std::string> criterion_names();

struct DamageRule {
  WoehlerCurve curve;
  Criterion criterion = Criterion::signed_von_mises;
  Residue residue = Residue::half_cycles;
};

/// A stress and the first time at which it occurs.
struct Extreme {
  double value = 0.0;  ///< [Pa]
  double time = 0.0;   ///< [s]
};

struct LocationPeaks {
  StressLocation location;
  Extreme von_mises;  ///< largest value over the run, 0 or more
  Extreme signed_max, signed_min;
  Extreme principal_max, principal_min;
  Extreme tresca;
  double damage = 0.0;  ///< damage of the run; 0 without a damage rule
  /// normal of the critical plane in the axes of the components; zero for other criteria
  Eigen::Vector3d plane = Eigen::Vector3d::Zero();
};

struct RunStressOptions {
  std::optional<DamageRule> damage;
  int threads = 1;
  /// memory that each thread uses at once for stresses and bounds, but at least that of one
  /// element; the default fits into the cache of a processor
  std::size_t bytes = std::size_t{1} << 19U;
};

struct RunStress {
  std::vector<LocationPeaks> locations;  ///< in the order of the source
  /// number of locations whose cycles were counted; the others cannot have damage
  std::int64_t counted = 0;
};

/// Computes peaks and damage of all locations, block by block of elements. The products S zeta are
/// computed in single precision with error bounds, and computed again in double precision where a
/// peak is possible. Peaks and cycles therefore have double precision.
/// @param zeta  modal coordinates (instants x shapes)
/// @throws UsageError  the run has no rows, or a coordinate is not finite
/// @throws ModelError  see modal_stress()
RunStress stress_over_run(const StressSource& source,
                          const Eigen::VectorXd& time,
                          const Eigen::MatrixXd& zeta,
                          const RunStressOptions& options,
                          Progress& progress);

/// History of the scalar of a criterion; not for the critical plane.
Eigen::ArrayXd history_of(Criterion criterion, const Invariants& invariants);

/// True if the peaks are nearly those of pure shear, whose principal stresses are equal and
/// opposite: the sign of the larger one then says nothing.
bool shear_dominates(const LocationPeaks& peaks);

/// As history_of(), but where shear dominates with the sign of signs_against() the instant of the
/// largest value. docs/theory/stress.md, cycles.
Eigen::ArrayXd counted_history(Criterion criterion,
                               const SixHistories& stress,
                               Eigen::Index count,
                               const LocationPeaks& peaks);

}  // namespace femflex::durability
