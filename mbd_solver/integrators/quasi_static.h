#pragma once

#include "integrators/engine.h"

namespace femflex::mbd_solver {

/// Puts bodies without mass, which springs alone place, where the loads on them balance: what an
/// implicit integrator holds at every step must hold at the first. False where stiffness and joints
/// leave them a free direction; the state is then as it was.
/// @param moved  by how much, as Engine::size_of()
bool settle_massless(Engine& engine, State& state, double& moved);

}  // namespace femflex::mbd_solver
