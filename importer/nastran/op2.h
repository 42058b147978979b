// Reads NASTRAN OUTPUT2 files (.op2).
#pragma once

#include <filesystem>

#include "readers.h"

namespace femflex::importer {

bool is_op2(const FileHead& head);
/// OUTPUT2 files of NASTRAN codes and MYSTRAN: geometry, bookkeeping tables, shapes, element
/// stresses, matrices. Unknown records are counted by table in `unread`. If a file ends early, its
/// complete tables are returned, with a warning. Formatted (text) OUTPUT2 is refused.
FileContents read_op2(const std::filesystem::path& path,
                      const ReadOptions& options,
                      Diagnostics& diagnostics,
                      Progress& progress);

}  // namespace femflex::importer
