// Bounds the lowest eigenvalues of a bulky part from above by the Rayleigh-Ritz method. Notation:
// in column (f, c) of P all nodes move along axis c by the values of the B-spline f; the bounds are
// the eigenvalues of P' K P and P' M P.
#include "solve/spline_eigenvalues.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "femflex/index.h"
#include "femflex/parallel.h"

#include "dense/symmetric_eigen.h"
#include "solve/block_lanczos.h"
#include "solve/projection.h"
#include "solve/shifted_factor.h"

namespace femflex::modal {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// largest number of splines; three columns of P each
constexpr std::int32_t kMostSplines = 300;
// most cells along the longest side of the box around the part, and the factor by which cells grow
// until the splines are few enough
constexpr double kMostCells = 24.0;
constexpr double kGrowth = 1.1;
// largest number of unknowns that are not translations; each is a column of P by itself
constexpr Index kMostOthers = 60;
constexpr int kRuns = 9;       // a cell meets nine runs of three splines each, consecutive along x
constexpr int kRunLength = 4;  // three, and one without weight so that a run is one vector
constexpr Index kBatch = 64;   // unknowns of one cell and axis that are projected together

/// The grid of cubes over a part, and the splines that its nodes meet.
class SplineGrid {
 public:
  explicit SplineGrid(const UnknownPlaces& places) : places_(places) {
    low_.setConstant(std::numeric_limits<double>::infinity());
    Eigen::Vector3d high = -low_;
    for (std::size_t i = 0; i < places.components.size(); ++i) {
      if (!is_translation(i)) continue;
      low_ = low_.cwiseMin(position(i));
      high = high.cwiseMax(position(i));
    }
    size_ = high - low_;
  }

  bool is_translation(std::size_t i) const {
    return places_.components[i] >= 1 && places_.components[i] <= 3;
  }
  Eigen::Vector3d position(std::size_t i) const { return places_.positions.col(Index(i)); }

  /// Chooses the smallest cells with at most kMostSplines splines; false if the part has no extent.
  bool choose_cells() {
    if (!(size_.maxCoeff() > 0.0) || !size_.allFinite()) return false;
    double cells = kMostCells;
    while (cells >= 1.0) {
      edge_ = size_.maxCoeff() / cells;
      for (int d = 0; d < 3; ++d)
        count_[at(d)] = std::max(1, static_cast<std::int32_t>(std::ceil(size_(d) / edge_ - 1e-9)));
      number_splines();
      if (splines_ <= kMostSplines) return true;
      cells /= kGrowth;
    }
    return false;
  }

  /// Number of splines.
  std::int32_t splines() const { return splines_; }
  /// Cell of unknown i, numbered through the grid.
  std::int32_t cell_of(std::size_t i) const {
    const std::array<std::int32_t, 3> c = cell(i);
    return c[0] + count_[0] * (c[1] + count_[1] * c[2]);
  }
  std::int32_t cells() const { return count_[0] * count_[1] * count_[2]; }
  /// First spline of each run that cell number `c` meets.
  std::array<std::int32_t, kRuns> runs(std::int32_t c) const {
    const std::int32_t x = c % count_[0], y = c / count_[0] % count_[1],
                       z = c / count_[0] / count_[1];
    std::array<std::int32_t, kRuns> out{};
    for (int k = 0; k < kRuns; ++k)
      out[at(k)] = number_[spline(x, y + k % 3, z + k / 3)];
    return out;
  }
  /// Values of the splines of unknown i's cell, run after run.
  std::array<double, kRuns * kRunLength> weights(std::size_t i) const {
    const std::array<std::int32_t, 3> c = cell(i);
    std::array<std::array<double, 3>, 3> along{};
    for (int d = 0; d < 3; ++d) {
      const double t = (position(i)(d) - low_(d)) / edge_ - c[at(d)];
      along[at(d)] = {0.5 * (1.0 - t) * (1.0 - t), 0.5 + t - t * t, 0.5 * t * t};
    }
    std::array<double, kRuns * kRunLength> out{};
    for (int k = 0; k < kRuns; ++k)
      for (int x = 0; x < 3; ++x)
        out[at(kRunLength * k + x)] = along[0][at(x)] * along[1][at(k % 3)] * along[2][at(k / 3)];
    return out;
  }

