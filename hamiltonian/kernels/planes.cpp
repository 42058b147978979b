// Finds out whether the nodes of a network form equal planes, from the index distances of its
// bonds, and moves the planes apart by gaps of padding.
#include "kernels/planes.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace femflex::hamiltonian::tiles {
namespace {

constexpr std::int32_t kMinPlaneSize = 8;  // least size of a plane, in multiples of the reach
constexpr std::int32_t kPlaneBlock = 8;

std::int32_t at(std::span<const std::int32_t> place, std::int32_t node) {
  return place[static_cast<std::size_t>(node)];
}

/// The reach if planes have `nodes` nodes; nothing if a bond extends beyond the next plane.
std::optional<std::int32_t> reach_in(std::span<const Bond> bonds,
                                     std::span<const std::int32_t> place,
                                     std::int32_t nodes) {
  std::int32_t reach = 0;
  for (const Bond& bond : bonds) {
    const std::int32_t a = at(place, bond.a);
    const std::int32_t b = at(place, bond.b);
    reach = std::max(reach, std::abs(a % nodes - b % nodes));
    if (std::abs(a / nodes - b / nodes) > 1 || reach > nodes / kMinPlaneSize) return std::nullopt;
  }
  return reach;
}

std::int32_t whole_blocks(std::int32_t nodes) {
  return (nodes + kPlaneBlock - 1) / kPlaneBlock * kPlaneBlock;
}

}  // namespace

std::optional<Planes> find_planes(std::span<const Bond> bonds,
                                  std::span<const std::int32_t> place) {
  if (bonds.empty()) return std::nullopt;
  std::int32_t farthest = 0;
  for (const Bond& bond : bonds)
    farthest = std::max(farthest, std::abs(at(place, bond.b) - at(place, bond.a)));
  // least index distance to a partner in another plane
  std::int32_t nearest = std::numeric_limits<std::int32_t>::max();
  for (const Bond& bond : bonds) {
    const std::int32_t distance = std::abs(at(place, bond.b) - at(place, bond.a));
    if (distance > farthest / 2) nearest = std::min(nearest, distance);
  }
  // bonds straight across are in the middle of this range, or at an end if all diagonals lean one
  // way
  for (const std::int32_t nodes : {nearest + (farthest - nearest) / 2, nearest, farthest}) {
    if (nodes < kMinPlaneSize) continue;
    const auto reach = reach_in(bonds, place, nodes);
    if (!reach) continue;
    const auto last = static_cast<std::int32_t>(place.size()) - 1;
    return Planes{last / nodes + 1, nodes, nodes, *reach};
  }
  return std::nullopt;
}

Planes spread(const Planes& planes, std::vector<std::int32_t>& place) {
  Planes out = planes;
  out.pitch = whole_blocks(planes.nodes) + whole_blocks(planes.reach);
  for (std::int32_t& p : place)
    p = p / planes.pitch * out.pitch + p % planes.pitch;
  return out;
}

}  // namespace femflex::hamiltonian::tiles
