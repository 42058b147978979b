#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace femflex::hamiltonian {

/// A formula in named variables, compiled once to postfix; evaluated with its derivative.
/// Knows + - * / ^ < > <= >=, pi, sin cos tan asin acos atan atan2 sinh cosh tanh exp log sqrt abs
/// sign min max floor, step(t, t0) = 1 from t0 on, if(c, a, b).
class Expression {
 public:
  struct Value {
    double value = 0.0;
    double derivative = 0.0;
  };

  /// @throws ModelError  no formula; says at which character
  Expression(std::string_view text, std::span<const std::string_view> variables);

  double operator()(std::span<const double> variables) const {
    return evaluate(variables, -1).value;
  }
  /// Value and derivative with respect to variable number `with_respect_to` (-1: none).
  Value evaluate(std::span<const double> variables, int with_respect_to) const;

 private:
  friend class ExpressionParser;
  struct Instruction {
    std::int16_t code = 0;
    std::int16_t variable = 0;
    double number = 0.0;
  };
  std::vector<Instruction> program_;
};

}  // namespace femflex::hamiltonian