 private:
  std::array<std::int32_t, 3> cell(std::size_t i) const {
    std::array<std::int32_t, 3> out{};
    for (int d = 0; d < 3; ++d)
      out[at(d)] = std::clamp(
          static_cast<std::int32_t>((position(i)(d) - low_(d)) / edge_), 0, count_[at(d)] - 1);
    return out;
  }
  std::size_t spline(std::int32_t x, std::int32_t y, std::int32_t z) const {
    return static_cast<std::size_t>(x + (count_[0] + 2) * (y + (count_[1] + 2) * z));
  }
  /// Numbers the splines that are not zero at every node, x fastest, so that the three of a run are
  /// consecutive.
  void number_splines() {
    number_.assign(spline(0, 0, count_[2] + 2), 0);
    for (std::size_t i = 0; i < places_.components.size(); ++i) {
      if (!is_translation(i)) continue;
      const std::array<std::int32_t, 3> c = cell(i);
      for (int k = 0; k < 3 * kRuns; ++k)
        number_[spline(c[0] + k % 3, c[1] + k / 3 % 3, c[2] + k / 9)] = 1;
    }
    splines_ = 0;
    for (std::int32_t& number : number_)
      number = number == 0 ? -1 : splines_++;
  }

  const UnknownPlaces& places_;
  Eigen::Vector3d low_, size_;
  double edge_ = 0.0;                    // of a cell
  std::array<std::int32_t, 3> count_{};  // number of cells along each axis
  std::vector<std::int32_t> number_;     // of each spline of the grid, -1: it is zero at every node
  std::int32_t splines_ = 0;
};

/// The motions P and the products with them.
class SplineMotions {
 public:
  SplineMotions(const UnknownPlaces& places, const SplineGrid& grid)
      : places_(places), own_(places.components.size(), -1), columns_(3 * grid.splines()) {
    order_.resize(places.components.size());
    std::iota(order_.begin(), order_.end(), 0);
    for (std::size_t i = 0; i < own_.size(); ++i)
      if (!grid.is_translation(i)) own_[i] = columns_++;
    std::vector<std::int32_t> key(order_.size());
    for (std::size_t i = 0; i < key.size(); ++i)
      key[i] = own_[i] >= 0 ? -1 : axis(i) * grid.cells() + grid.cell_of(i);
    std::stable_sort(order_.begin(), order_.end(), [&](std::int32_t a, std::int32_t b) {
      return key[at(a)] < key[at(b)];
    });
    key_ = std::move(key);
    splines_ = grid.splines();
    point_.assign(own_.size(), -1);
    std::ptrdiff_t before = -1;  // the translation before this one
    for (std::size_t i = 0; i < own_.size(); ++i) {
      if (own_[i] >= 0) continue;
      if (before < 0 || grid.position(i) != grid.position(at(before))) {
        first_.push_back(grid.runs(grid.cell_of(i)));
        weight_.push_back(grid.weights(i));
      }
      point_[i] = static_cast<std::int32_t>(first_.size() - 1);
      before = static_cast<std::ptrdiff_t>(i);
    }
  }

  Index columns() const { return columns_; }

  /// P' A P of a lower triangle.
  MatrixXd projected(const SparseMatrix& A) const {
    MatrixXd G = MatrixXd::Zero(columns_, columns_);
    MatrixXd T(columns_ + kRunLength, kBatch);
    MatrixXd S(kRuns * kRunLength, kBatch);
    MatrixXd product(columns_, kRuns * kRunLength);
    for (std::size_t from = 0; from < order_.size();) {
      std::size_t to = from;
      const std::int32_t key = key_[at(order_[from])];
      const std::size_t most = key < 0 ? 1 : kBatch;
      while (to < order_.size() && to - from < most && key_[at(order_[to])] == key)
        ++to;
      const auto count = static_cast<Index>(to - from);
      T.leftCols(count).setZero();
      for (Index j = 0; j < count; ++j)
        gather(A, order_[from + static_cast<std::size_t>(j)], T.col(j).data());
      const std::size_t i = at(order_[from]);
      if (own_[i] >= 0) {
        G.col(own_[i]) += T.col(0).head(columns_);
      } else {
        for (Index j = 0; j < count; ++j)
          S.col(j) = VectorXd::Map(weights(at(order_[from + static_cast<std::size_t>(j)])).data(),
                                   kRuns * kRunLength);
        product.setZero();
        add_product(product, T.topLeftCorner(columns_, count), S.leftCols(count).transpose(), 1.0);
        for (int k = 0; k < kRuns; ++k)
          G.middleCols(first_column(i) + first_[at(point_[i])][static_cast<std::size_t>(k)], 3) +=
              product.middleCols(Index{kRunLength} * k, 3);
      }
      from = to;
    }
    return G + G.transpose();
  }

