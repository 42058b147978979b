// Implements instances of FMUs: by Stepping for a system, by the matrices A, B, C, D for a linear
// model.
#include "fmu/instance.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "femflex/diagnostics.h"
#include "femflex/errors.h"
#include "femflex/mbd_solver/statics.h"
#include "femflex/progress.h"

namespace femflex::fmu {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using mbd_solver::InputPath;
using Role = Variable::Role;

// The times of importer and instance may differ by round-off: by this share of a step, or by this
// share of the time.
constexpr double kSameTimeOfStep = 1e-6;
constexpr double kSameTime = 1e-9;

bool is_input(const Variable& variable) {
  return variable.role == Role::input || variable.role == Role::parameter;
}

/// Whether its value is one of the inputs of the model.
bool is_given(const Variable& variable) {
  return is_input(variable) || variable.role == Role::constant;
}

/// A sink that discards the rows of a static analysis.
class NoRowsOfStatics final : public mbd_solver::ResultSink {
 public:
  void begin(std::span<const mbd_solver::Channel> /*channels*/) override {}
  void append(double /*t*/, std::span<const double> /*values*/) override {}
};

Index number(const Variable& variable) {
  return static_cast<Index>(variable.index);
}

}  // namespace

Instance::Instance(FmuModel model) : model_(std::move(model)) {
  reset();
}

void Instance::reset() {
  Index inputs = 0, states = 0;
  for (const Variable& each : model_.variables) {
    inputs += is_given(each) ? 1 : 0;
    states += each.role == Role::state ? 1 : 0;
  }
  inputs_.setZero(inputs);
  rates_.setZero(inputs);
  states_.setZero(states);
  for (const Variable& each : model_.variables) {
    if (is_given(each)) inputs_(number(each)) = each.start;
    if (each.role == Role::state) states_(number(each)) = each.start;
  }
  phase_ = Phase::instantiated;
  time_ = start_ = model_.start;
  stop_ = std::numeric_limits<double>::infinity();
  run_.reset();
  failure_.clear();
  is_in_events_ = is_at_event_ = false;
}

void Instance::need(bool allowed, const char* what) const {
  constexpr const char* kNames[] = {
      "instantiated", "in initialisation", "running", "terminated", "failed"};
  if (!allowed)
    throw UsageError("fmu-phase",
                     fmt::format("{} is not allowed while the instance is {}",
                                 what,
                                 kNames[static_cast<std::size_t>(phase_)]));
}

const Variable& Instance::variable(Reference reference) const {
  if (reference >= model_.variables.size())
    throw UsageError("fmu-reference",
                     fmt::format("there is no variable with value reference {}; the last one is {}",
                                 reference,
                                 model_.variables.size() - 1));
  return model_.variables[reference];
}

// --- life

void Instance::set_experiment(double start, std::optional<double> stop) {
  need(phase_ == Phase::instantiated, "setting up the experiment");
  if (!std::isfinite(start))
    throw UsageError("fmu-time", fmt::format("a start time of {} s", start));
  if (stop && !(*stop >= start))
    throw UsageError("fmu-time",
                     fmt::format("a stop time of {} s, the start is {} s", *stop, start));
  time_ = start_ = start;
  stop_ = stop.value_or(std::numeric_limits<double>::infinity());
}

void Instance::enter_initialisation() {
  need(phase_ == Phase::instantiated, "entering initialisation");
  phase_ = Phase::initialising;
}

void Instance::exit_initialisation() {
  need(phase_ == Phase::initialising, "leaving initialisation");
  if (!model_.is_linear) run();
  phase_ = Phase::running;
  is_in_events_ = uses_events_;
}

void Instance::terminate() {
  need(phase_ == Phase::running, "terminating");
  phase_ = Phase::terminated;
}

mbd_solver::Stepping& Instance::run() {
  if (!run_) make_run(std::nullopt);
  return *run_;
}

