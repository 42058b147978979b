// Tests poles and responses of parts.
#include "femflex/substructure/solve.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "femflex/dense.h"
#include "femflex/errors.h"
#include "femflex/progress.h"

#include "examples.h"
#include "support/support.h"

namespace femflex::substructure {
namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXd;
using testing::code_of;
using testing::tolerance;

constexpr Input force_at(int port) {
  return {Input::Kind::force, port};
}
constexpr Input motion_of(int port) {
  return {Input::Kind::motion, port};
}
constexpr Output displacement_at(int port) {
  return {Output::Kind::displacement, port};
}
constexpr Output reaction_at(int port) {
  return {Output::Kind::reaction, port};
}

/// A chain of masses, every third one without mass, damped unevenly; port 1 is for the wall.
DynamicStiffness uneven_chain(int masses, bool massless) {
  std::vector<DynamicStiffness> links;
  ObjectTable objects;
  for (int e = 1; e <= masses; ++e) {
    links.push_back(bar_part({0.0, 1e5 * (1.0 + 0.3 * std::sin(e)), 20.0 + 5.0 * (e % 4)}));
    objects.push_back({e, e + 1});
    if (massless && e % 3 == 0) continue;
    links.push_back(from_polynomials({{{2.0 + 0.1 * e, 0.0, 0.0}}}));
    objects.push_back({e + 1});
  }
  return joined(links, objects);
}

// Truth: roots of (s + 1)(s + 2)(s^2 + 2 s + 5), a polynomial of order four.
TEST(Poles, OfAPolynomialOfOrderFourAreItsRoots) {
  const DynamicStiffness part = from_polynomials({{{1.0, 5.0, 13.0, 19.0, 10.0}}});
  const Poles found = poles(part, {});
  const std::vector<Complex> expected{{-1.0, 0.0}, {-2.0, 0.0}, {-1.0, -2.0}, {-1.0, 2.0}};
  ASSERT_EQ(found.values.size(), 4);
  for (Index k = 0; k < 4; ++k) {
    EXPECT_LT(std::abs(found.values(k) - expected[static_cast<std::size_t>(k)]), tolerance(1e-12));
  }
}

// Truth: a massless DOF between two springs in series is not a DOF: omega^2 = k / 2 m.
TEST(Poles, SplitOffDofsWithoutMass) {
  const DynamicStiffness spring = bar_part({0.0, 800.0, 0.0});
  const DynamicStiffness mass = from_polynomials({{{4.0, 0.0, 0.0}}});
  const DynamicStiffness chain = joined({spring, spring, mass}, {{1, 2}, {2, 3}, {3}});
  const Poles found = poles(chain, {.fixed = {1}});
  ASSERT_EQ(found.values.size(), 2);
  EXPECT_EQ(found.infinite, 2);
  for (Index k = 0; k < 2; ++k) {
    EXPECT_NEAR(std::abs(found.values(k).imag()), 10.0, tolerance(1e-13) * 10.0);
    // half way between wall and mass
    EXPECT_LT(std::abs(found.shapes(1, k) - 0.5 * found.shapes(2, k)), tolerance(1e-13));
  }
}

// Truth: the residual of each pole and shape, in a chain with dampers on massless DOFs.
TEST(Poles, SolveTheirEquationInAnUnevenChain) {
  const Poles found = poles(uneven_chain(30, true), {.fixed = {1}});
  EXPECT_EQ(found.values.size() + found.infinite, 60);
  EXPECT_LT(found.residual, tolerance(1e-13));
  EXPECT_LT(found.values.real().maxCoeff(), 0.0);
}

// Truth: the companion matrix of the state space that the part was made of.
TEST(Poles, OfAPartMadeOfAStateSpaceAreItsEigenvalues) {
  const Eigen::Matrix3d A =
      (Eigen::Matrix3d() << 0.0, 1.0, 0.0, -5.0, -2.0, 0.0, 1.0, 0.0, -3.0).finished();
  const Eigen::Vector3d B(0.0, 1.0, 0.5);
  const Eigen::RowVector3d C(1.0, 0.0, 2.0);
  const DynamicStiffness part = from_state_space(A, B, C, Eigen::MatrixXd::Constant(1, 1, 0.25));
  const Poles found = poles(part, {});
  ASSERT_EQ(found.values.size(), 3);
  EXPECT_LT(std::abs(found.values(2) - Complex(-3.0, 0.0)), tolerance(1e-12));
  EXPECT_LT(std::abs(found.values(0) - Complex(-1.0, -2.0)), tolerance(1e-12));
  // and its transfer function is C (s - A)^-1 B + D
  const TransferFunction H = transfer_function(part, {}, found, force_at(1), displacement_at(1));
  const Complex s(0.3, 1.7);
  const Complex expected =
      (C.cast<Complex>() * (s * Eigen::Matrix3cd::Identity() - A.cast<Complex>()).inverse() *
       B.cast<Complex>())
          .value() +
      0.25;
  EXPECT_LT(std::abs(H(s) - expected), tolerance(1e-12) * std::abs(expected));
}

// Truth: the mode of the softest DOF, whose eigenvalue is zero to rounding.
TEST(Poles, OfADofSoftToRoundOffHaveAFiniteShape) {
  for (const double soft : {1e-12, 3e-13, 2.5e-13, 1e-14, 0.0}) {
    const DynamicStiffness part =
        joined({from_polynomials({{{1.0, 0.0, 1.0}}}), from_polynomials({{{1.0, 0.0, soft}}})},
               {{1}, {2}});
    const Poles found = poles(part, {});
    ASSERT_EQ(found.values.size(), 4) << soft;
    for (Index k = 0; k < 4; ++k) {
      ASSERT_TRUE(found.shapes.col(k).allFinite()) << soft << " " << k;
      if (std::abs(found.values(k)) < 0.5) {
        EXPECT_NEAR(std::abs(found.shapes(1, k)), 1.0, tolerance(1e-9)) << soft << " " << k;
      }
    }
  }
}

// Truth: H of the part in closed form; a displacement by a motion through spring and damper has no
// constant part, also where two real poles almost meet.
TEST(TransferFunctions, HaveNoConstantPartThatIsNotThere) {
  for (const double damping : {0.3, 0.999999, 1.0 + 1e-9, 1.0 + 1e-7, 1.0 + 1e-4, 3.0}) {
    const DynamicStiffness part =
        joined({bar_part({0.0, 1e4, 2.0 * damping * 100.0}), from_polynomials({{{1.0, 0.0, 0.0}}})},
               {{1, 2}, {2}});
    const Supports supports{.fixed = {}, .prescribed = {1}};
    const TransferFunction H =
        transfer_function(part, supports, poles(part, supports), motion_of(1), displacement_at(2));
    EXPECT_TRUE(H.direct.empty()) << damping << " " << H.direct.front();
    const TransferFunction F =
        transfer_function(part, supports, poles(part, supports), motion_of(1), reaction_at(1));
    const Complex s(0.0, 1e3), link = 2.0 * damping * 100.0 * s + 1e4;
    const Complex expected = link * s * s / (s * s + link);
    EXPECT_LT(std::abs(F(s) - expected), tolerance(1e-8) * std::abs(expected)) << damping;
  }
}

// Truth: two springs of 200 and 300 N/m in series, without mass: u = f / k at once.
TEST(TransferFunctions, OfAnElasticPartAreItsFlexibility) {
  const DynamicStiffness part =
      joined({bar_part({0.0, 200.0, 0.0}), bar_part({0.0, 300.0, 0.0})}, {{1, 2}, {2, 3}});
  const Supports supports{.fixed = {1}};
  const Poles found = poles(part, supports);
  EXPECT_EQ(found.values.size(), 0);
  const TransferFunction H =
      transfer_function(part, supports, found, force_at(3), displacement_at(3));
  const double flexibility = 1.0 / 200.0 + 1.0 / 300.0;
  EXPECT_NEAR(H(0.0).real(), flexibility, tolerance(1e-13) * flexibility);
  const std::vector<double> times{0.0, 1.0};
  EXPECT_NEAR(step_response(H, times)(1), flexibility, tolerance(1e-13) * flexibility);
  EXPECT_NEAR(simulate(H, Eigen::Vector2d(0.0, 6.0), 0.1)(1),
              6.0 * flexibility,
              tolerance(1e-13) * flexibility);
}

// Truth: the reaction of a port of mass m on a spring k to a free body M, F = m s^2 + k s^2 /
// (s^2 + k/M) per metre, beside an oscillator so fast that s^2 of its circle hides k.
TEST(TransferFunctions, KeepTheStaticPartBesideFastPoles) {
  const double m = 100.0, k = 1e3, M = 1000.0, light = 1e-6;
  for (const double fast : {1e3, 1e5, 1e6, 1e7}) {
    const DynamicStiffness part = joined({from_polynomials({{{m, 0.0, 0.0}}}),
                                          bar_part({0.0, k, 0.0}),
                                          from_polynomials({{{M, 0.0, 0.0}}}),
                                          bar_part({0.0, light * fast * fast, 0.0}),
                                          from_polynomials({{{light, 0.0, 0.0}}})},
                                         {{1}, {1, 2}, {2}, {2, 3}, {3}});
    const Supports supports{.fixed = {}, .prescribed = {1}};
    const TransferFunction H =
        transfer_function(part, supports, poles(part, supports), motion_of(1), reaction_at(1));
    for (const Complex s : {Complex(0.0, 0.5), Complex(0.1, 3.0), Complex(0.0, 100.0)}) {
      // the body and the oscillator on it
      const Complex body = s * s * (M + light * fast * fast / (s * s + fast * fast));
      const Complex expected = m * s * s + k * body / (body + k);
      EXPECT_LT(std::abs(H(s) - expected), tolerance(1e-8) * std::abs(expected)) << fast << s;
    }
  }
}

// Truth: poles() of the same part, all of them.
TEST(Poles, NearAShiftAreTheLowestOfAll) {
  const DynamicStiffness chain = uneven_chain(60, false);
  const Poles all = poles(chain, {.fixed = {1}});
  const Poles near = poles_near(chain, {.fixed = {1}}, 0.0, 8);
  ASSERT_GE(near.values.size(), 8);
  for (Index k = 0; k < 8; ++k) {
    EXPECT_LT((all.values.array() - near.values(k)).abs().minCoeff(),
              tolerance(1e-9) * std::abs(near.values(k)));
  }
  EXPECT_NEAR(std::abs(near.values(0)), std::abs(all.values(0)), tolerance(1e-9) * 100.0);
  EXPECT_LT(near.residual, tolerance(1e-10));
}

// Truth: poles() of the same part. Two of its three free DOFs have no mass, so four of the six
// poles are at infinity.
TEST(Poles, NearAShiftAreFinite) {
  const DynamicStiffness chain = with_ports(joined({bar_part({0.0, 800.0, 0.0}),
                                                    bar_part({0.0, 800.0, 0.0}),
                                                    bar_part({0.0, 800.0, 0.0}),
                                                    from_polynomials({{{4.0, 0.0, 0.0}}})},
                                                   {{1, 2}, {2, 3}, {3, 4}, {4}}),
                                            {1, 4});
  const Poles all = poles(chain, {.fixed = {1}});
  ASSERT_EQ(all.values.size(), 2);
  const Poles near = poles_near(chain, {.fixed = {1}}, 0.0, 4);
  ASSERT_EQ(near.values.size(), 2);
  for (Index k = 0; k < 2; ++k)
    EXPECT_LT(std::abs(near.values(k) - all.values(k)), tolerance(1e-9) * std::abs(all.values(k)));
  EXPECT_EQ(near.infinite, kNotCounted);
}

// Truth: the poles of an undamped or weakly damped part are conjugate pairs.
TEST(Poles, NearAShiftComeWithTheirConjugates) {
  const DynamicStiffness chain = uneven_chain(60, false);
  for (const int count : {5, 7, 118, 119}) {  // the last two are almost all
    const Poles near = poles_near(chain, {.fixed = {1}}, 0.0, count);
    EXPECT_GE(near.values.size(), count);
    EXPECT_LE(near.values.size(), count + 1);
    EXPECT_NEAR(near.values.imag().sum(), 0.0, tolerance(1e-9) * near.values.cwiseAbs().sum())
        << count;
  }
}

// Truth: poles() of the same part, of which the nearest are kept.
TEST(Poles, NearAShiftAreAsManyAsAskedForInASmallPart) {
  const DynamicStiffness chain = uneven_chain(3, false);
  const Poles all = poles(chain, {.fixed = {1}});
  ASSERT_EQ(all.values.size(), 6);
  const Poles near = poles_near(chain, {.fixed = {1}}, 0.0, 5);
  EXPECT_EQ(near.values.size(), 6);
  const Poles two = poles_near(from_polynomials({{{1.0, 3.0, 2.0}}}), {}, -1.9, 1);
  ASSERT_EQ(two.values.size(), 1);
  EXPECT_NEAR(two.values(0).real(), -2.0, tolerance(1e-13));
  EXPECT_EQ(code_of([&] { poles_near(chain, {.fixed = {1}}, 0.0, 0); }), "count");
}

TEST(Poles, SayThatADofCarriesNothing) {
  const DynamicStiffness plane = with_dimension(bar_part({0.0, 1.0, 0.0}), 2, 0.0);
  EXPECT_EQ(code_of([&]() { poles(plane, {.fixed = {1}}); }), "singular");
}

// Truth: the solution of R(i w) u = f at that frequency.
TEST(TransferFunction, EqualsTheFrequencyResponse) {
  const DynamicStiffness chain = uneven_chain(12, true);
  const Supports supports{.fixed = {1}, .prescribed = {13}};
  const Poles all = poles(chain, supports);
  const std::vector<Input> inputs{force_at(5), force_at(7), motion_of(13)};
  const std::vector<Output> outputs{
      displacement_at(5), displacement_at(7), displacement_at(13), reaction_at(1), reaction_at(13)};
  const std::vector<double> omega{0.0, 13.0, 80.0, 400.0};
  const std::vector<Eigen::MatrixXcd> exact =
      frequency_response(chain, supports, inputs, outputs, omega);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    for (std::size_t j = 0; j < inputs.size(); ++j) {
      const TransferFunction H = transfer_function(chain, supports, all, inputs[j], outputs[i]);
      for (std::size_t k = 0; k < omega.size(); ++k) {
        const auto row = static_cast<Index>(i);
        const auto col = static_cast<Index>(j);
        // the scale is the largest response of this pair in the band
        double scale = 0.0;
        for (const auto& at : exact)
          scale = std::max(scale, std::abs(at(row, col)));
        EXPECT_LE(std::abs(H({0.0, omega[k]}) - exact[k](row, col)), tolerance(1e-9) * scale)
            << "input " << j << " output " << i << " omega " << omega[k];
      }
    }
  }
}

