// The table of Abaqus and CalculiX element types with their NASTRAN names and shapes.
#include "calculix/inp_elements.h"

#include <algorithm>
#include <array>
#include <utility>

namespace femflex::importer {
namespace {

struct Kind {
  std::string_view stem;  ///< start of the type name; longer stems come first
  ElementShape shape;
  const char* name;
};

constexpr auto kKinds = [] {
  using enum ElementShape;
  return std::array{Kind{"C3D10", tetrahedron10, "CTETRA"},
                    Kind{"C3D15", wedge15, "CPENTA"},
                    Kind{"C3D20", hexahedron20, "CHEXA"},
                    Kind{"C3D4", tetrahedron4, "CTETRA"},
                    Kind{"C3D6", wedge6, "CPENTA"},
                    Kind{"C3D8", hexahedron8, "CHEXA"},
                    Kind{"SC6", wedge6, "CPENTA"},
                    Kind{"SC8", hexahedron8, "CHEXA"},
                    Kind{"CSS8", hexahedron8, "CHEXA"},
                    Kind{"STRI65", triangle6, "CTRIA6"},
                    Kind{"STRI3", triangle3, "CTRIA3"},
                    Kind{"S3", triangle3, "CTRIA3"},
                    Kind{"S4", quad4, "CQUAD4"},
                    Kind{"S6", triangle6, "CTRIA6"},
                    Kind{"S8", quad8, "CQUAD8"},
                    Kind{"M3D3", triangle3, "CTRIA3"},
                    Kind{"M3D4", quad4, "CQUAD4"},
                    Kind{"M3D6", triangle6, "CTRIA6"},
                    Kind{"M3D8", quad8, "CQUAD8"},
                    Kind{"B31", bar2, "CBAR"},
                    Kind{"B33", bar2, "CBAR"},
                    Kind{"B32", bar3, "CBEAM3"},
                    Kind{"T3D2", bar2, "CROD"},
                    Kind{"T3D3", bar3, "CBEAM3"},
                    Kind{"MASS", point, ""},
                    Kind{"ROTARYI", point, ""},
                    Kind{"SPRING1", point, ""},
                    Kind{"SPRING2", bar2, ""},
                    Kind{"SPRINGA", bar2, ""},
                    Kind{"DASHPOTA", bar2, ""},
                    Kind{"DCOUP3D", point, ""},
                    Kind{"CONN3D2", bar2, ""}};
}();

const Kind* element_kind_of(std::string_view type) {
  const auto found = std::find_if(
      kKinds.begin(), kKinds.end(), [&](const Kind& kind) { return type.starts_with(kind.stem); });
  return found == kKinds.end() ? nullptr : &*found;
}

}  // namespace

std::string nastran_name(std::string_view type) {
  const Kind* kind = element_kind_of(type);
  return kind == nullptr ? "" : kind->name;
}

std::size_t nodes_of(std::string_view type) {
  const Kind* kind = element_kind_of(type);
  return kind == nullptr ? 0 : static_cast<std::size_t>(topology_of(kind->shape).node_count);
}

void to_nastran_order(ElementShape shape, std::vector<std::int64_t>& nodes) {
  if (shape == ElementShape::hexahedron20) {
    std::rotate(nodes.begin() + 12, nodes.begin() + 16, nodes.end());
  } else if (shape == ElementShape::wedge15) {
    std::rotate(nodes.begin() + 9, nodes.begin() + 12, nodes.end());
  } else if (shape == ElementShape::bar3) {
    std::swap(nodes[1], nodes[2]);
  }
}

}  // namespace femflex::importer
