// The kernel for irregular networks: per tile, gather positions, add the force of each bond to both
// ends, advance velocities and positions. Compiled for several instruction sets.
#include "kernels/bond_kernel.h"

#include <cstring>
#if defined(__x86_64__)
#include <emmintrin.h>
#endif

namespace femflex::hamiltonian::tiles {
namespace {

#pragma GCC diagnostic ignored "-Wpsabi"
#pragma GCC diagnostic ignored "-Wpedantic"

template <int Stride>
struct Lanes;
template <>
struct Lanes<2> {
  using Type = double __attribute__((vector_size(16)));
};
template <>
struct Lanes<4> {
  using Type = double __attribute__((vector_size(32)));
};

template <typename V>
[[gnu::always_inline]] inline V read(const double* from) {
  V v;
  std::memcpy(&v, from, sizeof v);
  return v;
}
template <typename V>
[[gnu::always_inline]] inline void write(double* to, const V& v) {
  std::memcpy(to, &v, sizeof v);
}
template <bool Streams, typename V>
[[gnu::always_inline]] inline void write_position(double* to, const V& v) {
#if defined(__x86_64__)
  if constexpr (Streams) {  // streaming stores: memory is not read before it is overwritten
    for (unsigned i = 0; i < sizeof v / sizeof(double); i += 2)
      _mm_stream_pd(to + i, _mm_setr_pd(v[i], v[i + 1]));
    return;
  }
#endif
  write(to, v);
}

struct Cursor {
  const std::uint16_t* partner;
  const double* pair;           // constants of the current bond, or the table of shared pairs
  const std::uint16_t* number;  // index of the bond's shared pair
};

/// Computes `nodes` nodes with the same number of bonds each. `Count` is that number, or 0 if it is
/// given by `count`.
template <int Stride, bool Shared, int Count>
[[gnu::always_inline]] inline void run_nodes(int nodes,
                                             int count,
                                             const double* x,
                                             double* f,
                                             const double* all_x,
                                             double* all_f,
                                             Cursor& c) {
  using V = typename Lanes<Stride>::Type;
  const int bonds = Count > 0 ? Count : count;
  for (int i = 0; i < nodes; ++i) {
    const V x_a = read<V>(x + Stride * i);
    V f_a = {};
#pragma GCC unroll 12
    for (int k = 0; k < bonds; ++k) {
      if constexpr (!Shared) {
        if (k % 4 == 0) __builtin_prefetch(c.pair + 2 * (k + kAhead));
      }
      const std::size_t at = std::size_t{c.partner[k]} * Stride;
      const double* pair =
          Shared ? c.pair + 2 * std::size_t{c.number[k]} : c.pair + 2 * static_cast<std::size_t>(k);
      const V r = read<V>(all_x + at) - x_a;
      const V rr = r * r;
      double r2 = rr[0] + rr[1];
      if constexpr (Stride == 4) r2 += rr[2];
      const double s = pair[0] * r2 - pair[1];
      f_a += s * r;
      write(all_f + at, read<V>(all_f + at) - s * r);
    }
    write(f + Stride * i, read<V>(f + Stride * i) + f_a);
    c.partner += bonds;
    if constexpr (Shared)
      c.number += bonds;
    else
      c.pair += 2 * bonds;
  }
}

template <int Stride, bool Streams>
[[gnu::always_inline]] inline void move_nodes(const BondNetwork& n,
                                              const BondTile& tile,
                                              double h,
                                              const double* x,
                                              const double* f,
                                              typename Lanes<Stride>::Type& health) {
  using V = typename Lanes<Stride>::Type;
  const V pull = read<V>(n.pull);
  for (std::int64_t i = 0; i < tile.nodes; ++i) {
    const std::int64_t at = Stride * (tile.first + i);
    const V force = read<V>(f + Stride * i);
    const V g = n.g != nullptr ? read<V>(n.g + at) : pull;
    const V a = n.w != nullptr ? force * read<V>(n.w + at) + g : force * n.weight + g;
    if (n.acceleration != nullptr) {
      write(n.acceleration + at, a);
      continue;
    }
    const V u = read<V>(n.u + at) + h * a;
    write(n.u + at, u);
    write_position<Streams>(n.x_next + at, read<V>(x + Stride * i) + h * u);
    health += 0.0 * u;
  }
}

template <int Stride, bool Shared>
[[gnu::always_inline]] inline void pull_bonds(const BondNetwork& n,
                                              const BondTile& tile,
                                              const double* x,
                                              double* f) {
  Cursor c{n.partners + tile.bond_at,
           Shared ? n.pairs : n.pairs + 2 * tile.bond_at,
           Shared ? n.numbers + tile.bond_at : nullptr};
  std::int64_t at = 0;
  for (const BondRun* run = n.runs + tile.run_at; run != n.runs + tile.run_at + tile.run_count;
       ++run) {
    const double* x_run = x + Stride * at;
    double* f_run = f + Stride * at;
    switch (run->bonds) {  // code for fixed counts needs no branch per bond
#define FEMFLEX_RUN(count)                                                           \
  case count:                                                                        \
    run_nodes<Stride, Shared, count>(run->nodes, run->bonds, x_run, f_run, x, f, c); \
    break;
      FEMFLEX_RUN(1)
      FEMFLEX_RUN(2)
      FEMFLEX_RUN(3)
      FEMFLEX_RUN(4)
      FEMFLEX_RUN(5)
      FEMFLEX_RUN(6)
      FEMFLEX_RUN(7)
      FEMFLEX_RUN(8)
      FEMFLEX_RUN(9)
      FEMFLEX_RUN(10)
      FEMFLEX_RUN(11)
      FEMFLEX_RUN(12)
#undef FEMFLEX_RUN
      default:
        run_nodes<Stride, Shared, 0>(run->nodes, run->bonds, x_run, f_run, x, f, c);
    }
    at += run->nodes;
  }
}

template <int Stride>
[[gnu::always_inline]] inline bool run_tiles(
    const BondNetwork& n, std::int64_t first, std::int64_t last, double h, double* scratch) {
  using V = typename Lanes<Stride>::Type;
  V health = {};
  for (std::int64_t t = first; t < last; ++t) {
    const BondTile& tile = n.tiles[t];
    const std::int64_t places = tile.nodes + tile.halo;
    double* x = scratch;
    double* f = scratch + Stride * places;
    std::memcpy(x, n.x + Stride * tile.first, sizeof(V) * static_cast<std::size_t>(tile.nodes));
    const std::int32_t* halo = n.halo + tile.halo_at;
    for (std::int64_t i = 0; i < tile.halo; ++i)
      write(x + Stride * (tile.nodes + i), read<V>(n.x + Stride * std::int64_t{halo[i]}));
    std::memset(f, 0, sizeof(V) * static_cast<std::size_t>(places));
    // the halo is scattered, unlike all other data, so that of the next tile is fetched while this
    // tile computes
    if (t + 1 < n.tile_count) {
      const std::int32_t* next = n.halo + n.tiles[t + 1].halo_at;
      for (std::int64_t i = 0; i < n.tiles[t + 1].halo; ++i)
        __builtin_prefetch(n.x + Stride * std::int64_t{next[i]}, 0, 2);
    }
    if (n.numbers != nullptr)
      pull_bonds<Stride, true>(n, tile, x, f);
    else
      pull_bonds<Stride, false>(n, tile, x, f);
    if (n.streams)
      move_nodes<Stride, true>(n, tile, h, x, f, health);
    else
      move_nodes<Stride, false>(n, tile, h, x, f, health);
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
FEMFLEX_RUNNERS(avx2, __attribute__((target("avx2,fma"))))
#endif
#undef FEMFLEX_RUNNERS

}  // namespace

BondRunner choose_bond_runner(int dimension) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return dimension == 3 ? solid_avx2 : flat_avx2;
#endif
  return dimension == 3 ? solid_plain : flat_plain;
}

}  // namespace femflex::hamiltonian::tiles
