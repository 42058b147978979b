// Reads and prints polynomials as text: H = 5*[3]*[3] + 0.5*[0]^2, a sum of products of numbers and
// states. A comment extends from # to the end of a line. "H =" may be left out.
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>

#include "femflex/errors.h"
#include "femflex/hamiltonian/polynomial.h"

namespace femflex::hamiltonian {
namespace {

/// Reads a polynomial from text; at_ is the position of the next character.
class Reader {
 public:
  Reader(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  void read(Polynomial& out) {
    skip();
    if (peek() == 'H') {
      ++at_;
      skip();
      expect('=');
    }
    skip();
    if (at_ == text_.size()) fail("a term");
    bool first = true;
    while (at_ < text_.size()) {
      double sign = 1.0;
      if (peek() == '+' || peek() == '-') {
        sign = peek() == '-' ? -1.0 : 1.0;
        ++at_;
      } else if (!first) {
        fail("'+' or '-'");
      }
      first = false;
      term(out, sign);
      skip();
    }
  }

 private:
  [[noreturn]] void fail(const std::string& expected) const {
    Where where{file_, 1, 1};
    for (std::size_t i = 0; i < at_; ++i) {
      ++where.column;
      if (text_[i] == '\n') {
        ++where.line;
        where.column = 1;
      }
    }
    const std::string found =
        at_ < text_.size() ? "'" + std::string(1, text_[at_]) + "'" : "the end";
    throw ParseError("bad-polynomial",
                     "found " + found + ", expected " + expected,
                     where,
                     "terms look like 5*[3]*[3] or 0.5*[0]^2");
  }
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  /// Skips blanks, semicolons and comments.
  void skip() {
    while (at_ < text_.size()) {
      if (text_[at_] == '#')
        while (at_ < text_.size() && text_[at_] != '\n')
          ++at_;
      else if (std::isspace(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == ';')
        ++at_;
      else
        break;
    }
  }
  void expect(char c) {
    skip();
    if (peek() != c) fail("'" + std::string(1, c) + "'");
    ++at_;
  }
  std::int32_t integer(const std::string& what, std::int32_t most) {
    skip();
    std::int32_t value = 0;
    const auto [end, error] =
        std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc() || value < 0 || value > most) fail(what);
    at_ = static_cast<std::size_t>(end - text_.data());
    return value;
  }
  /// Reads a product and appends it as a term; `coefficient` is its sign.
  void term(Polynomial& out, double coefficient) {
    std::int32_t count = 0;
    while (true) {
      skip();
      if (peek() == '[') {
        ++at_;
        const std::int32_t index = integer("the number of a state, 0 to 1000000000", 1000000000);
        expect(']');
        skip();
        std::int32_t power = 1;
        if (peek() == '^') {
          ++at_;
          power = integer("a whole power from 0 to 64", 64);
        }
        for (std::int32_t i = 0; i < power; ++i)
          out.variables.push_back(index);
        count += power;
        out.states = std::max(out.states, index + 1);
      } else {
        double value = 0.0;
        const auto [end, error] =
            std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
        if (error != std::errc() || !std::isfinite(value)) fail("a number or a state like [3]");
        at_ = static_cast<std::size_t>(end - text_.data());
        coefficient *= value;
      }
      skip();
      if (peek() != '*') break;
      ++at_;
    }
    out.coefficients.push_back(coefficient);
    out.variables_per_term.push_back(count);
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0;
};

}  // namespace

Polynomial parse_polynomial(std::string_view text, int dimension, const std::string& file) {
  Polynomial polynomial;
  polynomial.dimension = dimension;
  Reader(text, file).read(polynomial);
  // states come in blocks, one per node: positions and momenta; the last block is completed
  const std::int32_t block = 2 * std::max(1, dimension);
  polynomial.states = (polynomial.states + block - 1) / block * block;
  return make_polynomial(std::move(polynomial));
}

std::string print_polynomial(const Polynomial& polynomial) {
  std::string text = "H =";
  std::size_t at = 0;
  for (std::size_t t = 0; t < polynomial.coefficients.size(); ++t) {
    const double c = polynomial.coefficients[t];
    // eight terms per line
    text += t > 0 && t % 8 == 0 ? "\n   " : "";
    text += c < 0.0 ? " - " : (t == 0 ? " " : " + ");
    std::array<char, 32> digits{};
    const auto [end, error] =
        std::to_chars(digits.data(), digits.data() + digits.size(), std::abs(c));
    (void)error;
    text.append(digits.data(), end);
    for (std::int32_t v = 0; v < polynomial.variables_per_term[t]; ++v)
      text += "*[" + std::to_string(polynomial.variables[at++]) + "]";
  }
  if (polynomial.coefficients.empty()) text += " 0";
  return text + "\n";
}

}  // namespace femflex::hamiltonian
