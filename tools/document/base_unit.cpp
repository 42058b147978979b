// Known unit symbols (SI brochure and mechanical engineering), and a parser for products of symbols
// and groups with powers, in which those after a slash divide.
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

/// Reads "^-2", "^2" or a bare "2" after a symbol or group; returns 1 if there is none.
int power_at(std::string_view text, std::size_t& at) {
  if (at < text.size() && text[at] == '^') ++at;
  const bool is_negative = at < text.size() && text[at] == '-';
  if (is_negative) ++at;
  if (at >= text.size() || text[at] < '1' || text[at] > '9') return is_negative ? 0 : 1;
  const int power = text[at++] - '0';
  return is_negative ? -power : power;
}

/// Parses one unit; groups in brackets may have powers.
class UnitParser {
 public:
  explicit UnitParser(std::string_view text) : text_(text) {}

  std::optional<BaseUnit> parse() {
    std::optional<BaseUnit> out = product(0);
    return at_ == text_.size() ? out : std::nullopt;
  }

 private:
  static constexpr int kMostDepth = 20;

  /// Symbols and groups up to a closing bracket or the end; all after a slash divide.
  std::optional<BaseUnit> product(int depth) {
    BaseUnit out;
    int sign = 1;
    while (at_ < text_.size() && text_[at_] != ')') {
      const char c = text_[at_];
      if (c == ' ' || c == '*' || c == '.' || c == '/') {
        if (c == '/') sign = -1;
        ++at_;
        continue;
      }
      const std::optional<BaseUnit> factor = c == '(' ? group(depth) : symbol();
      if (!factor) return std::nullopt;
      const int power = sign * power_at(text_, at_);
      for (std::size_t k = 0; k < std::size(out.exponents); ++k)
        out.exponents[k] += power * factor->exponents[k];
      out.factor *= std::pow(factor->factor, power);
    }
    return out;
  }

  std::optional<BaseUnit> group(int depth) {
    if (depth == kMostDepth) return std::nullopt;
    ++at_;
    std::optional<BaseUnit> inside = product(depth + 1);
    if (!inside || at_ == text_.size()) return std::nullopt;
    ++at_;
    return inside;
  }

  std::optional<BaseUnit> symbol() {
    const std::size_t end = std::min(text_.find_first_of(" */.^-()23456789", at_), text_.size());
    const std::string_view name = text_.substr(at_, std::max<std::size_t>(end - at_, 1));
    at_ += name.size();
    for (const KnownUnit& known : kUnits)
      if (name == known.name) return known.base;
    return std::nullopt;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::optional<BaseUnit> base_unit(const std::string& unit) {
  return UnitParser(unit).parse();
}

}  // namespace femflex::tools
