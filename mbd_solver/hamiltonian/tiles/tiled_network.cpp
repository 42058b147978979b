#include "tiles/tiled_network.h"

#include <algorithm>
#include <atomic>
#include <barrier>
#include <bit>
#include <cmath>
#include <cstring>
#include <thread>
#include <unordered_map>

#include "tiles/node_order.h"
#include "tiles/tile_kernel.h"

namespace femflex::hamiltonian {

using tiles::Pattern;
using tiles::Slot;

namespace {

constexpr std::size_t kLanes = 8;
constexpr std::size_t kStreamsFrom = 1000000;  // freedoms, 24 MB of state
constexpr std::size_t kMostPairs = 4096;

struct Aligned {
  explicit Aligned(std::size_t count = 0)
      : values(static_cast<double*>(
            count == 0 ? nullptr
                       : ::operator new[](count * sizeof(double), std::align_val_t(64)))) {
    std::fill_n(values.get(), count, 0.0);
  }
  struct Free {
    void operator()(double* p) const { ::operator delete[](p, std::align_val_t(64)); }
  };
  double* data() const { return values.get(); }
  std::unique_ptr<double[], Free> values;
};

struct HalfBond {
  std::int32_t partner;
  std::uint32_t pair;  // of coefficients
};

}  // namespace

struct TiledNetwork::Impl {
  int dimension = 3;
  std::size_t nodes = 0, blocks = 0, bonds = 0, shared = 0, slot_total = 0;
  std::vector<std::int32_t> place;  // new index of each node
  std::vector<std::uint32_t> pattern_of;
  std::vector<Pattern> patterns;
  std::vector<Slot> slots;
  std::vector<std::int32_t> partners;
  std::vector<double> alpha, beta;
  std::vector<double> own_alpha, own_beta;
  std::array<Aligned, 3> x, x_next, u, w, g;
  bool same_weight = true, same_pull = true;
  double weight = 0.0;
  std::array<double, 3> pull{};
  tiles::Runner runner = nullptr;

  void pair_up(std::span<const Bond> given, std::vector<std::uint32_t>& pair);
  void lay_out(std::span<const Bond> given);
  void weigh(const Input& input);
  tiles::Network view() const;
};

// Numbers the distinct pairs (alpha, beta).
void TiledNetwork::Impl::pair_up(std::span<const Bond> given, std::vector<std::uint32_t>& pair) {
  struct Key {
    std::uint64_t a, b;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Key& k) const {
      return static_cast<std::size_t>(
          (k.a ^ (k.b * 0x9e3779b97f4a7c15ULL)) * 0xff51afd7ed558ccdULL >> 11U);
    }
  };
  std::unordered_map<Key, std::uint32_t, Hash> known;
  pair.resize(given.size());
  Key last{0, 1};
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const Key key{std::bit_cast<std::uint64_t>(given[i].alpha),
                  std::bit_cast<std::uint64_t>(given[i].beta)};
    if (known.size() > kMostPairs) {  // hardly two alike: every bond keeps its own
      alpha.clear();
      beta.clear();
      for (std::size_t k = 0; k < given.size(); ++k) {
        pair[k] = static_cast<std::uint32_t>(k);
        alpha.push_back(given[k].alpha);
        beta.push_back(given[k].beta);
      }
      return;
    }
    if (!(key == last)) {
      const auto [it, fresh] = known.try_emplace(key, static_cast<std::uint32_t>(alpha.size()));
      if (fresh) {
        alpha.push_back(given[i].alpha);
        beta.push_back(given[i].beta);
      }
      number = it->second;
      last = key;
    }
    pair[i] = number;
  }
}

