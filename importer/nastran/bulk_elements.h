#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace femflex::importer {

/// Where an element card holds its nodes, and which numbers of them make a picture.
struct ElementKind {
  std::string_view name;
  std::int8_t first = 0;             ///< field of the first node, 0-based behind the name
  std::array<std::int8_t, 2> nodes;  ///< corners alone, and with all mid-side nodes; 0: none
};

/// The kind called `name`, null where it is no element.
const ElementKind* find_element(std::string_view name);

}  // namespace femflex::importer
