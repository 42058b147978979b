// Compiles bodies and the markers on them: inertia, modal coordinates, sensors, the initial state,
// and places such as "body/12".
#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "femflex/dense.h"
#include "femflex/errors.h"
#include "femflex/frames.h"
#include "femflex/is_rotation.h"
#include "femflex/mbd_solver/inertia.h"
#include "femflex/nearest_name.h"

#include "spatial/compiler.h"
#include "spatial/rotation.h"

namespace femflex::mbd_solver {

using Eigen::Matrix3d;
using Eigen::Vector3d;

namespace {

/// Whether the body frame keeps inertia in all six directions after the inertia of the modes is
/// subtracted. It does not if modes repeat a rigid motion of the body, or if the body's nodes lie
/// on a line.
bool has_mass_in_all_directions(const FlexModel& f) {
  Eigen::Matrix<double, 6, 6> M = Eigen::Matrix<double, 6, 6>::Zero();
  M.topLeftCorner<3, 3>().diagonal().setConstant(f.mass);
  M.bottomRightCorner<3, 3>() = f.inertia;
  M.topRightCorner<3, 3>() = -cross_matrix(f.first_moment);
  M.bottomLeftCorner<3, 3>() = cross_matrix(f.first_moment);
  Eigen::Matrix<double, 6, 1> size = M.diagonal();
  for (int j = 0; j < f.n; ++j) {
    if (!(f.m_diagonal(j) > 0.0)) continue;
    Eigen::Matrix<double, 6, 1> column;
    column << f.N3.col(j), f.N4.col(j);
    M -= column * column.transpose() / f.m_diagonal(j);
  }
  for (int c = 0; c < 6; ++c) {
    if (!(size(c) > 0.0)) return false;
    const double scale = 1.0 / std::sqrt(size(c));
    M.row(c) *= scale;
    M.col(c) *= scale;
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix<double, 6, 6>> solver(M,
                                                                          Eigen::EigenvaluesOnly);
  // round-off of invariants, relative to the frame's own inertia
  constexpr double kNoFrameMass = 1e-13;
  return solver.eigenvalues()(0) > kNoFrameMass;
}

/// Computes BodyModel::modal_unit. If invariants are switched off, the mass is that of the body
/// itself.
Eigen::VectorXd modal_units(const FlexModel& f) {
  constexpr double kMinMass = 1e-12;  // least mass used for the units [kg]
  const double mass = std::max({f.mass, f.body->invariants.mass, kMinMass});
  Eigen::VectorXd units(f.n);
  for (int j = 0; j < f.n; ++j)
    units(j) = std::sqrt(f.m_diagonal(j) > 0.0 ? mass / f.m_diagonal(j) : mass);
  return units;
}

void check_mass(const std::string& name, double mass) {
  if (!std::isfinite(mass) || mass < 0.0)
    throw ModelError(
        "mass",
        fmt::format("{}: the mass is {} kg; expected a finite number of 0 or more", name, mass));
}

}  // namespace

void Compiler::add_bodies() {
  for (const Body& body : system_.bodies) {
    check_name(body.name, "body");
    bodies_.emplace(body.name, static_cast<int>(model_.bodies.size()));
    add_body(body);
  }
  bodies_.emplace("ground", static_cast<int>(model_.bodies.size()));
  BodyModel ground;
  ground.name = "ground";
  ground.kind = BodyModel::Kind::ground;
  ground.v0 = model_.nv;
  ground.q0 = model_.nq;
  model_.bodies.push_back(ground);
}

void Compiler::set_rigid(const RigidInertia& rigid, BodyModel& b) {
  // if the smallest principal inertia is below this share of the largest, the body has no inertia
  // about its own axis
  constexpr double kMinInertiaRatio = 1e-14;
  b.kind = BodyModel::Kind::rigid;
  b.mass = rigid.mass;
  b.com = rigid.com;
  b.inertia = 0.5 * (rigid.inertia + rigid.inertia.transpose());
  check_finite(b.inertia, b.name + ": inertia");
  check_finite(b.com, b.name + ": mass centre");
  check_mass(b.name, b.mass);
  // systems of DADS files run with inertia that no body has, and are warned of it
  const InertiaFault fault = inertia_fault(b.inertia, system_.planar);
  if (fault.kind == InertiaFault::Kind::negative)
    throw ModelError("inertia", fmt::format("{}: {}", b.name, fault.text));
  if (fault.kind != InertiaFault::Kind::none)
    diagnostics_.warn("inertia", fmt::format("{}: {}", b.name, fault.text));
  const Eigen::SelfAdjointEigenSolver<Matrix3d> principal(b.inertia, Eigen::EigenvaluesOnly);
  const Vector3d& j = principal.eigenvalues();
  b.massless = b.mass <= 0.0 ||
               (system_.planar ? !(b.inertia(2, 2) > 0.0) : !(j(0) > kMinInertiaRatio * j(2)));
}

void Compiler::set_flexible(const Flexible& flexible, BodyModel& b) {
  b.kind = BodyModel::Kind::flexible;
  b.flex = static_cast<int>(model_.flexes.size());
  model_.flexes.push_back(make_flex_model(flexible, b.name));
  model_.keep.push_back(flexible.body);
  const FlexModel& f = model_.flexes.back();
  b.mass = f.mass;
  b.n = f.n;
  b.massless = !has_mass_in_all_directions(f);
  b.dense_modes = !f.diagonal;
  b.modal_unit = modal_units(f);
  const auto& on = flexible.invariants.on;
  b.keeps_energy = std::all_of(on.begin(), on.end(), [](bool is_on) { return is_on; });
}

void Compiler::set_sensors(const Body& body, BodyModel& b) const {
  Eigen::Index count = 0;
  for (const BodySensor& sensor : body.sensors)
    count += sensor.rows.rows();
  b.sensors.setZero(count, b.n);
  count = 0;
  std::set<std::string> names;
  for (const BodySensor& sensor : body.sensors) {
    if (sensor.name.empty() || sensor.name.find('/') != std::string::npos ||
        !names.insert(sensor.name).second)
      throw ModelError("sensor-name",
                       fmt::format("{}: the name '{}' of a sensor is empty, has a '/', or occurs "
                                   "twice",
                                   body.name,
                                   sensor.name));
    if (b.kind == BodyModel::Kind::flexible) {
      const FlexModel& f = model_.flexes[static_cast<std::size_t>(b.flex)];
      if (!sensor.rows.allFinite())
        throw ModelError(
            "sensor-size",
            fmt::format("{}: sensor '{}' has a number that is not finite", body.name, sensor.name));
      if (sensor.rows.cols() != f.X.rows())
        throw ModelError("sensor-size",
                         fmt::format("{}: sensor '{}' has {} columns and the body {} modes",
                                     body.name,
                                     sensor.name,
                                     sensor.rows.cols(),
                                     f.X.rows()));
      b.sensors.middleRows(count, sensor.rows.rows()) = sensor.rows * f.X;
    }
    count += sensor.rows.rows();
  }
}

void Compiler::check_start_in_plane(const Body& body) {
  const bool is_point = std::holds_alternative<PointMass>(body.kind);
  if (!is_point && is_off_plane(body.orientation.leftCols<2>()))
    throw ModelError("out-of-plane",
                     fmt::format("body {}: its z axis is not that of the world, about which alone "
                                 "bodies of a planar system turn",
                                 body.name),
                     {},
                     "draw the body in its own x-y plane, or leave \"planar\" out");
  const Vector3d& w = body.angular_velocity;
  if (body.velocity.z() != 0.0 || w.x() != 0.0 || w.y() != 0.0)
    warn("out-of-plane",
         fmt::format("body {}: the part of its initial velocity out of the x-y plane of a planar "
                     "system is left out",
                     body.name));
}

void Compiler::add_body(const Body& body) {
  BodyModel b;
  b.name = body.name;
  check_finite(body.position, body.name + ": position");
  check_finite(body.orientation, body.name + ": orientation");
  check_finite(body.velocity, body.name + ": velocity");
  check_finite(body.angular_velocity, body.name + ": angular velocity");
  if (!is_rotation(body.orientation))
    throw ModelError("orientation",
                     fmt::format("{}: the orientation is not a rotation", body.name));
  if (system_.planar) check_start_in_plane(body);
  if (const auto* rigid = std::get_if<RigidInertia>(&body.kind)) {
    set_rigid(*rigid, b);
  } else if (const auto* point = std::get_if<PointMass>(&body.kind)) {
    b.kind = BodyModel::Kind::point;
    b.mass = point->mass;
    check_mass(b.name, b.mass);
    b.massless = b.mass <= 0.0;
  } else {
    set_flexible(std::get<Flexible>(body.kind), b);
  }
  set_sensors(body, b);
  const bool point = b.kind == BodyModel::Kind::point;
  const std::vector<int> free =
      system_.planar ? (point ? std::vector<int>{0, 1} : std::vector<int>{0, 1, 5})
                     : (point ? std::vector<int>{0, 1, 2} : std::vector<int>{0, 1, 2, 3, 4, 5});
  b.nr = static_cast<int>(free.size());
  std::copy(free.begin(), free.end(), b.dof.begin());
  b.v0 = model_.nv;
  b.q0 = model_.nq;
  model_.nv += b.nr + b.n;
  model_.nq += 7 + b.n;
  set_initial(body, b);
  model_.bodies.push_back(b);
}

void Compiler::set_initial(const Body& body, const BodyModel& b) {
  State& s = model_.initial;
  s.position.conservativeResize(model_.nq);
  s.velocity.conservativeResize(model_.nv);
  Eigen::Quaterniond q(body.orientation);
  q.normalize();
  const Matrix3d R = q.toRotationMatrix();
  s.position.segment<3>(b.q0) = body.position + R * b.com;
  set_attitude(q, s.position.data() + b.q0);
  const Vector3d w_B = R.transpose() * body.angular_velocity;
  Vector6d twist;
  twist << body.velocity + body.angular_velocity.cross(R * b.com), w_B;
  set_rigid_components(b, twist, s.velocity.data() + b.v0);
  if (b.n == 0) return;
  const FlexModel& f = model_.flexes.back();
  s.position.segment(b.q0 + 7, b.n) = f.xi0;
  s.velocity.segment(b.v0 + b.nr, b.n) = f.xi0_dot;
}

int Compiler::add_marker(int body, const Marker& marker, const std::string& user) {
  const BodyModel& b = model_.bodies[static_cast<std::size_t>(body)];
  MarkerModel m;
  m.body = body;
  check_finite(marker.position, user + ": marker position");
  if (!is_rotation(marker.orientation))
    throw ModelError("orientation", fmt::format("{}: the marker's axes are not a rotation", user));
  m.R = marker.orientation;
  if (marker.node) {
    if (b.kind != BodyModel::Kind::flexible)
      throw ModelError(
          "unknown-node",
          fmt::format(
              "{}: {} is not a flexible body and has no node {}", user, b.name, *marker.node));
    const FlexModel& f = model_.flexes[static_cast<std::size_t>(b.flex)];
    const Eigen::Index node = find_node(*f.body, *marker.node);
    if (node < 0)
      throw ModelError("unknown-node",
                       fmt::format("{}: {} has no node {}", user, b.name, *marker.node),
                       {},
                       fmt::format("it has {} nodes from {} to {}",
                                   f.body->node_count(),
                                   f.body->nodes.empty() ? 0 : f.body->nodes.front().id,
                                   f.body->nodes.empty() ? 0 : f.body->nodes.back().id));
    m.node = node;
    m.r = f.body->nodes[static_cast<std::size_t>(node)].position;
    m.offset = marker.position;
    m.Phi = f.body->shapes.middleRows(6 * node, 3) * f.X;
    m.Psi = f.body->shapes.middleRows(6 * node + 3, 3) * f.X;
    // a node that no mode moves is a point of the frame
    m.on_node = b.n > 0 && !(m.Phi.isZero(0.0) && m.Psi.isZero(0.0));
    if (!m.on_node) {
      m.r += m.offset;
      m.offset.setZero();
    }
    m.has_rotation = m.on_node && (m.Psi.size() > 0 && m.Psi.cwiseAbs().maxCoeff() > 0.0);
  } else {
    m.r = marker.position - b.com;
  }
  model_.markers.push_back(std::move(m));
  return static_cast<int>(model_.markers.size()) - 1;
}

int Compiler::place(const std::string& text, const std::string& user, bool* is_defined) {
  std::size_t slash = text.find('/');
  // "net/12" as a body name takes precedence over marker 12 of a body "net"
  if (slash != std::string::npos) {
    const std::size_t second = text.find('/', slash + 1);
    if (bodies_.contains(text.substr(0, second))) slash = second;
  }
  const std::string body_name = text.substr(0, slash);
  const int body = body_index(body_name, user);
  if (is_defined != nullptr) *is_defined = false;
  const auto& own = body == static_cast<int>(system_.bodies.size())
                        ? system_.ground_markers
                        : system_.bodies[static_cast<std::size_t>(body)].markers;
  const std::string rest = slash == std::string::npos ? "" : text.substr(slash + 1);
  const auto marker = own.find(rest);
  if (is_defined != nullptr) *is_defined = marker != own.end() && marker->second.has_axes;
  const auto known = places_.find(text);
  if (known != places_.end()) return known->second;
  int index = -1;
  if (rest.empty()) {
    index = add_marker(body, {}, user);
  } else if (marker != own.end()) {
    index = add_marker(body, marker->second, user);
  } else {
    std::int64_t node = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), node);
    if (error != std::errc() || end != rest.data() + rest.size())
      throw ModelError("unknown-marker",
                       fmt::format("{}: {} has no marker called '{}'", user, body_name, rest),
                       {},
                       own.empty() ? "define it in \"markers\", or give the number of a node"
                                   : suggestion(rest, keys_of(own)));
    Marker on_node;
    on_node.node = node;
    index = add_marker(body, on_node, user);
  }
  places_.emplace(text, index);
  return index;
}

