// The reference of against_plain.cpp: leapfrog over compressed rows, as a first simple program
// would do it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace femflex::bench {

/// A network in compressed rows. The bonds of node i are first[i] to first[i + 1] - 1, so every
/// bond is computed twice, once from each end. Positions and velocities are stored node by node;
/// all masses are 1.
struct PlainNetwork {
  bool is_linear = false;
  std::vector<std::int64_t> first;
  std::vector<std::int32_t> partner;
  std::vector<double> alpha, beta;  ///< 2 k, 2 k d^2 of quartic bonds; k, k d of linear ones
  std::vector<double> x, x_next, u;
  double keep = 1.0;    ///< exp(-c h / m) of friction on every node
  double damper = 0.0;  ///< c of the damper along every bond; 0: no damper
  std::vector<double> v, w, a;
  std::vector<std::size_t> loaded;  ///< coordinates with the load load_size sin(load_rate t)
  double load_size = 0.0, load_rate = 0.0;
  std::vector<std::size_t> moved;  ///< coordinates with the prescribed motion motion_size
                                   ///< sin(motion_rate t)
  std::vector<double> home;        ///< positions of these coordinates at the start
  double motion_size = 0.0, motion_rate = 0.0;
  std::int64_t step = 0;
};

/// Computes `steps` leapfrog steps of length h in space.
void advance_plainly(PlainNetwork& network, std::int64_t steps, double h);

}  // namespace femflex::bench
