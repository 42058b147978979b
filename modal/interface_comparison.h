// The part of a validation that compares a body with its FE model at the interface: static
// displacements and frequency responses.
#pragma once

#include <Eigen/Core>

#include "femflex/diagnostics.h"
#include "femflex/fe_model.h"
#include "femflex/modal/validate.h"
#include "femflex/mode_set.h"
#include "femflex/progress.h"

#include "body_modes.h"

namespace femflex::modal {

/// What compare_interface() needs of the full model.
struct FullModel {
  const FeModel& model;
  /// displacements under unit forces on the interface, without rigid motion
  const ModeSet& attachment;
  const Eigen::MatrixXd& R;  ///< rigid modes
  double last_hz = 0.0;      ///< frequency of its highest mode that is compared
};

/// Fills in static_error, frf and frf_error of `out`, whose frequencies are known. Does nothing but
/// warn if the part can move while its interface is held.
void compare_interface(const FullModel& full,
                       const BodyModes& reduced,
                       const ValidateOptions& options,
                       Diagnostics& diagnostics,
                       Progress& progress,
                       Validation& out);

}  // namespace femflex::modal
