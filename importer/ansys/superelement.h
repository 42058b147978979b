// Reads the superelements of ANSYS (.sub): reduced matrices with the DOFs of their master nodes.
#pragma once

#include <filesystem>

#include "readers.h"

namespace femflex::importer {

/// The `.sub` file of a substructure or CMS run (fdsub in the programmer's reference, full
/// matrices): STIFFNESS, MASS and DAMPING with their DOFs, along the axes of the nodes, and the
/// nodes with their positions. Rows of modes become scalar points numbered after the last node.
///
///   record 1   standard header; record 2: header (items counted from 1: 1 kind, 8 for full, 9 for
///              sparse matrices; 2 rows; 5 DOFs per node; 6 largest node; 8 length of the node
///              table; 9 nodes; 10 unsymmetric; 11 to 14 whether there are K, M, damping and
///              stress stiffness; 15 load vectors; 21 transformations; 22 pointer to the
///              matrices; 31 to the DOF numbers; 32 to the DOFs of the rows; 33 to the node table;
///              35 to the nodes; 36 to their positions; 38 to the DOFs by node numbers; 44 modes)
///   rows       (N - 1) * DOFs per node + place of the DOF; N is a place in the node table or a
///              node number, which the DOFs by node numbers tell: (node - 1) * 32 + DOF, sorted
///   positions  a record x, y, z, THXY, THYZ, THZX [degrees] for each node
///   matrices   row by row: the first row of each matrix, the second of each, ... A row holds all
///              columns, those up to the diagonal, or those from it on
bool is_ansys_superelement(const FileHead& head);
FileContents read_ansys_superelement(const std::filesystem::path& path,
                                     const ReadOptions& options,
                                     Diagnostics& diagnostics,
                                     Progress& progress);

}  // namespace femflex::importer
