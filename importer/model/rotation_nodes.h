// Finds the nodes that CalculiX adds for the rotations of rigid bodies without a ROT NODE.
#pragma once

#include "model/gather.h"

namespace femflex::importer {

/// CalculiX numbers the nodes that it adds for *RIGID BODY and *COUPLING in the order of the deck,
/// above all nodes of the deck and before those into which it expands elements. So the first nodes
/// of a row list that the deck does not have are the rotation nodes of the bodies without one, if
/// there are enough of them, and exactly as many in a model of elements that are not expanded.
/// Adds them to FileContents::rotation_nodes of the deck.
void find_rotation_nodes(Gathered& gathered);

}  // namespace femflex::importer
