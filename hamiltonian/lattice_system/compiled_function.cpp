// Prepares a Function for evaluation: checks its table or parses its formula. Integrates both.
#include "lattice_system/compiled_function.h"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "femflex/errors.h"
#include "femflex/laws/quadrature.h"

namespace femflex::hamiltonian {
namespace {

/// The names that an expression may use; the first one is the argument.
std::vector<std::string> variables_of(FunctionPlace place) {
  switch (place) {
    case FunctionPlace::spring_force:
      return {"e", "L", "d"};
    case FunctionPlace::hinge_moment:
      return {"e"};
    case FunctionPlace::history:
      break;
  }
  return {"t"};
}

void check_table(const Function& function) {
  const std::vector<double>& x = function.arguments;
  if (x.size() != function.values.size())
    throw ModelError("bad-table",
                     "a table has " + std::to_string(x.size()) + " arguments and " +
                         std::to_string(function.values.size()) +
                         " values; expected as many of both");
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!std::isfinite(x[i]) || !std::isfinite(function.values[i]) || (i > 0 && x[i] <= x[i - 1]))
      throw ModelError(
          "bad-table",
          "entry " + std::to_string(i + 1) +
              " of a table: expected finite numbers, with arguments in ascending order");
  }
}

}  // namespace

CompiledFunction::CompiledFunction(const Function& function, FunctionPlace place, Beyond beyond)
    : constant_(function.constant) {
  if (!function.expression.empty()) formula_.emplace(function.expression, variables_of(place));
  check_table(function);
  std::vector<double> x = function.arguments;
  std::vector<double> y = function.values;
  if (x.size() == 1) {  // a constant
    x.push_back(x.front() + 1.0);
    y.push_back(y.front());
  }
  if (!x.empty())
    curve_.emplace(std::move(x), std::move(y), laws::Curve::Kind::linear, beyond, "a function");
}

double CompiledFunction::integral(double argument) const {
  if (formula_)
    return laws::integral_from_zero(argument, [&](double x) { return (*formula_)({&x, 1}); });
  return curve_ ? curve_->integral(argument) - curve_->integral(0.0) : constant_ * argument;
}

}  // namespace femflex::hamiltonian
