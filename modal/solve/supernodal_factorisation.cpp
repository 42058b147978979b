// Our own supernodal L S L', S the signs of the pivots: multifrontal, dense kernels on panels,
// subtrees side by side on several threads. Pivots stay on the diagonal, which is right for
// definite matrices; for an indefinite one a trial solve measures what was lost, and where that is
// too much MUMPS takes over, where built in.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "dense/panel.h"
#include "dense/symmetric_eigen.h"
#include "solve/factorisation.h"
#include "solve/parallel.h"
#include "solve/supernodes.h"

namespace femflex::modal {
namespace {

constexpr int kPieces = 16;             // of rows, for threads to take
constexpr double kZeroPivot = 1e-13;    // of the diagonal entry
constexpr int kStrips = 3;              // of right-hand sides that share a pass over L
constexpr double kLargestLoss = 1e-12;  // backward error of a trial solve

std::size_t at(std::int64_t i) {
  return static_cast<std::size_t>(i);
}

/// Memory that is not cleared: panels and contributions are, one by one, where they are used.
std::unique_ptr<double[]> raw(std::int64_t count) {
  return std::unique_ptr<double[]>(new double[at(count)]);
}

/// Numbers that start on a cache line: rows of eight right-hand sides then never straddle two.
class Lines {
 public:
  explicit Lines(std::int64_t count) : memory_(raw(count + 8)), begin_(memory_.get()) {
    while (reinterpret_cast<std::uintptr_t>(begin_) % 64 != 0)
      ++begin_;
  }
  double* data() { return begin_; }

 private:
  std::unique_ptr<double[]> memory_;
  double* begin_;
};

/// Lower triangle of K - sigma M in elimination order, by columns; repeated entries add up.
struct Entries {
  std::vector<std::int64_t> start;
  std::unique_ptr<std::int32_t[]> row;
  std::unique_ptr<double[]> value;
};

class SupernodalFactorisation : public Factorisation {
 public:
  explicit SupernodalFactorisation(int threads) : threads_(std::max(1, threads)) {}

  std::string_view name() const override { return "supernodal"; }

  void analyse(const SparseMatrix& lower,
               const std::vector<std::int32_t>& order,
               const std::vector<std::int32_t>& group) override {
    order_ = order;
    tree_ = find_supernodes(lower, order, group);
    kept_.reset();
    kept_size_ = 0;
    std::int32_t tallest = 0;
    for (const Supernode& node : tree_.nodes)
      tallest = std::max(tallest, node.width + node.below);
    tallest_ = tallest;
    values_ = raw(tree_.size);
    sign_.assign(at(size()), 1);
  }

  bool factor(const SparseMatrix& K, double sigma, const SparseMatrix& M) override {
    indefinite_.reset();
    inertia_ = {};
    const Entries entries = permuted(K, sigma, M);
    std::vector<double> least(at(size()));
    const auto nodes = static_cast<std::int32_t>(tree_.nodes.size());
    rest_.clear();
    rest_.resize(at(nodes));
    std::atomic<std::int64_t> negative{0};
    std::atomic<bool> singular{false};
    const auto eliminate = [&](std::int32_t from, std::int32_t to) {
      std::vector<std::int32_t> place(at(size()), 0);
      for (std::int32_t s = from; s < to && !singular; ++s) {
        const int found = front(s, entries, least, place);
        if (found < 0) singular = true;
        negative += std::max(found, 0);
      }
    };
    for (const std::vector<std::int32_t>& bin : tree_.level) {
      const auto count = static_cast<int>(bin.size()) - 1;
      set_dense_threads(count > 1 ? 1 : threads_);
      run_parallel(threads_, count, [&](int k) { eliminate(bin[at(k)], bin[at(k) + 1]); });
    }
    set_dense_threads(threads_);
    rest_.clear();
    if (singular) {
      inertia_.zero = 1;
      return false;
    }
    inertia_.negative = negative;
    if (inertia_.negative == 0 || backward_error(entries) <= kLargestLoss) return true;
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
    const std::int64_t numbers = n * columns_at_once(block.cols());
    // the small ones are kept: fresh memory costs as much as a good part of a sweep
    std::unique_ptr<Lines> fresh;
    Lines* lines = kept_.get();
    if (numbers > kept_size_) {
      fresh = std::make_unique<Lines>(numbers);
      lines = fresh.get();
    }
    for (Eigen::Index first = 0; first < block.cols();) {
      const auto left =
          static_cast<int>(std::min<Eigen::Index>(block.cols() - first, kStrips * kPanelColumns));
      const int width = left > 4 ? kPanelColumns : left > 1 ? 4 : 1;
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
      sweep(lines->data(), width, strips);
      visit([&](Eigen::Index from, int used, const double* row, std::int64_t i) {
        for (int c = 0; c < used; ++c)
          block(i, from + c) = row[c];
      });
      first += left;
    }
    if (fresh && block.cols() <= kPanelColumns) {
      kept_ = std::move(fresh);
      kept_size_ = numbers;
    }
  }

