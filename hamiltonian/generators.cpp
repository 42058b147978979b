// Builds lattices of regular shape: blocks and frames from a grid of cells with springs along edges
// and diagonals, ladders and chains node by node.
#include "femflex/hamiltonian/generators.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

namespace femflex::hamiltonian {
namespace {

// most nodes along one axis; a product of two such numbers fits 64 bits
constexpr int kMaxNodesPerAxis = 100'000'000;
// most nodes of a lattice, so that DOF numbers in 3D fit 32 bits
constexpr std::size_t kMaxNodes = 500'000'000;

Spring between(const Lattice& lattice, std::int32_t a, std::int32_t b, double k, SpringLaw law) {
  Spring spring;
  spring.a = a;
  spring.b = b;
  spring.law = law;
  spring.stiffness = k;
  spring.rest_length = (lattice.nodes[static_cast<std::size_t>(b)].position -
                        lattice.nodes[static_cast<std::size_t>(a)].position)
                           .norm();
  return spring;
}

/// A grid of cells, of which some may be missing. A flat direction counts as one cell.
class Grid {
 public:
  using Filled = std::function<bool(int, int, int)>;

  /// @param filled  tells which cells exist; empty: all exist
  Grid(const BlockOptions& options, Filled filled) : o_(options), filled_(std::move(filled)) {
    check();
  }

  Lattice build() {
    lattice_.dimension = o_.dimension;
    add_nodes();
    if (o_.total_mass) spread_mass();
    add_springs();
    return make_lattice(std::move(lattice_));
  }

 private:
  void check() const {
    std::size_t total = 1;
    for (std::size_t i = 0; i < 3; ++i) {
      const bool used = static_cast<int>(i) < o_.dimension;
      if (o_.nodes[i] < 1 || o_.nodes[i] > kMaxNodesPerAxis || (!used && o_.nodes[i] != 1))
        throw ModelError(
            "bad-block",
            "a block has at least one node in each direction, and one beyond its dimension");
      if (used && o_.nodes[i] > 1 && !(o_.size[i] > 0.0 && std::isfinite(o_.size[i])))
        throw ModelError("bad-block", "the size of a block must be positive");
      total *= static_cast<std::size_t>(o_.nodes[i]);
      if (total > kMaxNodes) throw ModelError("bad-block", "a block of more than 5e8 nodes");
    }
    if (o_.total_mass && !(*o_.total_mass >= 0.0 && std::isfinite(*o_.total_mass)))
      throw ModelError("bad-mass", "the mass of a block must be finite and not negative");
  }

  std::size_t place(int x, int y, int z) const {
    return static_cast<std::size_t>(x) +
           static_cast<std::size_t>(o_.nodes[0]) *
               (static_cast<std::size_t>(y) +
                static_cast<std::size_t>(o_.nodes[1]) * static_cast<std::size_t>(z));
  }
  std::int32_t at(int x, int y, int z) const {
    const std::size_t n = place(x, y, z);
    return filled_ ? index_[n] : static_cast<std::int32_t>(n);
  }
  int cells(std::size_t axis) const { return std::max(1, o_.nodes[axis] - 1); }

  /// Whether the line from node u to node u + d belongs to an existing cell; d = 0: the node u.
  bool belongs_to_cell(const std::array<int, 3>& u, const std::array<int, 3>& d) const {
    if (!filled_) return true;
    std::array<std::array<int, 2>, 3> range{};
    for (std::size_t i = 0; i < 3; ++i) {
      const int low = std::min(u[i], u[i] + d[i]);
      range[i] = d[i] != 0 ? std::array{low, low} : std::array{u[i] - 1, u[i]};
      range[i] = {std::max(range[i][0], 0), std::min(range[i][1], cells(i) - 1)};
    }
    for (int z = range[2][0]; z <= range[2][1]; ++z)
      for (int y = range[1][0]; y <= range[1][1]; ++y)
        for (int x = range[0][0]; x <= range[0][1]; ++x)
          if (filled_(x, y, z)) return true;
    return false;
  }

