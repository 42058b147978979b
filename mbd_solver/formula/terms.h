#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string_view>
#include <utility>

namespace femflex::mbd_solver::formula {

// Functions that formulas know, beside if(condition, a, b).
inline double f_step(double t, double t0) {
  return t >= t0 ? 1.0 : 0.0;
}
inline double f_sign(double x) {
  return x > 0.0 ? 1.0 : (x < 0.0 ? -1.0 : 0.0);
}
inline double f_mod(double a, double b) {
  return a - b * std::floor(a / b);
}
inline double f_min(double a, double b) {
  return std::min(a, b);
}
inline double f_max(double a, double b) {
  return std::max(a, b);
}

struct Function1 {
  std::string_view name;
  double (*call)(double);
};
struct Function2 {
  std::string_view name;
  double (*call)(double, double);
};
inline constexpr std::array<Function1, 18> kOne = {{{"sin", std::sin},
                                                    {"cos", std::cos},
                                                    {"tan", std::tan},
                                                    {"asin", std::asin},
                                                    {"acos", std::acos},
                                                    {"atan", std::atan},
                                                    {"sinh", std::sinh},
                                                    {"cosh", std::cosh},
                                                    {"tanh", std::tanh},
                                                    {"exp", std::exp},
                                                    {"ln", std::log},
                                                    {"log", std::log},
                                                    {"log10", std::log10},
                                                    {"sqrt", std::sqrt},
                                                    {"abs", std::fabs},
                                                    {"sign", f_sign},
                                                    {"floor", std::floor},
                                                    {"ceil", std::ceil}}};
inline constexpr std::array<Function2, 6> kTwo = {{{"atan2", std::atan2},
                                                   {"pow", std::pow},
                                                   {"min", f_min},
                                                   {"max", f_max},
                                                   {"mod", f_mod},
                                                   {"step", f_step}}};

enum class Op : unsigned char {
  number,
  variable,
  negate,
  invert,
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
  both,
  either,
  choose,
  one,
  two,
};

/// A node of a formula's tree; a, b, c are the numbers of its children.
struct Term {
  Op op = Op::number;
  double number = 0.0;
  std::size_t index = 0;  // of a variable or function
  int a = -1, b = -1, c = -1;
};

inline constexpr std::array<std::pair<std::string_view, Op>, 14> kBinary = {
    {{"||", Op::either},
     {"&&", Op::both},
     {"==", Op::equal},
     {"!=", Op::not_equal},
     {"<=", Op::less_equal},
     {">=", Op::greater_equal},
     {"<", Op::less},
     {">", Op::greater},
     {"+", Op::add},
     {"-", Op::subtract},
     {"*", Op::multiply},
     {"/", Op::divide},
     {"**", Op::power},
     {"^", Op::power}}};

}  // namespace femflex::mbd_solver::formula
