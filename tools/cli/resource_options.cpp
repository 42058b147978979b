// Reads --distributed and --memory. With --distributed, `femflex` has already been replaced by
// `femflex-mpi` in main.cpp; a script has not.
#include "resource_options.h"

#include <cstdlib>

#include "femflex/errors.h"
#include "femflex/freed_blocks.h"

namespace femflex::cli {

Option distributed_option() {
  return {
      .name = "--distributed",
      .help = "spread the factorisation over processes: mpiexec -n 4 femflex ... --distributed"};
}

Option memory_option() {
  return {.name = "--memory",
          .value = "SIZE",
          .help =
              "memory of one process, like 16G: a factor that does not fit goes "
              "to disk"};
}

void set_resources(const Arguments& arguments, const Session& session, modal::SolveOptions& solve) {
  if (arguments.has("--memory"))
    solve.memory = modal::parse_memory(arguments.text("--memory"));
  else if (!arguments.is_script())  // the memory of a script is its own matter
    keep_freed_blocks();
  if (!arguments.has("--distributed")) return;
  if (arguments.has("--backend") && arguments.text("--backend") != "mumps")
    throw UsageError("usage",
                     "--distributed factors by mumps, and --backend names another one",
                     {},
                     "leave one of them out");
  if (!session.factor_maker)
    throw UsageError("distributed",
                     "--distributed is for the command line",
                     {},
                     "run mpiexec -n 4 femflex ... --distributed, or leave it out");
  solve.factor_maker = session.factor_maker;
}

}  // namespace femflex::cli
