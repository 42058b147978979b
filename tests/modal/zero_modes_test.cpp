// Tests how motions without resistance in K are distinguished from the soft motions of slender
// parts and soft supports.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

#include "femflex/dense.h"
#include "femflex/errors.h"
#include "femflex/modal/compute_modes.h"
#include "femflex/modal/reduce.h"

#include "generated_structures.h"
#include "problems.h"
#include "support/support.h"

namespace femflex::modal {
namespace {

using testing::generated_structure;
using testing::GeneratedStructure;

using Wide = long double;
using WideMatrix = Eigen::Matrix<Wide, Eigen::Dynamic, Eigen::Dynamic>;

/// Eigenvalues of the model by a dense solver with three more digits.
Eigen::Matrix<Wide, Eigen::Dynamic, 1> wide_eigenvalues(const FeModel& model) {
  std::vector<Eigen::Index> free;
  for (std::int64_t row = 0; row < model.dofs.size(); ++row)
    if (std::find(model.fixed.begin(), model.fixed.end(), model.dofs[row]) == model.fixed.end())
      free.push_back(row);
  const auto full = [&](const SparseMatrix& lower) -> WideMatrix {
    Eigen::MatrixXd a = lower;
    a.triangularView<Eigen::StrictlyUpper>() = a.transpose();
    return a(free, free).cast<Wide>();
  };
  return Eigen::GeneralizedSelfAdjointEigenSolver<WideMatrix>(
             full(*model.stiffness), full(*model.mass), Eigen::EigenvaluesOnly)
      .eigenvalues();
}

int generated_models() {
  const char* text = std::getenv("FEMFLEX_GENERATED_MODELS");
  return text == nullptr ? 40 : std::atoi(text);
}

void expect_as_counted_by_hand(const GeneratedStructure& made) {
  const auto truth = wide_eigenvalues(made.model);
  ModeRequest request;
  request.normal = made.zero_modes + 3;
  Diagnostics diagnostics;
  const ComputedModes modes = compute_modes(made.model, request, diagnostics);
  EXPECT_EQ(modes.report.zero_modes, made.zero_modes);
  // what the last digits of K leave open: 1e-15 of the widest eigenvalue
  const auto round_off = static_cast<double>(1e-15L * truth(truth.size() - 1));
  for (std::int64_t k = made.zero_modes; k < modes.modes.count(); ++k) {
    const auto want = static_cast<double>(truth(k));
    EXPECT_NEAR(
        modes.modes.modes[static_cast<std::size_t>(k)].eigenvalue, want, 2e-6 * want + round_off)
        << "mode " << k + 1;
  }
}

TEST(ZeroModes, OfGeneratedStructuresAreThoseCountedByHand) {
  for (int seed = 1; seed <= generated_models(); ++seed) {
    const GeneratedStructure made = generated_structure(static_cast<std::uint32_t>(seed));
    SCOPED_TRACE("seed " + std::to_string(seed) + ": " + made.what);
    try {
      expect_as_counted_by_hand(made);
    } catch (const Error& error) {
      ADD_FAILURE() << error.what();
    }
  }
}

// Thousands of equal eigenvalues: as many copies as asked for, not all of them.
TEST(ZeroModes, CopiesThatNobodyAskedForAreNotSought) {
  const FeModel model = testing::copies(testing::beam(2, "cf"), 2000);
  ModeRequest request;
  request.normal = 20;
  Diagnostics diagnostics;
  const ComputedModes modes = compute_modes(model, request, diagnostics);
  ASSERT_EQ(modes.modes.count(), 20);
  const double one = modes.modes.modes.front().eigenvalue;
  constexpr double kRoot = 1.8751040687;  // of cos x cosh x = -1, a cantilever
  EXPECT_NEAR(std::sqrt(one) / (kRoot * kRoot), 1.0, 1e-2);
  for (const ModeInfo& mode : modes.modes.modes)
    EXPECT_NEAR(mode.eigenvalue, one, 1e-9 * one);
  EXPECT_LT(modes.report.solves, 400);
}

TEST(ZeroModes, LieBelowEveryLimitOfAFreePart) {
  const FeModel model = testing::brick_block(4, 1, 1, 1.0, 0.2, 0.15);
  ModeRequest request;
  request.fmax_hz = 1e-6;
  Diagnostics diagnostics;
  const ComputedModes modes = compute_modes(model, request, diagnostics);
  EXPECT_EQ(modes.modes.count(), 6);
  EXPECT_EQ(modes.report.rigid_modes, 6);
}

TEST(ZeroModes, AShiftFarBelowAllModesIsRefused) {
  const FeModel model = testing::brick_block(6, 2, 1, 1.0, 0.2, 0.15);
  ModeRequest request;
  request.normal = 8;
  request.solve.shift = -1e30;
  Diagnostics diagnostics;
  EXPECT_THROW(compute_modes(model, request, diagnostics), UsageError);
}

// Six or none, by every method that a floating frame is made for.
TEST(RigidModes, GoOrStayTogether) {
  FeModel model = testing::brick_block(8, 2, 1, 1.0, 0.2, 0.004);
  model.interface_nodes = {model.nodes.front().id, model.nodes[5].id, model.nodes.back().id};
  for (const Method method :
       {Method::craig_bampton, Method::craig_chang, Method::krylov, Method::dynamic}) {
    ReduceOptions options;
    options.method = method;
    if (method != Method::krylov) options.normal = 9;
    options.orthogonalise = options.scale = true;
    options.reject_above = 1e20;
    Diagnostics diagnostics;
    const FlexBody without = reduce(model, options, diagnostics);
    EXPECT_EQ(without.path.rigid_modes, 6) << name_of(method);
    for (const BodyMode& mode : without.modes)
      EXPECT_GT(mode.eigenvalue, 1.0) << name_of(method);
    options.rigid_modes = RigidModes::keep;
    const FlexBody with = reduce(model, options, diagnostics);
    EXPECT_EQ(with.mode_count(), without.mode_count() + 6) << name_of(method);
    EXPECT_EQ(with.path.rigid_modes, 0);
  }
}

// A machine of 100:1 on springs of 1e-9 of its stiffness swings at a frequency of its own: no mode
// of it is rigid.
TEST(RigidModes, AreNotThoseOfAStructureOnSoftSprings) {
  FeModel model = testing::brick_block(8, 2, 1, 1.0, 0.2, 0.01);
  model.interface_nodes = {model.nodes.front().id, model.nodes[5].id, model.nodes.back().id};
  const double k = 1e-9 * model.stiffness->diagonal().maxCoeff();
  SparseMatrix& K = *model.stiffness;
  const auto last = static_cast<Eigen::Index>(model.nodes.size()) - 1;
  for (const Eigen::Index node : {Eigen::Index{0}, Eigen::Index{1}, last / 2, last})
    for (Eigen::Index c = 0; c < 3; ++c)
      K.coeffRef(3 * node + c, 3 * node + c) += k;
  ReduceOptions options;
  options.method = Method::craig_bampton;
  options.normal = 6;
  options.orthogonalise = options.scale = true;
  Diagnostics diagnostics;
  const FlexBody body = reduce(model, options, diagnostics);
  EXPECT_EQ(body.path.rigid_modes, 0);
  EXPECT_EQ(body.mode_count(), 15);
  EXPECT_GT(body.modes.front().eigenvalue, 0.1);
}

TEST(GivenShapes, OfAnIndefiniteStiffnessAreRefused) {
  FeModel model = testing::beam(8, "cf");
  ModeRequest request;
  request.normal = 4;
  Diagnostics diagnostics;
  model.modes = compute_modes(model, request, diagnostics).modes;
  SparseMatrix turned = *model.stiffness * -1.0;
  model.stiffness = turned;
  for (const bool orthogonalised : {false, true}) {
    ReduceOptions options;
    options.orthogonalise = orthogonalised;
    try {
      static_cast<void>(reduce(model, options, diagnostics));
      ADD_FAILURE() << "accepted";
    } catch (const ModelError& error) {
      EXPECT_EQ(error.code(), "indefinite-stiffness");
    }
  }
}

}  // namespace
}  // namespace femflex::modal
