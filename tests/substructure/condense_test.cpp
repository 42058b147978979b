// Tests the condensation of parts. Truth: exact condensation at single frequencies, and errors at
// 200 frequencies compared with the stated bounds.
#include "femflex/substructure/condense.h"

#include <cmath>
#include <random>
#include <string>
#include <tuple>

#include <gtest/gtest.h>

#include "femflex/dense.h"
#include "femflex/errors.h"
#include "femflex/substructure/solve.h"
#include "femflex/substructure/text_form.h"

#include "condense/blocks.h"
#include "examples.h"
#include "support/support.h"

namespace femflex::substructure {
namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using testing::code_of;
using testing::tolerance;

/// A chain of 40 masses, ports at both ends, free in space. Damped by b K, or unevenly.
DynamicStiffness chain(bool rayleigh) {
  std::vector<DynamicStiffness> links;
  ObjectTable objects;
  for (int e = 1; e < 40; ++e) {
    const double stiffness = 1e6 * (1.0 + 0.4 * std::sin(e));
    const double damping = rayleigh ? 2e-5 * stiffness : 30.0 + 20.0 * (e % 3);
    links.push_back(bar_part({2.0 + 0.5 * std::cos(e), stiffness, damping}));
    objects.push_back({e, e + 1});
  }
  return with_ports(joined(links, objects), {1, 40});
}

/// Truth: the inverse of the port block of the inverse.
MatrixXcd exact(const DynamicStiffness& part, double omega) {
  const Index b = part.port_count();
  const MatrixXcd whole = evaluate(part, {0.0, omega});
  return MatrixXcd(whole.inverse().topLeftCorner(b, b)).inverse();
}

/// Largest singular value of the difference, over frequencies up to the band.
double worst_error(const DynamicStiffness& full, const DynamicStiffness& reduced, double band) {
  double worst = 0.0;
  for (int k = 1; k <= 200; ++k) {
    const double w = band * k / 200.0;
    const MatrixXcd error = condensed_at(full, w) - condensed_at(reduced, w);
    worst = std::max(worst, error.operatorNorm());
  }
  return worst;
}

TEST(CondensedAt, EqualsTheInverseOfThePortBlockOfTheInverse) {
  for (const double w : {10.0, 120.0, 900.0}) {
    const MatrixXcd expected = exact(chain(false), w);
    EXPECT_LT((condensed_at(chain(false), w) - expected).norm(),
              tolerance(1e-10) * expected.norm());
  }
}

// Truth: exact condensation, and its difference quotient over omega^2.
TEST(CondensedAbout, IsExactThereAndKeepsTheSlope) {
  const double w = 150.0;
  const DynamicStiffness full = chain(false);
  const DynamicStiffness local = condensed_about(full, w);
  EXPECT_EQ(local.inner_count(), 0);
  const MatrixXcd expected = condensed_at(full, w);
  EXPECT_LT((evaluate(local, {0.0, w}) - expected).norm(), tolerance(1e-12) * expected.norm());
  const double h = 1e-3 * w;
  const MatrixXd quotient = (condensed_at(full, w + h) - condensed_at(full, w - h)).real();
  const MatrixXd found = (evaluate(local, {0.0, w + h}) - evaluate(local, {0.0, w - h})).real();
  EXPECT_LT((found - quotient).norm(), tolerance(1e-4) * quotient.norm());
}

// Truth: at rest the condensation is exact; two springs in series without mass stay so at any
// frequency.
TEST(Guyan, IsExactAtRestAndWithoutInnerMass) {
  const DynamicStiffness full = chain(true);
  const DynamicStiffness reduced = guyan(full);
  EXPECT_EQ(reduced.inner_count(), 0);
  const MatrixXd K = MatrixXd(reduced.coefficients[0]);
  EXPECT_LT((K - condensed_at(full, 0.0).real()).norm(), tolerance(1e-12) * K.norm());
  EXPECT_NEAR(MatrixXd(reduced.coefficients[2]).sum(),
              MatrixXd(full.coefficients[2]).sum(),
              tolerance(1e-12) * 100.0);

  const DynamicStiffness springs =
      joined({bar_part({0.0, 200.0, 0.0}), bar_part({0.0, 300.0, 0.0})}, {{1, 2}, {2, 3}});
  const MatrixXd series = MatrixXd(guyan(with_ports(springs, {1, 3})).coefficients[0]);
  EXPECT_NEAR(series(0, 0), 120.0, tolerance(1e-13) * 120.0);
  EXPECT_NEAR(series(0, 1), -120.0, tolerance(1e-13) * 120.0);
}

// Truth: a change of coordinates loses nothing.
TEST(CraigBampton, WithAllModesIsExact) {
  for (const bool rayleigh : {true, false}) {
    const DynamicStiffness full = chain(rayleigh);
    const Condensed all = craig_bampton(full, 1e6);
    EXPECT_EQ(all.part.inner_count(), full.inner_count());
    EXPECT_LT(worst_error(full, all.part, 2000.0), tolerance(1e-8) * all.scale);
  }
}

// Truth: the error on 200 frequencies of the band.
TEST(CraigBampton, KeepsItsErrorBound) {
  const DynamicStiffness full = chain(true);
  for (const double band : {100.0, 200.0, 400.0}) {
    const Condensed few = craig_bampton(full, band);
    EXPECT_LT(few.part.inner_count(), full.inner_count());
    ASSERT_TRUE(few.error_bound.has_value());
    const double error = worst_error(full, few.part, band);
    EXPECT_LE(error, *few.error_bound);
    EXPECT_GE(error, 0.02 * *few.error_bound);  // and the bound is not too pessimistic
  }
}

TEST(CraigBampton, GivesNoBoundWhereModesAreCoupledByDamping) {
  EXPECT_FALSE(craig_bampton(chain(false), 300.0).error_bound.has_value());
}

// Truth: the error on 200 frequencies of the band, damping of any kind.
TEST(BalancedTruncation, KeepsItsErrorBound) {
  const double band = 400.0;
  for (const bool rayleigh : {true, false}) {
    const DynamicStiffness full = chain(rayleigh);
    for (const Index states : {4, 8, 16}) {
      const Condensed few = balanced_truncation(full, states, band);
      EXPECT_EQ(few.part.inner_count(), states);
      ASSERT_TRUE(few.error_bound.has_value());
      EXPECT_LE(worst_error(full, few.part, band), *few.error_bound) << rayleigh << states;
    }
    EXPECT_LT(worst_error(full, balanced_truncation(full, 76, band).part, band),
              tolerance(1e-7) * balanced_truncation(full, 4, band).scale);
  }
}

// Truth: a part without inner coordinates is its own condensation.
TEST(BalancedTruncation, KeepsAPartWithoutInside) {
  const DynamicStiffness outside = guyan(chain(false));
  const Condensed same = balanced_truncation(outside, 4, 400.0);
  EXPECT_EQ(same.part.inner_count(), 0);
  EXPECT_LT(worst_error(outside, same.part, 400.0), tolerance(1e-14) * same.scale);
}

TEST(BandLimited, MeetsItsToleranceWithEitherDamping) {
  for (const bool rayleigh : {true, false}) {
    const DynamicStiffness full = chain(rayleigh);
    for (const double wanted : {1e-2, 1e-4}) {
      const Condensed few = band_limited(full, 300.0, wanted);
      EXPECT_LT(few.part.inner_count(), 2 * full.inner_count());
      ASSERT_TRUE(few.error_bound.has_value());
      EXPECT_LE(*few.error_bound, wanted * few.scale);
      EXPECT_LE(worst_error(full, few.part, 300.0), wanted * few.scale);
    }
  }
}

// Truth: the poles of the full chain in the band, to a part in a thousand.
TEST(BandLimited, KeepsThePolesOfTheBandInAnAssembly) {
  const DynamicStiffness full = chain(true);
  const DynamicStiffness few = band_limited(full, 300.0, 1e-4).part;
  const DynamicStiffness mass = from_polynomials({{{40.0, 0.0, 0.0}}});
  const ObjectTable table{{1, 2}, {2, 3}, {3}};
  const Poles expected = poles(joined({full, full, mass}, table), {.fixed = {1}});
  const Poles found = poles(joined({few, few, mass}, table), {.fixed = {1}});
  for (Index k = 0; k < 6; ++k) {
    ASSERT_LT(std::abs(expected.values(k)), 300.0);
    EXPECT_LT(std::abs(found.values(k) - expected.values(k)), 1e-3 * std::abs(expected.values(k)));
  }
}

// Truth: R_bb - R_bi R_ii^-1 R_ib does not change when the inside is described in other
// coordinates. So the exported part does not reveal which of these insides it came from.
TEST(Privacy, EveryInnerDescriptionGivesTheSameExportedPart) {
  const DynamicStiffness full = chain(true);
  std::mt19937 engine(4);
  std::normal_distribution<double> number;
  MatrixXd random = MatrixXd::NullaryExpr(
      full.inner_count(), full.inner_count(), [&]() { return number(engine); });
  random += 10.0 * MatrixXd::Identity(random.rows(), random.cols());
  MatrixXd T = MatrixXd::Identity(full.size(), full.size());
  T.bottomRightCorner(random.rows(), random.cols()) = random;
  DynamicStiffness other = full;
  for (SparseMatrix& a : other.coefficients) {
    const MatrixXd dense = T.transpose() * MatrixXd(a) * T;
    a = MatrixXd(0.5 * (dense + dense.transpose())).sparseView();
  }
  const DynamicStiffness one = guyan(full);
  const DynamicStiffness two = guyan(other);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_LT(
        testing::relative_difference(MatrixXd(one.coefficients[k]), MatrixXd(two.coefficients[k])),
        tolerance(1e-9));
  }
  const Condensed a = craig_bampton(full, 300.0);
  const Condensed b = craig_bampton(other, 300.0);
  ASSERT_EQ(a.fixed_interface.size(), b.fixed_interface.size());
  for (const double w : {50.0, 250.0}) {
    const MatrixXcd expected = condensed_at(a.part, w);
    EXPECT_LT((condensed_at(b.part, w) - expected).norm(), tolerance(1e-8) * expected.norm());
  }
}

