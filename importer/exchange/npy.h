// Reads matrices that numpy.save() wrote (.npy).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "readers.h"

namespace femflex::importer {

/// One array as written by numpy.save() (io::NpyHeader): two dimensions are a matrix, one dimension
/// a column. Items are integers and real or complex floats, made of numbers of 4 or 8 bytes in
/// either byte order. The matrix is named after its file.
bool is_npy(const FileHead& head);
FileContents read_npy(const std::filesystem::path& path,
                      const ReadOptions& options,
                      Diagnostics& diagnostics,
                      Progress& progress);

/// The array whose bytes these are, as a matrix called `name`.
/// @param file  for messages
/// @throws ParseError
RawMatrix npy_matrix(std::string_view bytes,
                     const std::string& file,
                     const std::string& name,
                     Progress& progress);

}  // namespace femflex::importer
