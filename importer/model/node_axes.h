// Numbers the turned axes of nodes (NROTAT) alike in all ANSYS files of an import.
#pragma once

#include <vector>

#include "femflex/importer/contents.h"

namespace femflex::importer {

/// ANSYS gives angles node by node, so that each reader numbers its systems by itself, in the order
/// in which they appear. Two files with other nodes number them differently: here the later file
/// takes over the numbers of nodes that an earlier one has too, and its other systems get numbers
/// above all before.
///
/// @throws ModelError  two files turn the axes of a node differently
void unify_node_axes(std::vector<FileContents>& files);

}  // namespace femflex::importer