WorldFrame Compiler::initial_frame(int marker) const {
  const MarkerModel& m = model_.markers[static_cast<std::size_t>(marker)];
  const BodyModel& b = model_.bodies[static_cast<std::size_t>(m.body)];
  WorldFrame frame;
  if (b.kind != BodyModel::Kind::ground) {
    const auto& q = model_.initial.position;
    frame.p = q.segment<3>(b.q0);
    frame.R = attitude(q.data() + b.q0).toRotationMatrix();
  }
  Vector3d r = m.r;
  Matrix3d R_BN = Matrix3d::Identity();
  if (m.on_node) {
    const auto xi = model_.initial.position.segment(b.q0 + 7, b.n);
    r += m.Phi * xi;
    R_BN = exp_rotation(m.Psi * xi);
  }
  r += R_BN * m.offset;
  frame.p += frame.R * r;
  frame.R = frame.R * R_BN * m.R;
  return frame;
}

int Compiler::marker_at(int base, const WorldFrame& frame) {
  MarkerModel m = model_.markers[static_cast<std::size_t>(base)];
  const WorldFrame here = initial_frame(base);
  const Matrix3d R_WN = here.R * m.R.transpose();
  const Vector3d step = R_WN.transpose() * (frame.p - here.p);
  if (m.on_node) {
    m.offset += step;
    // offsets shorter than this, relative to the position, are round-off; with an offset the body
    // would need rotation shapes
    constexpr double kOffsetRoundOff = 1e-12;
    if (m.offset.norm() < kOffsetRoundOff * (1.0 + m.r.norm())) m.offset.setZero();
  } else {
    m.r += step;
  }
  m.R = R_WN.transpose() * frame.R;
  model_.markers.push_back(m);
  return static_cast<int>(model_.markers.size()) - 1;
}

}  // namespace femflex::mbd_solver
