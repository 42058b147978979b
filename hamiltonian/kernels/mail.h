// Exchanges numbers between the tiles of an irregular network, for its kernels: a bond is computed
// in one tile, which collects positions of far ends in other tiles and sends the forces on them
// there. Forces are added in the order of the senders, so sums do not depend on the number of
// threads.
#pragma once

#include <cstdint>
#include <cstring>

#include "femflex/index.h"

#include "kernels/bond_kernel.h"
#include "kernels/lanes.h"

namespace femflex::hamiltonian::tiles {

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"
#pragma GCC diagnostic ignored "-Wpedantic"

/// Collects what a tile needs of an array over the nodes: that of its own, padded with zeros, then
/// that of its halo.
template <int Stride>
[[gnu::always_inline]] inline void collect(const BondNetwork& n,
                                           const BondTile& tile,
                                           const double* from,
                                           double* to) {
  using V = typename Lanes<Stride>::Type;
  std::memcpy(to, from + Stride * tile.first, sizeof(V) * at(tile.nodes));
  std::memset(to + Stride * tile.nodes, 0, sizeof(V) * at(tile.padded() - tile.nodes));
  const std::int32_t* const halo = n.halo + tile.halo_at;
  double* const to_halo = to + Stride * tile.padded();
  for (std::int64_t i = 0, count = tile.halo; i < count; ++i)
    store(to_halo + Stride * i, load<V>(from + Stride * std::int64_t{halo[i]}));
}

/// Sends the forces on the halo of a tile; f holds those on its nodes, then those on its halo.
template <int Stride>
[[gnu::always_inline]] inline void send(const BondNetwork& n,
                                        const BondTile& tile,
                                        const double* f) {
  std::memcpy(n.mail + Stride * tile.halo_at,
              f + Stride * tile.padded(),
              sizeof(double) * Stride * at(tile.halo));
}

/// Adds the forces that other tiles have sent to the nodes of this one.
template <int Stride>
[[gnu::always_inline]] inline void receive(const BondNetwork& n, const BondTile& tile, double* f) {
  using V = typename Lanes<Stride>::Type;
  const std::int32_t* from = n.letter_from + tile.letters_at;
  const std::uint16_t* to = n.letter_to + tile.letters_at;
  const double* const mail = n.mail;
  for (std::int64_t i = 0, count = tile.letters; i < count; ++i) {
    double* f_to = f + std::size_t{Stride} * to[i];
    store(f_to, load<V>(f_to) + load<V>(mail + Stride * std::int64_t{from[i]}));
  }
}

/// Parks the forces on the nodes of a tile that has to wait for mail; false if it has not.
template <int Stride>
[[gnu::always_inline]] inline bool park(const BondNetwork& n,
                                        const BondTile& tile,
                                        const double* f) {
  if (!is_parked(tile, n.first_tile)) return false;
  std::memcpy(n.parked + Stride * tile.first, f, sizeof(double) * Stride * at(tile.nodes));
  return true;
}

#pragma GCC diagnostic pop

}  // namespace femflex::hamiltonian::tiles
