// Finds the section of an element by binary search.
#include "femflex/element_properties.h"

#include <algorithm>

namespace femflex {

const ElementSection* find_section(const ElementProperties& properties, std::int64_t element) {
  const std::vector<ElementSection>& all = properties.elements;
  const auto found = std::lower_bound(
      all.begin(), all.end(), element, [](const ElementSection& section, std::int64_t id) {
        return section.element < id;
      });
  return found != all.end() && found->element == element ? &*found : nullptr;
}

}  // namespace femflex
