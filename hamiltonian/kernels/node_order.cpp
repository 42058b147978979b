// Orders the nodes of a network so that the two ends of a bond are close in memory. Tries the given
// order, the rows of a grid, and a Morton (Z-order) curve through the positions.
#include "kernels/node_order.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <unordered_map>
#include <utility>

namespace femflex::hamiltonian::tiles {
namespace {

/// Share of bonds whose distance is among the sixteen most common in a sample.
double regular_share(std::span<const Bond> bonds, const std::vector<std::int32_t>& place) {
  std::unordered_map<std::int32_t, int> count;
  const std::size_t stride = std::max<std::size_t>(1, bonds.size() / 4096);
  int seen = 0;
  for (std::size_t i = 0; i < bonds.size(); i += stride) {
    const std::int32_t distance =
        place[static_cast<std::size_t>(bonds[i].b)] - place[static_cast<std::size_t>(bonds[i].a)];
    ++count[std::abs(distance)];
    ++seen;
  }
  std::vector<int> counts;
  for (const auto& [distance, n] : count)
    counts.push_back(n);
  std::sort(counts.rbegin(), counts.rend());
  counts.resize(std::min<std::size_t>(counts.size(), 16));
  return seen == 0 ? 0.0 : std::accumulate(counts.begin(), counts.end(), 0) / double(seen);
}

double mean_distance(std::span<const Bond> bonds) {
  double sum = 0.0;
  for (const Bond& bond : bonds)
    sum += std::abs(double(bond.b) - double(bond.a));
  return bonds.empty() ? 0.0 : sum / static_cast<double>(bonds.size());
}

struct Box {
  std::array<double, 3> low{}, size{};
};

Box bounding_box(const TiledNetwork::Input& in) {
  Box box;
  const auto dim = static_cast<std::size_t>(in.dimension);
  for (std::size_t d = 0; d < dim; ++d) {
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (std::size_t i = d; i < in.positions.size(); i += dim) {
      low = std::min(low, in.positions[i]);
      high = std::max(high, in.positions[i]);
    }
    box.low[d] = low;
    box.size[d] = std::max(high - low, 1e-300);
  }
  return box;
}

/// Nodes in ascending order of their keys.
std::vector<std::int32_t> by_key(std::vector<std::pair<std::uint64_t, std::int32_t>> keys) {
  std::sort(keys.begin(), keys.end());
  std::vector<std::int32_t> order;
  order.reserve(keys.size());
  for (const auto& [key, node] : keys)
    order.push_back(node);
  return order;
}

/// Orders nodes by the cells of a grid, x fastest, then y, then z. A cell is as large as the
/// shortest bond.
std::vector<std::int32_t> grid_order(const TiledNetwork::Input& in, const Box& box) {
  const auto dim = static_cast<std::size_t>(in.dimension);
  std::array<double, 3> cell = {1e300, 1e300, 1e300};
  const std::size_t stride = std::max<std::size_t>(1, in.bonds.size() / 65536);
  for (std::size_t i = 0; i < in.bonds.size(); i += stride) {
    for (std::size_t d = 0; d < dim; ++d) {
      const double step = std::abs(in.positions[static_cast<std::size_t>(in.bonds[i].a) * dim + d] -
                                   in.positions[static_cast<std::size_t>(in.bonds[i].b) * dim + d]);
      if (step > 1e-6 * box.size[d]) cell[d] = std::min(cell[d], step);
    }
  }
  std::vector<std::pair<std::uint64_t, std::int32_t>> keys(in.positions.size() / dim);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    std::uint64_t key = 0;
    for (std::size_t d = dim; d-- > 0;) {
      const double at = (in.positions[i * dim + d] - box.low[d]) / cell[d];
      key = (key << 21U) | static_cast<std::uint64_t>(std::clamp(std::llround(at), 0LL, 2097151LL));
    }
    keys[i] = {key, static_cast<std::int32_t>(i)};
  }
  return by_key(std::move(keys));
}

std::vector<std::int32_t> morton_order(const TiledNetwork::Input& in, const Box& box) {
  const auto dim = static_cast<std::size_t>(in.dimension);
  const double largest = *std::max_element(box.size.begin(), box.size.begin() + in.dimension);
  std::vector<std::pair<std::uint64_t, std::int32_t>> keys(in.positions.size() / dim);
  const auto spread = [dim](std::uint64_t v) {
    std::uint64_t out = 0;
    for (unsigned bit = 0; bit < 16; ++bit)
      out |= ((v >> bit) & 1U) << (bit * static_cast<unsigned>(dim));
    return out;
  };
  for (std::size_t i = 0; i < keys.size(); ++i) {
    std::uint64_t key = 0;
    for (std::size_t d = 0; d < dim; ++d) {
      const double at = (in.positions[i * dim + d] - box.low[d]) / largest;
      key |= spread(static_cast<std::uint64_t>(std::clamp(at, 0.0, 1.0) * 65535.0)) << d;
    }
    keys[i] = {key, static_cast<std::int32_t>(i)};
  }
  return by_key(std::move(keys));
}

/// Share of bonds between one tile and another.
double crossing_share(std::span<const Bond> bonds,
                      const std::vector<std::int32_t>& place,
                      std::int32_t nodes) {
  const std::size_t stride = std::max<std::size_t>(1, bonds.size() / 65536);
  std::size_t seen = 0;
  std::size_t crossing = 0;
  for (std::size_t i = 0; i < bonds.size(); i += stride) {
    ++seen;
    crossing += place[static_cast<std::size_t>(bonds[i].a)] / nodes !=
                        place[static_cast<std::size_t>(bonds[i].b)] / nodes
                    ? 1
                    : 0;
  }
  return seen == 0 ? 0.0 : static_cast<double>(crossing) / static_cast<double>(seen);
}

std::vector<std::int32_t> given_order(const TiledNetwork::Input& in) {
  std::vector<std::int32_t> given(in.positions.size() / static_cast<std::size_t>(in.dimension));
  std::iota(given.begin(), given.end(), 0);
  return given;
}

}  // namespace

std::vector<std::int32_t> places(const std::vector<std::int32_t>& order) {
  std::vector<std::int32_t> place(order.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    place[static_cast<std::size_t>(order[i])] = static_cast<std::int32_t>(i);
  return place;
}

NodeOrder order_nodes(const TiledNetwork::Input& in) {
  std::vector<std::int32_t> given = given_order(in);
  if (in.bonds.empty() || regular_share(in.bonds, given) > 0.8) return {std::move(given), true};
  const Box box = bounding_box(in);
  std::vector<std::int32_t> grid = grid_order(in, box);
  if (regular_share(in.bonds, places(grid)) > 0.8) return {std::move(grid), true};
  // neighbours whose indices differ by a few thousand stay in the first-level caches
  if (mean_distance(in.bonds) < 2000.0) return {std::move(given), false};
  return {morton_order(in, box), false};
}

std::vector<std::int32_t> order_for_tiles(const TiledNetwork::Input& in, std::int32_t tile_size) {
  std::vector<std::int32_t> given = given_order(in);
  std::vector<std::int32_t> curve = morton_order(in, bounding_box(in));
  const bool keep = crossing_share(in.bonds, given, tile_size) <=
                    crossing_share(in.bonds, places(curve), tile_size);
  return keep ? given : curve;
}

}  // namespace femflex::hamiltonian::tiles
