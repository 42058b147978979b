#pragma once

#include "integrators/engine.h"

namespace femflex::mbd_solver {

/// Moves massless bodies that are positioned by springs alone to where the loads on them balance.
/// An implicit integrator keeps that balance at every step, so it must hold at the first. Uses
/// Newton's method on the forces, with the joint constraints as a saddle-point system. Returns
/// false if a direction has neither stiffness nor joint; the state is then unchanged.
/// @param moved  receives the size of the move, as computed by Engine::size_of()
bool settle_massless(Engine& engine, State& state, double& moved);

}  // namespace femflex::mbd_solver
