// Terms of a formula's tree, and the tables of functions and operators. Used by the parser, the
// compiler and the search for switches.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

namespace femflex::laws::formula {

/// First and second derivative of a function.
struct Slopes {
  double first = 0.0;
  double second = 0.0;
};

/// A function of one argument with its derivatives.
struct UnaryFunction {
  std::string_view name;
  double (*call)(double u);
  Slopes (*slopes)(double u, double f);  // f = call(u)
  bool has_kinks;  // whether the function has kinks or jumps, at which a formula of time switches
};

enum class BinaryId : unsigned char { atan2, min, max, mod, step };
/// A function of two arguments; program.cpp computes its value and derivatives.
struct BinaryFunction {
  std::string_view name;
  BinaryId id;
};

// The functions of formulas. In addition there are if(condition, a, b), and pow(a, b), which is
// a^b.
extern const std::array<UnaryFunction, 18> kUnaryFunctions;
extern const std::array<BinaryFunction, 5> kBinaryFunctions;

/// Returns -1, 0 or 1.
double sign_of(double x);

/// What a term computes, or an instruction of a compiled formula.
enum class Op : unsigned char {
  number,
  variable,
  negate,
  logical_not,
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
  logical_and,
  logical_or,
  unary,         // function of one argument
  binary,        // function of two arguments
  choose,        // condition ? b : c; terms only
  jump_if_zero,  // instructions only: jumps if the condition is zero, and removes the condition
                 // from the stack
  jump,          // instructions only
};

/// A node of a formula's tree. a, b, c are the indices of its children; -1: none. All children have
/// lower indices than the node.
struct Term {
  Op op = Op::number;
  double number = 0.0;
  std::size_t index = 0;  // index of the variable or of the function in its table
  int a = -1, b = -1, c = -1;
};

/// Binary operators as written in formulas.
inline constexpr std::array<std::pair<std::string_view, Op>, 14> kBinaryOperators = {
    {{"||", Op::logical_or},
     {"&&", Op::logical_and},
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

}  // namespace femflex::laws::formula
