// Reads node coordinates from plain text or CSV tables.
#pragma once

#include <filesystem>

#include "readers.h"

namespace femflex::importer {

/// A table with one node per line: id, x, y, z in the basic system. Fields are separated by commas,
/// semicolons, tabs or blanks; if fields are separated by tabs or semicolons, the decimal sign may
/// be a comma (ANSYS on a German system writes `7,5e-002`). Lines before the first node may be
/// titles; `#` and `%` are comments.
bool is_node_table(const FileHead& head);
FileContents read_node_table(const std::filesystem::path& path,
                             const ReadOptions& options,
                             Diagnostics& diagnostics,
                             Progress& progress);

}  // namespace femflex::importer
