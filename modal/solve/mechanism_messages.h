// Errors and warnings of mechanisms, which name the DOFs that nothing holds.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include <Eigen/Core>

#include "femflex/diagnostics.h"
#include "femflex/fe_model.h"

#include "solve/normal_modes.h"
#include "solve/shifted_factor.h"
#include "solve/system.h"

namespace femflex::modal {

/// The unknowns of a factored matrix as DOFs of a system, for messages.
struct NamedUnknowns {
  const FeModel& model;
  const System& system;
  const std::vector<std::int64_t>& unknowns;
};

/// Throws: K is singular; names the DOFs that nothing holds, or says that the part is free.
/// @throws NumericalError
[[noreturn]] void throw_mechanism(const ShiftedFactor& factor, const NamedUnknowns& names);

/// Runs `work`; if that finds a singular matrix and there are motions with neither stiffness nor
/// mass, holds one unknown of each in `system`, with a warning, and runs it once more. `work`
/// itself fixes the unknowns in `interface_held`; these are not changed.
void with_mechanisms_held(const FeModel& model,
                          System& system,
                          const std::vector<Dof>* interface_held,
                          Diagnostics& diagnostics,
                          const std::function<void()>& work);

/// Warns if more modes than those of a rigid body have no stiffness, and names the DOFs that they
/// move; fills report.zero_modes and report.negative_modes.
/// @param tested  rigid motions whose forces have already been tested: modes among them are not
/// tested again
void warn_of_mechanisms(const ShiftedFactor& factor,
                        const NamedUnknowns& names,
                        const std::vector<Eigen::MatrixXd>& tested,
                        NormalModes& modes,
                        Diagnostics& diagnostics);

}  // namespace femflex::modal
