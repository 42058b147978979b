// Makes what an FMU holds of a system with its analyses, or of a flexible body whose frame is held;
// finds the library that goes with it.
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

/// Adds inputs that load places of a system: "PLACE/force/x", "PLACE/torque/z", or the torque and
/// force along the coordinate of a joint, "JOINT/torque".
/// @throws UsageError  a text of another form, a name that an input has already
void add_loads(const std::vector<std::string>& loads, mbd_solver::System& system);

/// A system of one body, called "body", whose frame is held, with forces and torques at its
/// interface nodes as inputs and their displacements and rotations, and the rates of both, as
/// outputs.
mbd_solver::System held_body(const FlexBody& body, const std::string& name);

/// What an FMU for co-simulation holds. A static analysis before the first dynamic one becomes its
/// start; inputs begin with their values at the start.
FmuModel co_simulation_of(const tools::SystemDocument& document);

/// What an FMU for model exchange holds: the system linearised about its equilibrium or, without a
/// static analysis, about its start.
/// @throws ModelError, NumericalError  see mbd_solver::linear_system()
FmuModel model_exchange_of(const tools::SystemDocument& document,
                           Diagnostics& diagnostics,
                           Progress& progress);

/// The library of FMUs that was built or installed with this program.
/// @throws UsageError  it is not there
std::filesystem::path fmu_library();

}  // namespace femflex::fmu
