// The yardstick of the spring networks: leapfrog over compressed rows, as one would write it first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace femflex::bench {

/// A network in compressed rows: the bonds of node i are first[i] .. first[i + 1], so that every
/// bond is computed from both ends. Positions and velocities node by node, unit masses.
struct PlainNetwork {
  bool is_linear = false;
  std::vector<std::int64_t> first;
  std::vector<std::int32_t> partner;
  std::vector<double> alpha, beta;  ///< 2 k, 2 k d^2 of quartic bonds; k, k d of linear ones
  std::vector<double> x, x_next, u;
  double keep = 1.0;    ///< exp(-c h / m) of friction on every node
  double damper = 0.0;  ///< c of the damper along every bond; 0: none
  std::vector<double> v, w, a;
  std::vector<std::size_t> loaded;  ///< coordinates with the load load_size sin(load_rate t)
  double load_size = 0.0, load_rate = 0.0;
  std::vector<std::size_t> moved;  ///< coordinates that move as motion_size sin(motion_rate t)
  std::vector<double> home;        ///< their positions at the start
  double motion_size = 0.0, motion_rate = 0.0;
  std::int64_t step = 0;
};

/// `steps` leapfrog steps of length h in space.
void advance_plainly(PlainNetwork& network, std::int64_t steps, double h);

}  // namespace femflex::bench
