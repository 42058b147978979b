// settle_massless(): initial balance of massless bodies that only springs position.
#pragma once

#include "integrators/engine.h"

namespace femflex::mbd_solver {

/// Moves massless bodies that only springs position to where the loads on them balance. An implicit
/// integrator fulfils this balance at every step, so the first state must fulfil it too. Uses
/// Newton's method on the forces; the joint constraints are included by multipliers.
/// @param state  its position is changed; velocities and accelerations are not
/// @return false if there is no balance, because a direction has neither stiffness nor joint or
/// Newton's method did not converge; the state is then unchanged
bool settle_massless(Engine& engine, State& state);

}  // namespace femflex::mbd_solver
