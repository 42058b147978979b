// Known unit symbols (SI brochure and mechanical engineering), and a parser for products of symbols
// with powers, in which symbols after a slash divide.
#include "document/base_unit.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>

#include "femflex/unit_constants.h"

namespace femflex::tools {
namespace {

struct KnownUnit {
  const char* name;
  BaseUnit base;
};
//                            kg  m  s  A  K mol cd rad
const KnownUnit kUnits[] = {
    {"kg", {{1, 0, 0, 0, 0, 0, 0, 0}, 1.0}},      {"g", {{1, 0, 0, 0, 0, 0, 0, 0}, 1e-3}},
    {"t", {{1, 0, 0, 0, 0, 0, 0, 0}, 1e3}},       {"m", {{0, 1, 0, 0, 0, 0, 0, 0}, 1.0}},
    {"mm", {{0, 1, 0, 0, 0, 0, 0, 0}, 1e-3}},     {"cm", {{0, 1, 0, 0, 0, 0, 0, 0}, 1e-2}},
    {"km", {{0, 1, 0, 0, 0, 0, 0, 0}, 1e3}},      {"s", {{0, 0, 1, 0, 0, 0, 0, 0}, 1.0}},
    {"ms", {{0, 0, 1, 0, 0, 0, 0, 0}, 1e-3}},     {"h", {{0, 0, 1, 0, 0, 0, 0, 0}, 3600.0}},
    {"A", {{0, 0, 0, 1, 0, 0, 0, 0}, 1.0}},       {"K", {{0, 0, 0, 0, 1, 0, 0, 0}, 1.0}},
    {"N", {{1, 1, -2, 0, 0, 0, 0, 0}, 1.0}},      {"kN", {{1, 1, -2, 0, 0, 0, 0, 0}, 1e3}},
    {"MN", {{1, 1, -2, 0, 0, 0, 0, 0}, 1e6}},     {"Nm", {{1, 2, -2, 0, 0, 0, 0, 0}, 1.0}},
    {"J", {{1, 2, -2, 0, 0, 0, 0, 0}, 1.0}},      {"kJ", {{1, 2, -2, 0, 0, 0, 0, 0}, 1e3}},
    {"W", {{1, 2, -3, 0, 0, 0, 0, 0}, 1.0}},      {"kW", {{1, 2, -3, 0, 0, 0, 0, 0}, 1e3}},
    {"Pa", {{1, -1, -2, 0, 0, 0, 0, 0}, 1.0}},    {"kPa", {{1, -1, -2, 0, 0, 0, 0, 0}, 1e3}},
    {"MPa", {{1, -1, -2, 0, 0, 0, 0, 0}, 1e6}},   {"GPa", {{1, -1, -2, 0, 0, 0, 0, 0}, 1e9}},
    {"psi", {{1, -1, -2, 0, 0, 0, 0, 0}, kPsi}},  {"ksi", {{1, -1, -2, 0, 0, 0, 0, 0}, 1e3 * kPsi}},
    {"bar", {{1, -1, -2, 0, 0, 0, 0, 0}, 1e5}},   {"Hz", {{0, 0, -1, 0, 0, 0, 0, 0}, 1.0}},
    {"V", {{1, 2, -3, -1, 0, 0, 0, 0}, 1.0}},     {"rad", {{0, 0, 0, 0, 0, 0, 0, 1}, 1.0}},
    {"deg", {{0, 0, 0, 0, 0, 0, 0, 1}, kDegree}}, {"%", {{0, 0, 0, 0, 0, 0, 0, 0}, 0.01}},
    {"1", {{0, 0, 0, 0, 0, 0, 0, 0}, 1.0}},
};

/// Reads "^-2", "^2" or a bare "2" after a symbol; returns 1 if there is none.
int power_at(std::string_view text, std::size_t& at) {
  if (at < text.size() && text[at] == '^') ++at;
  const bool is_negative = at < text.size() && text[at] == '-';
  if (is_negative) ++at;
  if (at >= text.size() || text[at] < '1' || text[at] > '9') return is_negative ? 0 : 1;
  const int power = text[at++] - '0';
  return is_negative ? -power : power;
}

}  // namespace

std::optional<BaseUnit> base_unit(const std::string& unit) {
  BaseUnit out;
  int sign = 1;
  for (std::size_t at = 0; at < unit.size();) {
    if (unit[at] == ' ' || unit[at] == '*' || unit[at] == '.') {
      ++at;
    } else if (unit[at] == '/') {
      sign = -1;
      ++at;
    } else if (unit[at] == '(' || unit[at] == ')') {
      ++at;
    } else {
      const std::size_t end = std::min(unit.find_first_of(" */.^-()23456789", at), unit.size());
      const std::string symbol = unit.substr(at, std::max<std::size_t>(end - at, 1));
      at += symbol.size();
      const int power = sign * power_at(unit, at);
      const KnownUnit* found = nullptr;
      for (const KnownUnit& known : kUnits)
        if (symbol == known.name) found = &known;
      if (found == nullptr) return std::nullopt;
      for (std::size_t k = 0; k < std::size(out.exponents); ++k)
        out.exponents[k] += power * found->base.exponents[k];
      out.factor *= std::pow(found->base.factor, power);
    }
  }
  return out;
}

}  // namespace femflex::tools
