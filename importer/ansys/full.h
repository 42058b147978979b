// Reads the assembled matrices of ANSYS (.full).
#pragma once

#include <filesystem>

#include "readers.h"

namespace femflex::importer {

/// The `.full` file of symbolic assembly (fdfull in the programmer's reference): STIFFNESS, MASS
/// and DAMPING with their DOFs, along the axes of the nodes. DOFs with a constraint have a row of
/// the unit matrix in the file; they are left out of the matrices and listed as fixed.
///
///   record 1   standard header; record 2: header (items counted from 1: 1 kind, negative for
///              symbolic assembly; 2 equations; 8 DOFs per node; 11 lumped mass; 14 unsymmetric;
///              19, 20 pointer to K; 21 constraint equations; 27, 28 to M; 29, 30 to the damping;
///              33 nodes; 36, 37 to the DOFs)
///   record 3   numbers of the DOFs: 1 to 6 are UX to ROTZ;   record 4: nodes in their order
///   DOFs       a record of the DOFs per node, and one with the DOF of each equation, negative if
///              it is constrained
///   matrices   for each equation a record of row numbers from 1 and one of values, the diagonal
///              last; a lumped mass is one record of its diagonal
bool is_ansys_full(const FileHead& head);
FileContents read_ansys_full(const std::filesystem::path& path,
                             const ReadOptions& options,
                             Diagnostics& diagnostics,
                             Progress& progress);

}  // namespace femflex::importer
