// Reads the row lists (`.mapping`) that ANSYS writes beside its matrices.
#pragma once

#include <filesystem>
#include <vector>

#include "bytes/input_file.h"
#include "readers.h"

namespace femflex::importer {

/// The `.mapping` file that ANSYS HBMAT writes: a title line, then lines `equation node dof` with
/// DOFs UX .. ROTZ (any other, such as TEMP, counts as a scalar). It is the only reliable list of
/// the rows of an ANSYS matrix.
bool is_ansys_mapping(const FileHead& head);
FileContents read_ansys_mapping(const std::filesystem::path& path,
                                const ReadOptions& options,
                                Diagnostics& diagnostics,
                                Progress& progress);

/// @throws ParseError
std::vector<Dof> read_mapping_lines(InputFile& file, Progress& progress);

}  // namespace femflex::importer
