// Validates a reduced body against the FE model from which it was made.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/fe_model.h"
#include "femflex/flex_body.h"
#include "femflex/modal/build_invariants.h"
#include "femflex/modal/compute_modes.h"
#include "femflex/modal/reduce.h"
#include "femflex/progress.h"

namespace femflex::modal {

/// What validate() compares, and the limits of its verdict.
struct ValidateOptions {
  std::int64_t modes = 10;  ///< number of elastic free modes to compare
  /// band of the interface FRF; absent: up to the last mode compared
  std::optional<FrequencyBand> band;
  int frf_points = 40;
  double damping_ratio = 0.01;   ///< half the loss factor g of both FRFs, above zero
  double frequency_limit = 1.0;  ///< limit of the frequency error [%]
  double mac_limit = 0.99;       ///< lower limit of the MAC
  double static_limit = 1e-3;    ///< limit of the relative static error at the interface
  double frf_limit = 0.05;       ///< limit of the relative FRF error in the band
  SolveOptions solve;
};

/// Comparison of the reduced body with the full model.
struct Validation {
  struct Frequency {
    double full_hz = 0.0;
    double reduced_hz = 0.0;  ///< NaN: the body has no such mode
    double error_percent = 0.0;
    double mac = 0.0;    ///< mass-weighted
    bool agrees = true;  ///< within the limits of ValidateOptions
  };
  std::vector<Frequency> frequencies;
  /// mass-weighted MAC of the elastic modes of the full model (rows) and of the body (columns)
  Eigen::MatrixXd mac;
  Eigen::MatrixXd plain_mac;                   ///< the MAC without weights
  double full_mass = 0.0, reduced_mass = 0.0;  ///< [kg]
  Eigen::Vector3d full_centre = Eigen::Vector3d::Zero(), reduced_centre = Eigen::Vector3d::Zero();
  Eigen::Matrix3d full_inertia = Eigen::Matrix3d::Zero(), reduced_inertia = Eigen::Matrix3d::Zero();
  std::int64_t full_zero_modes = 0, reduced_zero_modes = 0;
  /// relative error under interface forces (in equilibrium if the component floats); -1: not
  /// compared (no interface nodes, or they do not hold the part)
  double static_error = -1.0;
  struct FrfPoint {
    double frequency_hz = 0.0;
    double full = 0.0;  ///< norm of the interface receptance of the full model
    double reduced = 0.0;
    /// norm of the difference divided by the largest `full` in the third octave around this
    /// frequency
    double error = 0.0;
  };
  std::vector<FrfPoint> frf;
  double frf_error = -1.0;  ///< largest error in the band; -1: not compared
  InertiaDifference invariants;
  std::vector<std::string> findings;  ///< which limits are exceeded
  bool pass = false;
};

/// Compares modes, mass properties, static displacements and frequency responses at the interface.
/// @throws ModelError  the model holds no K and M, or the body's nodes are not the model's
/// @throws UsageError  the damping ratio is not positive
Validation validate(const FlexBody& body,
                    const FeModel& model,
                    const ValidateOptions& options,
                    Diagnostics& diagnostics,
                    Progress& progress = no_progress());

}  // namespace femflex::modal
