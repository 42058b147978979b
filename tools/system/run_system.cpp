// Runs the analyses of a system one after another, each from the final state of the previous one,
// into one result file or into memory.
#include "system/run_system.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "femflex/errors.h"
#include "femflex/io/sha256.h"

#include "body/inputs.h"
#include "document/table.h"
#include "results/outputs.h"
#include "results/results_file.h"
#include "results/stored_states.h"
#include "system/dads_system.h"
#include "system/loaded_system.h"
#include "system/rigid_content.h"
#include "system/scene.h"

namespace femflex::tools {
namespace {

class NoRows : public mbd_solver::ResultSink {
 public:
  void begin(std::span<const mbd_solver::Channel> /*channels*/) override {}
  void append(double /*t*/, std::span<const double> /*values*/) override {}
};

// Joins several analyses to one series. Channels are announced once. The first row of a dynamic
// analysis is skipped, because the previous analysis ended with the same row.
class OneSeries : public mbd_solver::ResultSink {
 public:
  OneSeries(mbd_solver::ResultSink& sink, mbd_solver::ResultSink& kept)
      : sink_(sink), kept_(kept) {}
  void begin(std::span<const mbd_solver::Channel> channels) override {
    if (!begun_) sink_.begin(channels);
    begun_ = true;
  }
  void append(double t, std::span<const double> values) override {
    skipped_ = skips_;
    skips_ = false;
    if (!skipped_) sink_.append(t, values);
  }
  bool keeps_states() const override { return keeps_; }
  void keep(const mbd_solver::State& state) override {
    if (!skipped_) kept_.keep(state);
  }
  void go_on() { skips_ = true; }
  void keep_states(bool keeps) { keeps_ = keeps; }

 private:
  mbd_solver::ResultSink& sink_;
  mbd_solver::ResultSink& kept_;
  bool begun_ = false, skips_ = false, skipped_ = false, keeps_ = false;
};

std::string sources_text(const std::vector<Provenance::Source>& sources) {
  Json out = Json::list();
  for (const Provenance::Source& source : sources) {
    Json item = Json::object();
    item["file"] = source.file;
    item["sha256"] = source.sha256;
    out.push_back(std::move(item));
  }
  return out.dump_line();
}

// The body files as JSON text: { "chassis": { "file", "sha256" } }. Paths are relative to the
// folder of the result, or absolute for a result in memory.
std::string flex_text(const SystemDocument& document, const std::filesystem::path& output) {
  Json out = Json::object();
  for (const auto& [body, path] : document.flex_files) {
    Json item = Json::object();
    const std::filesystem::path place = std::filesystem::absolute(path).lexically_normal();
    item["file"] = output.empty() ? place.generic_string()
                                  : std::filesystem::proximate(
                                        path, std::filesystem::absolute(output).parent_path())
                                        .generic_string();
    item["sha256"] = io::sha256_of_file(path);
    out[body] = std::move(item);
  }
  return out.dump_line();
}

void apply(const RunOverrides& overrides, Analysis& analysis) {
  mbd_solver::DynamicOptions& options = analysis.dynamic;
  if (overrides.end) options.end = *overrides.end;
  if (overrides.step) options.step = *overrides.step;
  if (overrides.output_step) options.output_step = *overrides.output_step;
  if (!overrides.integrator.empty())
    options.integrator = mbd_solver::parse_integrator(overrides.integrator);
  analysis.keep_states = analysis.keep_states || overrides.keep_states;
}

[[noreturn]] void refuse_step(const mbd_solver::SimulationSummary& run) {
  if (!run.remedy.empty()) throw ModelError("bad-load", run.reason, {}, run.remedy);
  const bool says_when = run.reason.find("t = ") != std::string::npos;
  throw NumericalError(
      "step-failed",
      says_when ? run.reason : fmt::format("at t = {} s: {}", readable(run.end_time), run.reason),
      {},
      "try a tenth of the step, or another integrator; of the body named look for a mass or "
      "inertia "
      "far smaller than its neighbours', a spring far stiffer than the step can follow, joints "
      "that "
      "lock it, and modes that repeat its rigid motion");
}

void check_restart(const RunOverrides& overrides,
                   const mbd_solver::System& system,
                   Diagnostics& diagnostics) {
  const std::string change = changed_model(overrides.restart, system);
  if (change.empty()) return;
  if (!overrides.allows_changes)
    throw ModelError("restart-changed",
                     "the model has changed since these states were kept: " + change,
                     {overrides.restart.string()},
                     "go on with the model that made them, or add --allow-changes");
  diagnostics.warn("restart-changed",
                   "the run goes on with a changed model: " + change,
                   {.file = overrides.restart.string()});
}

// Removes the analyses before the first dynamic one whose time span extends beyond t [s].
void leave_out_before(double t, const std::string& file, std::vector<Analysis>& analyses) {
  double end = 0.0;
  const auto first = std::find_if(analyses.begin(), analyses.end(), [&](const Analysis& each) {
    if (each.type != Analysis::Type::dynamic) return false;
    end = each.dynamic.end;
    return end > t && std::abs(end - t) > 1e-9 * std::abs(t);
  });
  if (first == analyses.end())
    throw UsageError("nothing-left",
                     fmt::format("the state is at t = {} s, and no dynamic analysis goes beyond "
                                 "{} s",
                                 readable(t),
                                 readable(end)),
                     {file},
                     "set --end, or an earlier --from");
  analyses.erase(analyses.begin(), first);
}

bool has_series(const std::vector<Analysis>& analyses) {
  return std::any_of(analyses.begin(), analyses.end(), goes_over_time);
}

[[noreturn]] void refuse_time(const std::string& what, double before, const std::string& remedy) {
  throw UsageError("no-time",
                   fmt::format("{}, but the one before it goes to {} s", what, readable(before)),
                   {},
                   remedy);
}

class AnalysisChain {
 public:
  AnalysisChain(const mbd_solver::System& system,
                std::optional<mbd_solver::State> start,
                OneSeries& rows,
                Diagnostics& diagnostics,
                Progress& progress)
      : system_(system),
        state_(std::move(start)),
        has_moved_(state_.has_value()),
        rows_(rows),
        diagnostics_(diagnostics),
        progress_(progress) {}

