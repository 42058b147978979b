// The verb solve as a function: a deck in; an installed FE code runs it and writes its matrices,
// which are imported and proven.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/progress.h"

#include "body/solver_deck.h"
#include "verbs/import_files.h"

namespace femflex::verbs {

/// Input of solve().
struct SolveRequest {
  std::filesystem::path deck;
  std::optional<tools::FeCode> code;               ///< absent: by the deck and by what is installed
  std::optional<std::string> program;              ///< absent: ccx, mystran, nastran
  std::optional<std::filesystem::path> deck_only;  ///< write the deck that would run, run nothing
  std::optional<std::filesystem::path>
      keep;                   ///< folder to be made, which keeps the files of the run
  ImportFilesRequest import;  ///< its files are those of the run
};

/// Outcome of solve().
struct SolveOutcome {
  std::string program;  ///< that ran; empty: none
  std::optional<importer::ImportResult> imported;
  std::vector<std::string> outputs;
};

/// Runs the FE code in a folder of its own, so that no file of the user is changed.
/// @throws UsageError  no FE code for this deck is installed; see tools::deck_for_matrices()
/// @throws NumericalError  the FE code failed, or wrote no matrices
/// @throws ParseError, ModelError  see import_files()
SolveOutcome solve(const SolveRequest& request, Diagnostics& diagnostics, Progress& progress);

}  // namespace femflex::verbs
