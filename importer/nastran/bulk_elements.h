// Finds a NASTRAN element card by name, with the field of its first node and the element's shapes.
#pragma once

#include <cstdint>
#include <string_view>

#include "femflex/element_shape.h"

namespace femflex::importer {

/// The field where an element card's nodes begin, and the possible shapes of the element.
struct ElementKind {
  std::string_view name;
  std::int8_t first = -1;  ///< field of the first node, 0-based after the name; -1: not drawn
  ElementShape corners = ElementShape::none;  ///< shape without mid nodes
  /// shape with all mid nodes; none: the element never has mid nodes
  ElementShape with_mids = ElementShape::none;
};

/// The kind called `name`; null if it is not an element.
const ElementKind* find_element(std::string_view name);

}  // namespace femflex::importer
