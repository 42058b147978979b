// Decks that make an FE code write its stiffness and mass: CalculiX, MYSTRAN, NASTRAN. The user's
// deck stays as it is; the one that runs is made from it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace femflex::tools {

enum class FeCode { calculix, mystran, nastran };

/// A file that a deck includes.
struct DeckInclude {
  std::filesystem::path source;
  std::filesystem::path target;  ///< where a run needs it, relative to its folder
};

/// A deck to run, and the files that it includes by relative names.
struct SolverDeck {
  std::string text;
  std::vector<DeckInclude> includes;
};

/// True if the text is a deck of CalculiX (lines that begin with one *), false for NASTRAN's bulk.
bool is_keyword_deck(std::string_view text);

/// CalculiX: the model part, then a step that stores matrices. MYSTRAN: OUTPUT4 in the executive
/// control. NASTRAN: PARAM,EXTOUT,DMIGPCH in the bulk data.
/// @throws UsageError  no such file, or an included file is not in or below the deck's folder
/// @throws ModelError  CalculiX: the deck has steps with a preload. MYSTRAN or NASTRAN: it has no
/// SOL 103 or no BEGIN BULK
SolverDeck deck_for_matrices(const std::filesystem::path& deck, FeCode code);

}  // namespace femflex::tools
