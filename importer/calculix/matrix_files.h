#pragma once

#include <filesystem>
#include <vector>

#include "bytes/input_file.h"
#include "readers.h"

namespace femflex::importer {

/// Lines `row col value`, 1-based, of a square symmetric matrix.
///
/// CalculiX (*FREQUENCY, SOLVER=MATRIXSTORAGE) writes `job.sti` and `job.mas` so: upper triangle,
/// column by column, with explicit zeros, and beside them `job.dof`, line k = `node.direction` of
/// row k. Rows that are no displacements (incompatible modes, knots) keep the ids CalculiX gives
/// them. Abaqus *MATRIX OUTPUT, FORMAT=COORDINATE writes both triangles.
bool is_calculix_matrix(const FileHead& head);
FileContents read_calculix_matrix(const std::filesystem::path& path,
                                  const ReadOptions& options,
                                  Diagnostics& diagnostics,
                                  Progress& progress);

/// A `.dof` file alone: gives the row map.
bool is_calculix_dof(const FileHead& head);
FileContents read_calculix_dof(const std::filesystem::path& path,
                               const ReadOptions& options,
                               Diagnostics& diagnostics,
                               Progress& progress);

/// One DOF per line, `node.direction`; the number is not a decimal: 155.3 is node 155.
/// @throws ParseError
std::vector<Dof> read_dof_lines(InputFile& file, Progress& progress);

/// Reads lines `row col value` into one matrix. `triangle`: upper where no entry is below the
/// diagonal, lower the other way round, else all.
/// @throws ParseError
RawMatrix read_coordinate_lines(InputFile& file, Progress& progress);

}  // namespace femflex::importer
