// Reads sparse matrices in the Harwell-Boeing format.
#pragma once

#include <filesystem>

#include "readers.h"

namespace femflex::importer {

/// Harwell-Boeing files, as ANSYS (HBMAT) and general tools write them.
///
///   line 1  title (72) key (8)
///   line 2  TOTCRD PTRCRD INDCRD VALCRD RHSCRD    line counts, I14
///   line 3  type (A3: R|C|P, S|U|H|Z|R, A|E), NROW NCOL NNZERO NELTVL
///   line 4  Fortran formats of pointers, indices, values, right-hand sides
///   line 5  only if RHSCRD > 0
///   then column pointers, row indices, values, right-hand sides (not read)
///
/// Symmetric types store the lower triangle. Values are read by the format's width, so they may
/// touch. A `.mapping` file in the same folder, with the same name or the start of it, names the
/// rows.
bool is_harwell_boeing(const FileHead& head);
FileContents read_harwell_boeing(const std::filesystem::path& path,
                                 const ReadOptions& options,
                                 Diagnostics& diagnostics,
                                 Progress& progress);

}  // namespace femflex::importer
