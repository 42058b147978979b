// Back end `supernodal`: factors sparse symmetric matrices as L S L' (S holds the signs of the
// pivots) by the multifrontal method, with dense kernels on panels and several threads. Pivots stay
// on the diagonal, which is right for definite matrices. For an indefinite matrix a trial solve
// measures the loss of accuracy; if that is too large for solutions, MUMPS takes over, if it is
// built in.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <random>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "femflex/index.h"
#include "femflex/parallel.h"

#include "dense/aligned_array.h"
#include "dense/array_pool.h"
#include "dense/packed_triangle.h"
#include "dense/panel.h"
#include "dense/panel_sweeps.h"
#include "dense/symmetric_eigen.h"
#include "solve/factorisation.h"
#include "solve/sorted_triangle.h"
#include "solve/supernodes.h"
#include "solve/sweeps.h"
#include "solve/zero_pivot.h"

namespace femflex::modal {
namespace {

// number of pieces into which rows are split for the threads
constexpr int kPieces = 16;
constexpr double kLargestLoss = 1e-12;  // largest backward error of a trial solve

/// Number of doubles that take as much memory as `count` numbers.
template <typename Number>
constexpr std::int64_t doubles_for(std::int64_t count) {
  constexpr std::int64_t kPerDouble = std::is_same_v<Number, double> ? 1 : 2;
  return (count + kPerDouble - 1) / kPerDouble;
}

/// K - sigma M in elimination order, as two separate matrices.
struct Entries {
  SortedTriangle K, M;  ///< M is empty if sigma is zero
  double sigma = 0.0;
  /// Calls action(row, entry) for each entry of column j; some entries come in two parts.
  template <typename Action>
  void visit(std::int64_t j, const Action& action) const {
    for (std::int64_t p = K.start[at(j)]; p < K.start[at(j) + 1]; ++p)
      action(K.row[at(p)], K.value[at(p)]);
    if (M.start.empty()) return;
    for (std::int64_t p = M.start[at(j)]; p < M.start[at(j) + 1]; ++p)
      action(M.row[at(p)], -sigma * M.value[at(p)]);
  }
};

/// All supernodes bin by bin, each bin in lean order.
std::vector<std::int32_t> lean_bins(const Supernodes& tree) {
  std::vector<std::int32_t> rank(tree.nodes.size()), out(tree.nodes.size());
  for (std::size_t k = 0; k < rank.size(); ++k)
    rank[at(tree.lean_order[k])] = static_cast<std::int32_t>(k);
  std::iota(out.begin(), out.end(), 0);
  for (const std::vector<std::int32_t>& bin : tree.level)
    for (std::size_t k = 0; k + 1 < bin.size(); ++k)
      std::sort(out.begin() + bin[k],
                out.begin() + bin[k + 1],
                [&](std::int32_t a, std::int32_t b) { return rank[at(a)] < rank[at(b)]; });
  return out;
}

class SupernodalFactorisation : public Factorisation {
 public:
  explicit SupernodalFactorisation(int threads) : threads_(std::max(1, threads)) {}

  std::string_view name() const override { return "supernodal"; }

  void analyse(const SparseMatrix& lower,
               const std::vector<std::int32_t>& order,
               const std::vector<std::int32_t>& group) override {
    order_ = order;
    tree_ = find_supernodes(lower, order, group);
    buffer_.reset();
    buffer_size_ = 0;
    values_ = raw(tree_.size);
    sort_K_.emplace(tree_.place, threads_);
    sort_M_.emplace(tree_.place, threads_);
    sign_.assign(at(size()), 1);
  }

  bool factor(const SparseMatrix& K, double sigma, const SparseMatrix& M) override {
    return factor_plainly(K, sigma, M) && (loss_ <= kLargestLoss || pivot(K, sigma, M));
  }

