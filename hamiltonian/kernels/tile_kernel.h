// The kernel for regular networks: computes one block of eight nodes at a time, in the vector types
// of GCC and clang; the same source is compiled for several instruction sets and chosen at run
// time. A bond pulls its ends together with the force s r, s by kernels/pair_laws.h; a half-bond is
// its effect on one of its ends.
#pragma once

#include <cstdint>

#include "kernels/friction.h"
#include "kernels/pair_laws.h"

namespace femflex::hamiltonian::tiles {

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"
#pragma GCC diagnostic ignored "-Wpedantic"

/// Where the constants of eight half-bonds are stored.
enum class Constants : std::uint8_t {
  one_pair,     ///< the same pair for all lanes
  eight_pairs,  ///< one pair per lane, side by side
  row,  ///< in the row of a distance; stored at the lower node of each bond and read by both ends
};

/// Eight half-bonds, one for each node of a block.
struct Slot {
  std::int32_t at = 0;  ///< index distance of the partners, or offset of their stored indices
  std::uint32_t coefficient = 0;  ///< index of a pair or row, or offset of eight stored pairs
  std::uint8_t lanes = 0;         ///< bit mask of the lanes that have a bond
  bool gathers = false;           ///< true: partners are given by index instead of by distance
  Constants constants = Constants::one_pair;
  friend bool operator==(const Slot&, const Slot&) = default;
};

/// The slots of a block; blocks with the same slots share a pattern.
struct Pattern {
  std::uint32_t first = 0, count = 0;  ///< first slot and number of slots
};

/// The arrays of a network that a step reads and writes; x, u, w and g have one array per axis.
struct Network {
  const std::uint32_t* pattern_of = nullptr;  ///< pattern of each block
  const Pattern* patterns = nullptr;
  const Slot* slots = nullptr;
  const std::int32_t* partners = nullptr;  ///< absolute indices, eight per slot
  const double* alpha = nullptr;           ///< alpha of the shared pairs
  const double* beta = nullptr;
  const double* own_alpha = nullptr;  ///< alpha of each lane's own pair, eight per slot
  const double* own_beta = nullptr;
  /// eight alpha, then eight beta for each block and row; 0: no bond
  const double* rows = nullptr;
  std::int64_t row_count = 0;
  const double* x[3] = {};  ///< positions before the step
  double* x_next[3] = {};
  double* u[3] = {};        ///< velocities at half steps
  const double* w[3] = {};  ///< 1/m, 0 for fixed DOFs; null: `weight` for all
  const double* g[3] = {};  ///< constant acceleration; null: `pull` for all nodes
  double weight = 0.0;
  double pull[3] = {};
  /// true: positions are written to memory without passing the caches, because the network is
  /// larger than these
  bool streams = false;
  double* acceleration[3] = {};  ///< if not null, accelerations are written here instead of a step
  Friction friction;
  const double* keep[3] = {};       ///< Friction::keep of each DOF; null: that of all
  const double* loss[3] = {};       ///< Friction::loss of each DOF; null: that of all
  double* lost_in_block = nullptr;  ///< energy lost in each block [J], added to
};

/// Number of blocks by which prefetches run ahead, since rows are read in an order that the
/// processor cannot predict.
inline constexpr std::int64_t kBlocksAhead = 8;

/// Force over length of bonds towards higher nodes, from the block's own constants, or towards
/// lower nodes, whose constants are in one block or across two.
template <PairLaw Law>
[[gnu::always_inline]] inline Vector row_force(const Network& n,
                                               const Slot& slot,
                                               std::int64_t block,
                                               const Vector& r2) {
  const std::int64_t back = slot.at < 0 ? slot.at : 0;
  const double* low = n.rows + 16 * (n.row_count * (block + (back >> 3)) + slot.coefficient);
  const std::int64_t shift = back & 7;
  __builtin_prefetch(low + 16 * n.row_count * kBlocksAhead);
  __builtin_prefetch(low + 16 * n.row_count * kBlocksAhead + 8);
  if (shift == 0) return over_length<Law>(load<Vector>(low), load<Vector>(low + 8), r2);
  const double* high = low + 16 * n.row_count - 8 + shift;
  const Mask from_low = lanes_of(static_cast<std::uint8_t>(255 >> shift));
  const Vector alpha = from_low ? load<Vector>(low + shift) : load<Vector>(high);
  const Vector beta = from_low ? load<Vector>(low + 8 + shift) : load<Vector>(high + 8);
  return over_length<Law>(alpha, beta, r2);
}

/// @return 0 in every lane; NaN if something is not finite
template <int Dim, PairLaw Law, bool Streams, bool Friction>
[[gnu::always_inline]] inline void run_blocks(
    const Network& n, std::int64_t first, std::int64_t last, double h, Vector& health) {
  for (std::int64_t block = first; block < last; ++block) {
    const std::int64_t base = 8 * block;
    Vector x[Dim];
    Vector f[Dim];
    for (int d = 0; d < Dim; ++d) {
      x[d] = load<Vector>(n.x[d] + base);
      f[d] = Vector{};
    }
    Vector lost = {};
    const Pattern pattern = n.patterns[n.pattern_of[block]];
    const Slot* slot = n.slots + pattern.first;
    for (const Slot* end = slot + pattern.count; slot != end; ++slot) {
      Vector r[Dim];
      if (slot->gathers) {
        const std::int32_t* at = n.partners + slot->at;
        for (int d = 0; d < Dim; ++d)
          r[d] = gather(n.x[d], at) - x[d];
      } else {
        const std::int64_t at = base + slot->at;
        for (int d = 0; d < Dim; ++d)
          r[d] = load<Vector>(n.x[d] + at) - x[d];
      }
      Vector r2 = r[0] * r[0];
      for (int d = 1; d < Dim; ++d)
        r2 += r[d] * r[d];
      Vector s;
      if (slot->constants == Constants::row) {
        s = row_force<Law>(n, *slot, block, r2);
        // the constants are zero for lanes without a bond
      } else if (slot->constants == Constants::eight_pairs) {
        s = over_length<Law>(load<Vector>(n.own_alpha + slot->coefficient),
                             load<Vector>(n.own_beta + slot->coefficient),
                             r2);
      } else {
        s = over_length<Law>(all(n.alpha[slot->coefficient]), all(n.beta[slot->coefficient]), r2);
        if (slot->lanes != 255) s = lanes_of(slot->lanes) ? s : Vector{};
      }
      for (int d = 0; d < Dim; ++d)
        f[d] += s * r[d];
    }
    for (int d = 0; d < Dim; ++d) {
      const Vector w = n.w[d] != nullptr ? load<Vector>(n.w[d] + base) : all(n.weight);
      const Vector g = n.g[d] != nullptr ? load<Vector>(n.g[d] + base) : all(n.pull[d]);
      const Vector a = f[d] * w + g;
      if (n.acceleration[d] != nullptr) {
        store(n.acceleration[d] + base, a);
        continue;
      }
      Vector u = load<Vector>(n.u[d] + base);
      if constexpr (Friction) {
        const Vector keep =
            n.keep[d] != nullptr ? load<Vector>(n.keep[d] + base) : all(n.friction.keep);
        const Vector loss =
            n.loss[d] != nullptr ? load<Vector>(n.loss[d] + base) : all(n.friction.loss);
        const Vector half = 0.5 * h * a;
        u += half;
        lost += loss * u * u;
        u = keep * u + half;
      } else {
        u += h * a;
      }
      store(n.u[d] + base, u);
      if constexpr (Streams)
        stream(n.x_next[d] + base, x[d] + h * u);
      else
        store(n.x_next[d] + base, x[d] + h * u);
      health += 0.0 * u;
    }
    if constexpr (Friction) {
      if (n.acceleration[0] != nullptr) continue;
      double sum = 0.0;
      for (int lane = 0; lane < 8; ++lane)
        sum += lost[lane];
      n.lost_in_block[block] += sum;
    }
  }
}

#pragma GCC diagnostic pop

/// Runs blocks first..last; returns true if every velocity stayed finite.
using Runner = bool (*)(const Network&, std::int64_t first, std::int64_t last, double h);
/// The best runner for this processor.
Runner choose_runner(int dimension, PairLaw law);

}  // namespace femflex::hamiltonian::tiles
