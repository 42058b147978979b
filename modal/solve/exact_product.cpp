// Computes residuals exactly but for their last bits. Every product is split on a grid that is
// fixed for each row: the sum S starts at a number so large that S + a x rounds a x to a multiple
// of the last bit of S, and all such multiples add up exactly. The remainder, a x - (S' - S), is
// exact except for its own last bit and is summed separately. The pair carries about 100 bits
// (Rump, Ogita, Oishi, "Accurate floating-point summation", 2008). This file must not be compiled
// with contracted products (-ffp-contract=off, see CMakeLists.txt): fused operations that are not
// written explicitly break the identities.
#include "solve/exact_product.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "femflex/clones.h"
#include "femflex/parallel.h"

#include "dense/aligned_array.h"
#include "dense/row_of.h"
#include "solve/halves.h"

namespace femflex::modal {
namespace {

constexpr int kWidth = 8;  // number of columns per pass, if there are more than two

/// The lower triangle by columns, and vectors of `kWidth` or two columns row by row.
struct Pass {
  const std::int32_t* start;
  const std::int32_t* row;
  const double* value;
  std::int32_t from, to;  // columns to go through
  std::int32_t split;     // rows from here on are summed up in `later`, which starts there
  const double* x;
  double *sum, *rest;
  double *later_sum, *later_rest;
};

// Vectors are passed by reference, because the ABI of returned vectors depends on the machine. The
// loop works lane by lane; the compiler makes one instruction of it.
template <int W>
[[gnu::always_inline]] inline void fused(double a,
                                         const typename RowOf<W>::type& x,
                                         const typename RowOf<W>::type& s,
                                         typename RowOf<W>::type& out) {
  for (int k = 0; k < W; ++k)
    out[k] = __builtin_fma(a, x[k], s[k]);
}

/// Adds a x to (sum, rest): the grid takes d = S' - S, and a x - d remains. Uses fused
/// multiply-add, or Dekker's product [Dekker 1971] if the machine has none.
template <int W, bool Fused>
[[gnu::always_inline]] inline void add_exact(double a,
                                             const typename RowOf<W>::type& x,
                                             typename RowOf<W>::type& sum,
                                             typename RowOf<W>::type& rest) {
  using Row = typename RowOf<W>::type;
  Row next;
  if constexpr (Fused) {
    fused<W>(a, x, sum, next);
    Row left = sum - next;
    fused<W>(a, x, left, left);
    rest += left;
  } else {
    constexpr double split = 134217729.0;  // 2^27 + 1: halves of 26 bits
    const double a_far = split * a;
    const double a_high = a_far - (a_far - a), a_low = a - a_high;
    const Row x_far = split * x;
    const Row x_high = x_far - (x_far - x), x_low = x - x_high;
    const Row p = a * x;
    next = sum + p;
    rest += (p - (next - sum)) +
            (((a_high * x_high - p) + a_high * x_low + a_low * x_high) + a_low * x_low);
  }
  sum = next;
}

template <int W, bool Fused>
[[gnu::always_inline]] inline void exact_rows(const Pass& pass) {
  using Row = typename RowOf<W>::type;
  for (std::int32_t j = pass.from; j < pass.to; ++j) {
    const std::ptrdiff_t here = static_cast<std::ptrdiff_t>(j) * W;
    Row xj, own, own_rest;
    load<W>(xj, pass.x + here);
    load<W>(own, pass.sum + here);
    load<W>(own_rest, pass.rest + here);
    for (std::int32_t p = pass.start[j]; p < pass.start[j + 1]; ++p) {
      const std::int32_t i = pass.row[p];
      const double a = pass.value[p];
      const std::ptrdiff_t there = static_cast<std::ptrdiff_t>(i) * W;
      Row xi, yi, ri;
      load<W>(xi, pass.x + there);
      add_exact<W, Fused>(a, xi, own, own_rest);
      if (i == j) continue;
      const bool is_later = i >= pass.split;
      const std::ptrdiff_t place = static_cast<std::ptrdiff_t>(is_later ? i - pass.split : i) * W;
      double* sum = (is_later ? pass.later_sum : pass.sum) + place;
      double* rest = (is_later ? pass.later_rest : pass.rest) + place;
      load<W>(yi, sum);
      load<W>(ri, rest);
      add_exact<W, Fused>(a, xj, yi, ri);
      store<W>(sum, yi);
      store<W>(rest, ri);
    }
    store<W>(pass.sum + here, own);
    store<W>(pass.rest + here, own_rest);
  }
}

#if FEMFLEX_VERSIONS
[[gnu::target("arch=x86-64-v4")]] void exact2(const Pass& pass) {
  exact_rows<2, true>(pass);
}
[[gnu::target("arch=x86-64-v4")]] void exact8(const Pass& pass) {
  exact_rows<kWidth, true>(pass);
}
[[gnu::target("arch=x86-64-v3")]] void exact2(const Pass& pass) {
  exact_rows<2, true>(pass);
}
[[gnu::target("arch=x86-64-v3")]] void exact8(const Pass& pass) {
  exact_rows<kWidth, true>(pass);
}
[[gnu::target("default")]] void exact2(const Pass& pass) {
  exact_rows<2, false>(pass);
}
[[gnu::target("default")]] void exact8(const Pass& pass) {
  exact_rows<kWidth, false>(pass);
}
#else
void exact2(const Pass& pass) {
  exact_rows<2, false>(pass);
}
void exact8(const Pass& pass) {
  exact_rows<kWidth, false>(pass);
}
#endif

/// Sums of |a| in each row. No partial sum of a row exceeds this times the largest |x|.
std::vector<double> row_sums(const SparseMatrix& lower, const Halves& halves, int threads) {
  std::vector<double> sums(static_cast<std::size_t>(lower.rows()), 0.0);
  std::vector<double> apart(static_cast<std::size_t>(halves.first_half_end - halves.middle), 0.0);
  run_parallel(threads, 2, [&](int half) {
    const Eigen::Index end = half == 0 ? halves.middle : lower.cols();
    for (Eigen::Index j = half == 0 ? 0 : halves.middle; j < end; ++j) {
      double own = 0.0;
      for (SparseMatrix::InnerIterator it(lower, j); it; ++it) {
        const double size = std::abs(it.value());
        own += size;
        if (it.row() == j) continue;
        if (it.row() < end)
          sums[static_cast<std::size_t>(it.row())] += size;
        else
          apart[static_cast<std::size_t>(it.row() - end)] += size;
      }
      sums[static_cast<std::size_t>(j)] += own;
    }
  });
  for (std::size_t i = 0; i < apart.size(); ++i)
    sums[static_cast<std::size_t>(halves.middle) + i] += apart[i];
  return sums;
}

/// The start of a sum whose terms together stay below `bound`: it never leaves its binade, so that
/// all partial sums have the same last bit [Rump 2008].
double grid(double bound) {
  constexpr std::uint64_t exponent = 0x7ff0000000000000U;
  constexpr double kMiddle = 1.5;  // middle of a binade, relative to its lower end
  constexpr double kRoom = 8.0;    // the power of two below 8 bound is at least 4 bound
  return kMiddle * std::bit_cast<double>(std::bit_cast<std::uint64_t>(kRoom * bound) & exponent);
}

}  // namespace

Eigen::MatrixXd exact_difference(const SparseMatrix& lower,
                                 const Eigen::Ref<const Eigen::MatrixXd>& X,
                                 const Eigen::Ref<const Eigen::MatrixXd>& B,
                                 int threads) {
  const Eigen::Index n = lower.rows();
  Eigen::MatrixXd out(n, X.cols());
  const Eigen::Index kept = X.cols() > 2 ? kWidth : 2;
  const Halves halves = halves_of(lower);
  const std::vector<double> row_sum = row_sums(lower, halves, threads);
  const std::int32_t middle = halves.middle, last = halves.first_half_end;
  const auto x = raw(n * kept), sum = raw(n * kept), rest = raw(n * kept);
  const auto later_sum = raw((last - middle) * kept), later_rest = raw((last - middle) * kept);
  for (Eigen::Index first = 0; first < X.cols(); first += kept) {
    const Eigen::Index width = std::min<Eigen::Index>(kept, X.cols() - first);
    Eigen::VectorXd largest = Eigen::VectorXd::Zero(kept);
    run_parallel(threads, static_cast<int>(width), [&](int c) {
      largest(c) = X.col(first + c).cwiseAbs().maxCoeff();
    });
    const auto start = [&](Eigen::Index r, Eigen::Index c) {
      return grid(row_sum[static_cast<std::size_t>(r)] * largest(c) + std::abs(B(r, first + c)));
    };
    run_parallel(threads, 2, [&](int half) {
      for (Eigen::Index r = half == 0 ? 0 : middle; r < (half == 0 ? middle : n); ++r)
        for (Eigen::Index c = 0; c < kept; ++c) {
          const auto at = static_cast<std::size_t>(r * kept + c);
          x[at] = c < width ? X(r, first + c) : 0.0;
          const double from = c < width ? start(r, c) : 0.0, b = c < width ? B(r, first + c) : 0.0;
          sum[at] = from - b;
          rest[at] = -b - (sum[at] - from);
        }
      for (Eigen::Index r = middle; half == 0 && r < last; ++r)
        for (Eigen::Index c = 0; c < kept; ++c) {
          const auto at = static_cast<std::size_t>((r - middle) * kept + c);
          later_sum[at] = c < width ? start(r, c) : 0.0;
          later_rest[at] = 0.0;
        }
    });
    run_parallel(threads, 2, [&](int half) {
      const Pass pass{lower.outerIndexPtr(),
                      lower.innerIndexPtr(),
                      lower.valuePtr(),
                      half == 0 ? 0 : middle,
                      half == 0 ? middle : static_cast<std::int32_t>(n),
                      half == 0 ? middle : static_cast<std::int32_t>(n),
                      x.get(),
                      sum.get(),
                      rest.get(),
                      later_sum.get(),
                      later_rest.get()};
      kept == 2 ? exact2(pass) : exact8(pass);
    });
    run_parallel(threads, 2, [&](int half) {
      for (Eigen::Index r = half == 0 ? 0 : middle; r < (half == 0 ? middle : n); ++r)
        for (Eigen::Index c = 0; c < width; ++c) {
          const auto at = static_cast<std::size_t>(r * kept + c);
          const double from = start(r, c);
          double high = sum[at] - from, low = rest[at];
          if (r >= middle && r < last) {
            const auto apart = static_cast<std::size_t>((r - middle) * kept + c);
            high += later_sum[apart] - from;
            low += later_rest[apart];
          }
          out(r, first + c) = high + low;
        }
    });
  }
  return out;
}

}  // namespace femflex::modal
