// Fits shapes by combinations of given shapes and rigid motions. Solves the normal equations, with
// columns scaled to length 1, by their eigenvectors; those without an eigenvalue are the
// combinations that are not seen at the nodes. One step of iterative refinement recovers the digits
// lost by squaring the condition number.
#include "shape_fit.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include "femflex/dense.h"
#include "femflex/errors.h"
#include "femflex/frames.h"

namespace femflex::durability {
namespace {

/// Eigenvalues below this fraction of the largest count as zero: the square of 1e-6, which is some
/// units of the last digit in single precision.
constexpr double kUnseen = 1e-12;

/// The given shapes and six rigid motions at the nodes of the wanted shapes; rotation rows
/// are multiplied by `length` [m], so that all rows are lengths.
Eigen::MatrixXd basis_of(const ShapeSet& given, const ShapeSet& wanted, double length) {
  std::unordered_map<std::int64_t, Eigen::Index> row_of;
  for (std::size_t k = 0; k < given.nodes.size(); ++k)
    row_of.emplace(given.nodes[k].id, 6 * static_cast<Eigen::Index>(k));
  const Eigen::Index shapes = given.shapes.cols();
  Eigen::MatrixXd out =
      Eigen::MatrixXd::Zero(6 * static_cast<Eigen::Index>(wanted.nodes.size()), shapes + 6);
  const Eigen::Vector3d origin = wanted.nodes.front().position;
  for (std::size_t k = 0; k < wanted.nodes.size(); ++k) {
    const auto found = row_of.find(wanted.nodes[k].id);
    if (found == row_of.end())
      throw ModelError("no-such-node",
                       fmt::format("node {} of the body is not in the model", wanted.nodes[k].id),
                       {},
                       "give the model that the body was reduced from: --model");
    const Eigen::Index row = 6 * static_cast<Eigen::Index>(k);
    out.block(row, 0, 6, shapes) = given.shapes.middleRows(found->second, 6);
    out.block<6, 6>(row, shapes) = rigid_rows(wanted.nodes[k].position - origin);
    out.middleRows(row + 3, 3) *= length;
  }
  return out;
}

/// Diagonal of the box around the nodes [m]; 1 for a single node.
double size_of_body(const ShapeSet& shapes) {
  Eigen::AlignedBox3d box;
  for (const BodyNode& node : shapes.nodes)
    box.extend(node.position);
  const double size = box.isEmpty() ? 0.0 : box.diagonal().norm();
  return size > 0.0 ? size : 1.0;
}

}  // namespace

ShapeFit fit_shapes(const ShapeSet& given, const ShapeSet& wanted) {
  if (wanted.nodes.empty())
    throw ModelError("no-nodes",
                     "the body has no nodes at which its shapes could be fitted",
                     {},
                     "reduce the model again, with nodes");
  const double length = size_of_body(wanted);
  Eigen::MatrixXd basis = basis_of(given, wanted, length);
  Eigen::VectorXd scale = basis.colwise().norm().transpose();
  scale = (scale.array() > 0.0).select(scale.cwiseInverse(), 1.0);
  basis *= scale.asDiagonal();
  Eigen::MatrixXd shapes = wanted.shapes;
  for (Eigen::Index row = 3; row < shapes.rows(); row += 6)
    shapes.middleRows(row, 3) *= length;

  const Eigen::MatrixXd gram = basis.transpose() * basis;
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> gram_eigen(gram);
  const Eigen::VectorXd& lambda = gram_eigen.eigenvalues();
  Eigen::VectorXd inverse = Eigen::VectorXd::Zero(lambda.size());
  Eigen::Index unseen_count = 0;
  for (Eigen::Index k = 0; k < lambda.size(); ++k)
    if (lambda[k] > kUnseen * lambda.maxCoeff())
      inverse[k] = 1.0 / lambda[k];
    else
      ++unseen_count;
  const Eigen::MatrixXd& eigenvectors = gram_eigen.eigenvectors();
  const auto solve = [&](const Eigen::MatrixXd& right) -> Eigen::MatrixXd {
    return eigenvectors *
           (inverse.asDiagonal() * (eigenvectors.transpose() * (basis.transpose() * right)));
  };
  Eigen::MatrixXd factors = solve(shapes);
  factors += solve(shapes - basis * factors);
  ShapeFit out;
  const Eigen::MatrixXd remainder = shapes - basis * factors;
  out.misfit.resize(shapes.cols());
  for (Eigen::Index k = 0; k < shapes.cols(); ++k) {
    const double norm = shapes.col(k).norm();
    out.misfit[k] = norm > 0.0 ? remainder.col(k).norm() / norm : 0.0;
  }
  const Eigen::Index count = given.shapes.cols();
  out.combination = scale.head(count).asDiagonal() * factors.topRows(count);
  out.unseen = scale.head(count).asDiagonal() * eigenvectors.topLeftCorner(count, unseen_count);
  return out;
}

}  // namespace femflex::durability
