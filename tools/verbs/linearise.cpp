// Solves for the equilibrium (or takes the initial or a stored state), linearises about it, and
// computes modes and, if requested, frequency responses.
#include "verbs/linearise.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/mbd_solver/statics.h"

#include "document/frequencies.h"
#include "results/stored_states.h"
#include "system/linear_system_file.h"
#include "system/rigid_content.h"
#include "system/run_system.h"

namespace femflex::verbs {
namespace {

/// The frequencies of the responses [Hz].
/// @throws UsageError  none are requested
Eigen::VectorXd frequencies_of(const LineariseRequest& request) {
  if (request.at_hz) return *request.at_hz;
  if (!request.band)
    throw UsageError(
        "usage", "--frf needs frequencies", {}, "add --band 0.1-50Hz, or --at 0.5,1,11");
  return tools::frequencies_of(*request.band, request.points);
}

/// Finds the equilibrium and describes it in `out`.
mbd_solver::State equilibrium_of(const mbd_solver::System& system,
                                 const tools::DocumentInput& file,
                                 LineariseOutcome& out,
                                 Diagnostics& diagnostics,
                                 Progress& progress) {
  mbd_solver::Results row;  // the outputs of the system at the equilibrium
  const mbd_solver::StaticSummary statics =
      mbd_solver::solve_statics(system, {}, row, diagnostics, progress);
  if (!statics.converged)
    throw NumericalError("no-equilibrium",
                         fmt::format("statics: {}", statics.reason),
                         {tools::name_of(file)},
                         "start nearer to the equilibrium, or use --no-statics");
  out.equilibrium = {statics.iterations,
                     statics.residual,
                     statics.unbalanced,
                     statics.stable,
                     statics.idle_directions,
                     {}};
  for (std::size_t c = 0; c < row.channels().size() && row.rows() > 0; ++c)
    out.equilibrium->values.emplace_back(row.channels()[c].name,
                                         row.value(0, static_cast<Eigen::Index>(c)));
  return statics.state;
}

/// The state stored with a run.
/// @throws ModelError  masses, stiffness or geometry of the run differ
mbd_solver::State stored_state(const mbd_solver::System& system,
                               const LineariseRequest& request,
                               LineariseOutcome& out) {
  mbd_solver::State state = tools::read_state(request.about, request.from, system);
  if (const std::string change = tools::changed_model(request.about, system); !change.empty())
    throw ModelError("restart-changed",
                     "the model has changed since these states were kept: " + change,
                     {request.about.string()},
                     "run it again with --keep-states");
  out.state_time = state.time;
  return state;
}

/// Adds the warnings that linearise() has not given already.
void add_news(const Diagnostics& found, Diagnostics& diagnostics) {
  for (const Warning& each : found.warnings()) {
    const std::vector<Warning>& known = diagnostics.warnings();
    const bool is_known = std::any_of(known.begin(), known.end(), [&](const Warning& other) {
      return other.code == each.code && other.message == each.message;
    });
    if (!is_known) diagnostics.warn(each.code, each.message, each.where);
  }
}

/// Writes A, B, C, D and stores them in `out`.
void write_state_space(const mbd_solver::System& system,
                       const mbd_solver::State& state,
                       const LineariseRequest& request,
                       LineariseOutcome& out,
                       Diagnostics& diagnostics) {
  mbd_solver::System asked = system;
  if (!request.outputs.empty()) asked.outputs = request.outputs;
  Diagnostics all;
  mbd_solver::LinearSystem linear = mbd_solver::linear_system(asked, state, request.inputs, all);
  add_news(all, diagnostics);
  tools::warn_of_matrices(asked, linear, diagnostics);
  if (request.order) {
    mbd_solver::BalancedSystem reduced =
        mbd_solver::balanced(linear, static_cast<int>(*request.order));
    out.error_bound = reduced.bound;
    linear = std::move(reduced.system);
  }
  if (request.sample_time) linear = mbd_solver::sampled(linear, *request.sample_time);
  const auto level = request.mat73 ? tools::MatLevel::level_73 : tools::MatLevel::by_size;
  tools::write_linear_system(linear, *request.state_space, level);
  out.linear = std::move(linear);
}

/// @throws UsageError  options of A, B, C, D contradict each other
void check_state_space(const LineariseRequest& request) {
  const bool has_options =
      !request.inputs.empty() || !request.outputs.empty() || request.sample_time || request.order;
  if (!request.state_space && has_options)
    throw UsageError(
        "usage",
        "--state-inputs, --state-outputs, --sample-time and --order are those of A, B, C, D",
        {},
        "add --state-space FILE.mat");
  if (request.state_space && request.inputs.empty())
    throw UsageError("usage",
                     "--state-space needs inputs",
                     {},
                     "add --state-inputs arm/tip/position/z, or the name of a block");
  constexpr std::int64_t kMostStates = 1000000;
  if (request.order && (*request.order < 1 || *request.order > kMostStates))
    throw UsageError("usage", fmt::format("--order {}; expected 1 and more", *request.order));
  if (request.state_space) tools::check_linear_system_file(*request.state_space);
  if (request.mat73 && (!request.state_space || request.state_space->extension() != ".mat"))
    throw UsageError("usage",
                     "--mat73 belongs to a file .mat",
                     {},
                     "add --state-space FILE.mat, or leave it out");
}

/// The outcome for a system that is already read.
LineariseOutcome linearised(const mbd_solver::System& system,
                            const LineariseRequest& request,
                            Diagnostics& diagnostics,
                            Progress& progress) {
  LineariseOutcome out;
  mbd_solver::State state;
  if (!request.about.empty()) {
    state = stored_state(system, request, out);
  } else if (request.about_equilibrium) {
    state = equilibrium_of(system, request.system, out, diagnostics, progress);
  } else {
    mbd_solver::AssemblyReport assembly;
    state = mbd_solver::assemble(system, assembly, diagnostics);
    out.degrees_of_freedom = assembly.degrees_of_freedom;
  }
  const mbd_solver::Linearisation linear = mbd_solver::linearise(system, state, diagnostics);
  out.modes = linear.modes;
  if (request.up_to_hz)
    std::erase_if(out.modes, [&](const mbd_solver::SystemMode& mode) {
      return mode.frequency_hz > *request.up_to_hz;
    });
  if (request.shapes) out.shapes = tools::shapes_of(system, state, out.modes, diagnostics);
  if (!request.responses.empty())
    out.responses = tools::responses_of(
        system, state, linear, request.responses, frequencies_of(request), diagnostics);
  if (request.state_space) write_state_space(system, state, request, out, diagnostics);
  return out;
}

}  // namespace

LineariseOutcome linearise(const LineariseRequest& request,
                           Diagnostics& diagnostics,
                           Progress& progress) {
  check_state_space(request);
  if (request.from && request.about.empty())
    throw UsageError("usage",
                     "--from needs --about: it selects one of the states stored in that result",
                     {},
                     "add --about R.h5");
  const tools::SystemDocument document =
      tools::read_any_system(request.system, request.document, diagnostics, progress);
  if (const std::string names = tools::bodies_with_rigid_content(document.system); !names.empty())
    diagnostics.warn(
        "rigid-content",
        fmt::format("the modes of body {} hold rigid-body motion, which its frame describes "
                    "already: modes near 0 Hz may be caused by that alone; leave those modes out "
                    "(reduce --drop-rigid)",
                    names));
  try {
    return linearised(document.system, request, diagnostics, progress);
  } catch (const NumericalError& failure) {
    throw tools::with_rigid_content(failure, document.system);
  } catch (const ModelError& error) {
    throw tools::with_file(error, request.system);
  }
}

}  // namespace femflex::verbs
