// Compiles a tree of terms to stack instructions and executes them: on plain numbers for the value,
// or on jets (a value with its derivatives) for automatic differentiation.
#include "formula/program.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <type_traits>

namespace femflex::laws::formula {
namespace {

// Size of the stack. The parser allows 200 nested brackets or signs. Each nesting level needs at
// most one operand for every level of precedence.
constexpr std::size_t kStackSize = 2048;

// Arithmetic of jets (a value with its derivatives). The derivatives of f(x(t)) are f' x' and f''
// x'^2 + f' x''.

/// The jet of a constant: all derivatives are zero.
template <std::size_t Order>
Jet<Order> constant_jet(double f) {
  return {f};
}
template <std::size_t Order>
bool is_constant_jet(const Jet<Order>& x) {
  return std::all_of(x.begin() + 1, x.end(), [](double d) { return d == 0.0; });
}
/// Chain rule: the jet of f(x) from the value f at x and the derivatives of f at x.
template <std::size_t Order>
Jet<Order> chain(const Jet<Order>& x, double f, const Slopes& slopes) {
  // With one derivative, a term that does not depend on the variable has the derivative zero, even
  // if f' is infinite. With two derivatives, as needed for prescribed motions, infinity times zero
  // must remain visible as an error.
  if (Order == 1 && x[1] == 0.0) return constant_jet<Order>(f);
  Jet<Order> out = {f, slopes.first * x[1]};
  if constexpr (Order > 1) out[2] = slopes.second * x[1] * x[1] + slopes.first * x[2];
  return out;
}

double add(double a, double b) {
  return a + b;
}
double subtract(double a, double b) {
  return a - b;
}
double multiply(double a, double b) {
  return a * b;
}
double divide(double a, double b) {
  return a / b;
}
double power(double a, double b) {
  return std::pow(a, b);
}
double negate(double a) {
  return -a;
}
double of_unary(const UnaryFunction& f, double a) {
  return f.call(a);
}
double mod(double a, double b) {
  return a - b * std::floor(a / b);
}
double of_atan2(double a, double b) {
  return std::atan2(a, b);
}

template <std::size_t N>
std::array<double, N> add(const std::array<double, N>& a, const std::array<double, N>& b) {
  std::array<double, N> out;
  for (std::size_t k = 0; k < N; ++k)
    out[k] = a[k] + b[k];
  return out;
}
template <std::size_t N>
std::array<double, N> subtract(const std::array<double, N>& a, const std::array<double, N>& b) {
  std::array<double, N> out;
  for (std::size_t k = 0; k < N; ++k)
    out[k] = a[k] - b[k];
  return out;
}
template <std::size_t N>
std::array<double, N> negate(const std::array<double, N>& a) {
  std::array<double, N> out;
  for (std::size_t k = 0; k < N; ++k)
    out[k] = -a[k];
  return out;
}
template <std::size_t N>
std::array<double, N> multiply(const std::array<double, N>& a, const std::array<double, N>& b) {
  std::array<double, N> out = {a[0] * b[0], a[1] * b[0] + a[0] * b[1]};
  if constexpr (N > 2) out[2] = a[2] * b[0] + 2.0 * a[1] * b[1] + a[0] * b[2];
  return out;
}
template <std::size_t N>
std::array<double, N> divide(const std::array<double, N>& a, const std::array<double, N>& b) {
  const double q = a[0] / b[0];
  std::array<double, N> out = {q, (a[1] - q * b[1]) / b[0]};
  if constexpr (N > 2) out[2] = (a[2] - 2.0 * out[1] * b[1] - q * b[2]) / b[0];
  return out;
}
template <std::size_t N>
std::array<double, N> power(const std::array<double, N>& a, const std::array<double, N>& b) {
  constexpr std::size_t kOrder = N - 1;
  const double n = b[0];
  const double f = std::pow(a[0], n);
  if (is_constant_jet<kOrder>(b)) {
    Slopes slopes;
    if (n != 0.0) slopes.first = n * std::pow(a[0], n - 1.0);
    if (N > 2 && n != 0.0 && n != 1.0) slopes.second = n * (n - 1.0) * std::pow(a[0], n - 2.0);
    return chain<kOrder>(a, f, slopes);
  }
  const std::array<double, N> log =
      chain<kOrder>(a, std::log(a[0]), {1.0 / a[0], -1.0 / (a[0] * a[0])});
  return chain<kOrder>(multiply(b, log), f, {f, f});
}
template <std::size_t N>
std::array<double, N> of_unary(const UnaryFunction& function, const std::array<double, N>& a) {
  const double f = function.call(a[0]);
  return chain<N - 1>(a, f, function.slopes(a[0], f));
}
template <std::size_t N>
std::array<double, N> mod(const std::array<double, N>& a, const std::array<double, N>& b) {
  const double quotient = std::floor(a[0] / b[0]);
  std::array<double, N> out;
  for (std::size_t k = 0; k < N; ++k)
    out[k] = a[k] - quotient * b[k];
  return out;
}
/// Derivative of atan2(a, b): (b a' - a b') / (a^2 + b^2).
template <std::size_t N>
std::array<double, N> of_atan2(const std::array<double, N>& a, const std::array<double, N>& b) {
  const double square = a[0] * a[0] + b[0] * b[0];
  const double r2 = square > 0.0 ? square : 1.0;
  std::array<double, N> out = {std::atan2(a[0], b[0]), (b[0] * a[1] - a[0] * b[1]) / r2};
  if constexpr (N > 2) {
    const double r2_rate = 2.0 * (a[0] * a[1] + b[0] * b[1]);
    out[2] = (b[0] * a[2] - a[0] * b[2]) / r2 - out[1] * r2_rate / r2;
  }
  return out;
}

double value_of(double x) {
  return x;
}
template <std::size_t N>
double value_of(const std::array<double, N>& x) {
  return x[0];
}

template <typename Number>
Number number_of(double x) {
  if constexpr (std::is_same_v<Number, double>)
    return x;
  else
    return {x};
}

template <typename Number>
Number of_binary(BinaryId function, const Number& a, const Number& b) {
  switch (function) {
    case BinaryId::atan2:
      return of_atan2(a, b);
    case BinaryId::min:
      return value_of(b) < value_of(a) ? b : a;
    case BinaryId::max:
      return value_of(b) > value_of(a) ? b : a;
    case BinaryId::mod:
      return mod(a, b);
    case BinaryId::step:
      break;
  }
  return number_of<Number>(value_of(a) >= value_of(b) ? 1.0 : 0.0);
}

/// Value of a comparison or logical operation.
bool holds(Op comparison, double a, double b) {
  switch (comparison) {
    case Op::less:
      return a < b;
    case Op::less_equal:
      return a <= b;
    case Op::greater:
      return a > b;
    case Op::greater_equal:
      return a >= b;
    case Op::equal:
      return a == b;
    case Op::not_equal:
      return a != b;
    case Op::logical_and:
      return a != 0.0 && b != 0.0;
    default:
      return a != 0.0 || b != 0.0;
  }
}

}  // namespace

/// Translates a tree of terms into instructions.
class Compiler {
 public:
  Compiler(const std::vector<Term>& terms, Program& program, bool fold_constants)
      : terms_(terms), program_(program), is_constant_(terms.size()) {
    if (!fold_constants) return;
    const auto constant = [&](int k) { return k < 0 || is_constant_[static_cast<std::size_t>(k)]; };
    for (std::size_t k = 0; k < terms.size(); ++k)
      is_constant_[k] = terms[k].op != Op::variable && constant(terms[k].a) &&
                        constant(terms[k].b) && constant(terms[k].c);
  }

