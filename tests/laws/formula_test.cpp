// Tests formulas and their derivatives.
#include "femflex/laws/formula.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "femflex/errors.h"

#include "support/support.h"

namespace femflex::laws {
namespace {

double value(const std::string& text, double t = 0.0) {
  return Formula(text, {"t"})(std::array<double, 1>{t});
}

// Truth: arithmetic by hand and the C library.
TEST(Formula, FollowsThePrecedenceOfMathematics) {
  EXPECT_EQ(value("1+2*3^2"), 19.0);
  EXPECT_EQ(value("1 + 2*3^2 - -3/2"), 20.5);
  EXPECT_EQ(value("2e3*2\n+ 1"), 4001.0);
  EXPECT_EQ(value("-2^2"), -4.0);
  EXPECT_EQ(value("2^3^2"), 512.0);
  EXPECT_EQ(value("2^-1"), 0.5);
  EXPECT_EQ(value("8/4/2"), 1.0);
  EXPECT_EQ(value("7-4-2"), 1.0);
  EXPECT_EQ(value("1<2 && 2<1 || 1"), 1.0);
  EXPECT_EQ(value("1 < 2 ? 5 : 6"), 5.0);
  EXPECT_NEAR(value("sin(pi/6)"), 0.5, 1e-15);
}

// Truth: the definition of the unit step: 1 from its time onwards, 0 before.
TEST(Formula, StepIsOneFromItsTimeOn) {
  EXPECT_EQ(value("1000*step(t, 0.1)", 0.0999), 0.0);
  EXPECT_EQ(value("1000*step(t, 0.1)", 0.1), 1000.0);
  EXPECT_EQ(value("if(t > 1, 3, 4)", 2.0), 3.0);
}

// Truth: by hand. Each switch time is the first floating-point number at which the new branch is
// active.
TEST(Formula, KnowsWhenTimeAloneSwitchesIt) {
  const auto switches = [](const std::string& text) {
    return Formula(text, {"t", "x"}).switch_times(0.0, 2.0);
  };
  const auto after = [](double t) { return std::nextafter(t, 10.0); };
  using Times = std::vector<double>;
  EXPECT_EQ(switches("6*step(t, 0.3)"), Times{0.3});
  EXPECT_EQ(switches("if(t < 0.5, 0, if(t > 1, 2, 3))"), (Times{0.5, after(1.0)}));
  EXPECT_EQ(switches("sign(t - 0.5)"), Times{after(0.5)});
  EXPECT_EQ(switches("floor(2*t)"), (Times{0.5, 1.0, 1.5, 2.0}));
  EXPECT_EQ(switches("x*step(t, 0.3) + step(x, 0.1) + sin(t)"), Times{0.3});
  const Times roots = switches("step(sin(2*pi*t), 0)");
  ASSERT_EQ(roots.size(), 3U);  // at 0.5, 1, 1.5
  EXPECT_NEAR(roots[1], 1.0, 1e-15);
}

// Truth: the same arithmetic compiled by the C++ compiler. Constant parts are evaluated in advance
// by the same operations, so the results are equal bit for bit.
TEST(Formula, GivesWhatTheSameArithmeticInCppGives) {
  struct Pair {
    const char* text;
    double (*truth)(double t);
  };
  const double pi = std::numbers::pi;
  for (const auto& [text, truth] : {
           Pair{"sin(2*pi*3*t) + t^3",
                [](double t) { return std::sin(2 * std::numbers::pi * 3 * t) + std::pow(t, 3.0); }},
           Pair{"exp(-t)*cos(5*t)", [](double t) { return std::exp(-t) * std::cos(5 * t); }},
           Pair{"if(t<0.5, t, 1-t)", [](double t) { return t < 0.5 ? t : 1 - t; }},
           Pair{"t < 0.2 ? 1 : t < 0.4 ? 2 : 3",
                [](double t) { return t < 0.2 ? 1.0 : (t < 0.4 ? 2.0 : 3.0); }},
           Pair{"sqrt(abs(t-2))", [](double t) { return std::sqrt(std::fabs(t - 2)); }},
           Pair{"atan2(t, 1-t)", [](double t) { return std::atan2(t, 1 - t); }},
           Pair{"max(t, 0.3)*min(t, 0.7)",
                [](double t) { return std::max(t, 0.3) * std::min(t, 0.7); }},
           Pair{"mod(t*7, 1)", [](double t) { return t * 7 - std::floor(t * 7); }},
           Pair{"!(t>0.4) + 2*(t >= 0.3 && t != 0.5) + 4*(t == 0.25 || t <= 0.1)",
                [](double t) {
                  return (t > 0.4 ? 0.0 : 1.0) + 2 * (t >= 0.3 && t != 0.5 ? 1.0 : 0.0) +
                         4 * (t == 0.25 || t <= 0.1 ? 1.0 : 0.0);
                }},
           Pair{"-t^2+log10(t+1)-ln(t+2)/log(t+3)",
                [](double t) {
                  return -std::pow(t, 2.0) + std::log10(t + 1) - std::log(t + 2) / std::log(t + 3);
                }},
           Pair{"2^3^0.5*t - sign(t-0.5)*floor(3*t)*ceil(t)",
                [](double t) {
                  return std::pow(2.0, std::pow(3.0, 0.5)) * t -
                         (t > 0.5 ? 1.0 : (t < 0.5 ? -1.0 : 0.0)) * std::floor(3 * t) *
                             std::ceil(t);
                }},
       }) {
    for (int k = 0; k < 16; ++k)
      EXPECT_EQ(value(text, k / 16.0), truth(k / 16.0)) << text << " at " << k / 16.0;
  }
  EXPECT_EQ(value("pi"), pi);
}

// Truth: by definition a name in square brackets is a channel.
TEST(Formula, ChannelNamesStandInSquareBrackets) {
  const Formula e("2*[arm/12/z] + t", {"t", "arm/12/z"});
  EXPECT_EQ(e(std::array<double, 2>{1.0, 3.0}), 7.0);
  EXPECT_EQ(Formula::names_in("2*[arm/12/z]+t*pi"), (std::vector<std::string>{"arm/12/z", "t"}));
}

// Truth: the formula with the number in place of the name. A name in square brackets is a channel.
TEST(Formula, ConstantsAreNumbersWithAName) {
  const Formula::Constants constants = {{"k", -3.0}, {"t", 7.0}, {"idle", 1.0}};
  const Formula e("k^2*[k] - t", {"k"}, constants);
  EXPECT_EQ(e(std::array{2.0}), 11.0);
  EXPECT_EQ(e.constants(), (Formula::Constants{{"k", -3.0}, {"t", 7.0}}));
  EXPECT_EQ(Formula::names_in("k*[k] + x", constants), (std::vector<std::string>{"k", "x"}));
  EXPECT_EQ(Formula::of_time("2*x*t").variables(), (std::vector<std::string>{"t", "x"}));
}

// Truth: central differences of the value.
TEST(Formula, TimeDerivativesAreThoseOfTheValue) {
  for (const std::string text : {"sin(2*t)+t^3",
                                 "exp(-t)*cos(5*t)",
                                 "tan(t)/(1+t)",
                                 "asin(t/3)-acos(t/2)",
                                 "atan(t)*sinh(t)",
                                 "cosh(t)-tanh(2*t)",
                                 "ln(t+1)*log(t+2)",
                                 "log10(t+2)^t",
                                 "sqrt(t+1)*abs(t-2)",
                                 "atan2(t, 2-t)",
                                 "pow(t+1, 2.5)",
                                 "min(t, 3)*max(t, 0.1)",
                                 "mod(7*t+0.2, 9)",
                                 "if(t<2, t^2, t)",
                                 "step(t, 0.1)*t",
                                 "-t^2 + floor(t)+ceil(t)*t"}) {
    const Formula e(text, {"t"});
    const double t = 0.613;
    const double h = 1e-4;
    const auto at = [&](double x) { return e(std::array<double, 1>{x}); };
    const std::array<double, 3> jet = e.time_derivatives(std::array<double, 1>{t});
    EXPECT_EQ(jet[0], at(t)) << text;
    const ValueAndDerivative slope = e.derivative(std::array<double, 1>{t}, 0);
    EXPECT_EQ(slope.value, jet[0]) << text;
    EXPECT_EQ(slope.derivative, jet[1]) << text;
    // fourth-order differences: errors of order h^4, and rounding errors divided by h or h^2
    const double first =
        (8.0 * (at(t + h) - at(t - h)) - (at(t + 2 * h) - at(t - 2 * h))) / (12 * h);
    const double second =
        (16.0 * (at(t + h) + at(t - h)) - (at(t + 2 * h) + at(t - 2 * h)) - 30.0 * at(t)) /
        (12 * h * h);
    EXPECT_NEAR(jet[1], first, testing::tolerance(1e-10)) << text;
    EXPECT_NEAR(jet[2], second, testing::tolerance(1e-6)) << text;
  }
}

// Truth: partial derivatives by hand.
TEST(Formula, DerivesByAnyOfItsVariables) {
  const Formula f("sin(t*x) + t^3 + atan2(x, t)", {"t", "x"});
  const std::array<double, 2> at = {2.0, 3.0};
  EXPECT_NEAR(f.derivative(at, 0).derivative,
              3.0 * std::cos(6.0) + 12.0 - 3.0 / 13.0,
              testing::tolerance(1e-14));
  EXPECT_NEAR(
      f.derivative(at, 1).derivative, 2.0 * std::cos(6.0) + 2.0 / 13.0, testing::tolerance(1e-14));
}

// Truth: the derivative of a constant is 0, even where the derivative of the function is infinite.
TEST(Formula, ConstantArgumentsHaveNoDerivative) {
  const std::array<double, 2> at = {0.3, 0.0};
  EXPECT_EQ(Formula("t + sqrt(x)", {"t", "x"}).derivative(at, 0).derivative, 1.0);
  EXPECT_EQ(Formula("t + x^0.5", {"t", "x"}).derivative(at, 0).derivative, 1.0);
}

// Truth: at 0, |t|^1.5 has no second derivative and sqrt(t) has no first one; t^2 has a second
// derivative.
TEST(Formula, AnAccelerationThatIsNotThereIsNotFinite) {
  const std::array<double, 1> at = {0.0};
  EXPECT_FALSE(std::isfinite(Formula("abs(t)^1.5", {"t"}).time_derivatives(at)[2]));
  EXPECT_FALSE(std::isfinite(Formula("sqrt(t)", {"t"}).time_derivatives(at)[1]));
  EXPECT_EQ(Formula("t^2", {"t"}).time_derivatives(at)[2], 2.0);
}

// Truth: a formula has no state, so several threads get the same values as one thread.
TEST(Formula, ServesSeveralThreadsAtOnce) {
  const Formula f("if(t < 0.5, sin(t)*exp(-t), t^3 - sqrt(t))", {"t"});
  constexpr int kTimes = 20000;
  const auto sum = [&](double from) {
    double out = 0.0;
    for (int k = 0; k < kTimes; ++k)
      out += f(std::array<double, 1>{from + k / 40000.0});
    return out;
  };
  const std::array<double, 2> alone = {sum(0.0), sum(0.3)};
  std::array<double, 2> together{};
  std::thread other([&] { together[0] = sum(0.0); });
  together[1] = sum(0.3);
  other.join();
  EXPECT_EQ(together, alone);
}

// Truth: by hand. Deep nesting and long sums are allowed.
TEST(Formula, DeepFormulasAreEvaluated) {
  std::string text = "t";
  for (int k = 0; k < 90; ++k)
    text = "1 || 1 && 2 == 3 < 4 + 5*(" + text + ")";
  EXPECT_EQ(value(text, 1.0), 1.0);
  std::string sum = "t";
  for (int k = 0; k < 4900; ++k)
    sum += "+t";
  EXPECT_EQ(value(sum, 2.0), 9802.0);
}

// Truth: none of these texts is a formula.
TEST(Formula, SaysWhatIsWrong) {
  try {
    value("2*q");
    FAIL() << "accepted";
  } catch (const ModelError& error) {
    EXPECT_EQ(error.fix().substr(0, 36), "variables here: t; functions: sin co");
  }
  for (const std::string text :
       {"", "1+", "sin(t", "foo(t)", "u+1", "1 2", "step(t)", "3..4", "[a", "(t", "sin t", "t t"})
    EXPECT_THROW(value(text), ModelError) << text;
  EXPECT_THROW(value(std::string(5000, '(')), ModelError);
}

// Truth: the place of the fault in the text, counted from 1; whole characters of UTF-8.
TEST(Formula, SaysWhereItIsWrong) {
  const auto message = [](const char* text) -> std::string {
    try {
      value(text);
    } catch (const ModelError& error) {
      return error.message();
    }
    return {};
  };
  EXPECT_EQ(message("foo(2)+1"),
            "'foo(2)+1' is not a formula: 'foo' is not a function at character 1");
  EXPECT_EQ(message("2*atan2 (1)"),
            "'2*atan2 (1)' is not a formula: atan2() takes 2 arguments, found 1 at character 3");
  EXPECT_EQ(message("2\u00b7t"),
            "'2\u00b7t' is not a formula: '\u00b7t' was not expected at character 2");
  EXPECT_EQ(message("2*\u2013t"),
            "'2*\u2013t' is not a formula: '\u2013' was not expected at character 3");
  EXPECT_EQ(message("1e400"), "'1e400' is not a formula: that number is too large at character 1");
  EXPECT_EQ(value("1e-400"), 0.0);
}

// Truth: one-sided limits of each function at its switch.
TEST(Formula, NamesJumpsWithAStateWhicheverSideIsZero) {
  const auto jump = [](const char* text) { return Formula(text, {"t", "v"}).state_jump(); };
  EXPECT_EQ(jump("3*sign(v)"), "sign([v])");
  EXPECT_EQ(jump("100*step(v, 0)"), "step([v])");
  EXPECT_EQ(jump("100*(1 - step(v, 0))"), "step([v])");
  EXPECT_EQ(jump("100*(1 - step(v, 1))"), "step([v])");
  for (const char* continuous : {"v*sign(v)",
                                 "v*step(v, 0)",
                                 "v*(1 - step(v, 0))",
                                 "sin(v)",
                                 "v > 0 ? 3*v : 5*v",
                                 "2 < v ? v - 2 : 0",
                                 "v > 2e7 ? v - 2e7 : 0"})
    EXPECT_EQ(jump(continuous), "") << continuous;
}

// Truth: by hand, where v passes 0, 1, 2 or 2e7.
TEST(Formula, EveryTermThatMakesItJumpWithAStateIsFound) {
  const auto jump = [](const char* text) { return Formula(text, {"t", "v"}).state_jump(); };
  EXPECT_EQ(jump("step(0, v)"), "step([v])");
  EXPECT_EQ(jump("100*sign(v)*step(t, 2)"), "sign([v])");
  EXPECT_EQ(jump("step(v, 2e7)"), "step([v])");
  EXPECT_EQ(jump("step(v, 2*t)"), "step([v])");
  EXPECT_EQ(jump("v > 0 ? 3 : 5"), "[v] > ..");
  EXPECT_EQ(jump("2 >= v ? v : 0"), "[v] > ..");
  EXPECT_EQ(jump("if(v < 2, v, 0)"), "[v] < ..");
  EXPECT_EQ(jump("3*floor(v)"), "floor([v])");
  EXPECT_EQ(jump("ceil(v)"), "ceil([v])");
  EXPECT_EQ(jump("mod(v, 2)"), "mod([v])");
  EXPECT_EQ(jump("floor(2*v)"), "");
}

}  // namespace
}  // namespace femflex::laws