// Truth: adjoint over determinant, by expansion.
TEST(TransferFunction, EqualsTheExplicitPolynomials) {
  const DynamicStiffness chain = uneven_chain(5, false);
  const Supports supports{.fixed = {1}};
  const RationalFunction explicit_one = transfer_polynomials(chain, supports, 6, 3);
  const TransferFunction H =
      transfer_function(chain, supports, poles(chain, supports), force_at(6), displacement_at(3));
  const auto value = [](const Polynomial& p, Complex s) {
    Complex sum = 0.0;
    for (const double c : p)
      sum = sum * s + c;
    return sum;
  };
  for (const double w : {0.0, 30.0, 200.0}) {
    const Complex s(1.0, w);
    const Complex expected = value(explicit_one.numerator, s) / value(explicit_one.denominator, s);
    EXPECT_LT(std::abs(H(s) - expected), tolerance(1e-11) * std::abs(expected));
  }
}

// Truth: two equal masses on a spring, free: u_1 = t^2 / 4 m + (1 - cos w t) / (2 m w^2).
TEST(StepResponse, OfAFreePartRunsAway) {
  const double m = 3.0;
  const double k = 600.0;
  const DynamicStiffness part = bar_part({2.0 * m, k, 0.0});
  const TransferFunction H =
      transfer_function(part, {}, poles(part, {}), force_at(1), displacement_at(1));
  const double w = std::sqrt(2.0 * k / m);
  const std::vector<double> times{0.0, 0.05, 0.2, 1.0, 3.0};
  const Eigen::VectorXd y = step_response(H, times);
  const Eigen::VectorXd v = impulse_response(H, times);
  for (std::size_t i = 0; i < times.size(); ++i) {
    const double t = times[i];
    const double expected = t * t / (4.0 * m) + (1.0 - std::cos(w * t)) / (2.0 * m * w * w);
    const double rate = t / (2.0 * m) + std::sin(w * t) / (2.0 * m * w);
    EXPECT_NEAR(y(static_cast<Index>(i)), expected, tolerance(1e-12));
    EXPECT_NEAR(v(static_cast<Index>(i)), rate, tolerance(1e-12));
  }
}

