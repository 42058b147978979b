// Parses the text of a formula by recursive descent with operator precedence. Each method reads one
// kind of expression at the position at_ and returns the index of its term in terms_.
#include "formula/parser.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <numbers>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "femflex/errors.h"
#include "femflex/nearest_name.h"
#include "femflex/number.h"
#include "femflex/text.h"

namespace femflex::laws::formula {
namespace {

constexpr std::size_t kMaxTerms = 10000;  // limits time and memory
constexpr int kMaxDepth = 200;  // signs, and twice the brackets, in each other; limits the stack

/// Operators with a higher number bind more tightly.
int precedence(Op op) {
  switch (op) {
    case Op::logical_or:
      return 1;
    case Op::logical_and:
      return 2;
    case Op::equal:
    case Op::not_equal:
      return 3;
    case Op::less:
    case Op::less_equal:
    case Op::greater:
    case Op::greater_equal:
      return 4;
    case Op::add:
    case Op::subtract:
      return 5;
    case Op::multiply:
    case Op::divide:
      return 6;
    default:
      return 8;
  }
}

/// Recursive-descent parser. As in mathematics, -2^2 is -4 and 2^3^2 is 2^9.
class Parser {
 public:
  Parser(std::string_view text,
         const std::vector<std::string>* variables,
         const std::map<std::string, double, std::less<>>& constants)
      : text_(text), variables_(variables), constants_(constants) {}

  Parsed parse() {
    const int root = ternary();
    skip_space();
    if (at_ < text_.size()) fail(fmt::format("'{}' was not expected", next(10)));
    return {std::move(terms_), root, std::move(names_), std::move(used_)};
  }

