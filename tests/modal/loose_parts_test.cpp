// Tests parts that K does not connect, loads that only accelerate a part, and shapes that are
// almost dependent.
#include <cmath>
#include <complex>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "femflex/dense.h"
#include "femflex/modal/compute_modes.h"
#include "femflex/modal/correlation.h"
#include "femflex/modal/orthogonalise.h"
#include "femflex/modal/reduce.h"
#include "femflex/modal/validate.h"

#include "problems.h"
#include "solve/projection.h"
#include "solve/rigid_columns.h"
#include "support/support.h"

namespace femflex::modal {
namespace {

using testing::brick_block;
using testing::copies;
using testing::tolerance;

FeModel two_blocks() {
  FeModel model = copies(brick_block(3, 1, 1, 1.0, 0.2, 0.15), 2);
  const std::int64_t half = static_cast<std::int64_t>(model.nodes.size()) / 2;
  for (const std::int64_t place : {0L, 4L, half - 1, half, half + 4, 2 * half - 1})
    model.interface_nodes.push_back(model.nodes[static_cast<std::size_t>(place)].id);
  return model;
}

double off_identity(const SparseMatrix& M, const Eigen::MatrixXd& X) {
  return (project(M, X) - Eigen::MatrixXd::Identity(X.cols(), X.cols())).cwiseAbs().maxCoeff();
}

// Twelve motions without stiffness, whatever solver finds them and however many are asked for.
TEST(LooseParts, ZeroModesAreOrthonormalOnEveryPath) {
  const FeModel model = two_blocks();
  for (const std::int64_t count : {8, 12, 14, 40, 90}) {
    ModeRequest request;
    request.normal = count;
    Diagnostics diagnostics;
    const ComputedModes modes = compute_modes(model, request, diagnostics);
    EXPECT_LT(off_identity(*model.mass, modes.modes.shapes), tolerance(1e-10)) << count;
    for (std::size_t k = 0; k < modes.modes.modes.size(); ++k)
      if (k < 12)
        EXPECT_NEAR(modes.modes.modes[k].eigenvalue, 0.0, 1e-3) << count << ' ' << k;
      else
        EXPECT_GT(modes.modes.modes[k].eigenvalue, 1e6) << count << ' ' << k;
    EXPECT_LT(modes.report.worst_residual, 1e-8) << count;
  }
}

// Both parts hold interface nodes, so that the outside may hold them together: each floats by
// itself, and a body keeps their motion against each other.
TEST(LooseParts, WithInterfacesOfTheirOwnFloatEach) {
  const FeModel model = two_blocks();
  for (const Method method : {Method::craig_bampton, Method::craig_chang, Method::krylov}) {
    ReduceOptions options;
    options.method = method;
    options.normal = method == Method::craig_chang ? 24 : 12;
    options.reject_below = -1e3;
    Diagnostics diagnostics;
    const FlexBody body = reduce(model, options, diagnostics);
    ValidateOptions check;
    check.modes = 4;
    check.band = FrequencyBand{0.0, 500.0};
    const Validation seen = validate(body, model, check, diagnostics);
    EXPECT_EQ(seen.full_zero_modes, 12) << name_of(method);
    EXPECT_EQ(seen.reduced_zero_modes, 12) << name_of(method);
    EXPECT_LT(seen.static_error, tolerance(1e-8)) << name_of(method);
    EXPECT_LT(seen.frf_error, 2e-2) << name_of(method);
  }
}

// Twelve shapes without energy, in combinations that chance made. Truth: geometry. Six rigid
// motions leave the body, and the six others carry no momentum in any rigid motion: T' M Phi = 0.
TEST(LooseParts, MoveAgainstEachOtherInSixShapesBesidesTheRigidOnes) {
  FeModel model = two_blocks();
  ModeRequest request;
  request.normal = 16;
  Diagnostics unused;
  model.modes = compute_modes(model, request, unused).modes;
  const Eigen::MatrixXd zero = model.modes.shapes.leftCols(12);
  std::mt19937 engine(5);
  std::normal_distribution<double> normal;
  for (int mix = 0; mix < 4; ++mix) {
    const Eigen::MatrixXd chance =
        Eigen::MatrixXd::NullaryExpr(12, 12, [&]() { return normal(engine); });
    model.modes.shapes.leftCols(12) = zero * chance;
    for (const RigidModes rigid : {RigidModes::drop, RigidModes::keep}) {
      ReduceOptions options;
      options.orthogonalise = options.scale = true;
      options.rigid_modes = rigid;
      Diagnostics diagnostics;
      const FlexBody without = reduce(model, options, diagnostics);
      const bool is_dropped = rigid == RigidModes::drop;
      EXPECT_EQ(without.path.rigid_modes, is_dropped ? 6 : 0);
      EXPECT_EQ(without.mode_count(), is_dropped ? 4 : 10);
      ASSERT_EQ(diagnostics.warnings().size(), 1U);
      EXPECT_EQ(diagnostics.warnings().front().code, "zero-energy");
      options.reject_below = -1.0;
      const FlexBody with = reduce(model, options, diagnostics);
      ASSERT_EQ(with.mode_count(), is_dropped ? 10 : 16);
      Eigen::MatrixXd Phi(model.dofs.size(), with.mode_count());
      for (std::int64_t row = 0; row < model.dofs.size(); ++row)
        Phi.row(row) = with.shapes.row(6 * find_node(with, model.dofs[row].node) +
                                       model.dofs[row].component - 1);
      const Eigen::MatrixXd T = rigid_body_shapes(model, model.dofs, middle(model));
      const Eigen::MatrixXd momentum = T.transpose() * symmetric_product(*model.mass, Phi);
      const double scale = std::sqrt(project(*model.mass, T).diagonal().maxCoeff());
      EXPECT_LT(momentum.rightCols(10).cwiseAbs().maxCoeff(), tolerance(1e-9) * scale);
    }
  }
}

/// A floating block with interface nodes next to one that its own supports hold: all DOFs of one
/// end face are gone.
FeModel block_beside_a_grounded_one() {
  FeModel model = two_blocks();
  const std::size_t half = model.nodes.size() / 2;
  model.interface_nodes.resize(3);
  for (std::size_t k = half; k < model.nodes.size(); ++k)
    if (std::abs(model.nodes[k].position.x() - model.nodes[half].position.x()) < 1e-9)
      for (const std::int8_t c : {std::int8_t{1}, std::int8_t{2}, std::int8_t{3}})
        model.fixed.push_back({model.nodes[k].id, c});
  return make_fe_model(std::move(model));
}

// The grounded part needs no interface node: six zero modes, and every method and the validation of
// its body go through. Truth: displacements of the floating part at its interface are the same
// without the other one.
TEST(LooseParts, OneThatItsSupportsHoldNeedsNoInterface) {
  const FeModel model = block_beside_a_grounded_one();
  for (const Method method : {Method::craig_bampton, Method::craig_chang, Method::krylov}) {
    ReduceOptions options;
    options.method = method;
    options.normal = 20;
    options.krylov = 4;
    options.reject_below = -1e3;
    Diagnostics diagnostics;
    const FlexBody body = reduce(model, options, diagnostics);
    ValidateOptions check;
    check.modes = 4;
    check.band = FrequencyBand{0.0, 500.0};
    const Validation seen = validate(body, model, check, diagnostics);
    EXPECT_EQ(seen.full_zero_modes, 6) << name_of(method);
    EXPECT_EQ(seen.reduced_zero_modes, 6) << name_of(method);
    EXPECT_LT(seen.static_error, tolerance(1e-8)) << name_of(method);
    EXPECT_LT(seen.frf_error, 2e-2) << name_of(method);
  }
}

// Free modes without the rigid ones would leave a body that cannot move as a whole: they are
// included however few modes are requested, which is reported. Truth: unit rigid motions lie in the
// span of the shapes.
TEST(CraigChang, HoldsTheRigidModesHoweverFewAreAskedFor) {
  FeModel model = brick_block(4, 1, 1, 1.0, 0.2, 0.15);
  model.interface_nodes = {model.nodes.front().id, model.nodes[4].id, model.nodes.back().id};
  const Eigen::MatrixXd T = rigid_body_shapes(model, model.dofs, Eigen::Vector3d::Zero());
  for (const std::int64_t normal : {0, 1, 5, 6, 8}) {
    ReduceOptions options;
    options.method = Method::craig_chang;
    options.normal = normal;
    options.rigid_modes = RigidModes::keep;
    Diagnostics diagnostics;
    const FlexBody body = reduce(model, options, diagnostics);
    const Eigen::MatrixXd shapes = shapes_on_model(body, model, 1.0);
    const Eigen::MatrixXd left = T - shapes * shapes.colPivHouseholderQr().solve(T);
    EXPECT_LT(left.norm(), tolerance(1e-9) * T.norm()) << normal;
    EXPECT_EQ(diagnostics.warnings().size(), normal < 6 ? 1 : 0) << normal;
  }
}

// K knows positions that the nodes have only to three digits: its own null space is what moves
// without strain. Truth: six zero modes, and elastic ones as by the positions in full.
TEST(PositionsOfFewDigits, LeaveTheRigidModesOfKItself) {
  const FeModel exact = brick_block(4, 1, 1, 1.07413, 0.21317, 0.15471);
  FeModel model = exact;
  for (Node& node : model.nodes)
    node.position = (1e3 * node.position).array().round() / 1e3;
  model.interface_nodes = {model.nodes.front().id, model.nodes[4].id, model.nodes.back().id};
  ModeRequest request;
  request.normal = 12;
  request.residual_attachment = true;
  Diagnostics diagnostics;
  const ComputedModes modes = compute_modes(model, request, diagnostics);
  EXPECT_EQ(modes.report.rigid_modes, 6);
  request.residual_attachment = false;
  const ComputedModes truth = compute_modes(exact, request, diagnostics);
  for (std::size_t k = 6; k < 12; ++k)
    EXPECT_NEAR(
        modes.modes.modes[k].eigenvalue / truth.modes.modes[k].eigenvalue, 1.0, tolerance(1e-9));
  for (const Method method : {Method::craig_bampton, Method::craig_chang}) {
    ReduceOptions options;
    options.method = method;
    options.reject_below = -1e3;
    const FlexBody body = reduce(model, options, diagnostics);
    ValidateOptions check;
    check.modes = 4;
    check.band = FrequencyBand{0.0, 500.0};
    const Validation seen = validate(body, model, check, diagnostics);
    EXPECT_EQ(seen.full_zero_modes, 6) << name_of(method);
    EXPECT_LT(seen.static_error, tolerance(1e-8)) << name_of(method);
    EXPECT_LT(seen.frf_error, 2e-2) << name_of(method);
  }
}

// Gravity on a floating part deforms nothing: its vector is zero, not round-off, and leaves the
// set.
TEST(LooseParts, LoadsThatOnlyAccelerateGiveNoMode) {
  FeModel model = brick_block(4, 1, 1, 1.0, 0.2, 0.15);
  const Eigen::MatrixXd T = rigid_body_shapes(model, model.dofs, Eigen::Vector3d::Zero());
  Eigen::VectorXd pull = Eigen::VectorXd::Zero(model.dofs.size());
  pull(0) = 1.0;
  model.loads = {{1, "gravity", symmetric_product(*model.mass, T.col(2))}, {2, "pull", pull}};
  for (const std::int64_t normal : {0, 9}) {
    ModeRequest request;
    request.normal = normal;
    request.modal_truncation = true;
    Diagnostics diagnostics;
    const Eigen::MatrixXd shapes = compute_modes(model, request, diagnostics).modes.shapes;
    EXPECT_EQ(shapes.col(normal).norm(), 0.0);
    EXPECT_GT(shapes.col(normal + 1).norm(), 0.0);
  }
}

// Truth: the eigenvalues of the three modes that span the set, though two columns differ by 1e-5.
TEST(NearlyDependentColumns, KeepTheDigitsOfTheirEigenvalues) {
  FeModel model = brick_block(4, 1, 1, 1.0, 0.2, 0.15);
  ModeRequest request;
  request.normal = 9;
  Diagnostics diagnostics;
  model.modes = compute_modes(model, request, diagnostics).modes;
  Eigen::MatrixXd& shapes = model.modes.shapes;
  shapes.col(8) = shapes.col(6) + 1e-5 * shapes.col(8);
  const double expected = model.modes.modes[8].eigenvalue;
  ReduceOptions options;
  options.method = Method::given;
  options.select = parse_selection("dynamic:7-9");
  options.orthogonalise = options.scale = true;
  const FlexBody body = reduce(model, options, diagnostics);
  ASSERT_EQ(body.mode_count(), 3);
  EXPECT_NEAR(body.stiffness(2, 2) / expected, 1.0, tolerance(1e-9));
  Eigen::MatrixXd on_model = shapes_on_model(body, model, 1.0);
  EXPECT_LT(off_identity(*model.mass, on_model), tolerance(1e-9));
}

// Definition: phi_n' (M phi)_n / phi' M phi. A consistent M joins neighbours, so that a node may
// have more or less than its lumped mass.
TEST(KineticEnergy, SharesOfTheNodesSumToOne) {
  FeModel model = brick_block(4, 1, 1, 1.0, 0.2, 0.15);
  ReduceOptions options;
  options.method = Method::dynamic;
  options.normal = 9;
  Diagnostics diagnostics;
  const FlexBody body = reduce(model, options, diagnostics);
  const Eigen::MatrixXd shares = kinetic_energy_fractions(body, &model);
  for (Eigen::Index j = 0; j < shares.cols(); ++j)
    EXPECT_NEAR(shares.col(j).sum(), 1.0, tolerance(1e-12));
  const Eigen::MatrixXd Phi = shapes_on_model(body, model, 1.0);
  const Eigen::MatrixXd MPhi = symmetric_product(*model.mass, Phi);
  const Eigen::Index last = shares.cols() - 1;
  for (const std::int64_t node : {1, 7}) {
    double energy = 0.0;
    for (std::int8_t c = 1; c <= 3; ++c) {
      const std::int64_t row = model.dofs.find({node, c});
      energy += Phi(row, last) * MPhi(row, last);
    }
    EXPECT_NEAR(
        shares(find_node(body, node), last), energy / Phi.col(last).dot(MPhi.col(last)), 1e-12);
  }
}

// Of many interface nodes sixty are compared, each once, also if they lie at fewer places.
// Truth: the comparison without the copies of the nodes.
TEST(Validation, ComparesCoincidentInterfaceNodesOnce) {
  FeModel model = copies(brick_block(5, 1, 1, 1.0, 0.2, 0.15), 9);
  const std::size_t nodes = model.nodes.size() / 9;
  for (std::size_t k = 0; k < model.nodes.size(); ++k) {
    model.nodes[k].position = model.nodes[k % nodes].position;
    model.interface_nodes.push_back(model.nodes[k].id);
  }
  SparseMatrix ground(model.dofs.size(), model.dofs.size());
  ground.setIdentity();
  *model.stiffness += 1e9 * ground;
  ASSERT_GT(model.interface_nodes.size(), 200U);
  ASSERT_LT(nodes, 60U);
  ReduceOptions options;
  options.method = Method::craig_bampton;
  options.normal = 2;
  Diagnostics diagnostics;
  FeModel few = model;
  few.interface_nodes = {1, 6, 19};
  const FlexBody body = reduce(few, options, diagnostics);
  ValidateOptions check;
  check.modes = 2;
  check.band = FrequencyBand{400.0, 500.0};
  const Validation seen = validate(body, model, check, diagnostics);
  EXPECT_TRUE(std::isfinite(seen.static_error));
  EXPECT_TRUE(std::isfinite(seen.frf_error));
}

// Forty masses that nothing joins move by themselves in 240 ways, and a comparison knows the six of
// the whole.
TEST(Validation, OfTooManyLoosePartsSaysSo) {
  const FeModel model = copies(brick_block(1, 1, 1, 1.0, 0.2, 0.15), 40);
  ReduceOptions options;
  options.method = Method::craig_bampton;
  options.normal = 2;
  FeModel joined = model;  // three nodes of each part
  for (std::size_t k = 0; k < model.nodes.size(); ++k)
    if (k % 8 < 3) joined.interface_nodes.push_back(model.nodes[k].id);
  Diagnostics diagnostics;
  const FlexBody body = reduce(joined, options, diagnostics);
  ValidateOptions check;
  check.modes = 3;
  try {
    validate(body, model, check, diagnostics);
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_EQ(error.code(), "loose-parts");
    EXPECT_NE(error.message().find("40 parts"), std::string::npos);
  }
  // held parts have no rigid modes
  FeModel held = joined;
  SparseMatrix ground(held.dofs.size(), held.dofs.size());
  ground.setIdentity();
  *held.stiffness += 1e9 * ground;
  const FlexBody of_held = reduce(held, options, diagnostics);
  held.interface_nodes.clear();
  EXPECT_EQ(validate(of_held, held, check, diagnostics).full_zero_modes, 0);
}

// Truth: dense complex receptances on a grid a hundred times finer. The error of a body peaks
// within a share of a resonance's width.
TEST(Validation, FindsThePeaksOfTheResponseErrorAndTheLowerEnd) {
  FeModel model = brick_block(6, 1, 1, 1.0, 0.2, 0.15);
  model.interface_nodes = {1, 7, 22};
  ReduceOptions options;
  options.method = Method::craig_bampton;
  options.normal = 4;
  Diagnostics diagnostics;
  const FlexBody body = reduce(model, options, diagnostics);
  ValidateOptions check;
  check.modes = 2;
  check.band = FrequencyBand{400.0, 1500.0};
  const Validation seen = validate(body, model, check, diagnostics);
  EXPECT_EQ(seen.frf.front().frequency_hz, 400.0);
  EXPECT_EQ(seen.frf.back().frequency_hz, 1500.0);
  ValidateOptions fine = check;
  fine.frf_points = 2000;
  const double truth = validate(body, model, fine, diagnostics).frf_error;
  EXPECT_NEAR(seen.frf_error / truth, 1.0, 0.02);
}

}  // namespace
}  // namespace femflex::modal
