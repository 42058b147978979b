// Makes leapfrog steps of an irregular network of springs. For each tile of nodes it gathers
// positions, adds the force of each bond to both ends, sends forces to later tiles, receives those
// from earlier ones, and advances velocities and positions. One of several compiled versions is
// chosen at run time.
#include "kernels/bond_kernel.h"

#include <algorithm>
#include <cstring>

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

/// Prefetches the velocities of a tile, and the positions of the next one.
template <int Stride>
using FetchMotion = Fetch<Stride, 1, 1>;

/// Force divided by length of eight bonds.
template <PairLaw Law, typename Eight>
[[gnu::always_inline]] inline Eight over_length_of(const BondNetwork& n,
                                                   const Eight& alpha,
                                                   const Eight& beta,
                                                   const Eight& r2) {
  if constexpr (Law != PairLaw::curve) {
    return over_length<Law>(alpha, beta, r2);
  } else {
    alignas(64) double s[kGroup];
    alignas(64) double first[kGroup];
    alignas(64) double second[kGroup];
    store(s, r2);
    store(first, alpha);
    store(second, beta);
    for (int j = 0; j < kGroup; ++j)
      s[j] = n.curves.over_length(n.curves.owner, first[j], second[j], s[j]);
    return load<Eight>(s);
  }
}

/// Adds the forces of all bonds of one law in a tile to f.
/// @param x  positions of the tile and its halo
template <int Stride, PairLaw Law, typename Eight, bool Shared>
[[gnu::always_inline]] inline void pull_section(const BondNetwork& n,
                                                const BondTile& tile,
                                                const FetchMotion<Stride>& fetch,
                                                const double* x,
                                                double* f) {
  using Nodes = EightNodes<Stride, Eight>;
  const BondSection& section = tile.sections[static_cast<std::size_t>(Law)];
  const LawConstants& law = n.laws[static_cast<std::size_t>(Law)];
  const std::uint16_t* partner = n.partners + kGroup * section.slot_at;
  const double* pair = Shared ? nullptr : n.constants + 2 * kGroup * section.slot_at;
  auto alpha = all<Eight>(law.alpha);
  auto beta = all<Eight>(law.beta);
  const std::int64_t groups = tile.groups();
  for (std::int64_t g = 0; g < groups; ++g) {
    fetch.run(g);
    const auto near = Nodes::in_a_row(x + Stride * kGroup * g);
    Nodes force;
    for (std::int32_t k = n.counts[section.count_at + g]; k > 0; --k, partner += kGroup) {
      __builtin_prefetch(partner + kGroup * kAhead);
      if constexpr (!Shared) {
        __builtin_prefetch(pair + 2 * kGroup * kAhead);
        __builtin_prefetch(pair + 2 * kGroup * kAhead + kGroup);
        alpha = load<Eight>(pair);
        beta = load<Eight>(pair + kGroup);
        pair += 2 * kGroup;
      }
      const auto r = Nodes::between(near, x, partner);
      force.pull(over_length_of<Law>(n, alpha, beta, r.dot(r)), r, f, partner);
    }
    force.add_to(f + Stride * kGroup * g);
  }
}

template <int Stride, PairLaw Law, typename Eight>
[[gnu::always_inline]] inline void pull_law(const BondNetwork& n,
                                            const BondTile& tile,
                                            const FetchMotion<Stride>& fetch,
                                            const double* x,
                                            double* f) {
  const LawConstants& law = n.laws[static_cast<std::size_t>(Law)];
  if (!law.is_used) return;
  if (law.is_shared)
    pull_section<Stride, Law, Eight, true>(n, tile, fetch, x, f);
  else
    pull_section<Stride, Law, Eight, false>(n, tile, fetch, x, f);
}

template <int Stride, bool HasFriction>
[[gnu::always_inline]] inline void move_nodes(const BondNetwork& n,
                                              const BondTile& tile,
                                              double h,
                                              const double* x,
                                              const double* f,
                                              typename Lanes<Stride>::Type& health) {
  using V = typename Lanes<Stride>::Type;
  // local copies: a store through a double* may alias the members of n
  const double *const w = n.w, *const g = n.g, *const keeps = n.keep, *const losses = n.loss;
  double *const us = n.u, *const moved_x = n.x, *const accelerations = n.acceleration;
  const Dampers dampers = n.dampers;
  const V shared_g = load<V>(n.constant_acceleration);
  const V shared_w = V{} + n.inverse_mass;
  const V shared_keep = V{} + n.friction.keep;
  const V shared_loss = V{} + n.friction.loss;
  const std::int64_t nodes = tile.nodes;
  const std::int64_t first = Stride * tile.first;
  V lost = {};
  V sick = {};
  for (std::int64_t i = 0; i < Stride * nodes; i += Stride) {
    const std::int64_t at = first + i;
    const V a = load<V>(f + i) * (w != nullptr ? load<V>(w + at) : shared_w) +
                (g != nullptr ? load<V>(g + at) : shared_g);
    if (accelerations != nullptr) {
      store(accelerations + at, a);
      continue;
    }
    V u = load<V>(us + at);
    if (dampers.v != nullptr) {
      store(dampers.a + at, a);
      store(dampers.v + at, u + 0.5 * h * a);
      continue;
    }
    if constexpr (HasFriction) {
      const V half = 0.5 * h * a;
      u += half;
      lost += (losses != nullptr ? load<V>(losses + at) : shared_loss) * u * u;
      u = (keeps != nullptr ? load<V>(keeps + at) : shared_keep) * u + half;
    } else {
      u += h * a;
    }
    store(us + at, u);
    store(moved_x + at, load<V>(x + i) + h * u);
    sick += 0.0 * u;
  }
  health += sick;
  if constexpr (HasFriction) {
    if (n.acceleration == nullptr) n.lost_in_tile[&tile - n.tiles] += sum(lost);
  }
}

