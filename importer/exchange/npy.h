#pragma once

#include <filesystem>

#include "readers.h"

namespace femflex::importer {

/// One array as written by numpy.save() (io::NpyHeader): two dimensions are a matrix, one dimension
/// a column. Integers and real or complex floats, parts of 4 and 8 bytes, either byte order. The
/// matrix gets the name of its file.
bool is_npy(const FileHead& head);
FileContents read_npy(const std::filesystem::path& path,
                      const ReadOptions& options,
                      Diagnostics& diagnostics,
                      Progress& progress);

}  // namespace femflex::importer
