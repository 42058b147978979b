// Prefetches what a kernel of an irregular network reads after the bonds of a tile.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "kernels/bond_kernel.h"
#include "kernels/lanes.h"

namespace femflex::hamiltonian::tiles {

/// Prefetches, a part in each group of bonds: numbers of the nodes of tile t, which are read or
/// written after its bonds, and those that tile t + 1 collects.
/// @tparam Own   number of arrays over the nodes that tile t needs
/// @tparam Next  number of arrays over the nodes that tile t + 1 collects
template <int Stride, std::size_t Own, std::size_t Next>
class Fetch {
 public:
  Fetch(const BondNetwork& n,
        std::int64_t t,
        const std::array<const double*, Own>& own,
        const std::array<const double*, Next>& next)
      : own_(own), next_(next), first_(Stride * n.tiles[t].first), nodes_(n.tiles[t].nodes) {
    if (t + 1 == n.tile_count) return;
    const BondTile& following = n.tiles[t + 1];
    halo_ = n.halo + following.halo_at;
    halo_count_ = following.halo;
    per_group_ = (following.halo + n.tiles[t].groups() - 1) / n.tiles[t].groups();
    next_first_ = Stride * following.first;
    next_nodes_ = following.nodes;
  }
  [[gnu::always_inline]] void run(std::int64_t group) const {
    constexpr std::int64_t kLine = 8;  // numbers of a cache line
    for (std::int64_t i = Stride * kGroup * group; i < Stride * kGroup * (group + 1); i += kLine) {
      if (i < Stride * nodes_)
        for (const double* array : own_)
          __builtin_prefetch(array + first_ + i, 1, 2);
      if (i < Stride * next_nodes_)
        for (const double* array : next_)
          __builtin_prefetch(array + next_first_ + i, 0, 2);
    }
    const std::int64_t last = std::min((group + 1) * per_group_, halo_count_);
    for (std::int64_t i = group * per_group_; i < last; ++i)
      for (const double* array : next_)
        __builtin_prefetch(array + Stride * std::int64_t{halo_[i]}, 0, 2);
  }

 private:
  std::array<const double*, Own> own_;
  std::array<const double*, Next> next_;
  std::int64_t first_, nodes_;
  const std::int32_t* halo_ = nullptr;
  std::int64_t halo_count_ = 0, per_group_ = 0;
  std::int64_t next_first_ = 0, next_nodes_ = 0;
};

}  // namespace femflex::hamiltonian::tiles
