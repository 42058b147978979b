// Reads CalculiX and Abaqus input decks (.inp).
#pragma once

#include <filesystem>

#include "readers.h"

namespace femflex::importer {

/// Input decks of CalculiX and Abaqus: keyword lines `*NAME, PARAMETER=value`, data lines of fields
/// between commas, `**` comments. Keywords that are read: NODE, ELEMENT, NSET, ELSET (LIST or
/// GENERATE), INSTANCE, TRANSFORM, INCLUDE, HEADING; MASS, ROTARY INERTIA, RIGID BODY, EQUATION,
/// BOUNDARY, STEP, CLOAD; MATERIAL, ELASTIC, DENSITY, ORIENTATION, SOLID, SHELL and BEAM SECTION.
/// All other keywords are counted as unread.
bool is_inp(const FileHead& head);
FileContents read_inp(const std::filesystem::path& path,
                      const ReadOptions& options,
                      Diagnostics& diagnostics,
                      Progress& progress);

}  // namespace femflex::importer
