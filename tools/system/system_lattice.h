#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "femflex/mbd_solver/system.h"

#include "system/system_reader.h"

namespace femflex::tools {

/// { "lattice": FILE, "at", "orientation", "velocity", "angular_velocity" }: a lattice becomes part
/// of the system node by node, so that springs, joints and bodies are solved in one step. Node 12
/// of the body "net" is the place "net/12", its bowl "net/R"; DOFs that the lattice holds stand
/// still in the world.
/// @param nodes  that places, forces and outputs name: held ones among them stay bodies
/// @throws ModelError  what a system cannot move: breaking springs, damping that is not linear, ...
void add_lattice(const std::string& name,
                 const Json& value,
                 const std::set<std::int64_t>& nodes,
                 mbd_solver::System& system,
                 SystemReader& in);

/// The bowl R, which has no mass, moves with what a joint ties it to.
/// @throws ModelError  no joint does
void check_bowl(const std::string& name, const Json& value, const mbd_solver::System& system);

}  // namespace femflex::tools
