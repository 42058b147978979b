// Finds which part of a lattice gives a number that is not finite.
#include <cmath>
#include <string>

#include "femflex/hamiltonian/lattice_system.h"

#include "lattice_system/impl.h"

namespace femflex::hamiltonian {

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
    const double amount = impl_->load_curves[l].at(time).value;
    if (!std::isfinite(amount))
      return "load " + std::to_string(l + 1) + " on node " + node_name(load.node) + " is " +
             shown(amount);
  }
  for (std::size_t m = 0; m < lattice.motions.size(); ++m) {
    const PrescribedMotion& motion = lattice.motions[m];
    const laws::ValueAndDerivative moved = impl_->motion_curves[m].at(time);
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
    if (!std::isfinite(r2)) continue;  // the positions themselves are not finite
    const double force = force_over_length(spring, curve, r2) * std::sqrt(r2);
    if (!std::isfinite(force))
      return "the force of spring " + std::to_string(s + 1) + " (nodes " + node_name(spring.a) +
             " and " + node_name(spring.b) + ") is " + shown(force);
  }
  return {};
}

}  // namespace femflex::hamiltonian
