// Data and entry point of the kernel for irregular networks: tiles of nodes, with their bonds.
#pragma once

// Networks without a regular pattern, computed one tile of neighbouring nodes at a time: each bond
// inside a tile is computed once for both its ends, a bond between two tiles is computed by each of
// them.

#include <cstdint>

namespace femflex::hamiltonian::tiles {

/// Consecutive nodes that own the same number of bonds.
struct BondRun {
  std::int32_t bonds = 0;  ///< number of bonds of each node
  std::int32_t nodes = 0;
};

/// Neighbouring nodes whose positions and forces fit the second-level cache.
struct BondTile {
  std::int64_t first = 0;  ///< first node
  std::int32_t nodes = 0;
  std::int32_t halo = 0;       ///< number of nodes of other tiles at the far ends of bonds
  std::int64_t halo_at = 0;    ///< offset in BondNetwork::halo
  std::int64_t bond_at = 0;    ///< offset in BondNetwork::partners
  std::int64_t run_at = 0;     ///< offset in BondNetwork::runs
  std::int32_t run_count = 0;  ///< number of runs of this tile
};

/// Positions, velocities and weights are stored node by node, `stride` numbers per node.
struct BondNetwork {
  const BondTile* tiles = nullptr;
  std::int64_t tile_count = 0;
  const BondRun* runs = nullptr;
  const std::int32_t* halo = nullptr;
  /// index in the tile, which numbers its nodes first, then its halo
  const std::uint16_t* partners = nullptr;
  const double* pairs = nullptr;  ///< alpha, beta of each bond, or the table of shared pairs
  /// index of the shared pair of each bond; null: each bond has its own
  const std::uint16_t* numbers = nullptr;
  const double* x = nullptr;  ///< positions before the step
  double* x_next = nullptr;
  double* u = nullptr;        ///< velocities at half steps
  const double* w = nullptr;  ///< 1/m, 0 for fixed DOFs; null: `weight` for all
  const double* g = nullptr;  ///< constant acceleration; null: `pull` for all nodes
  double weight = 0.0;
  double pull[4] = {};
  bool streams = false;  ///< true: positions are written to memory without passing the caches
  /// if not null, accelerations are written here instead of a step
  double* acceleration = nullptr;
};

inline constexpr std::int64_t kAhead = 512;  ///< number of bonds by which prefetches run ahead
inline constexpr int bond_stride(int dimension) {
  return dimension == 3 ? 4 : 2;
}

/// Runs tiles first..last; returns true if every velocity stayed finite.
/// @param scratch  twice `stride` numbers for each node of the largest tile with its halo
using BondRunner =
    bool (*)(const BondNetwork&, std::int64_t first, std::int64_t last, double h, double* scratch);
/// The best runner for this processor; dimension 2 or 3.
BondRunner choose_bond_runner(int dimension);

}  // namespace femflex::hamiltonian::tiles
