// Scans a JSON document up to the member "springs" of its object. Then reads this list, but only in
// the forms that occur in large files; anything else ends the scan.
#include "lattice/plain_springs.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include "document/json_source.h"
#include "document/whole_number.h"
#include "lattice/lattice_values.h"

namespace femflex::tools {
namespace {

using hamiltonian::Reference;
using hamiltonian::Spring;
using hamiltonian::SpringLaw;

/// Sets the value of this name; false if there is none.
template <class Kind, std::size_t count>
bool set_by_name(Kind& out, std::string_view name, const NameTable<Kind, count>& table) {
  const std::optional<Kind> found = table.find(name);
  if (found) out = *found;
  return found.has_value();
}

/// Reads JSON from left to right. Every function returns false if the text differs from what it
/// expects.
class PlainScan {
 public:
  explicit PlainScan(std::string_view text) : text_(text) {}

  /// Finds the list; at() is then the position of its opening bracket.
  bool find_springs() {
    if (!take('{')) return false;
    std::string_view key;
    while (name(key)) {
      if (key == "springs") return peek() == '[';
      if (!skip_value() || !take(',')) return false;
    }
    return false;
  }

  /// Reads the list; at() is then the position after its closing bracket.
  bool read(std::vector<PlainSpring>& out) {
    if (!take('[')) return false;
    while (peek() == '{') {
      PlainSpring& spring = out.emplace_back();
      spring.line = line();
      spring.spring.reference = Reference::initial;  // if "d" is not given
      if (!read_spring(spring)) return false;
      if (!take(',')) break;
    }
    return take(']');
  }

  std::size_t at() const { return at_; }

 private:
  // bits for the members of a spring
  enum Given : unsigned { kA = 1, kB = 2, kStiffness = 4 };

  bool ends() const { return at_ >= text_.size(); }
  void skip_blanks() { at_ = after_blanks(text_, at_); }
  char peek() {
    skip_blanks();
    return ends() ? '\0' : text_[at_];
  }
  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  std::int64_t line() {
    line_ += std::count(text_.begin() + static_cast<std::ptrdiff_t>(counted_),
                        text_.begin() + static_cast<std::ptrdiff_t>(at_),
                        '\n');
    counted_ = at_;
    return line_;
  }

  /// Reads a text without escape sequences.
  bool text(std::string_view& out) {
    if (!take('"')) return false;
    const std::size_t end = text_.find_first_of("\"\\\n", at_);
    if (end == std::string_view::npos || text_[end] != '"') return false;
    out = text_.substr(at_, end - at_);
    at_ = end + 1;
    return true;
  }
  bool name(std::string_view& key) { return text(key) && take(':'); }

  bool number(double& out) {
    skip_blanks();
    const char* begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), out);
    if (error != std::errc() || !std::isfinite(out)) return false;
    at_ += static_cast<std::size_t>(end - begin);
    return std::string_view(",}] \t\r\n/").find(ends() ? 'x' : text_[at_]) !=
           std::string_view::npos;
  }
  bool not_negative(double& out) { return number(out) && out >= 0.0; }
  bool positive(double& out) { return number(out) && out > 0.0; }
  bool whole(std::int64_t& out) {
    double value = 0.0;
    const auto found = number(value) ? whole_number(value) : std::nullopt;
    if (found) out = *found;
    return found.has_value();
  }
  bool word(std::string_view expected) {
    if (text_.substr(at_, expected.size()) != expected) return false;
    at_ += expected.size();
    return true;
  }

  bool read_spring(PlainSpring& out) {
    if (!take('{')) return false;
    seen_ = {};
    unsigned given = 0;
    std::string_view key;
    while (peek() == '"') {
      if (!name(key) || !is_first(key) || !member(key, out, given)) return false;
      if (!take(',')) break;
    }
    constexpr unsigned kNeeded = kA | kB | kStiffness;
    return take('}') && given == kNeeded && out.a != out.b &&
           (std::isinf(out.spring.break_stress) || out.spring.area > 0.0) &&
           (out.spring.stiffness != 0.0 || out.spring.modulus == 0.0);
  }

  /// Returns false if this spring already has the key.
  bool is_first(std::string_view key) {
    for (std::string_view& each : seen_) {
      if (each == key) return false;
      if (!each.empty()) continue;
      each = key;
      return true;
    }
    return false;
  }

  bool member(std::string_view key, PlainSpring& out, unsigned& given) {
    Spring& s = out.spring;
    if (key == "i") {
      given |= kA;
      return whole(out.a);
    }
    if (key == "j") {
      given |= kB;
      return whole(out.b);
    }
    if (key == "k") {
      given |= kStiffness;
      return number(s.stiffness);
    }
    if (key == "d") return rest_length(s);
    if (key == "law") return law(s.law);
    if (key == "damping") return not_negative(s.damping.c);
    if (key == "area") return not_negative(s.area);
    if (key == "modulus") return not_negative(s.modulus);
    if (key == "density") return not_negative(s.density);
    if (key == "break_force") return positive(s.break_force);
    if (key == "break_elongation") return positive(s.break_elongation);
    if (key == "break_stress") return positive(s.break_stress);
    if (key == "tension_only") {
      s.tension_only = peek() == 't';
      return word(s.tension_only ? "true" : "false");
    }
    return key == "id" && whole(out.id.emplace());
  }

  bool rest_length(Spring& s) {
    if (peek() != '"') {
      s.reference = Reference::value;
      return not_negative(s.rest_length);
    }
    std::string_view when;
    return text(when) && set_by_name(s.reference, when, lattice_values::kReferences);
  }

  bool law(SpringLaw& out) {
    std::string_view which;
    return text(which) && set_by_name(out, which, lattice_values::kStiffnessLaws);
  }

  /// Skips a value of any kind. The reader of the rest checks its syntax.
  bool skip_value() {
    int depth = 0;
    do {
      const char c = peek();
      if (ends()) return false;
      if (c == '"') {
        ++at_;
        while (!ends() && text_[at_] != '"')
          at_ += text_[at_] == '\\' ? 2 : 1;
      } else if (c == '[' || c == '{') {
        ++depth;
      } else if (c == ']' || c == '}') {
        --depth;
      } else if (c != ',' && c != ':') {
        at_ = std::min(text_.find_first_of(",:]}[{\"/ \t\r\n", at_ + 1), text_.size()) - 1;
      }
      ++at_;
    } while (depth > 0);
    return depth == 0;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t counted_ = 0;  // position up to which lines are counted in line_
  std::int64_t line_ = 1;
  std::array<std::string_view, 16> seen_{};
};

}  // namespace

std::optional<PlainLattice> take_plain_springs(std::string_view text) {
  PlainScan scan(text);
  if (!scan.find_springs()) return std::nullopt;
  PlainLattice out;
  const std::size_t from = scan.at();
  if (!scan.read(out.springs)) return std::nullopt;
  const std::string_view list = text.substr(from, scan.at() - from);
  // the closing bracket keeps its line and column
  const std::size_t last_line = list.rfind('\n');
  out.other_characters = text.size() - list.size();
  out.rest = text.substr(0, from);
  out.rest += '[';
  if (last_line == std::string_view::npos) {
    out.rest.append(list.size() - 2, ' ');
  } else {
    out.rest.append(static_cast<std::size_t>(std::count(list.begin(), list.end(), '\n')), '\n');
    out.rest.append(list.size() - last_line - 2, ' ');
  }
  out.rest += ']';
  out.rest += text.substr(scan.at());
  return out;
}

}  // namespace femflex::tools
