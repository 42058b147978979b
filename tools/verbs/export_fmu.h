// The verb export as a function: a system or a body in, an FMU out that other programs run.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/progress.h"
#include "femflex/units.h"

#include "document/document.h"
#include "verbs/input.h"

namespace femflex::verbs {

/// Input of export_fmu().
struct ExportRequest {
  enum class Kind : std::uint8_t { by_input, co_simulation, model_exchange };
  std::variant<tools::DocumentInput, BodyInput> what;
  tools::DocumentOptions document;
  std::optional<Units> units;  ///< of a body file that gives none
  std::filesystem::path output;
  int fmi = 2;                 ///< version of the standard: 2 or 3
  Kind kind = Kind::by_input;  ///< by_input: co-simulation of a system, model exchange of a body
  std::vector<std::string> inputs;   ///< loads to add to the inputs of the system
  std::vector<std::string> outputs;  ///< output channels; empty: those of the system
  std::optional<double> step;        ///< time step inside the FMU [s]; absent: that of the analysis
  std::optional<double> end;  ///< proposed end of a simulation [s]; absent: that of the analysis
};

/// Outcome of export_fmu().
struct ExportOutcome {
  std::string name;
  bool is_linear = false;
  std::size_t inputs = 0, parameters = 0, outputs = 0, states = 0;
  std::uintmax_t bytes = 0;  ///< size of the file
};

/// Writes an FMU.
/// @throws UsageError  the library of FMUs is missing; see read_any_system(), load()
/// @throws ModelError  the system cannot be exported in this kind
ExportOutcome export_fmu(const ExportRequest& request,
                         Diagnostics& diagnostics,
                         Progress& progress);

}  // namespace femflex::verbs
