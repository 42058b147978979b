// Prepares a simulation: checks each option against its range, then computes the first state from a
// restart, by assembly, or from the initial state as given.
#include "integrators/run_start.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "integrators/assembly.h"

namespace femflex::mbd_solver {
namespace {

/// @throws ModelError  the state belongs to another system, or it contains springs that can break
/// and was written before version 0.3, which stored their events among the joint angles
State checked_restart(const Model& model, const State& state) {
  if (state.position.size() != model.nq || state.velocity.size() != model.nv ||
      state.acceleration.size() != model.nv || state.multipliers.size() != model.nl ||
      state.joint_angles.size() + state.events.size() != model.angle_count + model.event_count)
    throw ModelError("restart-size",
                     fmt::format("the restart state has {} velocities and {} multipliers, "
                                 "the system has {} and {}",
                                 state.velocity.size(),
                                 state.multipliers.size(),
                                 model.nv,
                                 model.nl));
  if (state.events.size() != model.event_count)
    throw ModelError("restart-events",
                     fmt::format("the restart state has {} events, the system has {}: "
                                 "older states keep broken springs among the joint angles",
                                 state.events.size(),
                                 model.event_count),
                     {},
                     "run the first part again with this version");
  if (state.force_states.size() != model.state_count)
    throw ModelError("restart-states",
                     fmt::format("the restart state has {} states of forces, the system has {}",
                                 state.force_states.size(),
                                 model.state_count));
  return state;
}

}  // namespace

void check_rows(double start, double end, double interval) {
  const double rows = (end - start) / interval;
  constexpr double kMaxRows = 1e9;
  if (!(rows <= kMaxRows))
    throw UsageError("bad-option",
                     fmt::format("rows every {:.3g} s are {:.3g} rows, and a result holds {:.0e} "
                                 "at most",
                                 interval,
                                 rows,
                                 kMaxRows),
                     {},
                     "take a longer output_step");
}

void check_options(const DynamicOptions& o) {
  const auto bad = [](const char* what, double value, const char* want) {
    throw UsageError("bad-option", fmt::format("{} is {}; expected {}", what, value, want));
  };
  if (!std::isfinite(o.start) || !std::isfinite(o.end) || o.end < o.start)
    bad("end", o.end, "a time not before the start");
  if (!(o.step > 0.0) || !std::isfinite(o.step)) bad("step", o.step, "a time above 0");
  if (o.output_step < 0.0 || !std::isfinite(o.output_step))
    bad("output_step", o.output_step, "0 or more");
  if (!(o.rho >= 0.0 && o.rho <= 1.0)) bad("rho", o.rho, "0 to 1");
  if (!(o.relative_tolerance > 0.0))
    bad("relative_tolerance", o.relative_tolerance, "a number above 0");
  if (!(o.absolute_tolerance > 0.0))
    bad("absolute_tolerance", o.absolute_tolerance, "a number above 0");
  if (!(o.newton_tolerance > 0.0)) bad("newton_tolerance", o.newton_tolerance, "a number above 0");
  if (o.max_order < 1 || o.max_order > 5) bad("max_order", o.max_order, "1 to 5");
  if (!(o.max_step >= 0.0) || !std::isfinite(o.max_step))
    bad("max_step", o.max_step, "a time above 0, or 0 for none");
  if (!(o.min_step > 0.0) || !(o.min_step <= o.step))
    bad("min_step", o.min_step, "a time above 0 and not above the step");
  if (!(o.baumgarte >= 0.0) || !std::isfinite(o.baumgarte))
    bad("baumgarte", o.baumgarte, "0 or more");
  if (o.max_newton < 1) bad("max_newton", o.max_newton, "1 or more");
  check_rows(o.start, o.end, o.output_step > 0.0 ? o.output_step : o.step);
}

DynamicOptions bounded_options(const Engine& engine, const DynamicOptions& options) {
  if (engine.is_quasi_static && options.integrator != Integrator::generalised_alpha)
    throw ModelError("no-mass",
                     fmt::format("springs alone place a body without mass: {} needs its mass",
                                 name_of(options.integrator)),
                     {},
                     "use generalised-alpha, which balances it at every step, or give it a mass");
  DynamicOptions bounded = options;
  const bool can_break = std::any_of(
      engine.model.forces.begin(), engine.model.forces.end(), [](const ForceModel& force) {
        return force.base().event >= 0;
      });
  if (can_break || engine.model.network.has_events)  // events are detected at the end of steps
    bounded.max_step =
        options.max_step > 0.0 ? std::min(options.max_step, options.step) : options.step;
  return bounded;
}

State completed(const Model& model, const State& state) {
  if (state.position.size() != model.nq || state.velocity.size() != model.nv)
    throw ModelError(
        "state-size",
        fmt::format(
            "the state holds {} velocities, the system has {}", state.velocity.size(), model.nv));
  State at = state;
  if (at.joint_angles.size() != model.angle_count) at.joint_angles.setZero(model.angle_count);
  if (at.events.size() != model.event_count) at.events = model.initial.events;
  if (at.acceleration.size() != model.nv) at.acceleration.setZero(model.nv);
  if (at.force_states.size() != model.state_count) at.force_states = model.initial.force_states;
  if (at.multipliers.size() != model.nl) at.multipliers.setZero(model.nl);
  return at;
}

State resumed_state(Engine& engine, const State& given) {
  State state = checked_restart(engine.model, given);
  engine.ws.set_memory(state);
  engine.guests.resume(state);
  engine.find_quasi_static(state);
  return state;
}

namespace {

/// Whether a guest has not started yet, as after statics.
bool waits_for_guests(const Model& model, const State& state) {
  const BlockNetwork& net = model.network;
  return std::any_of(net.guests.begin(), net.guests.end(), [&](int k) {
    return state.events(net.blocks[static_cast<std::size_t>(k)].event0) == kNotBegun;
  });
}

/// The first state, before blocks take the samples that are due at its time.
State unsampled_state(Engine& engine,
                      const System& system,
                      const DynamicOptions& options,
                      AssemblyReport& report,
                      Diagnostics& diagnostics) {
  if (options.restart) {
    State state = resumed_state(engine, *options.restart);
    if (options.restart_velocity != RestartVelocity::of_state)
      set_in_motion(engine, system, options.restart_velocity, state, report, diagnostics);
    return state;
  }
  if (options.assemble) return assemble(engine, system, options.start, report, diagnostics);
  if (!engine.model.starts.empty())
    throw ModelError("start-not-assembled",
                     "initial values of joints need the assembly, which is switched off",
                     {},
                     "give places and velocities of bodies instead, or assemble");
  State state = engine.model.initial;
  state.time = options.start;
  engine.set_position(state.time, state.position);
  engine.set_velocity(state.velocity);
  engine.update_angles(state);
  engine.find_quasi_static(state);
  if (!engine.accelerations(state.acceleration, state.multipliers)) engine.throw_failure();
  return state;
}

}  // namespace

State first_state(Engine& engine,
                  const System& system,
                  const DynamicOptions& options,
                  AssemblyReport& report,
                  Diagnostics& diagnostics) {
  State state = unsampled_state(engine, system, options, report, diagnostics);
  if (!engine.model.network.has_samples) return state;
  if (options.restart && !waits_for_guests(engine.model, state)) return state;
  engine.set_position(state.time, state.position);
  engine.set_velocity(state.velocity);
  const bool any = engine.take_samples(state);
  if (!engine.guests.failure().empty()) engine.throw_failure();
  if (any && !engine.accelerations(state.acceleration, state.multipliers)) engine.throw_failure();
  return state;
}

std::unique_ptr<TimeIntegrator> make_integrator(Engine& engine, const DynamicOptions& options) {
  switch (options.integrator) {
    case Integrator::generalised_alpha:
      return make_generalised_alpha(engine, options);
    case Integrator::runge_kutta:
      return make_runge_kutta(engine, options);
    case Integrator::bdf:
      return make_bdf(engine, options);
  }
  return nullptr;
}

}  // namespace femflex::mbd_solver
