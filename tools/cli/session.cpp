// Reads the common options (--json, --quiet, --threads, --units, --reproducible), sets the number
// of OpenBLAS threads, and protects input files before a verb runs.
#include "session.h"

#include <fmt/format.h>

#include "femflex/errors.h"

#include "arguments.h"
#include "colours.h"
#include "results/outputs.h"
#include "tell.h"

// Defined only if OpenBLAS is linked. Its environment variable is read at program start, too early
// for an option.
extern "C" void openblas_set_num_threads(int) __attribute__((weak));

namespace femflex::cli {

Session session_for(const Arguments& arguments, Progress& progress) {
  Session session;
  session.progress = &progress;
  session.is_json = arguments.has("--json");
  session.is_quiet = arguments.has("--quiet");
  session.is_reproducible = arguments.has("--reproducible");
  if (arguments.has("--units")) session.units = parse_units(arguments.text("--units"));
  if (arguments.has("--threads")) {
    const std::int64_t threads = arguments.integer("--threads");
    if (threads < 1 || threads > 1024)
      throw UsageError("usage", fmt::format("--threads: {} is not between 1 and 1024", threads));
    session.threads = static_cast<int>(threads);
    if (openblas_set_num_threads != nullptr) openblas_set_num_threads(session.threads);
  }
  return session;
}

void print_warnings(const Session& session) {
  if (session.is_quiet) return;
  for (const Warning& warning : session.diagnostics.warnings()) {
    const std::string place = warning.where.text();
    tell(fmt::format(
        "{} {}{}{}\n", warning_mark(), place, place.empty() ? "" : ": ", warning.message));
  }
}

Outcome run_verb(const Verb& verb, const Arguments& arguments, Session& session) {
  const std::vector<std::filesystem::path> outputs = arguments.output_files();
  tools::refuse_overwriting(
      verb.updates_input ? std::vector<std::filesystem::path>{} : arguments.input_files(), outputs);
  arguments.check_output_names();
  for (const std::filesystem::path& output : outputs)
    tools::recover_abandoned_outputs(output, session.diagnostics);
  return verb.run(arguments, session);
}

}  // namespace femflex::cli
