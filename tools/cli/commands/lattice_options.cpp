#include "commands/lattice_options.h"

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "femflex/errors.h"

namespace femflex::cli {
namespace {

struct Range {
  const char* option;
  bool zero_is_fine;
};

constexpr std::array<Range, 8> kRanges = {{{"--dt", false},
                                           {"--end", true},
                                           {"--output-step", false},
                                           {"--friction", true},
                                           {"--largest-factor", false},
                                           {"--rtol", false},
                                           {"--atol", true},
                                           {"--load-steps", false}}};

constexpr std::int64_t kMostLoadSteps = 1000000;  // each an equilibrium of its own

[[noreturn]] void refuse(const std::string& message, const std::string& fix) {
  throw UsageError("usage", message, {}, fix);
}

/// What an option needs that is not there; empty: nothing.
struct Need {
  const char* option;
  const char* of;
  bool is_met;
};

void need_all(const Arguments& arguments, std::initializer_list<Need> needs) {
  for (const Need& need : needs) {
    if (arguments.has(need.option) && !need.is_met)
      refuse(fmt::format("{} goes with {}", need.option, need.of), "leave it out");
  }
}

/// Times of a run that starts from its model; a resumed one knows its start when it is read.
void check_end(const Arguments& arguments,
               const tools::AnyLattice& lattice,
               const tools::LatticeJob& job) {
  const double start = lattice.document.start_time;
  if (arguments.has("--end") && job.resume.empty() && job.run.end <= start)
    refuse(fmt::format("--end is {} s, and the run starts at {} s", job.run.end, start),
           "give a later end");
  if (job.run.end > 0.0) return;
  refuse(lattice.fydik ? "the end of the run is not given: timeBreak is 0, and FyDiK runs until it "
                         "is stopped"
                       : "the end of the run is not given",
         "add --end SECONDS, or --statics");
}

}  // namespace

bool is_run(const tools::LatticeJob& job) {
  return !job.statics && !job.buckling && job.branch.empty() &&
         (job.to_fe.empty() || job.run.end > 0.0);
}

void check_lattice_numbers(const Arguments& arguments) {
  for (const Range& range : kRanges) {
    if (!arguments.has(range.option)) continue;
    const bool is_time = std::string_view(range.option) == "--dt" ||
                         std::string_view(range.option) == "--end" ||
                         std::string_view(range.option) == "--output-step";
    const double value = arguments.number(range.option, is_time ? "s" : "");
    if (value < 0.0 || (value == 0.0 && !range.zero_is_fine))
      refuse(fmt::format("{} is {}", range.option, value),
             range.zero_is_fine ? "give a number that is not negative" : "give a number above 0");
  }
  if (const std::int64_t steps = arguments.integer("--load-steps"); steps > kMostLoadSteps)
    refuse(fmt::format("--load-steps is {}", steps),
           fmt::format("give a whole number up to {}", kMostLoadSteps));
  const std::int64_t dimension = arguments.integer("--dimension");
  if (dimension < 1 || dimension > 1000)
    refuse(fmt::format("--dimension is {}", dimension), "give a whole number from 1 to 1000");
}

void check_lattice_options(const Arguments& arguments,
                           const tools::AnyLattice& lattice,
                           const tools::LatticeJob& job,
                           Diagnostics& diagnostics) {
  const bool is_polynomial = lattice.polynomial.has_value();
  constexpr const char* kLattice = "nodes and springs, not with a polynomial";
  need_all(arguments,
           {{"--initial", "a polynomial", is_polynomial},
            {"--dimension", "a polynomial", is_polynomial},
            {"--rest-from-start", "a K/D matrix", lattice.is_matrix},
            {"--statics", kLattice, !is_polynomial},
            {"--buckling", kLattice, !is_polynomial},
            {"--branch", kLattice, !is_polynomial},
            {"--to-fe", kLattice, !is_polynomial},
            {"--nodes", kLattice, !is_polynomial},
            {"--friction", kLattice, !is_polynomial},
            {"--stay-on-branch", "--statics", job.statics},
            {"--load-factor", "--statics", job.statics},
            {"--load-steps", "--statics", job.statics},
            {"--largest-factor", "--buckling or --branch", job.buckling || !job.branch.empty()},
            {"--keep-held", "--to-fe", !job.to_fe.empty()},
            {"--csv", "a run (--end) or --statics", job.statics || is_run(job)},
            {"--output", "a run (--end) or --statics", job.statics || is_run(job)}});
  if (int{job.statics} + int{job.buckling} + int{!job.branch.empty()} > 1)
    refuse("--statics, --buckling and --branch each end in a state of their own",
           "keep one of them");
  if (arguments.has("--initial") && arguments.has("--resume"))
    refuse("both --initial and --resume give a start", "keep one of them");

  if (is_run(job)) check_end(arguments, lattice, job);
  const auto idle = [&](const char* option, const std::string& why) {
    if (arguments.has(option))
      diagnostics.warn("idle-option", fmt::format("{} does nothing: {}", option, why));
  };
  if (!is_run(job)) {
    for (const char* option : {"--dt", "--integrator", "--output-step", "--rtol", "--atol"})
      idle(option, "nothing moves");
    if (job.to_fe.empty()) idle("--friction", "nothing moves");
    if (!job.statics && job.to_fe.empty()) idle("--end", "loads are taken at time 0");
  } else if (job.run.integrator != hamiltonian::Integrator::dormand_prince) {
    for (const char* option : {"--rtol", "--atol"})
      idle(option, "the steps of dormand-prince alone follow tolerances");
  }
}

}  // namespace femflex::cli
