// Writes what the solution of an assembly yields to the files that `assemble` and `ask` were given.
#pragma once

#include <filesystem>

#include "assembly/assembly_result.h"

namespace femflex::verbs {

/// Files to write from the solution of an assembly; an empty path means no file.
struct AssemblyOutputs {
  std::filesystem::path dynamics;  ///< canonical text form
  std::filesystem::path csv;       ///< responses over time or, if there are none, over frequency
  std::filesystem::path frf_csv;   ///< frequency responses
};

/// @throws UsageError  nothing to write to a requested file
void write_assembly(const tools::AssemblyResult& result, const AssemblyOutputs& outputs);

}  // namespace femflex::verbs
