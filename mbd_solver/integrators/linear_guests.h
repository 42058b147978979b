// Guests in a linearisation: linear blocks in their place.
#pragma once

#include "femflex/diagnostics.h"
#include "femflex/mbd_solver/state.h"
#include "femflex/mbd_solver/system.h"

namespace femflex::mbd_solver {

/// Whether a system has guests.
bool has_guests(const System& system);
/// The system with linear blocks instead of its guests, about `state`, which becomes one of that
/// system.
/// @throws NumericalError  a guest gives no derivatives, or fails
System with_linear_guests(const System& system, State& state, Diagnostics& diagnostics);

}  // namespace femflex::mbd_solver
