// Element types of Abaqus and CalculiX, expressed by NASTRAN names and node orders.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "femflex/element_shape.h"

namespace femflex::importer {

/// NASTRAN's name of an Abaqus or CalculiX element type (C3D10 is CTETRA); empty if the type has no
/// shape to draw.
std::string nastran_name(std::string_view type);

/// Number of nodes of an element type, 0 if it is not known.
std::size_t nodes_of(std::string_view type);

/// Reorders mid nodes from the Abaqus order (bottom, top, upright; for a bar between its ends) to
/// the NASTRAN order (bottom, upright, top; for a bar after its ends). `nodes` are all nodes of one
/// element.
void to_nastran_order(ElementShape shape, std::vector<std::int64_t>& nodes);

}  // namespace femflex::importer