void Instance::make_run(const std::optional<mbd_solver::State>& state) {
  for (std::size_t k = 0; k < model_.system.inputs.size(); ++k)
    model_.system.inputs[k].value = inputs_(static_cast<Index>(k));
  mbd_solver::DynamicOptions options = model_.options;
  options.start = start_;
  options.restart = state;
  Diagnostics notes;
  if (!state && model_.statics) {
    mbd_solver::StaticOptions statics = *model_.statics;
    statics.time += start_ - model_.start;
    NoRowsOfStatics none;
    Progress progress;
    const mbd_solver::StaticSummary found =
        mbd_solver::solve_statics(model_.system, statics, none, notes, progress);
    if (!found.converged)
      throw NumericalError(
          "no-equilibrium",
          fmt::format("statics: {} after {} iterations", found.reason, found.iterations));
    options.restart = found.state;
    options.restart->time = start_;
    options.restart_velocity = mbd_solver::RestartVelocity::of_system;
  }
  const double span = model_.stop - model_.start;
  run_ = std::make_unique<mbd_solver::Stepping>(
      model_.system, options, notes, span > 0.0 ? span : mbd_solver::Stepping::kForever);
}

// --- variables

VectorXd Instance::outputs() const {
  const LinearModel& m = model_.linear;
  return m.y0 + m.C * states_ + m.D * (inputs_ - m.u0);
}

VectorXd Instance::derivatives() const {
  const LinearModel& m = model_.linear;
  return m.rates0 + m.A * states_ + m.B * (inputs_ - m.u0);
}

VectorXd Instance::nominals() const {
  VectorXd out = VectorXd::Ones(states_.size());
  for (const Variable& each : model_.variables)
    if (each.role == Role::state) out(number(each)) = each.nominal;
  return out;
}

double Instance::value(const Variable& variable) {
  switch (variable.role) {
    case Role::time:
      return time_;
    case Role::input:
    case Role::parameter:
    case Role::constant:
      return inputs_(number(variable));
    case Role::state:
      return states_(number(variable));
    case Role::derivative: {
      const LinearModel& m = model_.linear;
      return m.rates0(number(variable)) + m.A.row(number(variable)).dot(states_) +
             m.B.row(number(variable)).dot(inputs_ - m.u0);
    }
    case Role::output:
      break;
  }
  if (model_.is_linear) {
    const LinearModel& m = model_.linear;
    return m.y0(number(variable)) + m.C.row(number(variable)).dot(states_) +
           m.D.row(number(variable)).dot(inputs_ - m.u0);
  }
  return run().row()[variable.index];
}

void Instance::get(std::span<const Reference> references, std::span<double> values) {
  for (const Reference reference : references) {
    const Variable& each = variable(reference);
    need(is_given(each) || each.role == Role::time || phase_ != Phase::instantiated,
         "reading what is computed");
    need(phase_ != Phase::failed, "reading a variable");
  }
  for (std::size_t k = 0; k < references.size(); ++k)
    values[k] = value(variable(references[k]));
}

void Instance::set(std::span<const Reference> references, std::span<const double> values) {
  const bool is_open = phase_ == Phase::instantiated || phase_ == Phase::initialising;
  need(is_open || phase_ == Phase::running, "setting a variable");
  for (std::size_t k = 0; k < references.size(); ++k) {
    const Variable& each = variable(references[k]);
    if (each.role == Role::constant)
      throw UsageError(
          "fmu-set",
          fmt::format("'{}' cannot be set: it is {} in this linear model", each.name, each.start),
          {},
          "export the system again with another value, or for co-simulation");
    if (!is_input(each) && (each.role != Role::state || !is_open))
      throw UsageError("fmu-set", fmt::format("'{}' cannot be set", each.name));
    if (!std::isfinite(values[k]))
      throw UsageError("fmu-value", fmt::format("'{}' cannot be set to {}", each.name, values[k]));
    if ((each.min && values[k] < *each.min) || (each.max && values[k] > *each.max))
      throw UsageError("fmu-value",
                       fmt::format("'{}' cannot be set to {}: it is at {} {}",
                                   each.name,
                                   values[k],
                                   each.min && values[k] < *each.min ? "least" : "most",
                                   each.min && values[k] < *each.min ? *each.min : *each.max));
  }
  for (std::size_t k = 0; k < references.size(); ++k) {
    const Variable& each = variable(references[k]);
    (each.role == Role::state ? states_ : inputs_)(number(each)) = values[k];
  }
  if (is_open) run_.reset();  // the initial state depends on the values
}

