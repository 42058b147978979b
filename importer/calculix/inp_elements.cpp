#include "calculix/inp_elements.h"

#include <algorithm>
#include <array>

namespace femflex::importer {
namespace {

struct Kind {
  std::string_view stem;  ///< longest first among those that begin alike
  std::size_t nodes;
  const char* name;
};

constexpr std::array<Kind, 32> kinds{
    {{"C3D10", 10, "CTETRA"}, {"C3D15", 15, "CPENTA"}, {"C3D20", 20, "CHEXA"},
     {"C3D4", 4, "CTETRA"},   {"C3D6", 6, "CPENTA"},   {"C3D8", 8, "CHEXA"},
     {"SC6", 6, "CPENTA"},    {"SC8", 8, "CHEXA"},     {"CSS8", 8, "CHEXA"},
     {"STRI65", 6, "CTRIA6"}, {"STRI3", 3, "CTRIA3"},  {"S3", 3, "CTRIA3"},
     {"S4", 4, "CQUAD4"},     {"S6", 6, "CTRIA6"},     {"S8", 8, "CQUAD8"},
     {"M3D3", 3, "CTRIA3"},   {"M3D4", 4, "CQUAD4"},   {"M3D6", 6, "CTRIA6"},
     {"M3D8", 8, "CQUAD8"},   {"B31", 2, "CBAR"},      {"B33", 2, "CBAR"},
     {"B32", 3, "CBEAM3"},    {"T3D2", 2, "CROD"},     {"T3D3", 3, "CBEAM3"},
     {"MASS", 1, ""},         {"ROTARYI", 1, ""},      {"SPRING1", 1, ""},
     {"SPRING2", 2, ""},      {"SPRINGA", 2, ""},      {"DASHPOTA", 2, ""},
     {"DCOUP3D", 1, ""},      {"CONN3D2", 2, ""}}};

const Kind* kind_of(std::string_view type) {
  const auto found = std::find_if(
      kinds.begin(), kinds.end(), [&](const Kind& kind) { return type.starts_with(kind.stem); });
  return found == kinds.end() ? nullptr : &*found;
}

}  // namespace

std::string nastran_name(std::string_view type) {
  const Kind* kind = kind_of(type);
  return kind == nullptr ? "" : kind->name;
}

std::size_t nodes_of(std::string_view type) {
  const Kind* kind = kind_of(type);
  return kind == nullptr ? 0 : kind->nodes;
}

void to_nastran_order(std::vector<std::int64_t>& nodes) {
  if (nodes.size() == 20) {
    std::rotate(nodes.begin() + 12, nodes.begin() + 16, nodes.end());
  } else if (nodes.size() == 15) {
    std::rotate(nodes.begin() + 9, nodes.begin() + 12, nodes.end());
  }
}

}  // namespace femflex::importer
