// The networks of bench_networks: blocks with diagonals, shaken, with holes or regular, and what
// acts on them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "femflex/hamiltonian/lattice.h"

namespace femflex::bench {

enum class Kind : std::uint8_t {
  jittered,  ///< nodes shaken by 2 %, every spring with its own constants
  holes,     ///< the same with a third of the nodes taken out
  regular,   ///< equal constants
};

/// What acts beside the springs.
enum class Extra : std::uint8_t { none, friction, dampers, histories, motions };

struct Case {
  int side = 0;  ///< nodes along an edge of the block
  Kind kind = Kind::jittered;
  bool is_linear = false;
  Extra extra = Extra::none;
};

std::string name_of(const Case& one);

inline constexpr double kFriction = 0.1;     ///< c/m of every node [1/s]
inline constexpr double kDamper = 0.02;      ///< c of every spring [N s/m]
inline constexpr double kLoadRate = 3.0;     ///< loads go as sin(3 t)
inline constexpr double kMotionRate = 2.0;   ///< motions go as 0.05 sin(2 t)
inline constexpr double kMotionSize = 0.05;  ///< [m]
inline constexpr int kLoadEvery = 50;        ///< one node in so many has a load of 0.1 N along y

/// The network in the order of the grid; unit masses, at rest.
hamiltonian::Lattice make_net(const Case& one);
/// The same network numbered at random.
/// @param place  receives the new index of each node
hamiltonian::Lattice shuffled(const hamiltonian::Lattice& net, std::vector<std::int32_t>& place);

}  // namespace femflex::bench
