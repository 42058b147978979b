#include "functions/expression.h"

#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <numbers>

#include "femflex/errors.h"

namespace femflex::hamiltonian {
namespace {

enum Code : std::int16_t {
  kNumber,
  kVariable,
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kPower,
  kNegate,
  kLess,
  kGreater,
  kLessEqual,
  kGreaterEqual,
  kSin,
  kCos,
  kTan,
  kAsin,
  kAcos,
  kAtan,
  kSinh,
  kCosh,
  kTanh,
  kExp,
  kLog,
  kSqrt,
  kAbs,
  kSign,
  kFloor,
  kAtan2,
  kMin,
  kMax,
  kStep,
  kIf,
};

struct Named {
  std::string_view name;
  Code code;
  int arguments;
};
constexpr std::array kFunctions = {
    Named{"sin", kSin, 1},     Named{"cos", kCos, 1},   Named{"tan", kTan, 1},
    Named{"asin", kAsin, 1},   Named{"acos", kAcos, 1}, Named{"atan", kAtan, 1},
    Named{"sinh", kSinh, 1},   Named{"cosh", kCosh, 1}, Named{"tanh", kTanh, 1},
    Named{"exp", kExp, 1},     Named{"log", kLog, 1},   Named{"sqrt", kSqrt, 1},
    Named{"abs", kAbs, 1},     Named{"sign", kSign, 1}, Named{"floor", kFloor, 1},
    Named{"atan2", kAtan2, 2}, Named{"min", kMin, 2},   Named{"max", kMax, 2},
    Named{"step", kStep, 2},   Named{"if", kIf, 3}};

constexpr int kDeepest = 64;  // nesting and stack; formulas of people stay far below

double sign_of(double x) {
  return x > 0.0 ? 1.0 : (x < 0.0 ? -1.0 : 0.0);
}

using Value = Expression::Value;

Value one_argument(std::int16_t code, Value a) {
  const double x = a.value;
  const double dx = a.derivative;
  switch (code) {
    case kNegate:
      return {-x, -dx};
    case kSin:
      return {std::sin(x), std::cos(x) * dx};
    case kCos:
      return {std::cos(x), -std::sin(x) * dx};
    case kTan:
      return {std::tan(x), dx * (1.0 + std::tan(x) * std::tan(x))};
    case kAsin:
      return {std::asin(x), dx / std::sqrt(1.0 - x * x)};
    case kAcos:
      return {std::acos(x), -dx / std::sqrt(1.0 - x * x)};
    case kAtan:
      return {std::atan(x), dx / (1.0 + x * x)};
    case kSinh:
      return {std::sinh(x), dx * std::cosh(x)};
    case kCosh:
      return {std::cosh(x), dx * std::sinh(x)};
    case kTanh:
      return {std::tanh(x), dx * (1.0 - std::tanh(x) * std::tanh(x))};
    case kExp:
      return {std::exp(x), dx * std::exp(x)};
    case kLog:
      return {std::log(x), dx / x};
    case kSqrt:
      return {std::sqrt(x), dx == 0.0 ? 0.0 : 0.5 * dx / std::sqrt(x)};
    case kAbs:
      return {std::abs(x), dx * sign_of(x)};
    case kSign:
      return {sign_of(x), 0.0};
    default:
      return {std::floor(x), 0.0};
  }
}

Value power(Value a, Value b) {
  const double value = std::pow(a.value, b.value);
  double derivative = 0.0;
  if (a.derivative != 0.0) derivative += b.value * std::pow(a.value, b.value - 1.0) * a.derivative;
  if (b.derivative != 0.0) derivative += value * std::log(a.value) * b.derivative;
  return {value, derivative};
}

Value two_arguments(std::int16_t code, Value a, Value b) {
  switch (code) {
    case kAdd:
      return {a.value + b.value, a.derivative + b.derivative};
    case kSubtract:
      return {a.value - b.value, a.derivative - b.derivative};
    case kMultiply:
      return {a.value * b.value, a.derivative * b.value + a.value * b.derivative};
    case kDivide: {
      const double quotient = a.value / b.value;
      return {quotient, (a.derivative - quotient * b.derivative) / b.value};
    }
    case kPower:
      return power(a, b);
    case kLess:
      return {a.value < b.value ? 1.0 : 0.0, 0.0};
    case kGreater:
      return {a.value > b.value ? 1.0 : 0.0, 0.0};
    case kLessEqual:
      return {a.value <= b.value ? 1.0 : 0.0, 0.0};
    case kGreaterEqual:
      return {a.value >= b.value ? 1.0 : 0.0, 0.0};
    case kAtan2: {
      const double r2 = a.value * a.value + b.value * b.value;
      return {std::atan2(a.value, b.value),
              (b.value * a.derivative - a.value * b.derivative) / (r2 > 0.0 ? r2 : 1.0)};
    }
    case kMin:
      return a.value <= b.value ? a : b;
    case kMax:
      return a.value >= b.value ? a : b;
    default:
      return {a.value >= b.value ? 1.0 : 0.0, 0.0};
  }
}

}  // namespace

/// Precedence climbing; a number at the end says where the reading stands.
class ExpressionParser {
 public:
  ExpressionParser(std::string_view text,
                   std::span<const std::string_view> variables,
                   Expression& out)
      : text_(text), variables_(variables), out_(out) {}

  void whole() {
    comparison();
    skip();
    if (at_ != text_.size()) fail("an operator");
  }

