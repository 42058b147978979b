// export_fmu(): the verb export. Writes a system or a body as an FMU (Functional Mock-up Unit),
// which other programs run.
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
  std::optional<Units> units;  ///< units of a body file that gives none
  std::filesystem::path output;
  std::optional<int> fmi;      ///< version of the standard: 2 or 3; absent: 2
  Kind kind = Kind::by_input;  ///< by_input: co-simulation for a system, model exchange for a body
  std::vector<std::string> inputs;   ///< loads to add as inputs of the system
  std::vector<std::string> outputs;  ///< output channels; empty: those of the system
  /// Time step inside the FMU [s]; absent: that of the analysis. Of A, B, C, D: between samples;
  /// absent: continuous.
  std::optional<double> step;
  bool mat73 = false;         ///< .mat of level 7.3
  std::optional<double> end;  ///< proposed end of a simulation [s]; absent: that of the analysis
};

/// Outcome of export_fmu().
struct ExportOutcome {
  std::string name;
  bool is_linear = false;
  bool has_matrices = false;  ///< A, B, C, D were written, no FMU
  std::size_t inputs = 0, parameters = 0, outputs = 0, states = 0;
  std::size_t constants = 0;  ///< parameters that the model cannot follow
  std::uintmax_t bytes = 0;   ///< size of the file
};

/// Writes an FMU; to .mat, .npz or .csv A, B, C, D.
/// @throws UsageError  the library of FMUs is missing, or an option does not belong to the kind of
/// file; see read_any_system(), load()
/// @throws ModelError  the system cannot be exported in this kind
ExportOutcome export_fmu(const ExportRequest& request,
                         Diagnostics& diagnostics,
                         Progress& progress);

}  // namespace femflex::verbs
