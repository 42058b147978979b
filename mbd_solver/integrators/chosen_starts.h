// Initial angles, displacements and rates of joints that the user chose: moves an assembled system
// to them.
#pragma once

#include "integrators/engine.h"

namespace femflex::mbd_solver {

/// Moves an assembled state to the chosen coordinates of joints, and gives it their rates.
///
/// A joint that alone connects its two sides moves the side without the ground as one rigid piece,
/// so that all other joint coordinates keep their values. In a loop the bodies follow by
/// projections in small steps, while joints outside loops keep their coordinates.
/// docs/formats/system.md.
/// @throws NumericalError  the chosen values cannot be reached, contradict each other, or would
/// move a body with initial_fixed
void apply_chosen_starts(Engine& engine, const System& system, State& state);

}  // namespace femflex::mbd_solver
