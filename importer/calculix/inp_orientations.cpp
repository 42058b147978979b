// Reads *ORIENTATION of CalculiX and Abaqus decks. An orientation that only the other program would
// read, or that is not supported, is refused with the reason.
#include "calculix/inp_orientations.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include "femflex/number.h"
#include "femflex/unit_constants.h"

namespace femflex::importer {
namespace {

constexpr int kBadAxis = -1;

}  // namespace

void InpOrientations::begin(const std::string& keyword, const InpParameters& parameters) {
  lines_ = 0;
  open_ = nullptr;
  if (keyword != "ORIENTATION") return;
  const std::string system = parameters.word("SYSTEM"), points = parameters.word("DEFINITION");
  open_ = &all_[parameters.word("NAME")];
  *open_ = {};
  open_->is_rectangular = (system.empty() || system == "RECTANGULAR") &&
                          (points.empty() || points == "COORDINATES") &&
                          !parameters.has("DISTRIBUTION");
}

void InpOrientations::data(const std::vector<std::string_view>& fields) {
  if (open_ == nullptr) return;
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  ++lines_;
  if (lines_ == 1) {
    for (std::size_t k = 0; k < std::min(fields.size(), open_->points.size()); ++k)
      if (!fields[k].empty()) open_->points[k] = parse_real(fields[k]).value_or(kNaN);
  } else if (lines_ == 2) {
    if (!fields.empty() && !fields[0].empty()) {
      const auto axis = parse_integer(fields[0]).value_or(kBadAxis);
      open_->axis = axis >= 1 && axis <= 3 ? static_cast<int>(axis) : kBadAxis;
    }
    if (fields.size() > 1 && !fields[1].empty())
      open_->angle = parse_real(fields[1]).value_or(kNaN);
  }
}

/// Turns `axes` by the second line.  @return why that is not possible
std::string InpOrientations::turn(const Orientation& from,
                                  const InpDialect& dialect,
                                  bool for_shell,
                                  Eigen::Matrix3d& axes) {
  if (!std::isfinite(from.angle)) return "the angle is not a number";
  const int axis = from.axis == 0 && dialect.is_abaqus() ? 1 : from.axis;
  // Abaqus demands the second line for shells; without an axis in it, 1 is meant
  if (for_shell && dialect.is_abaqus() && axis != 3)
    return "a shell needs 3 as the axis of the angle, which is then near its normal";
  if (from.angle == 0.0) return {};
  if (axis < 1) return "the angle has no axis, which is 1, 2 or 3";
  axes *=
      Eigen::AngleAxisd(from.angle * kDegree, Eigen::Vector3d::Unit(axis - 1)).toRotationMatrix();
  return {};
}

std::string InpOrientations::axes_of(const std::string& name,
                                     const InpDialect& dialect,
                                     bool for_shell,
                                     Eigen::Matrix3d& axes) const {
  const auto found = all_.find(name);
  if (found == all_.end()) return fmt::format("orientation {} is not defined", name);
  const Orientation& from = found->second;
  const auto refusal = [&](const std::string& why) {
    return fmt::format("orientation {}: {}", name, why);
  };
  if (!from.is_rectangular) return refusal("only rectangular ones of points are supported");
  const std::array<double, 9>& p = from.points;
  if (!std::all_of(p.begin(), p.end(), [](double each) { return std::isfinite(each); }))
    return refusal("a coordinate is not a number");
  const Eigen::Vector3d a(p[0], p[1], p[2]), b(p[3], p[4], p[5]), c(p[6], p[7], p[8]);
  if (!dialect.is_abaqus() && !c.isZero(0.0))
    return refusal("CalculiX does not read its origin c: give a and b relative to it");
  const Eigen::Vector3d x = (a - c).normalized();
  const Eigen::Vector3d z = x.cross(b - c).normalized();
  axes << x, z.cross(x), z;
  if (!axes.isUnitary()) return refusal("its points lie on a line");
  const std::string why = turn(from, dialect, for_shell, axes);
  return why.empty() ? why : refusal(why);
}

}  // namespace femflex::importer
