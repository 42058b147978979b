// Finds the shape of ANSYS elements from their routine number and their repeated nodes.
#include "ansys/elements.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include "femflex/element_shape.h"
#include "femflex/unit_constants.h"

namespace femflex::importer {
namespace {

enum class AnsysFamily : std::uint8_t {
  none,
  brick8,
  brick20,
  tetra4,
  tetra10,
  quad4,
  quad8,
  line2,
  line3,
  mass
};

/// Structural elements of the element library by routine number, with the withdrawn ones that older
/// decks have.
AnsysFamily ansys_family(std::int64_t routine) {
  switch (routine) {
    case 5:
    case 45:
    case 46:
    case 64:
    case 65:
    case 73:
    case 164:
    case 185:
    case 190:
      return AnsysFamily::brick8;
    case 95:
    case 186:
    case 191:
    case 226:
      return AnsysFamily::brick20;
    case 72:
    case 285:
      return AnsysFamily::tetra4;
    case 92:
    case 98:
    case 168:
    case 187:
    case 227:
      return AnsysFamily::tetra10;
    case 28:
    case 41:
    case 42:
    case 43:
    case 63:
    case 143:
    case 163:
    case 181:
    case 182:
      return AnsysFamily::quad4;
    case 82:
    case 91:
    case 93:
    case 99:
    case 183:
    case 281:
      return AnsysFamily::quad8;
    case 1:
    case 3:
    case 4:
    case 8:
    case 10:
    case 14:
    case 16:
    case 20:
    case 23:
    case 24:
    case 39:
    case 44:
    case 54:
    case 180:
    case 184:
    case 188:
    case 288:
      return AnsysFamily::line2;
    case 189:
    case 289:
      return AnsysFamily::line3;
    case 21:
      return AnsysFamily::mass;
    default:
      return AnsysFamily::none;
  }
}

using NodeList = std::vector<std::int64_t>;

/// An element in the order of ElementShape.
struct Shaped {
  const char* name = nullptr;
  NodeList nodes;
};

NodeList nodes_at_places(std::span<const std::int64_t> nodes,
                         std::initializer_list<std::size_t> places) {
  NodeList out;
  for (const std::size_t place : places)
    out.push_back(nodes[place]);
  return out;
}

/// Brick with nodes I to P and, if it has 20, mid nodes of the lower, upper and upright edges.
Shaped shaped_brick(std::span<const std::int64_t> n, bool quadratic) {
  const bool is_prism = n[2] == n[3] && n[6] == n[7];  // K = L, O = P
  const bool has_apex = n[4] == n[5] && n[5] == n[6] && n[6] == n[7];
  if (has_apex && n[2] == n[3])
    return {"CTETRA",
            quadratic ? nodes_at_places(n, {0, 1, 2, 4, 8, 9, 11, 16, 17, 18})
                      : nodes_at_places(n, {0, 1, 2, 4})};
  if (has_apex)
    return {"CPYRAM",
            quadratic ? nodes_at_places(n, {0, 1, 2, 3, 4, 8, 9, 10, 11, 16, 17, 18, 19})
                      : nodes_at_places(n, {0, 1, 2, 3, 4})};
  if (is_prism)
    return {"CPENTA",
            quadratic ? nodes_at_places(n, {0, 1, 2, 4, 5, 6, 8, 9, 11, 16, 17, 18, 12, 13, 15})
                      : nodes_at_places(n, {0, 1, 2, 4, 5, 6})};
  return {"CHEXA",
          quadratic ? nodes_at_places(
                          n, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 16, 17, 18, 19, 12, 13, 14, 15})
                    : nodes_at_places(n, {0, 1, 2, 3, 4, 5, 6, 7})};
}

Shaped shaped_surface(std::span<const std::int64_t> n, bool quadratic) {
  if (n[2] == n[3])
    return quadratic ? Shaped{"CTRIA6", nodes_at_places(n, {0, 1, 2, 4, 5, 7})}
                     : Shaped{"CTRIA3", nodes_at_places(n, {0, 1, 2})};
  return quadratic ? Shaped{"CQUAD8", nodes_at_places(n, {0, 1, 2, 3, 4, 5, 6, 7})}
                   : Shaped{"CQUAD4", nodes_at_places(n, {0, 1, 2, 3})};
}

bool all_given(std::span<const std::int64_t> nodes, std::size_t count) {
  return nodes.size() >= count && std::none_of(nodes.begin(),
                                               nodes.begin() + static_cast<std::ptrdiff_t>(count),
                                               [](std::int64_t node) { return node <= 0; });
}

Shaped shaped(AnsysFamily family, std::span<const std::int64_t> n) {
  switch (family) {
    case AnsysFamily::brick8:
    case AnsysFamily::brick20:
      if (all_given(n, 20) && family == AnsysFamily::brick20) return shaped_brick(n, true);
      return all_given(n, 8) ? shaped_brick(n, false) : Shaped{};
    case AnsysFamily::tetra10:
      if (all_given(n, 10)) return {"CTETRA", nodes_at_places(n, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9})};
      [[fallthrough]];
    case AnsysFamily::tetra4:
      return all_given(n, 4) ? Shaped{"CTETRA", nodes_at_places(n, {0, 1, 2, 3})} : Shaped{};
    case AnsysFamily::quad8:
      if (all_given(n, 8)) return shaped_surface(n, true);
      [[fallthrough]];
    case AnsysFamily::quad4:
      if (all_given(n, 4)) return shaped_surface(n, false);
      return all_given(n, 3) ? Shaped{"CTRIA3", nodes_at_places(n, {0, 1, 2})} : Shaped{};
    case AnsysFamily::line3:
      if (all_given(n, 3)) return {"CBEAM3", nodes_at_places(n, {0, 1, 2})};
      [[fallthrough]];
    case AnsysFamily::line2:
      return all_given(n, 2) ? Shaped{"CBAR", nodes_at_places(n, {0, 1})} : Shaped{};
    case AnsysFamily::mass:
    case AnsysFamily::none:
      break;
  }
  return {};
}

}  // namespace

