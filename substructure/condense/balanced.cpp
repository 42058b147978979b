// Reduces the inner coordinates of a part by balanced truncation. docs/theory/substructures.md eq.
// (19), (20). Notation: x' = A x + B w, y = C x + D w, where w is the motion of the ports and y the
// force of the inner coordinates on them.
#include <string>

#include <fmt/format.h>

#include "femflex/balanced_truncation.h"
#include "femflex/errors.h"
#include "femflex/substructure/condense.h"

#include "blocks.h"

namespace femflex::substructure {

using Eigen::Index;
using Eigen::MatrixXd;

namespace {

// maximum number of inner DOFs; the Schur form of twice as many states takes minutes
constexpr Index kMaxInner = 1000;

/// x' = A x + B w,  y = C x + D w:  the forces y of a part's inside on its ports if these have the
/// motions w.
struct StateSpace {
  MatrixXd A, B, C, D;
};

/// The damping of the inner modes, without the round-off of its sums: a damping that is modal, such
/// as a M + b K, then couples no modes, which balance() makes use of.
MatrixXd modal_damping(const Blocks& blocks, const InnerModes& modes) {
  constexpr double kRoundOff = 1e-14;  // share of the magnitudes of the terms
  const MatrixXd damping = modes.shapes.transpose() * (blocks.C_ii * modes.shapes);
  const MatrixXd shapes = modes.shapes.cwiseAbs();
  const SparseMatrix C = blocks.C_ii.cwiseAbs();
  const MatrixXd magnitudes = shapes.transpose() * (C * shapes);
  return (damping.array().abs() > kRoundOff * magnitudes.array()).select(damping, 0.0);
}

// The state space of the inside (eq. 19): input w = u_b, output L' q' + G' q, states omega q and
// q' - L w. The inside adds s^2 times its transfer function to R(s).
StateSpace inside_of(const Blocks& blocks,
                     const StaticReduction& reduced,
                     const InnerModes& modes) {
  const Index n = modes.omega.size();
  const MatrixXd L = modes.shapes.transpose() * reduced.L;
  const MatrixXd G = modes.shapes.transpose() * reduced.G;
  const MatrixXd damping = modal_damping(blocks, modes);
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

/// The basis of the kept states.
BalancedBasis basis_of(const StateSpace& inside, Index states, const std::string& part) {
  try {
    return balance({inside.A, inside.B, inside.C}, states);
  } catch (const NumericalError& error) {
    if (error.code() != "not-stable") throw;
    throw NumericalError("undamped",
                         fmt::format("the inside of '{}' is not damped; its oscillation has no "
                                     "Hankel singular values",
                                     part),
                         {},
                         "add damping, or condense it by craig-bampton");
  }
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
  check_band(band);
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
        "condense the part by craig-bampton first");
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
        "give them mass, or condense the part by craig-bampton");
  }
  const StateSpace full = inside_of(blocks, reduced, modes);
  const BalancedBasis basis = basis_of(full, states, part.name);
  const StateSpace kept{basis.left.transpose() * full.A * basis.right,
                        basis.left.transpose() * full.B,
                        full.C * basis.right,
                        full.D};
  Condensed out{with_inside(part, reduced, kept)};
  out.band = band;
  out.scale = symmetric_norm(reduced.K) + band * band * symmetric_norm(reduced.M);
  out.hankel.assign(basis.hankel.begin(), basis.hankel.end());
  out.error_bound = band * band * basis.error_bound();
  return out;
}

}  // namespace femflex::substructure