  Inertia inertia() const override { return inertia_; }
  std::int64_t entries() const override { return tree_.entries; }
  double flops() const override { return tree_.flops; }

 private:
  std::int64_t size() const { return static_cast<std::int64_t>(tree_.place.size()); }
  /// Columns of the widest pass over L for `columns` right-hand sides, those of zeros among them.
  static std::int64_t columns_at_once(Eigen::Index columns) {
    if (columns < 5) return columns > 1 ? 4 : 1;
    constexpr Eigen::Index width = kPanelColumns;
    return std::min<std::int64_t>(kStrips, (columns + width - 1) / width) * width;
  }
  Panel panel(const Supernode& node) const {
    return {values_.get() + node.panel, node.width, node.below};
  }

  /// K - sigma M in elimination order. Threads take pieces of the columns; in which order entries
  /// come to stand within a column is no matter, since no more than two fall on one place.
  Entries permuted(const SparseMatrix& K, double sigma, const SparseMatrix& M) const {
    Entries out;
    out.start.assign(at(size()) + 1, 0);
    const auto next = [&](std::int64_t& counter) {
      return threads_ > 1 ? std::atomic_ref(counter).fetch_add(1, std::memory_order_relaxed)
                          : counter++;
    };
    const auto visit = [&](const SparseMatrix& A, const auto& action) {
      run_parallel(threads_, kPieces, [&](int piece) {
        for (Eigen::Index col = A.cols() * piece / kPieces; col < A.cols() * (piece + 1) / kPieces;
             ++col) {
          const std::int32_t q = tree_.place[at(col)];
          for (SparseMatrix::InnerIterator it(A, col); it; ++it) {
            const std::int32_t p = tree_.place[at(it.row())];
            action(std::min(p, q), std::max(p, q), it.value());
          }
        }
      });
    };
    const auto count = [&](std::int32_t col, std::int32_t, double) {
      next(out.start[at(col) + 1]);
    };
    visit(K, count);
    if (sigma != 0.0) visit(M, count);
    for (std::int64_t j = 0; j < size(); ++j)
      out.start[at(j) + 1] += out.start[at(j)];
    out.row.reset(new std::int32_t[at(out.start.back())]);  // not cleared
    out.value = raw(out.start.back());
    double factor = 1.0;
    std::vector<std::int64_t> put(out.start.begin(), out.start.end() - 1);
    const auto place = [&](std::int32_t col, std::int32_t row, double value) {
      const std::size_t p = at(next(put[at(col)]));
      out.row[p] = row;
      out.value[p] = factor * value;
    };
    visit(K, place);
    factor = -sigma;
    if (sigma != 0.0) visit(M, place);
    return out;
  }

