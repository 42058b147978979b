#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "femflex/mbd_solver/system.h"

#include "system_reader.h"

namespace femflex::pipeline {

/// { "lattice": FILE, "at", "orientation", "velocity", "angular_velocity" }: a lattice becomes part
/// of the system node by node, so that springs, joints and bodies are solved in one step. Node 12
/// of the body "net" is the place "net/12"; freedoms that the lattice holds stand still in the
/// world.
/// @param nodes  that places, forces and outputs name: held ones among them stay bodies
/// @throws ModelError  what a system cannot move: hinges, breaking springs, a bowl R, ...
void add_lattice(const std::string& name,
                 const Json& value,
                 const std::set<std::int64_t>& nodes,
                 mbd_solver::System& system,
                 SystemReader& in);

}  // namespace femflex::pipeline