void Instance::set_rates(std::span<const Reference> references, std::span<const double> values) {
  need(phase_ == Phase::running && !model_.is_linear, "setting a rate");
  for (std::size_t k = 0; k < references.size(); ++k) {
    const Variable& each = variable(references[k]);
    if (each.role != Role::input || !std::isfinite(values[k]))
      throw UsageError("fmu-value",
                       fmt::format("the rate of '{}' cannot be set to {}", each.name, values[k]));
  }
  for (std::size_t k = 0; k < references.size(); ++k)
    rates_(number(variable(references[k]))) = values[k];
}

double Instance::entry(const Variable& unknown, const Variable& known, const MatrixXd& J) const {
  const Index row = number(unknown), column = number(known);
  const bool of_output = unknown.role == Role::output, by_state = known.role == Role::state;
  if ((!of_output && unknown.role != Role::derivative) || (!by_state && !is_input(known)))
    throw UsageError(
        "fmu-derivative",
        fmt::format("there is no derivative of '{}' by '{}'", unknown.name, known.name));
  if (!model_.is_linear) return J(row, column);
  const LinearModel& m = model_.linear;
  if (of_output) return by_state ? m.C(row, column) : m.D(row, column);
  return by_state ? m.A(row, column) : m.B(row, column);
}

void Instance::derivative(std::span<const Reference> unknowns,
                          std::span<const Reference> knowns,
                          std::span<const double> seed,
                          std::span<double> sensitivity,
                          bool is_adjoint) {
  need(phase_ == Phase::initialising || phase_ == Phase::running, "a derivative");
  for (const double each : seed)
    if (!std::isfinite(each)) throw UsageError("fmu-value", fmt::format("a seed of {}", each));
  MatrixXd J;
  if (!model_.is_linear) J = run().input_derivatives(held_inputs());
  std::fill(sensitivity.begin(), sensitivity.end(), 0.0);
  for (std::size_t r = 0; r < unknowns.size(); ++r)
    for (std::size_t c = 0; c < knowns.size(); ++c) {
      const double slope = entry(variable(unknowns[r]), variable(knowns[c]), J);
      if (is_adjoint)
        sensitivity[c] += slope * seed[r];
      else
        sensitivity[r] += slope * seed[c];
    }
}

// --- co-simulation

std::vector<InputPath> Instance::held_inputs() const {
  std::vector<InputPath> out;
  for (Index k = 0; k < inputs_.size(); ++k)
    out.push_back({time_, {inputs_(k), 0.0, 0.0, 0.0}});
  return out;
}

// An input is constant over the step, or changes with the rate that was set. An input that a motion
// follows must not jump; it changes as a cubic from its present value and rate to the value at the
// end of the step.
std::vector<InputPath> Instance::paths(double length) const {
  std::vector<InputPath> out = run_->inputs();
  for (std::size_t k = 0; k < out.size(); ++k) {
    const auto index = static_cast<Index>(k);
    const double value = inputs_(index), rate = rates_(index);
    if (run_->is_followed_by_motion(k)) {
      const std::array<double, 3> now = out[k].at(time_);
      const double end = value + rate * length;
      const double way = end - now[0];
      const double end_rate = rate != 0.0 ? rate : way / length;
      // the cubic with the given values and rates at its ends
      out[k] = {time_,
                {now[0],
                 now[1],
                 (3.0 * way / length - 2.0 * now[1] - end_rate) / length,
                 (now[1] + end_rate - 2.0 * way / length) / (length * length)}};
    } else if (rate != 0.0) {
      out[k] = {time_, {value, rate, 0.0, 0.0}};
    } else if (out[k].c != std::array<double, 4>{value, 0.0, 0.0, 0.0}) {
      out[k] = {time_, {value, 0.0, 0.0, 0.0}};
    }
  }
  return out;
}

void Instance::use_events(bool may_return_early) {
  uses_events_ = true;
  returns_early_ = may_return_early;
}

void Instance::need_events() const {
  need(phase_ == Phase::running, "event mode");
  if (!is_in_events_) throw UsageError("fmu-phase", "the instance is not in event mode");
}

void Instance::enter_events() {
  need(phase_ == Phase::running && !model_.is_linear, "entering event mode");
  if (!uses_events_)
    throw UsageError("fmu-phase", "the instance was made without event mode (eventModeUsed)");
  is_in_events_ = true;
}

void Instance::leave_events() {
  need_events();
  is_in_events_ = is_at_event_ = false;
}

double Instance::next_event() {
  return run().next_switch();
}

