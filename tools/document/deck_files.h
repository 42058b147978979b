// visit_deck(): goes through a deck of an FE code and the files that it includes.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "femflex/importer/deck_includes.h"

namespace femflex::tools {

/// A file that a deck includes.
struct IncludedFile {
  std::string name;  ///< as the deck writes it
  std::filesystem::path path;
};

/// What to do with a deck; either may be absent.
struct DeckVisitor {
  /// a line of a file, in the order in which they count
  std::function<void(std::string_view line, const std::filesystem::path& file)> on_line;
  std::function<void(const IncludedFile& file)> on_file;  ///< before it is opened
};

/// Visits the lines of `text` and, in the place of INCLUDEs, those of the files that they name.
/// @param deck  the file that has the text
/// @throws UsageError  an included file does not exist, or files include each other
void visit_deck(std::string_view text,
                const std::filesystem::path& deck,
                importer::DeckLanguage language,
                const DeckVisitor& visitor);

}  // namespace femflex::tools
