// Sorts the bonds of an irregular network into the order in which a vector kernel computes them.
// A tile is a set of neighbouring nodes, its halo the nodes of other tiles at the ends of its
// bonds, a group eight nodes of a tile, a slot one bond of each node of a group, and a lane the
// position of a node in its group.
#include "kernels/bond_tiles.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "femflex/index.h"

namespace femflex::hamiltonian::tiles {
namespace {

// nodes per tile: their positions and forces, with those of the halo, fit the second-level cache
constexpr std::int32_t kMostNodes = 2048;
// fewer where a network would have less than kEnoughTiles tiles; below, mail outweighs bonds
constexpr std::int32_t kFewNodes = 512;
constexpr std::size_t kEnoughTiles = 64;
// fewer still where bonds lead far, and the halo would be too large
constexpr std::int32_t kFewestNodes = 64;
// number of separate runs of nodes from which a group takes its nodes in turn
constexpr std::size_t kRuns = 8;
constexpr std::int32_t kNoIndex = -1;
// constants that differ by rounding alone, because rest lengths of a regular network are computed
// from rounded multiples of its cell, count as equal
constexpr double kSameConstant = 3e-14;

using Counts = std::array<std::int32_t, kPairLaws>;

std::size_t law_of(const Bond& bond) {
  return static_cast<std::size_t>(bond.law);
}

/// The end that computes each bond: see BondTiles.
struct Owners {
  std::vector<bool> is_a;  // for each bond: its end a, else b
  // number of bonds that each node owns, by law; nodes by their original index
  std::vector<Counts> owned;
};

Owners assign_owners(std::span<const Bond> bonds,
                     const std::vector<std::int32_t>& place,
                     std::int32_t tile_nodes) {
  Owners owners;
  owners.is_a.resize(bonds.size());
  owners.owned.assign(place.size(), Counts{});
  const auto tile_of = [&](std::int32_t node) { return place[at(node)] / tile_nodes; };
  // bonds between tiles first; those inside a tile then balance the numbers of the nodes
  for (const bool between : {true, false}) {
    for (std::size_t i = 0; i < bonds.size(); ++i) {
      const Bond& bond = bonds[i];
      if ((tile_of(bond.a) != tile_of(bond.b)) != between) continue;
      std::int32_t& of_a = owners.owned[at(bond.a)][law_of(bond)];
      std::int32_t& of_b = owners.owned[at(bond.b)][law_of(bond)];
      owners.is_a[i] = between ? tile_of(bond.a) < tile_of(bond.b) : of_a <= of_b;
      ++(owners.is_a[i] ? of_a : of_b);
    }
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

/// Renumbers the nodes of a tile by the number of bonds that they own. Nodes with equal numbers are
/// cut into `kRuns` runs, and one node of each run follows in turn.
/// @param nodes  the nodes of the tile, in the order of their index
/// @param first  index of the first node of the tile
/// @param place  index of each node; receives the new one
void sort_tile(std::span<const std::int32_t> nodes,
               std::int32_t first,
               const std::vector<Counts>& owned,
               std::vector<std::int32_t>& place) {
  std::vector<std::int32_t> sorted(nodes.begin(), nodes.end());
  std::stable_sort(sorted.begin(), sorted.end(), [&](std::int32_t p, std::int32_t q) {
    return owned[at(p)] < owned[at(q)];
  });
  for (std::size_t i = 0; i < sorted.size();) {
    std::size_t end = i;
    while (end < sorted.size() && owned[at(sorted[end])] == owned[at(sorted[i])])
      ++end;
    const std::size_t length = (end - i + kRuns - 1) / kRuns;
    std::int32_t to = first + static_cast<std::int32_t>(i);
    for (std::size_t k = 0; k < length; ++k) {
      for (std::size_t from = i + k; from < end; from += length)
        place[at(sorted[from])] = to++;
    }
    i = end;
  }
}

/// The slots of all groups: tile by tile, in a tile law by law.
struct Slots {
  std::size_t groups = 0;           // number of groups of the network
  std::vector<std::int64_t> start;  // first slot of each group, one law after the other
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
      most = std::max(most, owners.owned[node][law]);
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

/// Puts each bond into a slot of its owner.
/// @return for each lane of each slot the node at the far end of its bond; kNoIndex: no bond
std::vector<std::int32_t> fill_slots(std::span<const Bond> bonds,
                                     const Owners& owners,
                                     const Slots& slots,
                                     BondTiles& out) {
  const auto total = static_cast<std::size_t>(slots.count * kGroup);
  std::vector<std::int32_t> far(total, kNoIndex);
  const bool has_own_constants = std::any_of(
      out.laws.begin(), out.laws.end(), [](const LawConstants& law) { return !law.is_shared; });
  if (has_own_constants) out.constants = Aligned(2 * total);
  std::vector<Counts> filled(out.place.size(), Counts{});
  for (std::size_t i = 0; i < bonds.size(); ++i) {
    const std::size_t law = law_of(bonds[i]);
    const auto [node, other] =
        owners.is_a[i] ? std::pair(bonds[i].a, bonds[i].b) : std::pair(bonds[i].b, bonds[i].a);
    const std::int32_t place = out.place[at(node)];
    const auto slot =
        static_cast<std::size_t>(slots.start[slots.group(law, place)] + filled[at(node)][law]++);
    const std::size_t lane = at(place) % kGroup;
    far[slot * kGroup + lane] = out.place[at(other)];
    if (!has_own_constants) continue;
    out.constants.data()[2 * slot * kGroup + lane] = bonds[i].alpha;
    out.constants.data()[(2 * slot + 1) * kGroup + lane] = bonds[i].beta;
  }
  return far;
}

/// Calls use(k, owner) for each lane of each slot of a tile: k counts the lanes of all slots of the
/// network, `owner` is the index of the lane's node in the tile.
template <typename Use>
void for_lanes(const BondTile& tile, const BondTiles& out, const Use& use) {
  for (const BondSection& section : tile.sections) {
    std::int64_t k = section.slot_at * kGroup;
    for (std::int64_t g = 0; g < tile.groups(); ++g) {
      const std::int32_t count = out.counts[static_cast<std::size_t>(section.count_at + g)];
      for (std::int64_t i = 0; i < count * kGroup; ++i)
        use(static_cast<std::size_t>(k++), static_cast<std::int32_t>(g * kGroup + i % kGroup));
    }
  }
}

/// Gives the far ends of each tile's bonds an index in the tile. Far ends in other tiles form the
/// halo of the tile, which is numbered after its own nodes.
/// @param far  a result of fill_slots()
/// @return false if an offset in a tile with its halo does not fit 16 bits
bool number_partners(std::span<const std::int32_t> far, int stride, BondTiles& out) {
  out.partners.resize(far.size());
  std::vector<std::int32_t> local(out.place.size(), kNoIndex);
  std::vector<std::int32_t> outside;
  for (BondTile& tile : out.tiles) {
    const auto first = static_cast<std::int32_t>(tile.first);
    const auto is_here = [&](std::int32_t node) {
      return node / out.tile_nodes == first / out.tile_nodes;
    };
    outside.clear();
    for_lanes(tile, out, [&](std::size_t k, std::int32_t) {
      const std::int32_t other = far[k];
      if (other == kNoIndex || is_here(other) || local[at(other)] != kNoIndex) return;
      local[at(other)] = 0;
      outside.push_back(other);
    });
    std::sort(outside.begin(), outside.end());
    tile.halo = static_cast<std::int32_t>(outside.size());
    tile.halo_at = static_cast<std::int64_t>(out.halo.size());
    const auto padded = static_cast<std::int32_t>(tile.padded());
    if (stride * (padded + tile.halo) > std::numeric_limits<std::uint16_t>::max()) return false;
    for (std::size_t i = 0; i < outside.size(); ++i)
      local[at(outside[i])] = padded + static_cast<std::int32_t>(i);
    for_lanes(tile, out, [&](std::size_t k, std::int32_t self) {
      const std::int32_t other = far[k];
      // a lane without a bond gets a bond of length 0 from the node to itself, which has no force
      out.partners[k] = static_cast<std::uint16_t>(stride * (other == kNoIndex ? self
                                                             : is_here(other)  ? other - first
                                                                               : local[at(other)]));
    });
    for (const std::int32_t other : outside)
      local[at(other)] = kNoIndex;
    out.halo.insert(out.halo.end(), outside.begin(), outside.end());
    out.largest_tile = std::max(out.largest_tile, at(padded + tile.halo));
  }
  return true;
}

/// Lists, for each tile, the forces that earlier tiles send to its nodes, in the order of the
/// senders: the places of their halos that lie in it.
void address_mail(BondTiles& out) {
  std::vector<std::vector<std::int32_t>> letters(out.tiles.size());
  std::vector<std::int64_t> first_sender(out.tiles.size());
  std::iota(first_sender.begin(), first_sender.end(), 0);
  for (std::size_t t = 0; t < out.tiles.size(); ++t) {
    const BondTile& tile = out.tiles[t];
    for (std::int64_t from = tile.halo_at; from < tile.halo_at + tile.halo; ++from) {
      const std::size_t to = at(out.halo[static_cast<std::size_t>(from)] / out.tile_nodes);
      if (letters[to].empty()) first_sender[to] = static_cast<std::int64_t>(t);
      letters[to].push_back(static_cast<std::int32_t>(from));
    }
  }
  for (std::size_t t = 0; t < out.tiles.size(); ++t) {
    BondTile& tile = out.tiles[t];
    tile.letters = static_cast<std::int32_t>(letters[t].size());
    tile.letters_at = static_cast<std::int64_t>(out.letter_from.size());
    tile.first_sender = first_sender[t];
    for (const std::int32_t from : letters[t]) {
      out.letter_from.push_back(from);
      out.letter_to.push_back(static_cast<std::uint16_t>(out.halo[at(from)] - tile.first));
    }
  }
}

/// @return nullopt if tiles of this size have too many neighbours
std::optional<BondTiles> cut_tiles(std::span<const Bond> bonds,
                                   std::span<const std::int32_t> order,
                                   int dimension,
                                   std::int32_t tile_nodes) {
  BondTiles out;
  out.tile_nodes = tile_nodes;
  const auto nodes = static_cast<std::int32_t>(order.size());
  out.place.resize(order.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    out.place[at(order[i])] = static_cast<std::int32_t>(i);
  out.laws = find_constants(bonds);
  const Owners owners = assign_owners(bonds, out.place, tile_nodes);
  for (std::int32_t first = 0; first < nodes; first += tile_nodes) {
    BondTile tile;
    tile.first = first;
    tile.nodes = std::min(tile_nodes, nodes - first);
    sort_tile(order.subspan(at(first), at(tile.nodes)), first, owners.owned, out.place);
    out.tiles.push_back(tile);
  }
  const Slots slots = make_slots(owners, out);
  const std::vector<std::int32_t> far = fill_slots(bonds, owners, slots, out);
  if (!number_partners(far, bond_stride(dimension), out)) return std::nullopt;
  address_mail(out);
  return out;
}

}  // namespace

BondNetwork BondTiles::view() const {
  BondNetwork n;
  n.tiles = tiles.data();
  n.tile_count = static_cast<std::int64_t>(tiles.size());
  n.counts = counts.data();
  n.halo = halo.data();
  n.letter_from = letter_from.data();
  n.letter_to = letter_to.data();
  n.partners = partners.data();
  n.constants = constants.data();
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

std::int32_t tile_size(std::size_t nodes) {
  std::int32_t size = kMostNodes;
  while (size > kFewNodes && nodes < kEnoughTiles * static_cast<std::size_t>(size))
    size /= 2;
  return size;
}

std::optional<BondTiles> tile_bonds(std::span<const Bond> bonds,
                                    std::span<const std::int32_t> order,
                                    int dimension) {
  for (std::int32_t size = tile_size(order.size()); size >= kFewestNodes; size /= 2)
    if (std::optional<BondTiles> out = cut_tiles(bonds, order, dimension, size)) return out;
  return std::nullopt;
}

}  // namespace femflex::hamiltonian::tiles
