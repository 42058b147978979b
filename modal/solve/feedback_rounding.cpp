// Rounds eigenvectors so that the residual stays small: changes the entries of x one by one by
// whole last bits so that |K x - b| falls. The rows of two halves of K run in parallel, then those
// rows that join the halves.
#include "solve/feedback_rounding.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "femflex/clones.h"
#include "femflex/index.h"
#include "femflex/parallel.h"

#include "dense/aligned_array.h"
#include "dense/row_of.h"
#include "solve/halves.h"

namespace femflex::modal {
namespace {

constexpr int kVectorWidth = 8;  // number of columns per pass over K

/// Both triangles of K in single precision, which is enough for changes of the last bits of x. Row
/// indices are in ascending order.
struct Rows {
  std::vector<std::int64_t> start;
  std::unique_ptr<std::int32_t[]>
      row;  // not cleared: the thread that fills them touches them first
  std::unique_ptr<float[]> value;
};

/// Copies both triangles of K. In each row, the part from the first half of the columns comes
/// first; the two halves are copied in parallel.
Rows both_triangles(const SparseMatrix& lower, std::int32_t middle, int threads) {
  const auto halves = [&](const auto& action) {
    run_parallel(threads, 2, [&](int half) {
      for (Eigen::Index j = half == 0 ? 0 : middle; j < (half == 0 ? middle : lower.cols()); ++j)
        for (SparseMatrix::InnerIterator it(lower, j); it; ++it)
          action(half, it);
    });
  };
  std::vector<std::int64_t> next[2];
  for (std::vector<std::int64_t>& count : next)
    count.assign(at(lower.cols()), 0);
  halves([&](int half, const SparseMatrix::InnerIterator& it) {
    ++next[half][at(it.col())];
    if (it.row() != it.col()) ++next[half][at(it.row())];
  });
  Rows out;
  out.start.assign(at(lower.cols()) + 1, 0);
  for (Eigen::Index j = 0; j < lower.cols(); ++j) {
    const std::int64_t from = out.start[at(j)];
    out.start[at(j) + 1] = from + next[0][at(j)] + next[1][at(j)];
    next[1][at(j)] = from + next[0][at(j)];
    next[0][at(j)] = from;
  }
  out.row.reset(new std::int32_t[at(out.start.back())]);
  out.value.reset(new float[at(out.start.back())]);
  halves([&](int half, const SparseMatrix::InnerIterator& it) {
    const auto value = static_cast<float>(it.value());
    const std::size_t p = at(next[half][at(it.col())]++);
    out.row[p] = static_cast<std::int32_t>(it.row());
    out.value[p] = value;
    if (it.row() == it.col()) return;
    const std::size_t q = at(next[half][at(it.row())]++);
    out.row[q] = static_cast<std::int32_t>(it.col());
    out.value[q] = value;
  });
  return out;
}

/// Rows [from, to) of K: either those that join both sides of `cut`, or those that stay on one
/// side.
struct Part {
  std::int64_t from, to, cut;
  bool across;
};

/// The last bit of x: one unit of its 53rd binary digit.
[[gnu::always_inline]] inline double last_bit(double x) {
  constexpr std::uint64_t exponent = 0x7ff0000000000000U;
  return 0x1p-52 * std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) & exponent);
}

