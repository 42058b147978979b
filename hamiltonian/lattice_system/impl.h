// The private data of LatticeSystem, and the loops over springs and hinges.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "femflex/hamiltonian/hamiltonian_system.h"
#include "femflex/hamiltonian/lattice_system.h"

#include "lattice_system/compiled_function.h"
#include "lattice_system/lattice_hinge.h"
#include "lattice_system/spring_law.h"

namespace femflex::hamiltonian {

/// The data of a lattice, sorted for the loops of a step.
struct LatticeSystem::Impl {
  class LinearDamping;  // lattice_system/linear_damping.h

  explicit Impl(Lattice given);

  Lattice lattice;
  std::vector<double> mass;  // per node
  // per node: p / v, the mass; 1 kg where there is none, so that p tells how fast a node is moved
  std::vector<double> momentum_mass;
  std::vector<double> inverse_mass;             // per DOF, 0 if fixed
  std::vector<std::size_t> held;                // indices of fixed DOFs
  std::vector<CompiledFunction> spring_curves;  // curves of table and expression springs
  // per spring, index of its curve; -1: none; empty: no spring has one
  std::vector<std::int32_t> curve_number;
  std::vector<CompiledFunction> hinge_curves, load_curves, motion_curves;
  // indices of springs that may break, have a section, or are damped
  std::vector<std::int32_t> breakable, with_section, damped;
  bool simple_friction = false;  // true: all damping is a constant c on nodes
  bool other_damping = false;
  std::vector<double> friction;  // c of constant damping, per node

  // quartic and linear springs that cannot break, by law; they are computed by short loops
  struct Plain {
    std::int32_t a, b;
    double k, d;  // stiffness and rest length; for quartic springs 2 k and d^2
  };
  std::vector<Plain> quartic, linear, taut_quartic, taut_linear;
  std::vector<std::int32_t> special;  // indices of all other springs
  void sort_springs();

  const CompiledFunction* curve_of(std::int32_t spring) const {
    if (curve_number.empty() || curve_number[static_cast<std::size_t>(spring)] < 0) return nullptr;
    return &spring_curves[static_cast<std::size_t>(curve_number[static_cast<std::size_t>(spring)])];
  }
  Eigen::Vector3d point(std::span<const double> q, std::int32_t node) const {
    Eigen::Vector3d x = Eigen::Vector3d::Zero();
    const auto dim = static_cast<std::size_t>(lattice.dimension);
    for (std::size_t axis = 0; axis < dim; ++axis)
      x(static_cast<Eigen::Index>(axis)) = q[static_cast<std::size_t>(node) * dim + axis];
    return x;
  }
  std::size_t dof(const PrescribedMotion& motion) const {
    return static_cast<std::size_t>(motion.node) * static_cast<std::size_t>(lattice.dimension) +
           static_cast<std::size_t>(motion.axis);
  }
  /// The mass of a damper along a spring, if its c is per mass.
  double mean_mass(const Spring& spring) const {
    return 0.5 *
           (mass[static_cast<std::size_t>(spring.a)] + mass[static_cast<std::size_t>(spring.b)]);
  }
  Eigen::Vector3d velocity(std::span<const double> p, std::int32_t node) const {
    return point(p, node) / momentum_mass[static_cast<std::size_t>(node)];
  }
  /// From end a of the spring to end b. Always inline: called for each spring of a product.
  [[gnu::always_inline]] Eigen::Vector3d between(std::span<const double> q,
                                                 const Spring& spring) const {
    Eigen::Vector3d r = Eigen::Vector3d::Zero();
    const auto dim = static_cast<std::size_t>(lattice.dimension);
    const double* const from = &q[static_cast<std::size_t>(spring.a) * dim];
    const double* const to = &q[static_cast<std::size_t>(spring.b) * dim];
    for (std::size_t axis = 0; axis < dim; ++axis)
      r(static_cast<Eigen::Index>(axis)) = to[axis] - from[axis];
    return r;
  }
  void add(std::int32_t node, const Eigen::Vector3d& value, std::span<double> f) const {
    const auto dim = static_cast<std::size_t>(lattice.dimension);
    for (std::size_t axis = 0; axis < dim; ++axis)
      f[static_cast<std::size_t>(node) * dim + axis] += value(static_cast<Eigen::Index>(axis));
  }
  /// Angle of a hinge; in 2D with as many turns as bring it nearest to the angle `last`.
  double hinge_angle(const RotationalSpring& hinge, std::span<const double> q, double last) const;
  /// Moment of a hinge and its derivative at the angle phi.
  laws::ValueAndDerivative hinge_moment(std::size_t hinge, double phi) const;

  void gravity(std::span<double> f) const;
  /// Adds the loads on the fixed DOFs, or on all others.
  void add_loads(const Instant& instant, bool on_held, std::span<double> f) const;
  void add_springs(const Memory& memory, std::span<const double> q, std::span<double> f) const;
  /// Adds the forces of the springs of a list.
  void add_each(std::span<const std::int32_t> list,
                const Memory& memory,
                std::span<const double> q,
                std::span<double> f) const;
  void add_hinges(const Memory& memory, std::span<const double> q, std::span<double> f) const;
  /// Adds all damping that is not a constant c on a node, also on fixed DOFs.
  void add_other_damping(const Memory& memory,
                         std::span<const double> q,
                         std::span<const double> p,
                         std::span<double> f) const;
  double spring_energy(const Memory& memory, std::span<const double> q) const;
  double hinge_energy(std::size_t h, const Memory& memory, std::span<const double> q) const;
  /// Tangent stiffness, lower triangle. Rows and columns of fixed DOFs are empty, unless
  /// `include_held` is true.
  SparseMatrix tangent(const Memory& memory,
                       std::span<const double> q,
                       bool include_held = false) const;
  /// y = tangent * x, without forming the tangent. x must be zero on fixed DOFs, as y is.
  void tangent_times(const Memory& memory,
                     std::span<const double> q,
                     std::span<const double> x,
                     std::span<double> y) const;
};

}  // namespace femflex::hamiltonian
