// Multiplies a sparse symmetric matrix with four, eight or sixteen columns in one pass over the
// matrix. Two halves of the matrix run in parallel and are added in a fixed order, so that results
// do not depend on the number of threads.
#include "solve/projection.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "femflex/clones.h"
#include "femflex/parallel.h"

#include "dense/row_of.h"
#include "dense/symmetric_eigen.h"
#include "solve/halves.h"

namespace femflex::modal {
namespace {

/// The structure of a lower triangle for the kernels.
struct Triangle {
  const std::int32_t* start;
  const std::int32_t* row;
  const double* value;
  std::int32_t from, to;  // columns to go through
  std::int32_t split;     // rows from here on are summed up in `later`, which starts there
  bool symmetric;
};

// y_i += a x_j and, if `symmetric`, y_j += a x_i off the diagonal; else the diagonal counts half.
// `P` pieces of `W` columns per pass, row by row. Rows of y from `split` on are in `later`.
template <int W, int P>
[[gnu::always_inline]] inline void sparse_rows(const Triangle& a,
                                               const double* x,
                                               double* y,
                                               double* later) {
  using Row = typename RowOf<W>::type;
  constexpr int all = W * P;
  const auto row_of = [&](std::int32_t i) {
    return (i < a.split ? y : later) +
           static_cast<std::ptrdiff_t>(i < a.split ? i : i - a.split) * all;
  };
  for (std::int32_t j = a.from; j < a.to; ++j) {
    const std::ptrdiff_t here = static_cast<std::ptrdiff_t>(j) * all;
    Row xj[P], own[P];
    for (int k = 0; k < P; ++k) {
      load<W>(xj[k], x + here + k * W);
      load<W>(own[k], row_of(j) + k * W);
    }
    for (std::int32_t p = a.start[j]; p < a.start[j + 1]; ++p) {
      const std::int32_t i = a.row[p];
      const double value = a.value[p];
      const double* xi = x + static_cast<std::ptrdiff_t>(i) * all;
      double* yi = row_of(i);
      for (int k = 0; k < P; ++k) {
        if (i == j) {
          own[k] += (a.symmetric ? value : 0.5 * value) * xj[k];
          continue;
        }
        Row sum;
        load<W>(sum, yi + k * W);
        sum += value * xj[k];
        store<W>(yi + k * W, sum);
        if (a.symmetric) {
          Row from;
          load<W>(from, xi + k * W);
          own[k] += value * from;
        }
      }
    }
    for (int k = 0; k < P; ++k)
      store<W>(row_of(j) + k * W, own[k]);
  }
}

FEMFLEX_CLONES void sparse4(const Triangle& a, const double* x, double* y, double* later) {
  sparse_rows<4, 1>(a, x, y, later);
}
FEMFLEX_CLONES void sparse8(const Triangle& a, const double* x, double* y, double* later) {
  sparse_rows<8, 1>(a, x, y, later);
}
FEMFLEX_CLONES void sparse16(const Triangle& a, const double* x, double* y, double* later) {
  sparse_rows<8, 2>(a, x, y, later);
}

}  // namespace

SymmetricProduct::SymmetricProduct(const SparseMatrix& lower, int threads)
    : lower_(lower), threads_(threads), halves_(halves_of(lower)) {}

void SymmetricProduct::run(const Eigen::Ref<const Eigen::MatrixXd>& X,
                           Eigen::Ref<Eigen::MatrixXd> Y,
                           bool symmetric) {
  const Eigen::Index n = X.rows(), middle = halves_.middle, first_half_end = halves_.first_half_end;
  const Eigen::Index widest = X.cols() > 8 ? 16 : X.cols() > 4 ? 8 : 4;
  if (capacity_ < n * widest) {
    capacity_ = n * widest;
    x_ = AlignedArray(capacity_);
    y_ = AlignedArray(capacity_);
    overlap_ = AlignedArray((first_half_end - middle) * widest);
  }
  double *x = x_.data(), *y = y_.data(), *later = overlap_.data();
  const auto rows = [&](const auto& action) {
    constexpr Eigen::Index pieces = 16;
    run_parallel(threads_, pieces, [&](int piece) {
      for (Eigen::Index i = n * piece / pieces; i < n * (piece + 1) / pieces; ++i)
        action(i);
    });
  };
  for (Eigen::Index first = 0; first < X.cols();) {
    const Eigen::Index width = std::min<Eigen::Index>(16, X.cols() - first);
    const Eigen::Index stride = width > 8 ? 16 : width > 4 ? 8 : 4;
    rows([&](Eigen::Index i) {
      double* to = x + i * stride;
      for (Eigen::Index c = 0; c < width; ++c)
        to[c] = X(i, first + c);
      std::fill(to + width, to + stride, 0.0);
    });
    const auto kernel = stride == 16 ? sparse16 : stride == 8 ? sparse8 : sparse4;
    run_parallel(threads_, 2, [&](int half) {
      const auto cut = static_cast<std::int32_t>(middle), end = static_cast<std::int32_t>(n);
      const std::int32_t from = half == 0 ? 0 : cut, to = half == 0 ? cut : end;
      std::fill(y + from * stride, y + to * stride, 0.0);
      if (half == 0) std::fill(later, later + (first_half_end - middle) * stride, 0.0);
      const Triangle a{lower_.outerIndexPtr(),
                       lower_.innerIndexPtr(),
                       lower_.valuePtr(),
                       from,
                       to,
                       half == 0 ? cut : end,
                       symmetric};
      kernel(a, x, y, later);
    });
    rows([&](Eigen::Index i) {
      const double* from = y + i * stride;
      const bool both = i >= middle && i < first_half_end;
      const double* more = both ? later + (i - middle) * stride : nullptr;
      for (Eigen::Index c = 0; c < width; ++c)
        Y(i, first + c) = both ? from[c] + more[c] : from[c];
    });
    first += width;
  }
}

Eigen::MatrixXd symmetric_product(const SparseMatrix& lower,
                                  const Eigen::Ref<const Eigen::MatrixXd>& X,
                                  int threads) {
  Eigen::MatrixXd Y(X.rows(), X.cols());
  if (X.cols() < 2)
    Y.noalias() = lower.selfadjointView<Eigen::Lower>() * X;
  else
    SymmetricProduct(lower, threads)(X, Y);
  return Y;
}

Eigen::MatrixXd project(const SparseMatrix& lower, const Eigen::MatrixXd& U) {
  // L U is made in blocks of columns: a second copy of the shapes would be the peak of a reduction
  constexpr Eigen::Index kBlock = 64;
  const Eigen::Index n = U.cols();
  Eigen::MatrixXd W(n, n);
  Eigen::MatrixXd LU(U.rows(), std::min(kBlock, n));
  SymmetricProduct product(lower, 1);
  for (Eigen::Index first = 0; first < n; first += kBlock) {
    const Eigen::Index width = std::min(kBlock, n - first);
    product.half(U.middleCols(first, width), LU.leftCols(width));
    W.middleCols(first, width) = transposed_product(U, LU.leftCols(width));
  }
  return W + W.transpose();
}

}  // namespace femflex::modal