TEST(Privacy, ReportSaysWhatAnExportedPartShows) {
  const DynamicStiffness full = chain(true);
  const Condensed few = craig_bampton(full, 300.0);
  const Recoverability report = recoverability(few.part, full);
  EXPECT_EQ(report.ports, 2);
  EXPECT_EQ(report.hidden_coordinates, few.part.inner_count());
  EXPECT_EQ(report.removed_coordinates, 38);
  EXPECT_EQ(report.rigid_motions, 1);
  EXPECT_LT(report.numbers_given, report.numbers_private);
  // the resonances it shows are those of the modes kept
  ASSERT_EQ(report.fixed_interface_hz.size(), few.fixed_interface.size());
  for (std::size_t k = 0; k < few.fixed_interface.size(); ++k) {
    EXPECT_NEAR(report.fixed_interface_hz[k] * 2.0 * M_PI,
                few.fixed_interface[k],
                tolerance(1e-8) * few.fixed_interface[k]);
  }
  const Recoverability nothing = recoverability(guyan(full), full);
  EXPECT_EQ(nothing.hidden_coordinates, 0);
  EXPECT_TRUE(nothing.fixed_interface_hz.empty());
  EXPECT_FALSE(nothing.findings.empty());
}

// Truth: with the port fixed, the inner DOF obeys q'' = 0.5 q and runs away: it has no modes. The
// static condensation is 2 - 1 / -0.5.
TEST(Condensation, OfAnUnstableInsideIsStaticAlone) {
  const Eigen::Matrix2d K = (Eigen::Matrix2d() << 2.0, -1.0, -1.0, -0.5).finished();
  const DynamicStiffness part = with_ports(
      from_matrices(Eigen::Matrix2d::Identity(), 0.1 * Eigen::Matrix2d::Identity(), K), {1});
  EXPECT_EQ(code_of([&]() { craig_bampton(part, 10.0); }), "indefinite");
  EXPECT_EQ(code_of([&]() { band_limited(part, 10.0, 1e-3); }), "indefinite");
  EXPECT_EQ(code_of([&]() { balanced_truncation(part, 1, 10.0); }), "indefinite");
  EXPECT_NEAR(guyan(part).coefficients[0].coeff(0, 0), 4.0, tolerance(1e-14));
}

