// assemble(): the verb `assemble`. Joins the parts of an assembly file and solves the result.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/progress.h"

#include "assembly/assembly_result.h"

namespace femflex::verbs {

/// Input of assemble().
struct AssembleRequest {
  std::filesystem::path assembly;
  std::string part;                                ///< part to solve; empty: chosen by the file
  std::optional<std::vector<std::int64_t>> fixed;  ///< ports to fix; absent: those of the file
  /// Also report what can be recovered from the part, and the error bound.
  bool report = false;
  std::filesystem::path ca;  ///< file of trusted certificates of agents
  /// Files for the dynamics in text form, responses over time, and frequency responses; empty: no
  /// file. If the file requests no response over time, the frequency responses are written to
  /// `csv`.
  std::filesystem::path output, csv, frf_csv;
};

/// Joins dynamic-stiffness substructures: poles, transfer functions, responses.
/// @throws UsageError  there is no result for a requested file
/// @throws ParseError, ModelError  see load_assembly(), PartBook, run_assembly()
tools::AssemblyResult assemble(const AssembleRequest& request,
                               Diagnostics& diagnostics,
                               Progress& progress);

}  // namespace femflex::verbs
