// Collects the switch times of all formulas, ends a step just before each, and restarts after it
// from positions and velocities projected onto the constraints.
#include "integrators/switches.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "spatial/blocks.h"

namespace femflex::mbd_solver {
namespace {

// margin before a switch, in units of round-off of its time, because formulas round it differently
constexpr double kSwitchMargin = 32.0;
// largest relative difference between two roundings of the same switch time
constexpr double kSameTime = 1e-13;
constexpr int kSwitchPasses = 5;  // maximum number of projection passes after a jump of a motion
constexpr double kSwitchClosed = 1e-14;  // |Phi| / system size below this is round-off

// a value jumps if its relative change within round-off of one time exceeds this
constexpr double kJump = 1e-9;
// relative distance before a switch at which the value is read; larger than the round-off of its
// time
constexpr double kJumpWidth = 1e-13;

/// Latest end of a step before the switch at this time.
double before(double time) {
  return time - kSwitchMargin * std::numeric_limits<double>::epsilon() * std::abs(time);
}

}  // namespace

bool SwitchSides::is_jump() const {
  return std::abs(after - before) > kJump * (1.0 + std::abs(after));
}

SwitchSides sides_of(const Value& value, double time) {
  // any numbers for which differences and products of variables are not 0
  constexpr double kFirst = 1.37, kNext = 0.37;
  std::vector<double> variables(value.variables().size());
  for (std::size_t k = 0; k < variables.size(); ++k)
    variables[k] = kFirst + kNext * static_cast<double>(k);
  SwitchSides sides;
  variables.front() =
      std::nextafter(time, -std::numeric_limits<double>::infinity()) - kJumpWidth * std::abs(time);
  sides.before = value.at(variables);
  variables.front() = time;
  sides.after = value.at(variables);
  return sides;
}

LoadSwitches load_switches_of(Integrator integrator, const Model& model) {
  // friction that sticks may change its mode at a kink
  const bool keeps_steps = integrator == Integrator::generalised_alpha && model.grip_count == 0;
  return keeps_steps ? LoadSwitches::jumps : LoadSwitches::all;
}

Switches::Switches(const Model& model, double start, double end, LoadSwitches loads)
    : end_(end), model_(model) {
  // a switch at the end of the run counts, so that the last row shows what follows it
  const double last = end + kSwitchMargin * std::numeric_limits<double>::epsilon() * std::abs(end);
  const auto add = [&](const Signal& signal) {
    if (signal.is_constant()) return;
    const std::vector<double> found = signal.function->switch_times(start, last);
    times_.insert(times_.end(), found.begin(), found.end());
  };
  const bool has_kinks = loads == LoadSwitches::all || !model.network.blocks.empty();
  const auto add_load = [&](const Signal& signal) {
    if (has_kinks) return add(signal);
    if (signal.is_constant()) return;
    for (const double time : signal.function->switch_times(start, last))
      if (sides_of(*signal.function, time).is_jump()) load_jumps_.push_back(time);
  };
  for (const MotionModel& motion : model.motions)
    add(motion.value);
  for (const InputModel& input : model.inputs)
    input.moves ? add(input.value) : add_load(input.value);
  for (const BlockModel& block : model.network.blocks)
    for (const Signal& input : block.inputs)
      add(input);
  for (const ForceModel& force : model.forces)
    force.for_each_signal(add_load);
  for (const Signal& part : model.gravity)
    add_load(part);
  times_.insert(times_.end(), load_jumps_.begin(), load_jumps_.end());
  std::sort(times_.begin(), times_.end());
  // of several roundings of the same switch time the last one is kept
  const auto same = [](double later, double earlier) {
    return later - earlier <= kSameTime * std::abs(later);
  };
  times_.erase(times_.begin(), std::unique(times_.rbegin(), times_.rend(), same).base());
}

double Switches::next_after(double time) const {
  const auto next = std::upper_bound(times_.begin(), times_.end(), time);
  const double switches = next == times_.end() ? std::numeric_limits<double>::infinity() : *next;
  return model_.network.has_samples ? std::min(switches, next_sample(model_, time)) : switches;
}

double Switches::first_stop(double time) const {
  const double next = next_after(time);
  return next > end_ ? end_ : before(next);
}

// Projects the state onto the constraints just after a switch and starts the integrator there.
// Kinetic energy added by the projection is the work of an impact.
bool Switches::restart(Engine& engine, TimeIntegrator& integrator, State& state, double time) {
  engine.set_position(state.time, state.position);
  engine.set_velocity(state.velocity);
  const double kinetic = energy(engine.model, engine.ws).kinetic;
  state.time = time;
  engine.take_samples(state);
  if (!engine.guests.failure().empty()) {
    reason_ = engine.guests.failure();
    return false;
  }
  // if a load jumps, accelerations jump; the stored ones are discarded
  const bool load_jumps = std::any_of(load_jumps_.begin(), load_jumps_.end(), [&](double jump) {
    return std::abs(time - jump) <= kSameTime * std::abs(time);
  });
  if (load_jumps || engine.ws.grips || !engine.model.network.blocks.empty())
    state.algorithmic_acceleration.resize(0);
  state.memory = {};  // it is from the last row or the start of a resumed run, not from this step
  if (engine.model.nl > 0)
    engine.project_position(time, state.position, kSwitchPasses, kSwitchClosed);
  engine.set_position(time, state.position);
  if (!engine.project_velocity(state.velocity) ||
      !engine.accelerations(state.acceleration, state.multipliers)) {
    reason_ = engine.failure();
    return false;
  }
  engine.set_velocity(state.velocity);
  const double impact_work = energy(engine.model, engine.ws).kinetic - kinetic;
  const double work = integrator.work() + impact_work;
  if (!repeat(engine, integrator, state)) return false;
  integrator.stop_at(first_stop(time));
  integrator.set_work(work);
  integrator.start(state);
  return true;
}

// A trial ends just before the next exchange and crosses the switches on its way.
bool Switches::repeat(Engine& engine, TimeIntegrator& integrator, State& state) {
  if (!engine.guests.repeats_from(state)) return true;
  const double next = next_sample(model_, state.time);
  if (next > end_) return true;  // the run ends before that
  const bool is_done = engine.guests.repeat(engine.ws, state, next, [&](State& copy) {
    integrator.stop_at(first_stop(copy.time));
    integrator.start(copy);
    if (!advance(engine, integrator, copy, before(next))) return false;
    engine.set_position(copy.time, copy.position);
    engine.set_velocity(copy.velocity);
    return true;
  });
  engine.ws.set_memory(state);
  engine.set_position(state.time, state.position);
  engine.set_velocity(state.velocity);
  if (is_done) return true;
  if (!engine.guests.failure().empty()) reason_ = engine.guests.failure();
  return false;
}

bool Switches::advance(Engine& engine, TimeIntegrator& integrator, State& state, double t) {
  while (true) {
    const double next = next_after(state.time);
    if (!(before(next) < t)) break;  // also if there is no next one, at infinity
    if (before(next) > state.time && !integrator.advance(state, before(next))) {
      reason_ = integrator.reason();
      return false;
    }
    if (!restart(engine, integrator, state, next)) return false;
    // a row at the switch but for round-off shows what follows it; the next call restarts again
    if (next > t) {
      state.time = t;
      return true;
    }
  }
  if (!(t > state.time)) return true;
  if (integrator.advance(state, t)) return true;
  reason_ = integrator.reason();
  return false;
}

}  // namespace femflex::mbd_solver
