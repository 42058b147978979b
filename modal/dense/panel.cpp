// Factors the dense panels of a sparse factor L S L' by LAPACK (or Eigen), or by a signed Cholesky
// factorisation if a panel is indefinite. Solves with the panels, for several right-hand sides at a
// time in vector registers.
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

/// Replaces the lower triangle of a matrix by its Cholesky factor; false if the matrix is not
/// positive definite.
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

/// A square block of n columns, and factor columns with as many rows.
struct SquareBlock {
  double* at;
  Index n, stride;
};
struct FactorColumns {
  const double* at;
  Index count, stride;
};

/// C <- C + factor B B' on the lower triangle.
void rank_update(const SquareBlock& square, const FactorColumns& columns, double factor) {
  const auto [c, n, c_stride] = square;
  const auto [b, k, b_stride] = columns;
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

/// C <- C - B S B', for the columns of one sign at a time.
void signed_update(const SquareBlock& square,
                   const FactorColumns& columns,
                   const std::int8_t* sign) {
  const Index n = square.n;
  for (const int wanted : {1, -1}) {
    std::vector<double> part;
    for (Index j = 0; j < columns.count; ++j) {
      const double* column = columns.at + j * columns.stride;
      if (sign[j] == wanted) part.insert(part.end(), column, column + n);
    }
    if (!part.empty())
      rank_update(square, {part.data(), static_cast<Index>(part.size()) / n, n}, -wanted);
  }
}

/// Factors a square block and the rows below it as L S L', column block by column block. Returns
/// the number of negative pivots, or -1 if one is zero.
int signed_cholesky(double* a, Index n, Index stride, std::int8_t* sign, const double* min_pivot) {
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
      if (!(std::abs(column[j]) > min_pivot[j])) return -1;
      sign[j] = column[j] < 0.0 ? -1 : 1;
      if (sign[j] < 0) ++negative;
      const double pivot = sign[j] * std::sqrt(std::abs(column[j]));
      column[j] = std::abs(pivot);
      for (Index i = j + 1; i < n; ++i)
        column[i] /= pivot;
    }
    const Index next = first + width;
    signed_update({a + next * stride + next, n - next, stride},
                  {a + first * stride + next, width, stride},
                  sign + first);
  }
  return negative;
}

// Forward substitution with a block of C columns of L: first their triangle, then the rows below
// it. Thus each number of y is loaded once for C numbers of L. The right-hand sides are stored as S
// strips of W columns, one strip after the other.
template <int W, int S, int C>
[[gnu::always_inline]] inline void forward_block(const double* l,
                                                 std::ptrdiff_t j,
                                                 std::ptrdiff_t rows,
                                                 double* y) {
  using Row = typename RowOf<W>::type;
  const double* column[C];
  Row x[C][S];
  for (int k = 0; k < C; ++k)
    column[k] = l + (j + k) * rows;
  for (int s = 0; s < S; ++s)
    for (int k = 0; k < C; ++k) {
      double* place = y + (s * rows + j + k) * W;
      load<W>(x[k][s], place);
      for (int before = 0; before < k; ++before)
        x[k][s] -= column[before][j + k] * x[before][s];
      x[k][s] *= column[k][j + k];
      store<W>(place, x[k][s]);
    }
  const std::ptrdiff_t ahead = C * rows;  // distance to the same row of the next block
  for (std::ptrdiff_t i = j + C; i < rows; ++i) {
    if (C > 1 && i % 8 == 0)
      for (int k = 0; k < C; ++k)
        __builtin_prefetch(column[k] + i + ahead);
    Row sum[S];
    for (int s = 0; s < S; ++s)
      load<W>(sum[s], y + (s * rows + i) * W);
    for (int k = 0; k < C; ++k)
      for (int s = 0; s < S; ++s)
        sum[s] -= column[k][i] * x[k][s];
    for (int s = 0; s < S; ++s)
      store<W>(y + (s * rows + i) * W, sum[s]);
  }
}

