// Compiled form of a formula: a list of instructions for a stack machine, evaluated with or without
// derivatives.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "formula/terms.h"

namespace femflex::laws::formula {

/// f and its first `Order` derivatives with respect to one variable.
template <std::size_t Order>
using Jet = std::array<double, Order + 1>;

/// A tree of terms, compiled to a list of stack instructions with operands first. A term without
/// variables becomes one number.
class Program {
 public:
  Program() = default;
  /// Compiles the part of the tree below the term `root`.
  Program(const std::vector<Term>& terms, int root);

  bool empty() const { return code_.empty(); }
  // `values`: one per variable of the formula, in the order given to the parser
  double value(std::span<const double> values) const;
  Jet<1> derivative(std::span<const double> values, std::size_t variable) const;
  Jet<2> two_derivatives(std::span<const double> values, std::size_t variable) const;

  enum class Code : std::uint8_t {
    number,
    variable,
    negate,
    logical_not,
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
    logical_and,
    logical_or,
    unary,         // function of one argument
    binary,        // function of two arguments
    jump_if_zero,  // jumps if the condition is zero, and removes the condition from the stack
    jump,
  };

 private:
  friend class Compiler;
  /// Where the right operand of two is stored.
  enum class Right : std::uint8_t { stack, number, variable };
  struct Instruction {
    Code code = Code::number;
    Right right = Right::stack;
    std::uint32_t index = 0;     // index of a variable or function, or the target of a jump
    std::uint32_t variable = 0;  // index of the variable that is the right operand
    double number = 0.0;         // the number to push, or the right operand
  };
  template <typename Number>
  Number run(std::span<const double> values, std::size_t variable) const;

  std::vector<Instruction> code_;
};

}  // namespace femflex::laws::formula
