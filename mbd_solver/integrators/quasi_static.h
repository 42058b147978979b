#pragma once

#include "integrators/engine.h"

namespace femflex::mbd_solver {

/// Moves bodies without mass that are held by springs alone to where the loads on them balance: an
/// implicit integrator keeps that balance at every step, so it must hold at the first. False if
/// stiffness and joints leave them a free direction; the state is then unchanged.
/// @param moved  size of the move, as Engine::size_of()
bool settle_massless(Engine& engine, State& state, double& moved);

}  // namespace femflex::mbd_solver
