// The verb stress-deck as a function: a deck that enforces each shape in the FE code, and a model
// with the stresses that it gave.
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

#include "verbs/input.h"

namespace femflex::verbs {

/// Input of stress_deck().
struct StressDeckRequest {
  std::filesystem::path deck;  ///< `.inp` or `.bdf`: mesh, materials and sections
  std::variant<ModelInput, BodyInput> shapes = ModelInput(std::filesystem::path());
  std::optional<ModelInput> model;  ///< of a body; absent: found by its FE files
  std::optional<Units> units;       ///< units of a file that gives none
  std::filesystem::path output;     ///< deck to be written, of the same kind
  bool run = false;                 ///< start `program` (CalculiX) and read its results
  std::string program = "ccx";
  std::optional<std::filesystem::path> results;   ///< of a run made elsewhere: `.frd`, `.op2`, ...
  std::optional<std::filesystem::path> stresses;  ///< model to be written; absent: OUTPUT.fe.h5
};

/// Outcome of stress_deck().
struct StressDeckOutcome {
  std::int64_t shapes = 0;
  std::int64_t nodes = 0;            ///< whose motion is enforced
  std::vector<std::string> dropped;  ///< keywords and cards of the deck that were left out
  std::int64_t places = 0;           ///< with stresses; 0 without results
  /// largest difference between the displacements of the results and of the shapes, over the
  /// largest displacement of the shape
  double difference = 0.0;
  std::vector<std::string> outputs;
};

/// Writes the deck; with results, also the model whose modes are the shapes, with their stresses.
/// @throws UsageError    endings that do not fit; the program cannot be started; see load()
/// @throws ModelError    see tools::enforced_deck(); results of other shapes or another deck, or
///                       without stresses
/// @throws NumericalError  the program failed
StressDeckOutcome stress_deck(const StressDeckRequest& request,
                              Diagnostics& diagnostics,
                              Progress& progress);

}  // namespace femflex::verbs
