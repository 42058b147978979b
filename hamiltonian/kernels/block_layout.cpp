// Sorts the half-bonds (one end's view of a bond) of each block of eight nodes into slots by index
// distance, and gives blocks with equal slots the same pattern.
#include "kernels/block_layout.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include "femflex/index.h"

namespace femflex::hamiltonian::tiles {
namespace {

struct HalfBond {
  std::int32_t partner;
  std::uint32_t pair;  // index of the pair of coefficients
};

class Builder {
 public:
  Builder(std::span<const Bond> bonds,
          std::span<const std::int32_t> place,
          std::size_t blocks,
          const Pairs& pairs)
      : blocks_(blocks), padded_(blocks * kLanes), pairs_(pairs) {
    sort_half_bonds(bonds, place);
    find_common_distances();
  }
  BlockLayout build();

 private:
  void sort_half_bonds(std::span<const Bond> bonds, std::span<const std::int32_t> place);
  void find_common_distances();
  std::optional<std::uint32_t> row_of(const Slot& slot);
  void fill_rows();
  void add_distance_slots(std::size_t block);
  void add_gather_slots(std::size_t block);
  void set_constants(Slot& slot, const std::array<std::uint32_t, kLanes>& pairs);
  void close(std::size_t block);
  void extend_reach(std::int64_t blocks) { out_.reach = std::max(out_.reach, std::abs(blocks)); }

  std::size_t blocks_, padded_;
  const Pairs& pairs_;
  std::vector<std::uint32_t> start_;  // first half-bond of each node
  std::vector<HalfBond> half_;
  // common distances, with the number of nodes that have each of them
  std::map<std::int32_t, std::size_t> common_;
  // row of each common distance whose constants differ from bond to bond
  std::map<std::int32_t, std::uint32_t> rows_;

