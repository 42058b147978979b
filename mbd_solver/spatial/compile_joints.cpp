#include <cmath>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "spatial/compiler.h"

namespace femflex::mbd_solver {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

RowModel along(const Vector3d& direction) {
  RowModel row;
  row.kind = RowModel::Kind::along;
  row.ea = direction;
  return row;
}

RowModel dot(const Vector3d& a, const Vector3d& b) {
  RowModel row;
  row.kind = RowModel::Kind::dot;
  row.dots[0] = {a, b, 1.0};
  row.dot_count = 1;
  return row;
}

/// Smallest rotation that turns the direction `from` into `to`.
Matrix3d smallest_turn(const Vector3d& from, const Vector3d& to) {
  return Eigen::Quaterniond::FromTwoVectors(from, to).toRotationMatrix();
}

Vector3d direction(const std::optional<Vector3d>& axis, const std::string& user) {
  if (!axis->allFinite() || axis->norm() < 1e-12)
    throw ModelError("axis", fmt::format("{}: the axis has no direction", user));
  return axis->normalized();
}

}  // namespace

void Compiler::add_joint(const Joint& joint) {
  const std::string user = fmt::format("joint {}", joint.name);
  if (joint.name.empty() || joint.name.find('/') != std::string::npos ||
      bodies_.contains(joint.name))
    throw ModelError("joint-name", fmt::format("'{}' cannot name a joint", joint.name));
  if (!joints_.emplace(joint.name, static_cast<int>(model_.joints.size())).second)
    throw ModelError("name-twice", fmt::format("two joints are called '{}'", joint.name));
  bool named_a = false, named_b = false;
  const int base_a = place(joint.a, user, &named_a);
  const int base_b = place(joint.b, user, &named_b);
  if (model_.markers[static_cast<std::size_t>(base_a)].body ==
      model_.markers[static_cast<std::size_t>(base_b)].body)
    throw ModelError("joint-on-itself",
                     fmt::format("{}: both places are on {}",
                                 user,
                                 model_
                                     .bodies[static_cast<std::size_t>(
                                         model_.markers[static_cast<std::size_t>(base_a)].body)]
                                     .name));
  WorldFrame a = initial_frame(base_a);
  WorldFrame b = initial_frame(base_b);
  if (joint.at) {
    check_finite(*joint.at, user + ": at");
    a.p = b.p = *joint.at;
  }
  // a bare body gives no place of its own: the joint then stands where the other side says
  const bool place_a = joint.a.find('/') != std::string::npos;
  const bool place_b = joint.b.find('/') != std::string::npos;
  const bool needs_one_point =
      joint.type != JointType::distance && joint.type != JointType::planar &&
      joint.type != JointType::point_on_line && joint.type != JointType::point_on_plane;
  if (!joint.at && needs_one_point && !(place_a && place_b))
    (place_a ? b.p : a.p) = place_a ? a.p : b.p;
  if (joint.axis) {
    a.R = frame_about(direction(joint.axis, user));
    b.R = a.R;
    if (joint.type == JointType::prismatic || joint.type == JointType::fixed) b.R = a.R;
  } else if (!(named_a && named_b)) {
    b.R = named_b && !named_a ? b.R : a.R;
    if (named_b && !named_a) a.R = b.R;
  }
  if (joint.axis_b) {
    const Vector3d z = direction(joint.axis_b, user);
    b.R = joint.type == JointType::constant_velocity || joint.type == JointType::universal
              ? Matrix3d(joint.type == JointType::universal ? frame_about(z)
                                                            : smallest_turn(a.R.col(2), z) * a.R)
              : frame_about(z);
  }
  JointModel j;
  j.name = joint.name;
  j.type = joint.type;
  j.legs = {marker_at(base_a, a), marker_at(base_b, b)};
  const Vector3d x = Vector3d::UnitX(), y = Vector3d::UnitY(), z = Vector3d::UnitZ();
  const auto rows = [&](std::initializer_list<RowModel> list) {
    j.rows.insert(j.rows.end(), list.begin(), list.end());
  };
  const auto points = [&] { rows({along(x), along(y), along(z)}); };
  const auto parallel = [&] { rows({dot(x, z), dot(y, z)}); };
  const auto point_dofs = [&](int leg) {
    return model_
               .bodies[static_cast<std::size_t>(model_.markers[static_cast<std::size_t>(leg)].body)]
               .kind == BodyModel::Kind::point;
  };
  bool turns = true;  // the joint holds directions
  switch (j.type) {
    case JointType::fixed:
      points();
      rows({dot(x, y), dot(y, z), dot(z, x)});
      break;
    case JointType::revolute:
      points();
      parallel();
      break;
    case JointType::cylindrical:
      rows({along(x), along(y)});
      parallel();
      break;
    case JointType::prismatic:
      rows({along(x), along(y), dot(x, y), dot(y, z), dot(z, x)});
      break;
    case JointType::universal:
      points();
      rows({dot(z, z)});
      break;
    case JointType::constant_velocity: {
      points();
      RowModel row = dot(x, y);
      row.dots[1] = {y, x, -1.0};
      row.dot_count = 2;
      rows({row});
      break;
    }
    case JointType::spherical:
      points();
      turns = false;
      break;
    case JointType::planar:
      rows({along(z)});
      parallel();
      break;
    case JointType::point_on_line:
      rows({along(x), along(y)});
      turns = false;
      break;
    case JointType::point_on_plane:
      rows({along(z)});
      turns = false;
      break;
    case JointType::distance: {
      RowModel row;
      row.kind = RowModel::Kind::distance;
      row.length = joint.length ? *joint.length : (b.p - a.p).norm();
      if (!(row.length > 0.0) || !std::isfinite(row.length))
        throw ModelError("distance",
                         fmt::format("{}: a length of {} m", user, row.length),
                         {},
                         "use a spherical joint for coinciding points");
      rows({row});
      turns = false;
      break;
    }
    case JointType::parallel_axes:
      parallel();
      break;
    case JointType::perpendicular_axes:
      rows({dot(z, z)});
      break;
    case JointType::orientation:
      rows({dot(x, y), dot(y, z), dot(z, x)});
      break;
    case JointType::screw: {
      rows({along(x), along(y)});
      parallel();
      j.turn = model_.turns++;
      RowModel row;
      row.kind = RowModel::Kind::coordinate;
      row.terms = {{false, 0, 1, 1.0, -1}, {true, 0, 1, -joint.pitch / (2.0 * M_PI), j.turn}};
      row.constant = 0.0;
      rows({row});
      break;
    }
    case JointType::gear:
      break;
  }
  if (turns && (point_dofs(j.legs[0]) || point_dofs(j.legs[1])))
    throw ModelError("point-turns",
                     fmt::format("{}: a {} joint holds directions, which a point mass has none of",
                                 user,
                                 name_of(j.type)));
  if (model_.planar) {  // rows that no planar motion can break
    std::erase_if(j.rows, [&](const RowModel& row) {
      const Matrix3d R_A = a.R;
      if (row.kind == RowModel::Kind::along) return std::abs((R_A * row.ea).z()) > 1.0 - 1e-9;
      if (row.kind == RowModel::Kind::dot) {
        const Vector3d va = R_A * row.dots[0].a, vb = b.R * row.dots[0].b;
        return std::abs(va.z()) > 1.0 - 1e-9 || std::abs(vb.z()) > 1.0 - 1e-9;
      }
      return false;
    });
  }
  if (j.rows.empty())
    throw ModelError("joint-idle", fmt::format("{}: it holds nothing in the plane", user));
  // distances and given angles keep what the initial state shows
  if (j.type == JointType::screw) {
    RowModel& row = j.rows.back();
    row.constant = -a.R.col(2).dot(b.p - a.p);
  }
  model_.joints.push_back(std::move(j));
}

