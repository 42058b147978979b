// add_lattice(): adds a lattice (point masses and springs) of a system file to the system as bodies
// and forces.
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "femflex/mbd_solver/system.h"

#include "system/system_reader.h"

namespace femflex::tools {

/// Reads { "lattice": FILE, "at", "orientation", "velocity", "angular_velocity" }. Each lattice
/// node becomes part of the system, so that springs, joints and bodies are solved together. Node 12
/// of the body "net" is the place "net/12". Its hub (the massless point R, joined to every node by
/// a spring) is "net/R". Fixed DOFs of the lattice are fixed in the world.
/// @param nodes  nodes to which places, forces and outputs refer; they become bodies even if they
/// are fixed
/// @throws ModelError  the lattice has content that a system cannot represent, such as breaking
/// springs or damping that is not linear
void add_lattice(const std::string& name,
                 const Json& value,
                 const std::set<std::int64_t>& nodes,
                 mbd_solver::System& system,
                 SystemReader& in);

/// Checks that a spherical joint connects the massless hub R to a body or to the ground.
/// @throws ModelError  there is no such joint
void check_hub(const std::string& name, const Json& value, const mbd_solver::System& system);

}  // namespace femflex::tools
