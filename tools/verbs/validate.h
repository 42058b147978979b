// validate(): the verb validate. Compares a reduced body with its full model.
#pragma once

#include <optional>

#include <Eigen/Core>

#include "femflex/diagnostics.h"
#include "femflex/flex_body.h"
#include "femflex/modal/validate.h"
#include "femflex/progress.h"
#include "femflex/units.h"

#include "verbs/input.h"

namespace femflex::verbs {

/// Input of validate().
struct ValidateRequest {
  BodyInput body;
  ModelInput against;          ///< the full model
  std::optional<Units> units;  ///< units of files that give none
  modal::ValidateOptions options;
  bool with_energy = false;  ///< also compute the distribution of the modes' kinetic energy among
                             ///< nodes
};

/// Outcome of validate().
struct ValidateOutcome {
  modal::Validation validation;
  FlexBody body;           ///< the reduced body
  Eigen::MatrixXd energy;  ///< modal::kinetic_energy_fractions(); empty if not requested
};

/// Compares a reduced body with the full model.
/// @throws UsageError  see load()
/// @throws ModelError  see modal::validate()
ValidateOutcome validate(const ValidateRequest& request,
                         Diagnostics& diagnostics,
                         Progress& progress);

}  // namespace femflex::verbs
