// Data and entry point of the kernel for irregular networks: tiles of nodes, with their bonds.
#pragma once

// Networks without a regular pattern, computed one tile of neighbouring nodes at a time: each bond
// inside a tile is computed once for both its ends, a bond between two tiles is computed by each of
// them.

#include <array>
#include <cstddef>
#include <cstdint>

#include "kernels/friction.h"
#include "kernels/pair_laws.h"

namespace femflex::hamiltonian::tiles {

inline constexpr std::int64_t kGroup = 8;  ///< number of nodes whose bonds are computed together

/// The bonds of one law in one tile. A slot holds one bond of each node of a group; nodes with
/// fewer bonds than others of their group have bonds to themselves without force.
struct BondSection {
  std::int64_t slot_at = 0;   ///< first slot
  std::int64_t count_at = 0;  ///< offset in BondNetwork::counts
};

/// Neighbouring nodes whose positions and forces fit the second-level cache.
struct BondTile {
  std::int64_t first = 0;  ///< first node
  std::int32_t nodes = 0;
  std::int32_t halo = 0;     ///< number of nodes of other tiles at the far ends of bonds
  std::int64_t halo_at = 0;  ///< offset in BondNetwork::halo
  std::array<BondSection, kPairLaws> sections;

  std::int64_t groups() const { return (nodes + kGroup - 1) / kGroup; }
  /// Places of the nodes, filled up to whole groups; those of the halo follow.
  std::int64_t padded() const { return kGroup * groups(); }
};

/// Constants that all bonds of a law share, or none.
struct LawConstants {
  bool is_used = false;   ///< whether a bond of the network follows this law
  bool is_shared = true;  ///< true: all bonds have these constants
  double alpha = 0.0, beta = 0.0;
};

/// What a step with dampers along bonds keeps between its three passes, per DOF. The velocities of
/// eq. (23): v before the decay, w half way; a is the acceleration. docs/theory/hamiltonian.md §8
struct Dampers {
  double *v = nullptr, *w = nullptr, *a = nullptr;  ///< null: no dampers
  const double* rate = nullptr;                     ///< c/m of friction on nodes [1/s]; null: none
  const double* half_mass = nullptr;                ///< m/2 of free DOFs, else 0 [kg]
};

/// Positions, velocities and weights are stored node by node, `stride` numbers per node.
struct BondNetwork {
  const BondTile* tiles = nullptr;
  std::int64_t tile_count = 0;
  const std::int32_t* counts = nullptr;  ///< number of slots of each group
  const std::int32_t* halo = nullptr;
  /// per slot, eight places in the tile
  const std::uint16_t* partners = nullptr;
  /// per slot, eight alpha and eight beta; slots of laws with shared constants have them too
  /// unless no law has its own
  const double* pairs = nullptr;
  const LawConstants* laws = nullptr;  ///< one per PairLaw
  const double* x = nullptr;           ///< positions before the step
  double* x_next = nullptr;
  double* u = nullptr;        ///< velocities at half steps
  const double* w = nullptr;  ///< 1/m, 0 for fixed DOFs; null: `weight` for all
  const double* g = nullptr;  ///< constant acceleration; null: `pull` for all nodes
  double weight = 0.0;
  double pull[4] = {};
  bool streams = false;  ///< true: positions are written to memory without passing the caches
  /// if not null, accelerations are written here instead of a step
  double* acceleration = nullptr;
  Friction friction;
  const double* keep = nullptr;    ///< Friction::keep of each DOF; null: that of all
  const double* loss = nullptr;    ///< Friction::loss of each DOF; null: that of all
  double* lost_in_tile = nullptr;  ///< energy lost in each tile [J], added to
  CurveLaws curves;                ///< of bonds that follow PairLaw::curve
  Dampers dampers;                 ///< if there are any, a step is a kick and two damper passes
};

inline constexpr std::int64_t kAhead = 64;  ///< number of slots by which prefetches run ahead
inline constexpr int bond_stride(int dimension) {
  return dimension == 3 ? 4 : 2;
}

/// Runs tiles first..last; returns true if every velocity stayed finite. With dampers it only
/// kicks: see kernels/damper_kernel.h.
/// @param scratch  three times `stride` numbers for each place of the largest tile with its halo
using BondRunner =
    bool (*)(const BondNetwork&, std::int64_t first, std::int64_t last, double h, double* scratch);
/// The best runner for this processor; dimension 1, 2 or 3.
BondRunner choose_bond_runner(int dimension);

}  // namespace femflex::hamiltonian::tiles