void TiledNetwork::Impl::lay_out(std::span<const Bond> given) {
  std::vector<std::uint32_t> pair;
  pair_up(given, pair);
  // all half-bonds of a node, by counting
  const std::size_t padded = blocks * kLanes;
  std::vector<std::uint32_t> start(padded + 1, 0);
  for (const Bond& bond : given) {
    ++start[static_cast<std::size_t>(place[static_cast<std::size_t>(bond.a)]) + 1];
    ++start[static_cast<std::size_t>(place[static_cast<std::size_t>(bond.b)]) + 1];
  }
  for (std::size_t i = 0; i < padded; ++i)
    start[i + 1] += start[i];
  std::vector<HalfBond> half(2 * given.size());
  std::vector<std::uint32_t> next(start.begin(), start.end() - 1);
  for (std::size_t i = 0; i < given.size(); ++i) {
    const std::int32_t a = place[static_cast<std::size_t>(given[i].a)];
    const std::int32_t b = place[static_cast<std::size_t>(given[i].b)];
    half[next[static_cast<std::size_t>(a)]++] = {b, pair[i]};
    half[next[static_cast<std::size_t>(b)]++] = {a, pair[i]};
  }
  for (std::size_t i = 0; i < padded; ++i)
    std::sort(half.begin() + start[i],
              half.begin() + start[i + 1],
              [](const HalfBond& p, const HalfBond& q) { return p.partner < q.partner; });

  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> known;  // patterns by hash
  pattern_of.resize(blocks);
  std::vector<Slot> mine;
  struct Candidate {
    std::int32_t distance;
    int count;
  };
  std::vector<Candidate> distances;
  for (std::size_t block = 0; block < blocks; ++block) {
    mine.clear();
    distances.clear();
    const std::size_t base = block * kLanes;
    std::array<std::uint32_t, kLanes> at{};
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      at[lane] = start[base + lane];
      for (std::uint32_t h = start[base + lane]; h < start[base + lane + 1]; ++h) {
        const std::int32_t d = half[h].partner - static_cast<std::int32_t>(base + lane);
        auto found = std::find_if(distances.begin(), distances.end(), [d](const Candidate& c) {
          return c.distance == d;
        });
        if (found == distances.end())
          distances.push_back({d, 1});
        else
          ++found->count;
      }
    }
    std::sort(distances.begin(), distances.end(), [](const Candidate& p, const Candidate& q) {
      return p.distance < q.distance;
    });
    std::array<std::vector<HalfBond>, kLanes> rest;  // what no shared distance takes
    bool plain = true;
    for (const Candidate& c : distances) {
      const std::int64_t low = static_cast<std::int64_t>(base) + c.distance;
      const bool fits =
          low >= 0 && low + static_cast<std::int64_t>(kLanes) <= static_cast<std::int64_t>(padded);
      const bool shares = c.count >= 3 && fits;
      Slot slot;
      slot.at = c.distance;
      std::array<std::uint32_t, kLanes> pairs{};
      bool same = true;
      std::uint32_t first = UINT32_MAX;
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        const std::uint32_t end = start[base + lane + 1];
        for (std::uint32_t h = at[lane]; h < end; ++h) {
          if (half[h].partner - static_cast<std::int32_t>(base + lane) != c.distance) continue;
          if (!shares || (slot.lanes >> lane & 1U) != 0) {  // or a second bond to the same partner
            rest[lane].push_back(half[h]);
            continue;
          }
          slot.lanes = static_cast<std::uint8_t>(slot.lanes | (1U << lane));
          pairs[lane] = half[h].pair;
          if (first == UINT32_MAX) first = half[h].pair;
          same = same && half[h].pair == first;
        }
      }
      if (slot.lanes == 0) continue;
      shared += static_cast<std::size_t>(std::popcount(slot.lanes));
      slot.coefficient = first;
      if (!same) {
        plain = false;
        slot.own_coefficients = true;
        slot.coefficient = static_cast<std::uint32_t>(own_alpha.size());
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
          const bool there = (slot.lanes >> lane & 1U) != 0;
          own_alpha.push_back(there ? alpha[pairs[lane]] : 0.0);
          own_beta.push_back(there ? beta[pairs[lane]] : 0.0);
        }
      }
      mine.push_back(slot);
    }
    std::size_t most = 0;
    for (const auto& list : rest)
      most = std::max(most, list.size());
    for (std::size_t k = 0; k < most; ++k) {
      plain = false;
      Slot slot;
      slot.gathers = true;
      slot.at = static_cast<std::int32_t>(partners.size());
      std::uint32_t first = UINT32_MAX;
      bool same = true;
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        const bool there = k < rest[lane].size();
        partners.push_back(there ? rest[lane][k].partner : static_cast<std::int32_t>(base + lane));
        if (!there) continue;
        slot.lanes = static_cast<std::uint8_t>(slot.lanes | (1U << lane));
        if (first == UINT32_MAX) first = rest[lane][k].pair;
        same = same && rest[lane][k].pair == first;
      }
      slot.coefficient = first;
      if (!same) {
        slot.own_coefficients = true;
        slot.coefficient = static_cast<std::uint32_t>(own_alpha.size());
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
          const bool there = k < rest[lane].size();
          own_alpha.push_back(there ? alpha[rest[lane][k].pair] : 0.0);
          own_beta.push_back(there ? beta[rest[lane][k].pair] : 0.0);
        }
      }
      mine.push_back(slot);
    }
    // the same surroundings as an earlier block?
    std::uint64_t hash = 1469598103934665603ULL;
    if (plain) {
      for (const Slot& slot : mine)
        hash = (hash ^
                (static_cast<std::uint32_t>(slot.at) + (std::uint64_t{slot.coefficient} << 32U) +
                 (std::uint64_t{slot.lanes} << 56U))) *
               1099511628211ULL;
      std::vector<std::uint32_t>& alike = known[hash];
      const auto found = std::find_if(alike.begin(), alike.end(), [&](std::uint32_t p) {
        return patterns[p].count == mine.size() &&
               std::equal(mine.begin(), mine.end(), slots.begin() + patterns[p].first);
      });
      if (found != alike.end()) {
        pattern_of[block] = *found;
        continue;
      }
      alike.push_back(static_cast<std::uint32_t>(patterns.size()));
    }
    pattern_of[block] = static_cast<std::uint32_t>(patterns.size());
    patterns.push_back(
        {static_cast<std::uint32_t>(slots.size()), static_cast<std::uint32_t>(mine.size())});
    slots.insert(slots.end(), mine.begin(), mine.end());
  }
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
  for (std::size_t d = 0; d < dim; ++d) {
    if (!same_weight) w[d] = Aligned(blocks * kLanes);
    if (!same_pull) g[d] = Aligned(blocks * kLanes);
    for (std::size_t i = 0; i < nodes; ++i) {
      const auto at = static_cast<std::size_t>(place[i]);
      if (!same_weight) w[d].data()[at] = in.inverse_mass[i * dim + d];
      if (!same_pull)
        g[d].data()[at] = in.constant_force[i * dim + d] * in.inverse_mass[i * dim + d];
    }
  }
}

