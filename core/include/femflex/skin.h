// Finds the visible surface and lines of a flexible body, for viewers and pictures.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "femflex/flex_body.h"

namespace femflex {

/// The visible surface of a body: indices into FlexBody::nodes.
struct Skin {
  /// Corners of each face, counter-clockwise seen from outside; the last one is -1 for a triangle.
  /// First the surface elements in their order, then the faces of solids that no other solid
  /// shares, in ascending order of their corner indices.
  std::vector<std::array<std::int32_t, 4>> faces;
  std::vector<std::array<std::int32_t, 2>> lines;  ///< ends of bars, beams, rods, springs
};

/// Finds the skin from the corners of the elements; mid nodes are not used. Elements of unknown
/// shape, or with corners that the body does not have, are left out.
Skin skin_of(const FlexBody& body);

}  // namespace femflex
