// The instruction sets for which kernels are compiled, and whether this processor has them.
#pragma once

#if defined(__x86_64__)

#define FEMFLEX_AVX512 __attribute__((target("avx512f,avx512dq,avx512vl,fma")))
#define FEMFLEX_AVX2 __attribute__((target("avx2,fma")))

namespace femflex::hamiltonian::tiles {

inline bool has_avx512() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512vl");
}
inline bool has_avx2() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

}  // namespace femflex::hamiltonian::tiles

#endif