template <int W, int S, int C>
[[gnu::always_inline]] inline void backward_block(const double* l,
                                                  std::ptrdiff_t j,
                                                  std::ptrdiff_t rows,
                                                  double* y) {
  using Row = typename RowOf<W>::type;
  constexpr int sums = C * S < 8 ? 2 : 1;  // two sums over alternate rows hide the latency
  const double* column[C];
  Row x[sums][C][S] = {};
  for (int k = 0; k < C; ++k) {
    column[k] = l + (j + k) * rows;
    for (int s = 0; s < S; ++s)
      load<W>(x[0][k][s], y + (s * rows + j + k) * W);
  }
  const std::ptrdiff_t ahead = -C * rows;
  std::ptrdiff_t i = j + C;
  for (; i + sums <= rows; i += sums) {
    if (C > 1 && i % 8 < sums)
      for (int k = 0; k < C; ++k)
        __builtin_prefetch(column[k] + i + ahead);
    for (int r = 0; r < sums; ++r) {
      Row from[S];
      for (int s = 0; s < S; ++s)
        load<W>(from[s], y + (s * rows + i + r) * W);
      for (int k = 0; k < C; ++k)
        for (int s = 0; s < S; ++s)
          x[r][k][s] -= column[k][i + r] * from[s];
    }
  }
  for (; i < rows; ++i)
    for (int s = 0; s < S; ++s) {
      Row from;
      load<W>(from, y + (s * rows + i) * W);
      for (int k = 0; k < C; ++k)
        x[0][k][s] -= column[k][i] * from;
    }
  for (int s = 0; s < S; ++s)
    for (int k = C - 1; k >= 0; --k) {
      Row sum = x[0][k][s];
      if (sums > 1) sum += x[sums - 1][k][s];
      for (int after = C - 1; after > k; --after)
        sum -= column[k][j + after] * x[0][after][s];
      sum *= column[k][j + k];
      x[0][k][s] = sum;
      store<W>(y + (s * rows + j + k) * W, sum);
    }
}

template <int W, int S, int C>
[[gnu::always_inline]] inline void forward(const double* l,
                                           std::ptrdiff_t width,
                                           std::ptrdiff_t rows,
                                           double* y) {
  std::ptrdiff_t j = 0;
  for (; j + C <= width; j += C)
    forward_block<W, S, C>(l, j, rows, y);
  for (; j < width; ++j)
    forward_block<W, S, 1>(l, j, rows, y);
}

template <int W, int S, int C>
[[gnu::always_inline]] inline void backward(const double* l,
                                            std::ptrdiff_t width,
                                            std::ptrdiff_t rows,
                                            double* y) {
  std::ptrdiff_t j = width;
  for (; j % C != 0; --j)
    backward_block<W, S, 1>(l, j - 1, rows, y);
  for (j -= C; j >= 0; j -= C)
    backward_block<W, S, C>(l, j, rows, y);
}

FEMFLEX_CLONES void forward1(const double* l, std::ptrdiff_t w, std::ptrdiff_t r, double* y) {
  forward<1, 1, 4>(l, w, r, y);
}
FEMFLEX_CLONES void forward4(const double* l, std::ptrdiff_t w, std::ptrdiff_t r, double* y) {
  forward<4, 1, 4>(l, w, r, y);
}
FEMFLEX_CLONES void forward8(const double* l, std::ptrdiff_t w, std::ptrdiff_t r, double* y) {
  forward<8, 1, 4>(l, w, r, y);
}
FEMFLEX_CLONES void backward1(const double* l, std::ptrdiff_t w, std::ptrdiff_t r, double* y) {
  backward<1, 1, 4>(l, w, r, y);
}
FEMFLEX_CLONES void backward4(const double* l, std::ptrdiff_t w, std::ptrdiff_t r, double* y) {
  backward<4, 1, 4>(l, w, r, y);
}
FEMFLEX_CLONES void backward8(const double* l, std::ptrdiff_t w, std::ptrdiff_t r, double* y) {
  backward<8, 1, 4>(l, w, r, y);
}

