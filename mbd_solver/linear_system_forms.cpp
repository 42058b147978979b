// Forms of a linear system: sampled with held inputs, by a matrix exponential, and balanced and
// truncated, by the Gramians of its inputs and outputs.
#include <algorithm>
#include <cmath>
#include <complex>

#include <fmt/format.h>

#include "femflex/dense.h"
#include "femflex/errors.h"
#include "femflex/mbd_solver/linear_system.h"

namespace femflex::mbd_solver {
namespace {

using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// e^M by scaling and squaring with the Padé approximant of order 13 [Higham 2005].
MatrixXd exponential(const MatrixXd& M) {
  constexpr double kTheta = 5.37;  // norm up to which the approximant is exact to round-off
  constexpr double kPade[] = {64764752532480000.0,
                              32382376266240000.0,
                              7771770303897600.0,
                              1187353796428800.0,
                              129060195264000.0,
                              10559470521600.0,
                              670442572800.0,
                              33522128640.0,
                              1323241920.0,
                              40840800.0,
                              960960.0,
                              16380.0,
                              182.0,
                              1.0};
  const double norm = M.cwiseAbs().colwise().sum().maxCoeff();
  const int halvings = norm > kTheta ? static_cast<int>(std::ceil(std::log2(norm / kTheta))) : 0;
  const MatrixXd X = M * std::ldexp(1.0, -halvings);
  const MatrixXd one = MatrixXd::Identity(M.rows(), M.cols());
  const MatrixXd X2 = X * X, X4 = X2 * X2, X6 = X4 * X2;
  const MatrixXd odd = X * (X6 * (kPade[13] * X6 + kPade[11] * X4 + kPade[9] * X2) + kPade[7] * X6 +
                            kPade[5] * X4 + kPade[3] * X2 + kPade[1] * one);
  const MatrixXd even = X6 * (kPade[12] * X6 + kPade[10] * X4 + kPade[8] * X2) + kPade[6] * X6 +
                        kPade[4] * X4 + kPade[2] * X2 + kPade[0] * one;
  MatrixXd out = (even - odd).partialPivLu().solve(MatrixXd(even + odd));
  for (int k = 0; k < halvings; ++k)
    out = (out * out).eval();
  return out;
}

/// A root L of the Gramian P = L L' of A P + P A' + B B' = 0. In the Schur basis A = U T U' the
/// equation is solved column by column from the last one on [Bartels 1972].
MatrixXd gramian_root(const Eigen::ComplexSchur<MatrixXcd>& schur, const MatrixXd& B) {
  const MatrixXcd& T = schur.matrixT();
  const Index n = T.rows();
  const MatrixXcd B_s = schur.matrixU().adjoint() * B;
  const MatrixXcd Q = B_s * B_s.adjoint();
  MatrixXcd P = MatrixXcd::Zero(n, n);
  for (Index k = n - 1; k >= 0; --k) {
    Eigen::VectorXcd right = -Q.col(k);
    for (Index j = k + 1; j < n; ++j)
      right -= P.col(j) * std::conj(T(k, j));
    MatrixXcd shifted = T;
    shifted.diagonal().array() += std::conj(T(k, k));
    P.col(k) = shifted.triangularView<Eigen::Upper>().solve(right);
  }
  const MatrixXd real = (schur.matrixU() * P * schur.matrixU().adjoint()).real();
  const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(0.5 * (real + real.transpose()));
  return eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0.0).cwiseSqrt().asDiagonal();
}

}  // namespace

LinearSystem sampled(const LinearSystem& system, double step) {
  if (!(step > 0.0) || !std::isfinite(step))
    throw UsageError("bad-option",
                     fmt::format("the sampling time is {} s; expected above 0", step));
  if (system.step > 0.0) throw UsageError("bad-option", "the system is sampled already");
  const Index n = system.A.rows(), m = system.B.cols();
  MatrixXd both = MatrixXd::Zero(n + m, n + m);
  both.topRows(n) << step * system.A, step * system.B;
  const MatrixXd e = exponential(both);
  LinearSystem out = system;
  out.A = e.topLeftCorner(n, n);
  out.B = e.topRightCorner(n, m);
  out.step = step;
  return out;
}

BalancedSystem balanced(const LinearSystem& system, int order) {
  const Index n = system.A.rows();
  if (order < 1 || order > n)
    throw UsageError("bad-option", fmt::format("an order of {}; expected 1 to {}", order, n));
  if (system.step > 0.0)
    throw UsageError("bad-option", "a sampled system cannot be balanced: sample it afterwards");
  const Eigen::ComplexSchur<MatrixXcd> schur(system.A.cast<std::complex<double>>());
  const MatrixXd A_t = system.A.transpose();
  const Eigen::ComplexSchur<MatrixXcd> transposed(A_t.cast<std::complex<double>>());
  const auto roots = schur.matrixT().diagonal();
  // a decay rate below this, relative to the fastest root, counts as zero
  constexpr double kMargin = 1e-12;
  const double slowest = roots.real().maxCoeff();
  if (!(slowest < -kMargin * roots.cwiseAbs().maxCoeff()))
    throw NumericalError(
        "not-stable",
        fmt::format("a root has the real part {:.3g} 1/s: balanced truncation needs "
                    "a system in which everything decays",
                    slowest),
        {},
        "damp all modes, hold free motions by springs, or keep all states");
  const MatrixXd P = gramian_root(schur, system.B);
  const MatrixXd Q = gramian_root(transposed, system.C.transpose());
  const Eigen::JacobiSVD<MatrixXd> svd(Q.transpose() * P,
                                       Eigen::ComputeFullU | Eigen::ComputeFullV);
  BalancedSystem out;
  out.hankel = svd.singularValues();
  // a state with a smaller value, relative to the largest, has no effect on the outputs
  constexpr double kNegligible = 1e-14;
  const Index seen = (out.hankel.array() > kNegligible * out.hankel(0)).count();
  const Index kept = std::min<Index>(order, std::max<Index>(seen, 1));
  out.bound = 2.0 * out.hankel.tail(n - kept).sum();
  const VectorXd scale = out.hankel.head(kept).cwiseSqrt().cwiseInverse();
  const MatrixXd T = P * svd.matrixV().leftCols(kept) * scale.asDiagonal();
  const MatrixXd left =
      scale.asDiagonal() * svd.matrixU().leftCols(kept).transpose() * Q.transpose();
  out.system = system;
  out.system.A = left * system.A * T;
  out.system.B = left * system.B;
  out.system.C = system.C * T;
  out.system.states.clear();
  for (Index k = 1; k <= kept; ++k)
    out.system.states.push_back(fmt::format("balanced/{}", k));
  return out;
}

}  // namespace femflex::mbd_solver
