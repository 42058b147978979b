#include "spatial/flexible_inertia.h"

#include <cmath>
#include <limits>
#include <numbers>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <fmt/format.h>

#include "femflex/errors.h"

namespace femflex::mbd_solver {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kPairRow[6] = {0, 1, 2, 0, 1, 0};
constexpr int kPairCol[6] = {0, 1, 2, 1, 2, 2};

bool is_diagonal(const MatrixXd& a, double scale) {
  for (Eigen::Index j = 0; j < a.cols(); ++j)
    for (Eigen::Index i = 0; i < a.rows(); ++i)
      if (i != j && std::abs(a(i, j)) > 1e-13 * scale) return false;
  return true;
}

/// Off-diagonal entries against the diagonal ones they couple.
bool is_diagonal(const MatrixXd& a) {
  for (Eigen::Index j = 0; j < a.cols(); ++j)
    for (Eigen::Index i = 0; i < j; ++i) {
      const double size = std::sqrt(std::abs(a(i, i) * a(j, j)));
      if (std::max(std::abs(a(i, j)), std::abs(a(j, i))) > 1e-12 * size) return false;
    }
  return true;
}

/// y1 = A x1, y2 = A x2 with one pass over A.
void multiply_two(const MatrixXd& A, const double* x1, const double* x2, double* y1, double* y2) {
  const Eigen::Index rows = A.rows();
  std::fill(y1, y1 + rows, 0.0);
  std::fill(y2, y2 + rows, 0.0);
  double* __restrict u = y1;
  double* __restrict v = y2;
  Eigen::Index j = 0;
  for (; j + 1 < A.cols(); j += 2) {
    const double* __restrict c0 = A.data() + j * rows;
    const double* __restrict c1 = c0 + rows;
    const double a0 = x1[j], a1 = x1[j + 1], b0 = x2[j], b1 = x2[j + 1];
    for (Eigen::Index i = 0; i < rows; ++i) {
      u[i] += a0 * c0[i] + a1 * c1[i];
      v[i] += b0 * c0[i] + b1 * c1[i];
    }
  }
  for (; j < A.cols(); ++j) {
    const double* __restrict column = A.data() + j * rows;
    for (Eigen::Index i = 0; i < rows; ++i) {
      u[i] += x1[j] * column[i];
      v[i] += x2[j] * column[i];
    }
  }
}

void multiply(const MatrixXd& A, const double* x, double* y) {
  const Eigen::Index rows = A.rows();
  std::fill(y, y + rows, 0.0);
  Eigen::Index j = 0;
  for (; j + 3 < A.cols(); j += 4) {
    const double* __restrict c0 = A.data() + j * rows;
    const double* __restrict c1 = c0 + rows;
    const double* __restrict c2 = c1 + rows;
    const double* __restrict c3 = c2 + rows;
    const double x0 = x[j], x1 = x[j + 1], x2 = x[j + 2], x3 = x[j + 3];
    double* __restrict u = y;
    for (Eigen::Index i = 0; i < rows; ++i)
      u[i] += x0 * c0[i] + x1 * c1[i] + x2 * c2[i] + x3 * c3[i];
  }
  for (; j < A.cols(); ++j) {
    const double* __restrict column = A.data() + j * rows;
    double* __restrict u = y;
    for (Eigen::Index i = 0; i < rows; ++i)
      u[i] += x[j] * column[i];
  }
}

/// Columns of X scale to m = 1 and k diagonal where m is positive definite.
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

}  // namespace

