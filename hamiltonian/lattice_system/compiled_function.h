// CompiledFunction: a Function with its formula parsed and its table ready for interpolation.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "femflex/hamiltonian/time_function.h"
#include "femflex/laws/curve.h"
#include "femflex/laws/formula.h"
#include "femflex/laws/value_and_derivative.h"

namespace femflex::hamiltonian {

/// A Function ready to be evaluated: a formula, a curve or a constant.
class CompiledFunction {
 public:
  using Beyond = laws::Curve::Beyond;

  /// @param beyond  behaviour of a table outside its points
  /// @throws ModelError  the table's arguments are not in ascending order, its lists differ in
  /// length, or the formula is invalid
  CompiledFunction(const Function& function, FunctionPlace place, Beyond beyond);

  /// The formula, or null if the function is not a formula.
  const laws::Formula* formula() const { return formula_ ? &*formula_ : nullptr; }
  /// The curve through the points of a table, or null if the function is not a table.
  const laws::Curve* curve() const { return curve_ ? &*curve_ : nullptr; }

  /// Value and derivative of a function of one argument: a time, or the change of a hinge's angle
  /// from its reference. (A spring's formula has three arguments; see formula().)
  laws::ValueAndDerivative at(double argument) const {
    if (formula_) return formula_->derivative({&argument, 1}, 0);
    if (curve_) return curve_->at(argument);
    return {constant_, 0.0};
  }
  /// Integral from 0 to `argument`.
  double integral(double argument) const;

 private:
  double constant_;
  std::optional<laws::Curve> curve_;
  std::optional<laws::Formula> formula_;
};

}  // namespace femflex::hamiltonian
