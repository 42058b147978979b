// Tests reduction methods. Truth: exactness in statics, convergence, and a second method of
// computation.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "femflex/errors.h"
#include "femflex/modal/compare_bodies.h"
#include "femflex/modal/compute_modes.h"
#include "femflex/modal/correlation.h"
#include "femflex/modal/orthogonalise.h"
#include "femflex/modal/reduce.h"
#include "femflex/modal/validate.h"

#include "double_mass_spring.h"
#include "problems.h"
#include "solve/projection.h"
#include "support/support.h"

namespace femflex::modal {
namespace {

using testing::brick_block;
using testing::relative_difference;
using testing::tolerance;

FlexBody reduced(const FeModel& model,
                 Method method,
                 std::int64_t normal,
                 bool orthogonal = false) {
  ReduceOptions options;
  options.method = method;
  options.normal = normal;
  options.orthogonalise = options.scale = orthogonal;
  Diagnostics diagnostics;
  return reduce(model, options, diagnostics);
}

// Craig-Bampton and Guyan hold the constraint modes, so every static interface displacement is
// exact.
TEST(Reduction, CraigBamptonAndGuyanAreStaticallyExactAtTheInterface) {
  const FeModel model = testing::joined_block();
  for (const Method method : {Method::craig_bampton, Method::guyan}) {
    Diagnostics diagnostics;
    ValidateOptions options;
    options.frf_points = 4;
    const Validation check = validate(reduced(model, method, 12), model, options, diagnostics);
    EXPECT_LT(check.static_error, tolerance(1e-8)) << name_of(method);
    EXPECT_EQ(check.full_zero_modes, 6);
    EXPECT_EQ(check.reduced_zero_modes, 6);
  }
}

// A frequency alone asks for all modes up to it, not for the usual twenty.
TEST(Reduction, AFrequencyAloneIsNotCutAtTheUsualNumber) {
  const FeModel model = testing::joined_block();
  const FlexBody many = reduced(model, Method::craig_bampton, 40);
  ReduceOptions options;
  options.method = Method::craig_bampton;
  options.fmax_hz = 1e9;
  Diagnostics diagnostics;
  EXPECT_GT(reduce(model, options, diagnostics).mode_count(), many.mode_count());
  options.normal = 7;
  EXPECT_EQ(reduce(model, options, diagnostics).mode_count(), many.mode_count() - 33);
}

// Consistent mass without the rows of held DOFs: effective mass is that of (18), and its sum
// over all modes the mass that the matrix shows.
TEST(Reduction, EffectiveMassOfAClampedPartIsThatOfItsMatrix) {
  FeModel model = testing::beam(10, "cf");
  const std::vector<Dof>& rows = model.dofs.rows();
  std::vector<Eigen::Index> free;
  std::vector<Dof> left;
  for (std::size_t k = 0; k < rows.size(); ++k)
    if (std::find(model.fixed.begin(), model.fixed.end(), rows[k]) == model.fixed.end()) {
      free.push_back(static_cast<Eigen::Index>(k));
      left.push_back(rows[k]);
    }
  const auto part = [&](const SparseMatrix& lower) {
    const Eigen::MatrixXd dense = lower;
    const Eigen::MatrixXd kept = dense(free, free);
    return SparseMatrix(kept.sparseView());
  };
  model.stiffness = part(*model.stiffness);
  model.mass = part(*model.mass);
  model.dofs = DofMap(left);
  model.fixed.clear();
  model.interface_nodes.clear();
  const FlexBody body = reduced(model, Method::dynamic, static_cast<std::int64_t>(left.size()));
  const EffectiveMass effective = effective_mass(body);
  const Eigen::Vector3d shown = directional_mass(model);
  EXPECT_NEAR(effective.effective_mass.col(1).sum() / shown.y(), 1.0, tolerance(1e-9));
  EXPECT_LT(relative_difference(body.invariants.modal, body.mass), tolerance(1e-10));
  // the clamped beam's first mode carries 0.6131 of the mass of all of it, which is 1
  EXPECT_NEAR(effective.effective_mass(0, 1), 0.6131, 2e-3);
}

// K_red that comes without a product equals U' K U, and rigid motions store no energy in it.
TEST(Reduction, CraigBamptonStiffnessNeedsNoProductAndKeepsRigidMotionsFree) {
  const FeModel model = testing::joined_block();
  const FlexBody body = reduced(model, Method::craig_bampton, 10);
  Eigen::MatrixXd U(model.dofs.size(), body.mode_count());
  for (std::int64_t row = 0; row < model.dofs.size(); ++row)
    U.row(row) = body.shapes.row(6 * (model.dofs[row].node - 1) + model.dofs[row].component - 1);
  EXPECT_LT(relative_difference(body.stiffness, project(*model.stiffness, U)), tolerance(1e-10));
  const Eigen::MatrixXd T = rigid_body_shapes(model, model.dofs, Eigen::Vector3d::Zero());
  const Eigen::MatrixXd q = (U.transpose() * U).ldlt().solve(U.transpose() * T);
  EXPECT_LT(relative_difference(U * q, T), tolerance(1e-8));
  EXPECT_LT((body.stiffness * q).cwiseAbs().maxCoeff() / body.stiffness.cwiseAbs().maxCoeff(),
            tolerance(1e-9));
}

// Free frequencies from above (Rayleigh-Ritz), better with every mode added.
TEST(Reduction, FrequenciesConvergeFromAboveWithTheNumberOfModes) {
  const FeModel model = testing::joined_block();
  Diagnostics diagnostics;
  ModeRequest request;
  request.normal = 12;
  const ComputedModes full = compute_modes(model, request, diagnostics);
  for (const Method method : {Method::craig_bampton, Method::craig_chang}) {
    double last = 1e9;
    for (const std::int64_t normal : {8, 16, 32}) {
      const FlexBody body = reduced(model, method, normal, true);
      double error = 0.0;
      for (std::size_t k = 0; k < 4; ++k) {
        const double ratio = body.modes[k].eigenvalue / full.modes.modes[6 + k].eigenvalue;
        EXPECT_GT(ratio, 1.0 - tolerance(1e-9));
        error = std::max(error, ratio - 1.0);
      }
      EXPECT_LE(error, last + 1e-9);
      last = error;
    }
    EXPECT_LT(last, 1e-3) << name_of(method);
  }
}

// Residual flexibility: with the residual attachment modes the free-interface set is statically
// exact as well.
TEST(Reduction, CraigChangIsStaticallyExactAtTheInterface) {
  const FeModel model = testing::joined_block();
  Diagnostics diagnostics;
  ValidateOptions options;
  options.frf_points = 4;
  const Validation check =
      validate(reduced(model, Method::craig_chang, 14), model, options, diagnostics);
  EXPECT_LT(check.static_error, tolerance(1e-7));
  ASSERT_EQ(check.frequencies.size(), 10u);
  for (std::size_t k = 0; k < 8; ++k) {
    EXPECT_LT(std::abs(check.frequencies[k].error_percent), 1e-6);
    EXPECT_GT(check.frequencies[k].mac, 1.0 - 1e-9);
  }
}

// The frame of a body carries its six rigid motions: a body without rigid modes responds as one
// with them, whatever removed them.
TEST(Reduction, ABodyWithoutItsRigidModesValidatesLikeOneWithThem) {
  const FeModel model = testing::joined_block();
  Diagnostics diagnostics;
  ValidateOptions check;
  check.frf_points = 8;
  for (const Method method : {Method::craig_bampton, Method::craig_chang}) {
    ReduceOptions options;
    options.method = method;
    options.normal = 16;
    const Validation whole =
        validate(reduce(model, options, diagnostics), model, check, diagnostics);
    EXPECT_EQ(whole.reduced_zero_modes, 6);
    options.orthogonalise = options.scale = true;
    for (const bool drop : {false, true}) {
      options.rigid_modes = drop ? RigidModes::drop : RigidModes::keep;
      const FlexBody body = reduce(model, options, diagnostics);
      const Validation without = validate(body, model, check, diagnostics);
      EXPECT_EQ(without.findings, whole.findings)
          << name_of(method) << (drop ? " dropped" : " rejected");
      EXPECT_EQ(without.reduced_zero_modes, 6);
      for (std::size_t k = 0; k < whole.frequencies.size(); ++k)
        EXPECT_NEAR(without.frequencies[k].reduced_hz / whole.frequencies[k].reduced_hz,
                    1.0,
                    tolerance(1e-8));
      EXPECT_NEAR(without.static_error, whole.static_error, tolerance(1e-6));
      EXPECT_NEAR(without.frf_error, whole.frf_error, tolerance(1e-6));
    }
  }
}

// A square bar bends alike in two directions; an interface at three corners of its end breaks that
// symmetry in the body, which splits each pair of frequencies a little and mixes its shapes. The
// pairs are one subspace still, so the body agrees with the model.
TEST(Reduction, PairsOfFrequenciesThatTheBodySplitsStillAgree) {
  FeModel model = testing::brick_block(10, 2, 2, 1.0, 0.2, 0.2);
  model.interface_nodes = {1, 23, 67};
  const FlexBody body = reduced(model, Method::craig_bampton, 12, true);
  ValidateOptions options;
  options.modes = 2;
  options.band = FrequencyBand{0.0, 500.0};
  Diagnostics diagnostics;
  const Validation check = validate(body, model, options, diagnostics);
  ASSERT_EQ(check.frequencies.size(), 2u);
  EXPECT_NEAR(check.frequencies[0].full_hz / check.frequencies[1].full_hz, 1.0, tolerance(1e-8));
  for (const Validation::Frequency& mode : check.frequencies)
    EXPECT_GT(mode.mac, 0.999) << mode.full_hz << " off by " << mode.error_percent << " %";
}

// Without damping the response is infinite at a resonance and no step between frequencies is small
// enough: the request ends in an error that names the ratio.
TEST(Reduction, ValidationNeedsDamping) {
  const FeModel model = testing::joined_block();
  const FlexBody body = reduced(model, Method::craig_bampton, 12);
  for (const double ratio : {0.0, -0.01, std::nan("")}) {
    Diagnostics diagnostics;
    ValidateOptions options;
    options.damping_ratio = ratio;
    EXPECT_THROW(validate(body, model, options, diagnostics), UsageError) << ratio;
  }
}

// By construction: equal modes, but only one of the bodies has a mass. Neither order passes.
TEST(Reduction, ABodyWithoutMassDiffersFromOneWithMass) {
  const FlexBody heavy = reduced(testing::joined_block(), Method::craig_bampton, 12);
  FlexBody massless = heavy;
  massless.invariants.mass = 0.0;
  massless.invariants.first_moment.setZero();
  massless.invariants.inertia.setZero();
  NodePairs nodes;
  for (Eigen::Index k = 0; k < heavy.node_count(); ++k) {
    nodes.a.push_back(k);
    nodes.b.push_back(k);
  }
  EXPECT_TRUE(compare_bodies(heavy, heavy, nodes, 1e-6).passes);
  for (const bool is_first : {true, false}) {
    const ModeComparison compared = is_first ? compare_bodies(massless, heavy, nodes, 1e-6)
                                             : compare_bodies(heavy, massless, nodes, 1e-6);
    EXPECT_EQ(compared.mass_error, 1.0) << is_first;
    EXPECT_EQ(compared.inertia_error, 1.0) << is_first;
    EXPECT_FALSE(compared.passes) << is_first;
  }
}

// Truth: the shift. It changes no frequency and no shape, so that a warning alone tells.
TEST(Reduction, ABodyMovedAgainstItsModelIsTold) {
  const FeModel model = testing::joined_block();
  FlexBody body = reduced(model, Method::craig_bampton, 12);
  ValidateOptions options;
  options.frf_points = 4;
  Diagnostics in_place;
  validate(body, model, options, in_place);
  EXPECT_TRUE(in_place.warnings().empty());
  for (BodyNode& node : body.nodes)
    node.position.x() += 0.125;
  Diagnostics diagnostics;
  validate(body, model, options, diagnostics);
  ASSERT_EQ(diagnostics.warnings().size(), 1u);
  EXPECT_EQ(diagnostics.warnings()[0].code, "moved-nodes");
  EXPECT_NE(diagnostics.warnings()[0].message.find("0.125 m"), std::string::npos);
}

/// A beam along x of equal elements in bending about y and z and in tension, its masses lumped
/// without rotary inertia.
FeModel beam_without_rotary_inertia(int elements) {
  constexpr double kEI = 420.0;     // [N m^2]
  constexpr double kEA = 2e7;       // [N]
  constexpr double kLength = 0.25;  // of an element [m]
  constexpr double kMass = 0.2;     // of an element [kg]
  const double L = kLength;
  Eigen::Matrix4d bending;
  bending << 12, 6 * L, -12, 6 * L, 6 * L, 4 * L * L, -6 * L, 2 * L * L, -12, -6 * L, 12, -6 * L,
      6 * L, 2 * L * L, -6 * L, 4 * L * L;
  bending *= kEI / (L * L * L);
  constexpr int kOfNode = 5;  // T1, T2, T3, R2, R3
  const Eigen::Index size = kOfNode * (elements + 1);
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(size, size);
  Eigen::VectorXd M = Eigen::VectorXd::Zero(size);
  for (int e = 0; e < elements; ++e) {
    const Eigen::Index a = kOfNode * e, b = a + kOfNode;
    const std::vector<Eigen::Index> axial{a, b}, y{a + 1, a + 4, b + 1, b + 4},
        z{a + 2, a + 3, b + 2, b + 3};
    const Eigen::Vector4d turn(1.0, -1.0, 1.0, -1.0);  // rotation about y lowers the tip
    K(axial, axial) += kEA / L * (Eigen::Matrix2d() << 1.0, -1.0, -1.0, 1.0).finished();
    K(y, y) += bending;
    K(z, z) += turn.asDiagonal() * bending * turn.asDiagonal();
    for (const Eigen::Index node : {a, b})
      M.segment(node, 3).array() += 0.5 * kMass;
  }
  FeModel model;
  model.name = "beam";
  model.units = Units{};
  std::vector<Dof> rows;
  for (std::int64_t node = 1; node <= elements + 1; ++node) {
    model.nodes.push_back({node, {kLength * static_cast<double>(node - 1), 0.0, 0.0}});
    for (const std::int8_t component : std::array<std::int8_t, kOfNode>{1, 2, 3, 5, 6})
      rows.push_back({node, component});
  }
  model.dofs = DofMap(rows);
  model.stiffness = K.triangularView<Eigen::Lower>().toDenseMatrix().sparseView();
  model.mass = Eigen::MatrixXd(M.asDiagonal()).sparseView();
  return model;
}

// Truth: a Craig-Bampton set of all fixed-interface modes spans all motions of the part, so that it
// has its frequencies. The constraint modes of massless rotations and these modes are then more
// than there are masses; which motions have no mass of their own depends on all of them.
TEST(Reduction, RotationsWithoutInertiaFollowTheModesThatHaveMass) {
  for (const int elements : {2, 3, 4, 6}) {
    FeModel model = beam_without_rotary_inertia(elements);
    model.interface_nodes = {1, elements + 1};
    ReduceOptions options;
    options.method = Method::craig_bampton;
    options.normal = 3 * (elements - 1);
    options.orthogonalise = true;
    Diagnostics diagnostics;
    const FlexBody body = reduce(model, options, diagnostics);
    ModeRequest request;
    request.normal = 3 * (elements + 1);
    const ComputedModes full = compute_modes(model, request, diagnostics);
    constexpr Eigen::Index kRigid = 5;  // a beam without torsion
    ASSERT_EQ(body.mode_count(), request.normal - kRigid) << elements;
    for (Eigen::Index i = 0; i < body.mode_count(); ++i) {
      const double lambda = full.modes.modes[static_cast<std::size_t>(kRigid + i)].eigenvalue;
      EXPECT_NEAR(body.modes[static_cast<std::size_t>(i)].eigenvalue / lambda, 1.0, tolerance(1e-8))
          << elements << " elements, mode " << i;
    }
  }
}

// A body that a stiffness ties to the ground has no zero modes, which validation finds.
TEST(Reduction, AGroundedBodyIsFoundWanting) {
  const FeModel model = testing::joined_block();
  FlexBody body = reduced(model, Method::craig_bampton, 12);
  body.stiffness(0, 0) *= 1.01;
  Diagnostics diagnostics;
  ValidateOptions options;
  options.frf_points = 4;
  const Validation check = validate(body, model, options, diagnostics);
  EXPECT_EQ(check.reduced_zero_modes, 5);
  EXPECT_FALSE(check.pass);
}

// The set chosen by need keeps its tolerance at every frequency solved in full, and one mode less
// does not.
TEST(Reduction, AutomaticChoiceIsTheSmallestThatHoldsItsTolerance) {
  const FeModel model = testing::joined_block();
  ReduceOptions options;
  options.method = Method::automatic;
  options.tolerance = 1e-3;
  options.band = FrequencyBand{0.0, 1200.0};
  Diagnostics diagnostics;
  ReduceReport report;
  const FlexBody body = reduce(model, options, diagnostics, no_progress(), &report);
  ASSERT_GE(report.curve.size(), 2u);
  const auto chosen = static_cast<std::int64_t>(report.kept_why.size());
  EXPECT_EQ(body.mode_count(), 12 + chosen);
  for (const ReduceReport::AutoStep& step : report.curve)
    EXPECT_EQ(step.frf_error <= options.tolerance, step.normal_modes >= chosen);
}

// Every DOF is an interface DOF: nothing is reduced, whatever the method, so every response
// of the body is the model's to round-off, at resonances too (the last sample of the response is
// one).
TEST(Reduction, AnInterfaceOfAllDofsReducesNothing) {
  FeModel model = testing::brick_block(3, 1, 1, 1.0, 0.2, 0.15);
  for (const Node& node : model.nodes)
    model.interface_nodes.push_back(node.id);
  for (const Method method : {Method::guyan, Method::craig_bampton, Method::automatic}) {
    ReduceOptions options;
    options.method = method;
    options.band = FrequencyBand{0.0, 10000.0};
    options.orthogonalise = true;
    Diagnostics diagnostics;
    const FlexBody body = reduce(model, options, diagnostics);
    const Validation check = validate(body, model, {}, diagnostics);
    EXPECT_TRUE(check.pass) << name_of(method);
    EXPECT_LT(check.static_error, tolerance(1e-10)) << name_of(method);
    EXPECT_LT(check.frf_error, tolerance(1e-9)) << name_of(method);
  }
}

// 20 free modes and 48 residual attachment modes of a part of 48 DOFs: 20 of them at least
// repeat others. They are rejected with what they repeat, and what is left is a sound basis.
TEST(Reduction, ResidualModesThatRepeatOthersAreRejected) {
  FeModel model = testing::brick_block(3, 1, 1, 1.0, 0.2, 0.15);
  for (const Node& node : model.nodes)
    model.interface_nodes.push_back(node.id);
  const FlexBody body = reduced(model, Method::craig_chang, 20, true);
  std::size_t dependent = 0;
  for (const RejectedMode& rejected : body.rejected) {
    if (rejected.reason != RejectionReason::dependent) continue;
    ++dependent;
    EXPECT_FALSE(rejected.repeats.empty());
  }
  EXPECT_GE(dependent, 20u);
  EXPECT_LE(body.mode_count(), 42);
  Diagnostics diagnostics;
  const Validation check = validate(body, model, {}, diagnostics);
  for (const Validation::Frequency& mode : check.frequencies)
    EXPECT_LT(std::abs(mode.error_percent), tolerance(1e-8));
}

// Sum of effective masses over all modes of a clamped part, constraint modes aside, is bounded by
// the mass; MAC of a set with itself is one on the diagonal.
TEST(Correlation, MacAndEffectiveMassKeepTheirBounds) {
  const FeModel model = testing::joined_block();
  const FlexBody body = reduced(model, Method::craig_bampton, 10, true);
  const EffectiveMass effective = effective_mass(body);
  for (int axis = 0; axis < 3; ++axis)
    EXPECT_LT(effective.effective_mass.col(axis).sum(), effective.total(axis) * (1 + 1e-9));
  const Eigen::MatrixXd self = mac(body.shapes, body.shapes);
  EXPECT_LT((self.diagonal().array() - 1.0).abs().maxCoeff(), tolerance(1e-12));
  EXPECT_LE(self.maxCoeff(), 1.0 + 1e-12);
}

// Invariants: two algorithms, the scalar-mass shortcut against products with G, and closed forms.
TEST(Invariants, ConsistentMassGivesTheClosedFormsOfABlock) {
  const FeModel model = testing::joined_block();
  const FlexBody body = reduced(model, Method::craig_bampton, 6);
  const double m = 7850.0 * 1.0 * 0.2 * 0.15;
  EXPECT_NEAR(body.invariants.mass / m, 1.0, tolerance(1e-12));
  EXPECT_NEAR(body.centre_of_mass().x(), 0.5, tolerance(1e-12));
  EXPECT_NEAR(body.invariants.inertia(0, 0) / (m * (0.04 + 0.0225) / 3), 1.0, tolerance(1e-10));
  EXPECT_NEAR(body.invariants.inertia(0, 1) / (-m * 0.5 * 0.1), 1.0, tolerance(1e-10));
  // a tiny coupling of x and y in M switches the shortcut off
  FeModel coupled = model;
  *coupled.mass += assemble(coupled.dofs.size(), coupled.dofs.size(), {{1, 0, 1e-12}});
  Eigen::MatrixXd Phi(model.dofs.size(), body.mode_count());
  for (std::int64_t row = 0; row < model.dofs.size(); ++row)
    Phi.row(row) = body.shapes.row(6 * (model.dofs[row].node - 1) + model.dofs[row].component - 1);
  const InertiaInvariants general = consistent_invariants(coupled, Phi);
  EXPECT_LT(relative_difference(body.invariants.translation_rate, general.translation_rate),
            tolerance(1e-9));
  EXPECT_LT(relative_difference(body.invariants.inertia_rate, general.inertia_rate),
            tolerance(1e-9));
  EXPECT_LT(relative_difference(body.invariants.inertia_curvature, general.inertia_curvature),
            tolerance(1e-9));
  EXPECT_LT(relative_difference(body.invariants.modal, body.mass), tolerance(1e-9));
}

// A model of millimetres and tonnes with a scalar point that has mass, as the inner modes of
// elements have. Truth: invariant 6 is the modal mass, in every unit.
TEST(Invariants, ScalarPointsWithMassCountInEveryUnit) {
  FeModel model = testing::joined_block();
  model.units = parse_units("mm-t-s");
  const auto last = static_cast<std::int32_t>(model.dofs.size());
  const double inner_mass = model.mass->coeff(0, 0);
  const auto with_point = [&](const SparseMatrix& a, double inner, double coupling) {
    std::vector<Entry> entries = {{last, last, inner}, {last, 0, coupling}};
    for (std::int32_t col = 0; col < last; ++col)
      for (SparseMatrix::InnerIterator it(a, col); it; ++it)
        entries.push_back({static_cast<std::int32_t>(it.row()), col, it.value()});
    return assemble(last + 1, last + 1, entries);
  };
  model.mass = with_point(*model.mass, inner_mass, 0.1 * inner_mass);
  constexpr double kInnerEigenvalue = 1e7;  // [1/s^2] among the lowest of the block
  model.stiffness = with_point(*model.stiffness, kInnerEigenvalue * inner_mass, 0.0);
  std::vector<Dof> rows = model.dofs.rows();
  rows.push_back({9001, 0});
  model.dofs = DofMap(rows);
  const FlexBody body = reduced(model, Method::craig_bampton, 6);
  EXPECT_LT(relative_difference(body.invariants.modal, body.mass), tolerance(1e-9));
}

// Truth: the definition u = U V diag(alpha) zeta; shapes of many columns go to the nodes by another
// way than those of few.
TEST(Reduction, ShapesOfHundredsOfColumnsAreThoseOfTheBackTransformation) {
  FeModel model = brick_block(12, 13, 2, 600.0, 650.0, 80.0);
  model.units = parse_units("mm-t-s");
  for (std::int64_t id = 1; id <= 13 * 14; ++id)
    model.interface_nodes.push_back(id);
  for (const bool orthogonal : {false, true}) {
    const FlexBody body = reduced(model, Method::craig_bampton, 4, orthogonal);
    ASSERT_GT(body.shapes.cols(), 500);
    const BackTransformation& back = *body.back;
    const Eigen::MatrixXd expected = back.chosen_shapes * (back.V * back.alpha.asDiagonal());
    EXPECT_LT(relative_difference(body.shapes, expected), tolerance(1e-12)) << orthogonal;
    EXPECT_LT(relative_difference(body.invariants.modal, body.mass), tolerance(1e-9));
  }
}

// Truth: how the columns are made. 40 columns at random, then the sum of two of them, then nearly
// that sum: its own part, 1e-6 of its length, counts.
TEST(IndependentColumns, AreAllOfARegularSetAndStillWithoutTheDependentOfAnother) {
  std::srand(3);
  const Eigen::MatrixXd regular = Eigen::MatrixXd::Random(300, 40);
  const IndependentColumns all = independent_columns(regular);
  EXPECT_EQ(all.kept.size(), 40u);
  EXPECT_TRUE(all.dependent.empty());
  EXPECT_EQ(independent_in_mass(regular.transpose() * regular).kept.size(), 40u);
  Eigen::MatrixXd more(300, 42);
  more.leftCols(40) = regular;
  more.col(40) = regular.col(3) + regular.col(17);
  more.col(41) = more.col(40) + 1e-6 * Eigen::VectorXd::Random(300);
  const IndependentColumns split = independent_columns(more);
  EXPECT_EQ(split.kept.size(), 41u);
  ASSERT_EQ(split.dependent.size(), 1u);
  EXPECT_EQ(split.dependent[0].column, 40);
  EXPECT_EQ(split.dependent[0].repeats, (std::vector<Eigen::Index>{3, 17}));
}

// The report's static mode and 1993 constraint mode, computed instead of given.
TEST(ComputedModes, StaticAndConstraintModesAreThoseOfTheReport) {
  FeModel model = testing::double_mass_spring();
  model.modes = {};
  model.interface_nodes = {3};
  ModeRequest request;
  request.static_loads = true;
  request.constraint = true;
  request.constraint_sense = ModeRequest::ConstraintSense::all_but_one;
  request.dofs = {{3, 3}};
  Diagnostics diagnostics;
  const ModeSet modes = compute_modes(model, request, diagnostics).modes;
  ASSERT_EQ(modes.count(), 2);
  for (Eigen::Index k = 0; k < 2; ++k) {
    const bool is_static = modes.modes[static_cast<std::size_t>(k)].kind == ModeKind::static_;
    const Eigen::Vector2d expected =
        is_static ? Eigen::Vector2d(0.05, 0.15) : Eigen::Vector2d(0.0, -0.1);
    EXPECT_LT(relative_difference(modes.shapes.col(k), expected), tolerance(1e-13));
  }
}

}  // namespace
}  // namespace femflex::modal
