// LinearDamping: the damping matrix C of a lattice at one state, kept as one contribution per
// damper.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "lattice_system/impl.h"

namespace femflex::hamiltonian {

/// C = -d(dissipative force)/d(velocity) at one state, kept as the contribution of each damper.
class LatticeSystem::Impl::LinearDamping {
 public:
  LinearDamping(const Impl& system, const State& state);

  /// y += factor * C x on free DOFs, y = 0 on held ones; x is a velocity.
  void add_times(double factor, std::span<const double> x, std::span<double> y) const;
  /// Lower triangle of C; rows and columns of held DOFs are empty.
  SparseMatrix matrix() const;
  /// Least c/m [1/s] of all free DOFs, from the dampers on their nodes alone; it may be negative.
  double min_on_nodes() const;
  /// Adds the c of each damped spring to its entry of `along`.
  /// @return false if a damper of a spring or a hinge has negative damping at this speed
  bool add_along_springs(std::span<double> along) const;

 private:
  struct OnNode {
    std::int32_t node;
    Eigen::Matrix3d c;  // [N s/m]
  };
  struct AlongSpring {
    std::int32_t spring, a, b;
    Eigen::Vector3d n;  // unit vector from a to b
    double c;           // [N s/m]
  };
  struct InHinge {
    std::array<std::int32_t, 4> node;  // a.a, a.b, b.a, b.b
    laws::HingeGradient g;
    double c;  // [N m s]
  };
  const Impl& system_;
  std::vector<OnNode> nodes_;
  std::vector<AlongSpring> springs_;
  std::vector<InHinge> hinges_;
};

}  // namespace femflex::hamiltonian
