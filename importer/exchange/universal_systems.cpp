// Reads coordinate systems by three points each.
#include "exchange/universal_systems.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <Eigen/Geometry>

#include "femflex/number.h"

namespace femflex::importer {
namespace {

/// Takes up to `to.size()` reals of a line, and returns how many there were.
std::size_t take_reals(std::string_view line, std::span<double> to) {
  std::size_t count = 0;
  while (count < to.size() && take_real(line, to[count]))
    ++count;
  return count;
}

}  // namespace

std::string_view read_universal_systems(std::span<const std::string_view> lines,
                                        std::vector<RawSystem>& systems) {
  constexpr std::size_t kLines = 4;  // numbers, name, six reals, three reals
  constexpr std::size_t kFirstReals = 6;
  for (std::size_t at = 0; at < lines.size(); at += kLines) {
    if (at + kLines > lines.size()) return lines[at];
    std::array<std::int64_t, 3> head{};  // number, type, reference
    std::string_view line = lines[at];
    for (std::int64_t& value : head)
      if (!take_integer(line, value)) return lines[at];
    std::array<double, 9> x{};
    const std::span<double> all(x);
    if (take_reals(lines[at + 2], all.first(kFirstReals)) != kFirstReals) return lines[at + 2];
    if (take_reals(lines[at + 3], all.subspan(kFirstReals)) != x.size() - kFirstReals)
      return lines[at + 3];
    const Eigen::Vector3d origin(x[0], x[1], x[2]);
    const Eigen::Vector3d along = Eigen::Vector3d(x[3], x[4], x[5]) - origin;
    const Eigen::Vector3d y = (Eigen::Vector3d(x[6], x[7], x[8]) - origin).cross(along);
    if (!(along.norm() > 0.0) || !(y.norm() > 0.0)) return lines[at + 2];
    const Eigen::Vector3d on_z = origin + along.cross(y).normalized();
    RawSystem system;
    system.id = head[0];
    if (head[1] != 0) system.kind = CoordinateSystem::Kind::cylindrical;
    system.reference = head[2] == head[0] ? 0 : head[2];
    system.points = {std::array{x[0], x[1], x[2]},
                     std::array{on_z.x(), on_z.y(), on_z.z()},
                     std::array{x[3], x[4], x[5]}};
    systems.push_back(std::move(system));
  }
  return {};
}

}  // namespace femflex::importer
