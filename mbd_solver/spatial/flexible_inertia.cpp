// Evaluates first moment, coupling and inertia tensor of a flexible body at xi and xi_dot.
// Matrix-vector products read each coefficient once. Equations: docs/theory/multibody.md.
#include "spatial/flexible_inertia.h"

#include <algorithm>

namespace femflex::mbd_solver {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

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

}  // namespace

int mode_number(const FlexModel& flex, Eigen::Index j) {
  Eigen::Index mode = 0;
  (flex.X.col(j).array().square() * flex.body->mass.diagonal().array()).maxCoeff(&mode);
  return static_cast<int>(mode) + 1;
}

FlexInertia::FlexInertia(const FlexModel& flex)
    : s(flex.first_moment),
      s_dot(Eigen::Vector3d::Zero()),
      N3_rate(Eigen::Vector3d::Zero()),
      H_rate(Eigen::Vector3d::Zero()),
      J(flex.inertia),
      J_dot(Eigen::Matrix3d::Zero()),
      N3(flex.N3),
      H(flex.N4),
      A_xi(VectorXd::Zero(3 * flex.n)),
      A_xi_dot(A_xi),
      sym_xi(A_xi),
      sym_rate(A_xi),
      B_xi(VectorXd::Zero(6 * flex.n)),
      J_slope(flex.L) {}

void first_moment(const FlexModel& f, const double* xi, const double* xi_dot, FlexInertia& out) {
  const Eigen::Index n = f.n;
  const Eigen::Map<const VectorXd> z(xi, n), z_dot(xi_dot, n);
  out.s = f.first_moment;
  out.s_dot.setZero();
  out.N3_rate.setZero();
  out.H_rate.setZero();
  if (n == 0) return;
  out.s.noalias() += f.N3 * z;
  if (f.N3_slope.size() > 0) {  // eq. (10): s = N2 + N3 xi + xi' N3_slope xi / 2
    multiply_two(f.N3_slope, xi, xi_dot, out.sym_xi.data(), out.sym_rate.data());
    for (int c = 0; c < 3; ++c) {
      const auto bend = out.sym_xi.segment(c * n, n);
      out.s(c) += 0.5 * z.dot(bend);
      out.N3.row(c) = f.N3.row(c) + bend.transpose();
      out.N3_rate(c) = z_dot.dot(out.sym_rate.segment(c * n, n));
    }
  }
  out.s_dot.noalias() += out.N3 * z_dot;
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
  if (f.A_symmetric.size() > 0) {
    multiply_two(f.A_symmetric, xi, xi_dot, out.sym_xi.data(), out.sym_rate.data());
    for (int c = 0; c < 3; ++c) {
      out.H.row(c) += out.sym_xi.segment(c * n, n).transpose();
      out.H_rate(c) = z_dot.dot(out.sym_rate.segment(c * n, n));
    }
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
