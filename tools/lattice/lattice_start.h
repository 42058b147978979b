// The initial state of a run of a lattice: positions and velocities of its file, or an equilibrium.
// run_lattice() and the live page use it.
#pragma once

#include "femflex/diagnostics.h"
#include "femflex/hamiltonian/lattice_statics.h"
#include "femflex/hamiltonian/lattice_system.h"
#include "femflex/progress.h"

#include "lattice/lattice_json.h"

namespace femflex::tools {

/// The positions and velocities of the model at its start time.
hamiltonian::State given_start(const hamiltonian::LatticeSystem& system,
                               const LatticeDocument& document);

/// Fits the state of a run to a model that has changed since: forgets the rates of earlier steps,
/// stops the DOFs that are fixed now, and places those of prescribed motion.
void go_on_with_changes(const hamiltonian::LatticeSystem& system, hamiltonian::State& state);

/// "1 spring", "2 springs"
std::string springs_text(std::int64_t count);

/// Warns of the springs that broke on the way to an equilibrium, if any.
void warn_of_broken(const hamiltonian::Equilibrium& found, Diagnostics& diagnostics);

/// given_start() or, if the model requests it, its equilibrium at rest under gravity without loads.
/// Call it before LatticeSystem::set_current_references().
/// @param diagnostics  receives a warning of springs that break on the way; null: no warning
/// @throws NumericalError  there is no such equilibrium
hamiltonian::State start_of_run(const hamiltonian::LatticeSystem& system,
                                const LatticeDocument& document,
                                Progress& progress,
                                Diagnostics* diagnostics = nullptr);

}  // namespace femflex::tools
