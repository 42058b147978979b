// Friction: the factors by which friction on nodes changes velocities and energy in a leapfrog
// step.
#pragma once

namespace femflex::hamiltonian::tiles {

/// Friction -c v on nodes, by its exact solution over half a step before each kick and half a step
/// after it. With E = exp(-c h / m), each step replaces the velocity u at half steps by
/// E u + (1 + E) h/2 a.  docs/theory/hamiltonian.md eq. (22)
struct Friction {
  bool is_active = false;
  double keep = 1.0;  ///< E
  /// m (1 - E^2) / 2: the energy lost, divided by the square of the velocity after half a kick
  double loss = 0.0;
};

}  // namespace femflex::hamiltonian::tiles
