#pragma once

#include <cstdint>
#include <string_view>

#include "femflex/element_shape.h"

namespace femflex::importer {

/// The field where an element card's nodes begin, and the possible shapes of the element.
struct ElementKind {
  std::string_view name;
  std::int8_t first = -1;  ///< field of the first node, 0-based after the name; -1: not drawn
  ElementShape corners = ElementShape::none;  ///< without mid nodes
  ElementShape whole = ElementShape::none;    ///< with all of them; none: there is no such element
};

/// The kind called `name`; null if it is not an element.
const ElementKind* find_element(std::string_view name);

}  // namespace femflex::importer
