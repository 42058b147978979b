// Reads the mesh of ANSYS archives (.cdb) and of decks that Workbench writes (.dat).
#pragma once

#include <filesystem>

#include "readers.h"

namespace femflex::importer {

/// Archives of CDWRITE and other decks with blocks. Commands that are read: NBLOCK (nodes with
/// their rotation), EBLOCK with SOLID, ET and ETBLOCK (which element a type is), CMBLOCK of nodes,
/// D (constraints) and F (forces) at a node, /UNITS and /TITLE. Upper and lower case are one, and
/// names may be cut to four characters. All other commands that make or tie nodes and elements are
/// counted as unread.
///
///   NBLOCK   a line with the Fortran format, (3i9,6e21.13e3) or (1i9,3e20.9e3): the node first,
///            then the reals x, y, z and the rotations THXY, THYZ, THZX; trailing zeros are left
///            out. A block ends with -1, or N,R5.3,LOC,-1; its head may tell how many rows it has:
///            NBLOCK,6,SOLID, largest number, rows
///   EBLOCK   (19i9): material, element type, real constants, section, system, death, solid model,
///            shape, number of nodes, not used, element, 8 nodes; the others fill the next lines
///   CMBLOCK  (8i10): node numbers; -n after m stands for m to n
bool is_ansys_deck(const FileHead& head);
FileContents read_ansys_deck(const std::filesystem::path& path,
                             const ReadOptions& options,
                             Diagnostics& diagnostics,
                             Progress& progress);

}  // namespace femflex::importer
