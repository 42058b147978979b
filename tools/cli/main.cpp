// The program `femflex`. It is linked without MPI; with --distributed it starts `femflex-mpi`
// instead, which distributes factorisations over the processes started by mpiexec.
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "femflex/errors.h"

#include "program.h"

namespace femflex::cli {
namespace {

constexpr const char* kParallelProgram = "femflex-mpi";

/// Replaces this program by `femflex-mpi`, found in the folder of this program or in PATH.
/// @throws UsageError  there is no such program
[[noreturn]] void become_parallel(char** words) {
  std::error_code ignored;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", ignored);
  if (!self.empty()) ::execv((self.parent_path() / kParallelProgram).c_str(), words);
  if (errno == ENOENT) ::execvp(kParallelProgram, words);
  const int reason = errno;
  if (reason != ENOENT)
    throw UsageError("distributed", fmt::format("{}: {}", kParallelProgram, std::strerror(reason)));
  throw UsageError(
      "distributed",
      fmt::format("--distributed needs the program {}, which is not installed", kParallelProgram),
      {},
      "install libopenmpi-dev, openmpi-bin, libmumps-dev and libmumps-seq-dev "
      "(Debian) and build femflex again, or leave --distributed out");
}

}  // namespace
}  // namespace femflex::cli

int main(int count, char** words) {
  const std::vector<std::string> typed(words + 1, words + count);
  const auto has = [&](const char* word) {
    return std::find(typed.begin(), typed.end(), word) != typed.end();
  };
  if (has("--distributed")) {
    try {
      femflex::cli::become_parallel(words);
    } catch (const femflex::Error& error) {
      return femflex::cli::report_error(error, has("--json"));
    }
  }
  return femflex::cli::run_program(typed);
}
