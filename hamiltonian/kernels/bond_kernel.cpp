// Makes leapfrog steps of an irregular network of springs. For each tile of nodes it gathers
// positions, adds the force of each bond to both ends, and advances velocities and positions. One
// of several compiled versions is chosen at run time.
#include "kernels/bond_kernel.h"

#include <algorithm>
#include <cstring>

#include "femflex/index.h"

#include "kernels/lanes.h"

namespace femflex::hamiltonian::tiles {
namespace {

#pragma GCC diagnostic ignored "-Wpsabi"
#pragma GCC diagnostic ignored "-Wpedantic"

/// Prefetches what the kernel reads after the last group of a tile: the velocities of this tile,
/// and the positions and halo of the next tile. Each group fetches a small part.
template <int Stride>
class Fetch {
 public:
  Fetch(const BondNetwork& n, std::int64_t t)
      : x_(n.x),
        u_(n.u + Stride * n.tiles[t].first),
        x_next_(n.x_next + Stride * n.tiles[t].first),
        nodes_(n.tiles[t].nodes) {
    if (t + 1 == n.tile_count) return;
    const BondTile& next = n.tiles[t + 1];
    halo_ = n.halo + next.halo_at;
    halo_count_ = next.halo;
    per_group_ = (next.halo + n.tiles[t].groups() - 1) / n.tiles[t].groups();
    next_x_ = n.x + Stride * next.first;
    next_nodes_ = next.nodes;
  }
  [[gnu::always_inline]] void run(std::int64_t group) const {
    constexpr std::int64_t kLine = 8;  // numbers of a cache line
    for (std::int64_t i = Stride * kGroup * group; i < Stride * kGroup * (group + 1); i += kLine) {
      if (i < Stride * nodes_) {
        __builtin_prefetch(u_ + i, 1, 2);
        __builtin_prefetch(x_next_ + i, 1, 2);
      }
      if (i < Stride * next_nodes_) __builtin_prefetch(next_x_ + i, 0, 2);
    }
    const std::int64_t last = std::min((group + 1) * per_group_, halo_count_);
    for (std::int64_t i = group * per_group_; i < last; ++i)
      __builtin_prefetch(x_ + Stride * std::int64_t{halo_[i]}, 0, 2);
  }

