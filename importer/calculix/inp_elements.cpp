// Gives the NASTRAN name, the shape and the NASTRAN node order of Abaqus and CalculiX element
// types.
#include "calculix/inp_elements.h"

#include <algorithm>
#include <array>
#include <utility>

namespace femflex::importer {
namespace {

struct ElementType {
  std::string_view prefix;  ///< start of the type name; longer prefixes come first
  ElementShape shape;
  const char* name;
};

constexpr auto kElementTypes = [] {
  using enum ElementShape;
  return std::array{ElementType{"C3D10", tetrahedron10, "CTETRA"},
                    ElementType{"C3D15", wedge15, "CPENTA"},
                    ElementType{"C3D20", hexahedron20, "CHEXA"},
                    ElementType{"C3D4", tetrahedron4, "CTETRA"},
                    ElementType{"C3D6", wedge6, "CPENTA"},
                    ElementType{"C3D8", hexahedron8, "CHEXA"},
                    ElementType{"SC6", wedge6, "CPENTA"},
                    ElementType{"SC8", hexahedron8, "CHEXA"},
                    ElementType{"CSS8", hexahedron8, "CHEXA"},
                    ElementType{"STRI65", triangle6, "CTRIA6"},
                    ElementType{"STRI3", triangle3, "CTRIA3"},
                    ElementType{"S3", triangle3, "CTRIA3"},
                    ElementType{"S4", quad4, "CQUAD4"},
                    ElementType{"S6", triangle6, "CTRIA6"},
                    ElementType{"S8", quad8, "CQUAD8"},
                    ElementType{"M3D3", triangle3, "CTRIA3"},
                    ElementType{"M3D4", quad4, "CQUAD4"},
                    ElementType{"M3D6", triangle6, "CTRIA6"},
                    ElementType{"M3D8", quad8, "CQUAD8"},
                    ElementType{"B31", bar2, "CBAR"},
                    ElementType{"B33", bar2, "CBAR"},
                    ElementType{"B32", bar3, "CBEAM3"},
                    ElementType{"T3D2", bar2, "CROD"},
                    ElementType{"T3D3", bar3, "CBEAM3"},
                    ElementType{"MASS", point, ""},
                    ElementType{"ROTARYI", point, ""},
                    ElementType{"SPRING1", point, ""},
                    ElementType{"SPRING2", bar2, ""},
                    ElementType{"SPRINGA", bar2, ""},
                    ElementType{"DASHPOTA", bar2, ""},
                    ElementType{"DCOUP3D", point, ""},
                    ElementType{"CONN3D2", bar2, ""}};
}();

/// Null if the type is not known.
const ElementType* find_element_type(std::string_view type) {
  const auto found =
      std::find_if(kElementTypes.begin(), kElementTypes.end(), [&](const ElementType& entry) {
        return type.starts_with(entry.prefix);
      });
  return found == kElementTypes.end() ? nullptr : &*found;
}

}  // namespace

std::string nastran_name(std::string_view type) {
  const ElementType* found = find_element_type(type);
  return found == nullptr ? "" : found->name;
}

std::size_t nodes_of(std::string_view type) {
  const ElementType* found = find_element_type(type);
  return found == nullptr ? 0 : static_cast<std::size_t>(topology_of(found->shape).node_count);
}

void to_nastran_order(ElementShape shape, std::vector<std::int64_t>& nodes) {
  if (shape == ElementShape::bar3) {
    std::swap(nodes[1], nodes[2]);
    return;
  }
  if (topology_of(shape).corner_count == topology_of(shape).node_count) return;
  const std::vector<std::size_t> order = upper_mids_first(shape);
  const std::vector<std::int64_t> as_read = nodes;
  for (std::size_t k = 0; k < order.size(); ++k)
    nodes[order[k]] = as_read[k];
}

}  // namespace femflex::importer
