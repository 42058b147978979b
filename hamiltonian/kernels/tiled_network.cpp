// Makes leapfrog steps of a network of springs on worker threads. Chooses how its nodes are stored:
// in blocks of eight nodes, in planes of such blocks, or in tiles of neighbouring nodes.
#include "kernels/tiled_network.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>
#include <optional>
#include <vector>

#include "femflex/parallel.h"

#include "kernels/aligned.h"
#include "kernels/block_layout.h"
#include "kernels/bond_tiles.h"
#include "kernels/damper_kernel.h"
#include "kernels/drives.h"
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
// size from which on a plane exceeds the second-level cache [bytes]
constexpr double kLargePlane = 1e6;
// share of regular bonds above which blocks are faster
constexpr double kRegular = 0.85;

/// A worker's room for a tile, the tiles that it computes, and the parked ones that it finishes.
struct Worker {
  Aligned scratch;
  std::int64_t first_tile = 0, end_tile = 0;
  std::vector<std::int64_t> finishes;
};

}  // namespace

// There are two layouts. Regular lattices are stored in blocks of eight nodes: x, y, z in separate
// arrays. Any other network is stored in tiles: x, y, z of a node side by side, all in the first of
// the three arrays.
struct TiledNetwork::Impl {
  int dimension = 3;
  std::size_t nodes = 0, blocks = 0, bonds = 0;
  std::vector<std::int32_t> place;               // new index of each node
  tiles::PairLaw law = tiles::PairLaw::quartic;  // of all bonds in blocks
  bool is_supported = true;                      // false: no layout takes this network
  tiles::Pairs pairs;
  tiles::BlockLayout layout;
  std::optional<tiles::Planes> planes;  // planes of the layout, if it has any
  std::optional<tiles::BondTiles> bond_tiles;
  // positions before and after a step (tiles move their nodes in x), velocities at half steps; 1/m
  // and constant accelerations, which are empty if they are the same for all nodes
  std::array<Aligned, 3> x, x_next, u, w, g;
  bool same_mass = true, same_acceleration = true;
  double inverse_mass = 0.0;
  std::array<double, 3> constant_acceleration{};
  tiles::Runner runner = nullptr;
  std::array<tiles::BondRunners, 3> passes;  // of a step of tiles; two of dampers, if there are any
  tiles::CurveLaws curves;
  bool has_dampers = false;
  Aligned v, half_way, a, rate, half_mass;  // of tiles::Dampers, if there are any
  Aligned mail, parked;                     // of tiles::BondNetwork
  double h = 0.0;                           // [s]
  std::vector<double> rates;                // c/m of friction, per DOF [1/s]; empty: none
  tiles::Friction friction;
  std::array<Aligned, 3> keep, loss;  // Friction of each DOF, if it differs
  bool same_friction = true;
  std::vector<double> lost;  // energy lost in each tile or block [J]
  tiles::Drives drives;

  void lay_out(const Input& in);
  void find_planes(const Input& in);
  void set_masses(const Input& in);
  bool streams() const { return nodes * static_cast<std::size_t>(dimension) > kStreamsFrom; }
  tiles::Network view();
  tiles::BondNetwork bond_view(std::int64_t first_tile);
  std::size_t stride() const { return static_cast<std::size_t>(tiles::bond_stride(dimension)); }
  /// An array of zeros for all DOFs.
  /// @param array  number of the array among those that a step streams through, from 0
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
  /// Divides the tiles, and those that will be parked, among workers.
  std::vector<Worker> crew(std::size_t workers) const;
  int steps_per_pass() const;
  void add_drives(const Input& in);
  void set_friction();
  std::array<tiles::AxisArrays, 3> axes(bool odd) const;
  /// Makes the s-th step of a pass over memory, of the blocks from `first` to before `last`.
  /// @param is_odd     true: positions are read from x_next and written to x
  /// @param streaming  true: positions may be written without passing the caches
  /// @return whether all velocities stayed finite
  bool run_blocks(std::int64_t first, std::int64_t last, int s, bool is_odd, bool streaming);
  /// Makes one pass of a step of a worker's tiles: the only one, or, with dampers, the kick and the
  /// two passes of tiles::DamperRunners. Parked tiles are left to finish_parked().
  bool run_tiles(int pass, const Worker& worker);
  /// Finishes a pass of a worker's part of the parked tiles; all workers must have run theirs.
  bool finish_parked(int pass, const Worker& worker);
  /// Applies the loads and motions of a tile after a pass of its step.
  void drive_tile(const tiles::BondTile& tile, int pass);
  int pass_count() const { return has_dampers ? 3 : 1; }
  void set_dampers(const Input& in);
  Aligned scratch() const { return Aligned(3 * stride() * bond_tiles->largest_tile); }
};

