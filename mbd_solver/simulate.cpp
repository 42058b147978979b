// simulate(): compiles a system, assembles it, runs a time integrator from output row to output
// row, and keeps the account of energy. Loads that switch are crossed by integrators/switches.h.
#include "femflex/mbd_solver/simulate.h"

#include <algorithm>
#include <cmath>
#include <ctime>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "integrators/engine.h"
#include "integrators/integrator.h"
#include "integrators/run_watch.h"
#include "integrators/switches.h"

namespace femflex::mbd_solver {
namespace {

// a number of rows is an integer if it is off by less than this
constexpr double kRowRoundOff = 1e-9;

double cpu_now() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

void check(const DynamicOptions& o) {
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
  const double rows = (o.end - o.start) / (o.output_step > 0.0 ? o.output_step : o.step);
  constexpr double kMaxRows = 1e9;
  if (rows > kMaxRows)
    throw UsageError("bad-option",
                     fmt::format("rows every {:.3g} s are {:.3g} rows, and a result holds {:.0e} "
                                 "at most",
                                 (o.end - o.start) / rows,
                                 rows,
                                 kMaxRows),
                     {},
                     "take a longer output_step");
}

/// Times of output rows. For a step with a short decimal form these are the doubles nearest to the
/// decimal times, so that a run that ends at one of them ends exactly on a row of a longer run.
class RowTimes {
 public:
  RowTimes(double start, double interval) : start_(start), interval_(interval) {
    constexpr int decimals = 15;
    double scale = 1.0;
    for (int k = 0; k <= decimals; ++k, scale *= 10.0) {
      const double digits = std::nearbyint(interval * scale);
      if (digits > 1e6 || digits / scale != interval) continue;
      digits_ = digits;
      scale_ = scale;
      return;
    }
  }
  double operator()(std::int64_t row) const {
    const auto k = static_cast<double>(row);
    // interval = digits / scale, so that the product is rounded only once
    return start_ + (digits_ > 0.0 ? k * digits_ / scale_ : k * interval_);
  }

 private:
  double start_, interval_, digits_ = 0.0, scale_ = 1.0;
};

/// Sends rows to the sink and keeps the energy account.
class Recorder {
 public:
  Recorder(Engine& engine, ResultSink& sink, SimulationSummary& summary, RunWatch& watch)
      : engine_(engine),
        sink_(sink),
        summary_(summary),
        watch_(watch),
        row_(engine.model.outputs.probes.size()) {
    sink.begin(engine.model.outputs.channels);
  }
  void record(State& state, const TimeIntegrator& integrator) {
    const double work = integrator.work();
    engine_.set_all(state);
    engine_.ws.work = work;
    for (std::size_t k = 0; k < row_.size(); ++k)
      row_[k] = read(engine_.model, engine_.ws, engine_.model.outputs.probes[k]);
    sink_.append(state.time, row_);
    if (sink_.keeps_states()) {
      integrator.store(state);
      state.work = work;
      sink_.keep(state);
    }
    summary_.constraint_violation = std::max(summary_.constraint_violation, engine_.largest_phi());
    watch_.check(engine_);
    const Energy e = energy(engine_.model, engine_.ws);
    largest_part_ = std::max(
        {largest_part_, e.kinetic, std::abs(e.gravity), e.strain + e.stored, std::abs(work)});
    if (first_) {
      first_ = false;
      start_ = e.total() - work;
      gravity_ = e.gravity;
    }
    largest_ = std::max({largest_, e.kinetic, e.strain + e.stored, std::abs(e.gravity - gravity_)});
    drift_ = std::max(drift_, std::abs(e.total() - work - start_));
    summary_.energy_drift = largest_ > 0.0 ? drift_ / largest_ : 0.0;
  }
  void end() const { watch_.end(summary_, drift_, largest_part_); }

