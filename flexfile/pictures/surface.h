#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "femflex/flex_body.h"

namespace femflex::flexfile {

/// What can be seen of a body: indices into FlexBody::nodes.
struct Surface {
  std::vector<std::array<std::int32_t, 3>> triangles;  ///< shells, and the skin of solids
  std::vector<std::array<std::int32_t, 2>> lines;      ///< bars, beams, rods, springs
};

/// Elements of unknown type or with nodes that the body lacks are left out.
Surface surface_of(const FlexBody& body);

/// Corners of an element of this type: 3 or 4 of a shell, 4, 5, 6 or 8 of a solid, 2 of a line; 0
/// where the type is not known.
int corners_of(std::string_view type, int nodes_per_element);

/// VTK cell type, 0 where there is none.
std::uint8_t vtk_cell(std::string_view type, int nodes_per_element);

}  // namespace femflex::flexfile
