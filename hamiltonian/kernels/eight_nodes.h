// EightNodes: numbers of eight nodes or eight bonds, the coordinates of each side by side, for the
// kernels of irregular networks.
#pragma once

#include <cstdint>

#include "kernels/lanes.h"
#include "kernels/vectors.h"

namespace femflex::hamiltonian::tiles {

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"
#pragma GCC diagnostic ignored "-Wpedantic"

/// One short vector per node.
template <int Stride, typename Eight>
class EightNodes {
  using V = typename Lanes<Stride>::Type;

 public:
  /// Those of eight nodes that follow each other.
  [[gnu::always_inline]] static EightNodes in_a_row(const double* from) {
    EightNodes out;
#pragma GCC unroll 8
    for (int j = 0; j < 8; ++j)
      out.v_[j] = load<V>(from + Stride * j);
    return out;
  }
  /// Those of eight nodes, less `near`.
  [[gnu::always_inline]] static EightNodes between(const EightNodes& near,
                                                   const double* from,
                                                   const std::uint16_t* offsets) {
    EightNodes out;
#pragma GCC unroll 8
    for (int j = 0; j < 8; ++j)
      out.v_[j] = load<V>(from + offsets[j]) - near.v_[j];
    return out;
  }
  /// The scalar product for each node.
  [[gnu::always_inline]] Eight dot(const EightNodes& other) const {
    return dots<Eight>(v_, other.v_);
  }
  /// Adds s * r to these, and subtracts it from the numbers `from` of the nodes at far ends.
  [[gnu::always_inline]] void pull(const Eight& s,
                                   const EightNodes& r,
                                   double* from,
                                   const std::uint16_t* offsets) {
    alignas(64) double factors[8];
    store(factors, s);
#pragma GCC unroll 8
    for (int j = 0; j < 8; ++j) {
      const V pull = factors[j] * r.v_[j];
      v_[j] += pull;
      store(from + offsets[j], load<V>(from + offsets[j]) - pull);
    }
  }
  /// Adds these to eight nodes that follow each other.
  [[gnu::always_inline]] void add_to(double* row) const {
#pragma GCC unroll 8
    for (int j = 0; j < 8; ++j)
      store(row + Stride * j, load<V>(row + Stride * j) + v_[j]);
  }

 private:
  V v_[8] = {};
};

/// Two nodes in space per vector, one register of AVX-512: nodes 0 and 2, 1 and 3, 4 and 6, 5
/// and 7. In this order the sums of a scalar product come out in the order of the nodes.
template <>
class EightNodes<4, Vector> {
 public:
  [[gnu::always_inline]] static EightNodes in_a_row(const double* from) {
    EightNodes out;
#pragma GCC unroll 4
    for (int k = 0; k < 4; ++k)
      out.v_[k] = two(from + 4 * kLow[k], from + 4 * kHigh[k]);
    return out;
  }
  [[gnu::always_inline]] static EightNodes between(const EightNodes& near,
                                                   const double* from,
                                                   const std::uint16_t* offsets) {
    EightNodes out;
#pragma GCC unroll 4
    for (int k = 0; k < 4; ++k)
      out.v_[k] = two(from + offsets[kLow[k]], from + offsets[kHigh[k]]) - near.v_[k];
    return out;
  }
  [[gnu::always_inline]] Vector dot(const EightNodes& other) const {
    const Vector front = halves_of(v_[0] * other.v_[0], v_[1] * other.v_[1]);
    const Vector back = halves_of(v_[2] * other.v_[2], v_[3] * other.v_[3]);
    return __builtin_shufflevector(front, back, 0, 1, 4, 5, 8, 9, 12, 13) +
           __builtin_shufflevector(front, back, 2, 3, 6, 7, 10, 11, 14, 15);
  }
  [[gnu::always_inline]] void pull(const Vector& s,
                                   const EightNodes& r,
                                   double* from,
                                   const std::uint16_t* offsets) {
    const Vector pulls[4] = {__builtin_shufflevector(s, s, 0, 0, 0, 0, 2, 2, 2, 2) * r.v_[0],
                             __builtin_shufflevector(s, s, 1, 1, 1, 1, 3, 3, 3, 3) * r.v_[1],
                             __builtin_shufflevector(s, s, 4, 4, 4, 4, 6, 6, 6, 6) * r.v_[2],
                             __builtin_shufflevector(s, s, 5, 5, 5, 5, 7, 7, 7, 7) * r.v_[3]};
#pragma GCC unroll 4
    for (int k = 0; k < 4; ++k) {
      v_[k] += pulls[k];
      add(from + offsets[kLow[k]], -low(pulls[k]));
      add(from + offsets[kHigh[k]], -high(pulls[k]));
    }
  }
  [[gnu::always_inline]] void add_to(double* row) const {
#pragma GCC unroll 4
    for (int k = 0; k < 4; ++k) {
      add(row + 4 * kLow[k], low(v_[k]));
      add(row + 4 * kHigh[k], high(v_[k]));
    }
  }

 private:
  static constexpr int kLow[4] = {0, 1, 4, 5}, kHigh[4] = {2, 3, 6, 7};
  [[gnu::always_inline]] static Vector two(const double* a, const double* b) {
    return __builtin_shufflevector(load<Four>(a), load<Four>(b), 0, 1, 2, 3, 4, 5, 6, 7);
  }
  [[gnu::always_inline]] static Four low(const Vector& v) {
    return __builtin_shufflevector(v, v, 0, 1, 2, 3);
  }
  [[gnu::always_inline]] static Four high(const Vector& v) {
    return __builtin_shufflevector(v, v, 4, 5, 6, 7);
  }
  [[gnu::always_inline]] static void add(double* to, const Four& v) {
    store(to, load<Four>(to) + v);
  }
  /// Sums of neighbouring lanes, p and q in turn.
  [[gnu::always_inline]] static Vector halves_of(const Vector& p, const Vector& q) {
    return __builtin_shufflevector(p, q, 0, 8, 2, 10, 4, 12, 6, 14) +
           __builtin_shufflevector(p, q, 1, 9, 3, 11, 5, 13, 7, 15);
  }

  Vector v_[4] = {};
};

#pragma GCC diagnostic pop

}  // namespace femflex::hamiltonian::tiles
