// Lets velocities of an irregular network decay by dampers along its bonds. For each tile of nodes
// it gathers positions and velocities, adds the force of each damper to both ends, exchanges forces
// with other tiles, and advances velocities. One of several compiled versions is chosen at run
// time.
#include "kernels/damper_kernel.h"

#include <cstring>
#include <type_traits>

#include "femflex/index.h"

#include "kernels/eight_nodes.h"
#include "kernels/fetch.h"
#include "kernels/lanes.h"
#include "kernels/mail.h"
#include "kernels/processor.h"

namespace femflex::hamiltonian::tiles {
namespace {

#pragma GCC diagnostic ignored "-Wpsabi"
#pragma GCC diagnostic ignored "-Wpedantic"

// squared length below which a bond has no direction [m^2], for example a padding bond of length 0
constexpr double kNoLength = 1e-290;

/// Damper force divided by length of eight bonds; `way` is the product of r and the velocity.
template <typename Eight>
[[gnu::always_inline]] inline Eight brake_over_length(const Eight& c,
                                                      const Eight& way,
                                                      const Eight& r2) {
  if constexpr (std::is_same_v<Eight, Halves>)
    return {brake_over_length(c.low, way.low, r2.low),
            brake_over_length(c.high, way.high, r2.high)};
  else
    return r2 > kNoLength ? c * way / r2 : Eight{};
}

/// f -= C v, with the dampers along the bonds of a tile.
template <int Stride, typename Eight, bool Shared, typename FetchOfPass>
[[gnu::always_inline]] inline void brake(const BondNetwork& n,
                                         const BondTile& tile,
                                         const FetchOfPass& fetch,
                                         const double* x,
                                         const double* v,
                                         double* f) {
  using Nodes = EightNodes<Stride, Eight>;
  const BondSection& section = tile.sections[static_cast<std::size_t>(PairLaw::damper)];
  const std::uint16_t* partner = n.partners + kGroup * section.slot_at;
  const double* pair = Shared ? nullptr : n.constants + 2 * kGroup * section.slot_at;
  auto c = all<Eight>(n.laws[static_cast<std::size_t>(PairLaw::damper)].alpha);
  for (std::int64_t g = 0; g < tile.groups(); ++g) {
    fetch.run(g);
    const auto near = Nodes::in_a_row(x + Stride * kGroup * g);
    const auto near_v = Nodes::in_a_row(v + Stride * kGroup * g);
    Nodes force;
    for (std::int32_t k = n.counts[section.count_at + g]; k > 0; --k, partner += kGroup) {
      __builtin_prefetch(partner + kGroup * kAhead);
      if constexpr (!Shared) {
        __builtin_prefetch(pair + 2 * kGroup * kAhead);
        c = load<Eight>(pair);
        pair += 2 * kGroup;
      }
      const auto r = Nodes::between(near, x, partner);
      const auto rate = Nodes::between(near_v, v, partner);
      force.pull(brake_over_length(c, r.dot(rate), r.dot(r)), r, f, partner);
    }
    force.add_to(f + Stride * kGroup * g);
  }
}

/// Adds to the forces f on a tile what other tiles have sent, and advances its velocities; with the
/// pass `whole` its positions too.
/// @param x, v  positions and velocities of its nodes
template <int Stride, bool IsWhole>
[[gnu::always_inline]] inline void complete(const BondNetwork& n,
                                            const BondTile& tile,
                                            double h,
                                            const double* x,
                                            const double* v,
                                            double* f,
                                            typename Lanes<Stride>::Type& health) {
  using V = typename Lanes<Stride>::Type;
  const Dampers& d = n.dampers;
  receive<Stride>(n, tile, f);
  V lost = {};
  for (std::int64_t i = 0; i < tile.nodes; ++i) {
    const std::int64_t at = Stride * (tile.first + i);
    const V inverse_mass = n.w != nullptr ? load<V>(n.w + at) : V{} + n.inverse_mass;
    V change = load<V>(f + Stride * i) * inverse_mass;
    if (d.rate != nullptr) change -= load<V>(d.rate + at) * load<V>(v + Stride * i);
    const V begin = load<V>(d.v + at);
    if constexpr (!IsWhole) {
      store(d.w + at, begin + 0.5 * h * change);
    } else {
      const V end = begin + h * change;
      lost += load<V>(d.half_mass + at) * (begin - end) * (begin + end);
      const V u = end + 0.5 * h * load<V>(d.a + at);
      store(n.u + at, u);
      store(n.x + at, load<V>(x + Stride * i) + h * u);
      health += 0.0 * u;
    }
  }
  for (int lane = 0; IsWhole && lane < Stride; ++lane)
    n.lost_in_tile[&tile - n.tiles] += lost[lane];
}

/// Prefetches what a pass reads and writes after the dampers of tile t.
template <int Stride, bool IsWhole>
[[gnu::always_inline]] inline auto fetch_of_pass(const BondNetwork& n, std::int64_t t) {
  const Dampers& d = n.dampers;
  if constexpr (IsWhole)
    return Fetch<Stride, 4, 2>(n, t, {d.v, d.a, d.half_mass, n.u}, {n.x, d.w});
  else
    return Fetch<Stride, 1, 2>(n, t, {d.w}, {n.x, d.v});
}

template <int Stride, typename Eight, bool IsWhole>
[[gnu::always_inline]] inline bool compute_tiles(
    const BondNetwork& n, std::int64_t first, std::int64_t last, double h, double* scratch) {
  using V = typename Lanes<Stride>::Type;
  V health = {};
  for (std::int64_t t = first; t < last; ++t) {
    const BondTile& tile = n.tiles[t];
    const std::int64_t places = tile.padded() + tile.halo;
    double* x = scratch;
    double* v = scratch + Stride * places;
    double* f = v + Stride * places;
    collect<Stride>(n, tile, n.x, x);
    collect<Stride>(n, tile, IsWhole ? n.dampers.w : n.dampers.v, v);
    std::memset(f, 0, sizeof(V) * at(places));
    const auto fetch = fetch_of_pass<Stride, IsWhole>(n, t);
    if (n.laws[static_cast<std::size_t>(PairLaw::damper)].is_shared)
      brake<Stride, Eight, true>(n, tile, fetch, x, v, f);
    else
      brake<Stride, Eight, false>(n, tile, fetch, x, v, f);
    send<Stride>(n, tile, f);
    if (!park<Stride>(n, tile, f)) complete<Stride, IsWhole>(n, tile, h, x, v, f, health);
  }
  return sum(health) == 0.0;
}

template <int Stride, bool IsWhole>
[[gnu::always_inline]] inline bool finish_tile(const BondNetwork& n, std::int64_t t, double h) {
  typename Lanes<Stride>::Type health = {};
  const std::int64_t at = Stride * n.tiles[t].first;
  const double* const v = (IsWhole ? n.dampers.w : n.dampers.v) + at;
  complete<Stride, IsWhole>(n, n.tiles[t], h, n.x + at, v, n.parked + at, health);
  return sum(health) == 0.0;
}

// an attribute cannot be put in parentheses
// NOLINTBEGIN(bugprone-macro-parentheses)
#define FEMFLEX_DAMPERS(name, stride, eight, attribute)                                  \
  attribute bool halfway_##name(                                                         \
      const BondNetwork& n, std::int64_t a, std::int64_t b, double h, double* s) {       \
    return compute_tiles<stride, eight, false>(n, a, b, h, s);                           \
  }                                                                                      \
  attribute bool finish_halfway_##name(const BondNetwork& n, std::int64_t t, double h) { \
    return finish_tile<stride, false>(n, t, h);                                          \
  }                                                                                      \
  attribute bool whole_##name(                                                           \
      const BondNetwork& n, std::int64_t a, std::int64_t b, double h, double* s) {       \
    return compute_tiles<stride, eight, true>(n, a, b, h, s);                            \
  }                                                                                      \
  attribute bool finish_whole_##name(const BondNetwork& n, std::int64_t t, double h) {   \
    return finish_tile<stride, true>(n, t, h);                                           \
  }                                                                                      \
  constexpr DamperRunners dampers_##name{{halfway_##name, finish_halfway_##name},        \
                                         {whole_##name, finish_whole_##name}};
// NOLINTEND(bugprone-macro-parentheses)

FEMFLEX_DAMPERS(flat_plain, 2, Vector, )
FEMFLEX_DAMPERS(solid_plain, 4, Vector, )
#if defined(__x86_64__)
FEMFLEX_DAMPERS(flat_avx512, 2, Vector, FEMFLEX_AVX512)
FEMFLEX_DAMPERS(solid_avx512, 4, Vector, FEMFLEX_AVX512)
FEMFLEX_DAMPERS(flat_avx2, 2, Halves, FEMFLEX_AVX2)
FEMFLEX_DAMPERS(solid_avx2, 4, Halves, FEMFLEX_AVX2)
#endif
#undef FEMFLEX_DAMPERS

}  // namespace

DamperRunners choose_damper_runners(int dimension) {
  const bool is_solid = dimension == 3;
#if defined(__x86_64__)
  if (has_avx512()) return is_solid ? dampers_solid_avx512 : dampers_flat_avx512;
  if (has_avx2()) return is_solid ? dampers_solid_avx2 : dampers_flat_avx2;
#endif
  return is_solid ? dampers_solid_plain : dampers_flat_plain;
}

}  // namespace femflex::hamiltonian::tiles
