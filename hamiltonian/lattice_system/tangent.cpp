// Computes the tangent stiffness of a lattice as a matrix, and its product with a vector without
// forming the matrix. docs/theory/hamiltonian.md eq. (5).
#include <algorithm>
#include <vector>

#include <Eigen/Core>

#include "lattice_system/impl.h"

namespace femflex::hamiltonian {
namespace {

using Block12 = Eigen::Matrix<double, 12, 12>;

/// The Hessian of a hinge with respect to the positions x0 and x1 of the ends of its spring a and
/// x2 and x3 of those of its spring b. `h` is the Hessian with respect to the vectors u = x1 - x0
/// and v = x3 - x2 of the springs.
Block12 hessian_of_ends(const laws::HingeHessian& h) {
  Eigen::Matrix<double, 6, 12> map = Eigen::Matrix<double, 6, 12>::Zero();
  const Eigen::Matrix3d identity = Eigen::Matrix3d::Identity();
  map.block<3, 3>(0, 0) = -identity;
  map.block<3, 3>(0, 3) = identity;
  map.block<3, 3>(3, 6) = -identity;
  map.block<3, 3>(3, 9) = identity;
  return map.transpose() * h * map;
}

}  // namespace

SparseMatrix LatticeSystem::Impl::tangent(const Memory& memory,
                                          std::span<const double> q,
                                          bool include_held) const {
  const int dim = lattice.dimension;
  std::vector<Eigen::Triplet<double, std::int32_t>> entries;
  entries.reserve(lattice.springs.size() * static_cast<std::size_t>(dim * (2 * dim + 1)));
  // stores the lower triangle. Exact zeros are left out, so the pattern depends on q: a caller must
  // not reuse the symbolic part of a factorisation at another q
  const auto put = [&](std::int32_t row, std::int32_t column, double value) {
    if (row < column || value == 0.0) return;
    if (!include_held && (inverse_mass[static_cast<std::size_t>(row)] == 0.0 ||
                          inverse_mass[static_cast<std::size_t>(column)] == 0.0))
      return;
    entries.emplace_back(row, column, value);
  };
  for (std::size_t s = 0; s < lattice.springs.size(); ++s) {
    if (memory.broken[s] != 0) continue;
    const Spring& spring = lattice.springs[s];
    const Eigen::Vector3d r = between(q, spring);
    const laws::CentralForce here =
        central_force(spring, curve_of(static_cast<std::int32_t>(s)), r.squaredNorm());
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
  // a hinge acts on the end points of its springs, broken or not, as in add_hinges
  for (std::size_t h = 0; h < lattice.hinges.size(); ++h) {
    const RotationalSpring& hinge = lattice.hinges[h];
    const Spring& sa = lattice.springs[static_cast<std::size_t>(hinge.a)];
    const Spring& sb = lattice.springs[static_cast<std::size_t>(hinge.b)];
    const laws::ValueAndDerivative moment =
        hinge_moment(h, hinge_angle(hinge, q, memory.angles[h]));
    const Block12 block =
        hessian_of_ends(hinge_hessian(between(q, sa), between(q, sb), dim, moment));
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
    const laws::CentralForce here =
        central_force(spring, curve_of(static_cast<std::int32_t>(s)), r.squaredNorm());
    const Eigen::Vector3d dx = between(x, spring);
    const Eigen::Vector3d pull = here.over_length * dx + here.slope * r.dot(dx) * r;
    add(spring.b, pull, y);
    add(spring.a, -pull, y);
  }
  for (std::size_t h = 0; h < lattice.hinges.size(); ++h) {
    const RotationalSpring& hinge = lattice.hinges[h];
    const Spring& sa = lattice.springs[static_cast<std::size_t>(hinge.a)];
    const Spring& sb = lattice.springs[static_cast<std::size_t>(hinge.b)];
    const laws::ValueAndDerivative moment =
        hinge_moment(h, hinge_angle(hinge, q, memory.angles[h]));
    Eigen::Matrix<double, 6, 1> change;  // of u and v by the displacement x
    change.head<3>() = between(x, sa);
    change.tail<3>() = between(x, sb);
    const laws::HingeGradient pull =
        hinge_hessian(between(q, sa), between(q, sb), lattice.dimension, moment) * change;
    add(sa.b, pull.head<3>(), y);
    add(sa.a, -pull.head<3>(), y);
    add(sb.b, pull.tail<3>(), y);
    add(sb.a, -pull.tail<3>(), y);
  }
  for (const std::size_t i : held)
    y[i] = 0.0;
}

void LatticeSystem::tangent(const Memory& memory,
                            std::span<const double> q,
                            SparseMatrix& stiffness,
                            std::vector<double>& inverse_mass) const {
  stiffness = impl_->tangent(memory, q);
  inverse_mass = impl_->inverse_mass;
}

SparseMatrix LatticeSystem::full_tangent(const State& state) const {
  return impl_->tangent(state.memory, state.q, true);
}

}  // namespace femflex::hamiltonian