MatrixXd modal_damping(const FlexBody& body, const Damping& damping, const std::string& name) {
  const Eigen::Index n = body.mode_count();
  MatrixXd b = MatrixXd::Zero(n, n);
  const auto omega_mass = [&](Eigen::Index i) {  // sqrt(k_ii m_ii)
    return std::sqrt(std::max(0.0, body.stiffness(i, i) * body.mass(i, i)));
  };
  const auto frequency = [&](double stiffness, double mass) {
    return std::sqrt(std::max(0.0, stiffness / mass)) / (2.0 * std::numbers::pi);
  };
  const auto band = [](double hz) { return hz < 100.0 ? 0.01 : (hz < 1000.0 ? 0.1 : 1.0); };
  const auto ratio = [&](Eigen::Index i) {
    const auto& r = damping.ratios;
    return r.empty() ? 0.0 : r[std::min(static_cast<std::size_t>(i), r.size() - 1)];
  };
  switch (damping.kind) {
    case Damping::Kind::none:
      break;
    case Damping::Kind::body:
      if (body.damping) return *body.damping;
      for (Eigen::Index i = 0; i < n; ++i) {
        const double beta = body.modes[static_cast<std::size_t>(i)].damping_ratio;
        if (std::isfinite(beta)) b(i, i) = 2.0 * beta * omega_mass(i);
      }
      break;
    case Damping::Kind::ratios:
      for (Eigen::Index i = 0; i < n; ++i)
        b(i, i) = 2.0 * ratio(i) * omega_mass(i);
      break;
    case Damping::Kind::adams:
      for (Eigen::Index i = 0; i < n; ++i)
        b(i, i) = 2.0 * band(frequency(body.stiffness(i, i), body.mass(i, i))) * omega_mass(i);
      break;
    case Damping::Kind::true_modes: {
      if (n == 0) break;
      const MatrixXd V = diagonalising(body.mass, body.stiffness, name);
      const VectorXd lambda = (V.transpose() * body.stiffness * V).diagonal();
      VectorXd d(n);
      for (Eigen::Index i = 0; i < n; ++i)
        d(i) = 2.0 * ratio(i) * std::sqrt(std::max(0.0, lambda(i)));
      const MatrixXd mV = body.mass * V;
      b = mV * d.asDiagonal() * mV.transpose();
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
  if (!b.allFinite())
    throw ModelError("not-finite", fmt::format("{}: a damping value is not finite", name));
  return b;
}

FlexModel make_flex_model(const Flexible& flexible, const std::string& name) {
  if (!flexible.body)
    throw ModelError("no-flex-body", fmt::format("{}: no flexible body is given", name));
  const FlexBody& body = *flexible.body;
  const Eigen::Index all = body.mode_count();
  const std::vector<bool> acts = acting_modes(flexible);
  std::vector<Eigen::Index> on;
  for (Eigen::Index i = 0; i < all; ++i)
    if (acts[static_cast<std::size_t>(i)]) on.push_back(i);
  if (flexible.enabled && static_cast<Eigen::Index>(flexible.enabled->size()) != all)
    throw ModelError(
        "mode-count",
        fmt::format(
            "{}: {} modes are switched, the body has {}", name, flexible.enabled->size(), all));
  const auto n = static_cast<Eigen::Index>(on.size());
  FlexModel f;
  f.body = &body;
  f.n = static_cast<int>(n);
  MatrixXd S = MatrixXd::Zero(all, n);  // selection
  for (Eigen::Index j = 0; j < n; ++j)
    S(on[static_cast<std::size_t>(j)], j) = 1.0;
  const MatrixXd b_zeta = modal_damping(body, flexible.damping, name);
  const MatrixXd m = S.transpose() * body.mass * S;
  const MatrixXd k = S.transpose() * body.stiffness * S;
  const MatrixXd b = S.transpose() * b_zeta * S;
  MatrixXd T = MatrixXd::Identity(n, n);
  if (n > 0 && !(is_diagonal(m) && is_diagonal(k) && (m.diagonal().array() > 0.0).all()))
    T = diagonalising(m, k, name);
  f.X = S * T;
  f.m = T.transpose() * m * T;
  f.k = T.transpose() * k * T;
  f.b = T.transpose() * b * T;
  f.zeta_to_xi = n > 0 ? MatrixXd(f.m.ldlt().solve(MatrixXd(T.transpose() * m * S.transpose())))
                       : MatrixXd(0, all);
  const auto clean = [](MatrixXd& a) {
    const MatrixXd d = a.diagonal().asDiagonal();
    a = d;
  };
  clean(f.m);
  clean(f.k);
  f.diagonal = is_diagonal(f.b, f.b.size() > 0 ? f.b.cwiseAbs().maxCoeff() : 1.0);
  if (f.diagonal) clean(f.b);
  f.m_diagonal = f.m.diagonal();
  f.k_diagonal = f.k.diagonal();
  f.b_diagonal = f.b.diagonal();

  const auto& on_set = flexible.invariants.on;
  const InertiaInvariants& I = body.invariants;
  if (I.modes() != all && all > 0)
    throw ModelError(
        "no-invariants",
        fmt::format("{}: inertia invariants of {} modes, the body has {}", name, I.modes(), all));
  f.mass = on_set[0] ? I.mass : 0.0;
  f.first_moment = on_set[1] ? I.first_moment : Eigen::Vector3d(Eigen::Vector3d::Zero());
  f.N3 = on_set[2] ? Eigen::Matrix3Xd(I.translation * f.X) : Eigen::Matrix3Xd::Zero(3, n);
  f.N4 = on_set[3] ? Eigen::Matrix3Xd(I.rotation * f.X) : Eigen::Matrix3Xd::Zero(3, n);
  f.inertia = on_set[6] ? I.inertia : Eigen::Matrix3d(Eigen::Matrix3d::Zero());
  if (!on_set[5]) f.m_diagonal.setZero();
  if (!on_set[5]) f.m.setZero();
  if (on_set[4] && n > 0) {
    f.A.resize(3 * n, n);
    for (int c = 0; c < 3; ++c) {
      MatrixXd raw(all, all);  // (k, j) = N5_j(c, k)
      for (Eigen::Index j = 0; j < all; ++j)
        raw.col(j) = I.translation_rate.block(c, all * j, 1, all).transpose();
      f.A.middleRows(c * n, n) = f.X.transpose() * raw * f.X;
    }
    if (f.A.cwiseAbs().maxCoeff() == 0.0) f.A.resize(0, 0);
  }
  f.L.setZero(n, 6);
  for (int c = 0; c < 6; ++c) {
    if (!on_set[7]) break;
    VectorXd raw(all);
    for (Eigen::Index j = 0; j < all; ++j) {
      const Eigen::Matrix3d block = I.inertia_rate.block<3, 3>(0, 3 * j);
      raw(j) = -(block(kPairRow[c], kPairCol[c]) + block(kPairCol[c], kPairRow[c]));
    }
    f.L.col(c) = f.X.transpose() * raw;
  }
  if (on_set[8] && n > 0) {
    f.B.resize(6 * n, n);
    for (int c = 0; c < 6; ++c) {
      MatrixXd raw(all, all);
      for (Eigen::Index j = 0; j < all; ++j)
        for (Eigen::Index i = 0; i < all; ++i)
          raw(i, j) = -0.5 * (I.inertia_curvature(3 * i + kPairRow[c], 3 * j + kPairCol[c]) +
                              I.inertia_curvature(3 * i + kPairCol[c], 3 * j + kPairRow[c]));
      const MatrixXd symmetric = 0.5 * (raw + raw.transpose());
      f.B.middleRows(c * n, n) = f.X.transpose() * symmetric * f.X;
    }
    if (f.B.cwiseAbs().maxCoeff() == 0.0) f.B.resize(0, 0);
  }
  if (flexible.geometric_stiffness)
    for (const GeometricStiffness& g : body.geometric)
      if (g.cause != GeometricStiffness::Cause::force)
        f.geometric.push_back({g.cause, f.X.transpose() * g.stiffness * f.X});

  const auto initial =
      [&](const std::optional<VectorXd>& given, const VectorXd& own, const char* what) {
        const VectorXd zeta =
            given ? *given : (own.size() == all ? own : VectorXd(VectorXd::Zero(all)));
        if (zeta.size() != all)
          throw ModelError(
              "mode-count",
              fmt::format(
                  "{}: {} initial modal {}, the body has {} modes", name, zeta.size(), what, all));
        return VectorXd(f.zeta_to_xi * zeta);
      };
  f.xi0 = initial(flexible.zeta, body.initial_zeta, "positions");
  f.xi0_dot = initial(flexible.zeta_dot, body.initial_zeta_dot, "velocities");
  const bool finite = f.m.allFinite() && f.k.allFinite() && f.N3.allFinite() && f.N4.allFinite() &&
                      f.A.allFinite() && f.B.allFinite() && f.L.allFinite() &&
                      f.inertia.allFinite() && f.first_moment.allFinite() &&
                      std::isfinite(f.mass) && f.xi0.allFinite() && f.xi0_dot.allFinite();
  if (!finite)
    throw ModelError("not-finite",
                     fmt::format("{}: the body holds a number that is not finite", name));
  return f;
}

void first_moment(const FlexModel& f, const double* xi, const double* xi_dot, FlexInertia& out) {
  const Eigen::Map<const VectorXd> z(xi, f.n), z_dot(xi_dot, f.n);
  out.s = f.first_moment;
  out.s_dot.setZero();
  if (f.n == 0) return;
  out.s.noalias() += f.N3 * z;
  out.s_dot.noalias() += f.N3 * z_dot;
}

void flex_inertia(const FlexModel& f, const double* xi, const double* xi_dot, FlexInertia& out) {
  const Eigen::Index n = f.n;
  const Eigen::Map<const VectorXd> z(xi, n), z_dot(xi_dot, n);
  first_moment(f, xi, xi_dot, out);
  out.J = f.inertia;
  out.J_dot.setZero();
  if (n == 0) return;
  out.H = f.N4;
  if (f.A.size() > 0) {
    multiply_two(f.A, xi, xi_dot, out.A_xi.data(), out.A_xi_dot.data());
    for (Eigen::Index j = 0; j < n; ++j)
      for (int c = 0; c < 3; ++c)
        out.H(c, j) += out.A_xi(c * n + j);
  }
  if (f.B.size() > 0) multiply(f.B, xi, out.B_xi.data());
  for (int c = 0; c < 6; ++c) {
    const auto slope = out.J_slope.col(c);
    const auto y = out.B_xi.segment(c * n, n);
    double value = 0.0, rate = 0.0;
    if (f.B.size() > 0) {
      out.J_slope.col(c) = f.L.col(c) + 2.0 * y;
      value = f.L.col(c).dot(z) + y.dot(z);
    } else {
      out.J_slope.col(c) = f.L.col(c);
      value = f.L.col(c).dot(z);
    }
    rate = slope.dot(z_dot);
    out.J(kPairRow[c], kPairCol[c]) += value;
    out.J_dot(kPairRow[c], kPairCol[c]) += rate;
    if (kPairRow[c] != kPairCol[c]) {
      out.J(kPairCol[c], kPairRow[c]) += value;
      out.J_dot(kPairCol[c], kPairRow[c]) += rate;
    }
  }
}

}  // namespace femflex::mbd_solver
