#include "tiles/tiled_network.h"

#include <algorithm>
#include <atomic>
#include <barrier>
#include <cmath>
#include <optional>
#include <thread>

#include "tiles/aligned.h"
#include "tiles/block_layout.h"
#include "tiles/bond_tiles.h"
#include "tiles/node_order.h"

namespace femflex::hamiltonian {

using tiles::Aligned;
using tiles::kLanes;

namespace {

constexpr std::size_t kStreamsFrom = 1000000;  // freedoms, 24 MB of state
constexpr double kRegular = 0.85;              // share of bonds from which blocks are faster

}  // namespace

// Two layouts. Blocks: x, y, z apart, eight nodes at a time, for regular lattices. Tiles of bonds:
// node by node, all in the first of the three arrays, for any other network.
struct TiledNetwork::Impl {
  int dimension = 3;
  std::size_t nodes = 0, blocks = 0, bonds = 0;
  std::vector<std::int32_t> place;  // new index of each node
  tiles::Pairs pairs;
  tiles::BlockLayout layout;
  std::optional<tiles::BondTiles> bond_tiles;
  std::array<Aligned, 3> x, x_next, u, w, g;
  bool same_weight = true, same_pull = true;
  double weight = 0.0;
  std::array<double, 3> pull{};
  tiles::Runner runner = nullptr;
  tiles::BondRunner bond_runner = nullptr;

