#include "solve/projection.h"

#include <algorithm>
#include <vector>

#include "dense/symmetric_eigen.h"

// The kernels stream rows of 8 numbers: build them for the wide vector units as well and let the
// loader choose. Sanitizers and other compilers take the plain one.
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && \
    !defined(__SANITIZE_ADDRESS__)
#define FEMFLEX_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define FEMFLEX_CLONES
#endif

namespace femflex::modal {
namespace {

constexpr int kWidth = 16;  // columns a pass: two cache lines a row

// y_i += a x_j and, if `symmetric`, y_j += a x_i off the diagonal; else the diagonal counts half.
FEMFLEX_CLONES
void sparse_block(const std::int32_t* start,
                  const std::int32_t* row,
                  const double* value,
                  std::int32_t cols,
                  bool symmetric,
                  const double* x,
                  double* y) {
  for (std::int32_t j = 0; j < cols; ++j) {
    const double* xj = x + static_cast<std::ptrdiff_t>(j) * kWidth;
    double own[kWidth] = {};
    for (std::int32_t p = start[j]; p < start[j + 1]; ++p) {
      const std::int32_t i = row[p];
      double a = value[p];
      if (i == j) {
        if (!symmetric) a *= 0.5;
        for (int c = 0; c < kWidth; ++c)
          own[c] += a * xj[c];
        continue;
      }
      double* yi = y + static_cast<std::ptrdiff_t>(i) * kWidth;
      for (int c = 0; c < kWidth; ++c)
        yi[c] += a * xj[c];
      if (symmetric) {
        const double* xi = x + static_cast<std::ptrdiff_t>(i) * kWidth;
        for (int c = 0; c < kWidth; ++c)
          own[c] += a * xi[c];
      }
    }
    double* yj = y + static_cast<std::ptrdiff_t>(j) * kWidth;
    for (int c = 0; c < kWidth; ++c)
      yj[c] += own[c];
  }
}

Eigen::MatrixXd blocked(const SparseMatrix& lower,
                        const Eigen::Ref<const Eigen::MatrixXd>& X,
                        bool symmetric) {
  const Eigen::Index n = X.rows();
  Eigen::MatrixXd Y(n, X.cols());
  std::vector<double> x(static_cast<std::size_t>(n) * kWidth);
  std::vector<double> y(x.size());
  for (Eigen::Index first = 0; first < X.cols(); first += kWidth) {
    const Eigen::Index width = std::min<Eigen::Index>(kWidth, X.cols() - first);
    Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, kWidth, Eigen::RowMajor>> x_rows(
        x.data(), n, kWidth);
    x_rows.leftCols(width) = X.middleCols(first, width);
    if (width < kWidth) x_rows.rightCols(kWidth - width).setZero();
    std::fill(y.begin(), y.end(), 0.0);
    sparse_block(lower.outerIndexPtr(),
                 lower.innerIndexPtr(),
                 lower.valuePtr(),
                 static_cast<std::int32_t>(n),
                 symmetric,
                 x.data(),
                 y.data());
    const Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, kWidth, Eigen::RowMajor>> y_rows(
        y.data(), n, kWidth);
    Y.middleCols(first, width) = y_rows.leftCols(width);
  }
  return Y;
}

}  // namespace

Eigen::MatrixXd symmetric_product(const SparseMatrix& lower,
                                  const Eigen::Ref<const Eigen::MatrixXd>& X) {
  if (X.cols() < 3) {
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
