// Replaces guests by linear blocks for a linearisation. linearise() and linear_system() use it.
#pragma once

#include "femflex/diagnostics.h"
#include "femflex/mbd_solver/state.h"
#include "femflex/mbd_solver/system.h"

namespace femflex::mbd_solver {

/// Whether a system has guests.
bool has_guests(const System& system);
/// Returns the system with linear blocks instead of its guests, linearised about `state`; changes
/// `state` to a state of that system.
/// @throws NumericalError  a guest provides no derivatives, or fails
System with_linear_guests(const System& system, State& state, Diagnostics& diagnostics);

}  // namespace femflex::mbd_solver
