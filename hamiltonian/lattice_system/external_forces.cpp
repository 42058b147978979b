// Computes what acts on a lattice in addition to its Hamiltonian: loads, dissipation and prescribed
// motions. docs/theory/hamiltonian.md eq. (6), (7).
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "femflex/hamiltonian/lattice_system.h"

#include "lattice_system/impl.h"

namespace femflex::hamiltonian {

bool LatticeSystem::has_loads() const {
  return !impl_->lattice.loads.empty();
}

void LatticeSystem::Impl::add_loads(const Instant& instant,
                                    bool on_held,
                                    std::span<double> f) const {
  const auto dim = static_cast<std::size_t>(lattice.dimension);
  for (std::size_t l = 0; l < lattice.loads.size(); ++l) {
    const Load& load = lattice.loads[l];
    if (instant.middle < load.from || instant.middle >= load.until ||
        instant.step >= load.until_step)
      continue;
    const double time = instant.time;
    const double amount = load_curves[l].at(time).value;
    for (std::size_t axis = 0; axis < dim; ++axis) {
      const std::size_t i = static_cast<std::size_t>(load.node) * dim + axis;
      if ((inverse_mass[i] == 0.0) == on_held)
        f[i] += amount * load.force(static_cast<Eigen::Index>(axis));
    }
  }
}

void LatticeSystem::add_load(const Instant& instant, std::span<double> f) const {
  impl_->add_loads(instant, false, f);
}

void LatticeSystem::add_load_on_supports(const Instant& instant, std::span<double> f) const {
  impl_->add_loads(instant, true, f);
}

double LatticeSystem::next_event(double time) const {
  double next = std::numeric_limits<double>::infinity();
  const auto knots = [&](const Function& table) {
    const std::vector<double>& x = table.arguments;
    const auto knot = std::upper_bound(x.begin(), x.end(), time);
    if (knot != x.end()) next = std::min(next, *knot);
  };
  for (const Load& load : impl_->lattice.loads) {
    if (load.from > time) next = std::min(next, load.from);
    if (load.until > time) next = std::min(next, load.until);
    knots(load.history);
  }
  for (const PrescribedMotion& motion : impl_->lattice.motions)
    knots(motion.displacement);
  return next;
}

std::int32_t LatticeSystem::first_load_ending_at_step() const {
  const std::vector<Load>& loads = impl_->lattice.loads;
  for (std::size_t l = 0; l < loads.size(); ++l)
    if (loads[l].until_step != std::numeric_limits<std::int64_t>::max())
      return static_cast<std::int32_t>(l) + 1;
  return 0;
}

bool LatticeSystem::is_dissipative() const {
  return impl_->simple_friction || impl_->other_damping;
}

void LatticeSystem::add_dissipation(const Memory& memory,
                                    std::span<const double> q,
                                    std::span<const double> p,
                                    std::span<double> f) const {
  const Impl& m = *impl_;
  const auto dim = static_cast<std::size_t>(m.lattice.dimension);
  if (m.simple_friction) {
    for (std::size_t i = 0; i < p.size(); ++i)
      f[i] -= m.friction[i / dim] * p[i] * m.inverse_mass[i];
  }
  if (!m.other_damping) return;
  m.add_other_damping(memory, q, p, f);
  for (const std::size_t held : m.held)
    f[held] = 0.0;
}

void LatticeSystem::total_dissipation(const Memory& memory,
                                      std::span<const double> q,
                                      std::span<const double> p,
                                      std::span<double> f) const {
  const Impl& m = *impl_;
  const auto dim = static_cast<std::size_t>(m.lattice.dimension);
  if (m.simple_friction) {
    for (std::size_t i = 0; i < p.size(); ++i)
      f[i] -= m.friction[i / dim] * p[i] / m.momentum_mass[i / dim];
  }
  if (m.other_damping) m.add_other_damping(memory, q, p, f);
}

void LatticeSystem::Impl::add_other_damping(const Memory& memory,
                                            std::span<const double> q,
                                            std::span<const double> p,
                                            std::span<double> f) const {
  const Impl& m = *this;
  // velocities are p / momentum_mass: inverse_mass is 0 for DOFs of prescribed motion, although
  // they move
  const auto velocity = [&](std::int32_t node) { return m.velocity(p, node); };
  for (std::size_t n = 0; n < m.lattice.nodes.size(); ++n) {
    const Damping& damping = m.lattice.nodes[n].damping;
    if (!damping.is_active() || damping.growth().is_none()) continue;
    const Eigen::Vector3d v = velocity(static_cast<std::int32_t>(n));
    m.add(static_cast<std::int32_t>(n), -damping.factor(m.mass[n], v.norm()) * v, f);
  }
  for (const std::int32_t index : m.damped) {
    const auto s = static_cast<std::size_t>(index);
    if (memory.broken[s] != 0) continue;
    const Spring& spring = m.lattice.springs[s];
    const Eigen::Vector3d r = m.between(q, spring);
    const double length = r.norm();
    if (length == 0.0) continue;
    const Eigen::Vector3d n = r / length;
    const double rate = n.dot(velocity(spring.b) - velocity(spring.a));
    const Eigen::Vector3d on_a =
        spring.damping.factor(m.mean_mass(spring), std::abs(rate)) * rate * n;
    m.add(spring.a, on_a, f);
    m.add(spring.b, -on_a, f);
  }
  for (const RotationalSpring& hinge : m.lattice.hinges) {
    if (!hinge.damping.is_active()) continue;
    const Spring& sa = m.lattice.springs[static_cast<std::size_t>(hinge.a)];
    const Spring& sb = m.lattice.springs[static_cast<std::size_t>(hinge.b)];
    const laws::HingeGradient g =
        angle_gradient(m.between(q, sa), m.between(q, sb), m.lattice.dimension);
    const double rate = g.head<3>().dot(velocity(sa.b) - velocity(sa.a)) +
                        g.tail<3>().dot(velocity(sb.b) - velocity(sb.a));
    const double moment = -hinge.damping.factor(1.0, std::abs(rate)) * rate;
    m.add(sa.b, moment * g.head<3>(), f);
    m.add(sa.a, -moment * g.head<3>(), f);
    m.add(sb.b, moment * g.tail<3>(), f);
    m.add(sb.a, -moment * g.tail<3>(), f);
  }
}

bool LatticeSystem::decay(double tau, std::span<double> p) const {
  if (impl_->other_damping) return false;
  const auto dim = static_cast<std::size_t>(impl_->lattice.dimension);
  for (std::size_t i = 0; i < p.size(); ++i)
    p[i] *= std::exp(-impl_->friction[i / dim] * impl_->inverse_mass[i] * tau);
  return true;
}

void LatticeSystem::set_prescribed(double time, std::span<double> q, std::span<double> p) const {
  const auto dim = static_cast<std::size_t>(impl_->lattice.dimension);
  for (std::size_t m = 0; m < impl_->lattice.motions.size(); ++m) {
    const PrescribedMotion& motion = impl_->lattice.motions[m];
    const auto node = static_cast<std::size_t>(motion.node);
    const std::size_t i = node * dim + static_cast<std::size_t>(motion.axis);
    const laws::ValueAndDerivative moved = impl_->motion_curves[m].at(time);
    q[i] = impl_->lattice.nodes[node].position(motion.axis) + moved.value;
    p[i] = impl_->momentum_mass[node] * moved.derivative;
  }
}

bool LatticeSystem::has_motions() const {
  return !impl_->lattice.motions.empty();
}

// The support exerts m a - F. Its power is m a v, which changes the energy of the moved masses,
// minus F v; this is the second part, -F v.
double LatticeSystem::support_power(const Memory& memory,
                                    std::span<const double> q,
                                    std::span<const double> p) const {
  std::vector<double> f(dof_count());
  total_force(memory, q, f);
  double power = 0.0;
  for (const PrescribedMotion& motion : impl_->lattice.motions) {
    const std::size_t i = impl_->dof(motion);
    power -= f[i] * p[i] / impl_->momentum_mass[static_cast<std::size_t>(motion.node)];
  }
  return power;
}

double LatticeSystem::prescribed_kinetic_energy(std::span<const double> p) const {
  double energy = 0.0;
  for (const PrescribedMotion& motion : impl_->lattice.motions) {
    const double momentum = p[impl_->dof(motion)];
    const double mass = impl_->mass[static_cast<std::size_t>(motion.node)];
    if (mass > 0.0) energy += 0.5 * momentum * momentum / mass;
  }
  return energy;
}

}  // namespace femflex::hamiltonian
