// Tests shapes of bodies on models with scalar points (internal DOFs, modal coordinates), which a
// body does not hold.
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "femflex/dense.h"
#include "femflex/diagnostics.h"
#include "femflex/errors.h"
#include "femflex/modal/compute_modes.h"
#include "femflex/modal/correlation.h"
#include "femflex/modal/reduce.h"
#include "femflex/modal/validate.h"

#include "problems.h"
#include "solve/projection.h"
#include "support/support.h"

namespace femflex::modal {
namespace {

using testing::brick_block;
using testing::tolerance;

/// A block of bricks held at one end whose nodes between the ends are scalar points. In modal
/// coordinates these are the modes with the free end held, else the displacements themselves.
FeModel block_with_scalar_points(bool in_modal_coordinates) {
  const FeModel block = brick_block(4, 1, 1, 1.0, 0.2, 0.15);
  FeModel out;
  out.units = block.units;
  std::vector<Eigen::Index> tip, inner;
  std::vector<Dof> dofs;
  for (std::int64_t row = 0; row < block.dofs.size(); ++row) {
    const double x = find_node(block, block.dofs[row].node)->position.x();
    if (x > 0.99) tip.push_back(row);
    if (x > 0.01 && x < 0.99) inner.push_back(row);
  }
  for (const Node& node : block.nodes)
    if (node.position.x() > 0.99) {
      out.nodes.push_back(node);
      out.interface_nodes.push_back(node.id);
    }
  for (const Eigen::Index row : tip)
    dofs.push_back(block.dofs[row]);
  for (std::size_t k = 0; k < inner.size(); ++k)
    dofs.push_back({static_cast<std::int64_t>(1000 + k), 0});
  out.dofs = DofMap(dofs);
  std::vector<Eigen::Index> rows = tip;
  rows.insert(rows.end(), inner.begin(), inner.end());
  const Eigen::MatrixXd K = Eigen::MatrixXd(mirrored(*block.stiffness))(rows, rows);
  const Eigen::MatrixXd M = Eigen::MatrixXd(mirrored(*block.mass))(rows, rows);
  const auto b = static_cast<Eigen::Index>(tip.size());
  const auto i = static_cast<Eigen::Index>(inner.size());
  Eigen::MatrixXd T = Eigen::MatrixXd::Identity(b + i, b + i);
  if (in_modal_coordinates) {
    T.bottomLeftCorner(i, b) = -K.bottomRightCorner(i, i).ldlt().solve(K.bottomLeftCorner(i, b));
    T.bottomRightCorner(i, i) = Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd>(
                                    K.bottomRightCorner(i, i), M.bottomRightCorner(i, i))
                                    .eigenvectors();
  }
  const auto lower = [&](const Eigen::MatrixXd& A) {
    std::vector<Entry> entries;
    for (Eigen::Index c = 0; c < A.cols(); ++c)
      for (Eigen::Index r = c; r < A.rows(); ++r)
        entries.push_back({r, c, A(r, c)});
    return assemble(A.rows(), A.cols(), entries);
  };
  out.stiffness = lower(T.transpose() * K * T);
  out.mass = lower(T.transpose() * M * T);
  return out;
}

FlexBody craig_bampton_body(const FeModel& model, std::int64_t normal) {
  ReduceOptions options;
  options.method = Method::craig_bampton;
  options.normal = normal;
  Diagnostics diagnostics;
  return reduce(model, options, diagnostics);
}

bool warns_of_scalar_points(const Diagnostics& diagnostics) {
  for (const Warning& warning : diagnostics.warnings())
    if (warning.code == "scalar-points") return true;
  return false;
}

// Truth: the modes of the model itself, scalar points and all. A body of all its modes spans it, so
// that its shapes are orthonormal in the mass of the model.
TEST(ScalarPoints, FollowTheNodesInEveryModeOfACompleteBody) {
  for (const bool in_modal_coordinates : {false, true}) {
    SCOPED_TRACE(in_modal_coordinates);
    const FeModel model = block_with_scalar_points(in_modal_coordinates);
    const FlexBody body = craig_bampton_body(model, model.dofs.size() - 12);
    const Eigen::MatrixXd Phi = shapes_on_model(body, model, 1.0);
    constexpr Eigen::Index kLow = 20;  // above, the motion of the nodes has few digits left
    EXPECT_LT((project(*model.mass, Phi) - body.mass).topLeftCorner(kLow, kLow).norm(),
              tolerance(1e-6) * body.mass.topLeftCorner(kLow, kLow).norm());
  }
}

// Truth: the full model. Of 36 inner modes, 24 give three modes in four digits; those left out are
// not in the body, though they follow its nodes.
TEST(ScalarPoints, LetABodyAgreeWithItsModel) {
  for (const bool in_modal_coordinates : {false, true}) {
    SCOPED_TRACE(in_modal_coordinates);
    const FeModel model = block_with_scalar_points(in_modal_coordinates);
    ValidateOptions options;
    options.modes = 3;
    Diagnostics diagnostics;
    const Validation found = validate(craig_bampton_body(model, 24), model, options, diagnostics);
    for (const Validation::Frequency& one : found.frequencies) {
      EXPECT_LT(std::abs(one.error_percent), 1e-2);
      EXPECT_GT(one.mac, 0.9999);
    }
    EXPECT_FALSE(warns_of_scalar_points(diagnostics));
    EXPECT_TRUE(found.pass);
  }
}

// A mass on a spring of its own moves no node: a body cannot tell its mode, which is said.
TEST(ScalarPoints, ThatMoveByThemselvesAreTold) {
  FeModel model = brick_block(4, 1, 1, 1.0, 0.2, 0.15);
  for (const Node& node : model.nodes)
    if (node.position.x() < 0.01)
      for (std::int8_t c = 1; c <= 3; ++c)
        model.fixed.push_back({node.id, c});
  model.interface_nodes = {model.nodes.back().id};
  const auto last = static_cast<std::int32_t>(model.dofs.size());
  const auto with_point = [&](const SparseMatrix& A, double value) {
    std::vector<Entry> entries{{last, last, value}};
    for (std::int32_t col = 0; col < last; ++col)
      for (SparseMatrix::InnerIterator it(A, col); it; ++it)
        entries.push_back({it.row(), col, it.value()});
    return assemble(last + 1, last + 1, entries);
  };
  constexpr double kMass = 2.0;
  model.stiffness = with_point(*model.stiffness, testing::square_of_hz(50.0) * kMass);
  model.mass = with_point(*model.mass, kMass);
  std::vector<Dof> dofs = model.dofs.rows();
  dofs.push_back({5000, 0});
  model.dofs = DofMap(dofs);
  ValidateOptions options;
  options.modes = 5;
  Diagnostics diagnostics;
  const FlexBody body = craig_bampton_body(model, 12);
  static_cast<void>(validate(body, model, options, diagnostics));
  EXPECT_TRUE(warns_of_scalar_points(diagnostics));
}

TEST(ScalarPoints, HaveNoPlaceForAnInterface) {
  FeModel model = block_with_scalar_points(false);
  model.interface_nodes.push_back(1000);
  try {
    craig_bampton_body(model, 1);
    FAIL() << "a scalar point was taken for a node";
  } catch (const ModelError& error) {
    EXPECT_NE(std::string(error.what()).find("1000 is a scalar point"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace femflex::modal