void TiledNetwork::Impl::lay_out(const Input& in) {
  const bool mixes = std::any_of(in.bonds.begin(), in.bonds.end(), [&](const Bond& bond) {
    return bond.law != in.bonds[0].law || !is_for_blocks(bond.law);
  });
  tiles::NodeOrder order;
  if (!mixes) {
    if (!in.bonds.empty()) law = in.bonds[0].law;
    pairs = tiles::find_pairs(in.bonds);
    order = tiles::order_nodes(in);
  }
  if (order.is_regular) {
    place = tiles::places(order.nodes);
    find_planes(in);
    layout = tiles::lay_out_blocks(in.bonds, place, blocks, pairs);
  }
  const double regular = 2.0 * kRegular * static_cast<double>(bonds);
  if (order.is_regular && static_cast<double>(layout.shared) > regular) return;
  bond_tiles =
      tiles::tile_bonds(in.bonds, tiles::order_for_tiles(in, tiles::tile_size(nodes)), dimension);
  if (bond_tiles) {
    layout = {};
    planes.reset();
    place = std::move(bond_tiles->place);
  } else if (mixes) {
    is_supported = false;
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

void TiledNetwork::Impl::set_masses(const Input& in) {
  const auto dim = static_cast<std::size_t>(dimension);
  inverse_mass = in.inverse_mass[0];
  for (std::size_t d = 0; d < dim; ++d)
    constant_acceleration[d] = in.constant_force[d] * in.inverse_mass[d];
  for (std::size_t i = 0; i < nodes * dim; ++i) {
    same_mass = same_mass && in.inverse_mass[i] == inverse_mass;
    same_acceleration = same_acceleration &&
                        in.constant_force[i] * in.inverse_mass[i] == constant_acceleration[i % dim];
  }
  if (!same_mass) w = zeros(3);
  if (!same_acceleration) g = zeros(4);
  for (std::size_t i = 0; i < nodes; ++i) {
    for (std::size_t d = 0; d < dim; ++d) {
      if (!same_mass) at(w, i, d) = in.inverse_mass[i * dim + d];
      if (!same_acceleration)
        at(g, i, d) = in.constant_force[i * dim + d] * in.inverse_mass[i * dim + d];
    }
  }
}

tiles::Network TiledNetwork::Impl::view() {
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
  n.inverse_mass = inverse_mass;
  n.streams = streams();
  for (std::size_t d = 0; d < 3; ++d) {
    n.x[d] = x[d].data();
    n.x_next[d] = x_next[d].data();
    n.u[d] = u[d].data();
    n.w[d] = w[d].data();
    n.g[d] = g[d].data();
    n.constant_acceleration[d] = constant_acceleration[d];
    n.keep[d] = keep[d].data();
    n.loss[d] = loss[d].data();
  }
  n.friction = friction;
  n.lost_in_block = lost.data();
  return n;
}

tiles::BondNetwork TiledNetwork::Impl::bond_view(std::int64_t first_tile) {
  tiles::BondNetwork n = bond_tiles->view();
  n.x = x[0].data();
  n.first_tile = first_tile;
  n.u = u[0].data();
  n.w = w[0].data();
  n.g = g[0].data();
  n.inverse_mass = inverse_mass;
  std::copy(constant_acceleration.begin(), constant_acceleration.end(), n.constant_acceleration);
  n.friction = friction;
  n.keep = keep[0].data();
  n.loss = loss[0].data();
  n.lost_in_tile = lost.data();
  n.curves = curves;
  n.mail = mail.data();
  n.parked = parked.data();
  if (has_dampers) n.dampers = {v.data(), half_way.data(), a.data(), rate.data(), half_mass.data()};
  return n;
}

std::size_t TiledNetwork::Impl::workers(int threads) const {
  const std::size_t parts = bond_tiles ? bond_tiles->tiles.size()
                            : planes   ? tiles::Strips::max_workers(*planes)
                                       : blocks / 64;
  return std::clamp<std::size_t>(
      static_cast<std::size_t>(std::max(1, threads)), 1, std::max<std::size_t>(1, parts));
}

std::vector<Worker> TiledNetwork::Impl::crew(std::size_t workers) const {
  std::vector<Worker> out(workers);
  if (!bond_tiles) return out;
  for (std::size_t k = 0; k < workers; ++k) {
    const auto first_of = [&](std::size_t part) {
      return bond_tiles->first_of(static_cast<std::int64_t>(part),
                                  static_cast<std::int64_t>(workers));
    };
    Worker& worker = out[k];
    worker.scratch = scratch();
    worker.first_tile = first_of(k);
    worker.end_tile = first_of(k + 1);
  }
  std::vector<std::int64_t> waiting;
  for (const Worker& worker : out)
    for (std::int64_t t = worker.first_tile; t < worker.end_tile; ++t)
      if (tiles::is_parked(bond_tiles->tiles[static_cast<std::size_t>(t)], worker.first_tile))
        waiting.push_back(t);
  for (std::size_t i = 0; i < waiting.size(); ++i)
    out[i * workers / waiting.size()].finishes.push_back(waiting[i]);
  return out;
}

tiles::Wavefront TiledNetwork::Impl::wavefront(std::size_t workers) const {
  std::vector<std::int64_t> bounds;
  for (std::size_t k = 0; k <= workers; ++k)
    bounds.push_back(static_cast<std::int64_t>(blocks * k / workers));
  return {std::move(bounds), layout.reach, kChunk};
}

int TiledNetwork::Impl::steps_per_pass() const {
  const double step = bytes_of_block() * static_cast<double>(layout.reach + 1);
  return std::clamp(static_cast<int>(tiles::kCacheBytes / step), 1, tiles::kMaxStepsPerPass);
}

bool TiledNetwork::Impl::run_blocks(
    std::int64_t first, std::int64_t last, int s, bool is_odd, bool streaming) {
  tiles::Network n = view();
  for (std::size_t d = 0; is_odd && d < 3; ++d) {
    n.x[d] = x_next[d].data();
    n.x_next[d] = x[d].data();
  }
  n.streams = n.streams && streaming;
  if (drives.empty()) return runner(n, first, last, h);
  const std::int64_t low = first * static_cast<std::int64_t>(kLanes);
  const std::int64_t high = last * static_cast<std::int64_t>(kLanes);
  const std::array<tiles::AxisArrays, 3> arrays = axes(is_odd);
  drives.before(s, low, high, arrays.data(), 1, h);
  const bool is_sound = runner(n, first, last, h);
  drives.after(s, low, high, arrays.data(), 1, h);
  return is_sound;
}

bool TiledNetwork::Impl::run_tiles(int pass, const Worker& worker) {
  const tiles::BondNetwork n = bond_view(worker.first_tile);
  const std::array<tiles::AxisArrays, 3> arrays = axes(false);
  const auto step = static_cast<std::int64_t>(stride());
  bool is_sound = true;
  for (std::int64_t t = worker.first_tile; t < worker.end_tile; ++t) {
    const tiles::BondTile& tile = n.tiles[t];
    if (pass == 0 && !drives.empty())
      drives.before(0, tile.first, tile.first + tile.nodes, arrays.data(), step, h);
    is_sound =
        passes[static_cast<std::size_t>(pass)].compute(n, t, t + 1, h, worker.scratch.data()) &&
        is_sound;
    if (!tiles::is_parked(tile, n.first_tile)) drive_tile(tile, pass);
  }
  return is_sound;
}

bool TiledNetwork::Impl::finish_parked(int pass, const Worker& worker) {
  const tiles::BondNetwork n = bond_view(worker.first_tile);
  bool is_sound = true;
  for (const std::int64_t t : worker.finishes) {
    is_sound = passes[static_cast<std::size_t>(pass)].finish(n, t, h) && is_sound;
    drive_tile(n.tiles[t], pass);
  }
  return is_sound;
}

void TiledNetwork::Impl::drive_tile(const tiles::BondTile& tile, int pass) {
  if (drives.empty()) return;
  const auto step = static_cast<std::int64_t>(stride());
  const std::int64_t end = tile.first + tile.nodes;
  if (pass + 1 == pass_count()) {
    drives.after(0, tile.first, end, axes(false).data(), step, h);
    return;
  }
  std::array<double*, 3> speeds{};
  for (std::size_t d = 0; d < static_cast<std::size_t>(dimension); ++d)
    speeds[d] = (pass == 0 ? v : half_way).data() + d;
  drives.set_speeds(0, tile.first, end, speeds.data(), step);
}

std::array<tiles::AxisArrays, 3> TiledNetwork::Impl::axes(bool odd) const {
  std::array<tiles::AxisArrays, 3> out;
  for (std::size_t d = 0; d < static_cast<std::size_t>(dimension); ++d) {
    const std::size_t array = bond_tiles ? 0 : d;
    const std::size_t offset = bond_tiles ? d : 0;
    double* const even_x = x[array].data() + offset;
    double* const odd_x = bond_tiles ? even_x : x_next[array].data() + offset;
    out[d] = {odd ? odd_x : even_x,
              odd ? even_x : odd_x,
              u[array].data() + offset,
              has_dampers ? a.data() + offset : nullptr};
  }
  return out;
}

void TiledNetwork::Impl::add_drives(const Input& in) {
  const auto dim = static_cast<std::int32_t>(dimension);
  const auto dofs_of = [&](std::span<const std::int32_t> list) {
    std::vector<tiles::Drives::Dof> out;
    for (const std::int32_t dof : list)
      out.push_back({place[static_cast<std::size_t>(dof / dim)],
                     static_cast<std::uint8_t>(dof % dim),
                     in.inverse_mass[static_cast<std::size_t>(dof)]});
    return out;
  };
  drives = tiles::Drives(
      dofs_of(in.loaded), dofs_of(in.prescribed), dofs_of(in.observed), tiles::kMaxStepsPerPass);
}

void TiledNetwork::Impl::set_dampers(const Input& in) {
  const auto dim = static_cast<std::size_t>(dimension);
  const auto make = [&](std::size_t colour) { return Aligned(stride() * nodes, colour); };
  v = make(15);
  half_way = make(14);
  a = make(13);
  half_mass = make(12);
  if (!rates.empty()) rate = make(11);
  const auto index = [&](std::size_t dof) {
    return static_cast<std::size_t>(place[dof / dim]) * stride() + dof % dim;
  };
  for (std::size_t dof = 0; dof < nodes * dim; ++dof) {
    if (in.inverse_mass[dof] != 0.0) half_mass.data()[index(dof)] = 0.5 / in.inverse_mass[dof];
    if (!rates.empty()) rate.data()[index(dof)] = rates[dof];
  }
  for (const std::int32_t dof : in.prescribed)  // their energy is part of the work of the supports
    half_mass.data()[index(static_cast<std::size_t>(dof))] = 0.0;
}

void TiledNetwork::Impl::set_friction() {
  if (rates.empty() || has_dampers) return;
  const auto dim = static_cast<std::size_t>(dimension);
  const auto inverse_mass_of = [&](std::size_t dof) {
    return same_mass ? inverse_mass : at(w, dof / dim, dof % dim);
  };
  const auto of = [&](std::size_t dof) {
    const double once = std::exp(-rates[dof] * h);
    const double inverse = inverse_mass_of(dof);
    return tiles::Friction{true, once, inverse == 0.0 ? 0.0 : 0.5 * (1.0 - once * once) / inverse};
  };
  friction = {};
  same_friction = true;
  for (std::size_t dof = 0; dof < rates.size(); ++dof) {
    if (inverse_mass_of(dof) == 0.0) continue;  // a fixed DOF has no velocity
    const tiles::Friction one = of(dof);
    if (!friction.is_active) friction = one;
    same_friction = same_friction && one.keep == friction.keep && one.loss == friction.loss;
  }
  friction.is_active = true;
  if (same_friction) return;
  keep = zeros(5);
  loss = zeros(6);
  for (std::size_t dof = 0; dof < rates.size(); ++dof) {
    const tiles::Friction one = of(dof);
    at(keep, dof / dim, dof % dim) = one.keep;
    at(loss, dof / dim, dof % dim) = one.loss;
  }
}

TiledNetwork::TiledNetwork(const Input& input) : impl_(std::make_unique<Impl>()) {
  Impl& m = *impl_;
  m.dimension = input.dimension;
  m.nodes = input.positions.size() / static_cast<std::size_t>(input.dimension);
  m.blocks = (m.nodes + kLanes - 1) / kLanes;
  m.bonds = input.bonds.size();
  m.curves = input.curves;
  m.has_dampers = std::any_of(input.bonds.begin(), input.bonds.end(), [](const Bond& bond) {
    return bond.law == tiles::PairLaw::damper;
  });
  m.lay_out(input);
  if (!m.is_supported) return;
  m.x = m.zeros(0);
  if (!m.bond_tiles) m.x_next = m.zeros(1);
  m.u = m.zeros(2);
  if (m.bond_tiles) m.mail = Aligned(m.stride() * m.bond_tiles->halo.size(), 1);
  m.set_masses(input);
  m.add_drives(input);
  m.rates.assign(input.damping_rate.begin(), input.damping_rate.end());
  if (m.has_dampers) m.set_dampers(input);
  if (!m.rates.empty() || m.has_dampers)
    m.lost.assign(m.bond_tiles ? m.bond_tiles->tiles.size() : m.blocks, 0.0);
  m.runner = tiles::choose_runner(input.dimension, m.law);
  const tiles::DamperRunners dampers = tiles::choose_damper_runners(input.dimension);
  m.passes = {tiles::choose_bond_runners(input.dimension), dampers.halfway, dampers.whole};
}

bool TiledNetwork::is_supported() const {
  return impl_->is_supported;
}

TiledNetwork::~TiledNetwork() = default;

void TiledNetwork::set_step(double h) {
  if (impl_->h == h) return;
  impl_->h = h;
  impl_->set_friction();
}

TiledNetwork::Work TiledNetwork::work() const {
  const std::vector<double>& lost = impl_->lost;
  return {std::accumulate(lost.begin(), lost.end(), 0.0),
          impl_->drives.load_work(),
          impl_->drives.support_work()};
}

std::vector<double> TiledNetwork::last_moves() const {
  return impl_->drives.last_moves();
}

void TiledNetwork::set_state(std::span<const double> q, std::span<const double> u) {
  impl_->drives.restart();
  const auto dim = static_cast<std::size_t>(impl_->dimension);
  for (std::size_t i = 0; i < impl_->nodes; ++i) {
    for (std::size_t d = 0; d < dim; ++d) {
      impl_->at(impl_->x, i, d) = q[i * dim + d];
      impl_->at(impl_->u, i, d) = u[i * dim + d];
    }
  }
}

void TiledNetwork::state(std::span<double> q, std::span<double> u) const {
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
  if (m.bond_tiles) {
    if (m.x_next[0].size() == 0) m.x_next = m.zeros(1);
    tiles::BondNetwork n = m.bond_view(0);
    n.acceleration = m.x_next[0].data();
    (void)m.passes[0].compute(n, 0, n.tile_count, 0.0, m.scratch().data());
  } else {  // x_next is free between steps
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

std::int64_t TiledNetwork::advance(std::int64_t steps, int threads, const DriveStep& drive) {
  Impl& m = *impl_;
  const auto workers = m.workers(threads);
  std::optional<tiles::Wavefront> wave;
  if (!m.bond_tiles) wave = m.wavefront(workers);
  std::optional<tiles::Strips> strips;
  if (m.planes) strips.emplace(*m.planes, m.bytes_of_block(), workers);
  const int possible = strips ? strips->steps() : wave ? wave->steps(m.steps_per_pass()) : 1;
  const int most = m.drives.needs_positions() ? 1 : possible;
  std::atomic<std::int64_t> bad = steps;  // the first step with a velocity that is not finite
  tiles::Gate gate(workers);
  const std::vector<Worker> crew = m.crew(workers);
  if (m.bond_tiles && workers > 1 && m.parked.size() == 0)
    m.parked = Aligned(m.stride() * m.nodes, 2);
  const auto tell = [&bad](std::int64_t step) {
    std::int64_t known = bad;
    while (step < known && !bad.compare_exchange_weak(known, step)) {
    }
  };
  // noexcept, because other workers wait at the gate
  const auto work = [&](std::size_t worker) noexcept {
    for (std::int64_t step = 0; step < steps;) {
      const int count = static_cast<int>(std::min<std::int64_t>(most, steps - step));
      if (!m.drives.empty()) {
        if (worker == 0)
          m.drives.read_positions(m.axes(!m.bond_tiles && step % 2 != 0).data(),
                                  m.bond_tiles ? static_cast<std::int64_t>(m.stride()) : 1);
        for (int s = 0; worker == 0 && s < count; ++s)
          drive(step + s, m.drives.of(s));
        gate.arrive_and_wait();
      }
      const auto run = [&](int s, std::int64_t first, std::int64_t last) {
        if (!m.run_blocks(first, last, s, (step + s) % 2 != 0, count == 1)) tell(step + s);
      };
      for (int pass = 0; m.bond_tiles && pass < m.pass_count(); ++pass) {
        if (pass > 0) gate.arrive_and_wait();
        if (!m.run_tiles(pass, crew[worker])) tell(step);
        if (workers == 1) continue;
        gate.arrive_and_wait();
        if (!m.finish_parked(pass, crew[worker])) tell(step);
      }
      if (strips)
        strips->run_share(worker, step / most, count, run);
      else if (wave)
        wave->run_share(worker, count, run);
      gate.arrive_and_wait();
      for (int s = 1; s < count && workers > 1 && !strips; ++s) {
        wave->run_seams(worker, s, run);
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
  if (!m.bond_tiles && passed % 2 != 0) m.x.swap(m.x_next);
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
  // x and u are read and written; a store to x_next fetches its cache line first unless it bypasses
  // the caches
  const double arrays = (m.bond_tiles || m.streams() ? 4.0 : 5.0) + (m.same_mass ? 0.0 : 1.0) +
                        (m.same_acceleration ? 0.0 : 1.0);
  if (m.bond_tiles) {
    const tiles::BondTiles& t = *m.bond_tiles;
    return 8.0 * static_cast<double>(m.stride()) * arrays * static_cast<double>(m.nodes) +
           (4.0 + 16.0 * static_cast<double>(m.stride())) * count(t.halo) +
           2.0 * count(t.partners) + 8.0 * static_cast<double>(t.constants.size());
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
