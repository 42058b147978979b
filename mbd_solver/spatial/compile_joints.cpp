// Compiler for joints and motions: their frames and constraint rows. docs/theory/multibody.md §4.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <variant>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "spatial/compiler.h"
#include "spatial/joint_kinds.h"

namespace femflex::mbd_solver {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

/// Shortest vector [m] that defines an axis direction.
constexpr double kMinAxis = 1e-12;
/// A unit vector with |z| above this is perpendicular to the plane of a planar system. Frames are
/// orthonormal within round-off, and directions in the plane have z = 0.
constexpr double kOutOfPlane = 1.0 - 1e-9;

/// Smallest rotation that takes the direction `from` to `to`.
Matrix3d smallest_turn(const Vector3d& from, const Vector3d& to) {
  return Eigen::Quaterniond::FromTwoVectors(from, to).toRotationMatrix();
}

Vector3d direction(const std::optional<Vector3d>& axis, const std::string& user) {
  if (!axis->allFinite() || axis->norm() < kMinAxis)
    throw ModelError("axis", fmt::format("{}: the axis has no direction", user));
  return axis->normalized();
}

RowModel distance_row(const Joint& joint, double initial, const std::string& user) {
  RowModel row;
  row.kind = RowModel::Kind::distance;
  row.length = joint.length ? *joint.length : initial;
  if (!(row.length > 0.0) || !std::isfinite(row.length))
    throw ModelError("distance",
                     fmt::format("{}: the length is {} m; expected more than 0", user, row.length),
                     {},
                     "use a spherical joint for coinciding points");
  return row;
}

/// Angle from the x axis of a to that of b about the z axis of a [rad]. It is not 0 only if both
/// places have their own axes.
double initial_angle(const WorldFrame& a, const WorldFrame& b) {
  const Vector3d x = b.R.col(0);
  return std::atan2(x.dot(a.R.col(1)), x.dot(a.R.col(0)));
}

/// Row of a screw joint: displacement along the axis minus pitch times turns keeps its initial
/// value.
RowModel screw_row(const Joint& joint, int turn, const WorldFrame& a, const WorldFrame& b) {
  RowModel row;
  row.kind = RowModel::Kind::coordinate;
  row.terms = {{false, 0, 1, 1.0, -1}, {true, 0, 1, -joint.pitch / (2.0 * M_PI), turn}};
  row.constant = joint.pitch / (2.0 * M_PI) * initial_angle(a, b) - a.R.col(2).dot(b.p - a.p);
  return row;
}

/// Whether the row is fulfilled by every motion in the plane.
bool constrains_nothing_in_plane(const RowModel& row, const Matrix3d& R_WA, const Matrix3d& R_WB) {
  if (row.kind == RowModel::Kind::along) return std::abs((R_WA * row.ea).z()) > kOutOfPlane;
  if (row.kind != RowModel::Kind::dot) return false;
  const Vector3d va = R_WA * row.dots[0].a, vb = R_WB * row.dots[0].b;
  return std::abs(va.z()) > kOutOfPlane || std::abs(vb.z()) > kOutOfPlane;
}

}  // namespace

/// The initial frames of a joint, computed from its places, point and axes.
std::array<WorldFrame, 2> Compiler::joint_frames(const Joint& joint,
                                                 const std::array<JointPlace, 2>& places,
                                                 const std::string& user) const {
  WorldFrame a = initial_frame(places[0].marker);
  WorldFrame b = initial_frame(places[1].marker);
  if (joint.at) {
    check_finite(*joint.at, user + ": at");
    a.p = b.p = *joint.at;
  }
  // a body name alone gives no position, so the joint is at the place of the other side
  const bool place_a = joint.a.find('/') != std::string::npos;
  const bool place_b = joint.b.find('/') != std::string::npos;
  if (!joint.at && needs_one_point(joint.type) && !(place_a && place_b))
    (place_a ? b.p : a.p) = place_a ? a.p : b.p;
  const bool named_a = places[0].is_defined, named_b = places[1].is_defined;
  const bool is_crossed =
      joint.type == JointType::universal || joint.type == JointType::perpendicular_axes;
  if (is_crossed && !joint.axis_b && (joint.axis || !(named_a && named_b)))
    throw ModelError(
        "axis",
        fmt::format("{}: a {} joint has two perpendicular axes, and that of b is missing",
                    user,
                    name_of(joint.type)),
        {},
        "give axis and axis_b, or markers with axes on both sides");
  if (joint.axis) {
    a.R = frame_about(direction(joint.axis, user));
    b.R = a.R;
  } else if (!(named_a && named_b)) {
    b.R = named_b && !named_a ? b.R : a.R;
    if (named_b && !named_a) a.R = b.R;
  }
  if (joint.axis_b) {
    const Vector3d z = direction(joint.axis_b, user);
    b.R = joint.type == JointType::constant_velocity ? Matrix3d(smallest_turn(a.R.col(2), z) * a.R)
                                                     : frame_about(z);
  }
  return {a, b};
}

