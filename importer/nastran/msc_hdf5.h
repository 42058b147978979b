// Reads HDF5 result files of MSC Nastran.
#pragma once

#include <filesystem>

#include "readers.h"

namespace femflex::importer {

/// Results of MSC Nastran in HDF5 (MDLPRM,HDF5): grids, scalar points, coordinate systems,
/// eigenvalues, eigenvectors (real and complex), displacements.
///
/// The data are compound datasets under /NASTRAN. Their fields change with the schema and are
/// therefore addressed by name. A shape is joined to its domain (/NASTRAN/RESULT/DOMAINS) by
/// DOMAIN_ID; the rows of the eigenvalue summary are in separate domains and are joined by mode
/// number. Values are in CD axes.
bool is_msc_hdf5(const FileHead& head);
FileContents read_msc_hdf5(const std::filesystem::path& path,
                           const ReadOptions& options,
                           Diagnostics& diagnostics,
                           Progress& progress);

}  // namespace femflex::importer
