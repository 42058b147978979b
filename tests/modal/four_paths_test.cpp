// Tests the double mass-spring of Meeuwse (1993). Truth: every number of the report's four paths,
// computed again to all digits (meeuwse.json, which also lists misprints of the report).
#include <array>
#include <cmath>
#include <complex>
#include <numbers>
#include <string>

#include <gtest/gtest.h>

#include "femflex/damping.h"
#include "femflex/dense.h"
#include "femflex/modal/back_transform.h"
#include "femflex/modal/reduce.h"

#include "double_mass_spring.h"
#include "support/support.h"

namespace femflex::modal {
namespace {

using testing::double_mass_spring;
using testing::relative_difference;
using testing::tolerance;

FlexBody reduced(const std::string& selection, bool orthogonalise, bool scale) {
  ReduceOptions options;
  options.select = parse_selection(selection);
  options.orthogonalise = orthogonalise;
  options.scale = scale;
  Diagnostics diagnostics;
  FlexBody body = reduce(double_mass_spring(), options, diagnostics);
  EXPECT_TRUE(diagnostics.empty());
  return body;
}

/// z of nodes 2 and 3.
Eigen::MatrixXd moving(const Eigen::MatrixXd& shapes) {
  Eigen::MatrixXd out(2, shapes.cols());
  out.row(0) = shapes.row(8);
  out.row(1) = shapes.row(14);
  return out;
}

Eigen::Matrix2d two(double a, double b, double c, double d) {
  return (Eigen::Matrix2d() << a, b, c, d).finished();
}

TEST(FourPaths, DynamicModesStayAsGivenWhenNeitherIsAsked) {
  const FlexBody body = reduced("dynamic:1-2", false, false);
  EXPECT_LT(relative_difference(moving(body.shapes),
                                two(0.41421356237309515, 1.0, 1.0, -0.41421356237309515)),
            tolerance(1e-10));
  EXPECT_LT(relative_difference(body.mass, two(5.85786437626905, 0, 0, 5.85786437626905)),
            tolerance(1e-10));
  EXPECT_LT(relative_difference(body.stiffness, two(6.862915010152397, 0, 0, 40.0)),
            tolerance(1e-10));
}

TEST(FourPaths, DynamicModesScaleToUnitModalMass) {
  const FlexBody body = reduced("dynamic:1-2", false, true);
  EXPECT_NEAR(body.back->alpha(0), 0.41317148754319283, tolerance(1e-10));
  EXPECT_NEAR(body.back->alpha(1), 0.41317148754319283, tolerance(1e-10));
  EXPECT_LT(relative_difference(moving(body.shapes),
                                two(0.1711412337262568,
                                    0.41317148754319283,  //
                                    0.41317148754319283,
                                    -0.1711412337262568)),
            tolerance(1e-10));
  EXPECT_LT(relative_difference(body.mass, Eigen::Matrix2d::Identity()), tolerance(1e-10));
  EXPECT_LT(relative_difference(body.stiffness, two(1.17157287525381, 0, 0, 6.82842712474619)),
            tolerance(1e-10));
}

TEST(FourPaths, StaticAndConstraintModeKeepTheirCoupling) {
  const FlexBody body = reduced("static:1,constraint:1", false, false);
  EXPECT_LT(relative_difference(body.mass, two(0.125, -0.075, -0.075, 0.05)), tolerance(1e-10));
  EXPECT_LT(relative_difference(body.stiffness, two(0.15, -0.1, -0.1, 0.1)), tolerance(1e-10));
}

TEST(FourPaths, ScalingASkewSetLeavesUnitDiagonalAndNonZeroOffDiagonals) {
  const FlexBody body = reduced("static:1,constraint:1", false, true);
  EXPECT_NEAR(body.back->alpha(0), 2.82842712474619, tolerance(1e-10));
  EXPECT_NEAR(body.back->alpha(1), 4.47213595499958, tolerance(1e-10));
  EXPECT_LT(
      relative_difference(moving(body.shapes),
                          two(0.1414213562373095, 0.0, 0.42426406871192845, -0.447213595499958)),
      tolerance(1e-10));
  EXPECT_LT(relative_difference(body.mass, two(1.0, -0.9486832980505138, -0.9486832980505138, 1.0)),
            tolerance(1e-10));
  EXPECT_LT(
      relative_difference(body.stiffness, two(1.2, -1.2649110640673518, -1.2649110640673518, 2.0)),
      tolerance(1e-10));
}

TEST(FourPaths, OrthogonalisingGivesUnitColumnsOfVAndDiagonalMatrices) {
  const FlexBody body = reduced("static:1,constraint:1", true, false);
  EXPECT_LT(relative_difference(body.back->V,
                                two(0.9596829822606673,
                                    0.5054494651244235,  //
                                    0.28108463771482034,
                                    0.8628562094610169)),
            tolerance(1e-10));
  EXPECT_LT(relative_difference(moving(body.shapes),
                                two(0.047984149113033364,
                                    0.025272473256221173,  //
                                    0.11584398356761806,
                                    -0.010468201177438179)),
            tolerance(1e-10));
  EXPECT_LT(relative_difference(body.mass, two(0.07861153547458193, 0, 0, 0.0037414057018886624)),
            tolerance(1e-10));
  EXPECT_LT(relative_difference(body.stiffness, two(0.09209914264407282, 0, 0, 0.0255479161794566)),
            tolerance(1e-10));
}

TEST(FourPaths, OrthogonalisingAndScalingFindsTheNormalModesAgain) {
  const FlexBody body = reduced("static:1,constraint:1", true, true);
  EXPECT_NEAR(body.back->alpha(0), 3.56662016290233, tolerance(1e-9));
  EXPECT_NEAR(body.back->alpha(1), 16.348676417789253, tolerance(1e-9));
  EXPECT_LT(relative_difference(body.back->V * body.back->alpha.asDiagonal(),
                                two(3.422824674525135,
                                    8.263429750863853,  //
                                    1.002522136355775,
                                    14.106556963558353)),
            tolerance(1e-10));
  EXPECT_LT(relative_difference(moving(body.shapes),
                                two(0.17114123372625675,
                                    0.41317148754319266,  //
                                    0.4131714875431928,
                                    -0.17114123372625725)),
            tolerance(1e-10));
  EXPECT_LT(relative_difference(body.mass, Eigen::Matrix2d::Identity()), tolerance(1e-10));
  EXPECT_LT(relative_difference(body.stiffness, two(1.1715728752538097, 0, 0, 6.828427124746191)),
            tolerance(1e-10));
  EXPECT_EQ(body.modes[0].kind, ModeKind::static_);
  EXPECT_EQ(body.modes[1].kind, ModeKind::constraint);
  EXPECT_EQ(body.modes[0].sources, (std::vector<std::string>{"static:1", "constraint:1"}));
}

// The nodal masses of the published FLEX listings: zero at the wall, 5 5 5 0 0 0 at the masses,
// although z is their only DOF.
TEST(FourPaths, NodalMassesAreThoseOfThePublishedFile) {
  const FlexBody body = reduced("dynamic:1-2", false, false);
  Eigen::MatrixXd expected(3, 6);
  expected << 0, 0, 0, 0, 0, 0, 5, 5, 5, 0, 0, 0, 5, 5, 5, 0, 0, 0;
  EXPECT_EQ(relative_difference(body.lumped_mass, expected), 0.0);
  EXPECT_NEAR(body.invariants.mass, 10.0, tolerance(1e-14));
  EXPECT_NEAR(body.centre_of_mass().z(), 1.5, tolerance(1e-14));
}

// Closed form of the report: eta = V diag(alpha) zeta; the two other routes solve U eta = Phi zeta.
TEST(BackTransformation, ThreeRoutesAgreeOnEveryPath) {
  for (const bool orthogonalise : {false, true})
    for (const bool scale : {false, true}) {
      const FlexBody body = reduced("static:1,constraint:1", orthogonalise, scale);
      const Eigen::MatrixXd zeta = two(1.0, -0.3, 0.25, 2.0);
      const Eigen::MatrixXd direct = chosen_coordinates(body, zeta);
      EXPECT_LT(relative_difference(moving(body.back->chosen_shapes) * direct,
                                    moving(body.shapes) * zeta),
                tolerance(1e-12));
      for (const BackRoute route : {BackRoute::inverse, BackRoute::least_squares})
        EXPECT_LT(relative_difference(chosen_coordinates(body, zeta, route), direct),
                  tolerance(1e-12));
      const BackAdvice advice = advise_back_transformation(body);
      EXPECT_EQ(advice.recommended, BackRoute::direct);
      EXPECT_TRUE(advice.complete);
    }
}

TEST(BackTransformation, OneModeOfTwoDofsHasNoInverseButALeastSquaresAnswer) {
  const FlexBody body = reduced("constraint:1", false, true);
  const Eigen::MatrixXd zeta = Eigen::MatrixXd::Constant(1, 1, 2.0);
  EXPECT_NEAR(chosen_coordinates(body, zeta, BackRoute::least_squares)(0, 0),
              chosen_coordinates(body, zeta)(0, 0),
              tolerance(1e-12));
  const FlexBody three = reduced("static:1", false, false);
  EXPECT_THROW(chosen_coordinates(three, zeta, BackRoute::inverse), NumericalError);
}

// A model without modes is no source of U.
TEST(BackTransformation, NeedsModesOfTheModel) {
  FlexBody body = reduced("static:1,constraint:1", false, false);
  FeModel bare = double_mass_spring();
  bare.modes = {};
  EXPECT_EQ(testing::code_of([&] { take_chosen_modes(body, bare, {}); }), "no-modes");
  ASSERT_TRUE(body.back);  // as it was
  EXPECT_EQ(body.back->chosen_shapes.cols(), 2);
}

// Truth: the routes themselves, all of which refuse.
TEST(BackTransformation, TheAdviceSaysThatNoRouteIsPossible) {
  FlexBody body = reduced("static:1,constraint:1", false, false);
  body.back->V.resize(2, 0);
  body.back->alpha.resize(0);
  FlexBody dependent = body;
  dependent.back->chosen_shapes.col(1) = 2.0 * dependent.back->chosen_shapes.col(0);
  FlexBody short_of_rows = body;
  for (Eigen::Index row = 0; row < 18; ++row)
    if (row != 8) short_of_rows.back->chosen_shapes.row(row).setZero();
  const Eigen::MatrixXd zeta = Eigen::MatrixXd::Ones(2, 1);
  for (const FlexBody* each : {&dependent, &short_of_rows}) {
    const BackAdvice advice = advise_back_transformation(*each);
    EXPECT_EQ(advice.why.rfind("no route is possible", 0), 0U) << advice.why;
    EXPECT_TRUE(std::isinf(advice.least_squares_error));
    for (const std::string& route : back_route_names())
      EXPECT_NE(testing::code_of([&] { chosen_coordinates(*each, zeta, parse_back_route(route)); }),
                "no error");
  }
  EXPECT_NE(advise_back_transformation(body).why.rfind("no route", 0), 0U);
}

// b_ii = 2 beta_i sqrt(k_ii m_ii) on the raw set, the report's 0.0959 and 0.0354.
TEST(Damping, ActsOnTheDiagonalOfASetThatIsNotOrthogonal) {
  FlexBody body = reduced("static:1,constraint:1", false, false);
  apply_damping(body, parse_damping("1:0.35,2:0.25"));
  const Eigen::MatrixXd b = damping_matrix(body);
  EXPECT_NEAR(b(0, 0), 0.09585144756340405, tolerance(1e-12));
  EXPECT_NEAR(b(1, 1), 0.03535533905932738, tolerance(1e-12));
  EXPECT_EQ(b(0, 1), 0.0);
}

// Truth: similarity keeps the trace, sum 2 zeta omega = tr(m^-1 b); frequencies of the double
// mass-spring, omega^2 = 4 -+ 2 sqrt2.
TEST(Damping, OfShapesThatAreNotOrthogonalIsAnotherOneOnTheEigenmodes) {
  FlexBody body = reduced("static:1,constraint:1", false, false);
  apply_damping(body, parse_damping("1:0.35,2:0.25"));
  const TrueDamping damping = true_damping(body);
  ASSERT_EQ(damping.ratio.size(), 2);
  const double twice_pi = 2.0 * std::numbers::pi;
  EXPECT_NEAR(std::pow(twice_pi * damping.frequency_hz(0), 2),
              4.0 - 2.0 * std::sqrt(2.0),
              tolerance(1e-12));
  double sum = 0.0;
  for (Eigen::Index i = 0; i < 2; ++i)
    sum += 2.0 * damping.ratio(i) * twice_pi * damping.frequency_hz(i);
  const Eigen::MatrixXd m_inverse_b = body.mass.inverse() * damping_matrix(body);
  EXPECT_NEAR(sum, m_inverse_b.trace(), tolerance(1e-12));
  EXPECT_GT(damping.coupling, 0.01);
  EXPECT_GT(std::abs(damping.ratio(0) - 0.35), 0.01);
}

// Truth: the roots of det(m s^2 + b s + k) by its residual, and their sum -tr(m^-1 b). One pair
// swings with a ratio of 0.188, two poles are real, though the diagonal says 0.535 and 2.60.
TEST(Damping, PolesOfACoupledSetAreRootsOfItsDeterminant) {
  FlexBody body = reduced("static:1,constraint:1", false, false);
  apply_damping(body, parse_damping("1:0.35,2:0.25"));
  const Eigen::VectorXcd poles = damped_poles(body);
  ASSERT_EQ(poles.size(), 3);
  const Eigen::MatrixXd b = damping_matrix(body);
  std::complex<double> sum = 0.0;
  int swinging = 0;
  for (const std::complex<double>& s : poles) {
    const Eigen::Matrix2cd R = body.mass * (s * s) + b * s + body.stiffness;
    EXPECT_NEAR(std::abs(R.determinant()) / R.squaredNorm(), 0.0, tolerance(1e-13));
    sum += s.imag() > 0.0 ? s + std::conj(s) : s;
    if (s.imag() == 0.0) continue;
    ++swinging;
    EXPECT_NEAR(-s.real() / std::abs(s), 0.188, 5e-4);
  }
  EXPECT_EQ(swinging, 1);
  EXPECT_NEAR(sum.real(), -(body.mass.inverse() * b).trace(), tolerance(1e-12));
}

// Truth: s = -ratio omega + i omega sqrt(1 - ratio^2) for each eigenmode on its own.
TEST(Damping, PolesOfAnOrthogonalSetAreThoseOfItsRatios) {
  FlexBody body = reduced("static:1,constraint:1", true, true);
  apply_damping(body, parse_damping("1:0.35,2:0.25"));
  const Eigen::VectorXcd poles = damped_poles(body);
  ASSERT_EQ(poles.size(), 2);
  const double root = 2.0 * std::sqrt(2.0);
  const std::array<double, 2> omega{std::sqrt(4.0 - root), std::sqrt(4.0 + root)};
  const std::array<double, 2> ratio{0.35, 0.25};
  for (std::size_t k = 0; k < 2; ++k) {
    const std::complex<double> expected =
        omega[k] * std::complex<double>(-ratio[k], std::sqrt(1.0 - ratio[k] * ratio[k]));
    EXPECT_NEAR(std::abs(poles(static_cast<Eigen::Index>(k)) - expected), 0.0, tolerance(1e-12));
  }
}

// Truth: two free masses m1, m2 on a spring c with a ratio beta on each: b = 2 beta sqrt(c m_i),
// the rigid motion (1, 1) / sqrt(m1 + m2), omega^2 = c (1/m1 + 1/m2).
TEST(Damping, OfShapesThatAreNotOrthogonalResistsRigidMotions) {
  constexpr double c = 30.0, m1 = 2.0, m2 = 3.0, beta = 0.02;
  FlexBody body;
  body.mass = Eigen::Vector2d(m1, m2).asDiagonal();
  body.stiffness = c * (Eigen::Matrix2d() << 1.0, -1.0, -1.0, 1.0).finished();
  body.modes.resize(2);
  body.shapes = Eigen::MatrixXd::Zero(6, 2);
  apply_damping(body, parse_damping("0.02"));
  const double omega = std::sqrt(c * (1.0 / m1 + 1.0 / m2));
  const double resisting = 2.0 * beta * (std::sqrt(c * m1) + std::sqrt(c * m2)) / (m1 + m2);
  EXPECT_NEAR(damping_of_rigid_motions(body), resisting / (2.0 * omega), tolerance(1e-12));
  apply_damping(body, parse_damping("true:0.02"));
  EXPECT_NEAR(damping_of_rigid_motions(body), 0.0, tolerance(1e-8));
  EXPECT_EQ(damping_of_rigid_motions(reduced("static:1,constraint:1", false, false)), 0.0);
}

// Truth: two of 300 shapes differ by 5.5e-14, less than the round-off of a sum of 300 terms.
TEST(BackTransformation, OfDependentShapesHasNoRoute) {
  constexpr Eigen::Index n = 300;
  FlexBody body;
  body.nodes.resize(n / 6);
  body.mass = body.stiffness = Eigen::MatrixXd::Identity(1, 1);
  body.shapes = Eigen::MatrixXd::Zero(n, 1);
  body.back.emplace();
  body.back->chosen_shapes = Eigen::MatrixXd::Identity(n, n);
  body.back->chosen_shapes(0, n - 1) = 1.0;
  body.back->chosen_shapes(n - 1, n - 1) = 5.5e-14;
  const BackAdvice advice = advise_back_transformation(body);
  EXPECT_FALSE(advice.complete);
  EXPECT_TRUE(std::isinf(advice.inverse_error));
  EXPECT_NE(advice.why.find("rank 299 of 300"), std::string::npos) << advice.why;
}

/// A body whose shapes are its eigenmodes of unit mass, with this damping matrix.
FlexBody uncoupled_body(const Eigen::VectorXd& lambda, const Eigen::MatrixXd& damping) {
  const Eigen::Index n = lambda.size();
  FlexBody body;
  body.mass = Eigen::MatrixXd::Identity(n, n);
  body.stiffness = lambda.asDiagonal();
  body.damping = damping;
  body.modes.resize(static_cast<std::size_t>(n));
  body.shapes = Eigen::MatrixXd::Zero(6, n);
  return body;
}

// Truth: the maximum of v' b v over v' v = 1, also where the rigid motions come in another basis.
TEST(Damping, OfRigidMotionsIsThatOfTheMostDampedOne) {
  Eigen::Matrix3d b = Eigen::Matrix3d::Zero();
  b.topLeftCorner(2, 2) << 1.0, 1.0, 1.0, 1.0;
  const FlexBody body = uncoupled_body(Eigen::Vector3d(0.0, 0.0, 4.0), b);
  EXPECT_NEAR(damping_of_rigid_motions(body), 2.0 / (2.0 * 2.0), tolerance(1e-14));
}

// Truth: b is positive semidefinite, so that |b_ij|^2 <= b_ii b_jj; among undamped motions all
// three are round-off.
TEST(Damping, RoundOffOfUndampedMotionsIsNotACoupling) {
  Eigen::VectorXd lambda(5);
  lambda << 0.0, 0.0, 0.0, 1.0, 4.0;
  Eigen::MatrixXd b =
      Eigen::VectorXd::Map(std::array{1e-18, 1e-18, 1e-19, 0.04, 0.08}.data(), 5).asDiagonal();
  b(0, 1) = b(1, 0) = 3e-17;
  EXPECT_EQ(true_damping(uncoupled_body(lambda, b)).coupling, 0.0);
  b(3, 4) = b(4, 3) = 0.02;  // a coupling that counts
  EXPECT_NEAR(true_damping(uncoupled_body(lambda, b)).coupling,
              0.02 / std::sqrt(0.04 * 0.08),
              tolerance(1e-14));
}

// Truth: the poles of the 401 modes on their own, although a full matrix of this size is left out.
TEST(Damping, PolesOfManyModesDoNotHangOnRoundOff) {
  constexpr Eigen::Index n = 403;
  Eigen::VectorXd lambda = Eigen::VectorXd::LinSpaced(n, 1.0, 9.0);
  lambda.head(2).setZero();
  Eigen::MatrixXd b = (0.1 * lambda.cwiseSqrt()).asDiagonal();
  b(0, 1) = b(1, 0) = b(0, 0) = 1e-17;
  b(1, 1) = 2e-18;
  const Eigen::VectorXcd poles = damped_poles(uncoupled_body(lambda, b));
  ASSERT_EQ(poles.size(), n - 2);
  EXPECT_NEAR(poles(n - 3).real(), -0.15, tolerance(1e-13));
}

// Truth: a rigid motion has no frequency, thus a ratio gives it no damping; its computed eigenvalue
// may be a little above zero.
TEST(Damping, OnTheEigenmodesLeavesRigidMotionsFree) {
  const Eigen::Vector4d lambda(3e-13, 1e-15, 1.0, 4.0);
  FlexBody body = uncoupled_body(lambda, {});
  apply_damping(body, parse_damping("true:0.02"));
  EXPECT_EQ((*body.damping)(0, 0), 0.0);
  EXPECT_EQ((*body.damping)(1, 1), 0.0);
  EXPECT_NEAR((*body.damping)(3, 3), 0.08, tolerance(1e-14));
  body.modes[2].enabled = body.modes[3].enabled = false;  // the rigid motions act alone
  apply_damping(body, parse_damping("true:0.02"));
  EXPECT_EQ((*body.damping)(0, 0), 0.0);
  EXPECT_NEAR((*body.damping)(3, 3), 0.08, tolerance(1e-14));
  EXPECT_EQ(damped_poles(body).size(), 2);
}

// Truth: 2 beta omega. A disabled mode of a stiff contact says nothing of those that act, unless
// these are all rigid.
TEST(Damping, OnTheEigenmodesDoesNotHangOnDisabledModes) {
  const double low = std::pow(2.0 * std::numbers::pi * 0.05, 2);
  const double high = std::pow(2.0 * std::numbers::pi * 6e4, 2);
  FlexBody body = uncoupled_body(Eigen::Vector4d(1e-12, low, 400.0, high), {});
  body.modes[3].enabled = false;
  apply_damping(body, parse_damping("true:0.02"));
  EXPECT_EQ((*body.damping)(0, 0), 0.0);
  EXPECT_NEAR((*body.damping)(1, 1), 0.04 * std::sqrt(low), tolerance(1e-14));
  EXPECT_NEAR((*body.damping)(2, 2), 0.8, tolerance(1e-14));
}

// On orthogonal sets the two are one; placed on the eigenmodes, they are there on any set.
TEST(Damping, PlacedOnTheEigenmodesIsThere) {
  for (const bool orthogonal : {true, false}) {
    FlexBody body = reduced("static:1,constraint:1", orthogonal, false);
    apply_damping(body, parse_damping(orthogonal ? "0.03" : "true:0.03"));
    const TrueDamping damping = true_damping(body);
    for (Eigen::Index i = 0; i < damping.ratio.size(); ++i)
      EXPECT_NEAR(damping.ratio(i), 0.03, tolerance(1e-13));
    EXPECT_LT(damping.coupling, tolerance(1e-12));
  }
}

// Four shapes on two DOFs: the third and fourth repeat the first two.
TEST(Rejection, NamesTheModesThatADependentOneRepeats) {
  const FlexBody body = reduced("dynamic:1-2,static:1,constraint:1", true, true);
  ASSERT_EQ(body.mode_count(), 2);
  ASSERT_EQ(body.rejected.size(), 2u);
  EXPECT_EQ(body.rejected[0].source, "static:1");
  EXPECT_EQ(body.rejected[0].reason, RejectionReason::dependent);
  EXPECT_EQ(body.rejected[0].repeats, (std::vector<std::string>{"dynamic:1", "dynamic:2"}));
  EXPECT_NEAR(body.stiffness(0, 0), 4.0 - 2.0 * std::sqrt(2.0), tolerance(1e-12));
}

TEST(Rejection, EigenvaluesOutsideTheLimitsAreCountedAndLeft) {
  ReduceOptions options;
  options.select = parse_selection("static:1,constraint:1");
  options.orthogonalise = true;
  options.reject_below = 2.0;
  Diagnostics diagnostics;
  const FlexBody body = reduce(double_mass_spring(), options, diagnostics);
  ASSERT_EQ(body.mode_count(), 1);
  EXPECT_NEAR(body.modes[0].eigenvalue, 4.0 + 2.0 * std::sqrt(2.0), tolerance(1e-12));
  ASSERT_EQ(body.rejected.size(), 1u);
  EXPECT_EQ(body.rejected[0].reason, RejectionReason::below_limit);
  EXPECT_EQ(body.rejected[0].source, "orthogonal:1");
}

TEST(Reduce, AsksForUnitsRatherThanGuess) {
  FeModel model = double_mass_spring();
  model.units.reset();
  Diagnostics diagnostics;
  EXPECT_THROW(reduce(model, {}, diagnostics), ModelError);
}

// The same body in mm-t-s and in m-kg-s. Shapes keep their coordinates, so modal mass differs by
// the square of the length factor when a shape is one unit of length at its largest.
TEST(Reduce, BodiesAreSiWhateverTheUnitsOfTheModel) {
  FeModel model = double_mass_spring();
  model.units = parse_units("mm-t-s");
  for (Node& node : model.nodes)
    node.position *= 1e3;
  *model.stiffness *= 1e-3;  // N/mm
  *model.mass *= 1e-3;       // t
  for (ConcentratedMass& mass : model.concentrated_masses)
    mass.mass *= 1e-3;
  ReduceOptions options;
  options.select = parse_selection("dynamic:1-2");
  Diagnostics diagnostics;
  FlexBody body = reduce(model, options, diagnostics);
  EXPECT_NEAR(body.mass(0, 0), 1e-6 * 5.85786437626905, tolerance(1e-16));
  EXPECT_NEAR(body.modes[0].eigenvalue, 4.0 - 2.0 * std::sqrt(2.0), tolerance(1e-12));
  EXPECT_NEAR(body.nodes[2].position.z(), 2.0, tolerance(1e-14));
  EXPECT_NEAR(body.invariants.mass, 10.0, tolerance(1e-13));
  options.scale = true;
  body = reduce(model, options, diagnostics);
  EXPECT_LT(relative_difference(moving(body.shapes),
                                two(0.1711412337262568,
                                    0.41317148754319283,  //
                                    0.41317148754319283,
                                    -0.1711412337262568)),
            tolerance(1e-10));
}

}  // namespace
}  // namespace femflex::modal
