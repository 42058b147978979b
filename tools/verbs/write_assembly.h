// write_assembly(): writes the results of an assembly to the files given by options of `assemble`
// and `ask`.
#pragma once

#include <filesystem>

#include "assembly/assembly_result.h"

namespace femflex::verbs {

/// Files for the solution of an assembly; an empty path means no file.
struct AssemblyOutputs {
  std::filesystem::path dynamics;  ///< text form of the dynamics
  std::filesystem::path csv;       ///< responses over time; if there are none, frequency responses
  std::filesystem::path frf_csv;   ///< frequency responses
};

/// @throws UsageError  there is no result for a requested file
void write_assembly(const tools::AssemblyResult& result, const AssemblyOutputs& outputs);

}  // namespace femflex::verbs