  RunReport run(const std::vector<Analysis>& analyses) {
    const bool keeps_static_row = !has_series(analyses);
    for (const Analysis& analysis : analyses) {
      if (analysis.type == Analysis::Type::static_)
        find_equilibrium(analysis, keeps_static_row);
      else if (analysis.type == Analysis::Type::modal)
        find_modes(analysis);
      else if (analysis.type == Analysis::Type::dynamic)
        simulate(analysis);
      else
        drive(analysis);
    }
    return std::move(report_);
  }

 private:
  void find_equilibrium(const Analysis& analysis, bool keeps_row) {
    NoRows none;
    mbd_solver::ResultSink& sink = keeps_row ? static_cast<mbd_solver::ResultSink&>(rows_) : none;
    mbd_solver::StaticOptions options = analysis.statics;
    options.from = state_;
    if (state_) options.time = time_after(*state_, options.time);
    report_.statics = mbd_solver::solve_statics(system_, options, sink, diagnostics_, progress_);
    report_.has_static = true;
    if (!report_.statics.converged)
      throw NumericalError(
          "no-equilibrium",
          fmt::format("statics: {} after {} iterations",
                      report_.statics.reason,
                      report_.statics.iterations),
          {},
          "start nearer to the equilibrium, or add damping and run a dynamic analysis");
    state_ = report_.statics.state;
    velocity_ = has_moved_ ? Velocity::of_motions : Velocity::of_system;
  }

  static double time_after(const mbd_solver::State& state, double time) {
    if (time != 0.0 && time < state.time)  // 0: where the state ended
      refuse_time(fmt::format("a static analysis is at {} s", readable(time)),
                  state.time,
                  "leave \"time\" out: each analysis goes on where the one before it ended");
    return std::max(time, state.time);
  }

