// Initial balance of massless bodies that springs alone hold in position.
#pragma once

#include "integrators/engine.h"

namespace femflex::mbd_solver {

/// Moves massless bodies that are positioned by springs alone to where the loads on them balance.
/// An implicit integrator keeps that balance at every step, so the state of the first step must
/// fulfil it. Uses Newton's method on the forces, with the joint constraints as a saddle-point
/// system.
/// @param state  its position is changed; velocities and accelerations are not
/// @param moved  receives the sum of the moves, as computed by Engine::size_of()
/// @return false if there is no balance: a direction has neither stiffness nor joint, or Newton's
///         method did not converge; the state is then unchanged
bool settle_massless(Engine& engine, State& state, double& moved);

}  // namespace femflex::mbd_solver
