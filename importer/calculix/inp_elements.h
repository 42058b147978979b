#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace femflex::importer {

/// NASTRAN's name of an Abaqus or CalculiX element type (C3D10 is CTETRA); empty where it has no
/// shape to draw.
std::string nastran_name(std::string_view type);

/// Number of nodes of an element type, 0 where it is not known.
std::size_t nodes_of(std::string_view type);

/// Mid-side nodes from Abaqus' order (bottom, top, between) to NASTRAN's (bottom, between, top).
void to_nastran_order(std::vector<std::int64_t>& nodes);

}  // namespace femflex::importer
