#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "femflex/hamiltonian/time_function.h"
#include "femflex/laws/curve.h"
#include "femflex/laws/formula.h"

namespace femflex::hamiltonian {

/// A Function ready to be evaluated, with derivative and integral. The first variable of an
/// expression is the argument; the others are constants given with each call.
class CompiledFunction {
 public:
  using Beyond = laws::Curve::Beyond;

  CompiledFunction() = default;  ///< 0
  /// @param beyond  what a table does outside its points
  /// @throws ModelError  the table does not rise or its lists differ in length; the formula is none
  CompiledFunction(const Function& function, FunctionPlace place, Beyond beyond);

  /// Value and derivative at variables[0].
  laws::ValueAndDerivative at(std::span<const double> variables) const;
  /// Derivative with respect to variable `which` of an expression; 0 for tables.
  double slope(std::span<const double> variables, std::size_t which) const {
    return formula_ ? formula_->derivative(variables, which).derivative : 0.0;
  }
  /// Integral over variables[0] from 0 to its value. Where `shifted`, variables[1] moves along with
  /// variables[0] (a spring's length with its elongation).
  double integral(std::span<const double> variables, bool shifted = false) const;

 private:
  double constant_ = 0.0;
  std::optional<laws::Curve> table_;
  std::optional<laws::Formula> formula_;
};

}  // namespace femflex::hamiltonian
