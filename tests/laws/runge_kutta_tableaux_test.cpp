// Tests Runge-Kutta tableaux. Truth: the order conditions of rooted trees up to order five.
#include "femflex/laws/runge_kutta_tableaux.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "support/support.h"

namespace femflex::laws {
namespace {

using Weights = std::array<double, 7>;

/// Sum over s of weight_s value(s).
template <typename Value>
double sum(const Weights& weights, const Value& value) {
  double out = 0.0;
  for (std::size_t s = 0; s < weights.size(); ++s)
    out += weights[s] * value(s);
  return out;
}

Weights step_weights() {
  Weights b{};
  for (std::size_t s = 0; s + 1 < b.size(); ++s)
    b[s] = kDormandPrince.a.back()[s];
  return b;
}

/// Sum over r of a_sr value(r).
template <typename Value>
double row(std::size_t s, const Value& value) {
  double out = 0.0;
  for (std::size_t r = 0; r < s; ++r)
    out += kDormandPrince.a[s][r] * value(r);
  return out;
}

double c(std::size_t s) {
  return kDormandPrince.c[s];
}

// Largest residual of the 17 order conditions of rooted trees up to order 5 (Hairer, Norsett,
// Wanner, Solving Ordinary Differential Equations I, table II.2.2). Each condition has the
// right-hand side 1 / gamma(tree).
double worst_residual(const Weights& b, int order) {
  const auto one = [](std::size_t) { return 1.0; };
  const auto c2 = [](std::size_t s) { return c(s) * c(s); };
  const auto c3 = [](std::size_t s) { return c(s) * c(s) * c(s); };
  const auto ac = [](std::size_t s) { return row(s, c); };
  const auto ac2 = [&](std::size_t s) { return row(s, c2); };
  const auto aac = [&](std::size_t s) { return row(s, ac); };
  double worst = 0.0;
  const auto hold = [&](int of, double value, double wanted) {
    if (of <= order) worst = std::max(worst, std::abs(value - wanted));
  };
  hold(1, sum(b, one), 1.0);
  hold(2, sum(b, c), 1.0 / 2.0);
  hold(3, sum(b, c2), 1.0 / 3.0);
  hold(3, sum(b, ac), 1.0 / 6.0);
  hold(4, sum(b, c3), 1.0 / 4.0);
  hold(4, sum(b, [&](std::size_t s) { return c(s) * ac(s); }), 1.0 / 8.0);
  hold(4, sum(b, ac2), 1.0 / 12.0);
  hold(4, sum(b, aac), 1.0 / 24.0);
  hold(5, sum(b, [&](std::size_t s) { return c2(s) * c2(s); }), 1.0 / 5.0);
  hold(5, sum(b, [&](std::size_t s) { return c2(s) * ac(s); }), 1.0 / 10.0);
  hold(5, sum(b, [&](std::size_t s) { return ac(s) * ac(s); }), 1.0 / 20.0);
  hold(5, sum(b, [&](std::size_t s) { return c(s) * ac2(s); }), 1.0 / 15.0);
  hold(5, sum(b, [&](std::size_t s) { return c(s) * aac(s); }), 1.0 / 30.0);
  hold(5, sum(b, [&](std::size_t s) { return row(s, c3); }), 1.0 / 20.0);
  const auto c_ac = [&](std::size_t s) { return c(s) * ac(s); };
  hold(5, sum(b, [&](std::size_t s) { return row(s, c_ac); }), 1.0 / 40.0);
  hold(5, sum(b, [&](std::size_t s) { return row(s, ac2); }), 1.0 / 60.0);
  hold(5, sum(b, [&](std::size_t s) { return row(s, aac); }), 1.0 / 120.0);
  return worst;
}

// Truth: the definition of a consistent tableau.
TEST(DormandPrince, NodesAreTheRowSums) {
  for (std::size_t s = 0; s < 7; ++s)
    EXPECT_NEAR(row(s, [](std::size_t) { return 1.0; }), c(s), testing::tolerance(1e-14)) << s;
}

// The entries of a are up to 12 and their products cancel, so rounding errors reach 1e-14.
TEST(DormandPrince, StepHasOrderFiveAndTheEmbeddedFormulaFour) {
  const Weights b = step_weights();
  EXPECT_LT(worst_residual(b, 5), testing::tolerance(1e-14));
  Weights embedded = b;
  for (std::size_t s = 0; s < embedded.size(); ++s)
    embedded[s] -= kDormandPrince.error[s];
  EXPECT_LT(worst_residual(embedded, 4), testing::tolerance(1e-14));
  EXPECT_GT(worst_residual(embedded, 5), 1e-5);  // otherwise it would not estimate an error
}

}  // namespace
}  // namespace femflex::laws