/// The inside of a chain of n masses between two ports: n + 1 equal springs.
Blocks inside_of_chain(Index n, double stiffness, const Eigen::VectorXd& masses) {
  Blocks out;
  out.name = "chain";
  out.K_ii.resize(n, n);
  out.M_ii.resize(n, n);
  for (Index i = 0; i < n; ++i) {
    out.K_ii.insert(i, i) = 2.0 * stiffness;
    if (i > 0) out.K_ii.insert(i, i - 1) = out.K_ii.insert(i - 1, i) = -stiffness;
    if (masses(i) != 0.0) out.M_ii.insert(i, i) = masses(i);
  }
  out.K_ii.makeCompressed();
  out.M_ii.makeCompressed();
  return out;
}

// Truth: as many modes of finite frequency as masses.
TEST(InnerModes, OfFewMassesAreCompleteWithoutTheDofsWithoutMass) {
  constexpr Index kDofs = 500;
  Eigen::VectorXd masses = Eigen::VectorXd::Zero(kDofs);
  for (const Index at : {50, 170, 260, 330, 440})
    masses(at) = 2.0;
  const InnerModes modes = inner_modes(inside_of_chain(kDofs, 1e6, masses), 20);
  EXPECT_EQ(modes.omega.size(), 5);
  EXPECT_TRUE(modes.complete);
  const InnerModes few = inner_modes(inside_of_chain(kDofs, 1e6, masses), 5);
  EXPECT_EQ(few.omega.size(), 5);
  EXPECT_LT((few.omega - modes.omega).norm(), tolerance(1e-9) * modes.omega.norm());
}

