#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

namespace femflex::laws::formula {

/// First and second derivative of a function at u.
struct Slopes {
  double first = 0.0;
  double second = 0.0;
};

struct Function1 {
  std::string_view name;
  double (*call)(double u);
  Slopes (*slopes)(double u, double f);  // f = call(u)
  bool kinks;  // the function has kinks or jumps; a formula of time switches there
};

enum class Two : unsigned char { atan2, min, max, mod, step };
struct Function2 {
  std::string_view name;
  Two id;
};

// Functions that formulas know, in addition to if(condition, a, b) and pow(a, b), which is a^b.
extern const std::array<Function1, 18> kOne;
extern const std::array<Function2, 5> kTwo;

double sign_of(double x);

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

/// A node of a formula's tree; a, b, c are the indices of its children, which are all lower than
/// its own.
struct Term {
  Op op = Op::number;
  double number = 0.0;
  std::size_t index = 0;  // index of a variable or function
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

}  // namespace femflex::laws::formula
