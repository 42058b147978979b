// Reduces an FE model to a flexible body: reduce(), with its options and its report.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/fe_model.h"
#include "femflex/flex_body.h"
#include "femflex/modal/build_invariants.h"
#include "femflex/modal/compute_modes.h"
#include "femflex/modal/damping.h"
#include "femflex/modal/geometric_stiffness.h"
#include "femflex/modal/selection.h"
#include "femflex/progress.h"

namespace femflex::modal {

/// How reduce() obtains the shapes of a body.
enum class Method : std::uint8_t {
  given,          ///< the modes that the model holds
  craig_bampton,  ///< constraint modes of the interface and fixed-interface normal modes
  craig_chang,    ///< free normal modes and residual attachment modes (MacNeal-Rubin)
  guyan,          ///< constraint modes only
  dynamic,        ///< free normal modes only
  /// moment-matching vectors of the load cases or, if there are none, of the interface
  krylov,
  automatic,  ///< the smallest Craig-Bampton or -Chang set whose interface FRF meets `tolerance`
};
/// given, craig-bampton, craig-chang, guyan, dynamic, krylov, auto.  @throws UsageError
Method parse_method(std::string_view name);
std::vector<std::string> method_names();
std::string_view name_of(Method method);

/// A band of frequencies [Hz].
struct FrequencyBand {
  double from_hz = 0.0;
  double to_hz = 0.0;
};
/// Reads `0-100Hz`, `0-100`, `20-2000 Hz`.  @throws UsageError
FrequencyBand parse_band(std::string_view text);

/// How modes that are rigid-body motions are treated, whatever their computed eigenvalues.
enum class RigidModes : std::uint8_t {
  /// dropped, because the frame of a body carries its rigid motion; given modes that are not
  /// orthogonalised are all kept
  automatic,
  drop,
  keep,  ///< all kept, whatever the limits for eigenvalues
};

struct ReduceOptions {
  Method method = Method::given;
  /// modes of the model to use (only for method `given`); empty: all
  std::vector<ModeSelection> select;
  bool orthogonalise = false;
  bool scale = false;
  double reject_below = 4e-3;  ///< [rad^2/s^2] only for orthogonalised sets; printed in FLEX files
  double reject_above = 4e13;  ///< [rad^2/s^2]
  RigidModes rigid_modes = RigidModes::automatic;
  double dependence = 1e-9;  ///< see independent_columns()
  DampingRule damping;
  std::vector<PreloadedStiffness> preloaded;  ///< each becomes a term of FlexBody::geometric

  /// number for methods that compute modes; absent: 20, or all up to fmax_hz
  std::optional<std::int64_t> normal;
  std::optional<double> fmax_hz;  ///< normal modes up to this frequency, at most `normal`
  /// For `craig_bampton` and `guyan`: number of characteristic constraint modes that stand for the
  /// interface, instead of a constraint mode for each of its DOFs. For interfaces of many hundred
  /// DOFs, such as faces of solids.
  std::optional<std::int64_t> interface_modes;
  std::int64_t krylov = 4;  ///< for `krylov`: number of vectors per input
  /// for `automatic`: largest relative error of the interface FRF
  double tolerance = 1e-3;
  std::optional<FrequencyBand> band;  ///< frequency band; required for `automatic`
  /// Number of normal modes beyond those of the body that it carries without their acting, with
  /// responses to forces at `left_out_at`: from them a run tells what modes that were left out
  /// would add. Absent: the body has its own shapes alone.
  std::optional<std::int64_t> left_out;
  /// nodes at which the static displacement shall then be complete; empty: the interface nodes
  std::vector<std::int64_t> left_out_at;
  SolveOptions solve;
};

/// Results of reduce() in addition to the body.
struct ReduceReport {
  SolveReport solve;
  struct AutoStep {
    std::int64_t normal_modes = 0;
    double highest_hz = 0.0;  ///< highest frequency of the kept normal modes
    double frf_error = 0.0;   ///< largest error in the band, verified by full solves
  };
  /// An interface whose constraint modes were reduced.
  struct InterfaceReduction {
    std::int64_t kept = 0;    ///< number of characteristic constraint modes
    std::int64_t of = 0;      ///< number of interface DOFs
    double highest_hz = 0.0;  ///< frequency of the highest one kept
  };
  std::optional<InterfaceReduction> interface;
  std::vector<AutoStep> curve;        ///< for `automatic`: error against the number of modes
  std::vector<std::string> kept_why;  ///< for `automatic`: why each mode was kept
  /// Difference between lumped nodal masses and the consistent ones; absent if the mass matrix does
  /// not contain the whole body, so that only lumped masses exist.
  std::optional<InertiaDifference> lumped;
  double seconds_modes = 0.0, seconds_project = 0.0, seconds_invariants = 0.0;
};

/// Chooses modes, removes dependent ones, orthogonalises, rejects, scales, and assembles the
/// flexible body in SI. docs/theory/modal.md eq. (1) to (14).
///
/// @throws ModelError  units are unknown; K or M is missing and the modes have no generalised
///                     masses and eigenvalues; nothing is left after rejection
FlexBody reduce(const FeModel& model,
                const ReduceOptions& options,
                Diagnostics& diagnostics,
                Progress& progress = no_progress(),
                ReduceReport* report = nullptr);

}  // namespace femflex::modal
