// Checks the options of the verb lattice by tables with one row per option and its condition. An
// option without effect gives a warning, a contradiction an error.
#include "verbs/lattice_checks.h"

#include <array>
#include <string>

#include <fmt/format.h>

#include "femflex/errors.h"

namespace femflex::verbs {
namespace {

[[noreturn]] void refuse(const std::string& message, const std::string& fix) {
  throw UsageError("usage", message, {}, fix);
}

/// A condition on an option.
struct Requirement {
  const char* option;
  bool is_given;
  const char* needs;  ///< what the option needs, as text for the message
  bool is_met;
};

/// Checks options that need a certain kind of model.
void check_model(const LatticeRequest& request, const tools::AnyLattice& lattice) {
  const bool is_polynomial = lattice.polynomial.has_value();
  constexpr const char* kPolynomial = "a polynomial Hamiltonian as model";
  constexpr const char* kLattice = "nodes and springs, but the model is a polynomial Hamiltonian";
  const std::array requirements = {
      Requirement{"--initial", request.initial.has_value(), kPolynomial, is_polynomial},
      Requirement{"--dimension",
                  request.dimension.has_value(),
                  "a polynomial in text form as model",
                  lattice.is_polynomial_text},
      Requirement{
          "--rest-from-start", request.rest_from_start, "a K/D matrix as model", lattice.is_matrix},
      Requirement{"--statics", request.statics, kLattice, !is_polynomial},
      Requirement{"--buckling", request.buckling, kLattice, !is_polynomial},
      Requirement{"--branch", !request.branch.empty(), kLattice, !is_polynomial},
      Requirement{"--to-fe", !request.to_fe.empty(), kLattice, !is_polynomial},
      Requirement{"--nodes", !request.nodes.empty(), kLattice, !is_polynomial},
      Requirement{"--show", !request.show.empty(), kLattice, !is_polynomial},
      Requirement{"--group", !request.groups.empty(), kLattice, !is_polynomial},
      Requirement{"--beam", !request.beam.empty(), kLattice, !is_polynomial},
      Requirement{"--friction", request.friction.has_value(), kLattice, !is_polynomial}};
  for (const Requirement& each : requirements)
    if (each.is_given && !each.is_met)
      refuse(fmt::format("{} needs {}", each.option, each.needs),
             fmt::format("leave {} out", each.option));
}

/// Checks options that need another option.
void check_required_options(const LatticeRequest& request, const tools::LatticeJob& job) {
  const bool has_rows = job.statics || is_run(job);
  const bool is_path = job.buckling || !job.branch.empty();
  constexpr const char* kRows = "a run (--end) or --statics";
  const std::array requirements = {
      Requirement{"--stay-on-branch", request.stay_on_branch, "--statics", job.statics},
      Requirement{"--load-factor", request.load_factor.has_value(), "--statics", job.statics},
      Requirement{"--load-steps", request.load_steps.has_value(), "--statics", job.statics},
      Requirement{"--largest-factor",
                  request.largest_factor.has_value(),
                  "--buckling or --branch",
                  is_path},
      Requirement{"--keep-held", request.keep_held, "--to-fe", !job.to_fe.empty()},
      Requirement{"--show", !request.show.empty(), kRows, has_rows},
      Requirement{"--group", !request.groups.empty(), kRows, has_rows},
      Requirement{"--beam", !request.beam.empty(), kRows, has_rows},
      Requirement{"--springs", !request.springs.empty(), "--show springs", job.channels.springs},
      Requirement{"--centre", request.centre.has_value(), "--show polar", job.channels.polar},
      Requirement{"--csv", !request.csv.empty(), kRows, has_rows},
      Requirement{"--output", !request.output.empty(), kRows, has_rows}};
  for (const Requirement& each : requirements)
    if (each.is_given && !each.is_met)
      refuse(fmt::format("{} needs {}", each.option, each.needs),
             fmt::format("add {}, or leave {} out", each.needs, each.option));
}

/// Checks that the end of a run is given and is after its start. For a resumed run the start is
/// known only after its state is read.
void check_end(const LatticeRequest& request,
               const tools::AnyLattice& lattice,
               const tools::LatticeJob& job) {
  const bool is_given = request.end.has_value() || job.run.end != 0.0;  // 0: not in the file
  if (!is_given)
    refuse(lattice.fydik ? "the end of the run is not given: timeBreak is 0, and FyDiK runs until "
                           "it is stopped"
                         : "the end of the run is not given",
           "add --end SECONDS, or --statics");
  const double start = lattice.document.start_time;
  if (job.resume.empty() && job.run.end <= start)
    refuse(fmt::format("{} is {} s, and the run starts at {} s",
                       request.end ? "--end" : "the end in the file",
                       job.run.end,
                       start),
           request.end ? "give a later end" : "add --end SECONDS");
}

/// Warns if --show or --group has no effect because there is no result for the channels.
void warn_of_channels_without_file(const LatticeRequest& request,
                                   const tools::LatticeJob& job,
                                   Diagnostics& diagnostics) {
  if (!job.output.empty() || job.in_memory || (request.show.empty() && request.groups.empty()))
    return;
  diagnostics.warn("ignored-option",
                   fmt::format("{} has no effect: there is no result; add -o R.h5 or --csv FILE",
                               request.show.empty() ? "--group" : "--show"));
}

/// Warns of options without effect on the requested analysis.
void warn_of_ignored_options(const LatticeRequest& request,
                             const tools::LatticeJob& job,
                             Diagnostics& diagnostics) {
  const auto warn_if = [&](bool is_given, const char* option, const char* reason) {
    if (is_given)
      diagnostics.warn("ignored-option", fmt::format("{} has no effect: {}", option, reason));
  };
  constexpr const char* kNoRun = "no motion over time is computed";
  const bool has_rtol = request.relative_tolerance.has_value();
  const bool has_atol = request.absolute_tolerance.has_value();
  if (!is_run(job)) {
    warn_if(request.step.has_value(), "--dt", kNoRun);
    warn_if(!request.integrator.empty(), "--integrator", kNoRun);
    warn_if(request.output_step.has_value(), "--output-step", kNoRun);
    warn_if(has_rtol, "--rtol", kNoRun);
    warn_if(has_atol, "--atol", kNoRun);
    if (job.to_fe.empty()) warn_if(request.friction.has_value(), "--friction", kNoRun);
    if (!job.statics && job.to_fe.empty())
      warn_if(request.end.has_value(), "--end", "loads are those at time 0");
  } else if (job.run.integrator != hamiltonian::Integrator::dormand_prince) {
    constexpr const char* kNoTolerances = "only the steps of dormand-prince follow tolerances";
    warn_if(has_rtol, "--rtol", kNoTolerances);
    warn_if(has_atol, "--atol", kNoTolerances);
  }
}

}  // namespace

bool is_run(const tools::LatticeJob& job) {
  return !job.statics && !job.buckling && job.branch.empty() &&
         (job.to_fe.empty() || job.run.end > 0.0);
}

void check_request(const LatticeRequest& request,
                   const tools::AnyLattice& lattice,
                   const tools::LatticeJob& job,
                   Diagnostics& diagnostics) {
  check_model(request, lattice);
  check_required_options(request, job);
  if (int{job.statics} + int{job.buckling} + int{!job.branch.empty()} > 1)
    refuse("--statics, --buckling and --branch are different analyses", "keep one of them");
  if (request.initial && !request.resume.empty())
    refuse("--initial and --resume both set the initial state", "keep one of them");
  if (is_run(job)) check_end(request, lattice, job);
  warn_of_channels_without_file(request, job, diagnostics);
  warn_of_ignored_options(request, job, diagnostics);
}

}  // namespace femflex::verbs
