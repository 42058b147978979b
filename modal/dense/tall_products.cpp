// Multiplies matrices with very many rows and few columns. Works through slices of rows with tiles
// of 4 x 4 columns in registers, and does not copy the matrices into blocks as BLAS does.
#include "dense/tall_products.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "femflex/clones.h"
#include "femflex/parallel.h"

#include "dense/row_of.h"

namespace femflex::modal {
namespace {

using Eigen::Index;

constexpr int kTile = 4;               // number of columns of each factor held in registers
constexpr int kLanes = 8;              // number of rows processed at a time
constexpr Index kSlice = 512;          // number of rows that stay in the cache
constexpr Index kPiece = 32 * kSlice;  // number of rows given to a thread at a time

/// Columns stored `stride` numbers apart.
struct Columns {
  const double* values;
  Index stride;
  Index count;
  /// Columns of the tile that starts at `first`; beyond the last column, the last one is repeated.
  std::array<const double*, kTile> tile(Index first, Index row) const {
    std::array<const double*, kTile> out{};
    for (Index t = 0; t < kTile; ++t)
      out[static_cast<std::size_t>(t)] = values + std::min(first + t, count - 1) * stride + row;
    return out;
  }
};

/// out (A.count x B.count) += A' B, summed over `rows` rows from `from` on.
FEMFLEX_CLONES void dots(const Columns& A, const Columns& B, Index from, Index rows, double* out) {
  using Row = RowOf<kLanes>::type;
  for (Index slice = from; slice < from + rows; slice += kSlice) {
    const Index height = std::min(kSlice, from + rows - slice);
    for (Index i = 0; i < A.count; i += kTile)
      for (Index j = 0; j < B.count; j += kTile) {
        const auto a = A.tile(i, slice);
        const auto b = B.tile(j, slice);
        Row sum[kTile][kTile] = {};
        Index r = 0;
        for (; r + kLanes <= height; r += kLanes) {
          Row x[kTile], y[kTile];
          for (std::size_t t = 0; t < kTile; ++t) {
            load<kLanes>(x[t], a[t] + r);
            load<kLanes>(y[t], b[t] + r);
          }
          for (int s = 0; s < kTile; ++s)
            for (int t = 0; t < kTile; ++t)
              sum[s][t] += x[s] * y[t];
        }
        for (; r < height; ++r)
          for (std::size_t s = 0; s < kTile; ++s)
            for (std::size_t t = 0; t < kTile; ++t)
              sum[s][t][0] += a[s][r] * b[t][r];
        for (Index s = 0; s < kTile && i + s < A.count; ++s)
          for (Index t = 0; t < kTile && j + t < B.count; ++t) {
            double total = 0.0;
            for (int lane = 0; lane < kLanes; ++lane)
              total += sum[s][t][lane];
            out[(j + t) * A.count + i + s] += total;
          }
      }
  }
}

/// C += A Y, for `rows` rows from `from` on.
/// @param y  the numbers of Y, column by column
FEMFLEX_CLONES void update(
    const Columns& C, double* c_values, const Columns& A, const double* y, Index from, Index rows) {
  using Row = RowOf<kLanes>::type;
  for (Index slice = from; slice < from + rows; slice += kSlice) {
    const Index height = std::min(kSlice, from + rows - slice);
    for (Index i = 0; i < A.count; i += kTile)
      for (Index j = 0; j < C.count; j += kTile) {
        const auto a = A.tile(i, slice);
        double factor[kTile][kTile];
        for (Index t = 0; t < kTile; ++t)
          for (Index s = 0; s < kTile; ++s) {
            const bool inside = i + s < A.count && j + t < C.count;
            factor[t][s] = inside ? y[(j + t) * A.count + i + s] : 0.0;
          }
        const Index width = std::min<Index>(kTile, C.count - j);
        double* c = c_values + j * C.stride + slice;
        Index r = 0;
        for (; width == kTile && r + kLanes <= height; r += kLanes) {
          Row x[kTile];
          for (std::size_t s = 0; s < kTile; ++s)
            load<kLanes>(x[s], a[s] + r);
          for (int t = 0; t < kTile; ++t) {
            Row z;
            load<kLanes>(z, c + t * C.stride + r);
            for (int s = 0; s < kTile; ++s)
              z += factor[t][s] * x[s];
            store<kLanes>(c + t * C.stride + r, z);
          }
        }
        for (; r < height; ++r)
          for (Index t = 0; t < width; ++t)
            for (std::size_t s = 0; s < kTile; ++s)
              c[t * C.stride + r] += factor[t][s] * a[s][r];
      }
  }
}

/// C <- A y if `fresh`, else C <- C + A y; piece by piece of rows on several threads.
void by_pieces(Eigen::Ref<Eigen::MatrixXd>& C,
               const Eigen::Ref<const Eigen::MatrixXd>& A,
               const Eigen::MatrixXd& y,
               bool fresh,
               int threads) {
  if (C.size() == 0) return;
  const auto pieces = static_cast<int>((C.rows() + kPiece - 1) / kPiece);
  const Columns a{A.data(), A.outerStride(), A.cols()}, c{C.data(), C.outerStride(), C.cols()};
  run_parallel(threads, pieces, [&](int k) {
    const Index from = k * kPiece, rows = std::min(kPiece, C.rows() - k * kPiece);
    if (fresh) C.middleRows(from, rows).setZero();
    update(c, C.data(), a, y.data(), from, rows);
  });
}

}  // namespace

Eigen::MatrixXd tall_transposed_product(const Eigen::Ref<const Eigen::MatrixXd>& A,
                                        const Eigen::Ref<const Eigen::MatrixXd>& B,
                                        int threads) {
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(A.cols(), B.cols());
  if (out.size() == 0 || A.rows() == 0) return out;
  const auto pieces = static_cast<int>((A.rows() + kPiece - 1) / kPiece);
  const Columns a{A.data(), A.outerStride(), A.cols()}, b{B.data(), B.outerStride(), B.cols()};
  std::vector<Eigen::MatrixXd> part(static_cast<std::size_t>(pieces));
  run_parallel(threads, pieces, [&](int k) {
    Eigen::MatrixXd& sum = part[static_cast<std::size_t>(k)];
    sum.setZero(A.cols(), B.cols());
    dots(a, b, k * kPiece, std::min(kPiece, A.rows() - k * kPiece), sum.data());
  });
  for (const Eigen::MatrixXd& sum : part)
    out += sum;
  return out;
}

void set_tall_product(Eigen::Ref<Eigen::MatrixXd> C,
                      const Eigen::Ref<const Eigen::MatrixXd>& A,
                      const Eigen::Ref<const Eigen::MatrixXd>& Y,
                      int threads) {
  by_pieces(C, A, Y, true, threads);
}

void add_tall_product(Eigen::Ref<Eigen::MatrixXd> C,
                      const Eigen::Ref<const Eigen::MatrixXd>& A,
                      const Eigen::Ref<const Eigen::MatrixXd>& Y,
                      double factor,
                      int threads) {
  if (A.cols() > 0) by_pieces(C, A, factor * Y, false, threads);
}

}  // namespace femflex::modal
