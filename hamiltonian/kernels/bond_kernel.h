// The kernel that makes leapfrog steps of an irregular network of springs, one tile of neighbouring
// nodes at a time: its entry points and its data. Each bond is computed once, for both its ends.
// Where the far end lies in another tile, its force is sent there by mail.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "kernels/friction.h"
#include "kernels/pair_laws.h"

namespace femflex::hamiltonian::tiles {

inline constexpr std::int64_t kGroup = 8;  ///< number of nodes whose bonds are computed together

/// The bonds of one law in one tile, in slots: one bond of each node of a group. Where a node has
/// fewer bonds than others of its group, its places hold bonds to itself, which exert no force.
struct BondSection {
  std::int64_t slot_at = 0;   ///< first slot
  std::int64_t count_at = 0;  ///< offset in BondNetwork::counts
};

/// Neighbouring nodes whose positions and forces fit the second-level cache.
struct BondTile {
  std::int64_t first = 0;  ///< first node
  std::int32_t nodes = 0;
  std::int32_t halo = 0;        ///< number of nodes of other tiles at the far ends of bonds
  std::int64_t halo_at = 0;     ///< offset in BondNetwork::halo and BondNetwork::mail
  std::int32_t letters = 0;     ///< number of forces that other tiles send to its nodes
  std::int64_t letters_at = 0;  ///< offset in BondNetwork::letter_from and letter_to
  std::int64_t first_sender =
      0;  ///< the first tile that sends one; without letters, the tile itself
  std::array<BondSection, kPairLaws> sections;

  std::int64_t groups() const { return (nodes + kGroup - 1) / kGroup; }
  /// Number of nodes, filled up to whole groups. The halo is numbered after them.
  std::int64_t padded() const { return kGroup * groups(); }
};

/// Whether a law is used, and its constants if all its bonds share them.
struct LawConstants {
  bool is_used = false;            ///< whether a bond of the network follows this law
  bool is_shared = true;           ///< true: all bonds have these constants
  double alpha = 0.0, beta = 0.0;  ///< see PairLaw
};

/// Numbers per DOF that a step with dampers along bonds keeps between its three passes: v is the
/// velocity before the decay by dampers, w the velocity half way through it, a the acceleration.
/// docs/theory/hamiltonian.md §8, eq. (23)
struct Dampers {
  double *v = nullptr, *w = nullptr, *a = nullptr;  ///< null: no dampers
  const double* rate = nullptr;                     ///< c/m of friction on nodes [1/s]; null: none
  const double* half_mass = nullptr;                ///< m/2 of free DOFs, else 0 [kg]
};

/// The arrays of a network that a step reads and writes. Numbers per DOF (x, u, w, ...) are stored
/// node by node, bond_stride() numbers per node.
struct BondNetwork {
  const BondTile* tiles = nullptr;
  std::int64_t tile_count = 0;
  const std::int32_t* counts = nullptr;       ///< number of slots of each group
  const std::int32_t* halo = nullptr;         ///< nodes of the halos, tile after tile
  double* mail = nullptr;                     ///< forces on the nodes of the halos, stored like `x`
  const std::int32_t* letter_from = nullptr;  ///< index in the mail, tile after tile
  const std::uint16_t* letter_to = nullptr;   ///< the node of the tile that it acts on
  /// First tile that the worker computes. Tiles that receive mail from before it have to wait for
  /// other workers: their forces are parked in `parked`, stored like `x`.
  std::int64_t first_tile = 0;
  double* parked = nullptr;
  /// per slot, the far ends of its eight bonds, as offsets in arrays over the nodes of the tile and
  /// its halo, bond_stride() numbers per node
  const std::uint16_t* partners = nullptr;
  /// per slot, eight alpha, then eight beta; null if the bonds of each law share their constants
  const double* constants = nullptr;
  const LawConstants* laws = nullptr;  ///< one per PairLaw
  /// positions; a tile moves its nodes when no other tile still needs their old ones, because halos
  /// lie in later tiles
  double* x = nullptr;
  double* u = nullptr;        ///< velocities at half steps
  const double* w = nullptr;  ///< 1/m, 0 for fixed DOFs; null: `inverse_mass` for all DOFs
  const double* g =
      nullptr;  ///< constant acceleration; null: `constant_acceleration` for all nodes
  double inverse_mass = 0.0;
  double constant_acceleration[4] = {};
  /// not null: accelerations are written here, and no step is made
  double* acceleration = nullptr;
  Friction friction;
  const double* keep = nullptr;    ///< Friction::keep of each DOF; null: friction.keep for all
  const double* loss = nullptr;    ///< Friction::loss of each DOF; null: friction.loss for all
  double* lost_in_tile = nullptr;  ///< the energy lost in each tile [J] is added here
  CurveLaws curves;                ///< of bonds that follow PairLaw::curve
  Dampers dampers;                 ///< if there are any, a step is a kick and two damper passes
};

inline constexpr std::int64_t kAhead = 64;  ///< number of slots by which prefetches run ahead
/// Numbers stored per node.
inline constexpr int bond_stride(int dimension) {
  return dimension == 3 ? 4 : 2;
}

/// Makes one step of length h of some tiles; returns true if every velocity stayed finite. With
/// dampers it makes only the first of three passes, the kick: see kernels/damper_kernel.h.
/// @param scratch  room for 3 * bond_stride() * BondTiles::largest_tile numbers
using BondRunner =
    bool (*)(const BondNetwork&, std::int64_t first, std::int64_t last, double h, double* scratch);

/// Finishes one parked tile, as a BondRunner would have done with all its mail.
using BondFinisher = bool (*)(const BondNetwork&, std::int64_t tile, double h);

/// The two halves of a pass over the tiles. A tile may be computed after those tiles of the same
/// worker that send it mail; parked tiles are finished after the tiles of all workers.
struct BondRunners {
  BondRunner compute = nullptr;
  BondFinisher finish = nullptr;
};
/// True if a tile has to wait for mail from tiles before `first_tile`.
inline bool is_parked(const BondTile& tile, std::int64_t first_tile) {
  return tile.first_sender < first_tile;
}
/// The fastest runners that this processor can execute; dimension 1, 2 or 3.
BondRunners choose_bond_runners(int dimension);

}  // namespace femflex::hamiltonian::tiles
