#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "femflex/hamiltonian/lattice_forces.h"

#include "forces/lattice_impl.h"

namespace femflex::hamiltonian {

double HamiltonianSystem::next_event(double /*time*/) const {
  return std::numeric_limits<double>::infinity();
}

double HamiltonianSystem::break_margin(const Memory& /*memory*/,
                                       std::span<const double> /*q*/) const {
  return std::numeric_limits<double>::infinity();
}

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
bool LatticeSystem::is_dissipative() const {
  return impl_->simple_friction || impl_->other_damping;
}
bool LatticeSystem::has_loads() const {
  return !impl_->lattice.loads.empty();
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
  impose(0.0, state.q, state.p);
  return state;
}

void LatticeSystem::settle_references(const State& state) {
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

void LatticeSystem::add_load(const Instant& instant, std::span<double> f) const {
  const auto dim = static_cast<std::size_t>(impl_->lattice.dimension);
  for (std::size_t l = 0; l < impl_->lattice.loads.size(); ++l) {
    const Load& load = impl_->lattice.loads[l];
    if (instant.middle < load.from || instant.middle >= load.until ||
        instant.step >= load.until_step)
      continue;
    const double time = instant.time;
    const double amount = impl_->load_curves[l].at({&time, 1}).value;
    for (std::size_t axis = 0; axis < dim; ++axis) {
      const std::size_t i = static_cast<std::size_t>(load.node) * dim + axis;
      if (impl_->inverse_mass[i] != 0.0)
        f[i] += amount * load.force(static_cast<Eigen::Index>(axis));
    }
  }
}

bool LatticeSystem::energy_is_expensive() const {
  return !impl_->spring_curves.empty();
}

std::int32_t LatticeSystem::counted_load() const {
  const std::vector<Load>& loads = impl_->lattice.loads;
  for (std::size_t l = 0; l < loads.size(); ++l)
    if (loads[l].until_step != std::numeric_limits<std::int64_t>::max())
      return static_cast<std::int32_t>(l) + 1;
  return 0;
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

void LatticeSystem::impose(double time, std::span<double> q, std::span<double> p) const {
  const auto dim = static_cast<std::size_t>(impl_->lattice.dimension);
  for (std::size_t m = 0; m < impl_->lattice.motions.size(); ++m) {
    const PrescribedMotion& motion = impl_->lattice.motions[m];
    const auto node = static_cast<std::size_t>(motion.node);
    const std::size_t i = node * dim + static_cast<std::size_t>(motion.axis);
    const laws::ValueAndDerivative moved = impl_->motion_curves[m].at({&time, 1});
    q[i] = impl_->lattice.nodes[node].position(motion.axis) + moved.value;
    p[i] = impl_->mass[node] * moved.derivative;
  }
}

bool LatticeSystem::has_motions() const {
  return !impl_->lattice.motions.empty();
}

// The support gives  m a - F:  the change of the moved masses' own energy, and -F v.
double LatticeSystem::support_power(const Memory& memory,
                                    std::span<const double> q,
                                    std::span<const double> p) const {
  std::vector<double> f(dof_count());
  total_force(memory, q, f);
  double power = 0.0;
  for (const PrescribedMotion& motion : impl_->lattice.motions) {
    const std::size_t i = impl_->dof(motion);
    const double mass = impl_->mass[static_cast<std::size_t>(motion.node)];
    if (mass > 0.0) power -= f[i] * p[i] / mass;
  }
  return power;
}

double LatticeSystem::imposed_kinetic(std::span<const double> p) const {
  double energy = 0.0;
  for (const PrescribedMotion& motion : impl_->lattice.motions) {
    const double momentum = p[impl_->dof(motion)];
    const double mass = impl_->mass[static_cast<std::size_t>(motion.node)];
    if (mass > 0.0) energy += 0.5 * momentum * momentum / mass;
  }
  return energy;
}

Energy LatticeSystem::energy(const Memory& memory,
                             std::span<const double> q,
                             std::span<const double> p) const {
  Energy energy;
  const auto dim = static_cast<std::size_t>(impl_->lattice.dimension);
  for (std::size_t i = 0; i < q.size(); ++i) {
    const double mass = impl_->mass[i / dim];
    if (p[i] != 0.0) energy.kinetic += 0.5 * p[i] * p[i] / mass;
    energy.potential -= mass * impl_->lattice.gravity(static_cast<Eigen::Index>(i % dim)) * q[i];
  }
  energy.potential += impl_->spring_energy(memory, q) + impl_->hinge_energy(memory, q);
  return energy;
}

bool LatticeSystem::tangent(const Memory& memory,
                            std::span<const double> q,
                            SparseMatrix& stiffness,
                            std::vector<double>& inverse_mass) const {
  stiffness = impl_->tangent(memory, q);
  inverse_mass = impl_->inverse_mass;
  return true;
}

SparseMatrix LatticeSystem::full_tangent(const State& state) const {
  return impl_->tangent(state.memory, state.q, true);
}

std::vector<SpringReading> LatticeSystem::read_springs(const State& state) const {
  std::vector<SpringReading> readings;
  readings.reserve(impl_->lattice.springs.size());
  for (std::size_t s = 0; s < impl_->lattice.springs.size(); ++s) {
    const Spring& spring = impl_->lattice.springs[s];
    SpringReading reading;
    const double r2 = impl_->between(state.q, spring).squaredNorm();
    reading.length = std::sqrt(r2);
    reading.elongation = reading.length - spring.rest_length;
    reading.broken = state.memory.broken[s] != 0;
    if (!reading.broken)
      reading.force =
          answer(spring, impl_->curve_of(static_cast<std::int32_t>(s)), r2).over_length *
          reading.length;
    reading.stress =
        spring.area > 0.0 ? reading.force / spring.area : std::numeric_limits<double>::quiet_NaN();
    readings.push_back(reading);
  }
  return readings;
}

ExtremeStress LatticeSystem::extreme_stress(const State& state) const {
  ExtremeStress extreme;
  for (const std::int32_t index : impl_->with_section) {
    const auto s = static_cast<std::size_t>(index);
    if (state.memory.broken[s] != 0) continue;
    const Spring& spring = impl_->lattice.springs[s];
    const double r2 = impl_->between(state.q, spring).squaredNorm();
    const double stress =
        answer(spring, impl_->curve_of(index), r2).over_length * std::sqrt(r2) / spring.area;
    if (extreme.spring < 0 || std::abs(stress) > std::abs(extreme.stress))
      extreme = {index, stress};
  }
  return extreme;
}

std::vector<double> LatticeSystem::read_hinges(const State& state) const {
  std::vector<double> moments;
  for (std::size_t h = 0; h < impl_->lattice.hinges.size(); ++h) {
    const RotationalSpring& hinge = impl_->lattice.hinges[h];
    const double phi = impl_->hinge_angle(hinge, state.q, state.memory.angles[h]);
    moments.push_back(impl_->hinge_answer(h, phi).value);
  }
  return moments;
}

}  // namespace femflex::hamiltonian
