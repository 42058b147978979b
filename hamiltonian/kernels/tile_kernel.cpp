// Compiles the kernel of tile_kernel.h, which makes steps of a regular network, for any processor,
// for AVX2 and for AVX-512, and chooses one version at run time.
#include "kernels/tile_kernel.h"

#include <array>
#include <cstddef>

#include "kernels/processor.h"

namespace femflex::hamiltonian::tiles {
namespace {

#pragma GCC diagnostic ignored "-Wpsabi"

template <int Dim, PairLaw Law, typename V>
[[gnu::always_inline]] inline bool run_all(const Network& n,
                                           std::int64_t first,
                                           std::int64_t last,
                                           double h) {
  V health = {};
  if (n.friction.is_active)
    run_blocks<Dim, Law, V, false, true>(n, first, last, h, health);
  else if (n.streams)
    run_blocks<Dim, Law, V, true, false>(n, first, last, h, health);
  else
    run_blocks<Dim, Law, V, false, false>(n, first, last, h, health);
  return sum(health) == 0.0;
}

// an attribute cannot be put in parentheses
// NOLINTBEGIN(bugprone-macro-parentheses)
#define FEMFLEX_RUNNER(suffix, vector, attribute)                                                  \
  template <int Dim, PairLaw Law>                                                                  \
  attribute bool run_##suffix(const Network& n, std::int64_t a, std::int64_t b, double h) {        \
    return run_all<Dim, Law, vector>(n, a, b, h);                                                  \
  }                                                                                                \
  template <int Dim>                                                                               \
  Runner choose_##suffix(PairLaw law) {                                                            \
    constexpr std::array<Runner, kBlockLaws> kRunners = {run_##suffix<Dim, PairLaw::quartic>,      \
                                                         run_##suffix<Dim, PairLaw::linear>,       \
                                                         run_##suffix<Dim, PairLaw::taut_quartic>, \
                                                         run_##suffix<Dim, PairLaw::taut_linear>}; \
    return kRunners[static_cast<std::size_t>(law)];                                                \
  }                                                                                                \
  Runner choose_##suffix(int dimension, PairLaw law) {                                             \
    return dimension == 1   ? choose_##suffix<1>(law)                                              \
           : dimension == 2 ? choose_##suffix<2>(law)                                              \
                            : choose_##suffix<3>(law);                                             \
  }
// NOLINTEND(bugprone-macro-parentheses)

FEMFLEX_RUNNER(plain, Vector, )
#if defined(__x86_64__)
FEMFLEX_RUNNER(avx512, Vector, FEMFLEX_AVX512)
FEMFLEX_RUNNER(avx2, Halves, FEMFLEX_AVX2)
#endif
#undef FEMFLEX_RUNNER

}  // namespace

Runner choose_runner(int dimension, PairLaw law) {
#if defined(__x86_64__)
  if (has_avx512()) return choose_avx512(dimension, law);
  if (has_avx2()) return choose_avx2(dimension, law);
#endif
  return choose_plain(dimension, law);
}

}  // namespace femflex::hamiltonian::tiles
