// Reads coordinate systems by three points each, and follows their references.
#include "exchange/universal_systems.h"

#include <cstddef>

#include <Eigen/Geometry>

#include "femflex/number.h"

namespace femflex::importer {
namespace {

/// Takes up to `most` reals of a line.
std::size_t take_reals(std::string_view line, std::span<double> to) {
  std::size_t count = 0;
  while (count < to.size() && take_real(line, to[count]))
    ++count;
  return count;
}

}  // namespace

std::string_view UniversalSystems::read(std::span<const std::string_view> lines) {
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
    System system;
    system.type = head[1];
    system.reference = head[2];
    system.origin = Eigen::Vector3d(x[0], x[1], x[2]);
    const Eigen::Vector3d along = Eigen::Vector3d(x[3], x[4], x[5]) - system.origin;
    const Eigen::Vector3d normal = (Eigen::Vector3d(x[6], x[7], x[8]) - system.origin).cross(along);
    if (!(along.norm() > 0.0) || !(normal.norm() > 0.0)) return lines[at + 2];
    system.axes.col(0) = along.normalized();
    system.axes.col(1) = normal.normalized();
    system.axes.col(2) = system.axes.col(0).cross(system.axes.col(1));
    systems_[head[0]] = system;
  }
  return {};
}

UniversalSystems::Known UniversalSystems::known(std::int64_t number) const {
  for (std::size_t depth = 0; depth <= systems_.size(); ++depth) {
    const auto found = systems_.find(number);
    if (found == systems_.end()) return number == 0 || number == 1 ? Known::yes : Known::no;
    if (found->second.type != 0) return Known::other_type;
    if (found->second.reference == number) return Known::yes;
    number = found->second.reference;
  }
  return Known::no;  // the references go round
}

std::array<double, 3> UniversalSystems::global(std::int64_t number,
                                               const std::array<double, 3>& x) const {
  Eigen::Vector3d out(x[0], x[1], x[2]);
  for (auto found = systems_.find(number); found != systems_.end(); found = systems_.find(number)) {
    out = found->second.origin + found->second.axes * out;
    if (found->second.reference == number) break;
    number = found->second.reference;
  }
  return {out.x(), out.y(), out.z()};
}

}  // namespace femflex::importer
