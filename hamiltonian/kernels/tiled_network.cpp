// Chooses a layout (blocks, planes of blocks, or tiles), and runs the steps on worker threads.
#include "kernels/tiled_network.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <optional>
#include <vector>

#include "femflex/parallel.h"

#include "kernels/aligned.h"
#include "kernels/block_layout.h"
#include "kernels/bond_tiles.h"
#include "kernels/gate.h"
#include "kernels/node_order.h"
#include "kernels/planes.h"
#include "kernels/strips.h"
#include "kernels/wavefront.h"

namespace femflex::hamiltonian {

using tiles::Aligned;
using tiles::kLanes;

namespace {

// number of DOFs from which on stores bypass the caches; 24 MB of state
constexpr std::size_t kStreamsFrom = 1000000;
constexpr std::int64_t kChunk = 256;  // chunk in blocks, see kernels/wavefront.h
constexpr double kCacheBytes = 6e6;   // cache that the steps of a pass may use [bytes]
constexpr int kMaxSteps = 16;         // maximum number of steps per pass
// size from which on a plane exceeds the second-level cache [bytes]
constexpr double kLargePlane = 1e6;
// share of regular bonds above which blocks are faster
constexpr double kRegular = 0.85;

}  // namespace

// There are two layouts. Blocks, for regular lattices: x, y, z in separate arrays, eight nodes at a
// time. Tiles of bonds, for any other network: x, y, z of a node side by side, all in the first of
// the three arrays.
struct TiledNetwork::Impl {
  int dimension = 3;
  std::size_t nodes = 0, blocks = 0, bonds = 0;
  std::vector<std::int32_t> place;  // new index of each node
  tiles::Pairs pairs;
  tiles::BlockLayout layout;
  std::optional<tiles::Planes> planes;  // planes of the layout, if it has any
  std::optional<tiles::BondTiles> bond_tiles;
  std::array<Aligned, 3> x, x_next, u, w, g;
  bool same_weight = true, same_pull = true;
  double weight = 0.0;
  std::array<double, 3> pull{};
  tiles::Runner runner = nullptr;
  tiles::BondRunner bond_runner = nullptr;