/// Adds to the forces f of a tile what other tiles have sent, and moves its nodes.
template <int Stride>
[[gnu::always_inline]] inline void complete(const BondNetwork& n,
                                            const BondTile& tile,
                                            double h,
                                            const double* x,
                                            double* f,
                                            typename Lanes<Stride>::Type& health) {
  receive<Stride>(n, tile, f);
  if (n.friction.is_active)
    move_nodes<Stride, true>(n, tile, h, x, f, health);
  else
    move_nodes<Stride, false>(n, tile, h, x, f, health);
}

template <int Stride, typename Eight>
[[gnu::always_inline]] inline bool compute_tiles(
    const BondNetwork& n, std::int64_t first, std::int64_t last, double h, double* scratch) {
  using V = typename Lanes<Stride>::Type;
  V health = {};
  for (std::int64_t t = first; t < last; ++t) {
    const BondTile& tile = n.tiles[t];
    const std::int64_t places = tile.padded() + tile.halo;
    double* x = scratch;
    double* f = scratch + Stride * places;
    collect<Stride>(n, tile, n.x, x);
    std::memset(f, 0, sizeof(V) * at(places));
    const FetchMotion<Stride> fetch(n, t, {n.u}, {n.x});
    pull_law<Stride, PairLaw::quartic, Eight>(n, tile, fetch, x, f);
    pull_law<Stride, PairLaw::linear, Eight>(n, tile, fetch, x, f);
    pull_law<Stride, PairLaw::taut_quartic, Eight>(n, tile, fetch, x, f);
    pull_law<Stride, PairLaw::taut_linear, Eight>(n, tile, fetch, x, f);
    pull_law<Stride, PairLaw::curve, Eight>(n, tile, fetch, x, f);
    send<Stride>(n, tile, f);
    if (!park<Stride>(n, tile, f)) complete<Stride>(n, tile, h, x, f, health);
  }
  return sum(health) == 0.0;
}

template <int Stride>
[[gnu::always_inline]] inline bool finish_tile(const BondNetwork& n, std::int64_t t, double h) {
  typename Lanes<Stride>::Type health = {};
  const std::int64_t at = Stride * n.tiles[t].first;
  complete<Stride>(n, n.tiles[t], h, n.x + at, n.parked + at, health);
  return sum(health) == 0.0;
}

// an attribute cannot be put in parentheses
// NOLINTBEGIN(bugprone-macro-parentheses)
#define FEMFLEX_RUNNERS(name, stride, eight, attribute)                                  \
  attribute bool compute_##name(                                                         \
      const BondNetwork& n, std::int64_t a, std::int64_t b, double h, double* scratch) { \
    return compute_tiles<stride, eight>(n, a, b, h, scratch);                            \
  }                                                                                      \
  attribute bool finish_##name(const BondNetwork& n, std::int64_t t, double h) {         \
    return finish_tile<stride>(n, t, h);                                                 \
  }                                                                                      \
  constexpr BondRunners name{compute_##name, finish_##name};
// NOLINTEND(bugprone-macro-parentheses)

FEMFLEX_RUNNERS(flat_plain, 2, Vector, )
FEMFLEX_RUNNERS(solid_plain, 4, Vector, )
#if defined(__x86_64__)
FEMFLEX_RUNNERS(flat_avx512, 2, Vector, FEMFLEX_AVX512)
FEMFLEX_RUNNERS(solid_avx512, 4, Vector, FEMFLEX_AVX512)
FEMFLEX_RUNNERS(flat_avx2, 2, Halves, FEMFLEX_AVX2)
FEMFLEX_RUNNERS(solid_avx2, 4, Halves, FEMFLEX_AVX2)
#endif
#undef FEMFLEX_RUNNERS

}  // namespace

BondRunners choose_bond_runners(int dimension) {
  const bool is_solid = dimension == 3;
#if defined(__x86_64__)
  if (has_avx512()) return is_solid ? solid_avx512 : flat_avx512;
  if (has_avx2()) return is_solid ? solid_avx2 : flat_avx2;
#endif
  return is_solid ? solid_plain : flat_plain;
}

}  // namespace femflex::hamiltonian::tiles