  void find_modes(const Analysis& analysis) {
    if (!state_) {
      mbd_solver::AssemblyReport assembly;
      state_ = mbd_solver::assemble(system_, assembly, diagnostics_);
    }
    report_.modes = mbd_solver::linearise(system_, *state_, diagnostics_).modes;
    if (analysis.up_to_hz)
      std::erase_if(report_.modes, [&](const mbd_solver::SystemMode& mode) {
        return mode.frequency_hz > *analysis.up_to_hz;
      });
  }

  void simulate(const Analysis& analysis) {
    mbd_solver::DynamicOptions options = analysis.dynamic;
    options.restart = state_;
    options.restart_velocity = velocity_;
    if (report_.has_dynamic || report_.driven) rows_.go_on();
    rows_.keep_states(analysis.keep_states);
    report_.dynamic = mbd_solver::simulate(system_, options, rows_, diagnostics_, progress_);
    report_.has_dynamic = true;
    state_ = report_.dynamic.final_state;
    velocity_ = Velocity::of_state;
    has_moved_ = true;
    if (report_.dynamic.status != mbd_solver::RunStatus::complete) refuse_step(report_.dynamic);
  }

  void drive(const Analysis& analysis) {
    mbd_solver::DrivenOptions options;
    options.start = analysis.dynamic.start;
    options.end = analysis.dynamic.end;
    options.output_step = analysis.dynamic.output_step;
    options.from = state_;
    if (report_.has_dynamic || report_.driven) {
      rows_.go_on();
      options.start = state_->time;
      if (!(options.end > options.start))
        refuse_time(fmt::format("an analysis ends at {} s", readable(options.end)),
                    options.start,
                    "--end is a time of every analysis: set \"end\" of each in the system");
    }
    rows_.keep_states(false);
    report_.driven =
        analysis.type == Analysis::Type::kinematic
            ? mbd_solver::run_kinematics(system_, options, rows_, diagnostics_, progress_)
            : mbd_solver::run_quasi_statics(
                  system_, options, analysis.statics, rows_, diagnostics_, progress_);
    report_.drives_equilibria = analysis.type == Analysis::Type::quasi_static;
    state_ = report_.driven->final_state;
    velocity_ = report_.drives_equilibria ? Velocity::of_motions : Velocity::of_state;
    has_moved_ = true;
  }

