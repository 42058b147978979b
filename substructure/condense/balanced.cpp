// Reduces the inner coordinates of a part by balanced truncation. docs/theory/substructures.md eq.
// (19), (20). Notation: x' = A x + B w, y = C x + D w, where w is the motion of the ports and y the
// force of the inner coordinates on them; sigma are the Hankel singular values.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "femflex/dense.h"
#include "femflex/errors.h"
#include "femflex/substructure/condense.h"

#include "blocks.h"

namespace femflex::substructure {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;

namespace {

// maximum number of inner DOFs; the Schur form of twice as many states takes a minute
constexpr Index kMaxInner = 1000;

// If the slowest decay rate of the inside is below this share of its highest frequency, the inside
// counts as undamped, because the Lyapunov solution would be round-off only.
constexpr double kMinDecay = 1e-12;
// Hankel singular values below this share of the largest are zero to round-off and cannot be scaled
// back.
constexpr double kHankelRounding = 1e-14;

/// Solves A X + X A' + F = 0 for X by the method of Bartels and Stewart: with A = U T U*, solves
/// T Y + Y T* = -U* F U column by column, from the last column to the first.
class Lyapunov {
 public:
  explicit Lyapunov(const MatrixXd& A) : schur_(A) {
    if (schur_.info() != Eigen::Success) {
      throw NumericalError("not-converged", "the Schur form of the inside did not converge");
    }
  }
  double min_decay() const { return -schur_.matrixT().diagonal().real().maxCoeff(); }

  MatrixXd solve(const MatrixXd& F) const {
    const MatrixXcd& T = schur_.matrixT();
    const MatrixXcd& U = schur_.matrixU();
    const Index n = T.rows();
    const MatrixXcd right = -(U.adjoint() * F.cast<Complex>() * U);
    MatrixXcd Y(n, n);
    MatrixXcd shifted = T;
    for (Index k = n - 1; k >= 0; --k) {
      Eigen::VectorXcd column = right.col(k);
      const Index after = n - 1 - k;
      if (after > 0) column -= Y.rightCols(after) * T.row(k).tail(after).adjoint();
      shifted.diagonal() = T.diagonal().array() + std::conj(T(k, k));
      Y.col(k) = shifted.triangularView<Eigen::Upper>().solve(column);
    }
    const MatrixXd X = (U * Y * U.adjoint()).real();
    return 0.5 * (X + X.transpose());
  }

