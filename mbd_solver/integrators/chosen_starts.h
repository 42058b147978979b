// apply_chosen_starts(): moves an assembled system to the initial angles, displacements and rates
// of joints that the user chose.
#pragma once

#include "integrators/engine.h"

namespace femflex::mbd_solver {

/// Moves an assembled state to the chosen coordinates of joints and sets the chosen rates.
///
/// If a joint is the only connection of its two sides, the side without the ground moves as one
/// rigid piece, so that all other joint coordinates keep their values. In a loop the bodies follow
/// by projections in small steps; joints outside loops keep their coordinates.
/// docs/formats/system.md.
/// @throws NumericalError  the chosen values cannot be reached, contradict each other, or would
/// move a body with initial_fixed
void apply_chosen_starts(Engine& engine, const System& system, State& state);
/// The same with the chosen rates alone.
void apply_chosen_rates(Engine& engine, const System& system, State& state);

}  // namespace femflex::mbd_solver
