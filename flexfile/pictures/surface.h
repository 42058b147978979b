// Gives the surface of a body as triangles and lines, for the picture formats.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "femflex/flex_body.h"

namespace femflex::flexfile {

/// The skin of a body as triangles and lines: indices into FlexBody::nodes.
struct Surface {
  std::vector<std::array<std::int32_t, 3>> triangles;  ///< shells, and the skin of solids
  std::vector<std::array<std::int32_t, 2>> lines;      ///< bars, beams, rods, springs
};

/// The skin (femflex/skin.h) with every quadrilateral split into two triangles.
Surface surface_of(const FlexBody& body);

}  // namespace femflex::flexfile