 private:
  Eigen::ComplexSchur<MatrixXd> schur_;
};

/// Returns S with S S' = X, for X positive semidefinite up to round-off.
MatrixXd root_of(const MatrixXd& X) {
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(X);
  return solver.eigenvectors() * solver.eigenvalues().cwiseMax(0.0).cwiseSqrt().asDiagonal();
}

/// x' = A x + B w,  y = C x + D w:  the forces y of a part's inside on its ports if these have the
/// motions w.
struct StateSpace {
  MatrixXd A, B, C, D;
};

// The state space of the inside (eq. 19): input w = u_b, output L' q' + G' q, states omega q and
// q' - L w. The inside adds s^2 times its transfer function to R(s).
StateSpace inside_of(const Blocks& blocks,
                     const StaticReduction& reduced,
                     const InnerModes& modes) {
  const Index n = modes.omega.size();
  const MatrixXd L = modes.shapes.transpose() * reduced.L;
  const MatrixXd G = modes.shapes.transpose() * reduced.G;
  const MatrixXd damping = modes.shapes.transpose() * (blocks.C_ii * modes.shapes);
  const MatrixXd omega = modes.omega.asDiagonal();
  const Index b = L.cols();
  StateSpace out{MatrixXd::Zero(2 * n, 2 * n), MatrixXd(2 * n, b), MatrixXd(b, 2 * n), {}};
  out.A.topRightCorner(n, n) = omega;
  out.A.bottomLeftCorner(n, n) = -omega;
  out.A.bottomRightCorner(n, n) = -damping;
  out.B << omega * L, G - damping * L;
  out.C << G.transpose() * modes.omega.cwiseInverse().asDiagonal(), L.transpose();
  out.D = L.transpose() * L;
  return out;
}

/// Keeps the `states` states with the largest Hankel singular values, by the square-root method.
/// @param sigma  receives all Hankel singular values
StateSpace truncate(const StateSpace& full,
                    const Lyapunov& forward,
                    Index states,
                    Eigen::VectorXd& sigma) {
  const MatrixXd controllability_root = root_of(forward.solve(full.B * full.B.transpose()));
  const MatrixXd observability_root =
      root_of(Lyapunov(full.A.transpose()).solve(full.C.transpose() * full.C));
  const Eigen::BDCSVD<MatrixXd> svd(observability_root.transpose() * controllability_root,
                                    Eigen::ComputeThinU | Eigen::ComputeThinV);
  sigma = svd.singularValues();
  Index kept = 0;
  while (kept < std::min(states, full.A.rows()) && sigma(kept) > kHankelRounding * sigma(0))
    ++kept;
  const Eigen::VectorXd scale = sigma.head(kept).cwiseSqrt().cwiseInverse();
  const MatrixXd right = controllability_root * svd.matrixV().leftCols(kept) * scale.asDiagonal();
  const MatrixXd left = observability_root * svd.matrixU().leftCols(kept) * scale.asDiagonal();
  return {left.transpose() * full.A * right, left.transpose() * full.B, full.C * right, full.D};
}

// [K + s C + s^2 (M - D)] u - s^2 C_r q = f;  (s - A_r) q - B_r u = 0
DynamicStiffness with_inside(const DynamicStiffness& part,
                             const StaticReduction& reduced,
                             const StateSpace& inside) {
  const Index b = part.port_count();
  const Index kept = inside.A.rows();
  MatrixXd constant = MatrixXd::Zero(b + kept, b + kept);
  MatrixXd slope = constant;
  MatrixXd square = constant;
  constant.topLeftCorner(b, b) = reduced.K;
  constant.bottomRightCorner(kept, kept) = -inside.A;
  constant.bottomLeftCorner(kept, b) = -inside.B;
  slope.topLeftCorner(b, b) = reduced.C;
  slope.bottomRightCorner(kept, kept).setIdentity();
  square.topLeftCorner(b, b) = reduced.M - inside.D;
  square.topRightCorner(b, kept) = -inside.C;
  return part_like(part, {constant, slope, square});
}

}  // namespace

Condensed balanced_truncation(const DynamicStiffness& part, Index states, double band) {
  if (!(band > 0.0) || !std::isfinite(band)) {
    throw ModelError("band", fmt::format("the band ends at {} rad/s, but must end above 0", band));
  }
  if (states < 0) {
    throw ModelError("states",
                     fmt::format("{} states were requested", states),
                     {},
                     "give zero or a positive number");
  }
  if (part.inner_count() > kMaxInner) {
    throw NumericalError(
        "too-large",
        fmt::format("part '{}' has {} inner DOFs, balanced truncation takes at most {}",
                    part.name,
                    part.inner_count(),
                    kMaxInner),
        {},
        "reduce the part by craig_bampton first");
  }
  const Blocks blocks = blocks_of(part);
  const StaticReduction reduced = static_reduction(blocks);
  const InnerModes modes = inner_modes(blocks, part.inner_count());
  const Index n = modes.omega.size();
  if (n < part.inner_count()) {
    throw NumericalError(
        "massless",
        fmt::format("{} inner DOFs of '{}' carry no mass", part.inner_count() - n, part.name),
        {},
        "give them mass, or reduce the part by craig_bampton");
  }
  const StateSpace full = inside_of(blocks, reduced, modes);
  const Lyapunov forward(full.A);
  if (n > 0 && !(forward.min_decay() > kMinDecay * modes.omega.maxCoeff())) {
    throw NumericalError("undamped",
                         fmt::format("the inside of '{}' is not damped; its oscillation has no "
                                     "Hankel singular values",
                                     part.name),
                         {},
                         "add damping, or use craig_bampton");
  }
  Eigen::VectorXd sigma;
  const StateSpace kept = truncate(full, forward, states, sigma);
  Condensed out{with_inside(part, reduced, kept)};
  out.band = band;
  out.scale = symmetric_norm(reduced.K) + band * band * symmetric_norm(reduced.M);
  out.hankel.assign(sigma.data(), sigma.data() + sigma.size());
  out.error_bound = 2.0 * band * band * sigma.tail(sigma.size() - kept.A.rows()).sum();
  return out;
}

}  // namespace femflex::substructure