// Truth: critical damping, a double pole: u = (1 - (1 + w t) exp(-w t)) / k.
TEST(StepResponse, OfACriticallyDampedMassKeepsItsDoublePole) {
  const DynamicStiffness part = from_polynomials({{{1.0, 20.0, 100.0}}});
  const TransferFunction H =
      transfer_function(part, {}, poles(part, {}), force_at(1), displacement_at(1));
  ASSERT_EQ(H.terms.size(), 1U);
  const std::vector<double> times{0.01, 0.1, 0.5, 2.0};
  const Eigen::VectorXd y = step_response(H, times);
  for (std::size_t i = 0; i < times.size(); ++i) {
    const double expected = (1.0 - (1.0 + 10.0 * times[i]) * std::exp(-10.0 * times[i])) / 100.0;
    EXPECT_NEAR(y(static_cast<Index>(i)), expected, tolerance(1e-9) * 0.01);
  }
}

// Truth: u(t) of a mass on a spring under a force that grows: (t - sin(w t) / w) / k.
TEST(Simulation, OfARampIsExactAtAnyStep) {
  const DynamicStiffness part = from_polynomials({{{2.0, 0.0, 50.0}}});
  const TransferFunction H =
      transfer_function(part, {}, poles(part, {}), force_at(1), displacement_at(1));
  const double dt = 0.7;
  const Eigen::VectorXd ramp = Eigen::VectorXd::LinSpaced(11, 0.0, 10.0 * dt);
  const Eigen::VectorXd y = simulate(H, ramp, dt);
  for (Index i = 0; i < ramp.size(); ++i) {
    const double t = ramp(i);
    EXPECT_NEAR(y(i), (t - std::sin(5.0 * t) / 5.0) / 50.0, tolerance(1e-13));
  }
}