  void lay_out(const Input& in);
  void find_planes(const Input& in);
  void weigh(const Input& in);
  bool streams() const { return nodes * static_cast<std::size_t>(dimension) > kStreamsFrom; }
  tiles::Network view() const;
  tiles::BondNetwork bond_view() const;
  std::size_t stride() const { return static_cast<std::size_t>(tiles::bond_stride(dimension)); }
  /// @param array  0..4, index among the arrays that a step streams through
  std::array<Aligned, 3> zeros(std::size_t array) const;
  double bytes_of_block() const {
    return 24.0 * kLanes * dimension +
           16.0 * static_cast<double>(layout.own_alpha.size()) / static_cast<double>(blocks) +
           128.0 * static_cast<double>(layout.row_count);
  }
  double& at(const std::array<Aligned, 3>& values, std::size_t node, std::size_t axis) const {
    const auto to = static_cast<std::size_t>(place[node]);
    return bond_tiles ? values[0].data()[to * stride() + axis] : values[axis].data()[to];
  }
  std::size_t workers(int threads) const;
  tiles::Wavefront wavefront(std::size_t workers) const;
  int steps_per_pass() const;
  /// Makes one step of units first..last. @return whether all velocities stayed finite
  bool run(std::int64_t first,
           std::int64_t last,
           double h,
           bool odd,
           bool streaming,
           double* scratch) const;
  Aligned scratch() const { return Aligned(2 * stride() * bond_tiles->largest); }
};

void TiledNetwork::Impl::lay_out(const Input& in) {
  pairs = tiles::find_pairs(in.bonds);
  const tiles::NodeOrder order = tiles::order_nodes(in);
  if (order.is_regular || dimension == 1) {
    place = tiles::places(order.nodes);
    find_planes(in);
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
    planes.reset();
    place = std::move(bond_tiles->place);
  } else if (place.empty()) {
    place = tiles::places(order.nodes);
    layout = tiles::lay_out_blocks(in.bonds, place, blocks, pairs);
  }
}

/// Finds planes if they are too large for the second-level cache. Smaller planes are processed one
/// after the other within it.
void TiledNetwork::Impl::find_planes(const Input& in) {
  if (dimension < 3) return;
  const auto found = tiles::find_planes(in.bonds, place);
  if (!found) return;
  const bool own_constants = 2 * pairs.alpha.size() > bonds;
  const double bonds_of_node = static_cast<double>(bonds) / static_cast<double>(nodes);
  const double bytes = 24.0 * dimension + (own_constants ? 16.0 * bonds_of_node : 0.0);
  if (bytes * found->nodes < kLargePlane) return;
  planes = tiles::spread(*found, place);
  blocks =
      static_cast<std::size_t>(planes->count) * (static_cast<std::size_t>(planes->pitch) / kLanes);
}

std::array<Aligned, 3> TiledNetwork::Impl::zeros(std::size_t array) const {
  std::array<Aligned, 3> out;
  if (bond_tiles) {
    out[0] = Aligned(stride() * nodes, 3 * array);
  } else {
    for (std::size_t d = 0; d < static_cast<std::size_t>(dimension); ++d)
      out[d] = Aligned(blocks * kLanes, 3 * array + d);
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
  if (!same_weight) w = zeros(3);
  if (!same_pull) g = zeros(4);
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
  n.rows = layout.rows.data();
  n.row_count = static_cast<std::int64_t>(layout.row_count);
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

std::size_t TiledNetwork::Impl::workers(int threads) const {
  const std::size_t parts = bond_tiles ? bond_tiles->tiles.size()
                            : planes   ? tiles::Strips::max_workers(*planes)
                                       : blocks / 64;
  return std::clamp<std::size_t>(
      static_cast<std::size_t>(std::max(1, threads)), 1, std::max<std::size_t>(1, parts));
}

tiles::Wavefront TiledNetwork::Impl::wavefront(std::size_t workers) const {
  std::vector<std::int64_t> bounds;
  for (std::size_t k = 0; k <= workers; ++k)
    bounds.push_back(bond_tiles ? bond_tiles->first_of(static_cast<std::int64_t>(k),
                                                       static_cast<std::int64_t>(workers))
                                : static_cast<std::int64_t>(blocks * k / workers));
  return {std::move(bounds), bond_tiles ? 0 : layout.reach, bond_tiles ? 1 : kChunk};
}

int TiledNetwork::Impl::steps_per_pass() const {
  if (bond_tiles) return 1;
  const double step = bytes_of_block() * static_cast<double>(layout.reach + 1);
  return std::clamp(static_cast<int>(kCacheBytes / step), 1, kMaxSteps);
}

bool TiledNetwork::Impl::run(std::int64_t first,
                             std::int64_t last,
                             double h,
                             bool odd,
                             bool streaming,
                             double* scratch) const {
  if (bond_tiles) {
    tiles::BondNetwork n = bond_view();
    if (odd) {
      n.x = x_next[0].data();
      n.x_next = x[0].data();
    }
    n.streams = n.streams && streaming;
    return bond_runner(n, first, last, h, scratch);
  }
  tiles::Network n = view();
  for (std::size_t d = 0; odd && d < 3; ++d) {
    n.x[d] = x_next[d].data();
    n.x_next[d] = x[d].data();
  }
  n.streams = n.streams && streaming;
  return runner(n, first, last, h);
}

TiledNetwork::TiledNetwork(const Input& input) : impl_(std::make_unique<Impl>()) {
  Impl& m = *impl_;
  m.dimension = input.dimension;
  m.nodes = input.positions.size() / static_cast<std::size_t>(input.dimension);
  m.blocks = (m.nodes + kLanes - 1) / kLanes;
  m.bonds = input.bonds.size();
  m.lay_out(input);
  m.x = m.zeros(0);
  m.x_next = m.zeros(1);
  m.u = m.zeros(2);
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
  const auto workers = m.workers(threads);
  const tiles::Wavefront wave = m.wavefront(workers);
  std::optional<tiles::Strips> strips;
  if (m.planes) strips.emplace(*m.planes, m.bytes_of_block(), workers);
  const int most = strips ? strips->steps() : wave.steps(m.steps_per_pass());
  std::atomic<std::int64_t> bad = steps;  // the first step with a velocity that is not finite
  tiles::Gate gate(workers);
  std::vector<Aligned> scratch(workers);
  if (m.bond_tiles) std::generate(scratch.begin(), scratch.end(), [&] { return m.scratch(); });
  // noexcept, because other workers wait at the gate
  const auto work = [&](std::size_t worker) noexcept {
    for (std::int64_t step = 0; step < steps;) {
      const int count = static_cast<int>(std::min<std::int64_t>(most, steps - step));
      const auto run = [&](int s, std::int64_t first, std::int64_t last) {
        if (m.run(first, last, h, (step + s) % 2 != 0, count == 1, scratch[worker].data())) return;
        std::int64_t known = bad;
        while (step + s < known && !bad.compare_exchange_weak(known, step + s)) {
        }
      };
      if (strips)
        strips->run_share(worker, step / most, count, run);
      else
        wave.run_share(worker, count, run);
      gate.arrive_and_wait();
      for (int s = 1; s < count && workers > 1 && !strips; ++s) {
        wave.run_seams(worker, s, run);
        gate.arrive_and_wait();
      }
      step += count;
      // all workers see the same, because later passes write no value smaller than `step`
      if (bad < step) break;
    }
  };
  run_together(static_cast<int>(workers),
               [&](int worker) { work(static_cast<std::size_t>(worker)); });
  const std::int64_t done = bad;
  const std::int64_t passed = done < steps ? std::min(steps, (done / most + 1) * most) : steps;
  if (passed % 2 != 0) m.x.swap(m.x_next);
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
  // x and u are read, u and x_next written; a store fetches its cache line first unless it bypasses
  // the caches
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
         4.0 * count(m.layout.partners) + 16.0 * count(m.layout.own_alpha) +
         8.0 * count(m.layout.rows);
}

std::size_t TiledNetwork::bond_count() const {
  return impl_->bonds;
}

}  // namespace femflex::hamiltonian
