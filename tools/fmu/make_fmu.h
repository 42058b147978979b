// Makes the content of an FMU from a system with its analyses, or from a flexible body with a fixed
// frame; finds the library to put into an FMU. The verb fmu calls it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/flex_body.h"
#include "femflex/mbd_solver/linear_system.h"
#include "femflex/progress.h"

#include "fmu/fmu_model.h"
#include "system/system_json.h"

namespace femflex::fmu {

/// Adds inputs for forces and torques at places of a system: "PLACE/force/x", "PLACE/torque/z", or
/// "JOINT/torque" for the torque about the axis of a joint.
/// @throws UsageError  a text of another form, or an existing input has the same name
void add_loads(const std::vector<std::string>& loads, mbd_solver::System& system);

/// A system with the body "body", whose frame is fixed. Inputs are forces and torques at its
/// interface nodes; outputs are displacements, rotations, velocities, angular velocities and
/// accelerations of these nodes.
mbd_solver::System held_body(const FlexBody& body, const std::string& name);

/// The content of an FMU for co-simulation. If a static analysis precedes the first dynamic one,
/// the FMU starts in equilibrium. Inputs begin with their initial values.
FmuModel co_simulation_of(const tools::SystemDocument& document);

/// A, B, C, D of the system about its equilibrium or, without a static analysis, about its start,
/// with all its inputs and outputs.
/// @throws ModelError  the system moves
/// @throws ModelError, NumericalError  see mbd_solver::linear_system()
mbd_solver::LinearSystem state_space_of(const tools::SystemDocument& document,
                                        Diagnostics& diagnostics,
                                        Progress& progress);

/// The content of an FMU for model exchange: state_space_of() with start values.
/// @throws ModelError, NumericalError  see state_space_of()
FmuModel model_exchange_of(const tools::SystemDocument& document,
                           Diagnostics& diagnostics,
                           Progress& progress);

/// Path of the FMU library that was built or installed with this program.
/// @throws UsageError  the library is missing
std::filesystem::path fmu_library();

}  // namespace femflex::fmu