  template <typename Action>
  void each_node(Action action) const {
    for (int z = 0; z < o_.nodes[2]; ++z)
      for (int y = 0; y < o_.nodes[1]; ++y)
        for (int x = 0; x < o_.nodes[0]; ++x)
          action(x, y, z);
  }

  void add_nodes() {
    const auto step = [&](std::size_t i) {
      return o_.nodes[i] > 1 ? o_.size[i] / (o_.nodes[i] - 1) : 0.0;
    };
    const std::array<double, 3> cell = {step(0), step(1), step(2)};
    const std::size_t total = place(o_.nodes[0] - 1, o_.nodes[1] - 1, o_.nodes[2] - 1) + 1;
    if (filled_) index_.assign(total, -1);
    lattice_.nodes.reserve(filled_ ? 0 : total);
    each_node([&](int x, int y, int z) {
      if (!belongs_to_cell({x, y, z}, {0, 0, 0})) return;
      if (filled_) index_[place(x, y, z)] = static_cast<std::int32_t>(lattice_.nodes.size());
      LatticeNode node;
      node.id = static_cast<std::int64_t>(lattice_.nodes.size()) + 1;
      node.position = Eigen::Vector3d(x * cell[0], y * cell[1], z * cell[2]);
      node.mass = o_.total_mass ? 0.0 : o_.node_mass;
      lattice_.nodes.push_back(node);
    });
  }

  template <typename Action>
  void each_cell(Action action) const {
    for (int z = 0; z < cells(2); ++z)
      for (int y = 0; y < cells(1); ++y)
        for (int x = 0; x < cells(0); ++x)
          if (!filled_ || filled_(x, y, z)) action(x, y, z);
  }

  void spread_mass() {
    double count = 0.0;
    each_cell([&](int, int, int) { count += 1.0; });
    const std::array<int, 3> far = {
        o_.nodes[0] > 1 ? 1 : 0, o_.nodes[1] > 1 ? 1 : 0, o_.nodes[2] > 1 ? 1 : 0};
    const double share = *o_.total_mass / (count * (1 << (far[0] + far[1] + far[2])));
    each_cell([&](int x, int y, int z) {
      for (int w = 0; w <= far[2]; ++w)
        for (int v = 0; v <= far[1]; ++v)
          for (int u = 0; u <= far[0]; ++u)
            lattice_.nodes[static_cast<std::size_t>(at(x + u, y + v, z + w))].mass += share;
    });
  }

  void add_springs() {
    // links a node to later nodes only, because earlier nodes have been linked to it already
    const auto link = [&](int x, int y, int z, int dx, int dy, int dz) {
      const int u = x + dx;
      const int v = y + dy;
      const int w = z + dz;
      if (u < 0 || u >= o_.nodes[0] || v < 0 || v >= o_.nodes[1] || w < 0 || w >= o_.nodes[2])
        return;
      const int kind = std::abs(dx) + std::abs(dy) + std::abs(dz);
      if ((kind == 2 && !o_.face_diagonals) || (kind == 3 && !o_.space_diagonals)) return;
      if (!belongs_to_cell({x, y, z}, {dx, dy, dz})) return;
      lattice_.springs.push_back(between(lattice_,
                                         at(x, y, z),
                                         at(u, v, w),
                                         kind == 1 ? o_.stiffness : o_.diagonal_stiffness,
                                         o_.law));
    };
    lattice_.springs.reserve(lattice_.nodes.size() * (o_.dimension == 3   ? 13
                                                      : o_.dimension == 2 ? 4
                                                                          : 1));
    each_node([&](int x, int y, int z) {
      link(x, y, z, 1, 0, 0);
      for (int dx = -1; dx <= 1; ++dx)
        link(x, y, z, dx, 1, 0);
      for (int dy = -1; dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx)
          link(x, y, z, dx, dy, 1);
      }
    });
  }