// Two or three strips are solved together if the machine has 32 wide registers, enough for blocks
// of eight columns; otherwise one by one.
using Kernel = void (*)(const double*, std::ptrdiff_t, std::ptrdiff_t, double*);
[[maybe_unused]] void one_by_one(Kernel kernel, const Panel& panel, int strips, double* y) {
  for (std::ptrdiff_t s = 0; s < strips; ++s)
    kernel(panel.values, panel.width, panel.rows(), y + s * panel.rows() * 8);
}
#if FEMFLEX_VERSIONS
[[gnu::target("arch=x86-64-v4")]] void forward_strips(const Panel& p, int strips, double* y) {
  strips == 3 ? forward<8, 3, 8>(p.values, p.width, p.rows(), y)
              : forward<8, 2, 8>(p.values, p.width, p.rows(), y);
}
[[gnu::target("arch=x86-64-v4")]] void backward_strips(const Panel& p, int strips, double* y) {
  strips == 3 ? backward<8, 3, 8>(p.values, p.width, p.rows(), y)
              : backward<8, 2, 8>(p.values, p.width, p.rows(), y);
}
[[gnu::target("default")]]
#endif
void forward_strips(const Panel& panel, int strips, double* y) {
  one_by_one(forward8, panel, strips, y);
}
#if FEMFLEX_VERSIONS
[[gnu::target("default")]]
#endif
void backward_strips(const Panel& panel, int strips, double* y) {
  one_by_one(backward8, panel, strips, y);
}

}  // namespace

int factor_panel(const Panel& panel, std::int8_t* sign, const double* min_pivot) {
  const Index w = panel.width, stride = panel.rows();
  std::vector<double> triangle;  // copy of the triangle, needed if it is not definite
  triangle.reserve(static_cast<std::size_t>(w * (w + 1) / 2));
  for (Index j = 0; j < w; ++j)
    triangle.insert(triangle.end(), panel.values + j * stride + j, panel.values + j * stride + w);
  std::fill(sign, sign + w, std::int8_t{1});
  bool definite = cholesky(panel.values, w, stride);
  for (Index j = 0; j < w && definite; ++j) {
    const double root = panel.values[j * stride + j];
    definite = root * root > min_pivot[j];
  }
  int negative = 0;
  if (!definite) {
    const double* from = triangle.data();
    for (Index j = 0; j < w; from += w - j, ++j)
      std::copy(from, from + (w - j), panel.values + j * stride + j);
    negative = signed_cholesky(panel.values, w, stride, sign, min_pivot);
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
    rank_update({C, panel.below, panel.below}, {below, panel.width, panel.rows()}, -1.0);
  else
    signed_update({C, panel.below, panel.below}, {below, panel.width, panel.rows()}, sign);
}

void invert_diagonal(const Panel& panel) {
  for (std::ptrdiff_t j = 0; j < panel.width; ++j) {
    double& pivot = panel.values[j * panel.rows() + j];
    pivot = 1.0 / pivot;
  }
}

void forward_panel(const Panel& panel, int columns, int strips, double* y) {
  if (strips > 1) return forward_strips(panel, strips, y);
  const Kernel kernel = columns == 1 ? forward1 : columns == 4 ? forward4 : forward8;
  kernel(panel.values, panel.width, panel.rows(), y);
}

void backward_panel(const Panel& panel, int columns, int strips, double* y) {
  if (strips > 1) return backward_strips(panel, strips, y);
  const Kernel kernel = columns == 1 ? backward1 : columns == 4 ? backward4 : backward8;
  kernel(panel.values, panel.width, panel.rows(), y);
}

}  // namespace femflex::modal
