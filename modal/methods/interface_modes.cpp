// Computes the pencil of Guyan reduction without its constraint modes, and its lowest eigenvectors.
// Notation: b are interface DOFs, i are interior DOFs, W = M_ii psi + M_ib.
#include "methods/interface_modes.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "dense/symmetric_eigen.h"
#include "solve/projection.h"

namespace femflex::modal {

InterfacePencil interface_pencil(const ShiftedFactor& factor, const Partition& part) {
  // columns solved for at once: enough for the sweeps over the factor, little memory
  constexpr Eigen::Index kColumns = 64;
  InterfacePencil out{mirrored(part.K_bb), mirrored(part.M_bb)};
  const SparseMatrix K_bi = part.K_ib.transpose();
  const SparseMatrix M_bi = part.M_ib.transpose();
  for (Eigen::Index first = 0; first < out.k.cols(); first += kColumns) {
    const Eigen::Index count = std::min(kColumns, out.k.cols() - first);
    Eigen::MatrixXd psi = -Eigen::MatrixXd(part.K_ib.middleCols(first, count));
    factor.solve(psi);
    out.k.middleCols(first, count) += K_bi * psi;
    Eigen::MatrixXd W = symmetric_product(part.M_ii, psi, factor.threads());
    W += part.M_ib.middleCols(first, count);
    factor.solve(W);
    out.m.middleCols(first, count) += M_bi * psi - K_bi * W;
  }
  out.k = 0.5 * (out.k + out.k.transpose()).eval();
  out.m = 0.5 * (out.m + out.m.transpose()).eval();
  return out;
}

InterfaceModes interface_modes(const InterfacePencil& pencil, std::int64_t count) {
  // The pencil (-m, k + tau m) has the eigenvalues -1 / (lambda + tau). Its second matrix is
  // definite where k is singular (a floating component) and where m is (massless DOFs). tau is this
  // share of the middle k_ii / m_ii: far below elastic eigenvalues, far above round-off.
  constexpr double kShare = 1e-6;
  // eigenvalues this close to infinity belong to motions without mass
  constexpr double kMassless = 1e-14;
  // shares of tau below which an eigenvalue is round-off of zero
  constexpr double kZero = 1e-6;
  std::vector<double> ratio;
  for (Eigen::Index i = 0; i < pencil.k.rows(); ++i)
    if (pencil.m(i, i) > 0.0 && pencil.k(i, i) > 0.0)
      ratio.push_back(pencil.k(i, i) / pencil.m(i, i));
  double tau = kShare;
  if (!ratio.empty()) {
    const auto middle = ratio.begin() + static_cast<std::ptrdiff_t>(ratio.size() / 2);
    std::nth_element(ratio.begin(), middle, ratio.end());
    tau *= *middle;
  }
  DenseEigen pairs = generalised_eigen(-pencil.m, pencil.k + tau * pencil.m, count);
  if (!pairs.ok)
    throw NumericalError("singular", "a motion of the interface has neither stiffness nor mass");
  const std::int64_t exist =
      pairs.values.size() == 0
          ? 0
          : (pairs.values.array() < kMassless * pairs.values.minCoeff()).count();
  if (count > exist)
    throw ModelError(
        "too-many-modes",
        fmt::format(
            "{} interface modes requested, but the interface has {} DOFs with mass", count, exist),
        {},
        fmt::format("request at most {}, or leave --interface-modes out", exist));
  InterfaceModes out;
  out.lambda.resize(count);
  out.Y = std::move(pairs.vectors);
  for (Eigen::Index j = 0; j < count; ++j) {
    const double theta = -pairs.values(j);
    out.lambda(j) = 1.0 / theta - tau;
    if (std::abs(out.lambda(j)) < kZero * tau) out.lambda(j) = 0.0;
    out.Y.col(j) /= std::sqrt(theta);
  }
  return out;
}

}  // namespace femflex::modal
