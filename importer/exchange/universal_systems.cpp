// Reads the coordinate systems of data set 18, each given by three points.
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

std::optional<std::size_t> read_universal_systems(std::span<const std::string_view> lines,
                                                  std::vector<RawSystem>& systems) {
  constexpr std::size_t kLines = 4;  // numbers, name, six reals, three reals
  constexpr std::size_t kFirstReals = 6;
  constexpr double kMinSine = 1e-12;  // of the angle at the origin; below, the points are in line
  for (std::size_t at = 0; at < lines.size(); at += kLines) {
    if (at + kLines > lines.size()) return at;
    std::array<std::int64_t, 3> head{};  // number, type, reference
    std::string_view line = lines[at];
    for (std::int64_t& value : head)
      if (!take_integer(line, value)) return at;
    std::array<double, 9> x{};
    const std::span<double> all(x);
    if (take_reals(lines[at + 2], all.first(kFirstReals)) != kFirstReals) return at + 2;
    if (take_reals(lines[at + 3], all.subspan(kFirstReals)) != x.size() - kFirstReals)
      return at + 3;
    const Eigen::Vector3d origin(x[0], x[1], x[2]);
    const Eigen::Vector3d along = Eigen::Vector3d(x[3], x[4], x[5]) - origin;
    const Eigen::Vector3d in_plane = Eigen::Vector3d(x[6], x[7], x[8]) - origin;
    const Eigen::Vector3d y = in_plane.cross(along);
    if (!(along.norm() > 0.0)) return at + 2;
    if (!(y.norm() > kMinSine * along.norm() * in_plane.norm())) return at + 3;
    const Eigen::Vector3d on_z = origin + along.cross(y).normalized();
    RawSystem system;
    system.id = head[0];
    if (head[1] != 0) system.kind = CoordinateSystem::Kind::cylindrical;
    system.reference = head[2] == head[0] ? 0 : head[2];  // 0: the global system
    system.points = {std::array{x[0], x[1], x[2]},
                     std::array{on_z.x(), on_z.y(), on_z.z()},
                     std::array{x[3], x[4], x[5]}};
    systems.push_back(std::move(system));
  }
  return {};
}

}  // namespace femflex::importer