 private:
  [[noreturn]] void fail(const std::string& what, const std::string& fix = {}) const {
    throw ModelError("bad-expression",
                     fmt::format("'{}' is not a formula: {} at character {}", text_, what, at_ + 1),
                     {},
                     fix);
  }
  /// The next bytes of the text, at least `count` of them, up to the end of a UTF-8 character.
  std::string_view next(std::size_t count) const {
    std::size_t end = std::min(at_ + count, text_.size());
    while (end < text_.size() && (static_cast<unsigned char>(text_[end]) & 0xC0U) == 0x80U)
      ++end;
    return text_.substr(at_, end - at_);
  }
  static std::vector<std::string> function_names() {
    std::vector<std::string> all;
    for (const UnaryFunction& f : kUnaryFunctions)
      all.emplace_back(f.name);
    for (const BinaryFunction& f : kBinaryFunctions)
      all.emplace_back(f.name);
    all.insert(all.end(), {"pow", "if"});
    return all;
  }
  /// Names of all functions, for messages.
  static std::string functions() { return fmt::format("{}", fmt::join(function_names(), " ")); }
  void skip_space() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0)
      ++at_;
  }
  /// Skips white space, then c. Returns false if c does not follow.
  bool take(char c) {
    skip_space();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!take(c)) fail(fmt::format("'{}' was expected", c));
  }
  int add(Term term) {
    if (terms_.size() > kMaxTerms) fail(fmt::format("it has more than {} terms", kMaxTerms));
    terms_.push_back(term);
    return static_cast<int>(terms_.size()) - 1;
  }
  int ternary() {
    if (++depth_ > kMaxDepth) fail(fmt::format("it is nested more than {} levels deep", kMaxDepth));
    const int condition = binary(1);
    int result = condition;
    if (take('?')) {
      const int if_true = ternary();
      expect(':');
      const int if_false = ternary();
      result = add({Op::choose, 0.0, 0, condition, if_true, if_false});
    }
    --depth_;
    return result;
  }
  /// The operator that follows; null if there is none.
  const std::pair<std::string_view, Op>* peek_binary() {
    skip_space();
    const std::pair<std::string_view, Op>* longest = nullptr;
    for (const auto& entry : kBinaryOperators)
      if (text_.substr(at_).starts_with(entry.first) &&
          (longest == nullptr || entry.first.size() > longest->first.size()))
        longest = &entry;
    return longest;
  }
  /// Reads operands and operators of precedence `level` or higher, except ^.
  int binary(int level) {
    int left = unary();
    while (const auto* found = peek_binary()) {
      const auto [symbol, op] = *found;
      if (precedence(op) < level || op == Op::power) break;
      at_ += symbol.size();
      const int right = binary(precedence(op) + 1);
      left = add({op, 0.0, 0, left, right, -1});
    }
    return left;
  }
  int unary() {
    if (++depth_ > kMaxDepth) fail(fmt::format("it is nested more than {} levels deep", kMaxDepth));
    int result = -1;
    if (take('-')) {
      result = add({Op::negate, 0.0, 0, unary(), -1, -1});
    } else if (take('+')) {
      result = unary();
    } else if (skip_space(), at_ < text_.size() && text_[at_] == '!') {
      ++at_;
      result = add({Op::logical_not, 0.0, 0, unary(), -1, -1});
    } else {
      result = power();
    }
    --depth_;
    return result;
  }
  int power() {
    const int base = primary();
    const auto* found = peek_binary();
    if (found == nullptr || found->second != Op::power) return base;
    at_ += found->first.size();
    return add({Op::power, 0.0, 0, base, unary(), -1});
  }
  /// Reads a number, a name, a function call or an expression in brackets.
  int primary() {
    skip_space();
    if (at_ >= text_.size()) fail("an operand is missing");
    if (take('(')) {
      const int inside = ternary();
      expect(')');
      return inside;
    }
    if (text_[at_] == '[') {
      // names may contain pairs of brackets, as elements of arrays do
      std::size_t close = at_;
      for (int depth = 0; close < text_.size(); ++close) {
        if (text_[close] == '[') ++depth;
        if (text_[close] == ']' && --depth == 0) break;
      }
      if (close >= text_.size()) fail("']' is missing");
      const std::string_view name = text_.substr(at_ + 1, close - at_ - 1);
      at_ = close + 1;
      return variable(name);
    }
    const char c = text_[at_];
    if (is_digit(c) || c == '.') {
      double value = 0.0;
      const auto [end, error] =
          std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
      if (error == std::errc::result_out_of_range)
        value = in_range(text_.substr(at_, static_cast<std::size_t>(end - text_.data()) - at_));
      else if (error != std::errc())
        fail("that is not a number");
      at_ = static_cast<std::size_t>(end - text_.data());
      return add({Op::number, value, 0, -1, -1, -1});
    }
    std::size_t end = at_;
    const auto is_letter = [](char l) {
      return (l >= 'a' && l <= 'z') || (l >= 'A' && l <= 'Z') || l == '_';
    };
    while (end < text_.size() && (is_letter(text_[end]) || (end > at_ && is_digit(text_[end]))))
      ++end;
    if (end == at_) fail(fmt::format("'{}' was not expected", next(1)));
    const std::string_view name = text_.substr(at_, end - at_);
    at_ = end;
    const std::size_t after = at_;
    skip_space();
    if (at_ < text_.size() && text_[at_] == '(') {
      at_ = after;
      return call(name);
    }
    if (const auto constant = constants_.find(name); constant != constants_.end()) {
      used_.insert(*constant);
      return add({Op::number, constant->second, 0, -1, -1, -1});
    }
    if (name == "pi") return add({Op::number, std::numbers::pi, 0, -1, -1, -1});
    return variable(name);
  }
  /// A number too small for a double, as 0. One that is too large fails.
  double in_range(std::string_view number) const {
    const std::optional<double> value = parse_real(number);
    if (!value) fail("that number is too large");
    return *value;
  }
  /// Reads the arguments of a function whose name has already been read.
  int call(std::string_view name) {
    const std::size_t name_at = at_ - name.size();
    expect('(');
    std::vector<int> arguments = {ternary()};
    while (take(','))
      arguments.push_back(ternary());
    expect(')');
    const auto expect_count = [&](std::size_t count) {
      if (arguments.size() == count) return;
      at_ = name_at;
      fail(fmt::format("{}() takes {} arguments, found {}", name, count, arguments.size()));
    };
    if (name == "if") {
      expect_count(3);
      return add({Op::choose, 0.0, 0, arguments[0], arguments[1], arguments[2]});
    }
    if (name == "pow") {
      expect_count(2);
      return add({Op::power, 0.0, 0, arguments[0], arguments[1], -1});
    }
    for (std::size_t k = 0; k < kUnaryFunctions.size(); ++k)
      if (kUnaryFunctions[k].name == name) {
        expect_count(1);
        return add({Op::unary, 0.0, k, arguments[0], -1, -1});
      }
    for (std::size_t k = 0; k < kBinaryFunctions.size(); ++k)
      if (kBinaryFunctions[k].name == name) {
        expect_count(2);
        return add({Op::binary, 0.0, k, arguments[0], arguments[1], -1});
      }
    const std::string nearest = nearest_name(name, function_names());
    at_ = name_at;
    fail(fmt::format("'{}' is not a function", name),
         nearest.empty() ? fmt::format("functions: {}", functions())
                         : fmt::format("did you mean '{}'?", nearest));
  }
  int variable(std::string_view name) {
    if (std::find(names_.begin(), names_.end(), name) == names_.end()) names_.emplace_back(name);
    if (variables_ == nullptr) return add({Op::variable, 0.0, 0, -1, -1, -1});
    const auto it = std::find(variables_->begin(), variables_->end(), name);
    if (it == variables_->end())
      throw ModelError("unknown-name",
                       fmt::format("'{}': there is no variable '{}'", text_, name),
                       {},
                       names_for(std::string(name)));
    return add({Op::variable, 0.0, static_cast<std::size_t>(it - variables_->begin()), -1, -1, -1});
  }

  /// What a name that is not a variable may have meant.
  std::string names_for(const std::string& name) const {
    // one letter resembles every other letter
    const std::string nearest = name.size() > 1 ? nearest_name(name, *variables_) : "";
    if (!nearest.empty()) return fmt::format("did you mean '{}'?", nearest);
    return fmt::format(
        "variables here: {}; functions: {}; pi", fmt::join(*variables_, ", "), functions());
  }

  std::string_view text_;
  const std::vector<std::string>* variables_;
  const std::map<std::string, double, std::less<>>& constants_;
  std::vector<std::string> names_;
  std::map<std::string, double, std::less<>> used_;
  std::vector<Term> terms_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

Parsed parse(std::string_view text,
             const std::vector<std::string>* variables,
             const std::map<std::string, double, std::less<>>& constants) {
  return Parser(text, variables, constants).parse();
}

}  // namespace femflex::laws::formula
