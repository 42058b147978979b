// The program `femflex-mpi`: the command line of `femflex` on rank 0 of MPI, with factorisations
// distributed over all ranks. `mpiexec -n 4 femflex reduce M.fe.h5 ... --distributed` starts it.
#include <algorithm>
#include <string>
#include <vector>

#include "femflex/errors.h"
#include "femflex/modal/distributed.h"

#include "program.h"

int main(int count, char** words) {
  const std::vector<std::string> typed(words + 1, words + count);
  if (std::find(typed.begin(), typed.end(), "--distributed") == typed.end())
    return femflex::cli::report_error(
        femflex::UsageError("distributed",
                            "femflex-mpi is the part of femflex for --distributed",
                            {},
                            "run mpiexec -n 4 femflex reduce ... --distributed"),
        false);
  return femflex::modal::run_distributed(
      count, words, [&](const femflex::modal::FactorMaker& factor_maker) {
        return femflex::cli::run_program(typed, factor_maker);
      });
}