  bool factor_plainly(const SparseMatrix& K, double sigma, const SparseMatrix& M) override {
    const Entries entries = start(K, sigma, M);
    if (!eliminate<double>(entries)) return false;
    if (inertia_.negative > 0) loss_ = backward_error(entries);
    return true;
  }

  bool computes_in_single() const override { return true; }
  bool factor_in_single(const SparseMatrix& K, double sigma, const SparseMatrix& M) override {
    const Entries entries = start(K, sigma, M);
    is_single_ = eliminate<float>(entries);
    return is_single_;
  }

  bool has_lost_digits() const override { return loss_ > kLargestLoss; }

  bool pivot(const SparseMatrix& K, double sigma, const SparseMatrix& M) override {
    indefinite_ = make_mumps_factorisation();
    if (!indefinite_) {
      inertia_.zero = 1;
      return false;
    }
    indefinite_->analyse(combined(K, sigma, M), order_, {});
    const bool good = indefinite_->factor(K, sigma, M);
    inertia_ = indefinite_->inertia();
    return good;
  }

  void solve(Eigen::Ref<Eigen::MatrixXd> block) const override {
    if (indefinite_) {
      indefinite_->solve(block);
      return;
    }
    const std::int64_t n = size();
    const std::int64_t numbers =
        n * columns_at_once(std::max<Eigen::Index>(block.cols(), is_single_ ? kPanelColumns : 1));
    // a small buffer is kept, because allocating memory costs as much as a good part of a sweep
    std::unique_ptr<AlignedArray> larger;
    AlignedArray* lines = buffer_.get();
    if (numbers > buffer_size_) {
      larger = std::make_unique<AlignedArray>(numbers);
      lines = larger.get();
    }
    for (Eigen::Index first = 0; first < block.cols();) {
      const auto left = static_cast<int>(
          std::min<Eigen::Index>(block.cols() - first, kPanelStrips * kPanelColumns));
      const int width = left > 4 || is_single_ ? kPanelColumns : left > 1 ? 4 : 1;
      const int strips = (left + width - 1) / width;
      const auto visit = [&](const auto& action) {  // (first column, columns, row of x, row)
        for (int s = 0; s < strips; ++s) {
          const int used = std::min(width, left - s * width);
          double* x = lines->data() + s * n * width;
          run_parallel(threads_, kPieces, [&](int piece) {
            for (std::int64_t i = n * piece / kPieces; i < n * (piece + 1) / kPieces; ++i)
              action(first + s * width, used, x + std::int64_t{tree_.place[at(i)]} * width, i);
          });
        }
      };
      visit([&](Eigen::Index from, int used, double* row, std::int64_t i) {
        for (int c = 0; c < used; ++c)
          row[c] = block(i, from + c);
        std::fill(row + used, row + width, 0.0);
      });
      if (is_single_)
        sweep(swept<float>(), strips, lines->data());
      else
        sweep(swept<double>(), width, strips, lines->data());
      visit([&](Eigen::Index from, int used, const double* row, std::int64_t i) {
        for (int c = 0; c < used; ++c)
          block(i, from + c) = row[c];
      });
      first += left;
    }
    if (larger && block.cols() <= kPanelColumns) {
      buffer_ = std::move(larger);
      buffer_size_ = numbers;
    }
  }

  Inertia inertia() const override { return inertia_; }
  std::int64_t entries() const override { return tree_.entries; }
  double flops() const override { return tree_.flops; }

 private:
  std::int64_t size() const { return static_cast<std::int64_t>(tree_.place.size()); }
  /// Number of columns in the widest pass over L for `columns` right-hand sides, including zero
  /// padding.
  static std::int64_t columns_at_once(Eigen::Index columns) {
    if (columns < 5) return columns > 1 ? 4 : 1;
    constexpr Eigen::Index width = kPanelColumns;
    return std::min<std::int64_t>(kPanelStrips, (columns + width - 1) / width) * width;
  }
  /// The memory of the factor as numbers of single or double precision; singles leave half unused.
  template <typename Number>
  Number* panels() const {
    return reinterpret_cast<Number*>(values_.get());
  }
  template <typename Number>
  SweptFactor<Number> swept() const {
    return {tree_, panels<Number>(), inertia_.negative > 0 ? sign_.data() : nullptr, threads_};
  }

