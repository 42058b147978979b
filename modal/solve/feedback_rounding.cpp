#include "solve/feedback_rounding.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "femflex/clones.h"

#include "dense/row_of.h"
#include "solve/parallel.h"

namespace femflex::modal {
namespace {

constexpr int kWidth = 8;  // columns a pass over K

std::size_t at(std::int64_t i) {
  return static_cast<std::size_t>(i);
}

/// Both triangles, in seven digits: changes of the last bits of x need no more.
struct Rows {
  std::vector<std::int64_t> start;
  std::vector<std::int32_t> row;
  std::vector<float> value;
};

Rows both_triangles(const SparseMatrix& lower) {
  Rows out;
  out.start.assign(at(lower.cols()) + 1, 0);
  for (Eigen::Index j = 0; j < lower.cols(); ++j)
    for (SparseMatrix::InnerIterator it(lower, j); it; ++it) {
      ++out.start[at(j) + 1];
      if (it.row() != j) ++out.start[at(it.row()) + 1];
    }
  for (std::size_t j = 1; j < out.start.size(); ++j)
    out.start[j] += out.start[j - 1];
  out.row.resize(at(out.start.back()));
  out.value.resize(at(out.start.back()));
  std::vector<std::int64_t> put(out.start.begin(), out.start.end() - 1);
  for (Eigen::Index j = 0; j < lower.cols(); ++j)
    for (SparseMatrix::InnerIterator it(lower, j); it; ++it) {
      const auto value = static_cast<float>(it.value());
      const std::int64_t p = put[at(j)]++;
      out.row[at(p)] = static_cast<std::int32_t>(it.row());
      out.value[at(p)] = value;
      if (it.row() == j) continue;
      const std::int64_t q = put[at(it.row())]++;
      out.row[at(q)] = static_cast<std::int32_t>(j);
      out.value[at(q)] = value;
    }
  return out;
}

/// The last bit of x: a unit of its 53rd binary digit.
[[gnu::always_inline]] inline double last_bit(double x) {
  constexpr std::uint64_t exponent = 0x7ff0000000000000U;
  return 0x1p-52 * std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) & exponent);
}

/// Vectors row by row, `kWidth` columns.
FEMFLEX_CLONES void descend(const Rows& K, std::int64_t n, double* x, double* r) {
  using Row = RowOf<kWidth>::type;
  constexpr double to_integer = 0x1.8p52;  // adding it rounds to the nearest whole number
  for (std::int64_t j = 0; j < n; ++j) {
    const std::int64_t from = K.start[at(j)], to = K.start[at(j) + 1];
    Row slope{};
    double square = 0.0;
    for (std::int64_t p = from; p < to; ++p) {
      const auto a = static_cast<double>(K.value[at(p)]);
      Row ri;
      load<kWidth>(ri, r + std::int64_t{K.row[at(p)]} * kWidth);
      square += a * a;
      slope += a * ri;
    }
    Row xj, step;
    load<kWidth>(xj, x + j * kWidth);
    bool any = false;
    for (int c = 0; c < kWidth; ++c) {
      const double bit = last_bit(xj[c]);
      const double wanted = -slope[c] / (square * bit);
      // beyond eight bits it is no matter of rounding; not a number where a row is empty
      const bool small = wanted > -8.0 && wanted < 8.0;
      const double bits = small ? (wanted + to_integer) - to_integer : 0.0;
      step[c] = bits * bit;
      any |= bits != 0.0;
    }
    if (!any) continue;
    const Row before = xj;
    xj += step;
    step = xj - before;
    store<kWidth>(x + j * kWidth, xj);
    for (std::int64_t p = from; p < to; ++p) {
      const auto a = static_cast<double>(K.value[at(p)]);
      double* place = r + std::int64_t{K.row[at(p)]} * kWidth;
      Row ri;
      load<kWidth>(ri, place);
      ri += a * step;
      store<kWidth>(place, ri);
    }
  }
}

}  // namespace

void round_with_feedback(const SparseMatrix& K,
                         Eigen::Ref<Eigen::MatrixXd> X,
                         Eigen::Ref<Eigen::MatrixXd> R,
                         int threads) {
  if (X.cols() == 0) return;
  const Eigen::Index n = K.rows();
  const Rows rows = both_triangles(K);
  const auto strip = [&](int index) {
    const Eigen::Index first = static_cast<Eigen::Index>(index) * kWidth;
    const Eigen::Index width = std::min<Eigen::Index>(kWidth, X.cols() - first);
    std::vector<double> x(at(n * kWidth), 0.0), r(at(n * kWidth), 0.0);
    for (Eigen::Index i = 0; i < n; ++i)
      for (Eigen::Index c = 0; c < width; ++c) {
        x[at(i * kWidth + c)] = X(i, first + c);
        r[at(i * kWidth + c)] = R(i, first + c);
      }
    descend(rows, n, x.data(), r.data());
    for (Eigen::Index i = 0; i < n; ++i)
      for (Eigen::Index c = 0; c < width; ++c) {
        X(i, first + c) = x[at(i * kWidth + c)];
        R(i, first + c) = r[at(i * kWidth + c)];
      }
  };
  run_parallel(threads, static_cast<int>((X.cols() + kWidth - 1) / kWidth), strip);
}

}  // namespace femflex::modal
