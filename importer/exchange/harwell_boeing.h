// Reads sparse matrices in the Harwell-Boeing format.
#pragma once

#include <filesystem>

#include "readers.h"

namespace femflex::importer {

/// Harwell-Boeing files, as ANSYS (HBMAT) and general tools write them.
///
///   line 1  title (72) key (8)
///   line 2  TOTCRD PTRCRD INDCRD VALCRD RHSCRD    line counts, I14
///   line 3  type (A3: R|C|P, S|U|H|Z|R, A|E), 11 blanks, NROW NCOL NNZERO NELTVL in I14
///   line 4  Fortran formats of pointers, indices, values, right-hand sides
///   line 5  only if RHSCRD > 0
///   then column pointers, row indices, values, right-hand sides (not read)
///
/// Symmetric types store one triangle. Values are read by the format's width, so they may touch.
/// Element matrices (type ..E) are refused. A `.mapping` file in the same folder, with the same
/// name or the name without _stiff, _mass or _damp, names the rows.
bool is_harwell_boeing(const FileHead& head);
FileContents read_harwell_boeing(const std::filesystem::path& path,
                                 const ReadOptions& options,
                                 Diagnostics& diagnostics,
                                 Progress& progress);

}  // namespace femflex::importer