 private:
  std::int32_t axis(std::size_t i) const { return places_.components[i] - 1; }
  /// Column of P of the first spline along the axis of unknown i.
  std::int32_t first_column(std::size_t i) const { return axis(i) * splines_; }
  const std::array<double, kRuns * kRunLength>& weights(std::size_t i) const {
    return weight_[at(point_[i])];
  }

  /// t += sum over i of l_ij times row i of P, where l is the strict lower triangle and half the
  /// diagonal of A.
  void gather(const SparseMatrix& A, std::int32_t j, double* t) const {
    for (SparseMatrix::InnerIterator entry(A, j); entry; ++entry) {
      const std::size_t i = at(static_cast<std::int32_t>(entry.row()));
      const double value = entry.row() == j ? 0.5 * entry.value() : entry.value();
      if (own_[i] >= 0) {
        t[own_[i]] += value;
        continue;
      }
      double* const along_axis = t + first_column(i);
      const std::array<std::int32_t, kRuns>& first = first_[at(point_[i])];
      const double* const all = weights(i).data();
      for (std::size_t k = 0; k < kRuns; ++k) {
        double* const to = along_axis + first[k];
        const double* const weight = all + kRunLength * k;
        for (int r = 0; r < kRunLength; ++r)
          to[r] += value * weight[r];
      }
    }
  }

  const UnknownPlaces& places_;
  std::vector<std::int32_t> own_;    // column of an unknown that is not a translation, else -1
  std::int32_t columns_ = 0;         // of P
  std::vector<std::int32_t> order_;  // unknowns by axis and cell
  std::vector<std::int32_t> key_;    // axis and cell of each unknown
  std::int32_t splines_ = 0;         // along each axis
  // Unknowns at one point that follow each other, mostly those of a node, share an entry of:
  std::vector<std::int32_t> point_;                     // entry of each translation, else -1
  std::vector<std::array<std::int32_t, kRuns>> first_;  // spline at which each run begins
  std::vector<std::array<double, kRuns * kRunLength>> weight_;
};

/// The lower triangle of the rows and columns `kept`.
SparseMatrix lower_part(const MatrixXd& A, const std::vector<Index>& kept, double more_diagonal) {
  SparseMatrix out(std::ssize(kept), std::ssize(kept));
  out.reserve(
      Eigen::VectorXi::LinSpaced(static_cast<int>(kept.size()), static_cast<int>(kept.size()), 1));
  for (std::size_t j = 0; j < kept.size(); ++j)
    for (std::size_t i = j; i < kept.size(); ++i)
      out.insert(static_cast<Index>(i), static_cast<Index>(j)) =
          A(kept[i], kept[j]) * (i == j ? 1.0 + more_diagonal : 1.0);
  out.makeCompressed();
  return out;
}

}  // namespace

std::optional<Eigen::VectorXd> spline_eigenvalues(const SparseMatrix& K,
                                                  const SparseMatrix& M,
                                                  const UnknownPlaces& places,
                                                  std::int64_t count,
                                                  int threads) {
  // a share of the diagonal that keeps splines apart that differ at few nodes only
  constexpr double kApart = 1e-9;
  const Index others = std::count_if(places.components.begin(),
                                     places.components.end(),
                                     [](std::int8_t c) { return c < 1 || c > 3; });
  SplineGrid grid(places);
  if (others > kMostOthers || !grid.choose_cells()) return std::nullopt;
  const SplineMotions P(places, grid);
  std::array<MatrixXd, 2> projected;
  const DenseThreads alone(1);
  run_parallel(threads, 2, [&](int k) { projected[at(k)] = P.projected(k == 0 ? K : M); });
  // splines beside the part have next to no mass; other unknowns may have none
  std::vector<Index> kept;
  const Index splines = 3 * Index{grid.splines()};
  const double largest = projected[1].diagonal().head(splines).maxCoeff();
  for (Index j = 0; j < P.columns(); ++j)
    if (j < splines ? projected[1](j, j) > kApart * largest : projected[0](j, j) > 0.0)
      kept.push_back(j);
  if (std::ssize(kept) < 3 * count) return std::nullopt;
  const SparseMatrix k = lower_part(projected[0], kept, kApart);
  const SparseMatrix m = lower_part(projected[1], kept, kApart);
  std::vector<std::int32_t> group(kept.size());
  std::iota(group.begin(), group.end(), 0);
  SolveOptions options;
  ShiftedFactor factor(k, m, group, options);
  if (!factor.at_negative_shift()) return std::nullopt;
  const RitzPairs pairs = block_lanczos(
      factor, count, MatrixXd(k.rows(), 0), LanczosOptions{.tolerance = 1e-4}, no_progress());
  if (!pairs.converged) return std::nullopt;
  return pairs.lambda;
}

}  // namespace femflex::modal
