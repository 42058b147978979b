// Converts element types of Abaqus and CalculiX to NASTRAN names and node orders.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "femflex/element_shape.h"

namespace femflex::importer {

/// NASTRAN's name of an Abaqus or CalculiX element type (C3D10 is CTETRA); empty for types that
/// are not an ElementShape, such as springs and masses.
std::string nastran_name(std::string_view type);

/// Number of nodes of an element type, 0 if it is not known.
std::size_t nodes_of(std::string_view type);

/// Reorders all nodes of one element from the Abaqus order to the NASTRAN order. Abaqus lists the
/// mid nodes of a hexahedron or wedge as bottom, top, upright edges, NASTRAN as bottom, upright,
/// top; the mid node of a bar is the second in Abaqus, the third in NASTRAN.
void to_nastran_order(ElementShape shape, std::vector<std::int64_t>& nodes);

}  // namespace femflex::importer