// Truth: the thesis' impulse, a value on the first sample alone, is a step less a step one sample
// later.
TEST(Simulation, OfOneSampleIsTheDifferenceOfTwoSteps) {
  const Supports supports{.fixed = {1}};
  const TransferFunction H = transfer_function(
      compound_bar(), supports, poles(compound_bar(), supports), force_at(3), displacement_at(3));
  Eigen::VectorXd input = Eigen::VectorXd::Zero(50);
  input(0) = 1.0;
  const double dt = 5e-4;
  const Eigen::VectorXd y = simulate(H, input, dt, Hold::zero_order);
  std::vector<double> times;
  for (int i = -1; i < 50; ++i)
    times.push_back(i * dt);
  const Eigen::VectorXd step = step_response(H, times);
  EXPECT_LT((y - (step.tail(50) - step.head(50))).cwiseAbs().maxCoeff(),
            tolerance(1e-12) * step.maxCoeff());
}

// Truth: simulate() of the pole-residue form; the order is two, so half the step is a quarter.
TEST(Simulation, OfSparseStepsConvergesWithTheSquareOfTheStep) {
  const DynamicStiffness chain = uneven_chain(10, true);
  const Supports supports{.fixed = {1}};
  const TransferFunction H =
      transfer_function(chain, supports, poles(chain, supports), force_at(11), displacement_at(5));
  std::vector<double> errors;
  for (const int steps : {400, 800}) {
    const double dt = 0.2 / steps;
    Eigen::MatrixXd input(1, steps + 1);
    for (Index i = 0; i <= steps; ++i) {
      input(0, i) = 100.0 * std::pow(std::sin(15.0 * static_cast<double>(i) * dt), 2);
    }
    const std::vector<Input> inputs{force_at(11)};
    const std::vector<Output> outputs{displacement_at(5)};
    const Eigen::MatrixXd y = simulate_sparse(chain, supports, inputs, outputs, {input, dt});
    const Eigen::VectorXd exact = simulate(H, input.row(0).transpose(), dt);
    errors.push_back((y.row(0).transpose() - exact).cwiseAbs().maxCoeff() /
                     exact.cwiseAbs().maxCoeff());
  }
  EXPECT_LT(errors[1], 1e-3);
  EXPECT_NEAR(errors[0] / errors[1], 4.0, 0.4);
}

