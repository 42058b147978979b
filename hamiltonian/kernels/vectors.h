// Loads, stores and masks eight numbers at a time, in the vector types of GCC and clang: in one
// register of AVX-512, or in two of AVX2.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>
#if defined(__x86_64__)
#include <emmintrin.h>
#endif

namespace femflex::hamiltonian::tiles {

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"
#pragma GCC diagnostic ignored "-Wpedantic"

using Vector = double __attribute__((vector_size(64)));
using Mask = long long __attribute__((vector_size(64)));

using Four = double __attribute__((vector_size(32)));
using FourMask = long long __attribute__((vector_size(32)));

/// Eight numbers in two registers. A processor without AVX-512 has no registers for a `Vector`:
/// compilers then keep it in memory and take selections apart number by number.
struct Halves {
  Four low = {}, high = {};
};
[[gnu::always_inline]] inline Halves operator+(const Halves& a, const Halves& b) {
  return {a.low + b.low, a.high + b.high};
}
[[gnu::always_inline]] inline Halves operator-(const Halves& a, const Halves& b) {
  return {a.low - b.low, a.high - b.high};
}
[[gnu::always_inline]] inline Halves operator*(const Halves& a, const Halves& b) {
  return {a.low * b.low, a.high * b.high};
}
[[gnu::always_inline]] inline Halves operator*(double a, const Halves& b) {
  return {a * b.low, a * b.high};
}
[[gnu::always_inline]] inline Halves& operator+=(Halves& a, const Halves& b) {
  a.low += b.low;
  a.high += b.high;
  return a;
}

template <typename V>
[[gnu::always_inline]] inline V load(const double* from) {
  if constexpr (std::is_same_v<V, Halves>) {
    return {load<Four>(from), load<Four>(from + 4)};
  } else {
    V v;
    std::memcpy(&v, from, sizeof v);
    return v;
  }
}
template <typename V>
[[gnu::always_inline]] inline void store(double* to, const V& v) {
  if constexpr (std::is_same_v<V, Halves>) {
    store(to, v.low);
    store(to + 4, v.high);
  } else {
    std::memcpy(to, &v, sizeof v);
  }
}
/// Stores to memory without passing the caches, so that memory is not read before it is
/// overwritten.
template <typename V>
[[gnu::always_inline]] inline void stream(double* to, const V& v) {
  if constexpr (std::is_same_v<V, Halves>) {
    stream(to, v.low);
    stream(to + 4, v.high);
  } else {
#if defined(__x86_64__)
    for (unsigned i = 0; i < sizeof v / sizeof(double); i += 2)
      _mm_stream_pd(to + i, _mm_setr_pd(v[i], v[i + 1]));
#else
    store(to, v);
#endif
  }
}
template <typename V>
[[gnu::always_inline]] inline V all(double value) {
  if constexpr (std::is_same_v<V, Halves>)
    return {all<Four>(value), all<Four>(value)};
  else
    return V{} + value;
}
template <typename V>
[[gnu::always_inline]] inline V gather(const double* from, const std::int32_t* at) {
  if constexpr (std::is_same_v<V, Halves>)
    return {gather<Four>(from, at), gather<Four>(from, at + 4)};
  else if constexpr (std::is_same_v<V, Four>)
    return V{from[at[0]], from[at[1]], from[at[2]], from[at[3]]};
  else
    return V{from[at[0]],
             from[at[1]],
             from[at[2]],
             from[at[3]],
             from[at[4]],
             from[at[5]],
             from[at[6]],
             from[at[7]]};
}
/// `yes` in the lanes whose bit is set, `no` in the others.
template <typename V>
[[gnu::always_inline]] inline V pick(std::uint8_t bits, const V& yes, const V& no) {
  const long long b = bits;
  if constexpr (std::is_same_v<V, Halves>) {
    const FourMask four = {b, b, b, b};
    return {(four & FourMask{1, 2, 4, 8}) != 0 ? yes.low : no.low,
            (four & FourMask{16, 32, 64, 128}) != 0 ? yes.high : no.high};
  } else {
    return (Mask{b, b, b, b, b, b, b, b} & Mask{1, 2, 4, 8, 16, 32, 64, 128}) != 0 ? yes : no;
  }
}
template <typename V>
[[gnu::always_inline]] inline double sum(const V& v) {
  double numbers[sizeof v / sizeof(double)];
  store(numbers, v);
  double out = 0.0;
  for (const double number : numbers)
    out += number;
  return out;
}

#pragma GCC diagnostic pop

}  // namespace femflex::hamiltonian::tiles
