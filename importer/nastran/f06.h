// Reads NASTRAN print files (.f06).
#pragma once

#include <filesystem>

#include "readers.h"

namespace femflex::importer {

/// F06 print files, as a last resort: tables of real eigenvalues, real eigenvectors, stresses and
/// strains of elements (f06_stresses.h), and MYSTRAN's table of DOFs (the row of each DOF in each
/// displacement set).
///
/// NASTRAN: `EIGENVALUE =`, then `CYCLES = ... R E A L   E I G E N V E C T O R   N O .  n`, rows
/// `id type T1 .. R3`; pages repeat the headings and continue the vector. A row of type S holds up
/// to six scalar points with consecutive ids. MYSTRAN: `OUTPUT FOR EIGENVECTOR n`, rows
/// `id system T1 ..`. Numbers have six or seven digits.
bool is_f06(const FileHead& head);
FileContents read_f06(const std::filesystem::path& path,
                      const ReadOptions& options,
                      Diagnostics& diagnostics,
                      Progress& progress);

}  // namespace femflex::importer
