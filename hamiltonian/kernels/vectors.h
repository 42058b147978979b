// Loads, stores and masks eight numbers at a time, in the vector types of GCC and clang.
#pragma once

#include <cstdint>
#include <cstring>
#if defined(__x86_64__)
#include <emmintrin.h>
#endif

namespace femflex::hamiltonian::tiles {

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"
#pragma GCC diagnostic ignored "-Wpedantic"

using Vector = double __attribute__((vector_size(64)));
using Mask = long long __attribute__((vector_size(64)));

template <typename V>
[[gnu::always_inline]] inline V load(const double* from) {
  V v;
  std::memcpy(&v, from, sizeof v);
  return v;
}
template <typename V>
[[gnu::always_inline]] inline void store(double* to, const V& v) {
  std::memcpy(to, &v, sizeof v);
}
/// Stores to memory without passing the caches, so that memory is not read before it is
/// overwritten.
template <typename V>
[[gnu::always_inline]] inline void stream(double* to, const V& v) {
#if defined(__x86_64__)
  for (unsigned i = 0; i < sizeof v / sizeof(double); i += 2)
    _mm_stream_pd(to + i, _mm_setr_pd(v[i], v[i + 1]));
#else
  store(to, v);
#endif
}
[[gnu::always_inline]] inline Vector all(double value) {
  return Vector{} + value;
}
[[gnu::always_inline]] inline Vector gather(const double* from, const std::int32_t* at) {
  return Vector{from[at[0]],
                from[at[1]],
                from[at[2]],
                from[at[3]],
                from[at[4]],
                from[at[5]],
                from[at[6]],
                from[at[7]]};
}
/// True in the lanes whose bit is set.
[[gnu::always_inline]] inline Mask lanes_of(std::uint8_t bits) {
  const long long b = bits;
  return (Mask{b, b, b, b, b, b, b, b} & Mask{1, 2, 4, 8, 16, 32, 64, 128}) != 0;
}

#pragma GCC diagnostic pop

}  // namespace femflex::hamiltonian::tiles
