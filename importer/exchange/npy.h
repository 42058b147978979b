#pragma once

#include <filesystem>

#include "readers.h"

namespace femflex::importer {

/// One array as numpy.save() writes it: a matrix of two dimensions, or a column of one.
///
///   \x93NUMPY, major, minor (1 byte each), length of the header (2 bytes, 4 from major 2 on;
///   little endian), the header: {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), } and
///   blanks, then the numbers; row by row unless fortran_order.
///
/// Source: numpy/lib/format.py, "Format Version 1.0" to "3.0". Integers and real or complex floats
/// of 4 and 8 bytes a part, either byte order. The matrix is called after its file.
bool is_npy(const FileHead& head);
FileContents read_npy(const std::filesystem::path& path,
                      const ReadOptions& options,
                      Diagnostics& diagnostics,
                      Progress& progress);

}  // namespace femflex::importer
