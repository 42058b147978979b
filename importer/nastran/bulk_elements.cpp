#include "nastran/bulk_elements.h"

#include <algorithm>

namespace femflex::importer {
namespace {

// By name, so that find_element() can bisect. Those of -1 are counted alone: springs and masses on
// scalar points, surfaces of heat and sound, old elements without a shape to draw.
constexpr std::array kElements{
    ElementKind{"CAABSF", -1, {0, 0}},  ElementKind{"CACINF3", -1, {0, 0}},
    ElementKind{"CACINF4", -1, {0, 0}}, ElementKind{"CBAR", 2, {2, 0}},
    ElementKind{"CBEAM", 2, {2, 0}},    ElementKind{"CBEAM3", 2, {2, 3}},
    ElementKind{"CBEND", 2, {2, 0}},    ElementKind{"CBUSH", 2, {2, 0}},
    ElementKind{"CBUSH1D", 2, {2, 0}},  ElementKind{"CCONEAX", -1, {0, 0}},
    ElementKind{"CDAMP1", -1, {0, 0}},  ElementKind{"CDAMP2", -1, {0, 0}},
    ElementKind{"CDAMP3", -1, {0, 0}},  ElementKind{"CDAMP4", -1, {0, 0}},
    ElementKind{"CDAMP5", -1, {0, 0}},  ElementKind{"CELAS1", -1, {0, 0}},
    ElementKind{"CELAS2", -1, {0, 0}},  ElementKind{"CELAS3", -1, {0, 0}},
    ElementKind{"CELAS4", -1, {0, 0}},  ElementKind{"CFAST", -1, {0, 0}},
    ElementKind{"CGAP", 2, {2, 0}},     ElementKind{"CHACAB", -1, {0, 0}},
    ElementKind{"CHACBR", -1, {0, 0}},  ElementKind{"CHBDYE", -1, {0, 0}},
    ElementKind{"CHBDYG", -1, {0, 0}},  ElementKind{"CHBDYP", -1, {0, 0}},
    ElementKind{"CHEXA", 2, {8, 20}},   ElementKind{"CIHEX1", -1, {0, 0}},
    ElementKind{"CIHEX2", -1, {0, 0}},  ElementKind{"CIHEX3", -1, {0, 0}},
    ElementKind{"CINTC", -1, {0, 0}},   ElementKind{"CMASS1", -1, {0, 0}},
    ElementKind{"CMASS2", -1, {0, 0}},  ElementKind{"CMASS3", -1, {0, 0}},
    ElementKind{"CMASS4", -1, {0, 0}},  ElementKind{"CONROD", 1, {2, 0}},
    ElementKind{"CPENTA", 2, {6, 15}},  ElementKind{"CPLSTN3", 2, {3, 0}},
    ElementKind{"CPLSTN4", 2, {4, 0}},  ElementKind{"CPLSTN6", 2, {3, 6}},
    ElementKind{"CPLSTN8", 2, {4, 8}},  ElementKind{"CPLSTS3", 2, {3, 0}},
    ElementKind{"CPLSTS4", 2, {4, 0}},  ElementKind{"CPLSTS6", 2, {3, 6}},
    ElementKind{"CPLSTS8", 2, {4, 8}},  ElementKind{"CPYRAM", 2, {5, 13}},
    ElementKind{"CQDMEM", -1, {0, 0}},  ElementKind{"CQDMEM1", -1, {0, 0}},
    ElementKind{"CQDMEM2", -1, {0, 0}}, ElementKind{"CQDPLT", -1, {0, 0}},
    ElementKind{"CQUAD", 2, {4, 9}},    ElementKind{"CQUAD1", -1, {0, 0}},
    ElementKind{"CQUAD2", -1, {0, 0}},  ElementKind{"CQUAD4", 2, {4, 0}},
    ElementKind{"CQUAD8", 2, {4, 8}},   ElementKind{"CQUADR", 2, {4, 0}},
    ElementKind{"CQUADX", 2, {4, 9}},   ElementKind{"CQUADX4", 2, {4, 0}},
    ElementKind{"CQUADX8", 2, {4, 8}},  ElementKind{"CRAC2D", -1, {0, 0}},
    ElementKind{"CRAC3D", -1, {0, 0}},  ElementKind{"CROD", 2, {2, 0}},
    ElementKind{"CSEAM", -1, {0, 0}},   ElementKind{"CSHEAR", 2, {4, 0}},
    ElementKind{"CTETRA", 2, {4, 10}},  ElementKind{"CTRAPRG", -1, {0, 0}},
    ElementKind{"CTRAX3", 2, {3, 0}},   ElementKind{"CTRAX6", 2, {3, 6}},
    ElementKind{"CTRBSC", -1, {0, 0}},  ElementKind{"CTRIA1", -1, {0, 0}},
    ElementKind{"CTRIA2", -1, {0, 0}},  ElementKind{"CTRIA3", 2, {3, 0}},
    ElementKind{"CTRIA6", 2, {3, 6}},   ElementKind{"CTRIAR", 2, {3, 0}},
    ElementKind{"CTRIARG", -1, {0, 0}}, ElementKind{"CTRIAX", 2, {3, 6}},
    ElementKind{"CTRIAX3", 2, {3, 0}},  ElementKind{"CTRIAX6", 2, {3, 6}},
    ElementKind{"CTRMEM", -1, {0, 0}},  ElementKind{"CTRPLT", -1, {0, 0}},
    ElementKind{"CTUBE", 2, {2, 0}},    ElementKind{"CVISC", 2, {2, 0}},
    ElementKind{"CWEDGE", -1, {0, 0}},  ElementKind{"CWELD", -1, {0, 0}},
};

}  // namespace

const ElementKind* find_element(std::string_view name) {
  const auto it = std::lower_bound(
      kElements.begin(), kElements.end(), name, [](const ElementKind& kind, std::string_view n) {
        return kind.name < n;
      });
  return it != kElements.end() && it->name == name ? &*it : nullptr;
}

}  // namespace femflex::importer
