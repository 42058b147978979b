// Computes proven lower bounds of the damping x'C x / x'M x of a lattice for all shapes x, and
// tests combinations of C, K and M for definiteness. docs/theory/hamiltonian.md §5.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include <Eigen/Core>
#include <Eigen/SparseCholesky>

#include "femflex/dense.h"

#include "lattice_system/impl.h"
#include "lattice_system/linear_damping.h"

namespace femflex::hamiltonian {

SparseMatrix LatticeSystem::Impl::LinearDamping::matrix() const {
  const int dim = system_.lattice.dimension;
  std::vector<Eigen::Triplet<double, std::int32_t>> entries;
  const auto put = [&](std::int32_t row, std::int32_t column, double value) {
    if (row < column || system_.inverse_mass[static_cast<std::size_t>(row)] == 0.0 ||
        system_.inverse_mass[static_cast<std::size_t>(column)] == 0.0)
      return;
    entries.emplace_back(row, column, value);
  };
  const auto n = static_cast<std::int32_t>(system_.inverse_mass.size());
  if (system_.simple_friction) {
    for (std::int32_t i = 0; i < n; ++i)
      put(i, i, system_.friction[static_cast<std::size_t>(i / dim)]);
  }
  for (const OnNode& d : nodes_) {
    for (int i = 0; i < dim; ++i)
      for (int j = 0; j < dim; ++j)
        put(d.node * dim + i, d.node * dim + j, d.c(i, j));
  }
  // adds one damper: its force is c times the rate, which is the sum of g_k . v_k over its nodes
  const auto add_damper =
      [&](std::span<const std::int32_t> nodes, std::span<const Eigen::Vector3d> g, double c) {
        for (std::size_t a = 0; a < nodes.size(); ++a)
          for (std::size_t b = 0; b < nodes.size(); ++b)
            for (int i = 0; i < dim; ++i)
              for (int j = 0; j < dim; ++j)
                put(nodes[a] * dim + i, nodes[b] * dim + j, c * g[a](i) * g[b](j));
      };
  for (const AlongSpring& d : springs_)
    add_damper(std::array{d.a, d.b}, std::array<Eigen::Vector3d, 2>{-d.n, d.n}, d.c);
  for (const InHinge& d : hinges_) {
    const Eigen::Vector3d u = d.g.head<3>();
    const Eigen::Vector3d v = d.g.tail<3>();
    add_damper(d.node, std::array<Eigen::Vector3d, 4>{-u, u, -v, v}, d.c);
  }
  SparseMatrix c(n, n);
  c.setFromTriplets(entries.begin(), entries.end());
  return c;
}

SparseMatrix LatticeSystem::damping(const State& state) const {
  return Impl::LinearDamping(*impl_, state).matrix();
}

double LatticeSystem::Impl::LinearDamping::min_on_nodes() const {
  const auto dim = static_cast<std::size_t>(system_.lattice.dimension);
  std::vector<double> c(system_.mass.size(), 0.0);
  if (system_.simple_friction) c = system_.friction;
  for (const OnNode& d : nodes_) {
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(d.c, Eigen::EigenvaluesOnly);
    c[static_cast<std::size_t>(d.node)] += solver.eigenvalues()(0);
  }
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < system_.inverse_mass.size(); ++i)
    if (system_.inverse_mass[i] > 0.0)
      least = std::min(least, c[i / dim] * system_.inverse_mass[i]);
  return std::isfinite(least) ? least : 0.0;
}

bool LatticeSystem::Impl::LinearDamping::add_along_springs(std::span<double> along) const {
  for (const AlongSpring& d : springs_)
    along[static_cast<std::size_t>(d.spring)] += d.c;
  return std::all_of(springs_.begin(), springs_.end(), [](const auto& d) { return d.c >= 0.0; }) &&
         std::all_of(hinges_.begin(), hinges_.end(), [](const auto& d) { return d.c >= 0.0; });
}

DampingBound LatticeSystem::damping_bound(const State& state) const {
  const Impl& m = *impl_;
  const Impl::LinearDamping damping(m, state);
  std::vector<double> along(m.lattice.springs.size(), 0.0);
  const double on_nodes = damping.min_on_nodes();
  if (!damping.add_along_springs(along) || on_nodes < 0.0) return {};  // a damper is negative
  // C >= ratio K for the axial part of K only; the lateral stiffness from tension is not damped
  const auto dim = static_cast<std::size_t>(m.lattice.dimension);
  double ratio = std::numeric_limits<double>::infinity();
  std::vector<double> across(m.mass.size(), 0.0);
  for (std::size_t s = 0; s < m.lattice.springs.size(); ++s) {
    if (state.memory.broken[s] != 0) continue;
    const Spring& spring = m.lattice.springs[s];
    const double r2 = m.between(state.q, spring).squaredNorm();
    const laws::CentralForce here =
        central_force(spring, m.curve_of(static_cast<std::int32_t>(s)), r2);
    const double stiffness = here.over_length + here.slope * r2;
    if (stiffness > 0.0) ratio = std::min(ratio, along[s] / stiffness);
    for (const std::int32_t node : {spring.a, spring.b})
      across[static_cast<std::size_t>(node)] += std::max(0.0, 2.0 * here.over_length);
  }
  if (!m.lattice.hinges.empty() || !std::isfinite(ratio)) ratio = 0.0;
  double most_across = 0.0;
  for (std::size_t i = 0; i < m.inverse_mass.size(); ++i)
    most_across = std::max(most_across, across[i / dim] * m.inverse_mass[i]);
  return {ratio, ratio * most_across - on_nodes, on_nodes};
}

std::function<bool(double, double, double)> LatticeSystem::definiteness_test(
    const State& state) const {
  constexpr std::size_t kMaxDofs = 10000;
  // largest number of entries of the factor L; factoring then takes a few hundredths of a second
  constexpr Eigen::Index kMaxFill = 200000;
  const Impl& m = *impl_;
  if (dof_count() > kMaxDofs) return {};
  struct Proof {
    SparseMatrix c, k, mass, one;
    Eigen::SimplicialLLT<SparseMatrix> factor;
  };
  const auto proof = std::make_shared<Proof>();
  proof->c = Impl::LinearDamping(m, state).matrix();
  proof->k = m.tangent(state.memory, state.q);
  const auto n = static_cast<Eigen::Index>(dof_count());
  proof->mass.resize(n, n);
  proof->one.resize(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const double inverse = m.inverse_mass[static_cast<std::size_t>(i)];
    proof->mass.insert(i, i) = inverse > 0.0 ? 1.0 / inverse : 0.0;
    proof->one.insert(i, i) = inverse > 0.0 ? 0.0 : 1.0;
  }
  // fixed DOFs get a unit diagonal
  SparseMatrix all = 0.0 * proof->c + 0.0 * proof->k + proof->mass + proof->one;
  proof->factor.compute(all);
  if (proof->factor.info() != Eigen::Success) return {};
  if (proof->factor.matrixL().nestedExpression().nonZeros() > kMaxFill) return {};
  return [proof](double a, double b, double d) {
    if (!std::isfinite(a) || !std::isfinite(b) || !std::isfinite(d)) return false;
    const SparseMatrix sum = a * proof->c + b * proof->k + d * proof->mass + proof->one;
    proof->factor.factorize(sum);
    return proof->factor.info() == Eigen::Success;
  };
}

}  // namespace femflex::hamiltonian
