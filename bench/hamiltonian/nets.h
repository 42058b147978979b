// The networks of the program bench_networks: block lattices with diagonals, and the friction,
// dampers, loads and motions that act on them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "femflex/hamiltonian/lattice.h"

namespace femflex::bench {

enum class Kind : std::uint8_t {
  jittered,  ///< nodes displaced by 2 % of their distance, every spring with its own constants
  holes,     ///< the same with a third of the nodes removed
  regular,   ///< equal constants
};

/// What acts on the network in addition to the springs; `histories` are loads that vary with time.
enum class Extra : std::uint8_t { none, friction, dampers, histories, motions };

struct Case {
  int side = 0;  ///< number of nodes along an edge of the block
  Kind kind = Kind::jittered;
  bool is_linear = false;  ///< linear springs instead of quartic ones
  Extra extra = Extra::none;
};

std::string name_of(const Case& one);

inline constexpr double kFriction = 0.1;     ///< c/m of every node [1/s]
inline constexpr double kDamper = 0.02;      ///< c of every spring [N s/m]
inline constexpr double kLoadRate = 3.0;     ///< [rad/s] loads are 0.1 N sin(rate t)
inline constexpr double kMotionRate = 2.0;   ///< [rad/s] motions are size sin(rate t)
inline constexpr double kMotionSize = 0.05;  ///< [m]
inline constexpr int kLoadEvery = 50;        ///< every 50th node has a load along y

/// The network, numbered in the order of the grid; unit masses, at rest.
hamiltonian::Lattice make_net(const Case& one);
/// The same network with randomly numbered nodes.
/// @param place  receives the new index of each node
hamiltonian::Lattice shuffled(const hamiltonian::Lattice& net, std::vector<std::int32_t>& place);

}  // namespace femflex::bench