  /// Gathers the panel of supernode s, factors it and leaves what it gives to its ancestors in
  /// rest_[s]. Negative pivots, or -1 at a zero one. `place`: scratch, row in the front of each
  /// row.
  int front(std::int32_t s,
            const Entries& entries,
            std::vector<double>& least,
            std::vector<std::int32_t>& place) {
    const Supernode& node = tree_.nodes[at(s)];
    const Panel own = panel(node);
    const std::int64_t w = node.width, r = node.below, height = w + r;
    const std::int32_t* rows = tree_.rows.data() + node.rows;
    for (std::int32_t k = 0; k < w; ++k)
      place[at(node.first + k)] = k;
    for (std::int32_t k = 0; k < r; ++k)
      place[at(rows[k])] = node.width + k;
    std::fill(own.values, own.values + w * height, 0.0);
    for (std::int64_t j = 0; j < w; ++j) {
      double* column = own.values + j * height;
      for (std::int64_t p = entries.start[at(node.first + j)];
           p < entries.start[at(node.first + j) + 1];
           ++p)
        column[place[at(entries.row[at(p)])]] += entries.value[at(p)];
      least[at(node.first + j)] = kZeroPivot * std::abs(column[j]);
    }
    std::unique_ptr<double[]> rest;
    if (r > 0) {
      rest = raw(r * r);
      for (std::int64_t j = 0; j < r; ++j)
        std::fill(rest.get() + j * r + j, rest.get() + (j + 1) * r, 0.0);
    }
    std::vector<std::int32_t> to;
    for (const std::int32_t c : tree_.children[at(s)]) {
      const Supernode& child = tree_.nodes[at(c)];
      const std::int64_t count = child.below;
      to.resize(at(count));
      for (std::int64_t k = 0; k < count; ++k)
        to[at(k)] = place[at(tree_.rows[at(child.rows + k)])];
      for (std::int64_t j = 0; j < count; ++j) {
        const double* from = rest_[at(c)].get() + j * count;
        double* column =
            to[at(j)] < w ? own.values + to[at(j)] * height : rest.get() + (to[at(j)] - w) * r - w;
        for (std::int64_t i = j; i < count; ++i)
          column[to[at(i)]] += from[i];
      }
      rest_[at(c)].reset();
    }
    const int negative = factor_panel(own, sign_.data() + node.first, least.data() + node.first);
    if (negative >= 0 && r > 0)
      subtract_square(own, sign_.data() + node.first, negative, rest.get());
    rest_[at(s)] = std::move(rest);
    return negative;
  }

  /// x <- A^-1 x, rows in elimination order, strips of `width` columns row by row, one strip behind
  /// the other: a panel of L serves them all while it is in the cache.
  void sweep(double* x, int width, int strips) const {
    for (const std::vector<std::int32_t>& bin : tree_.level)
      forward_level(bin, x, width, strips);
    if (inertia_.negative > 0)
      for (int k = 0; k < strips; ++k)
        for (std::int64_t i = 0; i < size(); ++i)
          if (sign_[at(i)] < 0)
            for (int c = 0; c < width; ++c)
              x[(k * size() + i) * width + c] *= -1.0;
    for (auto level = tree_.level.rbegin(); level != tree_.level.rend(); ++level)
      run_parallel(threads_, static_cast<int>(level->size()) - 1, [&](int bin) {
        Lines y(std::int64_t{tallest_} * width);
        for (std::int32_t s = (*level)[at(bin) + 1] - 1; s >= (*level)[at(bin)]; --s)
          for (int k = 0; k < strips; ++k)
            backward_node(tree_.nodes[at(s)], width, y.data(), x + k * size() * width);
      });
  }

  /// Bins add what they give to later levels in buffers of their own, so that results do not depend
  /// on threads.
  void forward_level(const std::vector<std::int32_t>& bin, double* x, int width, int strips) const {
    const auto end = at(bin.back());
    const std::int64_t above = end < tree_.nodes.size() ? tree_.nodes[end].first : size();
    const std::int64_t rest = (size() - above) * width;  // of each strip
    const auto count = static_cast<int>(bin.size()) - 1;
    std::vector<std::vector<double>> shares(at(count));
    run_parallel(threads_, count, [&](int b) {
      std::vector<double>& share = shares[at(b)];
      if (count > 1) share.assign(at(strips * rest), 0.0);
      Lines y(std::int64_t{tallest_} * width);
      for (std::int32_t s = bin[at(b)]; s < bin[at(b) + 1]; ++s)
        for (int k = 0; k < strips; ++k) {
          double* own = x + k * size() * width;
          double* later = count > 1 ? share.data() + k * rest : own + above * width;
          forward_node(tree_.nodes[at(s)], width, y.data(), own, later, above);
        }
    });
    for (const std::vector<double>& share : shares)
      for (std::size_t i = 0; i < share.size(); ++i) {
        const auto k = static_cast<std::int64_t>(i) / rest;
        x[k * size() * width + above * width + static_cast<std::int64_t>(i) - k * rest] += share[i];
      }
  }

