#include "tiles/block_layout.h"

#include <algorithm>
#include <array>
#include <bit>
#include <unordered_map>

namespace femflex::hamiltonian::tiles {
namespace {

constexpr std::size_t kMostPairs = 4096;

struct HalfBond {
  std::int32_t partner;
  std::uint32_t pair;  // of coefficients
};

}  // namespace

Pairs pair_up(std::span<const Bond> given) {
  Pairs out;
  auto& [alpha, beta, pair] = out;
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
      return out;
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
  return out;
}

BlockLayout lay_out_blocks(std::span<const Bond> given,
                           std::span<const std::int32_t> place,
                           std::size_t blocks,
                           const Pairs& pairs_of) {
  const auto& [alpha, beta, pair] = pairs_of;
  BlockLayout out;
  auto& [pattern_of, patterns, slots, partners, own_alpha, own_beta, shared] = out;
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
  std::vector<std::int32_t> all;
  std::vector<bool> taken;
  for (std::size_t block = 0; block < blocks; ++block) {
    mine.clear();
    distances.clear();
    const std::size_t base = block * kLanes;
    const auto distance_of = [&](std::size_t lane, std::uint32_t h) {
      return half[h].partner - static_cast<std::int32_t>(base + lane);
    };
    all.clear();
    for (std::size_t lane = 0; lane < kLanes; ++lane)
      for (std::uint32_t h = start[base + lane]; h < start[base + lane + 1]; ++h)
        all.push_back(distance_of(lane, h));
    std::sort(all.begin(), all.end());
    for (const std::int32_t d : all) {
      if (distances.empty() || distances.back().distance != d) distances.push_back({d, 0});
      ++distances.back().count;
    }
    taken.assign(start[base + kLanes] - start[base], false);
    std::array<std::vector<HalfBond>, kLanes> rest;  // what no shared distance takes
    bool plain = true;
    for (const Candidate& c : distances) {
      const std::int64_t low = static_cast<std::int64_t>(base) + c.distance;
      if (c.count < 3 || low < 0 ||
          low + static_cast<std::int64_t>(kLanes) > static_cast<std::int64_t>(padded))
        continue;
      Slot slot;
      slot.at = c.distance;
      std::array<std::uint32_t, kLanes> pairs{};
      bool same = true;
      std::uint32_t first = UINT32_MAX;
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        const std::int32_t partner = static_cast<std::int32_t>(base + lane) + c.distance;
        const auto end = half.begin() + start[base + lane + 1];
        const auto found = std::lower_bound(
            half.begin() + start[base + lane], end, partner, [](const HalfBond& p, std::int32_t q) {
              return p.partner < q;
            });
        if (found == end || found->partner != partner) continue;
        taken[static_cast<std::size_t>(found - half.begin()) - start[base]] = true;
        slot.lanes = static_cast<std::uint8_t>(slot.lanes | (1U << lane));
        pairs[lane] = found->pair;
        if (first == UINT32_MAX) first = found->pair;
        same = same && found->pair == first;
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
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      for (std::uint32_t h = start[base + lane]; h < start[base + lane + 1]; ++h)
        if (!taken[h - start[base]]) rest[lane].push_back(half[h]);
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
  return out;
}

}  // namespace femflex::hamiltonian::tiles
