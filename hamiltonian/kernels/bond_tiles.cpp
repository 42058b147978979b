// Assigns each bond to an owner in every tile that it touches, sorts nodes by the number of bonds
// that they own, and numbers the nodes of each tile and its halo.
#include "kernels/bond_tiles.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "femflex/index.h"

namespace femflex::hamiltonian::tiles {
namespace {

constexpr std::size_t kRows = 2;  // parts of a tile from which a group takes its nodes
constexpr std::int32_t kNoIndex = -1;
// constants that differ by rounding alone, because rest lengths of a regular network are computed
// from rounded multiples of its cell, count as equal
constexpr double kSameConstant = 3e-14;

using Counts = std::array<std::int32_t, kPairLaws>;

std::size_t law_of(const Bond& bond) {
  return static_cast<std::size_t>(bond.law);
}

/// Tells which end computes a bond. Inside a tile it is one of them, between tiles both.
struct Owners {
  std::vector<std::uint8_t> who;  // owner of each bond: 1 = a, 2 = b, 3 = both
  std::vector<Counts> counts;     // number of bonds of each node, by its original index
};

Owners assign_owners(std::span<const Bond> bonds, const std::vector<std::int32_t>& place) {
  Owners owners;
  owners.who.resize(bonds.size());
  owners.counts.assign(place.size(), Counts{});
  for (std::size_t i = 0; i < bonds.size(); ++i) {
    std::int32_t& of_a = owners.counts[at(bonds[i].a)][law_of(bonds[i])];
    std::int32_t& of_b = owners.counts[at(bonds[i].b)][law_of(bonds[i])];
    std::uint8_t who = 3;
    if (place[at(bonds[i].a)] / kTileNodes == place[at(bonds[i].b)] / kTileNodes)
      who = of_a <= of_b ? 1 : 2;
    owners.who[i] = who;
    of_a += who & 1;
    of_b += who >> 1;
  }
  return owners;
}

std::array<LawConstants, kPairLaws> find_constants(std::span<const Bond> bonds) {
  const auto same = [](double x, double y) {
    return std::abs(x - y) <= kSameConstant * std::max(std::abs(x), std::abs(y));
  };
  std::array<LawConstants, kPairLaws> laws;
  for (const Bond& bond : bonds) {
    LawConstants& law = laws[law_of(bond)];
    if (!law.is_used) {
      law = {true, true, bond.alpha, bond.beta};
    } else {
      law.is_shared = law.is_shared && same(law.alpha, bond.alpha) && same(law.beta, bond.beta);
    }
  }
  return laws;
}

/// Sorts the nodes of a tile by the number of bonds, and those with the same number so that `kRows`
/// rows lie side by side.
/// @param place  index of each node; receives the new one
/// @param nodes  the nodes of the tile, in the order of their index
void sort_tile(std::span<const std::int32_t> nodes,
               std::int32_t first,
               const std::vector<Counts>& counts,
               std::vector<std::int32_t>& place) {
  std::vector<std::int32_t> sorted(nodes.begin(), nodes.end());
  std::stable_sort(sorted.begin(), sorted.end(), [&](std::int32_t p, std::int32_t q) {
    return counts[at(p)] < counts[at(q)];
  });
  for (std::size_t i = 0; i < sorted.size();) {
    std::size_t end = i;
    while (end < sorted.size() && counts[at(sorted[end])] == counts[at(sorted[i])])
      ++end;
    const std::size_t length = (end - i + kRows - 1) / kRows;
    std::int32_t to = first + static_cast<std::int32_t>(i);
    for (std::size_t k = 0; k < length; ++k) {
      for (std::size_t from = i + k; from < end; from += length)
        place[at(sorted[from])] = to++;
    }
    i = end;
  }
}

/// Slots of all groups, tile by tile and law by law.
struct Slots {
  std::size_t groups = 0;           // of the network
  std::vector<std::int64_t> start;  // first slot of each group, law by law
  std::int64_t count = 0;

