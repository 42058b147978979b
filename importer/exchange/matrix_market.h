// Reads matrices in the Matrix Market format.
#pragma once

#include <filesystem>

#include "readers.h"

namespace femflex::importer {

/// Matrix Market exchange files, of any creator; ANSYS MMF exports and their mapping vectors are
/// such files too.
///
///   %%MatrixMarket matrix|vector coordinate|array real|integer|complex|pattern
///                  general|symmetric|skew-symmetric|hermitian
///   % comments, then rows cols [entries], then entries: row col [value [imaginary]], 1-based, or
///   (array) values column by column; one triangle if symmetric.
///
/// Keywords in any case; LF, CR LF or CR; D exponents. Entries on the wrong side of the diagonal of
/// a symmetric matrix are mirrored, repeated entries are added. Skew-symmetric and hermitian
/// matrices are stored in full.
bool is_matrix_market(const FileHead& head);
FileContents read_matrix_market(const std::filesystem::path& path,
                                const ReadOptions& options,
                                Diagnostics& diagnostics,
                                Progress& progress);

}  // namespace femflex::importer