void Instance::look_inside(std::function<bool(double)> wants_return) {
  wants_return_ = std::move(wants_return);
}

double Instance::end_of_piece(double end) const {
  double out = end;
  if (uses_events_ && returns_early_) out = std::min(out, run_->next_switch());
  if (wants_return_) out = std::min(out, time_ + model_.options.step);
  return out;
}

bool Instance::step(double from, double length) {
  need(phase_ == Phase::running && !model_.is_linear, "a step");
  if (is_in_events_)
    throw UsageError("fmu-phase", "the instance is in event mode; enter step mode before a step");
  if (!std::isfinite(from) || !(length > 0.0) || !std::isfinite(length))
    throw UsageError(
        "fmu-step",
        fmt::format("a step of {} s from t = {} s; expected a length above 0", length, from));
  const double slack = kSameTimeOfStep * length + kSameTime * std::abs(from);
  if (std::abs(from - time_) > slack)
    throw UsageError(
        "fmu-step",
        fmt::format("the step begins at t = {} s, the instance is at {} s", from, time_));
  const double end = from + length;
  if (end > stop_ + slack)
    throw UsageError(
        "fmu-step",
        fmt::format("the step ends at t = {} s, after the stop time of {} s", end, stop_));
  if (!(end > time_))
    throw UsageError("fmu-step",
                     fmt::format("a step of {} s is lost in the time {} s", length, from));
  run_->set_inputs(paths(length));
  // other integrators have memory that a snapshot does not contain
  if (model_.options.integrator != mbd_solver::Integrator::generalised_alpha) run_->forget_steps();
  rates_.setZero();
  is_at_event_ = false;
  while (time_ < end && !is_at_event_) {
    const double next = end_of_piece(end);
    const bool is_switch = uses_events_ && run_->next_switch() <= next;
    if (!run_->advance(next)) {
      failure_ = run_->failure();
      time_ = run_->time();
      return false;
    }
    time_ = next;
    is_at_event_ = is_switch;
    if (time_ < end && !is_at_event_ && wants_return_ && wants_return_(time_)) break;
  }
  return true;
}

// --- model exchange

void Instance::set_time(double time) {
  need(model_.is_linear && phase_ == Phase::running, "setting the time");
  if (!std::isfinite(time)) throw UsageError("fmu-time", fmt::format("a time of {} s", time));
  time_ = time;
}

void Instance::set_states(std::span<const double> states) {
  need(model_.is_linear && phase_ == Phase::running, "setting the states");
  if (static_cast<Index>(states.size()) != states_.size())
    throw UsageError(
        "fmu-states",
        fmt::format("{} states are given, there are {}", states.size(), states_.size()));
  for (const double each : states)
    if (!std::isfinite(each)) throw UsageError("fmu-value", fmt::format("a state of {}", each));
  states_ = Eigen::Map<const VectorXd>(states.data(), states_.size());
}

// --- complete state

Snapshot Instance::snapshot() {
  need(phase_ != Phase::failed, "saving the state");
  Snapshot out{.time = time_, .start = start_, .stop = stop_};
  out.inputs = inputs_;
  out.rates = rates_;
  out.states = states_;
  if (run_) {
    out.state = run_->state();
    out.paths = run_->inputs();
  }
  out.phase = static_cast<std::uint8_t>(phase_);
  out.is_in_events = is_in_events_;
  return out;
}

void Instance::restore(const Snapshot& given) {
  const bool fits = given.inputs.size() == inputs_.size() && given.rates.size() == inputs_.size() &&
                    given.states.size() == states_.size() &&
                    given.phase < static_cast<std::uint8_t>(Phase::failed) &&
                    (!given.state || given.paths.size() == model_.system.inputs.size());
  if (!fits) throw UsageError("fmu-state", "the state is not one of this model");
  inputs_ = given.inputs;
  rates_ = given.rates;
  states_ = given.states;
  const bool is_same_run = run_ && start_ == given.start;
  time_ = given.time;
  start_ = given.start;
  stop_ = given.stop;
  phase_ = static_cast<Phase>(given.phase);
  is_in_events_ = given.is_in_events;
  is_at_event_ = false;
  failure_.clear();
  if (!given.state) {
    run_.reset();
    return;
  }
  if (!is_same_run) make_run(given.state);
  run_->restore(*given.state, given.paths);
}

}  // namespace femflex::fmu
