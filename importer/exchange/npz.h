// Reads matrices that numpy.savez() and scipy.sparse.save_npz() wrote (.npz).
#pragma once

#include <filesystem>

#include "readers.h"

namespace femflex::importer {

/// A ZIP of NPY arrays (npy.h), stored or deflated, up to 4 GB unpacked. Two kinds:
///
///   scipy.sparse.save_npz   format ('csr', 'csc', 'coo', 'dia'), shape, data, and indices and
///                           indptr, or row and col, or offsets: a matrix named after its file
///   numpy.savez             arrays with names, which named_arrays.h lists
///
/// Source: scipy/sparse/_matrix_io.py. Files of bodies (Exudyn) are not read here.
bool is_npz(const FileHead& head);
FileContents read_npz(const std::filesystem::path& path,
                      const ReadOptions& options,
                      Diagnostics& diagnostics,
                      Progress& progress);

}  // namespace femflex::importer