  Entries start(const SparseMatrix& K, double sigma, const SparseMatrix& M) {
    indefinite_.reset();
    inertia_ = {};
    is_single_ = false;
    loss_ = 0.0;
    Entries entries;
    entries.K = (*sort_K_)(K);
    entries.sigma = sigma;
    if (sigma != 0.0) entries.M = (*sort_M_)(M);
    return entries;
  }

  /// Factors all supernodes, one thread in the order that takes the least memory, several threads
  /// level by level, with the same bits in the factor; false at a zero pivot.
  template <typename Number>
  bool eliminate(const Entries& entries) {
    std::vector<Number> min_pivot(at(size()));
    update_.clear();
    update_.resize(tree_.nodes.size());
    std::atomic<std::int64_t> negative{0};
    std::atomic<bool> singular{false};
    const auto eliminate_all = [&](std::span<const std::int32_t> nodes) {
      std::vector<std::int32_t> place(at(size()), 0);
      for (const std::int32_t s : nodes) {
        if (singular) return;
        const int found = front<Number>(s, entries, min_pivot, place);
        if (found < 0) singular = true;
        negative += std::max(found, 0);
      }
    };
    if (threads_ == 1) {
      eliminate_all(tree_.lean_order);
    } else {
      const std::vector<std::int32_t> bins = lean_bins(tree_);
      for (const std::vector<std::int32_t>& bin : tree_.level) {
        const auto count = static_cast<int>(bin.size()) - 1;
        const DenseThreads dense(count > 1 ? 1 : threads_);
        run_parallel(threads_, count, [&](int k) {
          eliminate_all(std::span(bins).subspan(at(bin[at(k)]), at(bin[at(k) + 1] - bin[at(k)])));
        });
      }
    }
    update_.clear();
    pool_.clear();
    if (singular) {
      inertia_.zero = 1;
      return false;
    }
    inertia_.negative = negative;
    return true;
  }

  /// Gathers the panel of supernode s, factors it and stores its contribution to its ancestors in
  /// update_[s]. Returns the number of negative pivots, or -1 at a zero one. `place` is scratch
  /// memory: the position of each row in the front (the dense matrix of s).
  template <typename Number>
  int front(std::int32_t s,
            const Entries& entries,
            std::vector<Number>& min_pivot,
            std::vector<std::int32_t>& place) {
    const Supernode& node = tree_.nodes[at(s)];
    const PanelOf<Number> own = panel_of(node, panels<Number>());
    const std::int64_t w = node.width, r = node.below, height = w + r;
    const std::int32_t* rows = tree_.rows.data() + node.rows;
    for (std::int32_t k = 0; k < w; ++k)
      place[at(node.first + k)] = k;
    for (std::int32_t k = 0; k < r; ++k)
      place[at(rows[k])] = node.width + k;
    std::fill(own.values, own.values + w * height, Number{0});
    for (std::int64_t j = 0; j < w; ++j) {
      Number* column = own.values + j * height;
      entries.visit(node.first + j, [&](std::int32_t row, double value) {
        column[place[at(row)]] += static_cast<Number>(value);
      });
      min_pivot[at(node.first + j)] = static_cast<Number>(kZeroPivot) * std::abs(column[j]);
    }
    ArrayPool::Array array;
    if (r > 0) array = pool_.take(doubles_for<Number>(PackedTriangle<Number>::entries(r)));
    const PackedTriangle<Number> update{reinterpret_cast<Number*>(array.data), r};
    for (std::int64_t j = 0; j < r; ++j)
      std::fill(update.column(j) + j, update.column(j) + r, Number{0});
    std::vector<std::int32_t> to;
    for (const std::int32_t c : tree_.children[at(s)]) {
      const Supernode& child = tree_.nodes[at(c)];
      const std::int64_t count = child.below;
      to.resize(at(count));
      for (std::int64_t k = 0; k < count; ++k)
        to[at(k)] = place[at(tree_.rows[at(child.rows + k)])];
      const PackedTriangle<Number> add{reinterpret_cast<Number*>(update_[at(c)].data), count};
      for (std::int64_t j = 0; j < count; ++j) {
        const Number* from = add.column(j);
        Number* column =
            to[at(j)] < w ? own.values + to[at(j)] * height : update.column(to[at(j)] - w) - w;
        for (std::int64_t i = j; i < count; ++i)
          column[to[at(i)]] += from[i];
      }
      pool_.give_back(std::exchange(update_[at(c)], {}));
    }
    const int negative =
        factor_panel(own, sign_.data() + node.first, min_pivot.data() + node.first);
    if (negative >= 0) subtract_square(own, sign_.data() + node.first, negative, update);
    invert_diagonal(own);
    update_[at(s)] = std::move(array);
    return negative;
  }