// Truth: omega_j = 2 sqrt(k / m) sin(j pi / (2 n + 2)) with the shape sin(i j pi / (n + 1)), at any
// stiffness.
TEST(InnerModes, AreAsExactAtHighFrequenciesAsAtLow) {
  constexpr Index kDofs = 600;
  constexpr double kPi = 3.14159265358979323846;
  for (const double stiffness : {1e2, 1e9, 1e16}) {
    const InnerModes modes =
        inner_modes(inside_of_chain(kDofs, stiffness, Eigen::VectorXd::Ones(kDofs)), 20);
    ASSERT_EQ(modes.omega.size(), 20);
    for (Index j = 0; j < 20; ++j) {
      const double angle = kPi * static_cast<double>(j + 1) / (kDofs + 1);
      const double expected = 2.0 * std::sqrt(stiffness) * std::sin(0.5 * angle);
      EXPECT_NEAR(modes.omega(j), expected, tolerance(1e-9) * expected) << stiffness;
      Eigen::VectorXd shape(kDofs);
      for (Index i = 0; i < kDofs; ++i)
        shape(i) = std::sqrt(2.0 / (kDofs + 1)) * std::sin(angle * static_cast<double>(i + 1));
      EXPECT_NEAR(std::abs(shape.dot(modes.shapes.col(j))), 1.0, tolerance(1e-9)) << stiffness;
      EXPECT_LT((modes.shapes.col(j) - shape * shape.dot(modes.shapes.col(j))).norm(),
                tolerance(1e-7))
          << stiffness;
    }
  }
}

