// Assigns each bond to an owner in every tile that it touches, sorts nodes by the number of bonds
// that they own, and numbers the nodes of each tile and its halo.
#include "kernels/bond_tiles.h"

#include <algorithm>
#include <limits>

#include "femflex/index.h"

namespace femflex::hamiltonian::tiles {
namespace {

constexpr std::size_t kRows = 8;  // number of rows processed side by side in a tile
constexpr std::int32_t kNoIndex = -1;

/// Tells which end computes a bond. Inside a tile it is one of them, between tiles both.
struct Owners {
  std::vector<std::uint8_t> who;  // owner of each bond: 1 = a, 2 = b, 3 = both
  // number of bonds of each node, by its original index in the tile
  std::vector<std::int32_t> counts;
};

Owners assign_owners(std::span<const Bond> bonds, const std::vector<std::int32_t>& place) {
  Owners owners;
  owners.who.resize(bonds.size());
  owners.counts.assign(place.size(), 0);
  for (std::size_t i = 0; i < bonds.size(); ++i) {
    const std::int32_t a = place[at(bonds[i].a)];
    const std::int32_t b = place[at(bonds[i].b)];
    std::uint8_t who = 3;
    if (a / kTileNodes == b / kTileNodes)
      who = owners.counts[at(a)] <= owners.counts[at(b)] ? 1 : 2;
    owners.who[i] = who;
    owners.counts[at(a)] += who & 1;
    owners.counts[at(b)] += who >> 1;
  }
  return owners;
}

/// Sorts the nodes of a tile by the number of bonds, with `kRows` rows side by side in each run.
/// @param moved  receives the new index of each node
void sort_tile(std::int32_t first,
               std::int32_t last,
               const std::vector<std::int32_t>& counts,
               std::vector<std::int32_t>& moved,
               std::vector<BondRun>& runs) {
  std::vector<std::int32_t> sorted(at(last - first));
  for (std::int32_t i = first; i < last; ++i)
    sorted[at(i - first)] = i;
  std::stable_sort(sorted.begin(), sorted.end(), [&](std::int32_t p, std::int32_t q) {
    return counts[at(p)] < counts[at(q)];
  });
  for (std::size_t i = 0; i < sorted.size();) {
    const std::int32_t count = counts[at(sorted[i])];
    std::size_t end = i;
    while (end < sorted.size() && counts[at(sorted[end])] == count)
      ++end;
    const std::size_t length = (end - i + kRows - 1) / kRows;
    std::int32_t to = first + static_cast<std::int32_t>(i);
    for (std::size_t k = 0; k < length; ++k) {
      for (std::size_t from = i + k; from < end; from += length)
        moved[at(sorted[from])] = to++;
    }
    runs.push_back({count, static_cast<std::int32_t>(end - i)});
    i = end;
  }
}

/// Numbers the far ends of each tile's bonds within the tile; those in other tiles form its halo.
/// @param start  number of the first bond of each node
/// @param far    the other end of each bond
/// @return false if a tile with its halo has more nodes than 16 bits can number
bool number_partners(std::span<const std::int64_t> start,
                     std::span<const std::int32_t> far,
                     BondTiles& out) {
  out.partners.resize(far.size());
  std::vector<std::int32_t> local(start.size() - 1, kNoIndex);
  std::vector<std::int32_t> mine;
  for (BondTile& tile : out.tiles) {
    const auto first = static_cast<std::int32_t>(tile.first);
    tile.bond_at = start[at(first)];
    const std::int64_t end = start[at(first + tile.nodes)];
    mine.clear();
    for (std::int64_t k = tile.bond_at; k < end; ++k) {
      const std::int32_t other = far[static_cast<std::size_t>(k)];
      if (other / kTileNodes == first / kTileNodes || local[at(other)] != kNoIndex) continue;
      local[at(other)] = 0;
      mine.push_back(other);
    }
    std::sort(mine.begin(), mine.end());
    tile.halo = static_cast<std::int32_t>(mine.size());
    tile.halo_at = static_cast<std::int64_t>(out.halo.size());
    if (tile.nodes + tile.halo > std::numeric_limits<std::uint16_t>::max()) return false;
    for (std::size_t i = 0; i < mine.size(); ++i)
      local[at(mine[i])] = tile.nodes + static_cast<std::int32_t>(i);
    for (std::int64_t k = tile.bond_at; k < end; ++k) {
      const std::int32_t other = far[static_cast<std::size_t>(k)];
      out.partners[static_cast<std::size_t>(k)] = static_cast<std::uint16_t>(
          other / kTileNodes == first / kTileNodes ? other - first : local[at(other)]);
    }
    for (const std::int32_t other : mine)
      local[at(other)] = kNoIndex;
    out.halo.insert(out.halo.end(), mine.begin(), mine.end());
    out.largest = std::max(out.largest, at(tile.nodes + tile.halo));
  }
  return true;
}

}  // namespace

BondNetwork BondTiles::view() const {
  BondNetwork n;
  n.tiles = tiles.data();
  n.tile_count = static_cast<std::int64_t>(tiles.size());
  n.runs = runs.data();
  n.halo = halo.data();
  n.partners = partners.data();
  n.pairs = pairs.data();
  n.numbers = numbers.empty() ? nullptr : numbers.data();
  return n;
}

std::int64_t BondTiles::first_of(std::int64_t part, std::int64_t parts) const {
  if (part >= parts) return static_cast<std::int64_t>(tiles.size());
  const auto goal = static_cast<std::int64_t>(partners.size()) * part / parts;
  const auto found = std::lower_bound(
      tiles.begin(), tiles.end(), goal, [](const BondTile& tile, std::int64_t bond) {
        return tile.bond_at < bond;
      });
  return found - tiles.begin();
}

std::optional<BondTiles> tile_bonds(std::span<const Bond> bonds,
                                    std::span<const std::int32_t> order,
                                    std::span<const double> pairs,
                                    std::span<const std::uint32_t> number) {
  BondTiles out;
  const auto nodes = static_cast<std::int32_t>(order.size());
  std::vector<std::int32_t> place(order.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    place[at(order[i])] = static_cast<std::int32_t>(i);
  const Owners owners = assign_owners(bonds, place);
  std::vector<std::int32_t> moved(order.size());
  std::vector<std::int64_t> start(order.size() + 1, 0);
  for (std::int32_t first = 0; first < nodes; first += kTileNodes) {
    BondTile tile;
    tile.first = first;
    tile.nodes = std::min(kTileNodes, nodes - first);
    tile.run_at = static_cast<std::int64_t>(out.runs.size());
    sort_tile(first, first + tile.nodes, owners.counts, moved, out.runs);
    tile.run_count =
        static_cast<std::int32_t>(out.runs.size()) - static_cast<std::int32_t>(tile.run_at);
    out.tiles.push_back(tile);
  }
  for (std::size_t i = 0; i < moved.size(); ++i)
    start[at(moved[i]) + 1] = owners.counts[i];
  for (std::size_t i = 0; i < moved.size(); ++i)
    start[i + 1] += start[i];
  for (std::int32_t& p : place)
    p = moved[at(p)];

  const auto total = static_cast<std::size_t>(start.back());
  const bool shared = !pairs.empty();
  std::vector<std::int32_t> far(total);  // the other end of each bond
  out.pairs = Aligned(shared ? pairs.size() : 2 * (total + std::size_t{kAhead} + 8));
  out.pair_count = shared ? pairs.size() / 2 : total;
  if (shared) {
    std::copy(pairs.begin(), pairs.end(), out.pairs.data());
    out.numbers.resize(total);
  }
  std::vector<std::int64_t> next(start.begin(), start.end() - 1);
  for (std::size_t i = 0; i < bonds.size(); ++i) {
    const std::int32_t a = place[at(bonds[i].a)];
    const std::int32_t b = place[at(bonds[i].b)];
    const auto put = [&](std::int32_t near, std::int32_t other) {
      const auto to = static_cast<std::size_t>(next[at(near)]++);
      far[to] = other;
      if (shared) {
        out.numbers[to] = static_cast<std::uint16_t>(number[i]);
      } else {
        out.pairs.data()[2 * to] = bonds[i].alpha;
        out.pairs.data()[2 * to + 1] = bonds[i].beta;
      }
    };
    if ((owners.who[i] & 1U) != 0) put(a, b);
    if ((owners.who[i] & 2U) != 0) put(b, a);
  }

  if (!number_partners(start, far, out)) return std::nullopt;
  out.place = std::move(place);
  return out;
}

}  // namespace femflex::hamiltonian::tiles
