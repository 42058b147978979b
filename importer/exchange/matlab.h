// Reads matrices of MATLAB and Octave files (.mat).
#pragma once

#include <filesystem>

#include "readers.h"

namespace femflex::importer {

/// Full and sparse real matrices of level 5 (`save -v6`, `-v7`; io/mat5.h) and of level 7.3, which
/// is HDF5: a full array is a data set with its axes in reverse order, a sparse one a group with
/// the attribute MATLAB_sparse (number of rows) and the data sets data, ir (rows) and jc (starts of
/// the columns). named_arrays.h lists the names. Structs, cells, texts and complex matrices are
/// counted as unread.
///
/// Sources: "MAT-File Format" (MathWorks); data sets as MATLAB R2023 writes them.
bool is_matlab(const FileHead& head);
FileContents read_matlab(const std::filesystem::path& path,
                         const ReadOptions& options,
                         Diagnostics& diagnostics,
                         Progress& progress);

}  // namespace femflex::importer
