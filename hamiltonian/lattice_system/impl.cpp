// Prepares a lattice for evaluation, and computes forces and energies of its springs and hinges.
// docs/theory/hamiltonian.md §1-§3.
#include "lattice_system/impl.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "femflex/hamiltonian/lattice_system.h"

namespace femflex::hamiltonian {
namespace {

using Beyond = CompiledFunction::Beyond;

// Adds the forces of all springs of one group (one law, cannot break), in a short loop for each
// dimension.
template <int Dim, typename Springs, typename OverLength>
void add_plain(const Springs& springs, const OverLength& over_length, const double* q, double* f) {
  for (const auto& s : springs) {
    const double* qa = q + static_cast<std::ptrdiff_t>(s.a) * Dim;
    const double* qb = q + static_cast<std::ptrdiff_t>(s.b) * Dim;
    double* fa = f + static_cast<std::ptrdiff_t>(s.a) * Dim;
    double* fb = f + static_cast<std::ptrdiff_t>(s.b) * Dim;
    double r[Dim];
    double r2 = 0.0;
    for (int i = 0; i < Dim; ++i) {
      r[i] = qb[i] - qa[i];
      r2 += r[i] * r[i];
    }
    const double pull = over_length(s, r2);
    for (int i = 0; i < Dim; ++i) {
      const double component = pull * r[i];
      fa[i] += component;
      fb[i] -= component;
    }
  }
}

template <int Dim, typename Impl>
void add_all_plain(const Impl& m, const double* q, double* f) {
  const auto quartic = [](const auto& s, double r2) { return s.k * (r2 - s.d); };
  const auto linear = [](const auto& s, double r2) {
    return laws::force_over_length(laws::LinearSpring{s.k, s.d}, r2);
  };
  add_plain<Dim>(m.quartic, quartic, q, f);
  add_plain<Dim>(m.linear, linear, q, f);
  add_plain<Dim>(
      m.taut_quartic,
      [&](const auto& s, double r2) { return r2 < s.d ? 0.0 : quartic(s, r2); },
      q,
      f);
  add_plain<Dim>(
      m.taut_linear,
      [&](const auto& s, double r2) { return laws::is_slack(r2, s.d) ? 0.0 : linear(s, r2); },
      q,
      f);
}

}  // namespace

LatticeSystem::Impl::Impl(Lattice given)
    : lattice(std::move(given)), mass(nodal_masses(lattice)), momentum_mass(mass) {
  std::replace(momentum_mass.begin(), momentum_mass.end(), 0.0, 1.0);
  const auto dim = static_cast<std::size_t>(lattice.dimension);
  inverse_mass.resize(lattice.nodes.size() * dim);
  friction.resize(lattice.nodes.size());
  for (std::size_t i = 0; i < lattice.nodes.size(); ++i) {
    const LatticeNode& node = lattice.nodes[i];
    for (std::size_t axis = 0; axis < dim; ++axis)
      inverse_mass[i * dim + axis] = node.fixed[axis] ? 0.0 : 1.0 / mass[i];
    friction[i] = lattice.friction;
    if (node.damping.is_active()) {
      if (node.damping.growth().is_none())
        friction[i] += node.damping.factor(mass[i], 0.0);
      else
        other_damping = true;
    }
    if (friction[i] != 0.0) simple_friction = true;
  }
  for (const PrescribedMotion& motion : lattice.motions)
    inverse_mass[static_cast<std::size_t>(motion.node) * dim +
                 static_cast<std::size_t>(motion.axis)] = 0.0;
  for (std::size_t i = 0; i < inverse_mass.size(); ++i) {
    if (inverse_mass[i] == 0.0) held.push_back(i);
  }
  for (const Function& function : lattice.functions)
    spring_curves.emplace_back(function, FunctionPlace::spring_force, Beyond::extrapolate);
  for (std::size_t s = 0; s < lattice.springs.size(); ++s) {
    const Spring& spring = lattice.springs[s];
    const auto index = static_cast<std::int32_t>(s);
    if (spring.law == SpringLaw::table || spring.law == SpringLaw::expression) {
      curve_number.resize(lattice.springs.size(), -1);
      curve_number[s] = spring.force;
    }
    if (std::isfinite(spring.break_force) || std::isfinite(spring.break_elongation) ||
        std::isfinite(spring.break_stress))
      breakable.push_back(index);
    if (spring.area > 0.0) with_section.push_back(index);
    if (spring.damping.is_active()) damped.push_back(index);
  }
  for (const RotationalSpring& hinge : lattice.hinges) {
    hinge_curves.emplace_back(hinge.moment, FunctionPlace::hinge_moment, Beyond::extrapolate);
    other_damping = other_damping || hinge.damping.is_active();
  }
  other_damping = other_damping || !damped.empty();
  for (const Load& load : lattice.loads)
    load_curves.emplace_back(load.history, FunctionPlace::history, Beyond::hold);
  for (const PrescribedMotion& motion : lattice.motions)
    motion_curves.emplace_back(motion.displacement, FunctionPlace::history, Beyond::hold);
  sort_springs();
}

void LatticeSystem::Impl::sort_springs() {
  special.clear();
  for (std::vector<Plain>* group : {&quartic, &linear, &taut_quartic, &taut_linear})
    group->clear();
  for (std::size_t s = 0; s < lattice.springs.size(); ++s) {
    const Spring& spring = lattice.springs[s];
    const auto index = static_cast<std::int32_t>(s);
    const double k = spring.stiffness;
    const double d = spring.rest_length;
    const bool is_quartic = spring.law == SpringLaw::quartic;
    if ((!is_quartic && spring.law != SpringLaw::linear) ||
        std::binary_search(breakable.begin(), breakable.end(), index))
      special.push_back(index);
    else if (is_quartic)
      (spring.tension_only ? taut_quartic : quartic)
          .push_back({spring.a, spring.b, 2.0 * k, d * d});
    else
      (spring.tension_only ? taut_linear : linear).push_back({spring.a, spring.b, k, d});
  }
}

double LatticeSystem::Impl::hinge_angle(const RotationalSpring& hinge,
                                        std::span<const double> q,
                                        double last) const {
  const double raw = principal_angle(between(q, lattice.springs[static_cast<std::size_t>(hinge.a)]),
                                     between(q, lattice.springs[static_cast<std::size_t>(hinge.b)]),
                                     lattice.dimension);
  return lattice.dimension == 2 ? laws::nearest_turn(raw, last) : raw;
}

laws::ValueAndDerivative LatticeSystem::Impl::hinge_moment(std::size_t h, double phi) const {
  const RotationalSpring& hinge = lattice.hinges[h];
  if (hinge.moment.is_constant()) {
    const laws::LinearSpring spring{hinge.stiffness, hinge.angle};
    return {spring.force(phi), spring.stiffness(phi)};
  }
  return hinge_curves[h].at(phi - hinge.angle);
}

void LatticeSystem::Impl::gravity(std::span<double> f) const {
  const auto dim = static_cast<std::size_t>(lattice.dimension);
  for (std::size_t i = 0; i < mass.size(); ++i) {
    for (std::size_t axis = 0; axis < dim; ++axis)
      f[i * dim + axis] = mass[i] * lattice.gravity(static_cast<Eigen::Index>(axis));
  }
}

void LatticeSystem::Impl::add_springs(const Memory& memory,
                                      std::span<const double> q,
                                      std::span<double> f) const {
  if (lattice.dimension == 1) add_all_plain<1>(*this, q.data(), f.data());
  if (lattice.dimension == 2) add_all_plain<2>(*this, q.data(), f.data());
  if (lattice.dimension == 3) add_all_plain<3>(*this, q.data(), f.data());
  add_each(special, memory, q, f);
}

void LatticeSystem::Impl::add_each(std::span<const std::int32_t> list,
                                   const Memory& memory,
                                   std::span<const double> q,
                                   std::span<double> f) const {
  for (const std::int32_t index : list) {
    if (memory.broken[static_cast<std::size_t>(index)] != 0) continue;
    const Spring& spring = lattice.springs[static_cast<std::size_t>(index)];
    const Eigen::Vector3d r = between(q, spring);
    const Eigen::Vector3d on_a = force_over_length(spring, curve_of(index), r.squaredNorm()) * r;
    add(spring.a, on_a, f);
    add(spring.b, -on_a, f);
  }
}

void LatticeSystem::Impl::add_hinges(const Memory& memory,
                                     std::span<const double> q,
                                     std::span<double> f) const {
  for (std::size_t h = 0; h < lattice.hinges.size(); ++h) {
    const RotationalSpring& hinge = lattice.hinges[h];
    const Spring& sa = lattice.springs[static_cast<std::size_t>(hinge.a)];
    const Spring& sb = lattice.springs[static_cast<std::size_t>(hinge.b)];
    const double moment = hinge_moment(h, hinge_angle(hinge, q, memory.angles[h])).value;
    const laws::HingeGradient g = angle_gradient(between(q, sa), between(q, sb), lattice.dimension);
    add(sa.b, -moment * g.head<3>(), f);
    add(sa.a, moment * g.head<3>(), f);
    add(sb.b, -moment * g.tail<3>(), f);
    add(sb.a, moment * g.tail<3>(), f);
  }
}

double LatticeSystem::Impl::spring_energy(const Memory& memory, std::span<const double> q) const {
  double sum = 0.0;
  for (std::size_t s = 0; s < lattice.springs.size(); ++s) {
    if (memory.broken[s] != 0) continue;
    const Spring& spring = lattice.springs[s];
    sum += hamiltonian::spring_energy(
        spring, curve_of(static_cast<std::int32_t>(s)), between(q, spring).squaredNorm());
  }
  return sum;
}

double LatticeSystem::Impl::hinge_energy(std::size_t h,
                                         const Memory& memory,
                                         std::span<const double> q) const {
  const RotationalSpring& hinge = lattice.hinges[h];
  const double phi = hinge_angle(hinge, q, memory.angles[h]);
  return hinge.moment.is_constant() ? laws::LinearSpring{hinge.stiffness, hinge.angle}.energy(phi)
                                    : hinge_curves[h].integral(phi - hinge.angle);
}

}  // namespace femflex::hamiltonian
