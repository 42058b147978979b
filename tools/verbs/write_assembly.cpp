// Writes each requested file, or reports the missing result.
#include "verbs/write_assembly.h"

#include <string>

#include "femflex/errors.h"
#include "femflex/io/atomic_file.h"

namespace femflex::verbs {
namespace {

void write(const std::filesystem::path& path,
           const std::string& content,
           const char* option,
           const char* message) {
  if (path.empty()) return;
  if (content.empty()) throw UsageError("nothing-to-write", message, {.record = option});
  io::write_file(path, content);
}

}  // namespace

void write_assembly(const tools::AssemblyResult& result, const AssemblyOutputs& outputs) {
  write(outputs.dynamics,
        result.dynamics,
        "--output",
        "the part is too large for the text form; condense it first");
  write(outputs.csv,
        result.csv.empty() ? result.frf_csv : result.csv,
        "--csv",
        "no response over time or frequency is asked for");
  write(outputs.frf_csv, result.frf_csv, "--frf-csv", "no frequency response is asked for");
}

}  // namespace femflex::verbs
