// Writes the results of an assembly to the files that the options of `assemble` and `ask` name.
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
