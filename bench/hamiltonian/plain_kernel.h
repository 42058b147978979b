// The yardstick of the spring networks: leapfrog over compressed rows, as one would write it first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace femflex::bench {

/// A network in compressed rows: the bonds of node i are first[i] .. first[i + 1], so that every
/// bond is computed from both ends. Positions and velocities node by node.
struct PlainNetwork {
  int dimension = 3;
  bool is_linear = false;
  std::vector<std::int64_t> first;
  std::vector<std::int32_t> partner;
  std::vector<double> alpha, beta;  ///< 2 k, 2 k d^2 of quartic bonds; k, k d of linear ones
  std::vector<double> x, x_next, u;
  double keep = 1.0;  ///< exp(-c h / m) of friction on every node
};

/// `steps` leapfrog steps of length h of unit masses.
void advance_plainly(PlainNetwork& network, std::int64_t steps, double h);

}  // namespace femflex::bench
