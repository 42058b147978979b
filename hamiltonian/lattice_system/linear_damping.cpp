// Linearises the dissipation of a lattice in the velocities at a state.
// docs/theory/hamiltonian.md eq. (6)
#include "lattice_system/linear_damping.h"

#include <cmath>

namespace femflex::hamiltonian {
LatticeSystem::Impl::LinearDamping::LinearDamping(const Impl& system, const State& state)
    : system_(system) {
  if (!system.other_damping) return;
  const auto velocity = [&](std::int32_t node) { return system.velocity(state.p, node); };
  for (std::size_t n = 0; n < system.lattice.nodes.size(); ++n) {
    const Damping& damping = system.lattice.nodes[n].damping;
    if (!damping.is_active() || damping.growth().is_none()) continue;
    const auto node = static_cast<std::int32_t>(n);
    const Eigen::Vector3d v = velocity(node);
    const double speed = v.norm();
    // across v the coefficient is F/|v|, along v it is dF/d|v|
    const double across = damping.factor(system.mass[n], speed);
    Eigen::Matrix3d c = across * Eigen::Matrix3d::Identity();
    if (speed > 0.0)
      c += (damping.slope(system.mass[n], speed) - across) / (speed * speed) * v * v.transpose();
    nodes_.push_back({node, c});
  }
  for (const std::int32_t index : system.damped) {
    const auto s = static_cast<std::size_t>(index);
    if (state.memory.broken[s] != 0) continue;
    const Spring& spring = system.lattice.springs[s];
    const Eigen::Vector3d r = system.between(state.q, spring);
    const double length = r.norm();
    if (length == 0.0) continue;
    const Eigen::Vector3d n = r / length;
    const double rate = n.dot(velocity(spring.b) - velocity(spring.a));
    springs_.push_back({index,
                        spring.a,
                        spring.b,
                        n,
                        spring.damping.slope(system.mean_mass(spring), std::abs(rate))});
  }
  for (const RotationalSpring& hinge : system.lattice.hinges) {
    if (!hinge.damping.is_active()) continue;
    const Spring& sa = system.lattice.springs[static_cast<std::size_t>(hinge.a)];
    const Spring& sb = system.lattice.springs[static_cast<std::size_t>(hinge.b)];
    const laws::HingeGradient g = angle_gradient(
        system.between(state.q, sa), system.between(state.q, sb), system.lattice.dimension);
    const double rate = g.head<3>().dot(velocity(sa.b) - velocity(sa.a)) +
                        g.tail<3>().dot(velocity(sb.b) - velocity(sb.a));
    hinges_.push_back({{sa.a, sa.b, sb.a, sb.b}, g, hinge.damping.slope(1.0, std::abs(rate))});
  }
}

void LatticeSystem::Impl::LinearDamping::add_times(double factor,
                                                   std::span<const double> x,
                                                   std::span<double> y) const {
  const auto dim = static_cast<std::size_t>(system_.lattice.dimension);
  if (system_.simple_friction) {
    for (std::size_t i = 0; i < x.size(); ++i)
      y[i] += factor * system_.friction[i / dim] * x[i];
  }
  for (const OnNode& d : nodes_)
    system_.add(d.node, factor * d.c * system_.point(x, d.node), y);
  for (const AlongSpring& d : springs_) {
    const double rate = d.n.dot(system_.point(x, d.b) - system_.point(x, d.a));
    const Eigen::Vector3d force = factor * d.c * rate * d.n;
    system_.add(d.b, force, y);
    system_.add(d.a, -force, y);
  }
  for (const InHinge& d : hinges_) {
    const double rate =
        d.g.head<3>().dot(system_.point(x, d.node[1]) - system_.point(x, d.node[0])) +
        d.g.tail<3>().dot(system_.point(x, d.node[3]) - system_.point(x, d.node[2]));
    const laws::HingeGradient force = factor * d.c * rate * d.g;
    system_.add(d.node[1], force.head<3>(), y);
    system_.add(d.node[0], -force.head<3>(), y);
    system_.add(d.node[3], force.tail<3>(), y);
    system_.add(d.node[2], -force.tail<3>(), y);
  }
  for (const std::size_t i : system_.held)
    y[i] = 0.0;
}

}  // namespace femflex::hamiltonian
