// What precedes the first step of a simulation: checks of options, the first state, and the choice
// of the integrator. simulate() and Stepping call it.
#pragma once

#include <memory>

#include "femflex/diagnostics.h"
#include "femflex/mbd_solver/simulate.h"
#include "femflex/mbd_solver/system.h"

#include "integrators/engine.h"
#include "integrators/integrator.h"

namespace femflex::mbd_solver {

/// @param interval  [s] from row to row
/// @throws UsageError  there are more rows than a result holds
void check_rows(double start, double end, double interval);
/// @throws UsageError  an option is outside its range
void check_options(const DynamicOptions& options);

/// Checks a given state and prepares the engine to continue from it.
/// @throws ModelError  the state belongs to another system
State resumed_state(Engine& engine, const State& state);
/// The state, with zeros or initial values for data that this system needs and the state does not
/// contain.
/// @throws ModelError  the state belongs to another system
State completed(const Model& model, const State& state);
/// The state in which a run begins: options.restart, or the assembled initial state.
/// @throws ModelError  the restart state belongs to another system
State first_state(Engine& engine,
                  const System& system,
                  const DynamicOptions& options,
                  AssemblyReport& report,
                  Diagnostics& diagnostics);

/// The options with the longest step that allows events to be detected. Call it after
/// first_state().
/// @throws ModelError  only springs position a massless body, and the integrator needs its mass
DynamicOptions bounded_options(const Engine& engine, const DynamicOptions& options);

/// @param options  must outlive the integrator
std::unique_ptr<TimeIntegrator> make_integrator(Engine& engine, const DynamicOptions& options);

}  // namespace femflex::mbd_solver
