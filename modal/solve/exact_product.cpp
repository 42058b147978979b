// Error-free sums and products (Knuth, Dekker): a + b = s + e and a b = p + e hold exactly, so the
// pair (s, sum of the e) carries about 106 bits. This file must not be compiled with contracted
// products (-ffp-contract=off, see CMakeLists.txt): a fused step breaks the identities.
#include "solve/exact_product.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "femflex/clones.h"

namespace femflex::modal {
namespace {

constexpr int kWidth = 8;  // columns a pass, where there are more than two

constexpr double kSplit = 134217729.0;  // 2^27 + 1: halves of 26 bits

/// Adds a x to (sum, rest), a = a_high + a_low.
inline void add_exact(double a, double a_high, double a_low, double x, double& sum, double& rest) {
  const double c = kSplit * x;
  const double x_high = c - (c - x);
  const double x_low = x - x_high;
  const double p = a * x;
  const double p_rest = ((a_high * x_high - p) + a_high * x_low + a_low * x_high) + a_low * x_low;
  const double s = sum + p;
  const double t = s - sum;
  rest += ((sum - (s - t)) + (p - t)) + p_rest;
  sum = s;
}

template <int W>
[[gnu::always_inline]] inline void exact_rows(const std::int32_t* start,
                                              const std::int32_t* row,
                                              const double* value,
                                              std::int32_t cols,
                                              const double* x,
                                              double* sum,
                                              double* rest) {
  for (std::int32_t j = 0; j < cols; ++j) {
    const double* xj = x + static_cast<std::ptrdiff_t>(j) * W;
    double own[W] = {};
    double own_rest[W] = {};
    for (std::int32_t p = start[j]; p < start[j + 1]; ++p) {
      const std::int32_t i = row[p];
      const double a = value[p];
      const double c = kSplit * a;
      const double high = c - (c - a);
      const double low = a - high;
      const double* xi = x + static_cast<std::ptrdiff_t>(i) * W;
      for (int k = 0; k < W; ++k)
        add_exact(a, high, low, xi[k], own[k], own_rest[k]);
      if (i == j) continue;
      double* yi = sum + static_cast<std::ptrdiff_t>(i) * W;
      double* ri = rest + static_cast<std::ptrdiff_t>(i) * W;
      for (int k = 0; k < W; ++k)
        add_exact(a, high, low, xj[k], yi[k], ri[k]);
    }
    double* yj = sum + static_cast<std::ptrdiff_t>(j) * W;
    double* rj = rest + static_cast<std::ptrdiff_t>(j) * W;
    for (int k = 0; k < W; ++k) {
      add_exact(1.0, 1.0, 0.0, own[k], yj[k], rj[k]);
      rj[k] += own_rest[k];
    }
  }
}

FEMFLEX_CLONES void exact2(const std::int32_t* start,
                           const std::int32_t* row,
                           const double* value,
                           std::int32_t cols,
                           const double* x,
                           double* sum,
                           double* rest) {
  exact_rows<2>(start, row, value, cols, x, sum, rest);
}
FEMFLEX_CLONES void exact8(const std::int32_t* start,
                           const std::int32_t* row,
                           const double* value,
                           std::int32_t cols,
                           const double* x,
                           double* sum,
                           double* rest) {
  exact_rows<8>(start, row, value, cols, x, sum, rest);
}

}  // namespace

Eigen::MatrixXd exact_difference(const SparseMatrix& lower,
                                 const Eigen::Ref<const Eigen::MatrixXd>& X,
                                 const Eigen::Ref<const Eigen::MatrixXd>& B) {
  const Eigen::Index n = lower.rows();
  Eigen::MatrixXd out(n, X.cols());
  const Eigen::Index kept = X.cols() > 2 ? kWidth : 2;
  const auto size = static_cast<std::size_t>(n * kept);
  std::vector<double> x(size);
  std::vector<double> sum(size);
  std::vector<double> rest(size);
  for (Eigen::Index first = 0; first < X.cols(); first += kept) {
    const Eigen::Index width = std::min<Eigen::Index>(kept, X.cols() - first);
    std::fill(x.begin(), x.end(), 0.0);
    std::fill(sum.begin(), sum.end(), 0.0);
    std::fill(rest.begin(), rest.end(), 0.0);
    for (Eigen::Index c = 0; c < width; ++c)
      for (Eigen::Index r = 0; r < n; ++r) {
        const auto at = static_cast<std::size_t>(r * kept + c);
        x[at] = X(r, first + c);
        sum[at] = -B(r, first + c);
      }
    (kept == 2 ? exact2 : exact8)(lower.outerIndexPtr(),
                                  lower.innerIndexPtr(),
                                  lower.valuePtr(),
                                  static_cast<std::int32_t>(lower.cols()),
                                  x.data(),
                                  sum.data(),
                                  rest.data());
    for (Eigen::Index c = 0; c < width; ++c)
      for (Eigen::Index r = 0; r < n; ++r) {
        const auto at = static_cast<std::size_t>(r * kept + c);
        out(r, first + c) = sum[at] + rest[at];
      }
  }
  return out;
}

}  // namespace femflex::modal