  std::size_t group(std::size_t law, std::int32_t place) const {
    return law * groups + at(place) / at(static_cast<std::int32_t>(kGroup));
  }
};

Slots make_slots(const Owners& owners, BondTiles& out) {
  Slots slots;
  slots.groups = (out.place.size() + kGroup - 1) / kGroup;
  out.counts.assign(slots.groups * kPairLaws, 0);
  slots.start.assign(out.counts.size(), 0);
  for (std::size_t node = 0; node < out.place.size(); ++node) {
    for (std::size_t law = 0; law < kPairLaws; ++law) {
      std::int32_t& most = out.counts[slots.group(law, out.place[node])];
      most = std::max(most, owners.counts[node][law]);
    }
  }
  for (BondTile& tile : out.tiles) {
    for (std::size_t law = 0; law < kPairLaws; ++law) {
      const std::size_t begin = slots.group(law, static_cast<std::int32_t>(tile.first));
      tile.sections[law] = {slots.count, static_cast<std::int64_t>(begin)};
      for (std::size_t g = begin; g < begin + static_cast<std::size_t>(tile.groups()); ++g) {
        slots.start[g] = slots.count;
        slots.count += out.counts[g];
      }
    }
  }
  return slots;
}

/// Puts each bond into the slots of its owners.
/// @return the node at the far end of each bond, kNoIndex for places without a bond
std::vector<std::int32_t> fill_slots(std::span<const Bond> bonds,
                                     const Owners& owners,
                                     const Slots& slots,
                                     BondTiles& out) {
  const auto total = static_cast<std::size_t>(slots.count * kGroup);
  std::vector<std::int32_t> far(total, kNoIndex);
  const bool has_own = std::any_of(
      out.laws.begin(), out.laws.end(), [](const LawConstants& law) { return !law.is_shared; });
  if (has_own) out.pairs = Aligned(2 * total);
  std::vector<Counts> filled(out.place.size(), Counts{});
  for (std::size_t i = 0; i < bonds.size(); ++i) {
    const std::size_t law = law_of(bonds[i]);
    const auto put = [&](std::int32_t node, std::int32_t other) {
      const std::int32_t place = out.place[at(node)];
      const auto slot =
          static_cast<std::size_t>(slots.start[slots.group(law, place)] + filled[at(node)][law]++);
      const std::size_t lane = at(place) % kGroup;
      far[slot * kGroup + lane] = out.place[at(other)];
      if (!has_own) return;
      out.pairs.data()[2 * slot * kGroup + lane] = bonds[i].alpha;
      out.pairs.data()[(2 * slot + 1) * kGroup + lane] = bonds[i].beta;
    };
    if ((owners.who[i] & 1U) != 0) put(bonds[i].a, bonds[i].b);
    if ((owners.who[i] & 2U) != 0) put(bonds[i].b, bonds[i].a);
  }
  return far;
}

/// Calls use(index in `far`, place in the tile of the owner) for all places of the slots of a tile.
template <typename Use>
void for_places(const BondTile& tile, const BondTiles& out, const Use& use) {
  for (const BondSection& section : tile.sections) {
    std::int64_t k = section.slot_at * kGroup;
    for (std::int64_t g = 0; g < tile.groups(); ++g) {
      const std::int32_t count = out.counts[static_cast<std::size_t>(section.count_at + g)];
      for (std::int64_t i = 0; i < count * kGroup; ++i)
        use(static_cast<std::size_t>(k++), static_cast<std::int32_t>(g * kGroup + i % kGroup));
    }
  }
}

/// Numbers the far ends of each tile's bonds within the tile; those in other tiles form its halo.
/// @param far  the other end of each bond
/// @return false if a tile with its halo has more nodes than 16 bits can number
bool number_partners(std::span<const std::int32_t> far, BondTiles& out) {
  out.partners.resize(far.size());
  std::vector<std::int32_t> local(out.place.size(), kNoIndex);
  std::vector<std::int32_t> mine;
  for (BondTile& tile : out.tiles) {
    const auto first = static_cast<std::int32_t>(tile.first);
    const auto is_here = [&](std::int32_t node) { return node / kTileNodes == first / kTileNodes; };
    mine.clear();
    for_places(tile, out, [&](std::size_t k, std::int32_t) {
      const std::int32_t other = far[k];
      if (other == kNoIndex || is_here(other) || local[at(other)] != kNoIndex) return;
      local[at(other)] = 0;
      mine.push_back(other);
    });
    std::sort(mine.begin(), mine.end());
    tile.halo = static_cast<std::int32_t>(mine.size());
    tile.halo_at = static_cast<std::int64_t>(out.halo.size());
    const auto padded = static_cast<std::int32_t>(tile.padded());
    if (padded + tile.halo > std::numeric_limits<std::uint16_t>::max()) return false;
    for (std::size_t i = 0; i < mine.size(); ++i)
      local[at(mine[i])] = padded + static_cast<std::int32_t>(i);
    for_places(tile, out, [&](std::size_t k, std::int32_t self) {
      const std::int32_t other = far[k];
      out.partners[k] = static_cast<std::uint16_t>(other == kNoIndex ? self
                                                   : is_here(other)  ? other - first
                                                                     : local[at(other)]);
    });
    for (const std::int32_t other : mine)
      local[at(other)] = kNoIndex;
    out.halo.insert(out.halo.end(), mine.begin(), mine.end());
    out.largest = std::max(out.largest, at(padded + tile.halo));
  }
  return true;
}

}  // namespace

BondNetwork BondTiles::view() const {
  BondNetwork n;
  n.tiles = tiles.data();
  n.tile_count = static_cast<std::int64_t>(tiles.size());
  n.counts = counts.data();
  n.halo = halo.data();
  n.partners = partners.data();
  n.pairs = pairs.data();
  n.laws = laws.data();
  return n;
}

std::int64_t BondTiles::first_of(std::int64_t part, std::int64_t parts) const {
  if (part >= parts) return static_cast<std::int64_t>(tiles.size());
  const auto goal = static_cast<std::int64_t>(partners.size()) / kGroup * part / parts;
  const auto found = std::lower_bound(
      tiles.begin(), tiles.end(), goal, [](const BondTile& tile, std::int64_t slot) {
        return tile.sections[0].slot_at < slot;
      });
  return found - tiles.begin();
}

std::optional<BondTiles> tile_bonds(std::span<const Bond> bonds,
                                    std::span<const std::int32_t> order) {
  BondTiles out;
  const auto nodes = static_cast<std::int32_t>(order.size());
  out.place.resize(order.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    out.place[at(order[i])] = static_cast<std::int32_t>(i);
  out.laws = find_constants(bonds);
  const Owners owners = assign_owners(bonds, out.place);
  for (std::int32_t first = 0; first < nodes; first += kTileNodes) {
    BondTile tile;
    tile.first = first;
    tile.nodes = std::min(kTileNodes, nodes - first);
    sort_tile(order.subspan(at(first), at(tile.nodes)), first, owners.counts, out.place);
    out.tiles.push_back(tile);
  }
  const Slots slots = make_slots(owners, out);
  const std::vector<std::int32_t> far = fill_slots(bonds, owners, slots, out);
  if (!number_partners(far, out)) return std::nullopt;
  return out;
}

}  // namespace femflex::hamiltonian::tiles
