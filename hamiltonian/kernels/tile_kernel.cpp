// Compiles the block kernel for plain x86-64, AVX2 and AVX-512, and chooses one at run time.
#include "kernels/tile_kernel.h"

namespace femflex::hamiltonian::tiles {
namespace {

#pragma GCC diagnostic ignored "-Wpsabi"

template <int Dim>
[[gnu::always_inline]] inline bool run_all(const Network& n,
                                           std::int64_t first,
                                           std::int64_t last,
                                           double h) {
  Vector health = {};
  if (n.streams)
    run_blocks<Dim, true>(n, first, last, h, health);
  else
    run_blocks<Dim, false>(n, first, last, h, health);
  double sum = 0.0;
  for (int lane = 0; lane < 8; ++lane)
    sum += health[lane];
  return sum == 0.0;
}

// an attribute cannot be put in parentheses
// NOLINTBEGIN(bugprone-macro-parentheses)
#define FEMFLEX_RUNNERS(suffix, attribute)                                                   \
  attribute bool run1_##suffix(const Network& n, std::int64_t a, std::int64_t b, double h) { \
    return run_all<1>(n, a, b, h);                                                           \
  }                                                                                          \
  attribute bool run2_##suffix(const Network& n, std::int64_t a, std::int64_t b, double h) { \
    return run_all<2>(n, a, b, h);                                                           \
  }                                                                                          \
  attribute bool run3_##suffix(const Network& n, std::int64_t a, std::int64_t b, double h) { \
    return run_all<3>(n, a, b, h);                                                           \
  }
// NOLINTEND(bugprone-macro-parentheses)

FEMFLEX_RUNNERS(plain, )
#if defined(__x86_64__)
FEMFLEX_RUNNERS(avx512, __attribute__((target("avx512f,avx512dq,avx512vl,fma"))))
FEMFLEX_RUNNERS(avx2, __attribute__((target("avx2,fma"))))
#endif
#undef FEMFLEX_RUNNERS

}  // namespace

Runner choose_runner(int dimension) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq"))
    return dimension == 1 ? run1_avx512 : dimension == 2 ? run2_avx512 : run3_avx512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return dimension == 1 ? run1_avx2 : dimension == 2 ? run2_avx2 : run3_avx2;
#endif
  return dimension == 1 ? run1_plain : dimension == 2 ? run2_plain : run3_plain;
}

}  // namespace femflex::hamiltonian::tiles
