#include "solve/projection.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "femflex/clones.h"

#include "dense/row_of.h"
#include "dense/symmetric_eigen.h"
#include "solve/halves.h"
#include "solve/parallel.h"

namespace femflex::modal {
namespace {

/// The structure of a lower triangle, as the kernels see it.
struct Triangle {
  const std::int32_t* start;
  const std::int32_t* row;
  const double* value;
  std::int32_t from, to;  // columns to go through
  std::int32_t split;     // rows from here on are summed up in `later`, which starts there
  bool symmetric;
};

// y_i += a x_j and, if `symmetric`, y_j += a x_i off the diagonal; else the diagonal counts half.
// `P` pieces of `W` columns a pass, row by row. Rows of y from `split` on lie in `later`.
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

/// Rows of eight then never straddle two cache lines.
double* on_line(double* from) {
  while (reinterpret_cast<std::uintptr_t>(from) % 64 != 0)
    ++from;
  return from;
}

/// y <- A x, `stride` columns row by row.
void product(const SparseMatrix& lower,
             bool symmetric,
             int threads,
             Eigen::Index stride,
             const double* x,
             double* y) {
  const auto n = static_cast<std::int32_t>(lower.cols());
  const std::int32_t* start = lower.outerIndexPtr();
  const std::int32_t* row = lower.innerIndexPtr();
  const Halves halves = halves_of(lower);
  const std::int32_t middle = halves.middle, last = halves.reach;
  std::vector<double> apart(static_cast<std::size_t>((last - middle) * stride + 8));
  double* later = on_line(apart.data());
  const auto kernel = stride == 16 ? sparse16 : stride == 8 ? sparse8 : sparse4;
  run_parallel(threads, 2, [&](int half) {
    const std::int32_t from = half == 0 ? 0 : middle, to = half == 0 ? middle : n;
    std::fill(y + from * stride, y + to * stride, 0.0);
    const Triangle a{start, row, lower.valuePtr(), from, to, half == 0 ? middle : n, symmetric};
    kernel(a, x, y, later);
  });
  for (Eigen::Index k = 0; k < (last - middle) * stride; ++k)
    y[middle * stride + k] += later[k];
}

Eigen::MatrixXd blocked(const SparseMatrix& lower,
                        const Eigen::Ref<const Eigen::MatrixXd>& X,
                        bool symmetric,
                        int threads) {
  const Eigen::Index n = X.rows();
  Eigen::MatrixXd Y(n, X.cols());
  const Eigen::Index widest = X.cols() > 8 ? 16 : X.cols() > 4 ? 8 : 4;
  std::vector<double> x_memory(static_cast<std::size_t>(n * widest + 8));
  std::vector<double> y_memory(x_memory.size());
  double* x = on_line(x_memory.data());
  double* y = on_line(y_memory.data());
  for (Eigen::Index first = 0; first < X.cols();) {
    const Eigen::Index width = std::min<Eigen::Index>(16, X.cols() - first);
    const Eigen::Index stride = width > 8 ? 16 : width > 4 ? 8 : 4;
    const auto rows = [&](const auto& action) {
      constexpr Eigen::Index pieces = 16;
      run_parallel(threads, pieces, [&](int piece) {
        for (Eigen::Index i = n * piece / pieces; i < n * (piece + 1) / pieces; ++i)
          action(i);
      });
    };
    rows([&](Eigen::Index i) {
      double* to = x + i * stride;
      for (Eigen::Index c = 0; c < width; ++c)
        to[c] = X(i, first + c);
      std::fill(to + width, to + stride, 0.0);
    });
    product(lower, symmetric, threads, stride, x, y);
    rows([&](Eigen::Index i) {
      for (Eigen::Index c = 0; c < width; ++c)
        Y(i, first + c) = y[i * stride + c];
    });
    first += width;
  }
  return Y;
}

}  // namespace

Eigen::MatrixXd symmetric_product(const SparseMatrix& lower,
                                  const Eigen::Ref<const Eigen::MatrixXd>& X,
                                  int threads) {
  if (X.cols() < 2) {
    Eigen::MatrixXd Y = lower.selfadjointView<Eigen::Lower>() * X;
    return Y;
  }
  return blocked(lower, X, true, threads);
}

Eigen::MatrixXd project(const SparseMatrix& lower, const Eigen::MatrixXd& U) {
  const Eigen::MatrixXd W = transposed_product(U, blocked(lower, U, false, 1));
  return W + W.transpose();
}

}  // namespace femflex::modal