/// Registers the name of the next joint.
/// @throws ModelError  a joint cannot have this name
void Compiler::name_joint(const std::string& name) {
  check_name(name, "joint");
  joints_.emplace(name, static_cast<int>(model_.joints.size()));
}

namespace {

/// Refuses joints of a planar system whose only motion leaves the x-y plane: they would hold.
void check_axis_in_plane(JointType type, const Vector3d& axis, const std::string& user) {
  constexpr double kOff = 1e-9;  // that round-off of an axis may leave
  if (type == JointType::screw)
    throw ModelError("out-of-plane",
                     user +
                         ": a screw joint turns or slides out of the x-y plane of a planar "
                         "system",
                     {},
                     "leave \"planar\" out");
  const bool turns_out = type == JointType::revolute && 1.0 - std::abs(axis.z()) > kOff;
  const bool slides_out = type == JointType::prismatic && 1.0 - std::abs(axis.z()) < kOff;
  if (turns_out || slides_out)
    throw ModelError("out-of-plane",
                     fmt::format("{}: it {} out of the x-y plane of a planar system",
                                 user,
                                 turns_out ? "turns" : "slides"),
                     {},
                     "draw the system in the x-y plane, or leave \"planar\" out");
}

}  // namespace

void Compiler::add_joint(const Joint& joint) {
  const std::string user = fmt::format("joint {}", joint.name);
  name_joint(joint.name);
  std::array<JointPlace, 2> places;
  places[0].marker = place(joint.a, user, &places[0].is_defined);
  places[1].marker = place(joint.b, user, &places[1].is_defined);
  const BodyModel& body_a = body_of(model_, places[0].marker);
  const BodyModel& body_b = body_of(model_, places[1].marker);
  if (&body_a == &body_b)
    throw ModelError("joint-on-itself",
                     fmt::format("{}: both places are on {}", user, body_a.name));
  const std::array<WorldFrame, 2> frames = joint_frames(joint, places, user);
  const WorldFrame& a = frames[0];
  const WorldFrame& b = frames[1];
  JointModel j;
  j.name = joint.name;
  j.type = joint.type;
  j.legs = {marker_at(places[0].marker, a), marker_at(places[1].marker, b)};
  j.rows = rows_of(j.type);
  if (j.type == JointType::distance)
    j.rows.push_back(distance_row(joint, (b.p - a.p).norm(), user));
  if (j.type == JointType::screw) {
    j.turn = add_angle();
    j.rows.push_back(screw_row(joint, j.turn, a, b));
  }
  if (model_.planar) check_axis_in_plane(joint.type, a.R.col(2), user);
  const bool holds_directions = std::any_of(j.rows.begin(), j.rows.end(), [](const RowModel& row) {
    return row.kind == RowModel::Kind::dot;
  });
  if (holds_directions &&
      (body_a.kind == BodyModel::Kind::point || body_b.kind == BodyModel::Kind::point))
    throw ModelError("point-turns",
                     fmt::format("{}: a {} joint constrains rotations, and a point mass has none",
                                 user,
                                 name_of(j.type)),
                     {},
                     "use a spherical joint, or give the body an inertia");
  if (model_.planar)
    std::erase_if(j.rows,
                  [&](const RowModel& row) { return constrains_nothing_in_plane(row, a.R, b.R); });
  if (j.rows.empty())
    throw ModelError("joint-idle",
                     fmt::format("{}: a {} joint with this axis constrains no motion in the plane",
                                 user,
                                 name_of(j.type)),
                     {},
                     "leave the joint out, or check its axis");
  model_.joints.push_back(std::move(j));
}

