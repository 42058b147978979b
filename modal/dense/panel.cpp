// Factors the dense panels of a sparse factor L S L' by LAPACK (or Eigen), or by a signed Cholesky
// factorisation if a panel is indefinite.
#include "dense/panel.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <Eigen/Cholesky>
#include <Eigen/Core>

#include "femflex/parallel.h"

#if FEMFLEX_HAVE_LAPACK
#include <cblas.h>
#include <lapacke.h>
#endif

namespace femflex::modal {
namespace {

using Eigen::Index;
template <typename Number>
using Dense = Eigen::Matrix<Number, Eigen::Dynamic, Eigen::Dynamic>;
template <typename Number>
using Strided = Eigen::Map<Dense<Number>, 0, Eigen::OuterStride<>>;
template <typename Number>
using ConstStrided = Eigen::Map<const Dense<Number>, 0, Eigen::OuterStride<>>;

/// A square block of n columns, and factor columns with as many rows.
template <typename Number>
struct SquareBlock {
  Number* at;
  Index n, stride;
};
template <typename Number>
struct FactorColumns {
  const Number* at;
  Index count, stride;
};

#if FEMFLEX_HAVE_LAPACK
blasint narrow(Index n) {
  return static_cast<blasint>(n);
}
int potrf(int n, double* a, int stride) {
  return LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', n, a, stride);
}
int potrf(int n, float* a, int stride) {
  const auto factor = [&] { return LAPACKE_spotrf_work(LAPACK_COL_MAJOR, 'L', n, a, stride); };
  if (dense_threads() == 1) return factor();
  const DenseThreads alone(1);  // the same bits with any number of threads, see in_single_pieces()
  return factor();
}

// Rows or columns that BLAS gets at a time in single precision. There its sums depend on how it
// splits a matrix among threads; pieces of fixed size, each on one thread, have the same bits with
// any number of threads.
constexpr Index kSinglePiece = 512;

/// Runs work(first, count) on each piece of [0, n), on as many threads as BLAS may use.
template <typename Work>
void in_single_pieces(Index n, const Work& work) {
  const auto pieces = static_cast<int>((n + kSinglePiece - 1) / kSinglePiece);
  const auto run = [&](int k) {
    const Index first = k * kSinglePiece;
    work(first, std::min(kSinglePiece, n - first));
  };
  const int threads = dense_threads();
  if (threads == 1) {
    for (int k = 0; k < pieces; ++k)
      run(k);
    return;
  }
  const DenseThreads alone(1);
  run_parallel(threads, pieces, run);
}
#endif

/// Replaces the lower triangle of a matrix by its Cholesky factor; false if the matrix is not
/// positive definite.
template <typename Number>
bool cholesky(Number* a, Index n, Index stride) {
#if FEMFLEX_HAVE_LAPACK
  return potrf(narrow(n), a, narrow(stride)) == 0;
#else
  Strided<Number> A(a, n, n, Eigen::OuterStride<>(stride));
  return Eigen::internal::llt_inplace<Number, Eigen::Lower>::blocked(A) < 0;
#endif
}

/// B <- B L^-T.
template <typename Number>
void solve_right(const Number* l, Index n, Index stride, Number* b, Index rows) {
  if (rows == 0) return;
#if FEMFLEX_HAVE_LAPACK
  const auto solve = [&](auto trsm, Index first, Index count) {
    trsm(CblasColMajor,
         CblasRight,
         CblasLower,
         CblasTrans,
         CblasNonUnit,
         narrow(count),
         narrow(n),
         Number{1},
         l,
         narrow(stride),
         b + first,
         narrow(stride));
  };
  if constexpr (sizeof(Number) == sizeof(double))
    solve(cblas_dtrsm, 0, rows);
  else
    in_single_pieces(rows, [&](Index first, Index count) { solve(cblas_strsm, first, count); });
#else
  const ConstStrided<Number> L(l, n, n, Eigen::OuterStride<>(stride));
  Strided<Number> B(b, rows, n, Eigen::OuterStride<>(stride));
  L.template triangularView<Eigen::Lower>().transpose().template solveInPlace<Eigen::OnTheRight>(B);
#endif
}

/// C <- C + factor B B' on the lower triangle.
template <typename Number>
void rank_update(const SquareBlock<Number>& square,
                 const FactorColumns<Number>& columns,
                 Number factor) {
  if (square.n == 0 || columns.count == 0) return;
#if FEMFLEX_HAVE_LAPACK
  const auto update = [&](auto syrk, Index first, Index count) {
    syrk(CblasColMajor,
         CblasLower,
         CblasNoTrans,
         narrow(count),
         narrow(columns.count),
         factor,
         columns.at + first,
         narrow(columns.stride),
         Number{1},
         square.at + first * (square.stride + 1),
         narrow(square.stride));
  };
  if constexpr (sizeof(Number) == sizeof(double))
    update(cblas_dsyrk, 0, square.n);
  else
    in_single_pieces(square.n, [&](Index first, Index count) {
      update(cblas_ssyrk, first, count);
      const Index next = first + count;
      if (next == square.n) return;
      cblas_sgemm(CblasColMajor,
                  CblasNoTrans,
                  CblasTrans,
                  narrow(square.n - next),
                  narrow(count),
                  narrow(columns.count),
                  factor,
                  columns.at + next,
                  narrow(columns.stride),
                  columns.at + first,
                  narrow(columns.stride),
                  1.0F,
                  square.at + first * square.stride + next,
                  narrow(square.stride));
    });
#else
  Strided<Number> C(square.at, square.n, square.n, Eigen::OuterStride<>(square.stride));
  const ConstStrided<Number> B(
      columns.at, square.n, columns.count, Eigen::OuterStride<>(columns.stride));
  C.template selfadjointView<Eigen::Lower>().rankUpdate(B, factor);
#endif
}

/// The columns of one sign, one after the other.
template <typename Number>
std::vector<Number> columns_of_sign(const FactorColumns<Number>& columns,
                                    Index n,
                                    const std::int8_t* sign,
                                    int wanted) {
  const auto count = static_cast<std::size_t>(std::count(sign, sign + columns.count, wanted));
  std::vector<Number> out;
  out.reserve(count * static_cast<std::size_t>(n));
  for (Index j = 0; j < columns.count; ++j) {
    const Number* column = columns.at + j * columns.stride;
    if (sign[j] == wanted) out.insert(out.end(), column, column + n);
  }
  return out;
}

/// C <- C - B S B': all columns as if they were positive, then twice the negative ones back,
/// because these are few. Where they are many, the columns of one sign at a time.
template <typename Number>
void signed_update(const SquareBlock<Number>& square,
                   const FactorColumns<Number>& columns,
                   const std::int8_t* sign) {
  constexpr Index kFew = 4;  // negative columns are few if they are fewer than one in four
  const Index n = square.n;
  if (n == 0) return;
  const auto negative = static_cast<Index>(std::count(sign, sign + columns.count, -1));
  const bool few = kFew * negative < columns.count;
  if (few) rank_update(square, columns, Number{-1});
  for (const int wanted : {1, -1}) {
    if (few && wanted > 0) continue;
    const std::vector<Number> part = columns_of_sign(columns, n, sign, wanted);
    const auto count = static_cast<Index>(part.size()) / n;
    rank_update(square, {part.data(), count, n}, static_cast<Number>(few ? 2 : -wanted));
  }
}

/// The first `rows` rows of factor columns, times their signs.
template <typename Number>
std::vector<Number> signed_copy(const FactorColumns<Number>& columns,
                                Index rows,
                                const std::int8_t* sign) {
  std::vector<Number> out;
  out.reserve(static_cast<std::size_t>(rows * columns.count));
  for (Index j = 0; j < columns.count; ++j)
    for (Index i = 0; i < rows; ++i)
      out.push_back(static_cast<Number>(sign[j]) * columns.at[j * columns.stride + i]);
  return out;
}

/// A rectangular block, stored by columns.
template <typename Number>
struct Rectangle {
  Number* at;
  Index stride;
};

/// C <- C - A B', where A has `rows` rows and B has `width`.
template <typename Number>
void subtract_product(const Rectangle<Number>& C,
                      const FactorColumns<Number>& A,
                      Index rows,
                      const FactorColumns<Number>& B,
                      Index width) {
#if FEMFLEX_HAVE_LAPACK
  const auto subtract = [&](auto gemm, Index first, Index count) {
    gemm(CblasColMajor,
         CblasNoTrans,
         CblasTrans,
         narrow(count),
         narrow(width),
         narrow(A.count),
         Number{-1},
         A.at + first,
         narrow(A.stride),
         B.at,
         narrow(B.stride),
         Number{1},
         C.at + first,
         narrow(C.stride));
  };
  if constexpr (sizeof(Number) == sizeof(double))
    subtract(cblas_dgemm, 0, rows);
  else
    in_single_pieces(rows, [&](Index first, Index count) { subtract(cblas_sgemm, first, count); });
#else
  Strided<Number> c(C.at, rows, width, Eigen::OuterStride<>(C.stride));
  const ConstStrided<Number> a(A.at, rows, A.count, Eigen::OuterStride<>(A.stride));
  const ConstStrided<Number> b(B.at, width, B.count, Eigen::OuterStride<>(B.stride));
  c.noalias() -= a * b.transpose();
#endif
}

/// Factors columns `first` to `first + width` of a square block as L S L' and updates the columns
/// after them. Returns the number of negative pivots, or -1 if one is zero.
template <typename Number>
int signed_columns(const SquareBlock<Number>& square,
                   Index first,
                   Index width,
                   std::int8_t* sign,
                   const Number* min_pivot) {
  const auto [a, n, stride] = square;
  int negative = 0;
  for (Index j = first; j < first + width; ++j) {
    Number* column = a + j * stride;
    for (Index k = first; k < j; ++k) {
      const Number* other = a + k * stride;
      const Number factor = static_cast<Number>(sign[k]) * other[j];
      for (Index i = j; i < n; ++i)
        column[i] -= factor * other[i];
    }
    if (!(std::abs(column[j]) > min_pivot[j])) return -1;
    sign[j] = column[j] < 0 ? -1 : 1;
    if (sign[j] < 0) ++negative;
    const Number pivot = static_cast<Number>(sign[j]) * std::sqrt(std::abs(column[j]));
    column[j] = std::abs(pivot);
    for (Index i = j + 1; i < n; ++i)
      column[i] /= pivot;
  }
  const Index next = first + width;
  signed_update<Number>({a + next * stride + next, n - next, stride},
                        {a + first * stride + next, width, stride},
                        sign + first);
  return negative;
}

/// A positive definite factorisation of a triangle, which is left as it is if it is not definite.
template <typename Number>
bool try_definite(const SquareBlock<Number>& square, const Number* min_pivot) {
  const auto [a, n, stride] = square;
  std::vector<Number> copy;
  copy.reserve(static_cast<std::size_t>(n * (n + 1) / 2));
  for (Index j = 0; j < n; ++j)
    copy.insert(copy.end(), a + j * stride + j, a + j * stride + n);
  bool definite = cholesky(a, n, stride);
  for (Index j = 0; j < n && definite; ++j) {
    const Number root = a[j * stride + j];
    definite = root * root > min_pivot[j];
  }
  if (definite) return true;
  const Number* from = copy.data();
  for (Index j = 0; j < n; from += n - j, ++j)
    std::copy(from, from + (n - j), a + j * stride + j);
  return false;
}

/// Factors a square block as L S L', column block by column block: most of them are definite.
/// Returns the number of negative pivots, or -1 if one is zero.
template <typename Number>
int signed_cholesky(const SquareBlock<Number>& square, std::int8_t* sign, const Number* min_pivot) {
  constexpr Index kBlock = 128;  // wide enough for efficient products
  constexpr Index kNarrow = 32;  // blocks that hold a negative pivot are factored without BLAS
  const auto [a, n, stride] = square;
  int negative = 0;
  for (Index first = 0; first < n; first += kBlock) {
    const Index end = std::min(n, first + kBlock);
    Number* corner = a + first * stride + first;
    if (try_definite<Number>({corner, end - first, stride}, min_pivot + first)) {
      std::fill(sign + first, sign + end, std::int8_t{1});
      solve_right(corner, end - first, stride, corner + (end - first), n - end);
      rank_update<Number>({a + end * stride + end, n - end, stride},
                          {a + first * stride + end, end - first, stride},
                          Number{-1});
      continue;
    }
    for (Index part = first; part < end; part += kNarrow) {
      const int found =
          signed_columns(square, part, std::min(kNarrow, end - part), sign, min_pivot);
      if (found < 0) return -1;
      negative += found;
    }
  }
  return negative;
}

}  // namespace

template <typename Number>
int factor_panel(const PanelOf<Number>& panel, std::int8_t* sign, const Number* min_pivot) {
  const Index w = panel.width, stride = panel.rows();
  const SquareBlock<Number> triangle{panel.values, w, stride};
  std::fill(sign, sign + w, std::int8_t{1});
  int negative = 0;
  if (!try_definite(triangle, min_pivot)) {
    negative = signed_cholesky(triangle, sign, min_pivot);
    if (negative < 0) return negative;
  }
  solve_right(panel.values, w, stride, panel.values + w, panel.below);
  for (Index j = 0; j < w && negative > 0; ++j)
    if (sign[j] < 0)
      for (Index i = w; i < stride; ++i)
        panel.values[j * stride + i] *= -1;
  return negative;
}
template int factor_panel(const PanelOf<double>&, std::int8_t*, const double*);
template int factor_panel(const PanelOf<float>&, std::int8_t*, const float*);

template <typename Number>
void subtract_square(const PanelOf<Number>& panel,
                     const std::int8_t* sign,
                     int negative,
                     const PackedTriangle<Number>& C) {
  constexpr Index kStrip = PackedTriangle<Number>::kStrip;
  const Index n = C.n;
  const Number* B = panel.values + panel.width;
  for (Index first = 0; first < n; first += kStrip) {
    const Index width = std::min(kStrip, n - first);
    const Index end = first + width;
    Number* corner = C.column(first) + first;
    const SquareBlock<Number> square{corner, width, n - first};
    const FactorColumns<Number> columns{B + first, panel.width, panel.rows()};
    if (negative == 0)
      rank_update(square, columns, Number{-1});
    else
      signed_update(square, columns, sign);
    if (end == n) break;
    const std::vector<Number> other =
        negative == 0 ? std::vector<Number>{} : signed_copy(columns, width, sign);
    const FactorColumns<Number> right =
        negative == 0 ? columns : FactorColumns<Number>{other.data(), panel.width, width};
    subtract_product<Number>(
        {corner + width, n - first}, {B + end, panel.width, panel.rows()}, n - end, right, width);
  }
}
template void subtract_square(const PanelOf<double>&,
                              const std::int8_t*,
                              int,
                              const PackedTriangle<double>&);
template void subtract_square(const PanelOf<float>&,
                              const std::int8_t*,
                              int,
                              const PackedTriangle<float>&);

template <typename Number>
void invert_diagonal(const PanelOf<Number>& panel) {
  for (std::ptrdiff_t j = 0; j < panel.width; ++j) {
    Number& pivot = panel.values[j * panel.rows() + j];
    pivot = 1 / pivot;
  }
}
template void invert_diagonal(const PanelOf<double>&);
template void invert_diagonal(const PanelOf<float>&);

}  // namespace femflex::modal