 private:
  const double *x_, *u_, *x_next_;
  std::int64_t nodes_;
  const std::int32_t* halo_ = nullptr;
  std::int64_t halo_count_ = 0, per_group_ = 0;
  const double* next_x_ = nullptr;
  std::int64_t next_nodes_ = 0;
};

/// Adds the forces of all bonds of one law in a tile to f.
/// @param x  positions of the tile and its halo
template <int Stride, PairLaw Law, bool Shared>
[[gnu::always_inline]] inline void pull_section(const BondNetwork& n,
                                                const BondTile& tile,
                                                const Fetch<Stride>& fetch,
                                                const double* x,
                                                double* f) {
  using V = typename Lanes<Stride>::Type;
  const BondSection& section = tile.sections[static_cast<std::size_t>(Law)];
  const LawConstants& law = n.laws[static_cast<std::size_t>(Law)];
  const std::uint16_t* partner = n.partners + kGroup * section.slot_at;
  const double* pair = Shared ? nullptr : n.constants + 2 * kGroup * section.slot_at;
  Vector alpha = all(law.alpha);
  Vector beta = all(law.beta);
  const std::int64_t groups = tile.groups();
  for (std::int64_t g = 0; g < groups; ++g) {
    const double* x_g = x + Stride * kGroup * g;
    fetch.run(g);
    V f_a[kGroup] = {};
    for (std::int32_t k = n.counts[section.count_at + g]; k > 0; --k, partner += kGroup) {
      __builtin_prefetch(partner + kGroup * kAhead);
      if constexpr (!Shared) {
        __builtin_prefetch(pair + 2 * kGroup * kAhead);
        __builtin_prefetch(pair + 2 * kGroup * kAhead + kGroup);
        alpha = load<Vector>(pair);
        beta = load<Vector>(pair + kGroup);
        pair += 2 * kGroup;
      }
      V r[kGroup];
#pragma GCC unroll 8
      for (int j = 0; j < kGroup; ++j)
        r[j] = load<V>(x + std::size_t{Stride} * partner[j]) - load<V>(x_g + Stride * j);
      alignas(64) double s[kGroup];
      if constexpr (Law == PairLaw::curve) {
        store(s, dots(r, r));
        for (int j = 0; j < kGroup; ++j)
          s[j] = n.curves.over_length(n.curves.owner, alpha[j], beta[j], s[j]);
      } else {
        store(s, over_length<Law>(alpha, beta, dots(r, r)));
      }
#pragma GCC unroll 8
      for (int j = 0; j < kGroup; ++j) {
        const V pull = s[j] * r[j];
        double* far = f + std::size_t{Stride} * partner[j];
        f_a[j] += pull;
        store(far, load<V>(far) - pull);
      }
    }
    double* f_g = f + Stride * kGroup * g;
#pragma GCC unroll 8
    for (int j = 0; j < kGroup; ++j)
      store(f_g + Stride * j, load<V>(f_g + Stride * j) + f_a[j]);
  }
}

template <int Stride, PairLaw Law>
[[gnu::always_inline]] inline void pull_law(const BondNetwork& n,
                                            const BondTile& tile,
                                            const Fetch<Stride>& fetch,
                                            const double* x,
                                            double* f) {
  const LawConstants& law = n.laws[static_cast<std::size_t>(Law)];
  if (!law.is_used) return;
  if (law.is_shared)
    pull_section<Stride, Law, true>(n, tile, fetch, x, f);
  else
    pull_section<Stride, Law, false>(n, tile, fetch, x, f);
}

template <int Stride, bool Streams, bool HasFriction>
[[gnu::always_inline]] inline void move_nodes(const BondNetwork& n,
                                              const BondTile& tile,
                                              double h,
                                              const double* x,
                                              const double* f,
                                              typename Lanes<Stride>::Type& health) {
  using V = typename Lanes<Stride>::Type;
  const V shared_g = load<V>(n.constant_acceleration);
  V lost = {};
  for (std::int64_t i = 0; i < tile.nodes; ++i) {
    const std::int64_t at = Stride * (tile.first + i);
    const V force = load<V>(f + Stride * i);
    const V g = n.g != nullptr ? load<V>(n.g + at) : shared_g;
    const V a = n.w != nullptr ? force * load<V>(n.w + at) + g : force * n.inverse_mass + g;
    if (n.acceleration != nullptr) {
      store(n.acceleration + at, a);
      continue;
    }
    V u = load<V>(n.u + at);
    if (n.dampers.v != nullptr) {
      store(n.dampers.a + at, a);
      store(n.dampers.v + at, u + 0.5 * h * a);
      continue;
    }
    if constexpr (HasFriction) {
      const V keep = n.keep != nullptr ? load<V>(n.keep + at) : V{} + n.friction.keep;
      const V loss = n.loss != nullptr ? load<V>(n.loss + at) : V{} + n.friction.loss;
      const V half = 0.5 * h * a;
      u += half;
      lost += loss * u * u;
      u = keep * u + half;
    } else {
      u += h * a;
    }
    store(n.u + at, u);
    const V moved = load<V>(x + Stride * i) + h * u;
    if constexpr (Streams)
      stream(n.x_next + at, moved);
    else
      store(n.x_next + at, moved);
    health += 0.0 * u;
  }
  if constexpr (HasFriction) {
    double sum = 0.0;
    for (int lane = 0; lane < Stride; ++lane)
      sum += lost[lane];
    if (n.acceleration == nullptr) n.lost_in_tile[&tile - n.tiles] += sum;
  }
}

template <int Stride>
[[gnu::always_inline]] inline bool run_tiles(
    const BondNetwork& n, std::int64_t first, std::int64_t last, double h, double* scratch) {
  using V = typename Lanes<Stride>::Type;
  V health = {};
  for (std::int64_t t = first; t < last; ++t) {
    const BondTile& tile = n.tiles[t];
    const std::int64_t places = tile.padded() + tile.halo;
    double* x = scratch;
    double* f = scratch + Stride * places;
    std::memcpy(x, n.x + Stride * tile.first, sizeof(V) * at(tile.nodes));
    std::memset(x + Stride * tile.nodes, 0, sizeof(V) * at(tile.padded() - tile.nodes));
    const std::int32_t* halo = n.halo + tile.halo_at;
    double* x_halo = x + Stride * tile.padded();
    for (std::int64_t i = 0; i < tile.halo; ++i)
      store(x_halo + Stride * i, load<V>(n.x + Stride * std::int64_t{halo[i]}));
    std::memset(f, 0, sizeof(V) * at(places));
    const Fetch<Stride> fetch(n, t);
    pull_law<Stride, PairLaw::quartic>(n, tile, fetch, x, f);
    pull_law<Stride, PairLaw::linear>(n, tile, fetch, x, f);
    pull_law<Stride, PairLaw::taut_quartic>(n, tile, fetch, x, f);
    pull_law<Stride, PairLaw::taut_linear>(n, tile, fetch, x, f);
    pull_law<Stride, PairLaw::curve>(n, tile, fetch, x, f);
    if (n.friction.is_active)
      move_nodes<Stride, false, true>(n, tile, h, x, f, health);
    else if (n.streams)
      move_nodes<Stride, true, false>(n, tile, h, x, f, health);
    else
      move_nodes<Stride, false, false>(n, tile, h, x, f, health);
  }
#if defined(__x86_64__)
  if (n.streams) _mm_sfence();
#endif
  double sum = 0.0;
  for (int lane = 0; lane < Stride; ++lane)
    sum += health[lane];
  return sum == 0.0;
}

// an attribute cannot be put in parentheses
// NOLINTBEGIN(bugprone-macro-parentheses)
#define FEMFLEX_RUNNERS(suffix, attribute)                                               \
  attribute bool flat_##suffix(                                                          \
      const BondNetwork& n, std::int64_t a, std::int64_t b, double h, double* scratch) { \
    return run_tiles<2>(n, a, b, h, scratch);                                            \
  }                                                                                      \
  attribute bool solid_##suffix(                                                         \
      const BondNetwork& n, std::int64_t a, std::int64_t b, double h, double* scratch) { \
    return run_tiles<4>(n, a, b, h, scratch);                                            \
  }
// NOLINTEND(bugprone-macro-parentheses)

FEMFLEX_RUNNERS(plain, )
#if defined(__x86_64__)
FEMFLEX_RUNNERS(avx512, __attribute__((target("avx512f,avx512dq,avx512vl,fma"))))
FEMFLEX_RUNNERS(avx2, __attribute__((target("avx2,fma"))))
#endif
#undef FEMFLEX_RUNNERS

}  // namespace

BondRunner choose_bond_runner(int dimension) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    return dimension == 3 ? solid_avx512 : flat_avx512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return dimension == 3 ? solid_avx2 : flat_avx2;
#endif
  return dimension == 3 ? solid_plain : flat_plain;
}

}  // namespace femflex::hamiltonian::tiles
