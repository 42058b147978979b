// Parses and writes the text form of a part, `{ [ a b c ] [ 0 ] ; ... } kg\(s^2)`, described in
// text_form.h.
#include "femflex/substructure/text_form.h"

#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <system_error>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/text.h"
#include "femflex/unit_constants.h"

namespace femflex::substructure {
namespace {

/// Factors that convert the unit of R to kg and s.
struct TextUnit {
  double mass = 1.0;
  double time = 1.0;
};

struct NamedFactor {
  std::string_view name;
  double factor;
};

constexpr std::array<NamedFactor, 4> kMasses{
    {{"kg", 1.0}, {"g", 1e-3}, {"t", 1e3}, {"lb", kPound}}};
constexpr std::array<NamedFactor, 2> kTimes{{{"s", 1.0}, {"ms", 1e-3}}};
constexpr std::array<NamedFactor, 3> kStiffnesses{
    {{"N/m", 1.0}, {"kN/m", 1e3}, {"lbf/in", kPoundForce / kInch}}};

/// Introduces the number of ports of a part with inner coordinates.
constexpr std::string_view kPorts = "ports";

/// Parser of the text form; errors name the byte.
class Reader {
 public:
  Reader(std::string_view text, const std::string& name, const TextLimits& limits)
      : text_(text), name_(name), limits_(limits) {}

  PolynomialMatrix matrix() {
    PolynomialMatrix rows(1);
    expect('{', "'{' in front of the dynamics");
    for (;;) {
      skip_blanks();
      if (at_end()) fail("truncated", "expected '[', ';' or '}', found the end of the text");
      const char c = text_[at_];
      if (c == '[') {
        if (rows.back().size() >= limits_.ports) {
          fail("too-large", fmt::format("a row of more than {} entries", limits_.ports));
        }
        rows.back().push_back(polynomial());
      } else if (c == ';') {
        if (rows.back().empty()) fail("empty-row", "a row without entries");
        if (rows.size() >= limits_.ports) {
          fail("too-large", fmt::format("more than {} rows", limits_.ports));
        }
        ++at_;
        rows.emplace_back();
      } else if (c == '}') {
        ++at_;
        break;
      } else {
        fail("unexpected", fmt::format("expected '[', ';' or '}}', found {}", found()));
      }
    }
    // a semicolon may also follow the last row
    if (rows.size() > 1 && rows.back().empty()) rows.pop_back();
    if (rows.back().empty()) fail("empty-row", "there are no dynamics between '{' and '}'");
    return rows;
  }

  /// The number after `ports` at the end of the text; `size` if there is none.
  std::size_t port_count(std::size_t size) {
    const std::size_t word = text_.rfind(kPorts);
    if (word == std::string_view::npos || word < at_) return size;
    const std::string_view digits = trimmed(text_.substr(word + kPorts.size()), is_white_space);
    std::size_t count = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
    if (error != std::errc() || end != digits.data() + digits.size() || count < 1 || count > size) {
      at_ = word;
      fail("ports",
           fmt::format("'{}' and a number from 1 to {} expected, found {}", kPorts, size, found()));
    }
    text_ = text_.substr(0, word);
    return count;
  }

  TextUnit unit() {
    skip_blanks();
    const std::size_t start = at_;
    std::string unit_text;
    while (!at_end()) {
      const char c = text_[at_];
      if (std::isspace(static_cast<unsigned char>(c)) == 0) unit_text += c == '\\' ? '/' : c;
      ++at_;
    }
    if (const std::size_t double_slash = unit_text.find("//"); double_slash != std::string::npos) {
      unit_text.erase(double_slash, 1);
    }
    const auto throw_unit = [&]() {
      at_ = start;
      fail("units",
           unit_text.empty()
               ? std::string("no unit after the dynamics")
               : fmt::format("unit '{}' is not a stiffness known here", unit_text.substr(0, 40)),
           R"(give mass\(time^2) with kg, g, t or lb and s or ms, or N/m, kN/m, lbf/in)");
    };
    for (const NamedFactor& stiffness_unit : kStiffnesses) {
      if (unit_text == stiffness_unit.name) return {stiffness_unit.factor, 1.0};
    }
    const std::size_t slash = unit_text.find('/');
    if (slash == std::string::npos) throw_unit();
    const std::string mass = unit_text.substr(0, slash);
    std::string time = unit_text.substr(slash + 1);
    if (time.size() > 2 && time.front() == '(' && time.back() == ')') {
      time = time.substr(1, time.size() - 2);
    }
    if (time.size() < 3 || !time.ends_with("^2")) throw_unit();
    time.resize(time.size() - 2);
    for (const NamedFactor& mass_unit : kMasses) {
      for (const NamedFactor& time_unit : kTimes) {
        if (mass == mass_unit.name && time == time_unit.name)
          return {mass_unit.factor, time_unit.factor};
      }
    }
    throw_unit();
    return {};
  }

 private:
  Polynomial polynomial() {
    ++at_;  // '['
    Polynomial p;
    for (;;) {
      skip_blanks();
      if (at_end()) fail("truncated", "expected a number or ']', found the end of the text");
      if (text_[at_] == ']') {
        ++at_;
        break;
      }
      if (p.size() >= limits_.terms) {
        fail("too-large", fmt::format("a polynomial of more than {} terms", limits_.terms));
      }
      p.push_back(number());
    }
    if (p.empty()) fail("empty-entry", "an entry without numbers; zero is [ 0 ]");
    return p;
  }

