// Runs:  05_wave_along_a_lattice
//
// A standing wave on a row of n masses m between two walls, joined by linear springs k. Shape j
// moves with omega = 2 sqrt(k / m) sin(j pi / 2 (n + 1)). The symplectic method of order 4 keeps
// the energy.
#include <cmath>
#include <cstdio>
#include <numbers>

#include "femflex/hamiltonian/integrate.h"
#include "femflex/hamiltonian/lattice_system.h"

int main() {
  using namespace femflex;
  namespace ham = femflex::hamiltonian;
  constexpr int kMasses = 9;
  constexpr int kShape = 2;
  constexpr double kMass = 0.5;         // [kg]
  constexpr double kStiffness = 200.0;  // [N/m]
  constexpr double kSpacing = 0.1;      // [m]

  // 1. The row: nodes 0 and n + 1 are the walls. Small amplitudes along x.
  const double wave = kShape * std::numbers::pi / (kMasses + 1);
  ham::Lattice row;
  row.name = "row of masses";
  row.dimension = 1;
  for (int i = 0; i <= kMasses + 1; ++i) {
    ham::LatticeNode node;
    node.id = i;
    node.mass = kMass;
    node.position.x() = kSpacing * i + 1e-3 * std::sin(wave * i);
    const bool wall = i == 0 || i == kMasses + 1;
    node.fixed = {wall, wall, wall};
    row.nodes.push_back(node);
  }
  for (int i = 0; i <= kMasses; ++i) {
    ham::Spring spring;
    spring.a = i;
    spring.b = i + 1;
    spring.law = ham::SpringLaw::linear;
    spring.stiffness = kStiffness;
    spring.rest_length = kSpacing;
    row.springs.push_back(spring);
  }
  const ham::LatticeSystem system(ham::make_lattice(row));

  // 2. Ten periods.
  const double omega = 2.0 * std::sqrt(kStiffness / kMass) * std::sin(wave / 2.0);
  const double period = 2.0 * std::numbers::pi / omega;
  ham::RunOptions options;
  options.integrator = ham::Integrator::symplectic_4;
  options.step = period / 200.0;
  options.end = 10.0 * period;
  Diagnostics notes;
  const ham::RunResult result =
      ham::run(system, system.start(), options, nullptr, notes, no_progress());

  // 3. The row is back where it started.
  double away = 0.0;
  for (int i = 0; i <= kMasses + 1; ++i)
    away = std::max(away,
                    std::abs(result.state.q[static_cast<std::size_t>(i)] -
                             row.nodes[static_cast<std::size_t>(i)].position.x()));
  std::printf("shape %d: omega %.6f rad/s, period %.6f s\n", kShape, omega, period);
  std::printf(
      "%lld steps, energy %.6e J\n", static_cast<long long>(result.steps), result.end.total());
  std::printf("after ten periods within 1e-6 of the amplitude: %s\n",
              away < 1e-6 * 1e-3 ? "yes" : "no");
  std::printf("energy error below 1e-9: %s\n", result.largest_energy_error < 1e-9 ? "yes" : "no");
}
