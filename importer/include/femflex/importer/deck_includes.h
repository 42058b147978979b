// INCLUDEs of decks: the file that a line names, and where it is sought. The reader of decks and
// all that copy them follow the same rule.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "femflex/lines.h"

namespace femflex::importer {

enum class DeckLanguage : std::uint8_t {
  nastran,   ///< INCLUDE 'name', also over several lines
  calculix,  ///< *INCLUDE, INPUT=name, as in Abaqus
};

/// Limits that stop decks whose files include each other.
inline constexpr int kDeepestInclude = 64;
inline constexpr std::int64_t kMostIncludes = 10'000;

/// The name in the INCLUDE at the current line, without quotes and blanks around it; empty if the
/// line has none, absent if it is another line. Takes further lines of a long name in quotes.
std::optional<std::string> included_name(Lines& lines, DeckLanguage language);

/// Where an included file is. A relative name is that of a file beside the including one or, in a
/// file that is itself included, beside the deck: CalculiX, which runs beside the deck, looks there
/// first, NASTRAN last.
/// @param including  the file with the INCLUDE
/// @param folder     of the deck
std::filesystem::path included_path(const std::string& name,
                                    const std::filesystem::path& including,
                                    const std::filesystem::path& folder,
                                    DeckLanguage language);

}  // namespace femflex::importer