 private:
  Engine& engine_;
  ResultSink& sink_;
  SimulationSummary& summary_;
  RunWatch& watch_;
  std::vector<double> row_;
  bool first_ = true;
  double start_ = 0.0, gravity_ = 0.0, largest_ = 0.0, drift_ = 0.0;
  // largest part of the energy, gravity's from its own origin: the scale of round-off
  double largest_part_ = 0.0;
};

/// @throws ModelError  the state belongs to another system, or it has springs that break and was
/// written before version 0.3, which kept them among the joint angles
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
  return state;
}

/// The state that a run begins with.
State first_state(Engine& engine,
                  const System& system,
                  const DynamicOptions& options,
                  AssemblyReport& report,
                  Diagnostics& diagnostics) {
  if (options.restart) {
    State state = checked_restart(engine.model, *options.restart);
    engine.ws.set_memory(state);
    engine.find_quasi_static(state);
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

}  // namespace

SimulationSummary simulate(const System& system,
                           const DynamicOptions& options,
                           ResultSink& sink,
                           Diagnostics& diagnostics,
                           Progress& progress) {
  check(options);
  const double cpu = cpu_now();
  const Model model = compile(system, diagnostics);
  Engine engine(model);
  SimulationSummary summary;
  State state = first_state(engine, system, options, summary.assembly, diagnostics);
  if (engine.is_quasi_static && options.integrator != Integrator::generalised_alpha)
    throw ModelError("no-mass",
                     fmt::format("springs alone place a body without mass: {} needs its mass",
                                 name_of(options.integrator)),
                     {},
                     "use generalised-alpha, which balances it at every step, or give it a mass");
  DynamicOptions bounded = options;
  if (model.event_count > 0)  // events are detected at the end of steps
    bounded.max_step =
        options.max_step > 0.0 ? std::min(options.max_step, options.step) : options.step;
  const std::unique_ptr<TimeIntegrator> integrator = make_integrator(engine, bounded);
  RunWatch watch(model, options, diagnostics);
  Recorder recorder(engine, sink, summary, watch);
  // generalised-alpha keeps equal steps across load switches
  Switches switches(
      model, options.start, options.end, options.integrator != Integrator::generalised_alpha);
  integrator->stop_at(switches.first_stop(state.time));
  integrator->set_work(state.work);
  integrator->set_progress(progress);
  integrator->start(state);
  recorder.record(state, *integrator);
  progress.begin("simulating", options.end - options.start, "s");
  const double interval = options.output_step > 0.0 ? options.output_step : options.step;
  const RowTimes row_times(options.start, interval);
  const auto rows =
      static_cast<std::int64_t>(std::ceil((options.end - options.start) / interval - kRowRoundOff));
  auto row = static_cast<std::int64_t>(
                 std::floor((state.time - options.start) / interval + kRowRoundOff)) +
             1;
  for (; row <= rows; ++row) {
    const double t = row == rows ? options.end : row_times(row);
    const bool reached = switches.advance(engine, *integrator, state, t);
    summary.end_time = state.time;
    if (!reached) {
      summary.status = RunStatus::step_failed;
      summary.reason = switches.reason();
      if (!watch.suspicion().empty()) summary.reason += "; " + watch.suspicion();
      break;
    }
    recorder.record(state, *integrator);
    progress.step(state.time - options.start);
  }
  progress.end();
  recorder.end();
  integrator->store(state);
  state.work = integrator->work();
  summary.end_time = state.time;
  summary.steps = integrator->steps();
  summary.rejected_steps = integrator->rejected();
  summary.iterations = integrator->iterations();
  summary.factorisations = engine.kkt.factorisations();
  summary.cpu_seconds = cpu_now() - cpu;
  summary.real_time_factor =
      summary.cpu_seconds > 0.0 ? (state.time - options.start) / summary.cpu_seconds : 0.0;
  summary.final_state = std::move(state);
  return summary;
}

State assemble(const System& system, AssemblyReport& report, Diagnostics& diagnostics) {
  const Model model = compile(system, diagnostics);
  Engine engine(model);
  return assemble(engine, system, 0.0, report, diagnostics);
}

std::vector<Channel> channels_of(const System& system) {
  Diagnostics diagnostics;
  return compile(system, diagnostics).outputs.channels;
}

}  // namespace femflex::mbd_solver