  /// Compiles left operands first. A long sum is a long chain of left operands; it is compiled in a
  /// loop, because recursion could exceed the call stack.
  void compile(int k) {
    std::vector<int> operations;
    for (; is_operation(k); k = at(k).a)
      operations.push_back(k);
    const Term& first = at(k);
    if (is_number(k)) {
      emit(Op::number, 1, 0, number_at(k));
    } else if (first.op == Op::variable) {
      emit(Op::variable, 1, first.index);
    } else {
      compile_choice(first);
    }
    for (auto operation = operations.rbegin(); operation != operations.rend(); ++operation)
      compile_operation(at(*operation));
  }

 private:
  const Term& at(int k) const { return terms_[static_cast<std::size_t>(k)]; }
  bool is_number(int k) const {
    return at(k).op == Op::number || is_constant_[static_cast<std::size_t>(k)];
  }
  bool is_operation(int k) const {
    return !is_number(k) && at(k).op != Op::variable && at(k).op != Op::choose;
  }

  /// Appends an instruction that changes the height of the stack by `growth`.
  void emit(Op op, int growth, std::size_t index, double number = 0.0) {
    depth_ += growth;
    assert(depth_ <= static_cast<int>(kStackSize));
    Program::Instruction& added = program_.code_.emplace_back();
    added.op = op;
    added.index = static_cast<std::uint32_t>(index);
    added.number = number;
  }
  /// Value of a term without variables.
  double number_at(int k) const {
    if (at(k).op == Op::number) return at(k).number;
    Program constant;
    Compiler(terms_, constant, false).compile(k);
    return constant.value({});
  }
  /// Compiles condition ? b : c with two jumps.
  void compile_choice(const Term& term) {
    compile(term.a);
    const std::size_t jump_to_false = program_.code_.size();
    emit(Op::jump_if_zero, -1, 0);
    compile(term.b);
    const std::size_t jump_to_end = program_.code_.size();
    emit(Op::jump, -1, 0);  // the other branch starts without the result of this branch
    program_.code_[jump_to_false].index = static_cast<std::uint32_t>(program_.code_.size());
    compile(term.c);
    program_.code_[jump_to_end].index = static_cast<std::uint32_t>(program_.code_.size());
  }
  /// Compiles a right operand. A number or a variable becomes part of the instruction.
  Program::Instruction compile_right(int k) {
    Program::Instruction out;
    if (k < 0) return out;
    if (is_number(k)) {
      out.right = Program::Right::number;
      out.number = number_at(k);
    } else if (at(k).op == Op::variable) {
      out.right = Program::Right::variable;
      out.variable = static_cast<std::uint32_t>(at(k).index);
    } else {
      compile(k);
    }
    return out;
  }
  /// Compiles an operation whose left operand has been compiled.
  void compile_operation(const Term& term) {
    const Program::Instruction right = compile_right(term.b);
    const bool pops_right = term.b >= 0 && right.right == Program::Right::stack;
    emit(term.op, pops_right ? -1 : 0, term.index);
    program_.code_.back().right = right.right;
    program_.code_.back().variable = right.variable;
    program_.code_.back().number = right.number;
  }

