// Compiles a flexible body into a FlexModel: modal damping, modal coordinates of the solver, and
// the coefficients of the kinetic energy. Equations: docs/theory/multibody.md.
#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>
#include <fmt/format.h>

#include "femflex/damping.h"
#include "femflex/dense.h"
#include "femflex/errors.h"
#include "femflex/frequency.h"

#include "spatial/flexible_inertia.h"

namespace femflex::mbd_solver {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// invariants are sums over up to 1e6 DOFs; their round-off is about 1e-13 of the largest entry
constexpr double kShapeRoundOff = 1e-12;

// round-off of a product T' b T, relative to the largest entry
constexpr double kOffDiagonal = 1e-13;
// round-off of written files, relative to the two diagonal entries
constexpr double kCoupling = 1e-12;

/// Whether each off-diagonal entry is round-off relative to `scale`.
bool is_diagonal_to(const MatrixXd& a, double scale) {
  for (Eigen::Index j = 0; j < a.cols(); ++j)
    for (Eigen::Index i = 0; i < a.rows(); ++i)
      if (i != j && std::abs(a(i, j)) > kOffDiagonal * scale) return false;
  return true;
}

/// Whether each off-diagonal entry is round-off relative to the diagonal entries of its row and
/// column.
bool is_uncoupled(const MatrixXd& a) {
  for (Eigen::Index j = 0; j < a.cols(); ++j)
    for (Eigen::Index i = 0; i < j; ++i) {
      const double size = std::sqrt(std::abs(a(i, i) * a(j, j)));
      if (std::max(std::abs(a(i, j)), std::abs(a(j, i))) > kCoupling * size) return false;
    }
  return true;
}

/// Splits each of three stacked (n x n) blocks into a symmetric and an antisymmetric part. A part
/// that is round-off relative to `size` is omitted, so that no term of the equations uses it.
void split_blocks(const MatrixXd& blocks,
                  double size,
                  MatrixXd& antisymmetric,
                  MatrixXd& symmetric) {
  const Eigen::Index n = blocks.cols();
  antisymmetric.resize(3 * n, n);
  symmetric.resize(3 * n, n);
  for (int c = 0; c < 3; ++c) {
    const auto block = blocks.middleRows(c * n, n);
    antisymmetric.middleRows(c * n, n) = 0.5 * (block - block.transpose());
    symmetric.middleRows(c * n, n) = 0.5 * (block + block.transpose());
  }
  for (MatrixXd* half : {&antisymmetric, &symmetric})
    if (half->cwiseAbs().maxCoeff() <= kShapeRoundOff * size) half->resize(0, 0);
}

/// Returns X such that X' m X = 1 and X' k X is diagonal; m must be positive definite.
MatrixXd diagonalising(const MatrixXd& m, const MatrixXd& k, const std::string& name) {
  const Eigen::LLT<MatrixXd> factor(m);
  if (factor.info() != Eigen::Success)
    throw ModelError(
        "modal-mass-singular",
        fmt::format("{}: the modal mass of the enabled modes is not positive definite", name),
        {},
        "orthogonalise the body, or disable modes that depend on others");
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> solver(k, m);
  return solver.eigenvectors();
}

/// Damping matrix b of a body in its own coordinates zeta. eq. (20-23)
/// @param S  selects the enabled modes, one column per mode: true modes are combinations of these
MatrixXd modal_damping(const FlexBody& body,
                       const Damping& damping,
                       const MatrixXd& S,
                       const std::string& name) {
  const Eigen::Index n = body.mode_count();
  MatrixXd b = MatrixXd::Zero(n, n);
  const auto from_ratio = [&](Eigen::Index i, double beta) {
    return damping_from_ratio(beta, body.stiffness(i, i), body.mass(i, i));
  };
  const auto ratio = [&](Eigen::Index i) {
    const auto& r = damping.ratios;
    return r.empty() ? 0.0 : r[std::min(static_cast<std::size_t>(i), r.size() - 1)];
  };
  switch (damping.kind) {
    case Damping::Kind::none:
      break;
    case Damping::Kind::body:
      b = damping_matrix(body);
      break;
    case Damping::Kind::ratios:
      for (Eigen::Index i = 0; i < n; ++i)
        b(i, i) = from_ratio(i, ratio(i));
      break;
    case Damping::Kind::adams:
      for (Eigen::Index i = 0; i < n; ++i)
        b(i, i) = from_ratio(
            i, adams_damping_ratio(frequency_hz(body.stiffness(i, i) / body.mass(i, i))));
      break;
    case Damping::Kind::true_modes: {
      if (S.cols() == 0) break;
      const MatrixXd m = S.transpose() * body.mass * S;
      const MatrixXd k = S.transpose() * body.stiffness * S;
      const MatrixXd V = diagonalising(m, k, name);
      const VectorXd lambda = (V.transpose() * k * V).diagonal();
      VectorXd ratios(S.cols());
      for (Eigen::Index i = 0; i < S.cols(); ++i)
        ratios(i) = ratio(i);
      b = S * true_mode_damping(m, V, lambda, ratios) * S.transpose();
      break;
    }
    case Damping::Kind::rayleigh:
      b = damping.rayleigh_mass * body.mass + damping.rayleigh_stiffness * body.stiffness;
      break;
    case Damping::Kind::matrix:
      if (damping.matrix.rows() != n || damping.matrix.cols() != n)
        throw ModelError("damping-size",
                         fmt::format("{}: the damping matrix is {} x {}, the body has {} modes",
                                     name,
                                     damping.matrix.rows(),
                                     damping.matrix.cols(),
                                     n));
      b = damping.matrix;
      break;
  }
  const bool has_ratios = std::all_of(
      damping.ratios.begin(), damping.ratios.end(), [](double r) { return std::isfinite(r); });
  if (!has_ratios || !b.allFinite())
    throw ModelError("not-finite", fmt::format("{}: a damping value is not finite", name));
  return b;
}

/// Sets the invariants that are switched on, in the solver's modal coordinates xi.
/// @returns  invariant 5, complete, as three stacked (n x n) blocks F_c(k, j) = N5_j(c, k)
MatrixXd set_inertia(FlexModel& f, const InertiaInvariants& I, const InvariantSet& set) {
  const auto& on = set.on;
  const Eigen::Index n = f.n, all = f.X.rows();
  f.mass = on[0] ? I.mass : 0.0;
  f.first_moment = on[1] ? I.first_moment : Eigen::Vector3d(Eigen::Vector3d::Zero());
  f.N3 = on[2] ? Eigen::Matrix3Xd(I.translation * f.X) : Eigen::Matrix3Xd::Zero(3, n);
  f.N4 = on[3] ? Eigen::Matrix3Xd(I.rotation * f.X) : Eigen::Matrix3Xd::Zero(3, n);
  f.inertia = on[6] ? I.inertia : Eigen::Matrix3d(Eigen::Matrix3d::Zero());
  if (!on[5]) f.m_diagonal.setZero();
  if (!on[5]) f.m.setZero();
  MatrixXd F = MatrixXd::Zero(3 * n, n);
  for (int c = 0; c < 3 && on[4]; ++c) {
    MatrixXd raw(all, all);  // (k, j) = N5_j(c, k)
    for (Eigen::Index j = 0; j < all; ++j)
      raw.col(j) = I.translation_rate.block(c, all * j, 1, all).transpose();
    F.middleRows(c * n, n) = f.X.transpose() * raw * f.X;
  }
  f.L.setZero(n, 6);
  f.B.setZero(6 * n, n);
  for (int c = 0; c < 6; ++c) {
    const int p = kPairRow[c], q = kPairCol[c];
    VectorXd slope(all);
    for (Eigen::Index j = 0; j < all && on[7]; ++j)
      slope(j) = -(I.inertia_rate(p, 3 * j + q) + I.inertia_rate(q, 3 * j + p));
    if (on[7]) f.L.col(c) = f.X.transpose() * slope;
    if (!on[8]) continue;
    MatrixXd raw(all, all);
    for (Eigen::Index j = 0; j < all; ++j)
      for (Eigen::Index i = 0; i < all; ++i)
        raw(i, j) = -0.5 * (I.inertia_curvature(3 * i + p, 3 * j + q) +
                            I.inertia_curvature(3 * i + q, 3 * j + p));
    const MatrixXd symmetric = 0.5 * (raw + raw.transpose());
    f.B.middleRows(c * n, n) = f.X.transpose() * symmetric * f.X;
  }
  return F;
}

/// Adds the geometric stiffness k_g, as the second-order displacement due to a deflection. In the
/// kinetic energy it changes s by xi' k_g xi / 2 along the axis of an acceleration, H by k_g xi,
/// and J by - xi' k_g xi (off-diagonal entries by half of this). eq. (10)
void add_stiffening(FlexModel& f, const FlexBody& body, MatrixXd& F) {
  using Cause = GeometricStiffness::Cause;
  const Eigen::Index n = f.n;
  for (const GeometricStiffness& g : body.geometric) {
    if (g.cause == Cause::force) continue;
    const MatrixXd k = f.X.transpose() * (0.5 * (g.stiffness + g.stiffness.transpose())) * f.X;
    const int cause = static_cast<int>(g.cause);
    if (g.cause >= Cause::spin_xx) {
      const int c = cause - static_cast<int>(Cause::spin_xx);  // the order of kPairRow
      f.B.middleRows(c * n, n) -= (c < 3 ? 1.0 : 0.5) * k;
    } else if (g.cause >= Cause::angular_acceleration_x) {
      F.middleRows((cause - static_cast<int>(Cause::angular_acceleration_x)) * n, n) += k;
    } else {
      if (f.N3_slope.size() == 0) f.N3_slope.setZero(3 * n, n);
      f.N3_slope.middleRows(cause * n, n) += k;
    }
  }
}

/// Matrix that selects the enabled modes, one column per enabled mode.
MatrixXd acting_columns(const Flexible& flexible, const std::string& name) {
  const Eigen::Index all = flexible.body->mode_count();
  if (flexible.enabled && static_cast<Eigen::Index>(flexible.enabled->size()) != all)
    throw ModelError(
        "mode-count",
        fmt::format("{}: the list of enabled modes has {} entries, but the body has {} modes",
                    name,
                    flexible.enabled->size(),
                    all));
  const std::vector<bool> acts = acting_modes(flexible);
  MatrixXd S = MatrixXd::Zero(all, std::count(acts.begin(), acts.end(), true));
  Eigen::Index column = 0;
  for (Eigen::Index i = 0; i < all; ++i)
    if (acts[static_cast<std::size_t>(i)]) S(i, column++) = 1.0;
  return S;
}

/// Sets X in zeta = X xi so that mass and stiffness in xi are diagonal; sets mass, stiffness and
/// damping in xi.
void set_coordinates(FlexModel& f,
                     const MatrixXd& S,
                     const MatrixXd& b_zeta,
                     const std::string& name) {
  const FlexBody& body = *f.body;
  const Eigen::Index n = S.cols();
  const MatrixXd m = S.transpose() * body.mass * S;
  const MatrixXd k = S.transpose() * body.stiffness * S;
  const MatrixXd b = S.transpose() * b_zeta * S;
  MatrixXd T = MatrixXd::Identity(n, n);
  if (n > 0 && !(is_uncoupled(m) && is_uncoupled(k) && (m.diagonal().array() > 0.0).all()))
    T = diagonalising(m, k, name);
  f.X = S * T;
  f.m = T.transpose() * m * T;
  f.k = T.transpose() * k * T;
  f.b = T.transpose() * b * T;
  f.zeta_to_xi = n > 0 ? MatrixXd(f.m.ldlt().solve(MatrixXd(T.transpose() * m * S.transpose())))
                       : MatrixXd(0, S.rows());
  const auto clean = [](MatrixXd& a) {
    const MatrixXd d = a.diagonal().asDiagonal();
    a = d;
  };
  clean(f.m);
  clean(f.k);
  f.diagonal = is_diagonal_to(f.b, f.b.size() > 0 ? f.b.cwiseAbs().maxCoeff() : 1.0);
  if (f.diagonal) clean(f.b);
  f.m_diagonal = f.m.diagonal();
  f.k_diagonal = f.k.diagonal();
  f.b_diagonal = f.b.diagonal();
}

/// Initial modal coordinates or rates in xi: the given ones, else those of the body, else zero.
VectorXd initial_modes(const FlexModel& f,
                       const std::optional<VectorXd>& given,
                       const VectorXd& of_body,
                       const std::string& name,
                       const char* what) {
  const Eigen::Index all = f.X.rows();
  const VectorXd zeta =
      given ? *given : (of_body.size() == all ? of_body : VectorXd(VectorXd::Zero(all)));
  if (zeta.size() != all)
    throw ModelError(
        "mode-count",
        fmt::format(
            "{}: {} initial modal {}, the body has {} modes", name, zeta.size(), what, all));
  return f.zeta_to_xi * zeta;
}

bool is_finite(const FlexModel& f) {
  return f.m.allFinite() && f.k.allFinite() && f.N3.allFinite() && f.N4.allFinite() &&
         f.B.allFinite() && f.L.allFinite() && f.inertia.allFinite() &&
         f.first_moment.allFinite() && f.N3_slope.allFinite() && std::isfinite(f.mass) &&
         f.xi0.allFinite() && f.xi0_dot.allFinite();
}

}  // namespace

