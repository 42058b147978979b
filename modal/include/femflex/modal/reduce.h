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
  guyan,          ///< constraint modes alone
  dynamic,        ///< free normal modes alone
  krylov,         ///< moment-matching vectors of the load cases, or of the interface without any
  automatic,      ///< the smallest Craig-Bampton set whose interface FRF meets `tolerance`
};
/// given, craig-bampton, craig-chang, guyan, dynamic, krylov, auto.  @throws UsageError
Method parse_method(std::string_view name);
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
  automatic,  ///< dropped: the frame of a body carries its rigid motion. Given modes that are not
              ///< orthogonalised are all kept
  drop,
  keep,  ///< all of them, whatever the limits for eigenvalues
};

struct ReduceOptions {
  Method method = Method::given;
  std::vector<ModeSelection> select;  ///< of the model's modes (method given); empty: all
  bool orthogonalise = false;
  bool scale = false;
  double reject_below = 4e-3;  ///< [rad^2/s^2] acts on orthogonalised sets, as FLEX prints
  double reject_above = 4e13;  ///< [rad^2/s^2]
  RigidModes rigid_modes = RigidModes::automatic;
  double dependence = 1e-9;  ///< see independent_columns()
  DampingRule damping;
  std::vector<PreloadedStiffness> preloaded;  ///< each becomes a term of FlexBody::geometric

  std::optional<std::int64_t> normal;  ///< of the computed methods; 20, or all up to fmax_hz
  std::optional<double> fmax_hz;       ///< normal modes up to here, at most `normal`
  std::int64_t krylov = 4;             ///< krylov: vectors per input
  double tolerance = 1e-3;             ///< automatic: largest relative interface FRF error
  std::optional<FrequencyBand> band;   ///< automatic needs one
  SolveOptions solve;
};

/// Results of reduce() in addition to the body.
struct ReduceReport {
  SolveReport solve;
  struct AutoStep {
    std::int64_t normal_modes = 0;
    double highest_hz = 0.0;  ///< of the kept normal modes
    double frf_error = 0.0;   ///< over the band, verified by full solves
  };
  std::vector<AutoStep> curve;        ///< automatic: error over the number of modes
  std::vector<std::string> kept_why;  ///< automatic: why each mode was kept
  /// Difference between lumped nodal masses and the consistent ones; absent where the mass matrix
  /// does not hold the whole body, so that only lumped masses exist.
  std::optional<InertiaDifference> lumped;
  double seconds_modes = 0.0, seconds_project = 0.0, seconds_invariants = 0.0;
};

/// Chooses modes, removes dependent ones, orthogonalises, rejects, scales, and assembles the
/// flexible body in SI. docs/theory/modal.md eq. (1) to (14).
///
/// @throws ModelError  units unknown; no K or M where the modes do not bring generalised masses and
///                     eigenvalues; nothing left after rejection
FlexBody reduce(const FeModel& model,
                const ReduceOptions& options,
                Diagnostics& diagnostics,
                Progress& progress = no_progress(),
                ReduceReport* report = nullptr);

}  // namespace femflex::modal
