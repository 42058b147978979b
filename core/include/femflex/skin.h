#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "femflex/flex_body.h"

namespace femflex {

/// The visible surface of a body: indices into FlexBody::nodes.
struct Skin {
  /// Corners counter-clockwise seen from outside, the last -1 of a triangle: surface elements by
  /// their order, then faces of solids that no other solid shares, by their corners' numbers.
  std::vector<std::array<std::int32_t, 4>> faces;
  std::vector<std::array<std::int32_t, 2>> lines;  ///< ends of bars, beams, rods, springs
};

/// Only corners are used. Elements of unknown shape, or with corners that the body lacks, are left
/// out.
Skin skin_of(const FlexBody& body);

}  // namespace femflex
