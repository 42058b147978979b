// Solves with a supernodal factor L S L': goes through the supernodes from the leaves to the root
// (L) and back (L'), level by level. The subtrees of a level run on several threads.
#include "solve/sweeps.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "femflex/index.h"
#include "femflex/parallel.h"

#include "dense/aligned_array.h"
#include "dense/panel_sweeps.h"
#include "dense/row_of.h"

namespace femflex::modal {
namespace {

/// Triangular solves on strips of W columns.
template <int W, typename Number>
class Sweep {
 public:
  explicit Sweep(const SweptFactor<Number>& factor) : f_(factor) {
    for (const Supernode& node : f_.tree.nodes)
      max_rows_ = std::max(max_rows_, node.width + node.below);
  }

  void run(double* x, int strips) const {
    for (const std::vector<std::int32_t>& bin : f_.tree.level)
      forward_level(bin, x, strips);
    if (f_.sign != nullptr)
      for (int k = 0; k < strips; ++k)
        for (std::int64_t i = 0; i < size(); ++i)
          if (f_.sign[i] < 0)
            for (int c = 0; c < W; ++c)
              x[(k * size() + i) * W + c] *= -1.0;
    for (auto level = f_.tree.level.rbegin(); level != f_.tree.level.rend(); ++level)
      run_parallel(f_.threads, static_cast<int>(level->size()) - 1, [&](int bin) {
        AlignedArray y(std::int64_t{max_rows_} * W * strips);
        for (std::int32_t s = (*level)[at(bin) + 1] - 1; s >= (*level)[at(bin)]; --s)
          backward_node(f_.tree.nodes[at(s)], strips, y.data(), x);
      });
  }

 private:
  /// Buffer for rows of later levels; the strips are `stride` numbers apart.
  struct LaterRows {
    double* from;
    std::int64_t stride;
  };

  /// Each bin adds its contributions to later levels in its own buffer, so that results do not
  /// depend on threads.
  void forward_level(const std::vector<std::int32_t>& bin, double* x, int strips) const {
    const auto end = at(bin.back());
    const std::int64_t above = end < f_.tree.nodes.size() ? f_.tree.nodes[end].first : size();
    const std::int64_t rest = (size() - above) * W;  // numbers of each strip
    const auto count = static_cast<int>(bin.size()) - 1;
    std::vector<std::vector<double>> shares(at(count));
    run_parallel(f_.threads, count, [&](int b) {
      std::vector<double>& share = shares[at(b)];
      if (count > 1) share.assign(at(strips * rest), 0.0);
      const LaterRows later =
          count > 1 ? LaterRows{share.data(), rest} : LaterRows{x + above * W, size() * W};
      AlignedArray y(std::int64_t{max_rows_} * W * strips);
      for (std::int32_t s = bin[at(b)]; s < bin[at(b) + 1]; ++s)
        forward_node(f_.tree.nodes[at(s)], strips, y.data(), x, later, above);
    });
    for (const std::vector<double>& share : shares)
      for (int k = 0; k < strips && count > 1; ++k)
        for (std::int64_t i = 0; i < rest; ++i)
          x[(k * size() + above) * W + i] += share[at(k * rest + i)];
  }

  /// One supernode of the forward sweep; rows from `above` on go to `later`, which starts there.
  void forward_node(const Supernode& node,
                    int strips,
                    double* y,
                    double* x,
                    const LaterRows& later,
                    std::int64_t above) const {
    const std::int64_t own = std::int64_t{node.width} * W;
    const std::int64_t all = own + std::int64_t{node.below} * W;
    for (int k = 0; k < strips; ++k) {
      const double* from = x + (k * size() + node.first) * W;
      std::copy(from, from + own, y + k * all);
      std::fill(y + k * all + own, y + (k + 1) * all, 0.0);
    }
    forward_panel(panel_of(node, f_.values), W, strips, y);
    const std::int32_t* rows = f_.tree.rows.data() + node.rows;
    for (int k = 0; k < strips; ++k) {
      double* strip = x + k * size() * W;
      double* after = later.from + k * later.stride;
      const double* part = y + k * all;
      std::copy(part, part + own, strip + std::int64_t{node.first} * W);
      part += own;
      for (std::int32_t i = 0; i < node.below; ++i, part += W) {
        double* target =
            rows[i] < above ? strip + std::int64_t{rows[i]} * W : after + (rows[i] - above) * W;
        typename RowOf<W>::type sum, more;
        load<W>(sum, target);
        load<W>(more, part);
        store<W>(target, sum + more);
      }
    }
  }

  void backward_node(const Supernode& node, int strips, double* y, double* x) const {
    const std::int64_t own = std::int64_t{node.width} * W;
    const std::int64_t all = own + std::int64_t{node.below} * W;
    const std::int32_t* rows = f_.tree.rows.data() + node.rows;
    for (int k = 0; k < strips; ++k) {
      const double* strip = x + k * size() * W;
      double* part = y + k * all;
      part = std::copy_n(strip + std::int64_t{node.first} * W, own, part);
      for (std::int32_t i = 0; i < node.below; ++i, part += W)
        std::copy_n(strip + std::int64_t{rows[i]} * W, W, part);
    }
    backward_panel(panel_of(node, f_.values), W, strips, y);
    for (int k = 0; k < strips; ++k)
      std::copy_n(y + k * all, own, x + (k * size() + node.first) * W);
  }

  std::int64_t size() const { return static_cast<std::int64_t>(f_.tree.place.size()); }

  const SweptFactor<Number>& f_;
  std::int32_t max_rows_ = 0;
};

}  // namespace

void sweep(const SweptFactor<double>& factor, int width, int strips, double* x) {
  switch (width) {
    case 1:
      return Sweep<1, double>(factor).run(x, strips);
    case 4:
      return Sweep<4, double>(factor).run(x, strips);
    default:
      return Sweep<8, double>(factor).run(x, strips);
  }
}

void sweep(const SweptFactor<float>& factor, int strips, double* x) {
  Sweep<8, float>(factor).run(x, strips);
}

}  // namespace femflex::modal
