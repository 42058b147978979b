// Tangent stiffness of a lattice, formed and unformed, and its largest frequency. eq. (5), (12).
#include <algorithm>
#include <cmath>
#include <vector>

#include <Eigen/Core>
#include <Eigen/Eigenvalues>

#include "forces/lattice_impl.h"

namespace femflex::hamiltonian {
namespace {

using Block12 = Eigen::Matrix<double, 12, 12>;

/// The hinge's second derivative in its four end points a.a, a.b, b.a, b.b.
Block12 spread(const HingeHessian& h) {
  // u = x1 - x0, v = x3 - x2
  Eigen::Matrix<double, 6, 12> map = Eigen::Matrix<double, 6, 12>::Zero();
  const Eigen::Matrix3d one = Eigen::Matrix3d::Identity();
  map.block<3, 3>(0, 0) = -one;
  map.block<3, 3>(0, 3) = one;
  map.block<3, 3>(3, 6) = -one;
  map.block<3, 3>(3, 9) = one;
  return map.transpose() * h * map;
}

}  // namespace

SparseMatrix LatticeSystem::Impl::tangent(const Memory& memory,
                                          std::span<const double> q,
                                          bool held_too) const {
  const int dim = lattice.dimension;
  std::vector<Eigen::Triplet<double, std::int32_t>> entries;
  entries.reserve(lattice.springs.size() * static_cast<std::size_t>(dim * (2 * dim + 1)));
  const auto put = [&](std::int32_t row, std::int32_t column, double value) {
    if (row < column || value == 0.0) return;
    if (!held_too && (inverse_mass[static_cast<std::size_t>(row)] == 0.0 ||
                      inverse_mass[static_cast<std::size_t>(column)] == 0.0))
      return;
    entries.emplace_back(row, column, value);
  };
  for (std::size_t s = 0; s < lattice.springs.size(); ++s) {
    if (memory.broken[s] != 0) continue;
    const Spring& spring = lattice.springs[s];
    const Eigen::Vector3d r = between(q, spring);
    const SpringAnswer here =
        answer(spring, curve_of(static_cast<std::int32_t>(s)), r.squaredNorm());
    for (int i = 0; i < dim; ++i) {
      for (int j = 0; j < dim; ++j) {
        const double value = (i == j ? here.over_length : 0.0) + here.slope * r(i) * r(j);
        put(spring.a * dim + i, spring.a * dim + j, value);
        put(spring.b * dim + i, spring.b * dim + j, value);
        put(spring.a * dim + i, spring.b * dim + j, -value);
        put(spring.b * dim + i, spring.a * dim + j, -value);
      }
    }
  }
  for (std::size_t h = 0; h < lattice.hinges.size(); ++h) {
    const RotationalSpring& hinge = lattice.hinges[h];
    const Spring& sa = lattice.springs[static_cast<std::size_t>(hinge.a)];
    const Spring& sb = lattice.springs[static_cast<std::size_t>(hinge.b)];
    const Expression::Value moment = hinge_answer(h, hinge_angle(hinge, q, memory.angles[h]));
    const Block12 block =
        spread(hinge_hessian(between(q, sa), between(q, sb), dim, moment.value, moment.derivative));
    const std::array<std::int32_t, 4> node = {sa.a, sa.b, sb.a, sb.b};
    for (std::size_t a = 0; a < 4; ++a) {
      for (std::size_t b = 0; b < 4; ++b) {
        for (int i = 0; i < dim; ++i) {
          for (int j = 0; j < dim; ++j)
            put(node[a] * dim + i,
                node[b] * dim + j,
                block(static_cast<Eigen::Index>(3 * a) + i, static_cast<Eigen::Index>(3 * b) + j));
        }
      }
    }
  }
  const auto n = static_cast<Eigen::Index>(inverse_mass.size());
  SparseMatrix k(n, n);
  k.setFromTriplets(entries.begin(), entries.end());
  return k;
}

void LatticeSystem::Impl::tangent_times(const Memory& memory,
                                        std::span<const double> q,
                                        std::span<const double> x,
                                        std::span<double> y) const {
  std::fill(y.begin(), y.end(), 0.0);
  for (std::size_t s = 0; s < lattice.springs.size(); ++s) {
    if (memory.broken[s] != 0) continue;
    const Spring& spring = lattice.springs[s];
    const Eigen::Vector3d r = between(q, spring);
    const SpringAnswer here =
        answer(spring, curve_of(static_cast<std::int32_t>(s)), r.squaredNorm());
    const Eigen::Vector3d dx = between(x, spring);
    const Eigen::Vector3d pull = here.over_length * dx + here.slope * r.dot(dx) * r;
    add(spring.b, pull, y);
    add(spring.a, -pull, y);
  }
  for (std::size_t h = 0; h < lattice.hinges.size(); ++h) {
    const RotationalSpring& hinge = lattice.hinges[h];
    const Spring& sa = lattice.springs[static_cast<std::size_t>(hinge.a)];
    const Spring& sb = lattice.springs[static_cast<std::size_t>(hinge.b)];
    const Expression::Value moment = hinge_answer(h, hinge_angle(hinge, q, memory.angles[h]));
    HingeGradient turned;
    turned.head<3>() = between(x, sa);
    turned.tail<3>() = between(x, sb);
    const HingeGradient pull =
        hinge_hessian(
            between(q, sa), between(q, sb), lattice.dimension, moment.value, moment.derivative) *
        turned;
    add(sa.b, pull.head<3>(), y);
    add(sa.a, -pull.head<3>(), y);
    add(sb.b, pull.tail<3>(), y);
    add(sb.a, -pull.tail<3>(), y);
  }
  for (const std::size_t i : held)
    y[i] = 0.0;
}

FastestMotion LatticeSystem::fastest_motion(const State& state) const {
  // Lanczos on M^-1/2 K M^-1/2. The largest eigenvalue settles within a few dozen products; lost
  // orthogonality only repeats it.
  const Impl& m = *impl_;
  const std::size_t n = freedoms();
  std::vector<double> root(n);
  Eigen::VectorXd v(static_cast<Eigen::Index>(n));
  std::uint32_t seed = 12345;
  for (std::size_t i = 0; i < n; ++i) {
    root[i] = std::sqrt(m.inverse_mass[i]);
    seed = seed * 1664525U + 1013904223U;
    const double random = static_cast<double>(seed >> 8U) / static_cast<double>(1U << 24U) - 0.5;
    v(static_cast<Eigen::Index>(i)) = root[i] > 0.0 ? random : 0.0;
  }
  if (v.norm() == 0.0) return {};
  v.normalize();
  const std::size_t steps = std::min<std::size_t>(n - m.held.size(), n > 20000 ? 30 : 80);
  Eigen::VectorXd previous = Eigen::VectorXd::Zero(v.size());
  Eigen::VectorXd scaled(v.size());
  Eigen::VectorXd w(v.size());
  std::vector<double> diagonal;
  std::vector<double> off;
  std::vector<Eigen::VectorXd> basis;
  const bool keep = n <= 20000;  // the shape tells which damping it feels
  for (std::size_t step = 0; step < steps; ++step) {
    if (keep) basis.push_back(v);
    for (std::size_t i = 0; i < n; ++i)
      scaled(static_cast<Eigen::Index>(i)) = root[i] * v(static_cast<Eigen::Index>(i));
    m.tangent_times(state.memory, state.q, {scaled.data(), n}, {w.data(), n});
    for (std::size_t i = 0; i < n; ++i)
      w(static_cast<Eigen::Index>(i)) *= root[i];
    const double alpha = v.dot(w);
    w -= alpha * v;
    if (!off.empty()) w -= off.back() * previous;
    if (keep) {
      for (const Eigen::VectorXd& b : basis)
        w -= b.dot(w) * b;
    }
    diagonal.push_back(alpha);
    const double beta = w.norm();
    if (!(beta > 1e-13 * std::abs(diagonal.front())) || step + 1 == steps) break;
    off.push_back(beta);
    previous = v;
    v = w / beta;
  }
  const auto size = static_cast<Eigen::Index>(diagonal.size());
  off.resize(diagonal.size() - 1);
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
  solver.computeFromTridiagonal(Eigen::Map<const Eigen::VectorXd>(diagonal.data(), size),
                                Eigen::Map<const Eigen::VectorXd>(off.data(), size - 1));
  FastestMotion fastest;
  fastest.omega = std::sqrt(std::max(0.0, solver.eigenvalues()(size - 1)));
  if (!m.simple_friction) return fastest;
  const auto dim = static_cast<std::size_t>(m.lattice.dimension);
  if (keep) {
    Eigen::VectorXd shape = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(n));
    for (std::size_t k = 0; k < basis.size(); ++k)
      shape += solver.eigenvectors()(static_cast<Eigen::Index>(k), size - 1) * basis[k];
    shape.normalize();
    for (std::size_t i = 0; i < n; ++i) {
      const double s = shape(static_cast<Eigen::Index>(i));
      fastest.damping += s * s * m.friction[i / dim] * m.inverse_mass[i];
    }
  } else {
    for (std::size_t i = 0; i < n; ++i)
      fastest.damping = std::max(fastest.damping, m.friction[i / dim] * m.inverse_mass[i]);
  }
  return fastest;
}

}  // namespace femflex::hamiltonian
