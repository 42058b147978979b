// Reads the nodes and springs of a JSON lattice straight from the text, and returns the document
// without them. Takes only the forms of large files; a node or spring of another form stays in the
// document for the JSON reader.
#include "lattice/plain_lattice.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include "femflex/text.h"

#include "document/json_source.h"
#include "document/whole_number.h"
#include "lattice/lattice_values.h"

namespace femflex::tools {
namespace {

using hamiltonian::LatticeNode;
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

  /// Reads the lists of the document. Returns false if the springs are missing, or if a list is not
  /// one of objects.
  /// @param taken  receives the parts of the text that were read, in the order of the text
  bool read(PlainLattice& out, std::vector<std::string_view>& taken) {
    if (!take('{')) return false;
    bool has_springs = false;
    std::string_view key;
    while (name(key)) {
      if (key == "springs") {
        const auto read_one = [&](PlainSpring& one) {
          one.line = line();
          one.spring.reference = Reference::initial;  // if "d" is not given
          return read_spring(one);
        };
        if (!list(out.springs, taken, read_one)) return false;
        has_springs = true;
      } else if (key == "nodes") {
        const auto read_one = [&](PlainNode& one) {
          int dimension = out.dimension;
          if (!read_node(one.node, dimension)) return false;
          out.dimension = dimension;
          return true;
        };
        if (!list(out.nodes, taken, read_one)) return false;
      } else if (!skip_value()) {
        break;
      }
      if (!take(',')) break;
    }
    return has_springs;
  }

 private:
  /// Reads a list of objects. Those that `read_one` does not understand stay in the text.
  template <typename Item, typename Read>
  bool list(std::vector<Item>& out, std::vector<std::string_view>& taken, const Read& read_one) {
    if (!out.empty() || !take('[')) return false;
    std::size_t from = at_;
    const auto cut_until = [&](std::size_t end) {
      taken.push_back(text_.substr(from, end - from));
    };
    while (peek() == '{') {
      const std::size_t at = at_;
      if (!read_one(out.emplace_back())) {
        cut_until(at);
        at_ = at;
        out.back() = {};
        out.back().is_plain = false;
        if (!skip_value()) return false;
        from = at_;
        if (!take(',')) break;
        from = at_;
      } else if (!take(',')) {
        break;
      }
    }
    skip_blanks();
    cut_until(at_);
    return take(']');
  }

  bool read_node(LatticeNode& out, int& dimension) {
    bool has_id = false, has_position = false;
    int last_axis = -1;
    const bool is_read = members([&](std::string_view key) {
      if (key == "id") return has_id = whole(out.id);
      if (key == "x") return has_position = vector(out.position, dimension);
      if (key == "v") return vector(out.velocity, dimension);
      if (key == "mass") return not_negative(out.mass);
      if (key == "damping") return not_negative(out.damping.c);
      return key == "fixed" && held(out.fixed, last_axis);
    });
    return is_read && has_id && has_position && last_axis < dimension;
  }

  /// Reads a list of as many numbers as all vectors of the nodes have.
  bool vector(Eigen::Vector3d& out, int& dimension) {
    if (!take('[')) return false;
    int count = 0;
    do {
      if (count == 3 || !number(out(count))) return false;
      ++count;
    } while (take(','));
    if (dimension == 0) dimension = count;
    return take(']') && count == dimension;
  }

  /// Reads fixed axes: true or false, letters or numbers.
  /// @param last  receives the largest axis that is named, if any is
  bool held(std::array<bool, 3>& out, int& last) {
    const auto hold = [&](std::int64_t axis) {
      if (axis < 0 || axis > 2) return false;
      out[static_cast<std::size_t>(axis)] = true;
      last = std::max(last, static_cast<int>(axis));
      return true;
    };
    if (peek() == '"') {
      constexpr std::string_view kAxes = "xyz";
      std::string_view letters;
      return text(letters) && std::all_of(letters.begin(), letters.end(), [&](char letter) {
               return hold(static_cast<std::int64_t>(kAxes.find(letter)));
             });
    }
    if (take('[')) {
      std::int64_t axis = 0;
      while (peek() != ']')
        if (!whole(axis) || !hold(axis) || (peek() != ']' && !take(','))) return false;
      return take(']');
    }
    const bool all = peek() == 't';
    out = {all, all, all};
    return word(all ? "true" : "false");
  }

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
    const char first = peek();
    if (!is_digit(first) && first != '-')
      return false;  // std::from_chars takes ".5", JSON does not
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

  /// Reads an object; `member(key)` reads the value of each of its keys.
  template <typename Member>
  bool members(const Member& member) {
    if (!take('{')) return false;
    seen_ = {};
    std::string_view key;
    while (peek() == '"') {
      if (!name(key) || !is_first(key) || !member(key)) return false;
      if (!take(',')) break;
    }
    return take('}');
  }

  bool read_spring(PlainSpring& out) {
    unsigned given = 0;
    constexpr unsigned kNeeded = kA | kB | kStiffness;
    return members([&](std::string_view key) { return member(key, out, given); }) &&
           given == kNeeded && out.a != out.b &&
           (std::isinf(out.spring.break_stress) || out.spring.area > 0.0) &&
           (out.spring.stiffness != 0.0 || out.spring.modulus == 0.0);
  }

  /// Returns false if this object already has the key.
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

/// Appends blanks that end on the same line and column as `part`.
void append_blanks(std::string_view part, std::string& out) {
  const std::size_t last_line = part.rfind('\n');
  const bool is_one_line = last_line == std::string_view::npos;
  if (!is_one_line)
    out.append(static_cast<std::size_t>(std::count(part.begin(), part.end(), '\n')), '\n');
  out.append(is_one_line ? part.size() : part.size() - last_line - 1, ' ');
}

}  // namespace

std::optional<PlainLattice> take_plain_lattice(std::string_view text) {
  PlainLattice out;
  std::vector<std::string_view> taken;
  if (!PlainScan(text).read(out, taken)) return std::nullopt;
  out.other_characters = text.size();
  std::size_t from = 0;
  for (const std::string_view part : taken) {
    const auto at = static_cast<std::size_t>(part.data() - text.data());
    out.rest += text.substr(from, at - from);
    append_blanks(part, out.rest);
    from = at + part.size();
    out.other_characters -= part.size();
  }
  out.rest += text.substr(from);
  return out;
}

}  // namespace femflex::tools
