// LatticeSystem: start state, forces, energy and readings of a lattice, as sums over its nodes,
// springs and hinges.
#include "femflex/hamiltonian/lattice_system.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "lattice_system/impl.h"

namespace femflex::hamiltonian {

LatticeSystem::LatticeSystem(Lattice lattice) : impl_(std::make_unique<Impl>(std::move(lattice))) {}
LatticeSystem::~LatticeSystem() = default;

const Lattice& LatticeSystem::lattice() const {
  return impl_->lattice;
}
std::size_t LatticeSystem::dof_count() const {
  return impl_->inverse_mass.size();
}
const std::vector<double>& LatticeSystem::inverse_masses() const {
  return impl_->inverse_mass;
}
const std::vector<double>& LatticeSystem::masses() const {
  return impl_->mass;
}
const std::vector<double>& LatticeSystem::momentum_masses() const {
  return impl_->momentum_mass;
}
State LatticeSystem::start() const {
  State state;
  const auto dim = static_cast<std::size_t>(impl_->lattice.dimension);
  const auto& nodes = impl_->lattice.nodes;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    for (std::size_t axis = 0; axis < dim; ++axis) {
      const auto a = static_cast<Eigen::Index>(axis);
      const bool held = impl_->inverse_mass[i * dim + axis] == 0.0;
      state.q.push_back(nodes[i].position(a));
      state.p.push_back(held ? 0.0 : impl_->mass[i] * nodes[i].velocity(a));
    }
  }
  for (const RotationalSpring& hinge : impl_->lattice.hinges)
    state.memory.angles.push_back(principal_angle(impl_->lattice, hinge) + full_turns(hinge.turns));
  state.memory.broken.assign(impl_->lattice.springs.size(), 0);
  set_prescribed(0.0, state.q, state.p);
  return state;
}

void LatticeSystem::set_current_references(const State& state) {
  for (Spring& spring : impl_->lattice.springs) {
    if (spring.reference != Reference::current) continue;
    spring.rest_length = std::sqrt(impl_->between(state.q, spring).squaredNorm());
    spring.reference = Reference::value;
  }
  for (std::size_t h = 0; h < impl_->lattice.hinges.size(); ++h) {
    RotationalSpring& hinge = impl_->lattice.hinges[h];
    if (hinge.reference != Reference::current) continue;
    hinge.angle = impl_->hinge_angle(hinge, state.q, state.memory.angles[h]);
    hinge.reference = Reference::value;
  }
  impl_->sort_springs();
}

References LatticeSystem::current_references(const Lattice& given) const {
  constexpr double kNot = std::numeric_limits<double>::quiet_NaN();
  const Lattice& own = impl_->lattice;
  References out;
  for (std::size_t s = 0; s < own.springs.size(); ++s)
    out.lengths.push_back(
        given.springs[s].reference == Reference::current ? own.springs[s].rest_length : kNot);
  for (std::size_t h = 0; h < own.hinges.size(); ++h)
    out.angles.push_back(given.hinges[h].reference == Reference::current ? own.hinges[h].angle
                                                                         : kNot);
  return out;
}

void LatticeSystem::keep_references(const References& known) {
  Lattice& lattice = impl_->lattice;
  for (std::size_t s = 0; s < lattice.springs.size() && s < known.lengths.size(); ++s) {
    Spring& spring = lattice.springs[s];
    if (spring.reference != Reference::current || !std::isfinite(known.lengths[s])) continue;
    spring.rest_length = known.lengths[s];
    spring.reference = Reference::value;
  }
  for (std::size_t h = 0; h < lattice.hinges.size() && h < known.angles.size(); ++h) {
    RotationalSpring& hinge = lattice.hinges[h];
    if (hinge.reference != Reference::current || !std::isfinite(known.angles[h])) continue;
    hinge.angle = known.angles[h];
    hinge.reference = Reference::value;
  }
  impl_->sort_springs();
}

void LatticeSystem::let_break(const Memory& memory) {
  std::vector<std::int32_t>& breakable = impl_->breakable;
  const std::size_t before = breakable.size();
  for (std::size_t s = 0; s < memory.broken.size(); ++s) {
    const auto index = static_cast<std::int32_t>(s);
    const auto end = breakable.begin() + static_cast<std::ptrdiff_t>(before);
    if (memory.broken[s] != 0 && !std::binary_search(breakable.begin(), end, index))
      breakable.push_back(index);
  }
  if (breakable.size() == before) return;
  std::sort(breakable.begin(), breakable.end());
  impl_->sort_springs();
}

