#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "femflex/hamiltonian/time_function.h"

#include "functions/expression.h"

namespace femflex::hamiltonian {

/// The names that an expression may use; the first is its argument.
std::span<const std::string_view> variables_of(FunctionPlace place);

/// A Function ready to be evaluated, with derivative and integral. The first variable of an
/// expression is the argument; the others are constants given with each call.
class Curve {
 public:
  /// What a table does beyond its ends.
  enum class Beyond { hold, extrapolate };

  Curve() = default;
  /// @throws ModelError  the table does not rise or its lists differ in length; the formula is none
  Curve(const Function& function, std::span<const std::string_view> variables, Beyond beyond);

  /// value and derivative at variables[0].
  Expression::Value at(std::span<const double> variables) const;
  /// Derivative with respect to variable `which` of an expression; 0 for tables.
  double slope(std::span<const double> variables, int which) const {
    return expression_ ? expression_->evaluate(variables, which).derivative : 0.0;
  }
  /// Integral over variables[0] from 0 to its value. Where `shifted`, variables[1] moves along with
  /// variables[0] (a spring's length with its elongation).
  double integral(std::span<const double> variables, bool shifted = false) const;

 private:
  double table_integral(double x) const;  // from arguments[0] to x
  Function function_;
  std::optional<Expression> expression_;
  Beyond beyond_ = Beyond::hold;
};

}  // namespace femflex::hamiltonian