  const BlockOptions& o_;
  Filled filled_;
  std::vector<std::int32_t> index_;  // index of the node at each grid point; -1: no node
  Lattice lattice_;
};

}  // namespace

Lattice make_block(const BlockOptions& options) {
  return Grid(options, {}).build();
}

Lattice make_frame(const FrameOptions& options) {
  const BlockOptions& outline = options.outline;
  const int t = options.thickness;
  if (outline.dimension < 2) throw ModelError("bad-frame", "a frame needs 2 or 3 dimensions");
  if (t < 1) throw ModelError("bad-frame", "the bars of a frame are at least one cell thick");
  const auto dimension = static_cast<std::size_t>(outline.dimension);
  for (std::size_t i = 0; i < dimension; ++i) {
    const bool is_open_below = i == 1 && !options.is_closed;
    const std::int64_t bars = (is_open_below ? 1 : 2) * static_cast<std::int64_t>(t);
    if (outline.nodes[i] - 1 <= bars)
      throw ModelError("bad-frame",
                       "the bars of the frame leave no opening along " + std::string(1, "xyz"[i]) +
                           ": " + std::to_string(outline.nodes[i] - 1) + " cells, bars of " +
                           std::to_string(t),
                       {},
                       "give more cells, or thinner bars");
  }
  // a cell belongs to a bar if it is near the border in both directions across the bar, or in the
  // plane near one border
  return Grid(outline,
              [&, t](int x, int y, int z) {
                const std::array<int, 3> cell = {x, y, z};
                std::size_t near = 0;
                for (std::size_t i = 0; i < dimension; ++i) {
                  const bool low = cell[i] < t && (i != 1 || options.is_closed);
                  const bool high = cell[i] >= outline.nodes[i] - 1 - t;
                  near += low || high ? 1 : 0;
                }
                return near + 1 >= dimension;
              })
      .build();
}

Lattice make_ladder(const LadderOptions& o) {
  if (o.columns < 2) throw ModelError("bad-ladder", "a ladder has at least two columns");
  Lattice lattice;
  lattice.dimension = 2;
  const int n = o.columns;
  for (int i = 0; i < 2 * n; ++i) {
    const bool top = i >= n;
    LatticeNode node;
    node.id = i + 1;
    node.position = Eigen::Vector3d(o.cell * (top ? 2 * n - 1 - i : i), top ? o.cell : 0.0, 0.0);
    node.mass = o.node_mass;
    lattice.nodes.push_back(node);
  }
  const auto above = [n](int i) { return 2 * n - 1 - i; };
  const auto link = [&](int a, int b, double k) {
    lattice.springs.push_back(between(lattice, a, b, k, SpringLaw::quartic));
  };
  for (int i = 0; i < n; ++i) {
    link(i, above(i), o.vertical);
    if (i + 1 == n) break;
    link(i, i + 1, o.chord);
    link(above(i), above(i + 1), o.chord);
    link(i, above(i + 1), o.diagonal);
    link(above(i), i + 1, o.diagonal);
  }
  return make_lattice(std::move(lattice));
}

Lattice make_chain(const ChainOptions& o) {
  if (o.links < 1) throw ModelError("bad-chain", "a chain has at least one link");
  Lattice lattice;
  lattice.dimension = o.dimension;
  for (int i = 0; i <= o.links; ++i) {
    LatticeNode node;
    node.id = i + 1;
    const double along = i * o.length;
    node.position = o.dimension == 1 ? Eigen::Vector3d(along, 0.0, 0.0)
                                     : Eigen::Vector3d(0.0, (o.links - i) * o.length, 0.0);
    node.mass = i == o.links ? o.end_mass : o.mass;
    if (i == 0) node.fixed = {true, true, true};
    lattice.nodes.push_back(node);
  }
  for (int i = 0; i < o.links; ++i)
    lattice.springs.push_back(between(lattice, i, i + 1, o.stiffness, SpringLaw::quartic));
  return make_lattice(std::move(lattice));
}

}  // namespace femflex::hamiltonian