 private:
  static std::string functions() {
    std::string all;
    for (const Named& f : kFunctions)
      all += (all.empty() ? "" : " ") + std::string(f.name);
    return all;
  }
  [[noreturn]] void fail(const std::string& expected) const {
    std::string known;
    for (const auto name : variables_)
      known += (known.empty() ? "" : ", ") + std::string(name);
    throw ModelError("bad-expression",
                     "'" + std::string(text_) + "': character " + std::to_string(at_ + 1) +
                         ": expected " + expected,
                     {},
                     "variables here: " + known + "; functions: " + functions() + "; pi");
  }
  void skip() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0)
      ++at_;
  }
  bool take(std::string_view token) {
    skip();
    if (!text_.substr(at_).starts_with(token)) return false;
    at_ += token.size();
    return true;
  }
  void emit(std::int16_t code, int arguments, double number = 0.0, std::int16_t variable = 0) {
    depth_ += 1 - arguments;
    if (depth_ > kDeepest) fail("a simpler formula");
    out_.program_.push_back({code, variable, number});
  }
  void comparison() {
    if (++nesting_ > kDeepest) fail("fewer brackets");
    sum();
    while (true) {
      const Code code = take("<=")   ? kLessEqual
                        : take(">=") ? kGreaterEqual
                        : take("<")  ? kLess
                        : take(">")  ? kGreater
                                     : kNumber;
      if (code == kNumber) break;
      sum();
      emit(code, 2);
    }
    --nesting_;
  }
  void sum() {
    product();
    while (true) {
      const Code code = take("+") ? kAdd : take("-") ? kSubtract : kNumber;
      if (code == kNumber) return;
      product();
      emit(code, 2);
    }
  }
  void product() {
    signed_factor();
    while (true) {
      const Code code = take("*") ? kMultiply : take("/") ? kDivide : kNumber;
      if (code == kNumber) return;
      signed_factor();
      emit(code, 2);
    }
  }
  void signed_factor() {
    if (++nesting_ > kDeepest) fail("fewer signs");
    if (take("-")) {
      signed_factor();
      emit(kNegate, 1);
    } else if (take("+")) {
      signed_factor();
    } else {
      primary();
      if (take("^")) {  // binds to the right and tighter than a sign before it: -x^2 = -(x^2)
        signed_factor();
        emit(kPower, 2);
      }
    }
    --nesting_;
  }
  void primary() {
    skip();
    if (at_ == text_.size()) fail("a number, a name or '('");
    if (take("(")) {
      comparison();
      if (!take(")")) fail("')'");
      return;
    }
    double number = 0.0;
    const auto [end, error] =
        std::from_chars(text_.data() + at_, text_.data() + text_.size(), number);
    if (error == std::errc() &&
        (std::isdigit(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '.')) {
      at_ = static_cast<std::size_t>(end - text_.data());
      emit(kNumber, 0, number);
      return;
    }
    name();
  }
  void name() {
    std::size_t end = at_;
    while (end < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[end])) != 0 || text_[end] == '_'))
      ++end;
    const std::string_view word = text_.substr(at_, end - at_);
    for (std::size_t i = 0; i < variables_.size(); ++i) {
      if (word == variables_[i]) {
        at_ = end;
        emit(kVariable, 0, 0.0, static_cast<std::int16_t>(i));
        return;
      }
    }
    if (word == "pi") {
      at_ = end;
      emit(kNumber, 0, std::numbers::pi);
      return;
    }
    for (const Named& f : kFunctions) {
      if (word != f.name) continue;
      at_ = end;
      if (!take("(")) fail("'('");
      for (int i = 0; i < f.arguments; ++i) {
        if (i > 0 && !take(",")) fail("','");
        comparison();
      }
      if (!take(")")) fail("')'");
      emit(f.code, f.arguments);
      return;
    }
    fail("a number, a variable or a function");
  }

  std::string_view text_;
  std::span<const std::string_view> variables_;
  Expression& out_;
  std::size_t at_ = 0;
  int depth_ = 0, nesting_ = 0;
};

Expression::Expression(std::string_view text, std::span<const std::string_view> variables) {
  ExpressionParser(text, variables, *this).whole();
}

Expression::Value Expression::evaluate(std::span<const double> variables,
                                       int with_respect_to) const {
  std::array<Value, kDeepest + 1> stack;
  std::size_t top = 0;  // entries on the stack
  for (const Instruction& i : program_) {
    switch (i.code) {
      case kNumber:
        stack[top++] = {i.number, 0.0};
        break;
      case kVariable:
        stack[top++] = {variables[static_cast<std::size_t>(i.variable)],
                        i.variable == with_respect_to ? 1.0 : 0.0};
        break;
      case kIf:
        top -= 2;
        stack[top - 1] = stack[top - 1].value != 0.0 ? stack[top] : stack[top + 1];
        break;
      case kAdd:
      case kSubtract:
      case kMultiply:
      case kDivide:
      case kPower:
      case kLess:
      case kGreater:
      case kLessEqual:
      case kGreaterEqual:
      case kAtan2:
      case kMin:
      case kMax:
      case kStep:
        --top;
        stack[top - 1] = two_arguments(i.code, stack[top - 1], stack[top]);
        break;
      default:
        stack[top - 1] = one_argument(i.code, stack[top - 1]);
    }
  }
  return stack[0];
}

}  // namespace femflex::hamiltonian
