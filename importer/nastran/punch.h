// Reads NASTRAN punch files (.pch).
#pragma once

#include <filesystem>

#include "femflex/diagnostics.h"
#include "femflex/importer/contents.h"
#include "femflex/progress.h"

#include "readers.h"

namespace femflex::importer {

/// True for NASTRAN punch files: results with `$` headers, and bulk data cards (DMIG, EXTRN, GRID,
/// ...).
bool is_punch(const FileHead& head);
FileContents read_punch(const std::filesystem::path& path,
                        const ReadOptions& options,
                        Diagnostics& diagnostics,
                        Progress& progress);

}  // namespace femflex::importer
