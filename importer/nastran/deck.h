// Reads NASTRAN decks (.bdf, .dat, .nas).
#pragma once

#include <deque>
#include <filesystem>
#include <string>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/importer/contents.h"
#include "femflex/progress.h"

#include "bytes/input_file.h"
#include "nastran/bulk_cards.h"
#include "nastran/bulk_model.h"
#include "readers.h"

namespace femflex::importer {

/// True for NASTRAN decks: bulk data, with or without executive and case control before it.
/// INCLUDEs are followed.
bool is_bulk(const FileHead& head);
FileContents read_bulk(const std::filesystem::path& path,
                       const ReadOptions& options,
                       Diagnostics& diagnostics,
                       Progress& progress);

/// True for the card names (upper case) by which a deck, or a card with fields separated by blanks,
/// is recognised; not all cards that are read are among them.
bool is_bulk_name(std::string_view name);

/// True if the line, after leading blanks, begins with `word` (upper case; the line in any case)
/// and no letter or digit follows the word.
bool begins_with_word(std::string_view line, std::string_view word);

}  // namespace femflex::importer
