// Makes a leapfrog step of a regular network of springs, or computes its accelerations, one block
// of eight nodes at a time. One of several compiled versions is chosen at run time. A bond pulls
// its ends together with the force s r: r is the vector between the ends, s follows from
// kernels/pair_laws.h. A half-bond is the effect of a bond on one of its ends.
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
  /// in a row, that is, an array for all bonds of one index distance; the constants of a bond are
  /// stored at its end of lower index and read by both ends
  row,
};

/// Eight half-bonds, one for each node of a block.
struct Slot {
  std::int32_t at = 0;  ///< index distance of the partners, or offset of their stored indices
  std::uint32_t coefficient = 0;  ///< index of a pair or of a row, or offset of eight stored pairs
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
  /// eight alpha, then eight beta for each row of each block; 0: no bond
  const double* rows = nullptr;
  std::int64_t row_count = 0;  ///< number of rows per block
  const double* x[3] = {};     ///< positions before the step
  double* x_next[3] = {};
  double* u[3] = {};        ///< velocities at half steps
  const double* w[3] = {};  ///< 1/m, 0 for fixed DOFs; null: `inverse_mass` for all DOFs
  const double* g[3] = {};  ///< constant acceleration; null: `constant_acceleration` for all nodes
  double inverse_mass = 0.0;
  double constant_acceleration[3] = {};
  /// true: positions are written to memory without passing the caches, because the network is
  /// larger than these
  bool streams = false;
  /// not null: accelerations are written here, and no step is made
  double* acceleration[3] = {};
  Friction friction;
  const double* keep[3] = {};       ///< Friction::keep of each DOF; null: friction.keep for all
  const double* loss[3] = {};       ///< Friction::loss of each DOF; null: friction.loss for all
  double* lost_in_block = nullptr;  ///< the energy lost in each block [J] is added here
};

/// Number of blocks by which prefetches run ahead. The processor cannot predict the order in which
/// rows are read.
inline constexpr std::int64_t kBlocksAhead = 8;

/// Force divided by length of eight bonds whose constants are in a row. For partners of higher
/// index the constants are those of this block; for partners of lower index they are in an earlier
/// block, or partly in one block and partly in the next.
template <PairLaw Law, typename V>
[[gnu::always_inline]] inline V row_force(const Network& n,
                                          const Slot& slot,
                                          std::int64_t block,
                                          const V& r2) {
  const std::int64_t back = slot.at < 0 ? slot.at : 0;
  const double* low = n.rows + 16 * (n.row_count * (block + (back >> 3)) + slot.coefficient);
  const std::int64_t shift = back & 7;
  __builtin_prefetch(low + 16 * n.row_count * kBlocksAhead);
  __builtin_prefetch(low + 16 * n.row_count * kBlocksAhead + 8);
  if (shift == 0) return over_length<Law>(load<V>(low), load<V>(low + 8), r2);
  const double* high = low + 16 * n.row_count - 8 + shift;
  const auto from_low = static_cast<std::uint8_t>(255 >> shift);
  const V alpha = pick(from_low, load<V>(low + shift), load<V>(high));
  const V beta = pick(from_low, load<V>(low + 8 + shift), load<V>(high + 8));
  return over_length<Law>(alpha, beta, r2);
}

/// Makes a step of the blocks from `first` to before `last`, or computes their accelerations.
/// @param health  stays 0 in every lane; becomes NaN where a velocity is not finite
template <int Dim, PairLaw Law, typename V, bool Streams, bool HasFriction>
[[gnu::always_inline]] inline void run_blocks(
    const Network& n, std::int64_t first, std::int64_t last, double h, V& health) {
  for (std::int64_t block = first; block < last; ++block) {
    const std::int64_t base = 8 * block;
    V x[Dim];
    V f[Dim];
    for (int d = 0; d < Dim; ++d) {
      x[d] = load<V>(n.x[d] + base);
      f[d] = V{};
    }
    V lost = {};
    const Pattern pattern = n.patterns[n.pattern_of[block]];
    const Slot* slot = n.slots + pattern.first;
    for (const Slot* end = slot + pattern.count; slot != end; ++slot) {
      V r[Dim];
      if (slot->gathers) {
        const std::int32_t* at = n.partners + slot->at;
        for (int d = 0; d < Dim; ++d)
          r[d] = gather<V>(n.x[d], at) - x[d];
      } else {
        const std::int64_t at = base + slot->at;
        for (int d = 0; d < Dim; ++d)
          r[d] = load<V>(n.x[d] + at) - x[d];
      }
      V r2 = r[0] * r[0];
      for (int d = 1; d < Dim; ++d)
        r2 += r[d] * r[d];
      V s;
      if (slot->constants == Constants::row) {
        s = row_force<Law>(n, *slot, block, r2);  // 0 in lanes without a bond, as its constants
      } else if (slot->constants == Constants::eight_pairs) {
        s = over_length<Law>(
            load<V>(n.own_alpha + slot->coefficient), load<V>(n.own_beta + slot->coefficient), r2);
      } else {
        s = over_length<Law>(
            all<V>(n.alpha[slot->coefficient]), all<V>(n.beta[slot->coefficient]), r2);
        if (slot->lanes != 255) s = pick(slot->lanes, s, V{});
      }
      for (int d = 0; d < Dim; ++d)
        f[d] += s * r[d];
    }
    for (int d = 0; d < Dim; ++d) {
      const V w = n.w[d] != nullptr ? load<V>(n.w[d] + base) : all<V>(n.inverse_mass);
      const V g = n.g[d] != nullptr ? load<V>(n.g[d] + base) : all<V>(n.constant_acceleration[d]);
      const V a = f[d] * w + g;
      if (n.acceleration[d] != nullptr) {
        store(n.acceleration[d] + base, a);
        continue;
      }
      V u = load<V>(n.u[d] + base);
      if constexpr (HasFriction) {
        const V keep = n.keep[d] != nullptr ? load<V>(n.keep[d] + base) : all<V>(n.friction.keep);
        const V loss = n.loss[d] != nullptr ? load<V>(n.loss[d] + base) : all<V>(n.friction.loss);
        const V half = 0.5 * h * a;
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
    if constexpr (HasFriction) {
      if (n.acceleration[0] != nullptr) continue;
      n.lost_in_block[block] += sum(lost);
    }
  }
}

#pragma GCC diagnostic pop

/// Makes one step of length h of the blocks from `first` to before `last`; returns true if every
/// velocity stayed finite.
using Runner = bool (*)(const Network&, std::int64_t first, std::int64_t last, double h);
/// The fastest runner that this processor can execute.
Runner choose_runner(int dimension, PairLaw law);

}  // namespace femflex::hamiltonian::tiles
