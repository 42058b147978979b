#include "functions/curve.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "femflex/errors.h"

namespace femflex::hamiltonian {

std::span<const std::string_view> variables_of(FunctionPlace place) {
  static constexpr std::array<std::string_view, 3> kSpring = {"e", "L", "d"};
  static constexpr std::array<std::string_view, 1> kTime = {"t"};
  switch (place) {
    case FunctionPlace::spring_force:
      return kSpring;
    case FunctionPlace::hinge_moment:
      return std::span(kSpring).first(1);
    case FunctionPlace::history:
      break;
  }
  return kTime;
}

void check_function(const Function& function, FunctionPlace place) {
  (void)Curve(function, variables_of(place), Curve::Beyond::hold);
}

Curve::Curve(const Function& function, std::span<const std::string_view> variables, Beyond beyond)
    : function_(function), beyond_(beyond) {
  if (!function.expression.empty()) expression_.emplace(function.expression, variables);
  const auto& x = function.arguments;
  if (x.size() != function.values.size())
    throw ModelError("bad-table", "a table needs as many values as arguments");
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!std::isfinite(x[i]) || !std::isfinite(function.values[i]) || (i > 0 && x[i] <= x[i - 1]))
      throw ModelError("bad-table", "the arguments of a table must rise and be finite");
  }
}

Expression::Value Curve::at(std::span<const double> variables) const {
  if (expression_) return expression_->evaluate(variables, 0);
  const auto& x = function_.arguments;
  const auto& y = function_.values;
  if (x.empty()) return {function_.constant, 0.0};
  if (x.size() == 1) return {y[0], 0.0};
  const double u = variables[0];
  // at a knot the slope is the one behind it
  if (beyond_ == Beyond::hold && (u < x.front() || u >= x.back()))
    return {u < x.front() ? y.front() : y.back(), 0.0};
  auto right = static_cast<std::size_t>(std::upper_bound(x.begin(), x.end(), u) - x.begin());
  right = std::clamp<std::size_t>(right, 1, x.size() - 1);
  const double slope = (y[right] - y[right - 1]) / (x[right] - x[right - 1]);
  return {y[right - 1] + slope * (u - x[right - 1]), slope};
}

double Curve::table_integral(double u) const {
  const auto& x = function_.arguments;
  const auto& y = function_.values;
  double sum = 0.0;
  std::size_t i = 0;
  for (; i + 2 < x.size() && u >= x[i + 1]; ++i)
    sum += 0.5 * (y[i] + y[i + 1]) * (x[i + 1] - x[i]);
  const double slope = x.size() > 1 ? (y[i + 1] - y[i]) / (x[i + 1] - x[i]) : 0.0;
  const double du = u - x[i];
  return sum + y[i] * du + 0.5 * slope * du * du;
}

double Curve::integral(std::span<const double> variables, bool shifted) const {
  const double u = variables[0];
  if (!expression_) {
    if (function_.arguments.empty()) return function_.constant * u;
    return table_integral(u) - table_integral(0.0);
  }
  // Gauss-Legendre, 8 points on each of 4 pieces: exact for polynomials of degree 15.
  static constexpr std::array<double, 4> kX = {
      0.1834346424956498, 0.5255324099163290, 0.7966664774136267, 0.9602898564975363};
  static constexpr std::array<double, 4> kW = {
      0.3626837833783620, 0.3137066458778873, 0.2223810344533745, 0.1012285362903763};
  std::array<double, 8> point{};
  std::copy_n(variables.begin(), std::min(variables.size(), point.size()), point.begin());
  constexpr int kPieces = 4;
  const double half = 0.5 * u / kPieces;
  double sum = 0.0;
  for (int piece = 0; piece < kPieces; ++piece) {
    const double middle = (2 * piece + 1) * half;
    for (std::size_t i = 0; i < kX.size(); ++i) {
      for (const double side : {-1.0, 1.0}) {
        point[0] = middle + side * kX[i] * half;
        if (shifted) point[1] = variables[1] + point[0] - u;
        sum += kW[i] * (*expression_)(point);
      }
    }
  }
  return sum * half;
}

}  // namespace femflex::hamiltonian