  /// One supernode of the forward sweep; rows from `above` on go to `later`, which starts there.
  void forward_node(const Supernode& node,
                    int width,
                    double* y,
                    double* x,
                    double* later,
                    std::int64_t above) const {
    const std::int64_t own = std::int64_t{node.width} * width;
    double* mine = x + std::int64_t{node.first} * width;
    std::copy(mine, mine + own, y);
    std::fill(y + own, y + own + std::int64_t{node.below} * width, 0.0);
    forward_panel(panel(node), width, y);
    std::copy(y, y + own, mine);
    const std::int32_t* rows = tree_.rows.data() + node.rows;
    const double* part = y + own;
    for (std::int32_t k = 0; k < node.below; ++k, part += width) {
      double* target =
          rows[k] < above ? x + rows[k] * std::int64_t{width} : later + (rows[k] - above) * width;
      for (int c = 0; c < width; ++c)
        target[c] += part[c];
    }
  }

  void backward_node(const Supernode& node, int width, double* y, double* x) const {
    const std::int64_t own = std::int64_t{node.width} * width;
    double* mine = x + std::int64_t{node.first} * width;
    std::copy(mine, mine + own, y);
    const std::int32_t* rows = tree_.rows.data() + node.rows;
    double* part = y + own;
    for (std::int32_t k = 0; k < node.below; ++k, part += width) {
      const double* source = x + std::int64_t{rows[k]} * width;
      for (int c = 0; c < width; ++c)
        part[c] = source[c];
    }
    backward_panel(panel(node), width, y);
    std::copy(y, y + own, mine);
  }

  /// |A x - b| over |A| |x| + |b| of a solve with a random b, largest entries.
  double backward_error(const Entries& entries) const {
    std::mt19937_64 engine(11);
    std::uniform_real_distribution<double> any(-1.0, 1.0);
    std::vector<double> left(at(size()));
    std::generate(left.begin(), left.end(), [&] { return any(engine); });
    std::vector<double> x = left;
    std::vector<double> possible(at(size()), 1.0);
    sweep(x.data(), 1, 1);
    // columns from the middle on reach rows behind it alone: the first half sums those up apart
    const std::int64_t middle = size() / 2;
    std::vector<double> left_apart(at(size() - middle), 0.0), possible_apart(at(size() - middle));
    run_parallel(threads_, 2, [&](int half) {
      for (std::int64_t j = half == 0 ? 0 : middle; j < (half == 0 ? middle : size()); ++j)
        for (std::int64_t p = entries.start[at(j)]; p < entries.start[at(j) + 1]; ++p) {
          const std::int32_t i = entries.row[at(p)];
          const bool apart = half == 0 && i >= middle;
          double& left_i = apart ? left_apart[at(i - middle)] : left[at(i)];
          double& possible_i = apart ? possible_apart[at(i - middle)] : possible[at(i)];
          const double a = entries.value[at(p)];
          left_i -= a * x[at(j)];
          possible_i += std::abs(a * x[at(j)]);
          if (i == j) continue;
          left[at(j)] -= a * x[at(i)];
          possible[at(j)] += std::abs(a * x[at(i)]);
        }
    });
    for (std::int64_t i = middle; i < size(); ++i) {
      left[at(i)] += left_apart[at(i - middle)];
      possible[at(i)] += possible_apart[at(i - middle)];
    }
    double worst = 0.0;
    for (const double value : left)
      worst = std::max(worst, std::isfinite(value) ? std::abs(value) : HUGE_VAL);
    return worst / *std::max_element(possible.begin(), possible.end());
  }

  int threads_;
  Supernodes tree_;
  std::int32_t tallest_ = 0;
  std::vector<std::int32_t> order_;
  std::unique_ptr<double[]> values_;
  std::vector<std::int8_t> sign_;
  std::vector<std::unique_ptr<double[]>> rest_;  // of each supernode, while its parent waits for it
  mutable std::unique_ptr<Lines> kept_;          // right-hand sides: one solve at a time
  mutable std::int64_t kept_size_ = 0;
  Inertia inertia_;
  std::unique_ptr<Factorisation> indefinite_;
};

}  // namespace

std::unique_ptr<Factorisation> make_supernodal_factorisation(int threads) {
  return std::make_unique<SupernodalFactorisation>(threads);
}

}  // namespace femflex::modal