void AnsysElements::add(std::int64_t routine,
                        std::int64_t id,
                        std::span<const std::int64_t> nodes) {
  const AnsysFamily family = ansys_family(routine);
  if (family == AnsysFamily::mass) {
    ++counts_["MASS21"];
    return;
  }
  Shaped element = shaped(family, nodes);
  if (element.name == nullptr) {
    ++unread_[fmt::format("elements of type {}", routine)];
    return;
  }
  const int width = static_cast<int>(element.nodes.size());
  ElementBlock& block = blocks_[{element.name, width}];
  block.type = element.name;
  block.nodes_per_element = width;
  block.ids.push_back(id);
  block.connectivity.insert(block.connectivity.end(), element.nodes.begin(), element.nodes.end());
  ++counts_[element.name];
}

void AnsysElements::finish(FileContents& contents) {
  for (auto& [key, block] : blocks_)
    contents.elements.push_back(std::move(block));
  contents.element_counts = std::move(counts_);
  for (const auto& [what, count] : unread_)
    contents.unread.push_back({what, count});
}

bool is_ansys_solid(std::int64_t routine) {
  const AnsysFamily family = ansys_family(routine);
  return family == AnsysFamily::brick8 || family == AnsysFamily::brick20 ||
         family == AnsysFamily::tetra4 || family == AnsysFamily::tetra10;
}

std::int64_t AnsysNodeAxes::system_of(const std::array<double, 3>& angles) {
  // angles that differ by less are one: files print them with seven digits or more
  constexpr double kQuantum = 1e-5;
  constexpr double kMostDegrees = 1e6;
  std::array<std::int64_t, 3> key{};
  for (std::size_t k = 0; k < 3; ++k) {
    if (!(std::abs(angles[k]) < kMostDegrees)) return 0;
    key[k] = std::llround(angles[k] / kQuantum);
  }
  if (key == std::array<std::int64_t, 3>{}) return 0;
  const auto [entry, is_new] =
      known_.try_emplace(key, static_cast<std::int64_t>(known_.size()) + 1);
  if (!is_new) return entry->second;
  const auto turn = [](double degrees, const Eigen::Vector3d& axis) {
    return Eigen::AngleAxisd(degrees * kDegree, axis);
  };
  RawSystem system;
  system.id = entry->second;
  CoordinateSystem resolved;
  resolved.id = system.id;
  resolved.axes =
      (turn(angles[0], Eigen::Vector3d::UnitZ()) * turn(angles[1], Eigen::Vector3d::UnitX()) *
       turn(angles[2], Eigen::Vector3d::UnitY()))
          .toRotationMatrix();
  system.resolved = resolved;
  systems_.push_back(system);
  return entry->second;
}

}  // namespace femflex::importer
