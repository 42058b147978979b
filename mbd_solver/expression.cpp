#include "femflex/mbd_solver/expression.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numbers>
#include <utility>

#include <fmt/format.h>

#include "femflex/errors.h"

#if FEMFLEX_HAVE_MUPARSER
#include <muParser.h>
#endif

namespace femflex::mbd_solver {
namespace {

double f_step(double t, double t0) {
  return t >= t0 ? 1.0 : 0.0;
}
double f_sign(double x) {
  return x > 0.0 ? 1.0 : (x < 0.0 ? -1.0 : 0.0);
}
double f_mod(double a, double b) {
  return a - b * std::floor(a / b);
}
double f_min(double a, double b) {
  return std::min(a, b);
}
double f_max(double a, double b) {
  return std::max(a, b);
}

struct Function1 {
  std::string_view name;
  double (*call)(double);
};
struct Function2 {
  std::string_view name;
  double (*call)(double, double);
};
constexpr std::array<Function1, 18> kOne = {{{"sin", std::sin},
                                             {"cos", std::cos},
                                             {"tan", std::tan},
                                             {"asin", std::asin},
                                             {"acos", std::acos},
                                             {"atan", std::atan},
                                             {"sinh", std::sinh},
                                             {"cosh", std::cosh},
                                             {"tanh", std::tanh},
                                             {"exp", std::exp},
                                             {"ln", std::log},
                                             {"log", std::log},
                                             {"log10", std::log10},
                                             {"sqrt", std::sqrt},
                                             {"abs", std::fabs},
                                             {"sign", f_sign},
                                             {"floor", std::floor},
                                             {"ceil", std::ceil}}};
constexpr std::array<Function2, 6> kTwo = {{{"atan2", std::atan2},
                                            {"pow", std::pow},
                                            {"min", f_min},
                                            {"max", f_max},
                                            {"mod", f_mod},
                                            {"step", f_step}}};

enum class Op : unsigned char {
  number,
  variable,
  negate,
  invert,
  add,
  subtract,
  multiply,
  divide,
  power,
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  not_equal,
  both,
  either,
  choose,
  one,
  two,
};

struct Term {
  Op op = Op::number;
  double number = 0.0;
  std::size_t index = 0;  // of a variable or function
  int a = -1, b = -1, c = -1;
};

constexpr std::array<std::pair<std::string_view, Op>, 14> kBinary = {{{"||", Op::either},
                                                                      {"&&", Op::both},
                                                                      {"==", Op::equal},
                                                                      {"!=", Op::not_equal},
                                                                      {"<=", Op::less_equal},
                                                                      {">=", Op::greater_equal},
                                                                      {"<", Op::less},
                                                                      {">", Op::greater},
                                                                      {"+", Op::add},
                                                                      {"-", Op::subtract},
                                                                      {"*", Op::multiply},
                                                                      {"/", Op::divide},
                                                                      {"**", Op::power},
                                                                      {"^", Op::power}}};

int precedence(Op op) {
  switch (op) {
    case Op::either:
      return 1;
    case Op::both:
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

/// Recursive descent by precedence; -2^2 is -4 and 2^3^2 is 2^9, as in mathematics.
class Parser {
 public:
  Parser(std::string_view text, const std::vector<std::string>* variables)
      : text_(text), variables_(variables) {}

  std::vector<Term> parse() {
    root_ = ternary();
    space();
    if (at_ < text_.size()) fail(fmt::format("'{}' was not expected", text_.substr(at_, 10)));
    return std::move(terms_);
  }
  int root() const { return root_; }
  const std::vector<std::string>& names() const { return names_; }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw ModelError("bad-expression",
                     fmt::format("'{}' is no formula: {} at character {}", text_, what, at_ + 1));
  }
  void space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t'))
      ++at_;
  }
  bool take(char c) {
    space();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!take(c)) fail(fmt::format("'{}' was expected", c));
  }
  int add(Term term) {
    if (terms_.size() > 10000) fail("it is too long");
    terms_.push_back(term);
    return static_cast<int>(terms_.size()) - 1;
  }
  int ternary() {
    if (++depth_ > 200) fail("it is nested too deeply");
    const int condition = binary(1);
    int result = condition;
    if (take('?')) {
      const int yes = ternary();
      expect(':');
      const int no = ternary();
      result = add({Op::choose, 0.0, 0, condition, yes, no});
    }
    --depth_;
    return result;
  }
  const std::pair<std::string_view, Op>* peek_binary() {
    space();
    const std::pair<std::string_view, Op>* best = nullptr;
    for (const auto& entry : kBinary)
      if (text_.substr(at_).starts_with(entry.first) &&
          (best == nullptr || entry.first.size() > best->first.size()))
        best = &entry;
    return best;
  }
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
    if (++depth_ > 200) fail("it is nested too deeply");
    int result = -1;
    if (take('-')) {
      result = add({Op::negate, 0.0, 0, unary(), -1, -1});
    } else if (take('+')) {
      result = unary();
    } else if (space(), at_ < text_.size() && text_[at_] == '!') {
      ++at_;
      result = add({Op::invert, 0.0, 0, unary(), -1, -1});
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
  int primary() {
    space();
    if (at_ >= text_.size()) fail("it ends too early");
    if (take('(')) {
      const int inside = ternary();
      expect(')');
      return inside;
    }
    if (text_[at_] == '[') {
      const std::size_t close = text_.find(']', at_);
      if (close == std::string_view::npos) fail("']' is missing");
      const std::string_view name = text_.substr(at_ + 1, close - at_ - 1);
      at_ = close + 1;
      return variable(name);
    }
    const char c = text_[at_];
    if ((c >= '0' && c <= '9') || c == '.') {
      double value = 0.0;
      const auto [end, error] =
          std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
      if (error != std::errc()) fail("that is no number");
      at_ = static_cast<std::size_t>(end - text_.data());
      return add({Op::number, value, 0, -1, -1, -1});
    }
    std::size_t end = at_;
    const auto letter = [](char l) {
      return (l >= 'a' && l <= 'z') || (l >= 'A' && l <= 'Z') || l == '_';
    };
    while (end < text_.size() &&
           (letter(text_[end]) || (end > at_ && text_[end] >= '0' && text_[end] <= '9')))
      ++end;
    if (end == at_) fail(fmt::format("'{}' was not expected", c));
    const std::string_view name = text_.substr(at_, end - at_);
    at_ = end;
    space();
    if (at_ < text_.size() && text_[at_] == '(') return call(name);
    if (name == "pi") return add({Op::number, std::numbers::pi, 0, -1, -1, -1});
    return variable(name);
  }
  int call(std::string_view name) {
    expect('(');
    std::vector<int> arguments = {ternary()};
    while (take(','))
      arguments.push_back(ternary());
    expect(')');
    const auto want = [&](std::size_t count) {
      if (arguments.size() != count)
        fail(fmt::format("{}() takes {} arguments, found {}", name, count, arguments.size()));
    };
    if (name == "if") {
      want(3);
      return add({Op::choose, 0.0, 0, arguments[0], arguments[1], arguments[2]});
    }
    for (std::size_t k = 0; k < kOne.size(); ++k)
      if (kOne[k].name == name) {
        want(1);
        return add({Op::one, 0.0, k, arguments[0], -1, -1});
      }
    for (std::size_t k = 0; k < kTwo.size(); ++k)
      if (kTwo[k].name == name) {
        want(2);
        return add({Op::two, 0.0, k, arguments[0], arguments[1], -1});
      }
    fail(fmt::format("'{}' is no function", name));
  }
  int variable(std::string_view name) {
    if (std::find(names_.begin(), names_.end(), name) == names_.end()) names_.emplace_back(name);
    if (variables_ == nullptr) return add({Op::variable, 0.0, 0, -1, -1, -1});
    const auto it = std::find(variables_->begin(), variables_->end(), name);
    if (it == variables_->end())
      throw ModelError("unknown-name",
                       fmt::format("'{}' uses '{}', which is not known here", text_, name));
    return add({Op::variable, 0.0, static_cast<std::size_t>(it - variables_->begin()), -1, -1, -1});
  }

  std::string_view text_;
  const std::vector<std::string>* variables_;
  std::vector<std::string> names_;
  std::vector<Term> terms_;
  std::size_t at_ = 0;
  int root_ = -1;
  int depth_ = 0;
};

double evaluate(const std::vector<Term>& terms, int k, std::span<const double> values) {
  const Term& term = terms[static_cast<std::size_t>(k)];
  const auto a = [&] { return evaluate(terms, term.a, values); };
  const auto b = [&] { return evaluate(terms, term.b, values); };
  switch (term.op) {
    case Op::number:
      return term.number;
    case Op::variable:
      return values[term.index];
    case Op::negate:
      return -a();
    case Op::invert:
      return a() == 0.0 ? 1.0 : 0.0;
    case Op::add:
      return a() + b();
    case Op::subtract:
      return a() - b();
    case Op::multiply:
      return a() * b();
    case Op::divide:
      return a() / b();
    case Op::power:
      return std::pow(a(), b());
    case Op::less:
      return a() < b() ? 1.0 : 0.0;
    case Op::less_equal:
      return a() <= b() ? 1.0 : 0.0;
    case Op::greater:
      return a() > b() ? 1.0 : 0.0;
    case Op::greater_equal:
      return a() >= b() ? 1.0 : 0.0;
    case Op::equal:
      return a() == b() ? 1.0 : 0.0;
    case Op::not_equal:
      return a() != b() ? 1.0 : 0.0;
    case Op::both:
      return a() != 0.0 && b() != 0.0 ? 1.0 : 0.0;
    case Op::either:
      return a() != 0.0 || b() != 0.0 ? 1.0 : 0.0;
    case Op::choose:
      return a() != 0.0 ? b() : evaluate(terms, term.c, values);
    case Op::one:
      return kOne[term.index].call(a());
    case Op::two:
      return kTwo[term.index].call(a(), b());
  }
  return 0.0;
}

/// f and its first two derivatives over time.
using Jet = std::array<double, 3>;
Jet chain(const Jet& x, double f, double f1, double f2) {
  return {f, f1 * x[1], f2 * x[1] * x[1] + f1 * x[2]};
}
Jet plain(double f) {
  return {f, 0.0, 0.0};
}
Jet multiply(const Jet& a, const Jet& b) {
  return {a[0] * b[0], a[1] * b[0] + a[0] * b[1], a[2] * b[0] + 2.0 * a[1] * b[1] + a[0] * b[2]};
}
Jet add(const Jet& a, const Jet& b, double factor) {
  return {a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]};
}
Jet invert(const Jet& a) {
  return chain(a, 1.0 / a[0], -1.0 / (a[0] * a[0]), 2.0 / (a[0] * a[0] * a[0]));
}
Jet raise(const Jet& a, const Jet& b) {
  if (b[1] == 0.0 && b[2] == 0.0) {
    const double n = b[0];
    return chain(a,
                 std::pow(a[0], n),
                 n == 0.0 ? 0.0 : n * std::pow(a[0], n - 1.0),
                 n == 0.0 || n == 1.0 ? 0.0 : n * (n - 1.0) * std::pow(a[0], n - 2.0));
  }
  const Jet exponent = multiply(b, chain(a, std::log(a[0]), 1.0 / a[0], -1.0 / (a[0] * a[0])));
  const double e = std::pow(a[0], b[0]);
  return chain(exponent, e, e, e);
}
Jet function(std::string_view name, const Jet& x) {
  const double u = x[0];
  if (name == "sin") return chain(x, std::sin(u), std::cos(u), -std::sin(u));
  if (name == "cos") return chain(x, std::cos(u), -std::sin(u), -std::cos(u));
  if (name == "tan") {
    const double t = std::tan(u);
    return chain(x, t, 1.0 + t * t, 2.0 * t * (1.0 + t * t));
  }
  if (name == "asin" || name == "acos") {
    const double s = 1.0 / std::sqrt(1.0 - u * u);
    const double sign = name == "asin" ? 1.0 : -1.0;
    return chain(x, name == "asin" ? std::asin(u) : std::acos(u), sign * s, sign * u * s * s * s);
  }
  if (name == "atan") {
    const double s = 1.0 / (1.0 + u * u);
    return chain(x, std::atan(u), s, -2.0 * u * s * s);
  }
  if (name == "sinh") return chain(x, std::sinh(u), std::cosh(u), std::sinh(u));
  if (name == "cosh") return chain(x, std::cosh(u), std::sinh(u), std::cosh(u));
  if (name == "tanh") {
    const double t = std::tanh(u);
    return chain(x, t, 1.0 - t * t, -2.0 * t * (1.0 - t * t));
  }
  if (name == "exp") return chain(x, std::exp(u), std::exp(u), std::exp(u));
  if (name == "ln" || name == "log") return chain(x, std::log(u), 1.0 / u, -1.0 / (u * u));
  if (name == "log10") {
    const double c = 1.0 / std::numbers::ln10;
    return chain(x, std::log10(u), c / u, -c / (u * u));
  }
  if (name == "sqrt") return raise(x, plain(0.5));
  if (name == "abs") return chain(x, std::fabs(u), f_sign(u), 0.0);
  if (name == "floor") return plain(std::floor(u));
  if (name == "ceil") return plain(std::ceil(u));
  return plain(f_sign(u));
}
Jet function(std::string_view name, const Jet& a, const Jet& b) {
  if (name == "pow") return raise(a, b);
  if (name == "min") return b[0] < a[0] ? b : a;
  if (name == "max") return b[0] > a[0] ? b : a;
  if (name == "mod") return add(a, b, -std::floor(a[0] / b[0]));
  if (name == "step") return plain(f_step(a[0], b[0]));
  // atan2: angle' = (b a' - a b') / r2
  const double r2 = a[0] * a[0] + b[0] * b[0];
  const double rate = (b[0] * a[1] - a[0] * b[1]) / r2;
  const double r2_rate = 2.0 * (a[0] * a[1] + b[0] * b[1]);
  return {std::atan2(a[0], b[0]), rate, (b[0] * a[2] - a[0] * b[2]) / r2 - rate * r2_rate / r2};
}

Jet evaluate_jet(const std::vector<Term>& terms, int k, std::span<const double> values) {
  const Term& term = terms[static_cast<std::size_t>(k)];
  const auto a = [&] { return evaluate_jet(terms, term.a, values); };
  const auto b = [&] { return evaluate_jet(terms, term.b, values); };
  switch (term.op) {
    case Op::variable:
      return {values[term.index], term.index == 0 ? 1.0 : 0.0, 0.0};
    case Op::negate:
      return add(plain(0.0), a(), -1.0);
    case Op::add:
      return add(a(), b(), 1.0);
    case Op::subtract:
      return add(a(), b(), -1.0);
    case Op::multiply:
      return multiply(a(), b());
    case Op::divide:
      return multiply(a(), invert(b()));
    case Op::power:
      return raise(a(), b());
    case Op::choose:
      return a()[0] != 0.0 ? b() : evaluate_jet(terms, term.c, values);
    case Op::one:
      return function(kOne[term.index].name, a());
    case Op::two:
      return function(kTwo[term.index].name, a(), b());
    default:
      return plain(evaluate(terms, k, values));
  }
}

#if FEMFLEX_HAVE_MUPARSER
/// The checked formula again, every operation in brackets, so that muParser's own precedence and
/// names play no part.
std::string bracketed(const std::vector<Term>& terms, int k) {
  const Term& term = terms[static_cast<std::size_t>(k)];
  const auto text = [&](int child) { return bracketed(terms, child); };
  switch (term.op) {
    case Op::number:
      return fmt::format("({:.17g})", term.number);
    case Op::variable:
      return fmt::format("v{}_", term.index);
    case Op::negate:
      return fmt::format("(0-{})", text(term.a));
    case Op::invert:
      return fmt::format("({}==0 ? 1 : 0)", text(term.a));
    case Op::choose:
      return fmt::format("(({})!=0 ? {} : {})", text(term.a), text(term.b), text(term.c));
    case Op::one:
      return fmt::format("f_{}({})", kOne[term.index].name, text(term.a));
    case Op::two:
      return fmt::format("f_{}({},{})", kTwo[term.index].name, text(term.a), text(term.b));
    case Op::power:
      return fmt::format("f_pow({},{})", text(term.a), text(term.b));
    case Op::both:
      return fmt::format("(({})!=0 && ({})!=0 ? 1 : 0)", text(term.a), text(term.b));
    case Op::either:
      return fmt::format("(({})!=0 || ({})!=0 ? 1 : 0)", text(term.a), text(term.b));
    default:
      break;
  }
  std::string_view symbol;
  for (const auto& [name, op] : kBinary)
    if (op == term.op) symbol = name;
  return fmt::format("({}{}{})", text(term.a), symbol, text(term.b));
}
#endif

}  // namespace

