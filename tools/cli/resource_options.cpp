// Reads --distributed and --memory. With --distributed, `femflex` has already been replaced by
// `femflex-mpi` in main.cpp; a script has not.
#include "resource_options.h"

#include <cstdlib>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include "femflex/errors.h"

namespace femflex::cli {
namespace {

/// Keeps the memory of freed blocks of vectors for the next ones. By default glibc returns blocks
/// of more than 32 MB to the system, and clearing their pages again in each step of the eigensolver
/// took a tenth of the time at 630,000 DOFs. A factor is larger, and is returned.
void keep_freed_blocks() {
#if defined(__GLIBC__)
  constexpr int kLargestKept = 128 * 1024 * 1024;
  // glibc before 2.35 refuses more than 32 MB; the second call alone would keep it from adapting
  if (mallopt(M_MMAP_THRESHOLD, kLargestKept) == 1) mallopt(M_TRIM_THRESHOLD, 2 * kLargestKept);
#endif
}

}  // namespace

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
