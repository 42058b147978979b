#include "femflex/mbd_solver/expression.h"

#include <array>
#include <cmath>
#include <numbers>
#include <string>

#include <gtest/gtest.h>

#include "femflex/errors.h"

#include "formula/switches.h"
#include "support/support.h"

namespace femflex::mbd_solver {
namespace {

double value(const std::string& text, double t = 0.0) {
  return Expression(text, {"t"})(std::array<double, 1>{t});
}

// Truth: arithmetic by hand and the C library.
TEST(Expression, FollowsThePrecedenceOfMathematics) {
  EXPECT_EQ(value("1+2*3^2"), 19.0);
  EXPECT_EQ(value("-2^2"), -4.0);
  EXPECT_EQ(value("2^3^2"), 512.0);
  EXPECT_EQ(value("2^-1"), 0.5);
  EXPECT_EQ(value("8/4/2"), 1.0);
  EXPECT_EQ(value("7-4-2"), 1.0);
  EXPECT_EQ(value("1<2 && 2<1 || 1"), 1.0);
  EXPECT_EQ(value("1 < 2 ? 5 : 6"), 5.0);
  EXPECT_NEAR(value("sin(pi/6)"), 0.5, 1e-15);
}

// Truth: definition of the unit step, 1 from its time on.
TEST(Expression, StepIsOneFromItsTimeOn) {
  EXPECT_EQ(value("1000*step(t, 0.1)", 0.0999), 0.0);
  EXPECT_EQ(value("1000*step(t, 0.1)", 0.1), 1000.0);
  EXPECT_EQ(value("if(t > 1, 3, 4)", 2.0), 3.0);
}

// Truth: by hand; each switch is the first number from which the new branch holds.
TEST(Expression, KnowsWhenTimeAloneSwitchesIt) {
  const auto switches = [](const std::string& text) {
    return formula::switch_times(text, {"t", "x"}, 0.0, 2.0);
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

// Truth: two independent evaluators.
TEST(Expression, BothEnginesGiveTheSameNumbers) {
  for (const std::string text : {"sin(2*pi*t)+t^3",
                                 "exp(-t)*cos(5*t)",
                                 "if(t<0.5, t, 1-t)",
                                 "sqrt(abs(t-2))",
                                 "atan2(t, 1-t)",
                                 "max(t, 0.3)*min(t, 0.7)",
                                 "mod(t*7, 1)",
                                 "!(t>0.4)",
                                 "-t^2+log10(t+1)"}) {
    const Expression best(text, {"t"});
    const Expression own(text, {"t"}, Expression::Engine::own);
    for (int k = 0; k < 16; ++k) {
      const double t = k / 16.0;
      const std::array<double, 1> values = {t};
      EXPECT_NEAR(
          best(values), own(values), testing::tolerance(1e-15) * (1.0 + std::abs(own(values))))
          << text;
    }
  }
}

// Truth: the definition of a channel name in square brackets.
TEST(Expression, ChannelNamesStandInSquareBrackets) {
  const Expression e("2*[arm/12/z] + t", {"t", "arm/12/z"});
  EXPECT_EQ(e(std::array<double, 2>{1.0, 3.0}), 7.0);
  EXPECT_EQ(Expression::names_in("2*[arm/12/z]+t*pi"), (std::vector<std::string>{"arm/12/z", "t"}));
}

// Truth: central differences of the value.
TEST(Expression, TimeDerivativesAreThoseOfTheValue) {
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
    const Expression e(text, {"t"});
    const double t = 0.613;
    const double h = 1e-4;
    const auto at = [&](double x) { return e(std::array<double, 1>{x}); };
    const std::array<double, 3> jet = e.time_derivatives(std::array<double, 1>{t});
    EXPECT_NEAR(jet[0], at(t), testing::tolerance(1e-14)) << text;
    // fourth-order differences: h^4 and round-off over h or h^2
    const double first =
        (8.0 * (at(t + h) - at(t - h)) - (at(t + 2 * h) - at(t - 2 * h))) / (12 * h);
    const double second =
        (16.0 * (at(t + h) + at(t - h)) - (at(t + 2 * h) + at(t - 2 * h)) - 30.0 * at(t)) /
        (12 * h * h);
    EXPECT_NEAR(jet[1], first, testing::tolerance(1e-10)) << text;
    EXPECT_NEAR(jet[2], second, testing::tolerance(1e-6)) << text;
  }
}

// Truth: none of these is a formula.
TEST(Expression, SaysWhatIsWrong) {
  for (const std::string text :
       {"", "1+", "sin(t", "foo(t)", "u+1", "1 2", "step(t)", "3..4", "[a"})
    EXPECT_THROW(value(text), ModelError) << text;
  EXPECT_THROW(value(std::string(5000, '(')), ModelError);
}

}  // namespace
}  // namespace femflex::mbd_solver