  // slots of the current block
  std::vector<Slot> slots_;
  std::vector<bool> taken_;   // half-bonds of the block that are in a slot by distance
  bool is_shareable_ = true;  // true if other blocks may share the pattern

  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> known_;  // patterns by hash
  BlockLayout out_;
};

/// Sorts all half-bonds by node (counting sort), and those of a node by ascending partner.
void Builder::sort_half_bonds(std::span<const Bond> bonds, std::span<const std::int32_t> place) {
  start_.assign(padded_ + 1, 0);
  for (const Bond& bond : bonds) {
    ++start_[at(place[at(bond.a)]) + 1];
    ++start_[at(place[at(bond.b)]) + 1];
  }
  for (std::size_t i = 0; i < padded_; ++i)
    start_[i + 1] += start_[i];
  half_.resize(2 * bonds.size());
  std::vector<std::uint32_t> next(start_.begin(), start_.end() - 1);
  for (std::size_t i = 0; i < bonds.size(); ++i) {
    const std::int32_t a = place[at(bonds[i].a)];
    const std::int32_t b = place[at(bonds[i].b)];
    half_[next[at(a)]++] = {b, pairs_.number[i]};
    half_[next[at(b)]++] = {a, pairs_.number[i]};
  }
  for (std::size_t i = 0; i < padded_; ++i)
    std::sort(half_.begin() + start_[i],
              half_.begin() + start_[i + 1],
              [](const HalfBond& p, const HalfBond& q) { return p.partner < q.partner; });
}

/// Finds the index distances that at least half of the nodes have, each at most once per node.
void Builder::find_common_distances() {
  std::vector<std::int32_t> twice;
  for (std::size_t i = 0; i < padded_; ++i) {
    for (std::uint32_t h = start_[i]; h < start_[i + 1]; ++h) {
      const std::int32_t distance = half_[h].partner - static_cast<std::int32_t>(i);
      if (distance <= 0) continue;
      ++common_[distance];
      if (h > start_[i] && half_[h - 1].partner == half_[h].partner) twice.push_back(distance);
    }
  }
  for (const std::int32_t distance : twice)
    common_.erase(distance);
  std::erase_if(common_, [&](const auto& one) { return 2 * one.second < padded_; });
}

/// Returns the row of a common distance. The first slot of that distance with differing constants
/// creates it.
std::optional<std::uint32_t> Builder::row_of(const Slot& slot) {
  const std::int32_t distance = std::abs(slot.at);
  if (slot.gathers || !common_.contains(distance)) return std::nullopt;
  return rows_.try_emplace(distance, static_cast<std::uint32_t>(rows_.size())).first->second;
}

void Builder::fill_rows() {
  if (rows_.empty()) return;
  out_.row_count = rows_.size();
  // padded, because a read may extend over two blocks
  out_.rows = Aligned(2 * padded_ * out_.row_count + kLanes, 15);
  for (std::size_t i = 0; i < padded_; ++i) {
    for (std::uint32_t h = start_[i]; h < start_[i + 1]; ++h) {
      const auto row = rows_.find(half_[h].partner - static_cast<std::int32_t>(i));
      if (row == rows_.end()) continue;
      const std::size_t to = 2 * kLanes * (i / kLanes * out_.row_count + row->second) + i % kLanes;
      out_.rows.data()[to] = pairs_.alpha[half_[h].pair];
      out_.rows.data()[to + kLanes] = pairs_.beta[half_[h].pair];
    }
  }
}

void Builder::set_constants(Slot& slot, const std::array<std::uint32_t, kLanes>& pairs) {
  const auto there = [&](std::size_t lane) { return (slot.lanes >> lane & 1U) != 0; };
  std::uint32_t first = UINT32_MAX;
  bool same = true;
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    if (!there(lane)) continue;
    if (first == UINT32_MAX) first = pairs[lane];
    same = same && pairs[lane] == first;
  }
  slot.coefficient = first;
  if (same) return;
  if (const auto row = row_of(slot)) {
    slot.constants = Constants::row;
    slot.coefficient = *row;
    return;
  }
  is_shareable_ = false;
  slot.constants = Constants::eight_pairs;
  slot.coefficient = static_cast<std::uint32_t>(out_.own_alpha.size());
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    out_.own_alpha.push_back(there(lane) ? pairs_.alpha[pairs[lane]] : 0.0);
    out_.own_beta.push_back(there(lane) ? pairs_.beta[pairs[lane]] : 0.0);
  }
}

/// Makes slots of half-bonds whose partners are adjacent, that is, whose distance three lanes or
/// more share.
void Builder::add_distance_slots(std::size_t block) {
  const std::size_t base = block * kLanes;
  std::vector<std::int32_t> all;
  for (std::size_t lane = 0; lane < kLanes; ++lane)
    for (std::uint32_t h = start_[base + lane]; h < start_[base + lane + 1]; ++h)
      all.push_back(half_[h].partner - static_cast<std::int32_t>(base + lane));
  std::sort(all.begin(), all.end());
  for (auto run = all.begin(); run != all.end();) {
    const std::int32_t distance = *run;
    const auto next = std::find_if(run, all.end(), [&](std::int32_t d) { return d != distance; });
    const auto count = next - run;
    run = next;
    const std::int64_t low = static_cast<std::int64_t>(base) + distance;
    if (count < 3 || low < 0 ||
        low + static_cast<std::int64_t>(kLanes) > static_cast<std::int64_t>(padded_))
      continue;
    Slot slot;
    slot.at = distance;
    std::array<std::uint32_t, kLanes> pairs{};
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const std::int32_t partner = static_cast<std::int32_t>(base + lane) + distance;
      const auto end = half_.begin() + start_[base + lane + 1];
      const auto found = std::lower_bound(
          half_.begin() + start_[base + lane], end, partner, [](const HalfBond& p, std::int32_t q) {
            return p.partner < q;
          });
      if (found == end || found->partner != partner) continue;
      taken_[static_cast<std::size_t>(found - half_.begin()) - start_[base]] = true;
      slot.lanes = static_cast<std::uint8_t>(slot.lanes | (1U << lane));
      pairs[lane] = found->pair;
    }
    extend_reach((std::int64_t{std::abs(distance)} + 7) / 8);
    out_.shared += static_cast<std::size_t>(std::popcount(slot.lanes));
    set_constants(slot, pairs);
    slots_.push_back(slot);
  }
}

