// Adds a lattice (point masses and springs) to a system as bodies and forces.
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "femflex/mbd_solver/system.h"

#include "system/system_reader.h"

namespace femflex::tools {

/// { "lattice": FILE, "at", "orientation", "velocity", "angular_velocity" }: a lattice becomes part
/// of the system node by node, so that springs, joints and bodies are solved in one step. Node 12
/// of the body "net" is the place "net/12"; its hub (the massless point R, joined to every node by
/// a spring) is "net/R". DOFs that the lattice holds are fixed in the world.
/// @param nodes  nodes that places, forces and outputs name; they become bodies even if they are
/// held
/// @throws ModelError  what a system cannot move: breaking springs, damping that is not linear, ...
void add_lattice(const std::string& name,
                 const Json& value,
                 const std::set<std::int64_t>& nodes,
                 mbd_solver::System& system,
                 SystemReader& in);

/// Checks that a spherical joint ties the hub R to a body or to the ground: R has no mass.
/// @throws ModelError  there is no such joint
void check_hub(const std::string& name, const Json& value, const mbd_solver::System& system);

}  // namespace femflex::tools
