// Bounds the stiffness that a lattice can have during a run: replaces slack springs by tight ones,
// and computes a bound of the largest frequency.
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "femflex/hamiltonian/lattice_system.h"

#include "lattice_system/impl.h"

namespace femflex::hamiltonian {
namespace {

/// Largest dF/dL of the spring at its free length; for a table, at any elongation.
double tight_stiffness(const Spring& spring,
                       const CompiledFunction* curve,
                       const Function* function) {
  const double d = spring.rest_length;
  if (spring.law == SpringLaw::quartic)
    return laws::QuarticSpring{spring.stiffness, d}.stiffness(d);
  if (spring.law == SpringLaw::linear) return spring.stiffness;
  double most = 0.0;
  if (spring.law == SpringLaw::table) {
    const std::vector<double>& x = function->arguments;
    for (std::size_t i = 1; i < x.size(); ++i)
      if (!spring.tension_only || x[i] > 0.0)
        most = std::max(most, (function->values[i] - function->values[i - 1]) / (x[i] - x[i - 1]));
    return most;
  }
  const double small = d > 0.0 ? 1e-6 * d : 1e-6;
  for (const double e : {0.0, small}) {
    const std::array<double, 3> variables = {e, d + e, d};
    const double slope = curve->formula()->derivative(variables, 0).derivative +
                         curve->formula()->derivative(variables, 1).derivative;
    if (std::isfinite(slope)) most = std::max(most, slope);
  }
  return most;
}

}  // namespace

std::unique_ptr<HamiltonianSystem> LatticeSystem::with_slack_springs_tight(
    const State& state) const {
  const Lattice& lattice = impl_->lattice;
  // slack springs with the stiffness that they have when tight
  std::vector<std::pair<std::size_t, double>> slack;
  for (std::size_t s = 0; s < lattice.springs.size(); ++s) {
    if (state.memory.broken[s] != 0) continue;
    const Spring& spring = lattice.springs[s];
    const CompiledFunction* curve = impl_->curve_of(static_cast<std::int32_t>(s));
    const Function* function =
        spring.force >= 0 ? &lattice.functions[static_cast<std::size_t>(spring.force)] : nullptr;
    const double r2 = impl_->between(state.q, spring).squaredNorm();
    const laws::CentralForce now = central_force(spring, curve, r2);
    const double stiffness = tight_stiffness(spring, curve, function);
    constexpr double kMuch = 2.0;  // a spring that can become stiffer by this factor is slack
    if (stiffness > kMuch * std::max(0.0, now.over_length + now.slope * r2))
      slack.emplace_back(s, stiffness);
  }
  if (slack.empty()) return nullptr;
  Lattice tight = lattice;
  tight.loads.clear();
  // the masses are those of this lattice, whatever the new free lengths are
  for (std::size_t i = 0; i < tight.nodes.size(); ++i)
    tight.nodes[i].mass = impl_->mass[i];
  for (Spring& spring : tight.springs)
    spring.density = 0.0;
  for (RotationalSpring& hinge : tight.hinges)
    hinge.mass = 0.0;
  for (const auto& [s, stiffness] : slack) {
    Spring& spring = tight.springs[s];
    spring.law = SpringLaw::linear;
    spring.stiffness = stiffness;
    spring.rest_length = impl_->between(state.q, spring).norm();
    spring.force = -1;
    spring.tension_only = false;
  }
  return std::make_unique<LatticeSystem>(std::move(tight));
}

// x'Kx <= sum over springs of  k |x_b - x_a|^2 <= 2 k (|x_a|^2 + |x_b|^2).  Hinges are not
// included.
double LatticeSystem::stiffness_bound(const State& state) const {
  const Lattice& lattice = impl_->lattice;
  std::vector<double> sum(lattice.nodes.size());
  for (std::size_t s = 0; s < lattice.springs.size(); ++s) {
    if (state.memory.broken[s] != 0) continue;
    const Spring& spring = lattice.springs[s];
    const double r2 = impl_->between(state.q, spring).squaredNorm();
    const laws::CentralForce now =
        central_force(spring, impl_->curve_of(static_cast<std::int32_t>(s)), r2);
    const double k = std::max({0.0, now.over_length, now.over_length + now.slope * r2});
    sum[static_cast<std::size_t>(spring.a)] += k;
    sum[static_cast<std::size_t>(spring.b)] += k;
  }
  const auto dim = static_cast<std::size_t>(lattice.dimension);
  double most = 0.0;
  for (std::size_t n = 0; n < sum.size(); ++n) {
    double inverse = 0.0;
    for (std::size_t axis = 0; axis < dim; ++axis)
      inverse = std::max(inverse, impl_->inverse_mass[n * dim + axis]);
    most = std::max(most, 2.0 * sum[n] * inverse);
  }
  return most;
}

}  // namespace femflex::hamiltonian
