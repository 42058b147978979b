// The table of joint types: their names, free coordinates and constraint rows.
// docs/theory/multibody.md §4
#include "spatial/joint_kinds.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/nearest_name.h"

namespace femflex::mbd_solver {
namespace {

enum JointAxis : std::uint8_t { kX, kY, kZ };

/// A constraint row between axes of a and b.
struct AxisRow {
  enum class Kind : std::uint8_t { none, along, dot, difference };
  Kind kind = Kind::none;
  JointAxis a = kX, b = kX;
};

/// Keeps the point of b on the plane through the point of a that is perpendicular to an axis of a.
constexpr AxisRow along(JointAxis axis) {
  return {AxisRow::Kind::along, axis, axis};
}
/// Keeps an axis of b perpendicular to an axis of a.
constexpr AxisRow dot(JointAxis a, JointAxis b) {
  return {AxisRow::Kind::dot, a, b};
}
/// Keeps u_a . v_b = v_a . u_b, so that b does not rotate relative to a about the bisector of their
/// z axes.
constexpr AxisRow difference(JointAxis u, JointAxis v) {
  return {AxisRow::Kind::difference, u, v};
}

/// The coordinates about and along the z axis of a that a joint leaves free and that channels,
/// forces and starts may name.
enum class Free : std::uint8_t { none, angle, displacement, both };

/// Whether a joint holds a place of b at a place of a, both at one point at the start or not.
enum class Places : std::uint8_t { none, one_point, two_points };

struct JointKind {
  JointType type;
  std::string_view name;
  Places places;
  Free free;
  std::array<AxisRow, 6> rows;
};
constexpr Places kOnePoint = Places::one_point, kTwoPoints = Places::two_points;

constexpr JointKind kJointKinds[] = {
    {JointType::fixed,
     "fixed",
     kOnePoint,
     Free::none,
     {{along(kX), along(kY), along(kZ), dot(kX, kY), dot(kY, kZ), dot(kZ, kX)}}},
    {JointType::revolute,
     "revolute",
     kOnePoint,
     Free::angle,
     {{along(kX), along(kY), along(kZ), dot(kX, kZ), dot(kY, kZ)}}},
    {JointType::cylindrical,
     "cylindrical",
     kOnePoint,
     Free::both,
     {{along(kX), along(kY), dot(kX, kZ), dot(kY, kZ)}}},
    {JointType::prismatic,
     "prismatic",
     kOnePoint,
     Free::displacement,
     {{along(kX), along(kY), dot(kX, kY), dot(kY, kZ), dot(kZ, kX)}}},
    {JointType::universal,
     "universal",
     kOnePoint,
     Free::none,
     {{along(kX), along(kY), along(kZ), dot(kZ, kZ)}}},
    {JointType::constant_velocity,
     "constant-velocity",
     kOnePoint,
     Free::none,
     {{along(kX), along(kY), along(kZ), difference(kX, kY)}}},
    {JointType::spherical, "spherical", kOnePoint, Free::none, {{along(kX), along(kY), along(kZ)}}},
    {JointType::planar, "planar", kTwoPoints, Free::none, {{along(kZ), dot(kX, kZ), dot(kY, kZ)}}},
    {JointType::point_on_line, "point-on-line", kTwoPoints, Free::none, {{along(kX), along(kY)}}},
    {JointType::point_on_plane, "point-on-plane", kTwoPoints, Free::none, {{along(kZ)}}},
    {JointType::distance, "distance", kTwoPoints, Free::none, {}},
    {JointType::parallel_axes,
     "parallel-axes",
     kOnePoint,
     Free::none,
     {{dot(kX, kZ), dot(kY, kZ)}}},
    {JointType::perpendicular_axes, "perpendicular-axes", kOnePoint, Free::none, {{dot(kZ, kZ)}}},
    {JointType::orientation,
     "orientation",
     kOnePoint,
     Free::none,
     {{dot(kX, kY), dot(kY, kZ), dot(kZ, kX)}}},
    {JointType::gear, "gear", Places::none, Free::none, {}},
    {JointType::screw,
     "screw",
     kOnePoint,
     Free::both,
     {{along(kX), along(kY), dot(kX, kZ), dot(kY, kZ)}}},
};

const JointKind& kind_of(JointType type) {
  return *std::find_if(std::begin(kJointKinds), std::end(kJointKinds), [&](const JointKind& kind) {
    return kind.type == type;
  });
}

RowModel row_model(const AxisRow& row) {
  const Eigen::Vector3d a = Eigen::Vector3d::Unit(row.a), b = Eigen::Vector3d::Unit(row.b);
  RowModel out;
  if (row.kind == AxisRow::Kind::along) {
    out.ea = a;
    return out;
  }
  out.kind = RowModel::Kind::dot;
  out.dots[0] = {a, b, 1.0};
  out.dot_count = 1;
  if (row.kind == AxisRow::Kind::difference)
    out.dots[static_cast<std::size_t>(out.dot_count++)] = {b, a, -1.0};
  return out;
}

}  // namespace

std::vector<RowModel> rows_of(JointType type) {
  std::vector<RowModel> out;
  for (const AxisRow& row : kind_of(type).rows)
    if (row.kind != AxisRow::Kind::none) out.push_back(row_model(row));
  return out;
}

bool needs_one_point(JointType type) {
  return kind_of(type).places == Places::one_point;
}

bool has_angle(JointType type) {
  const Free free = kind_of(type).free;
  return free == Free::angle || free == Free::both;
}

bool has_displacement(JointType type) {
  const Free free = kind_of(type).free;
  return free == Free::displacement || free == Free::both;
}

bool only_slides(JointType type) {
  return kind_of(type).free == Free::displacement;
}

bool has_places(JointType type) {
  return kind_of(type).places != Places::none;
}

std::string_view name_of(JointType type) {
  return kind_of(type).name;
}

JointType parse_joint_type(std::string_view name) {
  std::vector<std::string> names;
  for (const JointKind& kind : kJointKinds) {
    if (kind.name == name) return kind.type;
    names.emplace_back(kind.name);
  }
  throw ModelError("unknown-joint-type",
                   fmt::format("'{}' is not a joint type", name),
                   {},
                   suggestion(name, names));
}

}  // namespace femflex::mbd_solver
