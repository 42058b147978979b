// Measures speed model F1: a flexible pendulum of 1025 nodes, reduced to n modes, with all nine
// invariants switched on. Not measured: the reduction and the output.
#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Dense>
#include <Eigen/Sparse>
#include <fmt/format.h>

#include "femflex/mbd_solver/simulate.h"

namespace {

using namespace femflex;
using namespace femflex::mbd_solver;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using Sparse = Eigen::SparseMatrix<double>;

constexpr double kE = 2.1e11, kNu = 0.3, kRho = 7850.0;

/// An eight-node brick with side a and full 2 x 2 x 2 quadrature: stiffness (24 x 24) and scalar
/// mass (8 x 8).
struct Brick {
  Eigen::Matrix<double, 24, 24> K = Eigen::Matrix<double, 24, 24>::Zero();
  Eigen::Matrix<double, 8, 8> m = Eigen::Matrix<double, 8, 8>::Zero();
  explicit Brick(const Vector3d& a) {
    Eigen::Matrix<double, 6, 6> D = Eigen::Matrix<double, 6, 6>::Zero();
    const double c = kE / ((1.0 + kNu) * (1.0 - 2.0 * kNu));
    D.topLeftCorner<3, 3>().setConstant(c * kNu);
    D.topLeftCorner<3, 3>().diagonal().setConstant(c * (1.0 - kNu));
    D.bottomRightCorner<3, 3>().diagonal().setConstant(0.5 * kE / (1.0 + kNu));
    const double g = 1.0 / std::sqrt(3.0), volume = a.prod();
    for (int q = 0; q < 8; ++q) {
      const Vector3d p((q & 1) ? g : -g, (q & 2) ? g : -g, (q & 4) ? g : -g);
      Eigen::Matrix<double, 6, 24> B = Eigen::Matrix<double, 6, 24>::Zero();
      Eigen::Matrix<double, 8, 1> N;
      for (int k = 0; k < 8; ++k) {
        const Vector3d s((k & 1) ? 1 : -1, (k & 2) ? 1 : -1, (k & 4) ? 1 : -1);
        const Vector3d f = Vector3d::Ones() + s.cwiseProduct(p);
        N(k) = f.prod() / 8.0;
        const Vector3d d = 0.25 * Vector3d(s.x() * f.y() * f.z() / a.x(),
                                           s.y() * f.x() * f.z() / a.y(),
                                           s.z() * f.x() * f.y() / a.z());
        B.block<6, 3>(0, 3 * k) << d.x(), 0, 0, 0, d.y(), 0, 0, 0, d.z(), d.y(), d.x(), 0, 0, d.z(),
            d.y(), d.z(), 0, d.x();
      }
      K += volume / 8.0 * B.transpose() * D * B;
      m += kRho * volume / 8.0 * N * N.transpose();
    }
  }
};

/// A beam with rigid end faces. The matrix T maps the free nodes and the six motions of the tip
/// face to all nodes.
struct Beam {
  Eigen::Matrix3Xd positions;
  Sparse K, mass;   // (3 rows per node), (1 row per node)
  MatrixXd shapes;  // (3 rows per node x 64) Craig-Bampton, normalised afterwards
  VectorXd k;       // modal stiffness for modal mass 1
};

Beam make_beam(Index n) {
  const int nx = 40, ny = 4, nz = 4;
  Beam beam;
  const auto id = [&](int i, int j, int k) { return (i * (ny + 1) + j) * (nz + 1) + k; };
  const int nodes = (nx + 1) * (ny + 1) * (nz + 1);
  beam.positions.resize(3, nodes);
  for (int i = 0; i <= nx; ++i)
    for (int j = 0; j <= ny; ++j)
      for (int k = 0; k <= nz; ++k)
        beam.positions.col(id(i, j, k)) = Vector3d(i / 40.0, 0.01 * j - 0.02, 0.01 * k - 0.02);
  const Brick brick({1.0 / nx, 0.01, 0.01});
  std::vector<Eigen::Triplet<double>> tk, tm;
  for (int i = 0; i < nx; ++i)
    for (int j = 0; j < ny; ++j)
      for (int k = 0; k < nz; ++k) {
        std::array<int, 8> node{};
        for (int c = 0; c < 8; ++c)
          node[static_cast<std::size_t>(c)] =
              id(i + (c & 1), j + ((c >> 1) & 1), k + ((c >> 2) & 1));
        for (int r = 0; r < 8; ++r)
          for (int c = 0; c < 8; ++c) {
            const int nr = node[static_cast<std::size_t>(r)],
                      nc = node[static_cast<std::size_t>(c)];
            tm.emplace_back(nr, nc, brick.m(r, c));
            for (int a = 0; a < 3; ++a)
              for (int b = 0; b < 3; ++b)
                tk.emplace_back(3 * nr + a, 3 * nc + b, brick.K(3 * r + a, 3 * c + b));
          }
      }
  beam.K.resize(3 * nodes, 3 * nodes);
  beam.K.setFromTriplets(tk.begin(), tk.end());
  beam.mass.resize(nodes, nodes);
  beam.mass.setFromTriplets(tm.begin(), tm.end());
  // inner DOFs first, then the six DOFs of the rigid tip face
  const int inner_nodes = nodes - 2 * 25, first = 25;
  std::vector<Eigen::Triplet<double>> ti, tt;
  for (int k = 0; k < 3 * inner_nodes; ++k)
    ti.emplace_back(3 * first + k, k, 1.0);
  Sparse inner(3 * nodes, 3 * inner_nodes);
  inner.setFromTriplets(ti.begin(), ti.end());
  MatrixXd tip = MatrixXd::Zero(3 * nodes, 6);
  for (int node = nodes - 25; node < nodes; ++node) {
    const Vector3d d = beam.positions.col(node) - Vector3d(1, 0, 0);
    tip.block<3, 3>(3 * node, 0).setIdentity();
    tip.block<3, 3>(3 * node, 3) = -cross_matrix(d);
  }
  Sparse M3(3 * nodes, 3 * nodes);
  std::vector<Eigen::Triplet<double>> t3;
  for (const auto& t : tm)
    for (int a = 0; a < 3; ++a)
      t3.emplace_back(3 * t.row() + a, 3 * t.col() + a, t.value());
  M3.setFromTriplets(t3.begin(), t3.end());
  const Sparse Kii = inner.transpose() * beam.K * inner, Mii = inner.transpose() * M3 * inner;
  Eigen::SimplicialLDLT<Sparse> factor(Kii);
  const MatrixXd constraint =
      tip - inner * factor.solve(MatrixXd(inner.transpose() * (beam.K * tip)));
  // computes fixed-interface modes by subspace iteration
  const Index wanted = n - 6, block = wanted + 12;
  MatrixXd X = MatrixXd::Random(Kii.rows(), block);
  VectorXd lambda;
  for (int it = 0; it < 25; ++it) {
    X = factor.solve(MatrixXd(Mii * X));
    const MatrixXd m = X.transpose() * (Mii * X), k = X.transpose() * (Kii * X);
    const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> solver(k, m);
    X = (X * solver.eigenvectors()).eval();
    lambda = solver.eigenvalues();
  }
  fmt::print("n = {}: first fixed-interface frequency {:.3f} Hz (expected 228.689)\n",
             n,
             std::sqrt(lambda(0)) / (2.0 * M_PI));
  MatrixXd U(3 * nodes, n);
  U << constraint, inner * X.leftCols(wanted);
  const MatrixXd m = U.transpose() * (M3 * U), k = U.transpose() * (beam.K * U);
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> solver(k, m);
  beam.shapes = U * solver.eigenvectors();
  beam.k = solver.eigenvalues();
  return beam;
}

/// Computes the invariants with the consistent mass, as sums over pairs of nodes that share an
/// element.
FlexBody body_of(const Beam& beam) {
  const Index n = beam.shapes.cols(), nodes = beam.positions.cols();
  FlexBody body;
  body.name = "F1";
  body.shapes.setZero(6 * nodes, n);
  for (Index p = 0; p < nodes; ++p) {
    body.nodes.push_back({p + 1, beam.positions.col(p)});
    body.shapes.middleRows(6 * p, 3) = beam.shapes.middleRows(3 * p, 3);
  }
  body.mass = MatrixXd::Identity(n, n);
  body.stiffness = beam.k.asDiagonal();
  body.damping = MatrixXd(1e-6 * body.stiffness);
  body.modes.resize(static_cast<std::size_t>(n));
  body.lumped_mass.setZero(nodes, 6);
  // for each component a: coordinates c_a (nodes x 1) and shapes phi_a (nodes x n)
  std::array<MatrixXd, 3> c, phi, mc, mphi;
  for (int a = 0; a < 3; ++a) {
    const auto u = static_cast<std::size_t>(a);
    c[u] = beam.positions.row(a).transpose();
    phi[u].resize(nodes, n);
    for (Index p = 0; p < nodes; ++p)
      phi[u].row(p) = beam.shapes.row(3 * p + a);
    mc[u] = beam.mass * c[u];
    mphi[u] = beam.mass * phi[u];
  }
  InertiaInvariants& I = body.invariants;
  const VectorXd ones = VectorXd::Ones(nodes), m1 = beam.mass * ones;
  I.mass = m1.sum();
  I.translation.resize(3, n);
  I.rotation.resize(3, n);
  I.translation_rate.resize(3, n * n);
  I.inertia_rate.resize(3, 3 * n);
  I.inertia_curvature.resize(3 * n, 3 * n);
  I.modal = MatrixXd::Identity(n, n);
  Eigen::Matrix3d cc;
  std::array<std::array<MatrixXd, 3>, 3> pp, cp;  // phi_a' M phi_b and c_a' M phi_b
  for (std::size_t a = 0; a < 3; ++a) {
    I.first_moment(static_cast<Index>(a)) = m1.dot(c[a].col(0));
    I.translation.row(static_cast<Index>(a)) = m1.transpose() * phi[a];
    for (std::size_t b = 0; b < 3; ++b) {
      cc(static_cast<Index>(a), static_cast<Index>(b)) = (c[a].transpose() * mc[b])(0, 0);
      pp[a][b] = phi[a].transpose() * mphi[b];
      cp[a][b] = mc[a].transpose() * phi[b];
    }
  }
  I.inertia = cc.trace() * Eigen::Matrix3d::Identity() - cc;
  // integral of the product of cross-product matrices a~ b~ = b a' - (a.b) 1 over the mass
  const auto tilde_tilde = [](const Eigen::Matrix3d& ab) {  // ab(r, s) = <a_r b_s>
    return Eigen::Matrix3d(ab.transpose() - ab.trace() * Eigen::Matrix3d::Identity());
  };
  for (Index j = 0; j < n; ++j) {
    Eigen::Matrix3d cphi;
    for (int r = 0; r < 3; ++r)
      for (int s = 0; s < 3; ++s)
        cphi(r, s) = cp[static_cast<std::size_t>(r)][static_cast<std::size_t>(s)](0, j);
    I.inertia_rate.middleCols<3>(3 * j) = tilde_tilde(cphi);
    I.rotation.col(j) << cphi(1, 2) - cphi(2, 1), cphi(2, 0) - cphi(0, 2), cphi(0, 1) - cphi(1, 0);
    for (Index k = 0; k < n; ++k) {
      Eigen::Matrix3d both;
      for (int r = 0; r < 3; ++r)
        for (int s = 0; s < 3; ++s)
          both(r, s) = pp[static_cast<std::size_t>(r)][static_cast<std::size_t>(s)](j, k);
      I.inertia_curvature.block<3, 3>(3 * j, 3 * k) = tilde_tilde(both);
      I.translation_rate.col(n * j + k) << both(1, 2) - both(2, 1), both(2, 0) - both(0, 2),
          both(0, 1) - both(1, 0);
    }
  }
  return make_flex_body(std::move(body));
}

/// Runs F1 on a hinge and prints the rate.
/// @param place  the hinge's place on the body
/// @param peer   steps per CPU second of the best peer of the published table
void measure(const std::shared_ptr<const FlexBody>& body,
             Index n,
             const std::string& place,
             double peer) {
  System system;
  Flexible flexible;
  flexible.body = body;
  Body arm;
  arm.name = "arm";
  arm.kind = flexible;
  system.bodies = {arm};
  system.gravity = {Value(0.0), Value(3.0), Value(-9.81)};
  Joint hinge;
  hinge.name = "hinge";
  hinge.type = JointType::revolute;
  hinge.a = "ground";
  hinge.b = place;
  hinge.axis = Vector3d::UnitY();
  system.joints = {hinge};
  system.outputs = {fmt::format("arm/{}/position", 1025 - 12)};  // middle of the tip face
  std::vector<double> rates;
  Vector3d tip;
  double iterations = 0.0, factors = 0.0;
  for (int repeat = 0; repeat < 3; ++repeat) {
    DynamicOptions options;
    options.end = 1.0;
    options.step = 1e-3;
    options.output_step = 1.0;
    options.newton_tolerance = 1e-3;
    Results results;
    Diagnostics diagnostics;
    const SimulationSummary s = simulate(system, options, results, diagnostics, no_progress());
    if (s.status != RunStatus::complete) fmt::print("failed: {}\n", s.reason);
    rates.push_back(static_cast<double>(s.steps) / s.cpu_seconds);
    iterations = static_cast<double>(s.iterations) / static_cast<double>(s.steps);
    factors = static_cast<double>(s.factorisations) / static_cast<double>(s.steps);
    for (Index c = 0; c < 3; ++c)
      tip(c) = results.value(results.rows() - 1, c);
  }
  std::sort(rates.begin(), rates.end());
  fmt::print(
      "  n {:3}, hinge at {}: {:8.0f} steps/CPU s, {:.2f} x the best peer; {:.2f} iterations, "
      "{:.2f} factors per step; tip {:.5f} {:.1e} {:.5f}\n",
      n,
      place,
      rates[1],
      rates[1] / peer,
      iterations,
      factors,
      tip.x(),
      tip.y(),
      tip.z());
}

}  // namespace

int main() {
  const std::array<std::pair<int, double>, 4> peers = {
      {{8, 16904.0}, {16, 7600.0}, {32, 6020.0}, {64, 4596.0}}};
  fmt::print("F1, generalised-alpha, 1000 steps of 1e-3 s, all nine invariants\n");
  for (const auto& [n, peer] : peers) {
    const auto body = std::make_shared<FlexBody>(body_of(make_beam(n)));
    for (const char* const place : {"arm", "arm/13"})  // the origin, and the node there
      measure(body, n, place, peer);
  }
  return 0;
}
