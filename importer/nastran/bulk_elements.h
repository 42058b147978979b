#pragma once

#include <cstdint>
#include <string_view>

#include "femflex/element_shape.h"

namespace femflex::importer {

/// Where an element card holds its nodes, and the shapes that they can make.
struct ElementKind {
  std::string_view name;
  std::int8_t first = -1;  ///< field of the first node, 0-based after the name; -1: not drawn
  ElementShape corners = ElementShape::none;  ///< without mid nodes
  ElementShape whole = ElementShape::none;    ///< with all of them; none: there is no such element
};

/// The kind called `name`, null where it is not an element.
const ElementKind* find_element(std::string_view name);

}  // namespace femflex::importer