struct Expression::Program {
  std::vector<Term> terms;
  int root = -1;
#if FEMFLEX_HAVE_MUPARSER
  std::unique_ptr<mu::Parser> parser;
  std::vector<double> buffer;  // what the parser's variables point at
#endif
};

Expression::Expression(std::string_view text, std::vector<std::string> variables, Engine engine)
    : text_(text),
      variables_(std::move(variables)),
      engine_(engine),
      program_(std::make_unique<Program>()) {
  Parser parser(text_, &variables_);
  program_->terms = parser.parse();
  program_->root = parser.root();
#if FEMFLEX_HAVE_MUPARSER
  if (engine_ == Engine::best) {
    try {
      auto mu = std::make_unique<mu::Parser>();
      for (const Function1& f : kOne)
        mu->DefineFun(fmt::format("f_{}", f.name), f.call);
      for (const Function2& f : kTwo)
        mu->DefineFun(fmt::format("f_{}", f.name), f.call);
      program_->buffer.assign(variables_.size() + 1, 0.0);
      for (std::size_t k = 0; k < variables_.size(); ++k)
        mu->DefineVar(fmt::format("v{}_", k), &program_->buffer[k]);
      mu->SetExpr(bracketed(program_->terms, program_->root));
      mu->Eval();
      program_->parser = std::move(mu);
    } catch (const mu::ParserError&) {
      program_->parser.reset();  // deeper than muParser goes: our own evaluation serves
    }
  }
#endif
}

Expression::Expression(const Expression& other)
    : Expression(other.text_, other.variables_, other.engine_) {}
Expression& Expression::operator=(const Expression& other) {
  if (this != &other) *this = Expression(other);
  return *this;
}
Expression::Expression(Expression&&) noexcept = default;
Expression& Expression::operator=(Expression&&) noexcept = default;
Expression::~Expression() = default;

double Expression::operator()(std::span<const double> values) const {
#if FEMFLEX_HAVE_MUPARSER
  if (program_->parser) {
    std::copy(values.begin(), values.end(), program_->buffer.begin());
    return program_->parser->Eval();
  }
#endif
  return evaluate(program_->terms, program_->root, values);
}

std::array<double, 3> Expression::time_derivatives(std::span<const double> values) const {
  return evaluate_jet(program_->terms, program_->root, values);
}

std::vector<std::string> Expression::names_in(std::string_view text) {
  Parser parser(text, nullptr);
  parser.parse();
  return parser.names();
}

}  // namespace femflex::mbd_solver