  void lay_out(const Input& in);
  void weigh(const Input& in);
  bool streams() const { return nodes * static_cast<std::size_t>(dimension) > kStreamsFrom; }
  tiles::Network view() const;
  tiles::BondNetwork bond_view() const;
  std::size_t stride() const { return static_cast<std::size_t>(tiles::bond_stride(dimension)); }
  std::array<Aligned, 3> zeros() const;
  double& at(const std::array<Aligned, 3>& values, std::size_t node, std::size_t axis) const {
    const auto to = static_cast<std::size_t>(place[node]);
    return bond_tiles ? values[0].data()[to * stride() + axis] : values[axis].data()[to];
  }
  Aligned scratch() const { return Aligned(2 * stride() * bond_tiles->largest); }
};

void TiledNetwork::Impl::lay_out(const Input& in) {
  pairs = tiles::pair_up(in.bonds);
  const tiles::NodeOrder order = tiles::order_nodes(in);
  if (order.is_regular || dimension == 1) {
    place = tiles::places(order.nodes);
    layout = tiles::lay_out_blocks(in.bonds, place, blocks, pairs);
  }
  const double regular = 2.0 * kRegular * static_cast<double>(bonds);
  if (dimension == 1 || static_cast<double>(layout.shared) > regular) return;
  std::vector<double> few;
  if (pairs.alpha.size() < in.bonds.size()) {
    for (std::size_t i = 0; i < pairs.alpha.size(); ++i) {
      few.push_back(pairs.alpha[i]);
      few.push_back(pairs.beta[i]);
    }
  }
  bond_tiles =
      tiles::tile_bonds(in.bonds, tiles::order_for_tiles(in, tiles::kTileNodes), few, pairs.number);
  if (bond_tiles) {
    layout = {};
    place = std::move(bond_tiles->place);
  } else if (place.empty()) {
    place = tiles::places(order.nodes);
    layout = tiles::lay_out_blocks(in.bonds, place, blocks, pairs);
  }
}

std::array<Aligned, 3> TiledNetwork::Impl::zeros() const {
  std::array<Aligned, 3> out;
  if (bond_tiles) {
    out[0] = Aligned(stride() * nodes);
  } else {
    for (std::size_t d = 0; d < static_cast<std::size_t>(dimension); ++d)
      out[d] = Aligned(blocks * kLanes);
  }
  return out;
}

void TiledNetwork::Impl::weigh(const Input& in) {
  const auto dim = static_cast<std::size_t>(dimension);
  weight = in.inverse_mass[0];
  for (std::size_t d = 0; d < dim; ++d)
    pull[d] = in.constant_force[d] * in.inverse_mass[d];
  for (std::size_t i = 0; i < nodes * dim; ++i) {
    same_weight = same_weight && in.inverse_mass[i] == weight;
    same_pull = same_pull && in.constant_force[i] * in.inverse_mass[i] == pull[i % dim];
  }
  if (!same_weight) w = zeros();
  if (!same_pull) g = zeros();
  for (std::size_t i = 0; i < nodes; ++i) {
    for (std::size_t d = 0; d < dim; ++d) {
      if (!same_weight) at(w, i, d) = in.inverse_mass[i * dim + d];
      if (!same_pull) at(g, i, d) = in.constant_force[i * dim + d] * in.inverse_mass[i * dim + d];
    }
  }
}

tiles::Network TiledNetwork::Impl::view() const {
  tiles::Network n;
  n.pattern_of = layout.pattern_of.data();
  n.patterns = layout.patterns.data();
  n.slots = layout.slots.data();
  n.partners = layout.partners.data();
  n.alpha = pairs.alpha.data();
  n.beta = pairs.beta.data();
  n.own_alpha = layout.own_alpha.data();
  n.own_beta = layout.own_beta.data();
  n.weight = weight;
  n.streams = streams();
  for (std::size_t d = 0; d < 3; ++d) {
    n.x[d] = x[d].data();
    n.x_next[d] = x_next[d].data();
    n.u[d] = u[d].data();
    n.w[d] = w[d].data();
    n.g[d] = g[d].data();
    n.pull[d] = pull[d];
  }
  return n;
}

tiles::BondNetwork TiledNetwork::Impl::bond_view() const {
  tiles::BondNetwork n = bond_tiles->view();
  n.x = x[0].data();
  n.x_next = x_next[0].data();
  n.u = u[0].data();
  n.w = w[0].data();
  n.g = g[0].data();
  n.weight = weight;
  n.streams = streams();
  std::copy(pull.begin(), pull.end(), n.pull);
  return n;
}

TiledNetwork::TiledNetwork(const Input& input) : impl_(std::make_unique<Impl>()) {
  Impl& m = *impl_;
  m.dimension = input.dimension;
  m.nodes = input.positions.size() / static_cast<std::size_t>(input.dimension);
  m.blocks = (m.nodes + kLanes - 1) / kLanes;
  m.bonds = input.bonds.size();
  m.lay_out(input);
  m.x = m.zeros();
  m.x_next = m.zeros();
  m.u = m.zeros();
  m.weigh(input);
  m.runner = tiles::choose_runner(input.dimension);
  m.bond_runner = tiles::choose_bond_runner(input.dimension);
}

TiledNetwork::~TiledNetwork() = default;

void TiledNetwork::load(std::span<const double> q, std::span<const double> u) {
  const auto dim = static_cast<std::size_t>(impl_->dimension);
  for (std::size_t i = 0; i < impl_->nodes; ++i) {
    for (std::size_t d = 0; d < dim; ++d) {
      impl_->at(impl_->x, i, d) = q[i * dim + d];
      impl_->at(impl_->u, i, d) = u[i * dim + d];
    }
  }
}

void TiledNetwork::store(std::span<double> q, std::span<double> u) const {
  const auto dim = static_cast<std::size_t>(impl_->dimension);
  for (std::size_t i = 0; i < impl_->nodes; ++i) {
    for (std::size_t d = 0; d < dim; ++d) {
      q[i * dim + d] = impl_->at(impl_->x, i, d);
      u[i * dim + d] = impl_->at(impl_->u, i, d);
    }
  }
}

void TiledNetwork::accelerations(std::span<double> out) {
  Impl& m = *impl_;
  const auto dim = static_cast<std::size_t>(m.dimension);
  if (m.bond_tiles) {  // x_next is free between steps
    tiles::BondNetwork n = m.bond_view();
    n.acceleration = m.x_next[0].data();
    (void)m.bond_runner(n, 0, n.tile_count, 0.0, m.scratch().data());
  } else {
    tiles::Network n = m.view();
    for (std::size_t d = 0; d < dim; ++d)
      n.acceleration[d] = m.x_next[d].data();
    (void)m.runner(n, 0, static_cast<std::int64_t>(m.blocks), 0.0);
  }
  for (std::size_t i = 0; i < m.nodes; ++i) {
    for (std::size_t d = 0; d < dim; ++d)
      out[i * dim + d] = m.at(m.x_next, i, d);
  }
}

std::int64_t TiledNetwork::advance(std::int64_t steps, double h, int threads) {
  Impl& m = *impl_;
  const auto blocks = static_cast<std::int64_t>(m.blocks);
  const std::size_t parts = m.bond_tiles ? m.bond_tiles->tiles.size() : m.blocks / 64;
  const auto workers = static_cast<std::int64_t>(std::clamp<std::size_t>(
      static_cast<std::size_t>(std::max(1, threads)), 1, std::max<std::size_t>(1, parts)));
  std::atomic<bool> healthy = true;
  std::int64_t done = 0;
  std::barrier barrier(workers, [&]() noexcept {
    m.x.swap(m.x_next);
    if (healthy) ++done;
  });
  const auto work = [&](std::int64_t worker) {
    const Aligned scratch = m.bond_tiles ? m.scratch() : Aligned();
    const std::int64_t first =
        m.bond_tiles ? m.bond_tiles->first_of(worker, workers) : blocks * worker / workers;
    const std::int64_t last = m.bond_tiles ? m.bond_tiles->first_of(worker + 1, workers)
                                           : blocks * (worker + 1) / workers;
    for (std::int64_t step = 0; step < steps && healthy; ++step) {
      const bool fine = m.bond_tiles ? m.bond_runner(m.bond_view(), first, last, h, scratch.data())
                                     : m.runner(m.view(), first, last, h);
      if (!fine) healthy = false;
      barrier.arrive_and_wait();
    }
  };
  std::vector<std::jthread> crew;
  for (std::int64_t worker = 1; worker < workers; ++worker)
    crew.emplace_back(work, worker);
  work(0);
  crew.clear();  // joins
  return done;
}

double TiledNetwork::regularity() const {
  return impl_->bonds == 0 ? 0.0
                           : static_cast<double>(impl_->layout.shared) /
                                 (2.0 * static_cast<double>(impl_->bonds));
}

double TiledNetwork::bytes_per_step() const {
  const Impl& m = *impl_;
  const auto count = [](const auto& list) { return static_cast<double>(list.size()); };
  // x, u read, u, x_next written; a store fetches its line first unless it streams
  const double arrays =
      (m.streams() ? 4.0 : 5.0) + (m.same_weight ? 0.0 : 1.0) + (m.same_pull ? 0.0 : 1.0);
  if (m.bond_tiles) {
    const tiles::BondTiles& t = *m.bond_tiles;
    return 8.0 * static_cast<double>(m.stride()) * arrays * static_cast<double>(m.nodes) +
           4.0 * count(t.halo) + 2.0 * count(t.partners) + 2.0 * count(t.numbers) +
           16.0 * static_cast<double>(t.pair_count);
  }
  return 8.0 * m.dimension * arrays * static_cast<double>(m.nodes) +
         4.0 * static_cast<double>(m.blocks) + 12.0 * count(m.layout.slots) +
         4.0 * count(m.layout.partners) + 16.0 * count(m.layout.own_alpha);
}

std::size_t TiledNetwork::bond_count() const {
  return impl_->bonds;
}

}  // namespace femflex::hamiltonian
