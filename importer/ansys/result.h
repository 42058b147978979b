// Reads the results of ANSYS (.rst): mesh, displacement shapes, stresses of solids.
#pragma once

#include <filesystem>

#include "readers.h"

namespace femflex::importer {

/// The `.rst` file (fdresu in the programmer's reference): nodes, elements, and the displacements
/// of modes and load steps, along the axes of the nodes.
///
///   record 2   header (items counted from 1: 3 nodes; 4 places for data sets; 8 kind of analysis,
///              2 modal; 9 data sets; 11 to 16 pointers, their high words from 41 on; 20 units;
///              21 cyclic sectors)
///   record 3   numbers of the DOFs;   NOD: nodes in the order of the results
///   DSI        pointers of the data sets, low words then high words;   TIM: frequency or time
///   GEO        pointers to element types (ETY), nodes (LOC) and elements (EID)
///   data set   header (3 nodes; 11 or 105, 106 pointer to the displacements; 19 imaginary part; 20
///              DOFs per node; 21 on their numbers), pointers relative to it
///   NSL        values node by node, along the axes of each node; if they are fewer than the nodes,
///              a record with the positions of their nodes follows
///
///   ESL        pointers of the elements' results; of each element a table of pointers, the third
///   to
///              ENS, the stresses xx, yy, zz, xy, yz, zx at its corners
///
/// Stresses of bricks and tetrahedra along basic axes are read; those of other elements, of bricks
/// whose nodes coincide, and other element results are not.
bool is_ansys_result(const FileHead& head);
FileContents read_ansys_result(const std::filesystem::path& path,
                               const ReadOptions& options,
                               Diagnostics& diagnostics,
                               Progress& progress);

}  // namespace femflex::importer