void LatticeSystem::velocity(std::span<const double> /*q*/,
                             std::span<const double> p,
                             std::span<double> q_dot) const {
  const double* inverse = impl_->inverse_mass.data();
  for (std::size_t i = 0; i < q_dot.size(); ++i)
    q_dot[i] = p[i] * inverse[i];
}

void LatticeSystem::total_force(const Memory& memory,
                                std::span<const double> q,
                                std::span<double> f) const {
  impl_->gravity(f);
  impl_->add_springs(memory, q, f);
  impl_->add_hinges(memory, q, f);
}

void LatticeSystem::force(const Memory& memory,
                          std::span<const double> q,
                          std::span<const double> /*p*/,
                          std::span<double> f) const {
  total_force(memory, q, f);
  for (const std::size_t held : impl_->held)
    f[held] = 0.0;
}

bool LatticeSystem::energy_is_expensive() const {
  return !impl_->spring_curves.empty();
}

Energy LatticeSystem::energy(const Memory& memory,
                             std::span<const double> q,
                             std::span<const double> p) const {
  Energy energy;
  const auto dim = static_cast<std::size_t>(impl_->lattice.dimension);
  for (std::size_t i = 0; i < q.size(); ++i) {
    const double mass = impl_->mass[i / dim];
    if (mass > 0.0) energy.kinetic += 0.5 * p[i] * p[i] / mass;
    energy.potential -= mass * impl_->lattice.gravity(static_cast<Eigen::Index>(i % dim)) * q[i];
  }
  energy.potential += impl_->spring_energy(memory, q);
  for (std::size_t h = 0; h < impl_->lattice.hinges.size(); ++h)
    energy.potential += impl_->hinge_energy(h, memory, q);
  return energy;
}

std::vector<SpringReading> LatticeSystem::read_springs(const State& state) const {
  std::vector<SpringReading> readings;
  readings.reserve(impl_->lattice.springs.size());
  for (std::size_t s = 0; s < impl_->lattice.springs.size(); ++s)
    readings.push_back(read_spring(state, s));
  return readings;
}

SpringReading LatticeSystem::read_spring(const State& state, std::size_t spring) const {
  const Spring& s = impl_->lattice.springs[spring];
  SpringReading reading;
  const double r2 = impl_->between(state.q, s).squaredNorm();
  reading.length = std::sqrt(r2);
  reading.elongation = reading.length - s.rest_length;
  reading.broken = state.memory.broken[spring] != 0;
  if (!reading.broken)
    reading.force = force_over_length(s, impl_->curve_of(static_cast<std::int32_t>(spring)), r2) *
                    reading.length;
  reading.stress = s.area > 0.0 ? reading.force / s.area : std::numeric_limits<double>::quiet_NaN();
  return reading;
}

double LatticeSystem::spring_energy(const State& state, std::size_t spring) const {
  if (state.memory.broken[spring] != 0) return 0.0;
  const Spring& s = impl_->lattice.springs[spring];
  return hamiltonian::spring_energy(s,
                                    impl_->curve_of(static_cast<std::int32_t>(spring)),
                                    impl_->between(state.q, s).squaredNorm());
}

ExtremeStress LatticeSystem::extreme_stress(const State& state) const {
  ExtremeStress extreme;
  for (const std::int32_t index : impl_->with_section) {
    const auto s = static_cast<std::size_t>(index);
    if (state.memory.broken[s] != 0) continue;
    const Spring& spring = impl_->lattice.springs[s];
    const double r2 = impl_->between(state.q, spring).squaredNorm();
    const double stress =
        force_over_length(spring, impl_->curve_of(index), r2) * std::sqrt(r2) / spring.area;
    if (extreme.spring < 0 || std::abs(stress) > std::abs(extreme.stress))
      extreme = {index, stress};
  }
  return extreme;
}

std::vector<double> LatticeSystem::hinge_energies(const State& state) const {
  std::vector<double> energies;
  for (std::size_t h = 0; h < impl_->lattice.hinges.size(); ++h)
    energies.push_back(impl_->hinge_energy(h, state.memory, state.q));
  return energies;
}

std::vector<double> LatticeSystem::read_hinges(const State& state) const {
  std::vector<double> moments;
  for (std::size_t h = 0; h < impl_->lattice.hinges.size(); ++h) {
    const RotationalSpring& hinge = impl_->lattice.hinges[h];
    const double phi = impl_->hinge_angle(hinge, state.q, state.memory.angles[h]);
    moments.push_back(impl_->hinge_moment(h, phi).value);
  }
  return moments;
}

}  // namespace femflex::hamiltonian
