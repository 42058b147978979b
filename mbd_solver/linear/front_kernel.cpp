// Dense LU of one front of BlockFactor: elimination with row exchanges among the pivot rows,
// forward and backward substitution. Compiled for any size, and again for each size that is common
// in chains of rigid bodies.
#include "linear/front_kernel.h"

#include <algorithm>
#include <cmath>

#include "femflex/clones.h"

namespace femflex::mbd_solver {
namespace {

// Notation: a front is a dense matrix F (w x w, row-major). Its first s rows hold the pivots; the
// other w - s rows belong to unknowns that are eliminated later. S and W are s and w as template
// arguments, 0 if they are known only at run time. Elimination stores the inverse of each pivot on
// the diagonal. `rows` are the indices of the front's rows in the whole system. Those of pivot rows
// are consecutive, so b + rows[0] is the part of b that belongs to the pivots.

/// See FrontKernel::eliminate.
template <int S, int W>
[[gnu::always_inline]] inline bool eliminate(
    double* F, int s_, int w_, int* permutation, double* pivots, double min_pivot) {
  const int s = S > 0 ? S : s_;
  const int w = W > 0 ? W : w_;
#pragma GCC unroll 6
  for (int k = 0; k < s; ++k) {
    int best = k;
    double largest = std::abs(F[k * w + k]);
    for (int r = k + 1; r < s; ++r)
      if (const double size = std::abs(F[r * w + k]); size > largest) {
        largest = size;
        best = r;
      }
    permutation[k] = best;
    pivots[k] = largest;
    if (!(largest > min_pivot) || !std::isfinite(largest)) return false;
    double* pivot_row = F + k * w;
    if (best != k) std::swap_ranges(pivot_row, pivot_row + w, F + best * w);
    const double inverse = 1.0 / pivot_row[k];
    pivot_row[k] = inverse;
    for (int r = k + 1; r < w; ++r) {
      double* row = F + r * w;
      const double factor = row[k] * inverse;
      row[k] = factor;
      if (factor == 0.0) continue;
      for (int c = k + 1; c < w; ++c)
        row[c] -= factor * pivot_row[c];
    }
  }
  return true;
}

/// See FrontKernel::forward.
template <int S, int W>
[[gnu::always_inline]] inline void forward(
    const double* F, int s_, int w_, const int* permutation, const int* rows, double* b) {
  const int s = S > 0 ? S : s_;
  const int w = W > 0 ? W : w_;
  double* pivot_part = b + rows[0];
  for (int k = 0; k < s; ++k)
    std::swap(pivot_part[k], pivot_part[permutation[k]]);
#pragma GCC unroll 6
  for (int k = 0; k < s; ++k) {
    double sum = pivot_part[k];
    const double* row = F + k * w;
    for (int c = 0; c < k; ++c)
      sum -= row[c] * pivot_part[c];
    pivot_part[k] = sum;
  }
  for (int r = s; r < w; ++r) {
    const double* row = F + r * w;
    double sum = 0.0;
    for (int c = 0; c < s; ++c)
      sum += row[c] * pivot_part[c];
    b[rows[r]] -= sum;
  }
}

/// See FrontKernel::backward.
template <int S, int W>
[[gnu::always_inline]] inline void backward(
    const double* F, int s_, int w_, const int* rows, double* b, double* x) {
  const int s = S > 0 ? S : s_;
  const int w = W > 0 ? W : w_;
  for (int c = s; c < w; ++c)
    x[c] = b[rows[c]];
  double* pivot_part = b + rows[0];
#pragma GCC unroll 6
  for (int k = 0; k < s; ++k) {  // these sums are independent of each other
    const double* row = F + k * w;
    double sum = 0.0;
    for (int c = s; c < w; ++c)
      sum += row[c] * x[c];
    x[k] = pivot_part[k] - sum;
  }
#pragma GCC unroll 6
  for (int k = s - 1; k >= 0; --k) {
    const double* row = F + k * w;
    double sum = x[k];
    for (int c = k + 1; c < s; ++c)
      sum -= row[c] * x[c];
    pivot_part[k] = x[k] = sum * row[k];
  }
}

// Instantiates the templates above for one size. Each function is also compiled for AVX2 and
// AVX-512 (femflex/clones.h).
#define FEMFLEX_FRONT(name, S, W)                                                          \
  FEMFLEX_CLONES bool eliminate_##name(                                                    \
      double* F, int s, int w, int* permutation, double* pivots, double min_pivot) {       \
    return eliminate<S, W>(F, s, w, permutation, pivots, min_pivot);                       \
  }                                                                                        \
  FEMFLEX_CLONES void forward_##name(                                                      \
      const double* F, int s, int w, const int* permutation, const int* rows, double* b) { \
    forward<S, W>(F, s, w, permutation, rows, b);                                          \
  }                                                                                        \
  FEMFLEX_CLONES void backward_##name(                                                     \
      const double* F, int s, int w, const int* rows, double* b, double* x) {              \
    backward<S, W>(F, s, w, rows, b, x);                                                   \
  }
FEMFLEX_FRONT(any, 0, 0)
FEMFLEX_FRONT(6_11, 6, 11)
FEMFLEX_FRONT(5_11, 5, 11)
FEMFLEX_FRONT(6_12, 6, 12)
FEMFLEX_FRONT(6_9, 6, 9)
FEMFLEX_FRONT(3_9, 3, 9)
#undef FEMFLEX_FRONT

}  // namespace

FrontKernel front_kernel(int s, int w) {
  const auto is = [&](int pivots, int width) { return s == pivots && w == width; };
  // a rigid body (6 unknowns), eliminated before its hinge (5 unknowns)
  if (is(6, 11)) return {eliminate_6_11, forward_6_11, backward_6_11};
  // a hinge, eliminated before its body
  if (is(5, 11)) return {eliminate_5_11, forward_5_11, backward_5_11};
  // a body, eliminated before its two ball joints (3 unknowns each)
  if (is(6, 12)) return {eliminate_6_12, forward_6_12, backward_6_12};
  // a body, eliminated before its only ball joint
  if (is(6, 9)) return {eliminate_6_9, forward_6_9, backward_6_9};
  // a ball joint, eliminated before its body
  if (is(3, 9)) return {eliminate_3_9, forward_3_9, backward_3_9};
  return {eliminate_any, forward_any, backward_any};
}

}  // namespace femflex::mbd_solver
