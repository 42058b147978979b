#include "dense/panel.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <Eigen/Cholesky>
#include <Eigen/Core>

#include "femflex/clones.h"

#include "dense/row_of.h"

#if FEMFLEX_HAVE_LAPACK
#include <cblas.h>
#include <lapacke.h>
#endif

namespace femflex::modal {
namespace {

using Eigen::Index;
using Strided = Eigen::Map<Eigen::MatrixXd, 0, Eigen::OuterStride<>>;

[[maybe_unused]] Strided view(double* values, Index rows, Index cols, Index stride) {
  return {values, rows, cols, Eigen::OuterStride<>(stride)};
}

/// Cholesky of the lower triangle in place; false where it is not positive definite.
bool cholesky(double* a, Index n, Index stride) {
#if FEMFLEX_HAVE_LAPACK
  return LAPACKE_dpotrf_work(LAPACK_COL_MAJOR,
                             'L',
                             static_cast<lapack_int>(n),
                             a,
                             static_cast<lapack_int>(stride)) == 0;
#else
  Strided A = view(a, n, n, stride);
  return Eigen::internal::llt_inplace<double, Eigen::Lower>::blocked(A) < 0;
#endif
}

/// B <- B L^-T.
void solve_right(const double* l, Index n, Index stride, double* b, Index rows) {
  if (rows == 0) return;
#if FEMFLEX_HAVE_LAPACK
  cblas_dtrsm(CblasColMajor,
              CblasRight,
              CblasLower,
              CblasTrans,
              CblasNonUnit,
              static_cast<blasint>(rows),
              static_cast<blasint>(n),
              1.0,
              l,
              static_cast<blasint>(stride),
              b,
              static_cast<blasint>(stride));
#else
  const Eigen::Map<const Eigen::MatrixXd, 0, Eigen::OuterStride<>> L(
      l, n, n, Eigen::OuterStride<>(stride));
  Strided B = view(b, rows, n, stride);
  L.triangularView<Eigen::Lower>().transpose().solveInPlace<Eigen::OnTheRight>(B);
#endif
}

/// C <- C + factor B B' on the lower triangle.
void rank_update(
    double* c, Index n, Index c_stride, const double* b, Index k, Index b_stride, double factor) {
  if (n == 0 || k == 0) return;
#if FEMFLEX_HAVE_LAPACK
  cblas_dsyrk(CblasColMajor,
              CblasLower,
              CblasNoTrans,
              static_cast<blasint>(n),
              static_cast<blasint>(k),
              factor,
              b,
              static_cast<blasint>(b_stride),
              1.0,
              c,
              static_cast<blasint>(c_stride));
#else
  Strided C = view(c, n, n, c_stride);
  const Eigen::Map<const Eigen::MatrixXd, 0, Eigen::OuterStride<>> B(
      b, n, k, Eigen::OuterStride<>(b_stride));
  C.selfadjointView<Eigen::Lower>().rankUpdate(B, factor);
#endif
}

/// C <- C - B S B', columns of one sign at a time.
void signed_update(double* c,
                   Index n,
                   Index c_stride,
                   const double* b,
                   Index k,
                   Index b_stride,
                   const std::int8_t* sign) {
  for (const int wanted : {1, -1}) {
    std::vector<double> part;
    for (Index j = 0; j < k; ++j)
      if (sign[j] == wanted) part.insert(part.end(), b + j * b_stride, b + j * b_stride + n);
    if (!part.empty())
      rank_update(c, n, c_stride, part.data(), static_cast<Index>(part.size()) / n, n, -wanted);
  }
}

/// L S L' of a square block and the rows below it, column block by column block; the number of
/// negative pivots, -1 at a zero one.
int signed_cholesky(double* a, Index n, Index stride, std::int8_t* sign, const double* least) {
  constexpr Index block = 32;
  int negative = 0;
  for (Index first = 0; first < n; first += block) {
    const Index width = std::min(block, n - first);
    for (Index j = first; j < first + width; ++j) {
      double* column = a + j * stride;
      for (Index k = first; k < j; ++k) {
        const double* other = a + k * stride;
        const double factor = sign[k] * other[j];
        for (Index i = j; i < n; ++i)
          column[i] -= factor * other[i];
      }
      if (!(std::abs(column[j]) > least[j])) return -1;
      sign[j] = column[j] < 0.0 ? -1 : 1;
      if (sign[j] < 0) ++negative;
      const double pivot = sign[j] * std::sqrt(std::abs(column[j]));
      column[j] = std::abs(pivot);
      for (Index i = j + 1; i < n; ++i)
        column[i] /= pivot;
    }
    const Index next = first + width;
    signed_update(a + next * stride + next,
                  n - next,
                  stride,
                  a + first * stride + next,
                  width,
                  stride,
                  sign + first);
  }
  return negative;
}

// Four columns at a time: their triangle, then their rows, so that each y is touched once for four
// numbers of L.
template <int W>
[[gnu::always_inline]] inline void forward(const double* l,
                                           std::ptrdiff_t width,
                                           std::ptrdiff_t rows,
                                           double* y) {
  using Row = typename RowOf<W>::type;
  std::ptrdiff_t j = 0;
  for (; j + 4 <= width; j += 4) {
    const double* l0 = l + j * rows;
    const double *l1 = l0 + rows, *l2 = l1 + rows, *l3 = l2 + rows;
    Row x0, x1, x2, x3;
    load<W>(x0, y + (j + 0) * W);
    load<W>(x1, y + (j + 1) * W);
    load<W>(x2, y + (j + 2) * W);
    load<W>(x3, y + (j + 3) * W);
    x0 /= l0[j];
    x1 = (x1 - l0[j + 1] * x0) / l1[j + 1];
    x2 = (x2 - l0[j + 2] * x0 - l1[j + 2] * x1) / l2[j + 2];
    x3 = (x3 - l0[j + 3] * x0 - l1[j + 3] * x1 - l2[j + 3] * x2) / l3[j + 3];
    store<W>(y + (j + 0) * W, x0);
    store<W>(y + (j + 1) * W, x1);
    store<W>(y + (j + 2) * W, x2);
    store<W>(y + (j + 3) * W, x3);
    const std::ptrdiff_t ahead = 4 * rows;  // the same rows of the next four columns
    for (std::ptrdiff_t i = j + 4; i < rows; ++i) {
      if (i % 8 == 0) {
        __builtin_prefetch(l0 + i + ahead);
        __builtin_prefetch(l1 + i + ahead);
        __builtin_prefetch(l2 + i + ahead);
        __builtin_prefetch(l3 + i + ahead);
      }
      Row yi;
      load<W>(yi, y + i * W);
      yi -= l0[i] * x0;
      yi -= l1[i] * x1;
      yi -= l2[i] * x2;
      yi -= l3[i] * x3;
      store<W>(y + i * W, yi);
    }
  }
  for (; j < width; ++j) {
    const double* lj = l + j * rows;
    Row x;
    load<W>(x, y + j * W);
    x /= lj[j];
    store<W>(y + j * W, x);
    for (std::ptrdiff_t i = j + 1; i < rows; ++i) {
      Row yi;
      load<W>(yi, y + i * W);
      yi -= lj[i] * x;
      store<W>(y + i * W, yi);
    }
  }
}

template <int W>
[[gnu::always_inline]] inline void backward(const double* l,
                                            std::ptrdiff_t width,
                                            std::ptrdiff_t rows,
                                            double* y) {
  using Row = typename RowOf<W>::type;
  std::ptrdiff_t j = width;
  for (; j % 4 != 0; --j) {
    const double* lj = l + (j - 1) * rows;
    Row x;
    load<W>(x, y + (j - 1) * W);
    for (std::ptrdiff_t i = j; i < rows; ++i) {
      Row yi;
      load<W>(yi, y + i * W);
      x -= lj[i] * yi;
    }
    x /= lj[j - 1];
    store<W>(y + (j - 1) * W, x);
  }
  for (j -= 4; j >= 0; j -= 4) {
    const double* l0 = l + j * rows;
    const double *l1 = l0 + rows, *l2 = l1 + rows, *l3 = l2 + rows;
    Row x0, x1, x2, x3;
    load<W>(x0, y + (j + 0) * W);
    load<W>(x1, y + (j + 1) * W);
    load<W>(x2, y + (j + 2) * W);
    load<W>(x3, y + (j + 3) * W);
    // two rows at a time into sums of their own: one sum waits for itself
    Row z0{}, z1{}, z2{}, z3{};
    std::ptrdiff_t i = j + 4;
    const std::ptrdiff_t ahead = -4 * rows;
    for (; i + 2 <= rows; i += 2) {
      if (i % 8 < 2) {
        __builtin_prefetch(l0 + i + ahead);
        __builtin_prefetch(l1 + i + ahead);
        __builtin_prefetch(l2 + i + ahead);
        __builtin_prefetch(l3 + i + ahead);
      }
      Row ya, yb;
      load<W>(ya, y + i * W);
      load<W>(yb, y + (i + 1) * W);
      x0 -= l0[i] * ya;
      x1 -= l1[i] * ya;
      x2 -= l2[i] * ya;
      x3 -= l3[i] * ya;
      z0 -= l0[i + 1] * yb;
      z1 -= l1[i + 1] * yb;
      z2 -= l2[i + 1] * yb;
      z3 -= l3[i + 1] * yb;
    }
    if (i < rows) {
      Row ya;
      load<W>(ya, y + i * W);
      x0 -= l0[i] * ya;
      x1 -= l1[i] * ya;
      x2 -= l2[i] * ya;
      x3 -= l3[i] * ya;
    }
    x0 += z0;
    x1 += z1;
    x2 += z2;
    x3 += z3;
    x3 /= l3[j + 3];
    x2 = (x2 - l2[j + 3] * x3) / l2[j + 2];
    x1 = (x1 - l1[j + 3] * x3 - l1[j + 2] * x2) / l1[j + 1];
    x0 = (x0 - l0[j + 3] * x3 - l0[j + 2] * x2 - l0[j + 1] * x1) / l0[j];
    store<W>(y + (j + 0) * W, x0);
    store<W>(y + (j + 1) * W, x1);
    store<W>(y + (j + 2) * W, x2);
    store<W>(y + (j + 3) * W, x3);
  }
}

FEMFLEX_CLONES void forward1(const double* l, std::ptrdiff_t w, std::ptrdiff_t r, double* y) {
  forward<1>(l, w, r, y);
}
FEMFLEX_CLONES void forward4(const double* l, std::ptrdiff_t w, std::ptrdiff_t r, double* y) {
  forward<4>(l, w, r, y);
}
FEMFLEX_CLONES void forward8(const double* l, std::ptrdiff_t w, std::ptrdiff_t r, double* y) {
  forward<8>(l, w, r, y);
}
FEMFLEX_CLONES void backward1(const double* l, std::ptrdiff_t w, std::ptrdiff_t r, double* y) {
  backward<1>(l, w, r, y);
}
FEMFLEX_CLONES void backward4(const double* l, std::ptrdiff_t w, std::ptrdiff_t r, double* y) {
  backward<4>(l, w, r, y);
}
FEMFLEX_CLONES void backward8(const double* l, std::ptrdiff_t w, std::ptrdiff_t r, double* y) {
  backward<8>(l, w, r, y);
}

}  // namespace

int factor_panel(const Panel& panel, std::int8_t* sign, const double* least) {
  const Index w = panel.width, stride = panel.rows();
  std::vector<double> kept;  // the triangle, should it not be definite
  kept.reserve(static_cast<std::size_t>(w * (w + 1) / 2));
  for (Index j = 0; j < w; ++j)
    kept.insert(kept.end(), panel.values + j * stride + j, panel.values + j * stride + w);
  std::fill(sign, sign + w, std::int8_t{1});
  bool definite = cholesky(panel.values, w, stride);
  for (Index j = 0; j < w && definite; ++j) {
    const double root = panel.values[j * stride + j];
    definite = root * root > least[j];
  }
  int negative = 0;
  if (!definite) {
    const double* from = kept.data();
    for (Index j = 0; j < w; from += w - j, ++j)
      std::copy(from, from + (w - j), panel.values + j * stride + j);
    negative = signed_cholesky(panel.values, w, stride, sign, least);
    if (negative < 0) return negative;
  }
  solve_right(panel.values, w, stride, panel.values + w, panel.below);
  if (negative > 0)
    for (Index j = 0; j < w; ++j)
      if (sign[j] < 0)
        for (Index i = w; i < stride; ++i)
          panel.values[j * stride + i] *= -1.0;
  return negative;
}

void subtract_square(const Panel& panel, const std::int8_t* sign, int negative, double* C) {
  const double* below = panel.values + panel.width;
  if (negative == 0)
    rank_update(C, panel.below, panel.below, below, panel.width, panel.rows(), -1.0);
  else
    signed_update(C, panel.below, panel.below, below, panel.width, panel.rows(), sign);
}

void forward_panel(const Panel& panel, int columns, double* y) {
  switch (columns) {
    case 1:
      return forward1(panel.values, panel.width, panel.rows(), y);
    case 4:
      return forward4(panel.values, panel.width, panel.rows(), y);
    default:
      return forward8(panel.values, panel.width, panel.rows(), y);
  }
}

void backward_panel(const Panel& panel, int columns, double* y) {
  switch (columns) {
    case 1:
      return backward1(panel.values, panel.width, panel.rows(), y);
    case 4:
      return backward4(panel.values, panel.width, panel.rows(), y);
    default:
      return backward8(panel.values, panel.width, panel.rows(), y);
  }
}

}  // namespace femflex::modal
