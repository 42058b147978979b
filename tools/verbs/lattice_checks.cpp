// Checks the options of the verb lattice by tables: one row per option with the condition that it
// needs. Options without effect are warned of, contradictions are errors.
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

/// An option that was given, and what it needs.
struct Need {
  const char* option;
  bool is_given;
  const char* of;
  bool is_met;
};

/// Checks options that need a certain kind of model.
void check_model(const LatticeRequest& request, const tools::AnyLattice& lattice) {
  const bool is_polynomial = lattice.polynomial.has_value();
  constexpr const char* kPolynomial = "a polynomial";
  constexpr const char* kLattice = "nodes and springs, not with a polynomial";
  const std::array needs = {
      Need{"--initial", request.initial.has_value(), kPolynomial, is_polynomial},
      Need{"--dimension", request.dimension.has_value(), kPolynomial, is_polynomial},
      Need{"--rest-from-start", request.rest_from_start, "a K/D matrix", lattice.is_matrix},
      Need{"--statics", request.statics, kLattice, !is_polynomial},
      Need{"--buckling", request.buckling, kLattice, !is_polynomial},
      Need{"--branch", !request.branch.empty(), kLattice, !is_polynomial},
      Need{"--to-fe", !request.to_fe.empty(), kLattice, !is_polynomial},
      Need{"--nodes", !request.nodes.empty(), kLattice, !is_polynomial},
      Need{"--friction", request.friction.has_value(), kLattice, !is_polynomial}};
  for (const Need& need : needs)
    if (need.is_given && !need.is_met)
      refuse(fmt::format("{} goes with {}", need.option, need.of), "leave it out");
}

/// Checks options that need another option.
void check_company(const LatticeRequest& request, const tools::LatticeJob& job) {
  const bool has_rows = job.statics || is_run(job);
  const bool is_path = job.buckling || !job.branch.empty();
  constexpr const char* kRows = "a run (--end) or --statics";
  const std::array needs = {
      Need{"--stay-on-branch", request.stay_on_branch, "--statics", job.statics},
      Need{"--load-factor", request.load_factor.has_value(), "--statics", job.statics},
      Need{"--load-steps", request.load_steps.has_value(), "--statics", job.statics},
      Need{"--largest-factor",
           request.largest_factor.has_value(),
           "--buckling or --branch",
           is_path},
      Need{"--keep-held", request.keep_held, "--to-fe", !job.to_fe.empty()},
      Need{"--csv", !request.csv.empty(), kRows, has_rows},
      Need{"--output", !request.output.empty(), kRows, has_rows}};
  for (const Need& need : needs)
    if (need.is_given && !need.is_met)
      refuse(fmt::format("{} goes with {}", need.option, need.of), "leave it out");
}

/// Checks the end of a run that starts from its model; the start of a resumed run is known only
/// once its state is read.
void check_end(const LatticeRequest& request,
               const tools::AnyLattice& lattice,
               const tools::LatticeJob& job) {
  const double start = lattice.document.start_time;
  if (request.end && job.resume.empty() && job.run.end <= start)
    refuse(fmt::format("--end is {} s, and the run starts at {} s", job.run.end, start),
           "give a later end");
  if (job.run.end > 0.0) return;
  refuse(lattice.fydik ? "the end of the run is not given: timeBreak is 0, and FyDiK runs until it "
                         "is stopped"
                       : "the end of the run is not given",
         "add --end SECONDS, or --statics");
}

void warn_of_idle_options(const LatticeRequest& request,
                          const tools::LatticeJob& job,
                          Diagnostics& diagnostics) {
  const auto idle = [&](const char* option, bool is_given, const char* why) {
    if (is_given) diagnostics.warn("idle-option", fmt::format("{} does nothing: {}", option, why));
  };
  constexpr const char* kStill = "nothing moves";
  const bool has_rtol = request.relative_tolerance.has_value();
  const bool has_atol = request.absolute_tolerance.has_value();
  if (!is_run(job)) {
    idle("--dt", request.step.has_value(), kStill);
    idle("--integrator", !request.integrator.empty(), kStill);
    idle("--output-step", request.output_step.has_value(), kStill);
    idle("--rtol", has_rtol, kStill);
    idle("--atol", has_atol, kStill);
    if (job.to_fe.empty()) idle("--friction", request.friction.has_value(), kStill);
    if (!job.statics && job.to_fe.empty())
      idle("--end", request.end.has_value(), "loads are taken at time 0");
  } else if (job.run.integrator != hamiltonian::Integrator::dormand_prince) {
    constexpr const char* kFixed = "the steps of dormand-prince alone follow tolerances";
    idle("--rtol", has_rtol, kFixed);
    idle("--atol", has_atol, kFixed);
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
  check_company(request, job);
  if (int{job.statics} + int{job.buckling} + int{!job.branch.empty()} > 1)
    refuse("--statics, --buckling and --branch each end in a state of their own",
           "keep one of them");
  if (request.initial && !request.resume.empty())
    refuse("both --initial and --resume give a start", "keep one of them");
  if (is_run(job)) check_end(request, lattice, job);
  warn_of_idle_options(request, job, diagnostics);
}

}  // namespace femflex::verbs