/// Performs the descent on `kVectorWidth` columns, stored row by row.
FEMFLEX_CLONES void descend(const Rows& K, const Part& part, double* x, double* r) {
  using Row = RowOf<kVectorWidth>::type;
  constexpr double kToInteger = 0x1.8p52;  // adding it rounds to the nearest whole number
  constexpr double kMaxBits = 8.0;         // [last bits] a larger step is not a rounding error
  for (std::int64_t j = part.from; j < part.to; ++j) {
    const std::int64_t from = K.start[at(j)], to = K.start[at(j) + 1];
    if (from == to) continue;
    const bool across = std::min<std::int64_t>(K.row[at(from)], j) < part.cut &&
                        std::max<std::int64_t>(K.row[at(to - 1)], j) >= part.cut;
    if (across != part.across) continue;
    Row slope{};
    double square = 0.0;
    for (std::int64_t p = from; p < to; ++p) {
      const auto a = static_cast<double>(K.value[at(p)]);
      Row ri;
      load<kVectorWidth>(ri, r + std::int64_t{K.row[at(p)]} * kVectorWidth);
      square += a * a;
      slope += a * ri;
    }
    Row xj, step;
    load<kVectorWidth>(xj, x + j * kVectorWidth);
    bool any = false;
    for (int c = 0; c < kVectorWidth; ++c) {
      const double bit = last_bit(xj[c]);
      const double wanted = -slope[c] / (square * bit);
      // NaN, and no step, if a row is zero
      const bool small = wanted > -kMaxBits && wanted < kMaxBits;
      const double bits = small ? (wanted + kToInteger) - kToInteger : 0.0;
      step[c] = bits * bit;
      any |= bits != 0.0;
    }
    if (!any) continue;
    const Row before = xj;
    xj += step;
    step = xj - before;
    store<kVectorWidth>(x + j * kVectorWidth, xj);
    for (std::int64_t p = from; p < to; ++p) {
      const auto a = static_cast<double>(K.value[at(p)]);
      double* target = r + std::int64_t{K.row[at(p)]} * kVectorWidth;
      Row ri;
      load<kVectorWidth>(ri, target);
      ri += a * step;
      store<kVectorWidth>(target, ri);
    }
  }
}

}  // namespace

void round_with_feedback(const SparseMatrix& K,
                         std::span<const Eigen::Index> columns,
                         Eigen::Ref<Eigen::MatrixXd> X,
                         Eigen::Ref<Eigen::MatrixXd> R,
                         int threads) {
  if (columns.empty()) return;
  const Eigen::Index n = K.rows();
  const auto count = static_cast<Eigen::Index>(columns.size());
  const std::int32_t middle = halves_of(K).middle;
  const Rows rows = both_triangles(K, middle, threads);
  const auto strips = static_cast<int>((count + kVectorWidth - 1) / kVectorWidth);
  const auto round_strip = [&](int strip, int own_threads) {
    const Eigen::Index first = static_cast<Eigen::Index>(strip) * kVectorWidth;
    const Eigen::Index width = std::min<Eigen::Index>(kVectorWidth, count - first);
    const auto column = [&](Eigen::Index c) { return columns[at(first + c)]; };
    const RawArray x = raw(n * kVectorWidth), r = raw(n * kVectorWidth);
    const auto halves = [&](const auto& action) {
      run_parallel(own_threads, 2, [&](int half) {
        half == 0 ? action(Eigen::Index{0}, Eigen::Index{middle}) : action(Eigen::Index{middle}, n);
      });
    };
    // First the rows that depend on one half only, both halves at once, then the rows between them:
    // the same sequence for any number of threads.
    halves([&](Eigen::Index from, Eigen::Index to) {
      std::fill(x.get() + from * kVectorWidth, x.get() + to * kVectorWidth, 0.0);
      std::fill(r.get() + from * kVectorWidth, r.get() + to * kVectorWidth, 0.0);
      for (Eigen::Index i = from; i < to; ++i)
        for (Eigen::Index c = 0; c < width; ++c) {
          x[at(i * kVectorWidth + c)] = X(i, column(c));
          r[at(i * kVectorWidth + c)] = R(i, column(c));
        }
      descend(rows, {from, to, middle, false}, x.get(), r.get());
    });
    descend(rows, {0, n, middle, true}, x.get(), r.get());
    halves([&](Eigen::Index from, Eigen::Index to) {
      for (Eigen::Index i = from; i < to; ++i)
        for (Eigen::Index c = 0; c < width; ++c) {
          X(i, column(c)) = x[at(i * kVectorWidth + c)];
          R(i, column(c)) = r[at(i * kVectorWidth + c)];
        }
    });
  };
  // one strip per thread; the remaining strips one by one, in halves
  const int alone = strips - strips % std::max(threads, 1);
  run_parallel(threads, alone, [&](int strip) { round_strip(strip, 1); });
  for (int strip = alone; strip < strips; ++strip)
    round_strip(strip, threads);
}

}  // namespace femflex::modal
