// The events of a lattice: how far its springs are from breaking, and what it remembers at the end
// of a step, the counted angles of its hinges and its broken springs. docs/theory/hamiltonian.md
// §1.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "femflex/hamiltonian/lattice_system.h"

#include "lattice_system/impl.h"

namespace femflex::hamiltonian {
namespace {

/// Distance of a spring from its limits of force, elongation and stress, see
/// laws::BreakLimits::margin().
double margin(const Spring& spring, const CompiledFunction* curve, double r2) {
  const double length = std::sqrt(r2);
  const double force = force_over_length(spring, curve, r2) * length;
  laws::BreakLimits limits{spring.break_force, spring.break_elongation};
  if (spring.area > 0.0) limits.force = std::min(limits.force, spring.break_stress * spring.area);
  return limits.margin(force, length - spring.rest_length);
}

}  // namespace

bool LatticeSystem::can_break() const {
  return !impl_->breakable.empty();
}

double LatticeSystem::break_margin(const Memory& memory, std::span<const double> q) const {
  double min_margin = std::numeric_limits<double>::infinity();
  for (const std::int32_t index : impl_->breakable) {
    const auto s = static_cast<std::size_t>(index);
    if (memory.broken[s] != 0) continue;
    const Spring& spring = impl_->lattice.springs[s];
    min_margin =
        std::min(min_margin,
                 margin(spring, impl_->curve_of(index), impl_->between(q, spring).squaredNorm()));
  }
  return min_margin;
}

bool LatticeSystem::update_memory(State& state) const {
  bool changed = false;
  for (std::size_t h = 0; h < impl_->lattice.hinges.size(); ++h) {
    double& angle = state.memory.angles[h];
    angle = impl_->hinge_angle(impl_->lattice.hinges[h], state.q, angle);
  }
  for (const std::int32_t index : impl_->breakable) {
    const auto s = static_cast<std::size_t>(index);
    if (state.memory.broken[s] != 0) continue;
    const Spring& spring = impl_->lattice.springs[s];
    if (margin(spring, impl_->curve_of(index), impl_->between(state.q, spring).squaredNorm()) <
        0.0) {
      state.memory.broken[s] = 1;
      changed = true;
    }
  }
  return changed;
}

}  // namespace femflex::hamiltonian
