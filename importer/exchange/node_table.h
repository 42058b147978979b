#pragma once

#include <filesystem>

#include "readers.h"

namespace femflex::importer {

/// A table of nodes, one per line: id, x, y, z, in basic. Fields are separated by commas,
/// semicolons, tabs or blanks; with tabs and semicolons the decimal sign may be a comma (ANSYS
/// exports of a German system write `7,5e-002`). Lines before the first node may be titles; `#` and
/// `%` are comments.
bool is_node_table(const FileHead& head);
FileContents read_node_table(const std::filesystem::path& path,
                             const ReadOptions& options,
                             Diagnostics& diagnostics,
                             Progress& progress);

}  // namespace femflex::importer