// Truth: a spring in N/m and a torsional one in N m/rad, each a series of two.
TEST(Guyan, TakesStiffnessesOfAnySize) {
  const Eigen::Matrix4d none = Eigen::Matrix4d::Zero();
  Eigen::Matrix4d K = none;
  for (const auto& [port, inner, k] : {std::tuple{0, 2, 5e11}, std::tuple{1, 3, 0.025}}) {
    K(port, port) = k;
    K(inner, inner) = 2.0 * k;
    K(port, inner) = K(inner, port) = -k;
  }
  const MatrixXd found =
      MatrixXd(guyan(with_ports(from_matrices(none, none, K), {1, 2})).coefficients[0]);
  EXPECT_NEAR(found(0, 0), 2.5e11, tolerance(1e-13) * 2.5e11);
  EXPECT_NEAR(found(1, 1), 0.0125, tolerance(1e-13) * 0.0125);
}

// Truth: a negative mass has a root in the right half plane.
TEST(Condensation, RefusesANegativeInnerMassAndNamesThePart) {
  for (const Index n : {3, 500}) {
    Eigen::VectorXd masses = Eigen::VectorXd::Ones(n);
    masses(1) = -1.0;
    EXPECT_EQ(code_of([&]() { inner_modes(inside_of_chain(n, 1e6, masses), 20); }), "indefinite");
    // the eigenvalues of [[1, 2], [2, 1]] are 3 and -1
    Blocks coupled = inside_of_chain(n, 1e6, Eigen::VectorXd::Ones(n));
    coupled.M_ii.coeffRef(1, 0) = coupled.M_ii.coeffRef(0, 1) = 2.0;
    EXPECT_EQ(code_of([&]() { inner_modes(coupled, 20); }), "indefinite");
    // a point mass with an offset, of six digits: the smaller eigenvalue is -1e-7
    coupled.M_ii.coeffRef(0, 0) = 3.0;
    coupled.M_ii.coeffRef(1, 1) = 0.333333;
    coupled.M_ii.coeffRef(1, 0) = coupled.M_ii.coeffRef(0, 1) = 1.0;
    EXPECT_EQ(code_of([&]() { inner_modes(coupled, 2); }), "no error");
  }
  DynamicStiffness loose = with_ports(
      joined({thesis_bar(), from_polynomials({{{1.0, 0.0, 0.0}}})}, {{1, 2}, {3}}), {1, 2});
  loose.name = "wing";
  try {
    guyan(loose);
    FAIL();
  } catch (const NumericalError& error) {
    EXPECT_NE(error.message().find("'wing'"), std::string::npos) << error.message();
  }
}

TEST(Condensation, SaysWhyItCannot) {
  const DynamicStiffness loose = with_ports(
      joined({thesis_bar(), from_polynomials({{{1.0, 0.0, 0.0}}})}, {{1, 2}, {3}}), {1, 2});
  EXPECT_EQ(code_of([&]() { guyan(loose); }), "singular");
  const DynamicStiffness uneven = from_polynomials({{{1.0, 2.0}, {3.0}}, {{4.0}, {1.0, 5.0}}});
  EXPECT_EQ(code_of([&]() { guyan(uneven); }), "not-symmetric");
  const DynamicStiffness third = from_polynomials({{{1.0, 0.0, 0.0, 1.0}}});
  EXPECT_EQ(code_of([&]() { guyan(third); }), "order");
  EXPECT_EQ(code_of([&]() { condensed_about(chain(true), 0.0); }), "frequency");
  EXPECT_EQ(code_of([&]() { craig_bampton(chain(true), -1.0); }), "band");
  const DynamicStiffness undamped = with_ports(
      joined({bar_part({1.0, 10.0, 0.0}), bar_part({1.0, 10.0, 0.0})}, {{1, 2}, {2, 3}}), {1, 3});
  EXPECT_EQ(code_of([&]() { balanced_truncation(undamped, 1, 10.0); }), "undamped");
}

}  // namespace
}  // namespace femflex::substructure