  /// |A x - b| / (|A| |x| + |b|) of a solve with a random b, as a ratio of the largest entries.
  double backward_error(const Entries& entries) const {
    std::mt19937_64 engine(11);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    std::vector<double> residual(at(size()));
    std::generate(residual.begin(), residual.end(), [&] { return uniform(engine); });
    std::vector<double> x = residual;
    std::vector<double> magnitude(at(size()), 1.0);
    sweep(swept<double>(), 1, 1, x.data());
    // columns from the middle on reach only rows after it: contributions of the first half are
    // summed separately
    const std::int64_t middle = size() / 2;
    std::vector<double> residual_later(at(size() - middle), 0.0),
        magnitude_later(at(size() - middle));
    run_parallel(threads_, 2, [&](int half) {
      for (std::int64_t j = half == 0 ? 0 : middle; j < (half == 0 ? middle : size()); ++j)
        entries.visit(j, [&](std::int32_t i, double a) {
          const bool apart = half == 0 && i >= middle;
          double& residual_i = apart ? residual_later[at(i - middle)] : residual[at(i)];
          double& magnitude_i = apart ? magnitude_later[at(i - middle)] : magnitude[at(i)];
          residual_i -= a * x[at(j)];
          magnitude_i += std::abs(a * x[at(j)]);
          if (i == j) return;
          residual[at(j)] -= a * x[at(i)];
          magnitude[at(j)] += std::abs(a * x[at(i)]);
        });
    });
    for (std::int64_t i = middle; i < size(); ++i) {
      residual[at(i)] += residual_later[at(i - middle)];
      magnitude[at(i)] += magnitude_later[at(i - middle)];
    }
    double worst = 0.0;
    for (const double value : residual)
      worst = std::max(worst, std::isfinite(value) ? std::abs(value) : HUGE_VAL);
    return worst / *std::max_element(magnitude.begin(), magnitude.end());
  }

  int threads_;
  Supernodes tree_;
  std::optional<TriangleSort> sort_K_, sort_M_;
  std::vector<std::int32_t> order_;
  RawArray values_;
  std::vector<std::int8_t> sign_;
  // contribution of each supernode, kept until its parent takes it
  std::vector<ArrayPool::Array> update_;
  ArrayPool pool_;
  // buffer of right-hand sides, so only one solve at a time
  mutable std::unique_ptr<AlignedArray> buffer_;
  mutable std::int64_t buffer_size_ = 0;
  Inertia inertia_;
  bool is_single_ = false;  // the factor is in single precision
  double loss_ = 0.0;       // backward error of the trial solve of an indefinite matrix
  std::unique_ptr<Factorisation> indefinite_;
};

}  // namespace

std::unique_ptr<Factorisation> make_supernodal_factorisation(int threads) {
  return std::make_unique<SupernodalFactorisation>(threads);
}

}  // namespace femflex::modal
