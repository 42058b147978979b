// Builds the system of *SYSTEM when the next keyword line ends it.
#include "calculix/inp_systems.h"

#include <cmath>

#include <fmt/format.h>

#include "femflex/unit_constants.h"

#include "calculix/inp_scan.h"

namespace femflex::importer {

void InpNodeSystems::begin(const std::string& keyword,
                           const InpParameters& parameters,
                           const Where& where) {
  if (is_open_) close();
  is_open_ = keyword == "SYSTEM";
  where_ = where;
  points_.clear();
  if (is_open_ || keyword == "PART" || keyword == "ENDPART" || keyword == "INSTANCE" ||
      keyword == "ENDINSTANCE")
    system_ = Eigen::Isometry3d::Identity();
  if (keyword != "NODE") return;
  const std::string system = parameters.word("SYSTEM");
  is_cylindrical_ = system == "C";
  if (!system.empty() && system != "R" && system != "C")
    throw ParseError("node-system",
                     fmt::format("SYSTEM={} of *NODE is not supported", system),
                     where,
                     "give the coordinates as SYSTEM=R or C");
}

void InpNodeSystems::data(const std::vector<std::string_view>& fields, const Where& where) {
  if (!is_open_) return;
  for (std::size_t first = 0; first < fields.size(); first += 3) {
    bool is_blank = true;
    for (std::size_t k = first; k < fields.size() && k < first + 3; ++k)
      is_blank = is_blank && fields[k].empty();
    if (is_blank) continue;
    points_.emplace_back(inp_real_or_zero(fields, first, where),
                         inp_real_or_zero(fields, first + 1, where),
                         inp_real_or_zero(fields, first + 2, where));
  }
}

/// Makes the system of the points a, b, c.
void InpNodeSystems::close() {
  is_open_ = false;
  if (points_.empty()) return;
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();
  if (points_.size() > 1) {
    Eigen::Vector3d x = points_[1] - points_[0];
    Eigen::Vector3d z = Eigen::Vector3d::UnitZ();
    if (points_.size() > 2)
      z = x.cross(points_[2] - points_[0]).normalized();
    else
      x.z() = 0.0;
    x.normalize();
    axes << x, z.cross(x), z;
  }
  constexpr double kRounding = 1e-9;
  if (points_.size() > 3 || !axes.isUnitary(kRounding))
    throw ParseError("node-system",
                     "the points of the system do not define its axes",
                     where_,
                     "give the origin, a point on axis 1 and, on the second line, one in the plane "
                     "of axes 1 and 2");
  system_.linear() = axes;
  system_.translation() = points_[0];
}

void InpNodeSystems::place(RawGrid& grid) const {
  Eigen::Map<Eigen::Vector3d> x(grid.x.data());
  if (is_cylindrical_) {
    const double radius = x(0), angle = x(1) * kDegree;
    x.head<2>() << radius * std::cos(angle), radius * std::sin(angle);
  }
  x = (system_ * Eigen::Vector3d(x)).eval();
}

}  // namespace femflex::importer
