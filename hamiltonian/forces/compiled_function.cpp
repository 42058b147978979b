#include "forces/compiled_function.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "femflex/errors.h"

namespace femflex::hamiltonian {
namespace {

/// The names that an expression may use; the first is its argument.
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

/// Gauss and Legendre's rule of 8 points on [-1, 1], by halves: exact for polynomials of degree 15.
/// M. Abramowitz, I. A. Stegun, Handbook of Mathematical Functions, table 25.4.
constexpr std::array<double, 4> kGaussPoints = {
    0.1834346424956498, 0.5255324099163290, 0.7966664774136267, 0.9602898564975363};
constexpr std::array<double, 4> kGaussWeights = {
    0.3626837833783620, 0.3137066458778873, 0.2223810344533745, 0.1012285362903763};
constexpr int kPieces = 4;  // of the way from 0, each with the rule of its own

}  // namespace

CompiledFunction::CompiledFunction(const Function& function, FunctionPlace place, Beyond beyond)
    : constant_(function.constant) {
  if (!function.expression.empty()) formula_.emplace(function.expression, variables_of(place));
  const auto& x = function.arguments;
  if (x.size() != function.values.size())
    throw ModelError("bad-table", "a table needs as many values as arguments");
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!std::isfinite(x[i]) || !std::isfinite(function.values[i]) || (i > 0 && x[i] <= x[i - 1]))
      throw ModelError("bad-table", "the arguments of a table must rise and be finite");
  }
  if (x.size() == 1) constant_ = function.values.front();
  if (x.size() > 1)
    table_.emplace(x, function.values, laws::Curve::Kind::linear, beyond, "a function");
}

laws::ValueAndDerivative CompiledFunction::at(std::span<const double> variables) const {
  if (formula_) return formula_->derivative(variables, 0);
  if (table_) return table_->at(variables[0]);
  return {constant_, 0.0};
}

double CompiledFunction::integral(std::span<const double> variables, bool shifted) const {
  const double u = variables[0];
  if (!formula_) return table_ ? table_->integral(u) - table_->integral(0.0) : constant_ * u;
  std::array<double, 8> point{};
  std::copy_n(variables.begin(), std::min(variables.size(), point.size()), point.begin());
  const double half = 0.5 * u / kPieces;
  double sum = 0.0;
  for (int piece = 0; piece < kPieces; ++piece) {
    const double middle = (2 * piece + 1) * half;
    for (std::size_t i = 0; i < kGaussPoints.size(); ++i) {
      for (const double side : {-1.0, 1.0}) {
        point[0] = middle + side * kGaussPoints[i] * half;
        if (shifted) point[1] = variables[1] + point[0] - u;
        sum += kGaussWeights[i] * (*formula_)(point);
      }
    }
  }
  return sum * half;
}

}  // namespace femflex::hamiltonian
