// Compiled form of a formula: a list of instructions for a stack machine, which computes the value
// with or without derivatives. Used by formula.cpp and switches.cpp.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "formula/terms.h"

namespace femflex::laws::formula {

/// A value and its first `Order` derivatives with respect to one variable.
template <std::size_t Order>
using Jet = std::array<double, Order + 1>;

/// Instructions compiled from a tree of terms; operands come before their operation. A term without
/// variables is replaced by its value.
class Program {
 public:
  Program() = default;
  /// Compiles the term `root` and all terms below it.
  Program(const std::vector<Term>& terms, int root);

  bool empty() const { return code_.empty(); }
  // `values` has one entry per variable of the formula, in the order given to the parser
  double value(std::span<const double> values) const;
  Jet<1> derivative(std::span<const double> values, std::size_t variable) const;
  Jet<2> two_derivatives(std::span<const double> values, std::size_t variable) const;

 private:
  friend class Compiler;
  /// Source of the right operand of an operation with two operands.
  enum class Right : std::uint8_t { stack, number, variable };
  struct Instruction {
    Op op = Op::number;  // any but Op::choose
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
