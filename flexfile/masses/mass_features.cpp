// Builds the dimensionless linear equations by which nodal masses determine the inertia invariants
// of a body, and compresses them to few rows by a pivoted Cholesky decomposition of the inner
// products of their columns. The header explains the unknowns and rows.
#include "masses/mass_features.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "femflex/flexfile/invariant_errors.h"

namespace femflex::flexfile {
namespace {

using Eigen::Index;
using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

/// For h = a~ b~, the matrix s = a b' of its factors: solves h = s' - tr(s) 1 for s, using tr h =
/// -2 tr s.
Matrix3d moment_from_cross_product(const Matrix3d& h) {
  return h.transpose() - 0.5 * h.trace() * Matrix3d::Identity();
}

}  // namespace

MassFeatures::MassFeatures(const FlexBody& body, std::vector<Rotary> rotary)
    : nodes_(body.node_count()), modes_(body.mode_count()), rotary_(std::move(rotary)) {
  const InvariantScales scales = scales_of(body.invariants);
  const InertiaInvariants i = translated(body.invariants, -scales.centre);
  const double r = scales.radius;
  const VectorXd per_mode = std::sqrt(scales.mass) * scales.modal.cwiseInverse();
  c_.resize(3, nodes_);
  for (auto& phi : phi_)
    phi.resize(nodes_, modes_);
  rigid_ = MatrixXd::Zero(10, size());
  for (Index k = 0; k < nodes_; ++k) {
    c_.col(k) = (body.nodes[static_cast<std::size_t>(k)].position - scales.centre) / r;
    for (Index a = 0; a < 3; ++a)
      phi_[static_cast<std::size_t>(a)].row(k) =
          body.shapes.row(6 * k + a).cwiseProduct(per_mode.transpose());
    const Vector3d c = c_.col(k);
    rigid_.col(k) << 1.0, c, c.squaredNorm() - c.x() * c.x(), c.squaredNorm() - c.y() * c.y(),
        c.squaredNorm() - c.z() * c.z(), -c.x() * c.y(), -c.y() * c.z(), -c.z() * c.x();
  }
  psi_.resize(static_cast<Index>(rotary_.size()), modes_);
  for (Index u = 0; u < psi_.rows(); ++u) {
    const Rotary& at = rotary_[static_cast<std::size_t>(u)];
    psi_.row(u) = r * body.shapes.row(6 * at.node + 3 + at.axis).cwiseProduct(per_mode.transpose());
    rigid_(4 + at.axis, nodes_ + u) = 1.0;
  }

  const double m = scales.mass;
  const Matrix3d J = i.inertia / (m * r * r);
  has_squares_ = !i.inertia_curvature.isZero(0.0);
  rigid_target_.resize(10);
  rigid_target_ << i.mass / m, i.first_moment / (m * r), J.diagonal(), J(0, 1), J(1, 2), J(2, 0);
  translation_ = i.translation * per_mode.asDiagonal() / m;
  rotation_ = i.rotation * per_mode.asDiagonal() / (m * r);
  moment_.resize(3, 3 * modes_);
  squares_.resize(3 * modes_, 3 * modes_);
  rotary_squares_ = per_mode.asDiagonal() * i.modal * per_mode.asDiagonal() / m;
  for (Index j = 0; j < modes_; ++j) {
    moment_.middleCols<3>(3 * j) =
        moment_from_cross_product(i.inertia_rate.middleCols<3>(3 * j)) * (per_mode(j) / (m * r));
    for (Index k = 0; k < modes_; ++k) {
      const Matrix3d s = moment_from_cross_product(i.inertia_curvature.block<3, 3>(3 * j, 3 * k)) *
                         (per_mode(j) * per_mode(k) / m);
      for (Index a = 0; a < 3; ++a)
        for (Index b = 0; b < 3; ++b)
          squares_(a * modes_ + j, b * modes_ + k) = s(a, b);
      rotary_squares_(j, k) -= s.trace();
    }
  }
}

Matrix3Xd MassFeatures::rotation_column(Index u) const {
  Matrix3Xd e = Matrix3Xd::Zero(3, modes_);
  if (u >= nodes_) {
    e.row(rotary_[static_cast<std::size_t>(u - nodes_)].axis) = psi_.row(u - nodes_);
    return e;
  }
  for (Index j = 0; j < modes_; ++j)
    e.col(j) = Vector3d(c_.col(u)).cross(Vector3d(phi_[0](u, j), phi_[1](u, j), phi_[2](u, j)));
  return e;
}

VectorXd MassFeatures::products_with(Index u) const {
  VectorXd out = VectorXd::Zero(size());
  const Matrix3Xd e = rotation_column(u);
  // (c x phi) . e = c . (phi x e)
  for (Index a = 0; a < 3; ++a) {
    const Index b = (a + 1) % 3;
    const Index d = (a + 2) % 3;
    const VectorXd crossed = phi_[static_cast<std::size_t>(b)] * e.row(d).transpose() -
                             phi_[static_cast<std::size_t>(d)] * e.row(b).transpose();
    out.head(nodes_) += c_.row(a).transpose().cwiseProduct(crossed);
  }
  for (Index v = 0; v < psi_.rows(); ++v)
    out(nodes_ + v) = psi_.row(v).dot(e.row(rotary_[static_cast<std::size_t>(v)].axis));
  if (u < nodes_) {
    VectorXd s = VectorXd::Zero(nodes_);
    for (const MatrixXd& phi : phi_)
      s.noalias() += phi * phi.row(u).transpose();
    out.head(nodes_).array() += s.array() * (1.0 + (c_.transpose() * c_.col(u)).array());
    if (has_squares_) out.head(nodes_) += s.cwiseAbs2();
  } else if (has_squares_) {
    out.tail(psi_.rows()) += (psi_ * psi_.row(u - nodes_).transpose()).cwiseAbs2();
  }
  return out;
}

VectorXd MassFeatures::squared_norms() const {
  VectorXd out(size());
  for (Index u = 0; u < size(); ++u) {
    const double e = rotation_column(u).squaredNorm();
    if (u < nodes_) {
      double s = 0.0;
      for (const MatrixXd& phi : phi_)
        s += phi.row(u).squaredNorm();
      out(u) = s * (1.0 + c_.col(u).squaredNorm()) + e + (has_squares_ ? s * s : 0.0);
    } else {
      const double s = psi_.row(u - nodes_).squaredNorm();
      out(u) = e + (has_squares_ ? s * s : 0.0);
    }
  }
  return out;
}

double MassFeatures::target_product(Index u) const {
  const double e = rotation_column(u).cwiseProduct(rotation_).sum();
  if (u >= nodes_) {
    const VectorXd p = psi_.row(u - nodes_).transpose();
    return e + (has_squares_ ? p.dot(rotary_squares_ * p) : 0.0);
  }
  VectorXd x(3 * modes_);
  double linear = 0.0;
  for (Index a = 0; a < 3; ++a) {
    x.segment(a * modes_, modes_) = phi_[static_cast<std::size_t>(a)].row(u).transpose();
    linear += phi_[static_cast<std::size_t>(a)].row(u).dot(translation_.row(a));
    for (Index j = 0; j < modes_; ++j)
      linear += phi_[static_cast<std::size_t>(a)](u, j) * c_.col(u).dot(moment_.col(3 * j + a));
  }
  return e + linear + (has_squares_ ? x.dot(squares_ * x) : 0.0);
}

MassFeatures::Compressed MassFeatures::compress(Index max_rows) const {
  VectorXd remaining = squared_norms();
  Compressed out;
  const Index row_limit = std::min(max_rows, size());
  out.rows.resize(row_limit, size());
  out.target.resize(row_limit);
  // inner products below this fraction of the largest squared norm are round-off
  constexpr double kRoundOff = 1e-12;
  const double largest = size() > 0 ? remaining.maxCoeff() : 0.0;
  Index rank = 0;
  for (; rank < row_limit; ++rank) {
    Index u = 0;
    if (remaining.maxCoeff(&u) <= kRoundOff * largest) break;
    const double root = std::sqrt(remaining(u));
    VectorXd row = products_with(u);
    const auto done = out.rows.topRows(rank);
    row.noalias() -= done.transpose() * done.col(u);
    row /= root;
    out.target(rank) = (target_product(u) - done.col(u).dot(out.target.head(rank))) / root;
    remaining -= row.cwiseAbs2();
    remaining(u) = 0.0;
    out.rows.row(rank) = row.transpose();
  }
  out.rows.conservativeResize(rank, Eigen::NoChange);
  out.target.conservativeResize(rank);
  return out;
}

}  // namespace femflex::flexfile
