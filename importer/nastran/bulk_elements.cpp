// Lists the NASTRAN element cards with the field of the first node and the shapes of the element.
#include "nastran/bulk_elements.h"

#include <array>
#include <unordered_map>

namespace femflex::importer {
namespace {

// Kinds without nodes are only counted: springs and masses on scalar points, surfaces of heat and
// sound, old elements without a shape to draw.
constexpr auto kElements = [] {
  using enum ElementShape;
  return std::array{
      ElementKind{"CAABSF"},
      ElementKind{"CACINF3"},
      ElementKind{"CACINF4"},
      ElementKind{"CBAR", 2, bar2},
      ElementKind{"CBEAM", 2, bar2},
      ElementKind{"CBEAM3", 2, bar2, bar3},
      ElementKind{"CBEND", 2, bar2},
      ElementKind{"CBUSH", 2, bar2},
      ElementKind{"CBUSH1D", 2, bar2},
      ElementKind{"CCONEAX"},
      ElementKind{"CDAMP1"},
      ElementKind{"CDAMP2"},
      ElementKind{"CDAMP3"},
      ElementKind{"CDAMP4"},
      ElementKind{"CDAMP5"},
      ElementKind{"CELAS1"},
      ElementKind{"CELAS2"},
      ElementKind{"CELAS3"},
      ElementKind{"CELAS4"},
      ElementKind{"CFAST"},
      ElementKind{"CGAP", 2, bar2},
      ElementKind{"CHACAB"},
      ElementKind{"CHACBR"},
      ElementKind{"CHBDYE"},
      ElementKind{"CHBDYG"},
      ElementKind{"CHBDYP"},
      ElementKind{"CHEXA", 2, hexahedron8, hexahedron20},
      ElementKind{"CIHEX1"},
      ElementKind{"CIHEX2"},
      ElementKind{"CIHEX3"},
      ElementKind{"CINTC"},
      ElementKind{"CMASS1"},
      ElementKind{"CMASS2"},
      ElementKind{"CMASS3"},
      ElementKind{"CMASS4"},
      ElementKind{"CONROD", 1, bar2},
      ElementKind{"CPENTA", 2, wedge6, wedge15},
      ElementKind{"CPLSTN3", 2, triangle3},
      ElementKind{"CPLSTN4", 2, quad4},
      ElementKind{"CPLSTN6", 2, triangle3, triangle6},
      ElementKind{"CPLSTN8", 2, quad4, quad8},
      ElementKind{"CPLSTS3", 2, triangle3},
      ElementKind{"CPLSTS4", 2, quad4},
      ElementKind{"CPLSTS6", 2, triangle3, triangle6},
      ElementKind{"CPLSTS8", 2, quad4, quad8},
      ElementKind{"CPYRAM", 2, pyramid5, pyramid13},
      ElementKind{"CQDMEM"},
      ElementKind{"CQDMEM1"},
      ElementKind{"CQDMEM2"},
      ElementKind{"CQDPLT"},
      ElementKind{"CQUAD", 2, quad4, quad9},
      ElementKind{"CQUAD1"},
      ElementKind{"CQUAD2"},
      ElementKind{"CQUAD4", 2, quad4},
      ElementKind{"CQUAD8", 2, quad4, quad8},
      ElementKind{"CQUADR", 2, quad4},
      ElementKind{"CQUADX", 2, quad4, quad9},
      ElementKind{"CQUADX4", 2, quad4},
      ElementKind{"CQUADX8", 2, quad4, quad8},
      ElementKind{"CRAC2D"},
      ElementKind{"CRAC3D"},
      ElementKind{"CROD", 2, bar2},
      ElementKind{"CSEAM"},
      ElementKind{"CSHEAR", 2, quad4},
      ElementKind{"CTETRA", 2, tetrahedron4, tetrahedron10},
      ElementKind{"CTRAPRG"},
      ElementKind{"CTRAX3", 2, triangle3},
      ElementKind{"CTRAX6", 2, triangle3, triangle6},
      ElementKind{"CTRBSC"},
      ElementKind{"CTRIA1"},
      ElementKind{"CTRIA2"},
      ElementKind{"CTRIA3", 2, triangle3},
      ElementKind{"CTRIA6", 2, triangle3, triangle6},
      ElementKind{"CTRIAR", 2, triangle3},
      ElementKind{"CTRIARG"},
      ElementKind{"CTRIAX", 2, triangle3, triangle6},
      ElementKind{"CTRIAX3", 2, triangle3},
      ElementKind{"CTRIAX6", 2, triangle3, triangle6},
      ElementKind{"CTRMEM"},
      ElementKind{"CTRPLT"},
      ElementKind{"CTUBE", 2, bar2},
      ElementKind{"CVISC", 2, bar2},
      ElementKind{"CWEDGE"},
      ElementKind{"CWELD"},
  };
}();

}  // namespace

const ElementKind* find_element(std::string_view name) {
  static const auto by_name = [] {
    std::unordered_map<std::string_view, const ElementKind*> out;
    for (const ElementKind& kind : kElements)
      out.emplace(kind.name, &kind);
    return out;
  }();
  const auto it = by_name.find(name);
  return it != by_name.end() ? it->second : nullptr;
}

}  // namespace femflex::importer