tiles::Network TiledNetwork::Impl::view() const {
  tiles::Network n;
  n.pattern_of = pattern_of.data();
  n.patterns = patterns.data();
  n.slots = slots.data();
  n.partners = partners.data();
  n.alpha = alpha.data();
  n.beta = beta.data();
  n.own_alpha = own_alpha.data();
  n.own_beta = own_beta.data();
  n.weight = weight;
  n.streams = nodes * static_cast<std::size_t>(dimension) > kStreamsFrom;
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

TiledNetwork::TiledNetwork(const Input& input) : impl_(std::make_unique<Impl>()) {
  Impl& m = *impl_;
  m.dimension = input.dimension;
  const auto dim = static_cast<std::size_t>(input.dimension);
  m.nodes = input.positions.size() / dim;
  m.blocks = (m.nodes + kLanes - 1) / kLanes;
  m.bonds = input.bonds.size();
  const std::vector<std::int32_t> order = tiles::order_nodes(input);
  m.place.resize(m.nodes);
  for (std::size_t i = 0; i < m.nodes; ++i)
    m.place[static_cast<std::size_t>(order[i])] = static_cast<std::int32_t>(i);
  m.lay_out(input.bonds);
  for (std::size_t d = 0; d < dim; ++d) {
    m.x[d] = Aligned(m.blocks * kLanes);
    m.x_next[d] = Aligned(m.blocks * kLanes);
    m.u[d] = Aligned(m.blocks * kLanes);
  }
  m.weigh(input);
  m.runner = tiles::choose_runner(input.dimension);
}

TiledNetwork::~TiledNetwork() = default;

void TiledNetwork::load(std::span<const double> q, std::span<const double> u) {
  const auto dim = static_cast<std::size_t>(impl_->dimension);
  for (std::size_t i = 0; i < impl_->nodes; ++i) {
    const auto at = static_cast<std::size_t>(impl_->place[i]);
    for (std::size_t d = 0; d < dim; ++d) {
      impl_->x[d].data()[at] = q[i * dim + d];
      impl_->u[d].data()[at] = u[i * dim + d];
    }
  }
}

void TiledNetwork::store(std::span<double> q, std::span<double> u) const {
  const auto dim = static_cast<std::size_t>(impl_->dimension);
  for (std::size_t i = 0; i < impl_->nodes; ++i) {
    const auto at = static_cast<std::size_t>(impl_->place[i]);
    for (std::size_t d = 0; d < dim; ++d) {
      q[i * dim + d] = impl_->x[d].data()[at];
      u[i * dim + d] = impl_->u[d].data()[at];
    }
  }
}

void TiledNetwork::accelerations(std::span<double> out) {
  Impl& m = *impl_;
  tiles::Network n = m.view();
  for (std::size_t d = 0; d < static_cast<std::size_t>(m.dimension); ++d)
    n.acceleration[d] = m.x_next[d].data();  // free between steps
  (void)m.runner(n, 0, static_cast<std::int64_t>(m.blocks), 0.0);
  const auto dim = static_cast<std::size_t>(m.dimension);
  for (std::size_t i = 0; i < m.nodes; ++i) {
    for (std::size_t d = 0; d < dim; ++d)
      out[i * dim + d] = m.x_next[d].data()[static_cast<std::size_t>(m.place[i])];
  }
}

std::int64_t TiledNetwork::advance(std::int64_t steps, double h, int threads) {
  Impl& m = *impl_;
  const auto blocks = static_cast<std::int64_t>(m.blocks);
  const auto workers = static_cast<std::int64_t>(std::clamp<std::size_t>(
      static_cast<std::size_t>(std::max(1, threads)), 1, std::max<std::size_t>(1, m.blocks / 64)));
  std::atomic<bool> healthy = true;
  std::int64_t done = 0;
  std::barrier barrier(workers, [&]() noexcept {
    m.x.swap(m.x_next);
    if (healthy) ++done;
  });
  const auto work = [&](std::int64_t worker) {
    for (std::int64_t step = 0; step < steps && healthy; ++step) {
      const tiles::Network n = m.view();
      const bool fine = m.runner(n, blocks * worker / workers, blocks * (worker + 1) / workers, h);
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
  return impl_->bonds == 0
             ? 0.0
             : static_cast<double>(impl_->shared) / (2.0 * static_cast<double>(impl_->bonds));
}

double TiledNetwork::bytes_per_step() const {
  const Impl& m = *impl_;
  const double per_node =
      8.0 * m.dimension * (4.0 + (m.same_weight ? 0.0 : 1.0) + (m.same_pull ? 0.0 : 1.0)) +
      8.0 * m.dimension;  // a store fetches its line first
  return per_node * static_cast<double>(m.nodes) + 4.0 * static_cast<double>(m.blocks) +
         12.0 * static_cast<double>(m.slots.size()) + 4.0 * static_cast<double>(m.partners.size()) +
         16.0 * static_cast<double>(m.own_alpha.size());
}

std::size_t TiledNetwork::bond_count() const {
  return impl_->bonds;
}

}  // namespace femflex::hamiltonian