  const std::vector<Term>& terms_;
  Program& program_;
  std::vector<bool> is_constant_;
  int depth_ = 0;
};

Program::Program(const std::vector<Term>& terms, int root) {
  Compiler(terms, *this, true).compile(root);
}

template <typename Number>
Number Program::run(std::span<const double> values, std::size_t variable) const {
  std::array<Number, kStackSize> stack;  // each entry is written before it is read
  Number* end = stack.data();            // points after the last operand
  const auto variable_at = [&](std::uint32_t index) {
    Number x = number_of<Number>(values[index]);
    if constexpr (!std::is_same_v<Number, double>) {
      if (index == variable) x[1] = 1.0;
    }
    return x;
  };
  const auto right_of = [&](const Instruction& instruction) {
    switch (instruction.right) {
      case Right::number:
        return number_of<Number>(instruction.number);
      case Right::variable:
        return variable_at(instruction.variable);
      default:
        return *--end;
    }
  };
  for (const Instruction* at = code_.data(); at != code_.data() + code_.size(); ++at) {
    const auto apply = [&](const auto& operation) {
      const Number right = right_of(*at);
      end[-1] = operation(end[-1], right);
    };
    switch (at->op) {
      case Op::number:
        *end++ = number_of<Number>(at->number);
        break;
      case Op::variable:
        *end++ = variable_at(at->index);
        break;
      case Op::negate:
        end[-1] = negate(end[-1]);
        break;
      case Op::logical_not:
        end[-1] = number_of<Number>(value_of(end[-1]) == 0.0 ? 1.0 : 0.0);
        break;
      case Op::unary:
        end[-1] = of_unary(kUnaryFunctions[at->index], end[-1]);
        break;
      case Op::jump_if_zero:
        if (value_of(*--end) == 0.0) at = code_.data() + at->index - 1;
        break;
      case Op::jump:
        at = code_.data() + at->index - 1;
        break;
      case Op::add:
        apply([](const Number& a, const Number& b) { return add(a, b); });
        break;
      case Op::subtract:
        apply([](const Number& a, const Number& b) { return subtract(a, b); });
        break;
      case Op::multiply:
        apply([](const Number& a, const Number& b) { return multiply(a, b); });
        break;
      case Op::divide:
        apply([](const Number& a, const Number& b) { return divide(a, b); });
        break;
      case Op::power:
        apply([](const Number& a, const Number& b) { return power(a, b); });
        break;
      case Op::binary:
        apply([&](const Number& a, const Number& b) {
          return of_binary(kBinaryFunctions[at->index].id, a, b);
        });
        break;
      default:  // a comparison
        apply([&](const Number& a, const Number& b) {
          return number_of<Number>(holds(at->op, value_of(a), value_of(b)) ? 1.0 : 0.0);
        });
        break;
    }
  }
  return end[-1];
}

double Program::value(std::span<const double> values) const {
  return run<double>(values, 0);
}
Jet<1> Program::derivative(std::span<const double> values, std::size_t variable) const {
  return run<Jet<1>>(values, variable);
}
Jet<2> Program::two_derivatives(std::span<const double> values, std::size_t variable) const {
  return run<Jet<2>>(values, variable);
}

}  // namespace femflex::laws::formula
