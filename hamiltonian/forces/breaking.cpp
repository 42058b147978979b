// Springs that break, and what is not finite. docs/theory/hamiltonian.md §1.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "femflex/hamiltonian/lattice_forces.h"

#include "forces/lattice_impl.h"

namespace femflex::hamiltonian {
namespace {

/// Relative distance to the nearest limit of one spring; negative exactly where one is passed.
double margin(const Spring& spring, const CompiledFunction* curve, double r2) {
  const double length = std::sqrt(r2);
  const double f = std::abs(answer(spring, curve, r2, false).over_length * length);
  const auto below = [](double value, double limit) {
    if (!std::isfinite(limit)) return std::numeric_limits<double>::infinity();
    return limit != 0.0 ? (limit - value) / std::abs(limit) : -value;
  };
  double least = std::min(below(f, spring.break_force),
                          below(length - spring.rest_length, spring.break_elongation));
  if (spring.area > 0.0) least = std::min(least, below(f, spring.break_stress * spring.area));
  return least;
}

}  // namespace

bool LatticeSystem::can_break() const {
  return !impl_->breakable.empty();
}

double LatticeSystem::break_margin(const Memory& memory, std::span<const double> q) const {
  double least = std::numeric_limits<double>::infinity();
  for (const std::int32_t index : impl_->breakable) {
    const auto s = static_cast<std::size_t>(index);
    if (memory.broken[s] != 0) continue;
    const Spring& spring = impl_->lattice.springs[s];
    least = std::min(
        least, margin(spring, impl_->curve_of(index), impl_->between(q, spring).squaredNorm()));
  }
  return least;
}

bool LatticeSystem::remember(State& state) const {
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

std::string LatticeSystem::not_finite(double time, std::span<const double> q) const {
  const Lattice& lattice = impl_->lattice;
  const auto node_name = [&](std::int32_t node) {
    return std::to_string(lattice.nodes[static_cast<std::size_t>(node)].id);
  };
  const auto shown = [](double value) -> std::string {
    return std::isnan(value) ? "not a number" : "infinite";
  };
  for (std::size_t l = 0; l < lattice.loads.size(); ++l) {
    const Load& load = lattice.loads[l];
    if (time < load.from || time > load.until) continue;
    const double amount = impl_->load_curves[l].at({&time, 1}).value;
    if (!std::isfinite(amount))
      return "load " + std::to_string(l + 1) + " on node " + node_name(load.node) + " is " +
             shown(amount);
  }
  for (std::size_t m = 0; m < lattice.motions.size(); ++m) {
    const PrescribedMotion& motion = lattice.motions[m];
    const laws::ValueAndDerivative moved = impl_->motion_curves[m].at({&time, 1});
    const std::string name = "motion " + std::to_string(m + 1) + " of node " +
                             node_name(motion.node) + " along " + "xyz"[motion.axis];
    if (!std::isfinite(moved.value)) return name + " is " + shown(moved.value);
    if (!std::isfinite(moved.derivative))
      return "the speed of " + name + " is " + shown(moved.derivative);
  }
  for (std::size_t s = 0; s < lattice.springs.size(); ++s) {
    const Spring& spring = lattice.springs[s];
    const CompiledFunction* curve = impl_->curve_of(static_cast<std::int32_t>(s));
    if (curve == nullptr) continue;
    const double r2 = impl_->between(q, spring).squaredNorm();
    if (!std::isfinite(r2)) continue;  // the positions are the trouble
    const double force = answer(spring, curve, r2, false).over_length * std::sqrt(r2);
    if (!std::isfinite(force))
      return "the force of spring " + std::to_string(s + 1) + " (nodes " + node_name(spring.a) +
             " and " + node_name(spring.b) + ") is " + shown(force);
  }
  return {};
}

}  // namespace femflex::hamiltonian
