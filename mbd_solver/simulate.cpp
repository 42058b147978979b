// simulate(): compiles a system, assembles it, runs a time integrator from output row to output
// row, and records the energy balance. integrators/switches.h handles jumps of loads in time.
#include "femflex/mbd_solver/simulate.h"

#include <algorithm>
#include <cmath>
#include <ctime>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "integrators/assembly.h"
#include "integrators/engine.h"
#include "integrators/followed_run.h"
#include "integrators/integrator.h"
#include "integrators/left_out.h"
#include "integrators/row_times.h"
#include "integrators/run_start.h"
#include "integrators/run_watch.h"
#include "integrators/switches.h"

namespace femflex::mbd_solver {
namespace {

double cpu_now() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

/// Work of the largest load along the size of the system [J].
double supporting_work(const Model& model, const Workspace& ws) {
  double largest = 0.0;
  for (const PairLoad& load : ws.loads)
    largest = std::max({largest, load.force_b.norm() * model.local_length, load.torque_b.norm()});
  for (const BodyModel& body : model.bodies)
    largest = std::max(largest, body.mass * ws.gravity.norm() * model.local_length);
  return largest;
}

/// Sends rows to the sink and keeps the energy account.
class Recorder {
 public:
  struct Watches {
    RunWatch& run;
    LeftOutWatch& left_out;
  };
  Recorder(Engine& engine,
           ResultSink& sink,
           SimulationSummary& summary,
           Watches watches,
           Diagnostics& diagnostics)
      : engine_(engine),
        sink_(sink),
        summary_(summary),
        watches_(watches),
        diagnostics_(diagnostics),
        row_(engine.model.outputs.probes.size()) {
    sink.begin(engine.model.outputs.channels);
  }
  void record(State& state, const TimeIntegrator& integrator) {
    const double work = integrator.work();
    engine_.set_all(state);
    engine_.ws.work = work;
    watches_.left_out.row(engine_, state);
    read_row(engine_.model, engine_.ws, row_);
    sink_.append(state.time, row_);
    if (sink_.keeps_states()) {
      integrator.store(state);
      engine_.guests.store(state);
      state.work = work;
      sink_.keep(state);
    }
    summary_.constraint_violation = std::max(summary_.constraint_violation, engine_.largest_phi());
    watches_.run.check(engine_);
    const Energy e = energy(engine_.model, engine_.ws);
    largest_part_ = std::max(
        {largest_part_, e.kinetic, std::abs(e.gravity), e.strain + e.stored, std::abs(work)});
    if (first_) {
      first_ = false;
      start_ = e.total() - work;
      gravity_ = e.gravity;
    }
    // Share of the supporting work that counts as rest. What loads that balance each other do
    // along motions this small is within the tolerances of statics and of the steps.
    constexpr double kAtRest = 1e-7;
    largest_ = std::max({largest_,
                         e.kinetic,
                         e.strain + e.stored,
                         std::abs(e.gravity - gravity_),
                         kAtRest * supporting_work(engine_.model, engine_.ws)});
    drift_ = std::max(drift_, std::abs(e.total() - work - start_));
    summary_.energy_drift = largest_ > 0.0 ? drift_ / largest_ : 0.0;
  }
  void end() const {
    watches_.run.end(summary_, drift_, largest_part_);
    summary_.left_out = watches_.left_out.summary();
    if (const std::string note = watches_.left_out.note(summary_.left_out); !note.empty())
      diagnostics_.warn("left-out-lost", note);
  }

 private:
  Engine& engine_;
  ResultSink& sink_;
  SimulationSummary& summary_;
  Watches watches_;
  Diagnostics& diagnostics_;
  std::vector<double> row_;
  bool first_ = true;
  double start_ = 0.0, gravity_ = 0.0, largest_ = 0.0, drift_ = 0.0;
  // largest energy term, with gravity relative to the origin of W: the scale of round-off
  double largest_part_ = 0.0;
};

}  // namespace

SimulationSummary simulate(const System& system,
                           const DynamicOptions& options,
                           ResultSink& sink,
                           Diagnostics& diagnostics,
                           Progress& progress) {
  return simulate_followed(system, options, sink, nullptr, diagnostics, progress);
}

SimulationSummary simulate_followed(const System& system,
                                    const DynamicOptions& options,
                                    ResultSink& sink,
                                    StepFollower* follower,
                                    Diagnostics& diagnostics,
                                    Progress& progress) {
  check_options(options);
  const double cpu = cpu_now();
  const Model model = compile(system, diagnostics);
  Engine engine(model);
  SimulationSummary summary;
  State state = first_state(engine, system, options, summary.assembly, diagnostics);
  const DynamicOptions bounded = bounded_options(engine, options);
  const std::unique_ptr<TimeIntegrator> integrator = make_integrator(engine, bounded);
  if (follower != nullptr && !integrator->follow_steps(*follower))
    throw UsageError("integrator",
                     fmt::format("the steps of {} have no derivatives by parameters",
                                 name_of(options.integrator)),
                     {},
                     "use generalised-alpha or runge-kutta");
  RunWatch watch(model, options, diagnostics);
  LeftOutWatch left_out(system, model, options);
  Recorder recorder(engine, sink, summary, {watch, left_out}, diagnostics);
  Switches switches(model, options.start, options.end, load_switches_of(options.integrator, model));
  if (left_out.is_needed()) integrator->keep_steps(left_out.steps());
  integrator->set_progress(progress);
  const bool goes_on = options.restart && !options.restart->guests.empty();
  if (!goes_on && !switches.repeat(engine, *integrator, state))
    throw NumericalError("guest-failed", switches.reason());
  integrator->stop_at(switches.first_stop(state.time));
  integrator->set_work(state.work);
  integrator->start(state);
  // Ends the run at a row whose loads make no sense.
  const auto is_refused = [&] {
    summary.reason = negative_friction(model, engine.ws);
    if (summary.reason.empty()) return false;
    summary.status = RunStatus::step_failed;
    summary.remedy = kFrictionRemedy;
    return true;
  };
  recorder.record(state, *integrator);
  bool is_over = is_refused();
  progress.begin("simulating", options.end - options.start, "s");
  const double interval = options.output_step > 0.0 ? options.output_step : options.step;
  const RowTimes times(options.start, options.end, interval);
  for (std::int64_t row = times.after(state.time); row <= times.count() && !is_over; ++row) {
    const double t = times(row);
    const bool reached = switches.advance(engine, *integrator, state, t);
    summary.end_time = state.time;
    if (!reached) {
      summary.status = RunStatus::step_failed;
      summary.reason = switches.reason();
      if (!watch.suspicion().empty()) summary.reason += "; " + watch.suspicion();
      if (const std::string lost = vanished_friction(model, engine.ws); !lost.empty()) {
        summary.reason = lost;
        summary.remedy = "keep the level above 0, for example by max(.., 1)";
      }
      break;
    }
    recorder.record(state, *integrator);
    is_over = is_refused();
    progress.step(state.time - options.start);
  }
  progress.end();
  recorder.end();
  if (!integrator->note().empty()) diagnostics.warn("friction-chatter", integrator->note());
  integrator->store(state);
  engine.guests.store(state);
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
