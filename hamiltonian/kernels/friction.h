// What friction on nodes does to the velocities of a leapfrog step.
#pragma once

namespace femflex::hamiltonian::tiles {

/// Friction -c v on nodes, by the exact solution over half a step before and after the kick; the
/// two halves between one kick and the next are taken together. With E = exp(-c h / m), a velocity
/// at half steps becomes  E u + (1 + E) h/2 a.  docs/theory/hamiltonian.md eq. (22)
struct Friction {
  bool is_active = false;
  double keep = 1.0;  ///< E
  double loss =
      0.0;  ///< m (1 - E^2) / 2: energy lost per square of the velocity between the halves
};

}  // namespace femflex::hamiltonian::tiles
