// ForceInput: the input of the readers of forces of a system file; and declarations of some
// readers.
#pragma once

#include <vector>

#include "femflex/mbd_solver/system.h"

#include "system/system_reader.h"
#include "system/system_road.h"

namespace femflex::tools {

/// Input of a function that reads one force.
struct ForceInput {
  ObjectReader& reader;
  const Json& value;
  const SystemRoad& road;  // the road of the system
  const mbd_solver::System& system;
  const SystemReader& in;
};

// Readers of contacts and moving loads, in system_contacts.cpp.
mbd_solver::ForceLaw read_contact(const ForceInput& input);
mbd_solver::ForceLaw read_moving_load(const ForceInput& input);
// Readers of friction, suspension parts and rolling wheels, in system_suspension.cpp.
/// Whether a force on the joint acts about its axis: on a revolute joint always, on a cylindrical
/// one if `about` is true.
bool is_angle(const mbd_solver::System& system, const std::string& joint, bool about);
mbd_solver::ForceLaw read_friction(const ForceInput& input);
mbd_solver::ContactFriction read_contact_friction(const Json& value, const SystemReader& in);
mbd_solver::ForceLaw read_leaf_spring(const ForceInput& input);
mbd_solver::ForceLaw read_air_spring(const ForceInput& input);
mbd_solver::ForceLaw read_mounted_damper(const ForceInput& input);
mbd_solver::ForceLaw read_anti_roll_bar(const ForceInput& input);
/// Reads a tyre with "file".
mbd_solver::ForceLaw read_rolling_tyre(const ForceInput& input);
std::vector<mbd_solver::MaxwellArm> read_arms(const Json& value, const SystemReader& in);

}  // namespace femflex::tools
