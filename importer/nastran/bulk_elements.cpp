#include "nastran/bulk_elements.h"

#include <algorithm>

namespace femflex::importer {
namespace {

// by name, so that find_element() can bisect
constexpr std::array kElements{
    ElementKind{"CBAR", 2, {2, 0}},    ElementKind{"CBEAM", 2, {2, 0}},
    ElementKind{"CBEND", 2, {2, 0}},   ElementKind{"CBUSH", 2, {2, 0}},
    ElementKind{"CBUSH1D", 2, {2, 0}}, ElementKind{"CDAMP1", -1, {0, 0}},
    ElementKind{"CDAMP2", -1, {0, 0}}, ElementKind{"CDAMP3", -1, {0, 0}},
    ElementKind{"CDAMP4", -1, {0, 0}}, ElementKind{"CDAMP5", -1, {0, 0}},
    ElementKind{"CELAS1", -1, {0, 0}}, ElementKind{"CELAS2", -1, {0, 0}},
    ElementKind{"CELAS3", -1, {0, 0}}, ElementKind{"CELAS4", -1, {0, 0}},
    ElementKind{"CFAST", -1, {0, 0}},  ElementKind{"CGAP", 2, {2, 0}},
    ElementKind{"CHEXA", 2, {8, 20}},  ElementKind{"CMASS1", -1, {0, 0}},
    ElementKind{"CMASS2", -1, {0, 0}}, ElementKind{"CMASS3", -1, {0, 0}},
    ElementKind{"CMASS4", -1, {0, 0}}, ElementKind{"CONROD", 1, {2, 0}},
    ElementKind{"CPENTA", 2, {6, 15}}, ElementKind{"CPYRAM", 2, {5, 13}},
    ElementKind{"CQUAD", 2, {4, 9}},   ElementKind{"CQUAD4", 2, {4, 0}},
    ElementKind{"CQUAD8", 2, {4, 8}},  ElementKind{"CQUADR", 2, {4, 0}},
    ElementKind{"CQUADX", 2, {4, 9}},  ElementKind{"CROD", 2, {2, 0}},
    ElementKind{"CSHEAR", 2, {4, 0}},  ElementKind{"CTETRA", 2, {4, 10}},
    ElementKind{"CTRAX3", 2, {3, 0}},  ElementKind{"CTRAX6", 2, {3, 6}},
    ElementKind{"CTRIA3", 2, {3, 0}},  ElementKind{"CTRIA6", 2, {3, 6}},
    ElementKind{"CTRIAR", 2, {3, 0}},  ElementKind{"CTRIAX", 2, {3, 6}},
    ElementKind{"CTRIAX6", 2, {3, 6}}, ElementKind{"CTUBE", 2, {2, 0}},
    ElementKind{"CVISC", 2, {2, 0}},   ElementKind{"CWELD", -1, {0, 0}},
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
