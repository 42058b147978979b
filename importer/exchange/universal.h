// Reads universal files (.unv) of I-DEAS and of the test programs that write them.
#pragma once

#include <filesystem>

#include "readers.h"

namespace femflex::importer {

/// Universal files: data sets between lines of -1, each with its number.
///
///   15, 2411, 781    nodes: number and x y z on one line, or on two
///   2412, 780        elements: number, kind, properties, material, colour, number of nodes; beams
///                    have a line of orientation; the nodes, mid nodes between their corners
///   18               Cartesian coordinate systems, in which nodes of 15 may be defined
///   2420             coordinate systems are counted as unread: nodes of 2411 are global
///   164              units: number of the system, then factors
///   2467, 2477, 2435, 2452   groups: their nodes become a set
///   55               data at nodes: displacements of modes and load cases
///   2414             the same in its newer form
///   58               functions are counted by their kind (femflex/importer/universal_functions.h)
///
/// Displacements are taken along basic directions; a warning tells how many nodes have another
/// displacement system.
bool is_universal(const FileHead& head);
FileContents read_universal(const std::filesystem::path& path,
                            const ReadOptions& options,
                            Diagnostics& diagnostics,
                            Progress& progress);

}  // namespace femflex::importer
