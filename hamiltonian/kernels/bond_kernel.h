#pragma once

// Networks without a regular pattern, computed one tile of neighbouring nodes at a time: each bond
// inside a tile is computed once for both its ends, a bond between two tiles is computed by each of
// them.

#include <cstdint>

namespace femflex::hamiltonian::tiles {

/// Consecutive nodes that own the same number of bonds.
struct BondRun {
  std::int32_t bonds = 0;  ///< of each node
  std::int32_t nodes = 0;
};

/// Neighbouring nodes whose positions and forces fit the second-level cache.
struct BondTile {
  std::int64_t first = 0;  ///< node
  std::int32_t nodes = 0;
  std::int32_t halo = 0;       ///< nodes of other tiles at the far ends of bonds
  std::int64_t halo_at = 0;    ///< into BondNetwork::halo
  std::int64_t bond_at = 0;    ///< into BondNetwork::partners
  std::int64_t run_at = 0;     ///< into BondNetwork::runs
  std::int32_t run_count = 0;  ///< runs of this tile
};

/// Positions, velocities and weights are stored node by node, `stride` numbers per node.
struct BondNetwork {
  const BondTile* tiles = nullptr;
  std::int64_t tile_count = 0;
  const BondRun* runs = nullptr;
  const std::int32_t* halo = nullptr;
  const std::uint16_t* partners = nullptr;  ///< places in the tile: nodes first, then halo
  const double* pairs = nullptr;            ///< alpha, beta of each bond, or the shared ones
  /// index of the shared pair of each bond; null: each bond has its own
  const std::uint16_t* numbers = nullptr;
  const double* x = nullptr;  ///< positions before the step
  double* x_next = nullptr;
  double* u = nullptr;        ///< velocities at half steps
  const double* w = nullptr;  ///< 1/m, 0 where held; null: `weight` for all
  const double* g = nullptr;  ///< constant acceleration; null: `pull` for all
  double weight = 0.0;
  double pull[4] = {};
  bool streams = false;            ///< positions are written past the caches
  double* acceleration = nullptr;  ///< if not null: accelerations are written instead of a step
};

inline constexpr std::int64_t kAhead = 512;  ///< number of bonds fetched ahead
inline constexpr int bond_stride(int dimension) {
  return dimension == 3 ? 4 : 2;
}

/// Runs tiles first..last; true where every velocity stayed finite.
/// @param scratch  twice `stride` numbers for each node of the largest tile with its halo
using BondRunner =
    bool (*)(const BondNetwork&, std::int64_t first, std::int64_t last, double h, double* scratch);
/// The best runner for this processor; dimension 2 or 3.
BondRunner choose_bond_runner(int dimension);

}  // namespace femflex::hamiltonian::tiles
