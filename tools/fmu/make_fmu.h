// Makes the contents of an FMU from a system with its analyses, or from a flexible body whose frame
// is held; finds the library that an FMU contains.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/flex_body.h"
#include "femflex/progress.h"

#include "fmu/fmu_model.h"
#include "system/system_json.h"

namespace femflex::fmu {

/// Adds inputs for forces and torques at places of a system: "PLACE/force/x", "PLACE/torque/z", or
/// the torque about the axis of a joint, "JOINT/torque".
/// @throws UsageError  a text of another form, a name that an input has already
void add_loads(const std::vector<std::string>& loads, mbd_solver::System& system);

/// A system of one body, called "body", whose frame is held, with forces and torques at its
/// interface nodes as inputs, and the displacements, rotations, velocities, angular velocities and
/// accelerations of these nodes as outputs.
mbd_solver::System held_body(const FlexBody& body, const std::string& name);

/// The content of an FMU for co-simulation. A static analysis before the first dynamic one becomes
/// its start; inputs begin with their values at the start.
FmuModel co_simulation_of(const tools::SystemDocument& document);

/// The content of an FMU for model exchange: the system linearised about its equilibrium or,
/// without a static analysis, about its start.
/// @throws ModelError, NumericalError  see mbd_solver::linear_system()
FmuModel model_exchange_of(const tools::SystemDocument& document,
                           Diagnostics& diagnostics,
                           Progress& progress);

/// The library of FMUs that was built or installed with this program.
/// @throws UsageError  it is not there
std::filesystem::path fmu_library();

}  // namespace femflex::fmu
