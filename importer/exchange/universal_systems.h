// The coordinate systems of a universal file (data set 18), in which its nodes may be defined.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string_view>

#include <Eigen/Core>

namespace femflex::importer {

/// Systems by their numbers. Three lines each: number, type (0 Cartesian), reference system,
/// colour, method; a name; then, six reals a line, the origin, a point on the x axis and one on the
/// xz plane, in the reference system.
class UniversalSystems {
 public:
  /// Reads the lines of a data set 18. Returns the first line that is not as it should be; empty if
  /// all are.
  std::string_view read(std::span<const std::string_view> lines);

  enum class Known : std::uint8_t { yes, no, other_type };
  /// Whether the axes of system `number` are given and Cartesian; 0 and, unless the file gives
  /// them, 1 are the global one.
  Known known(std::int64_t number) const;
  /// A point of the system, which must be known, in global coordinates.
  std::array<double, 3> global(std::int64_t number, const std::array<double, 3>& x) const;

 private:
  struct System {
    std::int64_t type = 0;
    std::int64_t reference = 0;
    Eigen::Vector3d origin = Eigen::Vector3d::Zero();
    Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();  ///< as columns, in the reference system
  };

  std::map<std::int64_t, System> systems_;
};

}  // namespace femflex::importer
