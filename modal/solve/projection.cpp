#include "solve/projection.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "femflex/clones.h"
#include "dense/symmetric_eigen.h"

namespace femflex::modal {
namespace {

/// The structure of a lower triangle, as the kernels see it.
struct Triangle {
  const std::int32_t* start;
  const std::int32_t* row;
  const double* value;
  std::int32_t cols;
  bool symmetric;
};

// y_i += a x_j and, if `symmetric`, y_j += a x_i off the diagonal; else the diagonal counts half.
// `W` columns a pass, row by row.
template <int W>
[[gnu::always_inline]] inline void sparse_rows(const Triangle& a, const double* x, double* y) {
  for (std::int32_t j = 0; j < a.cols; ++j) {
    const double* xj = x + static_cast<std::ptrdiff_t>(j) * W;
    double own[W] = {};
    for (std::int32_t p = a.start[j]; p < a.start[j + 1]; ++p) {
      const std::int32_t i = a.row[p];
      double value = a.value[p];
      if (i == j) {
        if (!a.symmetric) value *= 0.5;
        for (int c = 0; c < W; ++c)
          own[c] += value * xj[c];
        continue;
      }
      double* yi = y + static_cast<std::ptrdiff_t>(i) * W;
      for (int c = 0; c < W; ++c)
        yi[c] += value * xj[c];
      if (a.symmetric) {
        const double* xi = x + static_cast<std::ptrdiff_t>(i) * W;
        for (int c = 0; c < W; ++c)
          own[c] += value * xi[c];
      }
    }
    double* yj = y + static_cast<std::ptrdiff_t>(j) * W;
    for (int c = 0; c < W; ++c)
      yj[c] += own[c];
  }
}

FEMFLEX_CLONES void sparse4(const Triangle& a, const double* x, double* y) {
  sparse_rows<4>(a, x, y);
}
FEMFLEX_CLONES void sparse8(const Triangle& a, const double* x, double* y) {
  sparse_rows<8>(a, x, y);
}
FEMFLEX_CLONES void sparse16(const Triangle& a, const double* x, double* y) {
  sparse_rows<16>(a, x, y);
}

Eigen::MatrixXd blocked(const SparseMatrix& lower,
                        const Eigen::Ref<const Eigen::MatrixXd>& X,
                        bool symmetric) {
  const Eigen::Index n = X.rows();
  const Triangle a{lower.outerIndexPtr(),
                   lower.innerIndexPtr(),
                   lower.valuePtr(),
                   static_cast<std::int32_t>(n),
                   symmetric};
  Eigen::MatrixXd Y(n, X.cols());
  const Eigen::Index widest = X.cols() > 8 ? 16 : X.cols() > 4 ? 8 : 4;
  const auto memory = static_cast<std::size_t>(n * widest + 8);
  std::vector<double> x_memory(memory);
  std::vector<double> y_memory(memory);
  const auto on_line = [](double* from) {  // rows of eight then never straddle two cache lines
    while (reinterpret_cast<std::uintptr_t>(from) % 64 != 0)
      ++from;
    return from;
  };
  double* x = on_line(x_memory.data());
  double* y = on_line(y_memory.data());
  for (Eigen::Index first = 0; first < X.cols();) {
    const Eigen::Index width = std::min<Eigen::Index>(16, X.cols() - first);
    const Eigen::Index stride = width > 8 ? 16 : width > 4 ? 8 : 4;
    for (Eigen::Index i = 0; i < n; ++i) {
      double* row = x + i * stride;
      for (Eigen::Index c = 0; c < width; ++c)
        row[c] = X(i, first + c);
      std::fill(row + width, row + stride, 0.0);
    }
    std::fill(y, y + n * stride, 0.0);
    if (stride == 16)
      sparse16(a, x, y);
    else if (stride == 8)
      sparse8(a, x, y);
    else
      sparse4(a, x, y);
    for (Eigen::Index i = 0; i < n; ++i)
      for (Eigen::Index c = 0; c < width; ++c)
        Y(i, first + c) = y[i * stride + c];
    first += width;
  }
  return Y;
}

}  // namespace

Eigen::MatrixXd symmetric_product(const SparseMatrix& lower,
                                  const Eigen::Ref<const Eigen::MatrixXd>& X) {
  if (X.cols() < 2) {
    Eigen::MatrixXd Y = lower.selfadjointView<Eigen::Lower>() * X;
    return Y;
  }
  return blocked(lower, X, true);
}

Eigen::MatrixXd project(const SparseMatrix& lower, const Eigen::MatrixXd& U) {
  const Eigen::MatrixXd W = transposed_product(U, blocked(lower, U, false));
  return W + W.transpose();
}

}  // namespace femflex::modal
