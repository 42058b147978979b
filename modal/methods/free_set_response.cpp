// Diagonalises the projected matrices of the set once, so that each frequency takes one sum.
#include "methods/free_set_response.h"

#include <algorithm>
#include <complex>

#include "femflex/dense.h"

#include "dense/symmetric_eigen.h"
#include "solve/projection.h"

namespace femflex::modal {

FreeSetResponse::FreeSetResponse(const CraigBampton& parts, const Basis& basis, double loss_factor)
    : g_(loss_factor) {
  const System& system = parts.system;
  Eigen::MatrixXd x = system.restrict_shape(basis.modes.shapes);
  const Eigen::MatrixXd m = project(system.M, x);
  const Eigen::VectorXd diagonal = m.diagonal();
  if (!(diagonal.array() > 0.0).all()) return;
  const Eigen::VectorXd factor = diagonal.cwiseSqrt().cwiseInverse();
  x = x * factor.asDiagonal();
  const Eigen::MatrixXd scaled_m = factor.asDiagonal() * m * factor.asDiagonal();
  const DenseEigen pairs = generalised_eigen(project(system.K, x), scaled_m);
  if (!pairs.ok) return;
  lambda_ = pairs.values.cwiseMax(0.0);
  const Eigen::MatrixXd x_b = x(parts.part.b, Eigen::all);
  x_b_ = x_b * pairs.vectors;
  // share of the largest eigenvalue below which a motion is rigid: half the digits
  constexpr double kRigidShare = 1e-8;
  double highest = 0.0;
  std::int64_t normal = 0;
  for (const ModeInfo& mode : basis.modes.modes)
    if (mode.kind == ModeKind::dynamic) {
      highest = std::max(highest, mode.eigenvalue);
      ++normal;
    }
  for (const ModeInfo& mode : basis.modes.modes)
    if (mode.kind == ModeKind::dynamic && mode.eigenvalue > kRigidShare * highest)
      elastic_.push_back(mode.eigenvalue);
  const auto rigid = normal - static_cast<std::int64_t>(elastic_.size());
  lambda_.head(rigid).setZero();  // rigid motions: zero but for round-off
  first_elastic_ = rigid + 1;
  is_valid_ = x_b_.rows() <= x_b_.cols();
}

Eigen::MatrixXcd FreeSetResponse::stiffness(double w2) const {
  const std::complex<double> loss(1.0, g_);
  Eigen::VectorXcd weight(lambda_.size());
  for (Eigen::Index j = 0; j < lambda_.size(); ++j)
    weight(j) = 1.0 / (loss * lambda_(j) - w2);
  const Eigen::MatrixXd real = x_b_ * weight.real().asDiagonal() * x_b_.transpose();
  const Eigen::MatrixXd imaginary = x_b_ * weight.imag().asDiagonal() * x_b_.transpose();
  Eigen::MatrixXcd H(x_b_.rows(), x_b_.rows());
  H.real() = real;
  H.imag() = imaginary;
  return H.partialPivLu().inverse();
}

}  // namespace femflex::modal
