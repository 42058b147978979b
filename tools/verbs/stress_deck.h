// stress_deck(): writes a deck that enforces each mode shape in the FE code, and reads the
// resulting stresses into a model. The verb stress-deck calls it.
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
  std::filesystem::path deck;  ///< `.inp` or `.bdf` file with mesh, materials and sections
  std::variant<ModelInput, BodyInput> shapes = ModelInput(std::filesystem::path());
  std::optional<ModelInput> model;  ///< model of a body; absent: found by the FE files of the body
  std::optional<Units> units;       ///< units of a file without units
  std::filesystem::path output;     ///< deck to write, in the format of `deck`
  bool run = false;                 ///< start `program` (CalculiX) and read its results
  std::string program = "ccx";
  std::optional<std::filesystem::path> results;   ///< results of a run made elsewhere: `.frd`,
                                                  ///< `.op2`, ...
  std::optional<std::filesystem::path> stresses;  ///< model to write; absent: OUTPUT.fe.h5
};

/// Outcome of stress_deck().
struct StressDeckOutcome {
  std::int64_t shapes = 0;
  std::int64_t nodes = 0;            ///< number of nodes with enforced motion
  std::vector<std::string> dropped;  ///< keywords and cards of the deck that were omitted
  std::int64_t places = 0;           ///< number of places with stresses; 0 without results
  /// largest difference between the displacements of results and shapes, relative to the largest
  /// displacement of the shape
  double difference = 0.0;
  std::vector<std::string> outputs;
};

/// Writes the deck; with results, also the model that has the shapes as its modes, with their
/// stresses.
/// @throws UsageError    file extensions that do not match; the program cannot be started; see
/// load()
/// @throws ModelError    see tools::enforced_deck(); shapes of shells without rotations; results of
/// other shapes, of another deck, or without stresses
/// @throws NumericalError  the program failed
StressDeckOutcome stress_deck(const StressDeckRequest& request,
                              Diagnostics& diagnostics,
                              Progress& progress);

}  // namespace femflex::verbs