void Compiler::add_gear(const Joint& joint) {
  const std::string user = fmt::format("joint {}", joint.name);
  const int first = joint_index(joint.joint_a, user);
  const int second = joint_index(joint.joint_b, user);
  if (!joints_.emplace(joint.name, static_cast<int>(model_.joints.size())).second)
    throw ModelError("name-twice", fmt::format("two joints are called '{}'", joint.name));
  if (!std::isfinite(joint.ratio) || joint.ratio == 0.0)
    throw ModelError("gear-ratio", fmt::format("{}: a ratio of {}", user, joint.ratio));
  JointModel j;
  j.name = joint.name;
  j.type = JointType::gear;
  RowModel row;
  row.kind = RowModel::Kind::coordinate;
  int leg = 0;
  for (const int other : {first, second}) {
    const bool slides = model_.joints[static_cast<std::size_t>(other)].type == JointType::prismatic;
    CoordinateTerm term = coordinate_term(other, !slides, user);
    const JointModel& held = model_.joints[static_cast<std::size_t>(other)];
    j.legs.insert(j.legs.end(), {held.legs[0], held.legs[1]});
    term.a = leg++;
    term.b = leg++;
    term.factor = other == first && leg == 2 ? 1.0 : joint.ratio;
    if (slides) {
      const WorldFrame a = initial_frame(held.legs[0]), b = initial_frame(held.legs[1]);
      row.constant -= term.factor * a.R.col(2).dot(b.p - a.p);
    }
    row.terms.push_back(term);
  }
  j.rows.push_back(row);
  model_.joints.push_back(std::move(j));
}

void Compiler::add_motion(const Motion& motion) {
  const std::string user = fmt::format("motion {}", motion.name);
  if (motion.name.empty() || joints_.contains(motion.name) || bodies_.contains(motion.name))
    throw ModelError("motion-name", fmt::format("'{}' cannot name a motion", motion.name));
  MotionModel m;
  m.name = motion.name;
  m.value = signal(motion.value, user);
  if (!m.value.only_time())
    throw ModelError("motion-value", fmt::format("{}: a motion is a function of t alone", user));
  m.joint = static_cast<int>(model_.joints.size());
  JointModel j;
  j.name = motion.name;
  j.is_motion = true;
  RowModel row;
  row.motion = static_cast<int>(model_.motions.size());
  const bool angle = motion.coordinate == Motion::Coordinate::angle;
  if (angle || motion.coordinate == Motion::Coordinate::displacement) {
    const int other = joint_index(motion.joint, user);
    CoordinateTerm term = coordinate_term(other, angle, user);
    const JointModel& held = model_.joints[static_cast<std::size_t>(other)];
    j.type = held.type;
    j.legs = {held.legs[0], held.legs[1]};
    term.a = 0;
    term.b = 1;
    row.kind = RowModel::Kind::coordinate;
    row.terms = {term};
  } else {
    const int on = place(motion.on, user);
    const int ground = place("ground", user);
    const int axis = motion.coordinate == Motion::Coordinate::x   ? 0
                     : motion.coordinate == Motion::Coordinate::y ? 1
                                                                  : 2;
    j.type = JointType::point_on_plane;
    j.legs = {ground, on};
    row.kind = RowModel::Kind::along;
    row.ea = Vector3d::Unit(axis);
  }
  motions_.emplace(motion.name, static_cast<int>(model_.motions.size()));
  joints_.emplace(motion.name, m.joint);
  j.rows.push_back(row);
  model_.joints.push_back(std::move(j));
  model_.motions.push_back(std::move(m));
}

}  // namespace femflex::mbd_solver