void Compiler::add_gear(const Joint& joint) {
  const std::string user = fmt::format("joint {}", joint.name);
  struct Wheel {
    int joint = 0;
    double factor = 1.0;
  };
  std::vector<Wheel> wheels = {{joint_index(joint.joint_a, user), 1.0},
                               {joint_index(joint.joint_b, user), joint.ratio}};
  if (joint.joint_a == joint.joint_b)
    throw ModelError("gear-on-itself",
                     fmt::format("{}: joint_a and joint_b are both '{}'", user, joint.joint_a),
                     {},
                     "name two joints");
  if (!joint.joint_c.empty()) wheels.push_back({joint_index(joint.joint_c, user), joint.ratio_c});
  name_joint(joint.name);
  JointModel j;
  j.name = joint.name;
  j.type = JointType::gear;
  RowModel row;
  row.kind = RowModel::Kind::coordinate;
  int leg = 0;
  for (const Wheel& wheel : wheels) {
    if (!std::isfinite(wheel.factor) || wheel.factor == 0.0)
      throw ModelError(
          "gear-ratio",
          fmt::format(
              "{}: the ratio is {}; expected a finite number other than 0", user, wheel.factor));
    const JointModel& geared = model_.joints[static_cast<std::size_t>(wheel.joint)];
    const bool slides = only_slides(geared.type);
    CoordinateTerm term = coordinate_term(wheel.joint, !slides, user);
    j.legs.insert(j.legs.end(), {geared.legs[0], geared.legs[1]});
    term.a = leg++;
    term.b = leg++;
    term.factor = wheel.factor;
    const WorldFrame a = initial_frame(geared.legs[0]), b = initial_frame(geared.legs[1]);
    row.constant -= term.factor * (slides ? a.R.col(2).dot(b.p - a.p) : initial_angle(a, b));
    row.terms.push_back(term);
  }
  j.rows.push_back(row);
  model_.joints.push_back(std::move(j));
}

int Compiler::followed_input(const Signal& value, const std::string& user) {
  // only the name of an input is accepted; rates of a formula of inputs would need mixed second
  // derivatives
  const auto* formula = std::get_if<laws::Formula>(&value.function->f);
  const std::string text = formula == nullptr ? "" : formula->text();
  for (std::size_t k = 0; k < model_.inputs.size(); ++k) {
    const std::string& name = model_.inputs[k].name;
    if (text != name && text != "[" + name + "]") continue;
    model_.inputs[k].moves = true;
    return static_cast<int>(k);
  }
  throw ModelError(
      "motion-value",
      fmt::format(
          "{}: '{}' is neither a function of t alone nor the name of an input", user, text));
}

void Compiler::add_motion(const Motion& motion) {
  const std::string user = fmt::format("motion {}", motion.name);
  check_name(motion.name, "motion");
  MotionModel m;
  m.name = motion.name;
  m.value = signal(motion.value, user);
  if (!m.value.only_time()) {
    if (m.value.probes.back().what == Probe::What::block_output)
      follow_block(m, user);
    else
      m.input = followed_input(m.value, user);
  }
  m.joint = static_cast<int>(model_.joints.size());
  JointModel j;
  j.name = motion.name;
  j.is_motion = true;
  RowModel row;
  row.motion = static_cast<int>(model_.motions.size());
  const bool is_angle = motion.coordinate == Motion::Coordinate::angle;
  if (is_angle || motion.coordinate == Motion::Coordinate::displacement) {
    const int other = joint_index(motion.joint, user);
    CoordinateTerm term = coordinate_term(other, is_angle, user);
    const JointModel& moved = model_.joints[static_cast<std::size_t>(other)];
    j.type = moved.type;
    j.legs = {moved.legs[0], moved.legs[1]};
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

RowModel Compiler::coordinate_row(int joint, bool angle, const std::string& user) {
  RowModel row;
  row.kind = RowModel::Kind::coordinate;
  row.terms = {coordinate_term(joint, angle, user)};
  row.terms[0].a = 0;
  row.terms[0].b = 1;
  return row;
}

void Compiler::add_grip(LawBase& law, std::vector<RowModel> rows, const std::string& user) {
  law.grip = model_.event_count;
  law.grip_joint = static_cast<int>(model_.joints.size());
  model_.event_count += 1 + static_cast<int>(rows.size());
  ++model_.grip_count;
  JointModel j;
  j.name = user;
  j.legs = {law.a, law.b};
  j.rows = std::move(rows);
  j.grip = law.grip;
  model_.joints.push_back(std::move(j));
}

void Compiler::add_starts(const Joint& joint) {
  const std::string user = fmt::format("joint {}: initial", joint.name);
  const JointStart& initial = joint.initial;
  for (const bool angle : {true, false}) {
    ChosenStart start;
    start.angle = angle;
    start.value = angle ? initial.angle : initial.displacement;
    start.rate = angle ? initial.angle_rate : initial.displacement_rate;
    if (!start.value && !start.rate) continue;
    check_number(start.value.value_or(0.0), user, angle ? "angle" : "displacement");
    check_number(start.rate.value_or(0.0), user, angle ? "angle_rate" : "displacement_rate");
    start.joint = joint_index(joint.name, user);
    static_cast<void>(coordinate_term(start.joint, angle, user));  // throws if the joint has no
                                                                   // such coordinate
    for (const Motion& motion : system_.motions)
      if (motion.joint == joint.name && angle == (motion.coordinate == Motion::Coordinate::angle))
        throw ModelError("start-of-motion",
                         fmt::format("{}: the joint is driven by motion {}", user, motion.name),
                         {},
                         "the motion gives the start; take the initial values away");
    model_.starts.push_back(start);
  }
}

}  // namespace femflex::mbd_solver
