// Stores a node's coordinates in one short vector, for the kernels of irregular networks, and
// computes scalar products of eight nodes at a time.
#pragma once

#include <type_traits>

#include "kernels/vectors.h"

namespace femflex::hamiltonian::tiles {

#pragma GCC diagnostic push
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

/// p . q of two pairs of nodes. With two numbers per node the results are complete; with four
/// numbers per node each result is still in two parts, which dots_of_four() adds.
[[gnu::always_inline]] inline Lanes<2>::Type dots_of_two(const Lanes<2>::Type* p,
                                                         const Lanes<2>::Type* q) {
  const Lanes<2>::Type one = p[0] * q[0];
  const Lanes<2>::Type two = p[1] * q[1];
  return __builtin_shufflevector(one, two, 0, 2) + __builtin_shufflevector(one, two, 1, 3);
}
[[gnu::always_inline]] inline Lanes<4>::Type dots_of_two(const Lanes<4>::Type* p,
                                                         const Lanes<4>::Type* q) {
  const Lanes<4>::Type one = p[0] * q[0];
  const Lanes<4>::Type two = p[1] * q[1];
  return __builtin_shufflevector(one, two, 0, 4, 2, 6) +
         __builtin_shufflevector(one, two, 1, 5, 3, 7);
}
[[gnu::always_inline]] inline Lanes<4>::Type dots_of_four(const Lanes<2>::Type* p,
                                                          const Lanes<2>::Type* q) {
  return __builtin_shufflevector(dots_of_two(p, q), dots_of_two(p + 2, q + 2), 0, 1, 2, 3);
}
[[gnu::always_inline]] inline Lanes<4>::Type dots_of_four(const Lanes<4>::Type* p,
                                                          const Lanes<4>::Type* q) {
  const Lanes<4>::Type low = dots_of_two(p, q);
  const Lanes<4>::Type high = dots_of_two(p + 2, q + 2);
  return __builtin_shufflevector(low, high, 0, 1, 4, 5) +
         __builtin_shufflevector(low, high, 2, 3, 6, 7);
}
/// p . q of eight pairs of nodes.
template <typename Eight, typename V>
[[gnu::always_inline]] inline Eight dots(const V* p, const V* q) {
  if constexpr (std::is_same_v<Eight, Halves>)
    return {dots_of_four(p, q), dots_of_four(p + 4, q + 4)};
  else
    return __builtin_shufflevector(
        dots_of_four(p, q), dots_of_four(p + 4, q + 4), 0, 1, 2, 3, 4, 5, 6, 7);
}

#pragma GCC diagnostic pop

}  // namespace femflex::hamiltonian::tiles
