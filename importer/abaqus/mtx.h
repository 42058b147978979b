// Reads Abaqus matrix files (.mtx), and substructure matrices written as user elements.
#pragma once

#include <filesystem>

#include "readers.h"

namespace femflex::importer {

/// Abaqus *MATRIX OUTPUT, FORMAT=MATRIX INPUT or LABELS: `node, dof, node, dof, value`, one
/// triangle if symmetric; lines that begin with a star are keywords or comments. Negative labels
/// are internal nodes. read_calculix_matrix() reads FORMAT=COORDINATE, whose lines are those of
/// CalculiX.
bool is_abaqus_labels(const FileHead& head);
FileContents read_abaqus_labels(const std::filesystem::path& path,
                                const ReadOptions& options,
                                Diagnostics& diagnostics,
                                Progress& progress);

/// Substructure matrices that CalculiX (*SUBSTRUCTURE MATRIX OUTPUT) and Abaqus (*SUBSTRUCTURE
/// MATRIX OUTPUT) write as a user element: comments list the node of each DOF, lines `k, dir`
/// its direction, then *MATRIX, TYPE=STIFFNESS|MASS and the lower triangle row by row, each row on
/// a new line.
bool is_user_element(const FileHead& head);
FileContents read_user_element(const std::filesystem::path& path,
                               const ReadOptions& options,
                               Diagnostics& diagnostics,
                               Progress& progress);

}  // namespace femflex::importer
