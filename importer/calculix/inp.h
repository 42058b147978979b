// Reader of CalculiX and Abaqus input decks (.inp).
#pragma once

#include <filesystem>

#include "readers.h"

namespace femflex::importer {

/// Input decks of CalculiX and Abaqus: keyword lines `*NAME, PARAMETER=value`, data lines of fields
/// between commas, `**` comments. Keywords that are read: NODE, ELEMENT, NSET, ELSET (LIST or
/// GENERATE), MASS, ROTARY INERTIA, BOUNDARY, RIGID BODY, INSTANCE (translation), HEADING, INCLUDE.
/// Everything else is counted as unread.
bool is_inp(const FileHead& head);
FileContents read_inp(const std::filesystem::path& path,
                      const ReadOptions& options,
                      Diagnostics& diagnostics,
                      Progress& progress);

}  // namespace femflex::importer