  double number() {
    const char* first = text_.data() + at_;
    const char* last = text_.data() + text_.size();
    double value = 0.0;
    const char* begin =
        first != last && *first == '+' && first + 1 != last && first[1] != '-' ? first + 1 : first;
    const auto [end, error] = std::from_chars(begin, last, value);
    if (error == std::errc::result_out_of_range) {
      // a number too small for a double is zero, one too large is an error
      const std::string digits(begin, end);
      value = std::strtod(digits.c_str(), nullptr);
    } else if (error != std::errc()) {
      fail("number", fmt::format("expected a number or ']', found {}", found()));
    }
    if (!std::isfinite(value)) fail("number", fmt::format("{} is not a finite number", found()));
    if (end != last && std::isspace(static_cast<unsigned char>(*end)) == 0 && *end != ']') {
      fail("number", fmt::format("'{}' is not a number", token()));
    }
    at_ = static_cast<std::size_t>(end - text_.data());
    return value;
  }

  void expect(char wanted, std::string_view what) {
    skip_blanks();
    if (at_end() || text_[at_] != wanted) {
      fail("unexpected", fmt::format("expected {}, found {}", what, found()));
    }
    ++at_;
  }

  void skip_blanks() {
    while (!at_end() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0)
      ++at_;
  }
  bool at_end() const { return at_ >= text_.size(); }

  /// The text at the current position, for a message.
  std::string token() const {
    std::string out;
    for (std::size_t k = at_; k < text_.size() && out.size() < 24; ++k) {
      const auto c = static_cast<unsigned char>(text_[k]);
      if (std::isspace(c) != 0 || (k > at_ && (c == '[' || c == ']'))) break;
      out += std::isprint(c) != 0 ? static_cast<char>(c) : '?';
    }
    return out;
  }
  std::string found() const {
    return at_end() ? std::string("the end of the text") : fmt::format("'{}'", token());
  }

  [[noreturn]] void fail(std::string code, std::string message, std::string fix = {}) const {
    throw ParseError(std::move(code),
                     std::move(message),
                     {.file = name_, .byte = static_cast<std::int64_t>(at_), .record = "dynamics"},
                     std::move(fix));
  }

  std::string_view text_;
  const std::string& name_;
  const TextLimits& limits_;
  std::size_t at_ = 0;
};

/// `1.47E+8` and `0.5`: the shortest digits that read back to the same value, with exponents as in
/// the text form.
std::string number_text(double value) {
  std::string text = fmt::format("{}", value);
  if (const std::size_t e = text.find('e'); e != std::string::npos) {
    std::string exponent = text.substr(e + 1);
    const char sign = exponent.front() == '-' ? '-' : '+';
    if (exponent.front() == '-' || exponent.front() == '+') exponent.erase(0, 1);
    while (exponent.size() > 1 && exponent.front() == '0')
      exponent.erase(0, 1);
    text = fmt::format("{}E{}{}", text.substr(0, e), sign, exponent);
  }
  return text;
}

}  // namespace

DynamicStiffness read_text(std::string_view text,
                           const std::string& name,
                           const TextLimits& limits) {
  if (text.size() > limits.bytes) {
    throw ParseError(
        "too-large",
        fmt::format("{} bytes of text, at most {} are read", text.size(), limits.bytes),
        {.file = name});
  }
  Reader reader(text, name, limits);
  PolynomialMatrix entries = reader.matrix();
  const std::size_t ports = reader.port_count(entries.size());
  const TextUnit unit = reader.unit();
  if (unit.mass != 1.0 || unit.time != 1.0) {
    for (auto& row : entries) {
      for (Polynomial& p : row) {
        for (std::size_t k = 0; k < p.size(); ++k) {
          const int power = static_cast<int>(p.size() - 1 - k);
          p[k] *= unit.mass * std::pow(unit.time, power - 2);
        }
      }
    }
  }
  DynamicStiffness part = from_polynomials(entries);
  part.name = name;
  part.ports.resize(ports);
  return part;
}

std::string write_text(const DynamicStiffness& part) {
  constexpr TextLimits kLimits;
  if (static_cast<std::size_t>(part.size()) > kLimits.ports) {
    throw ModelError("too-large",
                     fmt::format("part '{}' has {} coordinates; the text form holds {} at most",
                                 part.name,
                                 part.size(),
                                 kLimits.ports),
                     {},
                     "condense it first, or take JSON");
  }
  const PolynomialMatrix entries = to_polynomials(part);
  std::string out = "{ ";
  for (std::size_t i = 0; i < entries.size(); ++i) {
    for (const Polynomial& p : entries[i]) {
      out += "[ ";
      for (const double v : p) {
        out += number_text(v);
        out += ' ';
      }
      out += "] ";
    }
    out += i + 1 < entries.size() ? ";\n" : "} kg\\(s^2)";
  }
  if (part.inner_count() > 0) out += fmt::format(" {} {}", kPorts, part.port_count());
  return out + "\n";
}

}  // namespace femflex::substructure