/// Makes slots of the remaining half-bonds, whose partners are given by index.
void Builder::add_gather_slots(std::size_t block) {
  const std::size_t base = block * kLanes;
  std::array<std::vector<HalfBond>, kLanes> rest;
  std::size_t most = 0;
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    for (std::uint32_t h = start_[base + lane]; h < start_[base + lane + 1]; ++h)
      if (!taken_[h - start_[base]]) rest[lane].push_back(half_[h]);
    most = std::max(most, rest[lane].size());
  }
  for (std::size_t k = 0; k < most; ++k) {
    is_shareable_ = false;
    Slot slot;
    slot.gathers = true;
    slot.at = static_cast<std::int32_t>(out_.partners.size());
    std::array<std::uint32_t, kLanes> pairs{};
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const bool there = k < rest[lane].size();
      const auto self = static_cast<std::int32_t>(base + lane);
      const std::int32_t partner = there ? rest[lane][k].partner : self;
      out_.partners.push_back(partner);
      extend_reach(partner / std::int64_t{kLanes} - static_cast<std::int64_t>(block));
      if (!there) continue;
      slot.lanes = static_cast<std::uint8_t>(slot.lanes | (1U << lane));
      pairs[lane] = rest[lane][k].pair;
    }
    set_constants(slot, pairs);
    slots_.push_back(slot);
  }
}

/// Ends a block: reuses the pattern of an earlier block with equal slots, if there is one.
void Builder::close(std::size_t block) {
  std::uint32_t& pattern = out_.pattern_of[block];
  pattern = static_cast<std::uint32_t>(out_.patterns.size());
  if (is_shareable_) {
    std::uint64_t hash = 1469598103934665603ULL;
    for (const Slot& slot : slots_)
      hash =
          (hash ^ (static_cast<std::uint32_t>(slot.at) + (std::uint64_t{slot.coefficient} << 32U) +
                   (std::uint64_t{slot.lanes} << 56U))) *
          1099511628211ULL;
    std::vector<std::uint32_t>& alike = known_[hash];
    const auto found = std::find_if(alike.begin(), alike.end(), [&](std::uint32_t p) {
      return out_.patterns[p].count == slots_.size() &&
             std::equal(slots_.begin(), slots_.end(), out_.slots.begin() + out_.patterns[p].first);
    });
    if (found != alike.end()) {
      pattern = *found;
      return;
    }
    alike.push_back(pattern);
  }
  out_.patterns.push_back(
      {static_cast<std::uint32_t>(out_.slots.size()), static_cast<std::uint32_t>(slots_.size())});
  out_.slots.insert(out_.slots.end(), slots_.begin(), slots_.end());
}

BlockLayout Builder::build() {
  out_.pattern_of.resize(blocks_);
  for (std::size_t block = 0; block < blocks_; ++block) {
    slots_.clear();
    is_shareable_ = true;
    taken_.assign(start_[(block + 1) * kLanes] - start_[block * kLanes], false);
    add_distance_slots(block);
    add_gather_slots(block);
    close(block);
  }
  fill_rows();
  return std::move(out_);
}

}  // namespace

BlockLayout lay_out_blocks(std::span<const Bond> bonds,
                           std::span<const std::int32_t> place,
                           std::size_t blocks,
                           const Pairs& pairs) {
  return Builder(bonds, place, blocks, pairs).build();
}

}  // namespace femflex::hamiltonian::tiles
