#pragma once

#include <filesystem>

#include "readers.h"

namespace femflex::importer {

/// One array as numpy.save() writes it (io::NpyHeader): a matrix of two dimensions, or a column of
/// one. Integers and real or complex floats, parts of 4 and 8 bytes, either byte order. The matrix
/// is called after its file.
bool is_npy(const FileHead& head);
FileContents read_npy(const std::filesystem::path& path,
                      const ReadOptions& options,
                      Diagnostics& diagnostics,
                      Progress& progress);

}  // namespace femflex::importer