FlexModel make_flex_model(const Flexible& flexible, const std::string& name) {
  if (!flexible.body)
    throw ModelError("no-flex-body", fmt::format("{}: no flexible body is given", name));
  const FlexBody& body = *flexible.body;
  const Eigen::Index all = body.mode_count();
  const MatrixXd S = acting_columns(flexible, name);
  FlexModel f;
  f.body = &body;
  f.n = static_cast<int>(S.cols());
  set_coordinates(f, S, modal_damping(body, flexible.damping, S, name), name);
  if (body.invariants.modes() != all && all > 0)
    throw ModelError("no-invariants",
                     fmt::format("{}: inertia invariants of {} modes, the body has {}",
                                 name,
                                 body.invariants.modes(),
                                 all));
  MatrixXd F = set_inertia(f, body.invariants, flexible.invariants);
  if (flexible.geometric_stiffness) add_stiffening(f, body, F);
  // invariants 5 and 9 are sums of the same products of shapes and therefore have the same
  // round-off
  if (f.n > 0) {
    const double size = std::max(F.cwiseAbs().maxCoeff(), f.B.cwiseAbs().maxCoeff());
    split_blocks(F, size, f.A, f.A_symmetric);
  }
  if (f.B.isZero(0.0)) f.B.resize(0, 0);
  f.xi0 = initial_modes(f, flexible.zeta, body.initial_zeta, name, "positions");
  f.xi0_dot = initial_modes(f, flexible.zeta_dot, body.initial_zeta_dot, name, "velocities");
  if (!is_finite(f) || !F.allFinite())
    throw ModelError("not-finite",
                     fmt::format("{}: the body holds a number that is not finite", name));
  return f;
}

}  // namespace femflex::mbd_solver