// Truth: a step of force f at a massless port on a spring k moves it by f / k at once and from then
// on, beside a mass on a spring of its own.
TEST(Simulation, OfSparseStepsDoesNotRingAtAPortWithoutMass) {
  const DynamicStiffness part = joined({bar_part({0.0, 500.0, 0.0}),
                                        bar_part({0.0, 80.0, 0.0}),
                                        from_polynomials({{{2.0, 0.0, 0.0}}})},
                                       {{1, 2}, {1, 3}, {3}});
  const std::vector<Input> inputs{force_at(2)};
  const std::vector<Output> outputs{displacement_at(2)};
  const Eigen::MatrixXd force = Eigen::MatrixXd::Constant(1, 21, 10.0);
  const Eigen::MatrixXd y = simulate_sparse(part, {.fixed = {1}}, inputs, outputs, {force, 0.01});
  EXPECT_LT((y.row(0).tail(20).array() - 10.0 / 500.0).abs().maxCoeff(),
            tolerance(1e-13) * 10.0 / 500.0);
}

// Truth: equilibrium of the whole: a static force is carried by the supports.
TEST(Reactions, AtTheSupportsCarryTheLoad) {
  const Supports supports{.fixed = {1, 13}};
  const DynamicStiffness chain = uneven_chain(12, true);
  const std::vector<Input> inputs{force_at(6)};
  const std::vector<Output> outputs{reaction_at(1), reaction_at(13)};
  const std::vector<double> omega{0.0};
  const Eigen::MatrixXcd R = frequency_response(chain, supports, inputs, outputs, omega).front();
  EXPECT_NEAR(R.sum().real(), -1.0, tolerance(1e-13));
}