  const mbd_solver::System& system_;
  using Velocity = mbd_solver::RestartVelocity;
  std::optional<mbd_solver::State> state_;
  Velocity velocity_ = Velocity::of_state;
  bool has_moved_ = false;  // state_ is later than the initial one
  OneSeries& rows_;
  Diagnostics& diagnostics_;
  Progress& progress_;
  RunReport report_;
};

/// Expected number of rows of the dynamic analyses; an analysis without a fixed step counts as 0.
double expected_rows_of(const std::vector<Analysis>& analyses, double start) {
  double rows = 0.0;
  for (const Analysis& analysis : analyses) {
    if (!goes_over_time(analysis)) continue;
    const mbd_solver::DynamicOptions& options = analysis.dynamic;
    const double step = options.output_step > 0.0 ? options.output_step : options.step;
    if (step > 0.0) rows += (options.end - std::max(start, options.start)) / step;
  }
  return rows;
}

bool has_dynamics(const std::vector<Analysis>& analyses) {
  return std::any_of(analyses.begin(), analyses.end(), [](const Analysis& each) {
    return each.type == Analysis::Type::dynamic;
  });
}

/// Warns of options of the call that no analysis takes.
void warn_of_idle(const RunOverrides& overrides,
                  const std::vector<Analysis>& analyses,
                  Diagnostics& diagnostics) {
  if (has_dynamics(analyses)) return;
  std::vector<std::string> idle;
  if (overrides.keep_states) idle.emplace_back("--keep-states");
  if (overrides.step) idle.emplace_back("--step");
  if (!overrides.integrator.empty()) idle.emplace_back("--integrator");
  if (!idle.empty())
    diagnostics.warn("no-effect",
                     fmt::format("{}: no effect, since no analysis of the system is dynamic",
                                 fmt::join(idle, ", ")));
}

bool keeps_states(const std::vector<Analysis>& analyses) {
  return std::any_of(analyses.begin(), analyses.end(), [](const Analysis& each) {
    return each.type == Analysis::Type::dynamic && each.keep_states;
  });
}

}  // namespace

std::vector<Analysis> analyses_of(const SystemDocument& document, const RunOverrides& overrides) {
  std::vector<Analysis> analyses = document.analyses;
  if (analyses.empty() && overrides.end) analyses.emplace_back();
  if (analyses.empty())
    throw UsageError("no-analysis",
                     fmt::format("system '{}' has no analysis", document.system.name),
                     {},
                     "add \"analyses\", or --end");
  for (Analysis& analysis : analyses)
    apply(overrides, analysis);
  return analyses;
}

Eigen::Index acting_modes(const mbd_solver::System& system) {
  Eigen::Index count = 0;
  for (const mbd_solver::Body& body : system.bodies)
    count += mbd_solver::acting_mode_count(body);
  return count;
}

SystemDocument read_any_system(const DocumentInput& input,
                               const DocumentOptions& options,
                               Diagnostics& diagnostics,
                               Progress& progress) {
  if (std::holds_alternative<const DocumentValue*>(input))
    return read_system(input, options, diagnostics, progress);
  const auto& path = std::get<std::filesystem::path>(input);
  const FileKind kind = kind_of(path);
  if (kind == FileKind::dads) {
    if (!options.variant.empty() || !options.sets.empty())
      throw UsageError("usage", "--set and --variant act on JSON systems alone", {path.string()});
    return read_dads_system(path, diagnostics);
  }
  if (kind != FileKind::system)
    refuse_kind(path, kind, "a system (JSON) or a formatted DADS input");
  return read_system(path, options, diagnostics, progress);
}

RunReport run_system(const SystemDocument& document,
                     const RunOverrides& overrides,
                     const std::filesystem::path& output,
                     const std::string& options_text,
                     Diagnostics& diagnostics,
                     Progress& progress) {
  std::vector<Analysis> analyses = analyses_of(document, overrides);
  warn_of_idle(overrides, analyses, diagnostics);
  std::set<std::string> with_file;
  for (const auto& [body, path] : document.flex_files)
    with_file.insert(body);
  const mbd_solver::System system = with_motion(document.system, with_file);
  std::vector<Provenance::Source> sources = document.sources;
  std::optional<mbd_solver::State> state;
  if (!overrides.restart.empty()) {
    state = read_state(overrides.restart, overrides.from, system);
    check_restart(overrides, system, diagnostics);
    leave_out_before(state->time, overrides.restart.string(), analyses);
    sources.push_back({overrides.restart.string(), io::sha256_of_file(overrides.restart)});
  }
  if (!output.empty()) {
    refuse_overwriting(document.files, {output});
    recover_abandoned_outputs(output, diagnostics);
  }
  const std::unique_ptr<ResultRows> kept = rows_for(output);
  kept->set_attribute("name", document.system.name);
  kept->set_attribute("options", options_text);
  kept->set_attribute("modes", std::to_string(acting_modes(document.system)));
  kept->set_attribute("flex", flex_text(document, output));
  kept->set_attribute("sources", sources_text(sources));
  kept->set_text("picture", picture_of(document.system, with_file).dump_line());
  const double expected_rows = expected_rows_of(analyses, state ? state->time : 0.0);
  kept->expect({expected_rows, 0.0, "a longer --output-step"}, overrides.force);
  if (keeps_states(analyses)) kept->set_text("states", state_fingerprint(system));
  PictureSink pictured(*kept, document.system, expected_rows);
  OneSeries rows(pictured, *kept);
  RunReport report;
  try {
    try {
      report = AnalysisChain(system, std::move(state), rows, diagnostics, progress).run(analyses);
    } catch (const NumericalError& failure) {
      throw with_rigid_content(failure, system);
    }
    report.rows = kept->rows();
    kept->commit(true);
  } catch (const Error& error) {
    if (kept->rows() > 0)
      kept->give_up(error,
                    keeps_states(analyses)   ? "go on with --restart"
                    : has_dynamics(analyses) ? "with --keep-states --restart can go on"
                                             : "");
    throw;
  }
  report.series = kept->series();
  report.page = document.page;
  if (!report.page.is_empty())
    report.figures = figures_of(report.page, report.series ? *report.series : read_results(output));
  return report;
}

RunReport run_analyses(const SystemDocument& document,
                       const RunOverrides& overrides,
                       mbd_solver::ResultSink& sink,
                       Diagnostics& diagnostics,
                       Progress& progress) {
  const std::vector<Analysis> analyses = analyses_of(document, overrides);
  OneSeries rows(sink, sink);
  try {
    return AnalysisChain(document.system, std::nullopt, rows, diagnostics, progress).run(analyses);
  } catch (const NumericalError& failure) {
    throw with_rigid_content(failure, document.system);
  }
}

Json modes_json(const std::vector<mbd_solver::SystemMode>& modes) {
  Json out = Json::list();
  for (const mbd_solver::SystemMode& mode : modes) {
    Json item = Json::object();
    item["frequency_hz"] = mode.frequency_hz;
    item["damping_ratio"] = mode.damping_ratio;
    item["eigenvalue"] = std::vector<double>{mode.eigenvalue.real(), mode.eigenvalue.imag()};
    if (mode.is_free) item["free"] = true;
    out.push_back(std::move(item));
  }
  return out;
}

namespace {

Json left_out_json(const std::vector<mbd_solver::LeftOutReport>& reports) {
  const auto node_json = [](const mbd_solver::LeftOutReport::Node& node) {
    Json out = Json::object();
    out["node"] = node.node;
    out["displacement"] = node.displacement;
    out["left_out"] = node.left_out;
    return out;
  };
  Json list = Json::list();
  for (const mbd_solver::LeftOutReport& report : reports) {
    Json out = Json::object();
    out["body"] = report.body;
    out["share_of_load"] = report.share;
    out["cause"] = report.cause;
    Json nodes = Json::list();
    for (const auto& node : report.nodes)
      nodes.push_back(node_json(node));
    out["nodes"] = std::move(nodes);
    if (!report.nodes.empty()) out["worst"] = node_json(report.worst);
    Json more = Json::object();
    more["modes"] = report.more_modes;
    more["up_to_hz"] = report.up_to_hz;
    more["rest"] = report.rest;
    more["reaches_goal"] = report.reaches_goal;
    out["more"] = std::move(more);
    list.push_back(std::move(out));
  }
  return list;
}

/// For example "left-out modes: 3 % at chassis/2101, mostly from force payload_left; 12 more would
/// leave 1 %"
std::string left_out_text(const mbd_solver::LeftOutReport& report) {
  if (report.nodes.empty())
    return fmt::format("left-out modes of {}: name a node in the system or in --left-out-at\n",
                       report.body);
  const auto percent = [&](double part) {
    return report.worst.displacement > 0.0
               ? readable(100.0 * part / report.worst.displacement, 2) + " %"
               : readable(part, 2) + " m";
  };
  std::string out = fmt::format("left-out modes: {} of the displacement at {}/{}",
                                percent(report.worst.left_out),
                                report.body,
                                report.worst.node);
  if (!report.cause.empty()) out += fmt::format(", mostly from {}", report.cause);
  if (report.more_modes > 0)
    out += fmt::format("; {} more {} to {} Hz would leave {}",
                       report.more_modes,
                       report.more_modes == 1 ? "mode" : "modes",
                       readable(report.up_to_hz, 3),
                       percent(report.rest));
  return out + "\n";
}

}  // namespace

Json run_json(const RunReport& report, bool is_reproducible) {
  Json out = Json::object();
  const mbd_solver::SimulationSummary& run = report.dynamic;
  out["steps"] = run.steps;
  out["rejected_steps"] = run.rejected_steps;
  out["iterations"] = run.iterations;
  out["factorisations"] = run.factorisations;
  out["cpu_seconds"] = is_reproducible ? Json() : Json(run.cpu_seconds);
  out["real_time_factor"] = is_reproducible ? Json() : Json(run.real_time_factor);
  out["energy_drift"] = run.energy_drift;
  out["constraint_violation"] = run.constraint_violation;
  out["end_time"] = run.end_time;
  out["rows"] = report.rows;
  if (report.has_static) {
    Json statics = Json::object();
    statics["converged"] = report.statics.converged;
    statics["iterations"] = report.statics.iterations;
    statics["residual"] = report.statics.residual;
    statics["unbalanced"] = report.statics.unbalanced;
    statics["stable"] = report.statics.stable;
    statics["idle_directions"] = report.statics.idle_directions;
    out["static"] = std::move(statics);
  }
  if (report.driven) {
    Json driven = Json::object();
    driven["rows"] = report.driven->rows;
    driven["iterations"] = report.driven->iterations;
    driven["constraint_violation"] = report.driven->constraint_violation;
    driven["end_time"] = report.driven->end_time;
    out["driven"] = std::move(driven);
  }
  if (!report.modes.empty()) out["modes"] = modes_json(report.modes);
  if (!report.figures.empty()) out["figures"] = figures_json(report.figures);
  if (!run.left_out.empty()) out["left_out"] = left_out_json(run.left_out);
  return out;
}

std::string idle_text(Eigen::Index directions) {
  if (directions == 0) return {};
  return fmt::format(", {} {} without load and stiffness left as {}",
                     directions,
                     directions == 1 ? "motion" : "motions",
                     directions == 1 ? "it was" : "they were");
}

std::string run_text(const RunReport& report) {
  std::string out;
  if (report.has_static)
    out += fmt::format("statics: {} iterations, unbalanced force {} N ({} of the largest){}{}\n",
                       report.statics.iterations,
                       readable(report.statics.unbalanced, 3),
                       readable(report.statics.residual, 3),
                       report.statics.stable ? "" : ", NOT STABLE",
                       idle_text(report.statics.idle_directions));
  if (!report.modes.empty()) {
    TextTable table({"mode", "Hz", "damping"});
    for (std::size_t i = 0; i < report.modes.size(); ++i)
      table.add({std::to_string(i + 1),
                 readable(report.modes[i].frequency_hz),
                 readable(report.modes[i].damping_ratio, 4)});
    out += table.text(60);
    const auto free = std::count_if(report.modes.begin(),
                                    report.modes.end(),
                                    [](const mbd_solver::SystemMode& m) { return m.is_free; });
    if (free > 0)
      out += fmt::format(
          "{} of these {}: nothing resists or damps {}, listed once at 0 Hz\n",
          free,
          free == 1 ? "is a free motion of the system" : "are free motions of the system",
          free == 1 ? "it" : "them");
  }
  if (report.driven) {
    const mbd_solver::DrivenSummary& driven = *report.driven;
    out += fmt::format(
        "{} to {} s: {} rows, {}constraints {}\n",
        report.drives_equilibria ? "equilibria" : "kinematics",
        readable(driven.end_time),
        driven.rows,
        driven.iterations > 0 ? fmt::format("{} iterations, ", driven.iterations) : std::string(),
        readable(driven.constraint_violation, 3));
  }
  if (report.has_dynamic) {
    const mbd_solver::SimulationSummary& run = report.dynamic;
    out += fmt::format(
        "dynamics to {} s: {} steps ({} rejected), {} rows, energy drift {}, constraints {}{}\n",
        readable(run.end_time),
        run.steps,
        run.rejected_steps,
        report.rows,
        readable(run.energy_drift, 3),
        readable(run.constraint_violation, 3),
        run.real_time_factor > 0.0
            ? fmt::format(", {} x real time", readable(run.real_time_factor, 3))
            : std::string());
    for (const mbd_solver::LeftOutReport& left_out : run.left_out)
      out += left_out_text(left_out);
  }
  if (!report.figures.empty()) out += figures_table({"value"}, {report.figures}).text();
  return out;
}

}  // namespace femflex::tools
