// Reads matrices in coordinate form, as CalculiX (.sti, .mas, .dof) and Abaqus write them.
#pragma once

#include <filesystem>
#include <vector>

#include "bytes/input_file.h"
#include "readers.h"

namespace femflex::importer {

/// True for a file with lines `row col value`, 1-based, of a square symmetric matrix.
///
/// CalculiX (*FREQUENCY, SOLVER=MATRIXSTORAGE) writes `job.sti` and `job.mas` in this way: upper
/// triangle, column by column, with explicit zeros; and `job.dof`, whose line k is `node.direction`
/// of row k. Rows that are not displacements (incompatible modes, knots) keep the ids that CalculiX
/// gives them. Abaqus *MATRIX OUTPUT, FORMAT=COORDINATE writes both triangles.
bool is_calculix_matrix(const FileHead& head);
FileContents read_calculix_matrix(const std::filesystem::path& path,
                                  const ReadOptions& options,
                                  Diagnostics& diagnostics,
                                  Progress& progress);

/// True for a `.dof` file, which gives the row map and can be read by itself.
bool is_calculix_dof(const FileHead& head);
FileContents read_calculix_dof(const std::filesystem::path& path,
                               const ReadOptions& options,
                               Diagnostics& diagnostics,
                               Progress& progress);

/// Reads one DOF per line, `node.direction`. This is not a decimal number: 155.3 is node 155,
/// direction 3.
/// @throws ParseError
std::vector<Dof> read_dof_lines(InputFile& file, Progress& progress);

/// Reads lines `row col value` into one matrix. Its `triangle` is upper if no entry is below the
/// diagonal, lower if none is above it, else all.
/// @throws ParseError
RawMatrix read_entry_lines(InputFile& file, Progress& progress);

}  // namespace femflex::importer