TEST(Supports, AreCheckedWhenAPartIsSolved) {
  const DynamicStiffness bar = compound_bar();
  const Poles all = poles(bar, {.fixed = {1}});
  EXPECT_EQ(code_of([&]() { poles(bar, {.fixed = {4}}); }), "unknown-port");
  EXPECT_EQ(code_of([&]() { poles(bar, {.fixed = {1, 1}}); }), "port-twice");
  EXPECT_EQ(code_of([&]() { poles(bar, {.fixed = {1, 2, 3}}); }), "all-fixed");
  const auto transfer = [&](Input in, Output out) {
    return code_of([&]() { transfer_function(bar, {.fixed = {1}}, all, in, out); });
  };
  EXPECT_EQ(transfer(force_at(1), displacement_at(2)), "held-port");
  EXPECT_EQ(transfer(motion_of(1), displacement_at(2)), "not-prescribed");
  EXPECT_EQ(transfer(force_at(2), reaction_at(3)), "free-port");
  EXPECT_EQ(transfer(force_at(7), displacement_at(3)), "unknown-port");
}

// Truth: the rational function that the part was made of.
TEST(Part, OfATransferFunctionWithZerosKeepsIt) {
  const DynamicStiffness part =
      from_transfer_function({1.0, 4.0, 40.0}, {2.0, 3.0, 90.0, 20.0, 70.0});
  EXPECT_EQ(part.port_count(), 1);
  EXPECT_EQ(part.inner_count(), 1);
  const TransferFunction H =
      transfer_function(part, {}, poles(part, {}), force_at(1), displacement_at(1));
  const Complex s(0.1, 2.0);
  const Complex expected =
      (s * s + 4.0 * s + 40.0) / ((((2.0 * s + 3.0) * s + 90.0) * s + 20.0) * s + 70.0);
  EXPECT_LT(std::abs(H(s) - expected), tolerance(1e-11) * std::abs(expected));
}

// Truth: a free part does not come to rest under a constant force, at 0 Hz it has no response. Far
// below its first resonance it moves as a rigid mass, H = -1 / (m w^2).
TEST(FrequencyResponse, OfAFreePartIsRefusedAtRestWhateverTheRoundOff) {
  for (const int masses : {2, 3, 5, 8, 13, 40}) {
    MatrixXd K = MatrixXd::Zero(masses, masses);
    for (int i = 0; i + 1 < masses; ++i)
      for (int j = i + 1; j < masses; j += 1 + i) {
        const double k = 1e8 * (1.37 + std::sin(3.0 * i + j));
        K(i, i) += k;
        K(j, j) += k;
        K(i, j) -= k;
        K(j, i) -= k;
      }
    const DynamicStiffness part =
        from_matrices(MatrixXd::Identity(masses, masses), MatrixXd::Zero(masses, masses), K);
    const auto response = [&](double w) {
      const Input input = force_at(1);
      const Output output = displacement_at(masses);
      return frequency_response(
          part, {}, {&input, 1}, {&output, 1}, std::vector<double>{w}, no_progress())[0](0, 0);
    };
    EXPECT_EQ(code_of([&] { (void)response(0.0); }), "singular") << masses;
    const double w = 1.0;
    EXPECT_NEAR(response(w).real(), -1.0 / (masses * w * w), tolerance(1e-3) / masses) << masses;
  }
}

}  // namespace
}  // namespace femflex::substructure
