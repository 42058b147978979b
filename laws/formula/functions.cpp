// The table of functions that formulas may use, such as sin and sqrt. A function of_...(u, f)
// returns the first and second derivative at u, where f is the value of the function at u.
#include <cmath>
#include <numbers>

#include "formula/terms.h"

namespace femflex::laws::formula {
namespace {

Slopes of_sin(double u, double f) {
  return {std::cos(u), -f};
}
Slopes of_cos(double u, double f) {
  return {-std::sin(u), -f};
}
Slopes of_tan(double /*u*/, double f) {
  return {1.0 + f * f, 2.0 * f * (1.0 + f * f)};
}
Slopes of_asin(double u, double /*f*/) {
  const double s = 1.0 / std::sqrt(1.0 - u * u);
  return {s, u * s * s * s};
}
Slopes of_acos(double u, double /*f*/) {
  const double s = 1.0 / std::sqrt(1.0 - u * u);
  return {-s, -u * s * s * s};
}
Slopes of_atan(double u, double /*f*/) {
  const double s = 1.0 / (1.0 + u * u);
  return {s, -2.0 * u * s * s};
}
Slopes of_sinh(double u, double f) {
  return {std::cosh(u), f};
}
Slopes of_cosh(double u, double f) {
  return {std::sinh(u), f};
}
Slopes of_tanh(double /*u*/, double f) {
  return {1.0 - f * f, -2.0 * f * (1.0 - f * f)};
}
Slopes of_exp(double /*u*/, double f) {
  return {f, f};
}
Slopes of_log(double u, double /*f*/) {
  return {1.0 / u, -1.0 / (u * u)};
}
Slopes of_log10(double u, double /*f*/) {
  const double c = 1.0 / std::numbers::ln10;
  return {c / u, -c / (u * u)};
}
Slopes of_sqrt(double u, double f) {
  return {0.5 / f, -0.25 / (u * f)};
}
Slopes of_abs(double u, double /*f*/) {
  return {sign_of(u), 0.0};
}
Slopes of_constant_pieces(double /*u*/, double /*f*/) {
  return {};
}

}  // namespace

double sign_of(double x) {
  return x > 0.0 ? 1.0 : (x < 0.0 ? -1.0 : 0.0);
}

constinit const std::array<UnaryFunction, 18> kUnaryFunctions = {
    {{"sin", std::sin, of_sin, false},
     {"cos", std::cos, of_cos, false},
     {"tan", std::tan, of_tan, false},
     {"asin", std::asin, of_asin, false},
     {"acos", std::acos, of_acos, false},
     {"atan", std::atan, of_atan, false},
     {"sinh", std::sinh, of_sinh, false},
     {"cosh", std::cosh, of_cosh, false},
     {"tanh", std::tanh, of_tanh, false},
     {"exp", std::exp, of_exp, false},
     {"ln", std::log, of_log, false},
     {"log", std::log, of_log, false},
     {"log10", std::log10, of_log10, false},
     {"sqrt", std::sqrt, of_sqrt, false},
     {"abs", std::fabs, of_abs, true},
     {"sign", sign_of, of_constant_pieces, true},
     {"floor", std::floor, of_constant_pieces, true},
     {"ceil", std::ceil, of_constant_pieces, true}}};

constinit const std::array<BinaryFunction, 5> kBinaryFunctions = {{{"atan2", BinaryId::atan2},
                                                                   {"min", BinaryId::min},
                                                                   {"max", BinaryId::max},
                                                                   {"mod", BinaryId::mod},
                                                                   {"step", BinaryId::step}}};

}  // namespace femflex::laws::formula
