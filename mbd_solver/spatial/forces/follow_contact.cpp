// Contact with a line or surface that moves and deforms: finds the closest point of a path or of
// triangles, the force of Contact along the normal there, and friction across it. The forces on
// both sides act at the same point.
#include "spatial/forces/follow_contact.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "femflex/errors.h"
#include "femflex/laws/contact.h"

#include "spatial/compiler.h"
#include "spatial/equations.h"
#include "spatial/forces/contact.h"

namespace femflex::mbd_solver {

using Eigen::Matrix3d;
using Eigen::Vector3d;

namespace {

/// Distances to two faces with a relative difference below this belong to their common edge.
constexpr double kSameEdge = 1e-9;

}  // namespace

CarriedPoint FollowContactLaw::closest(const Workspace& ws, const Vector3d& p) const {
  if (path) return path->closest(ws, p);
  CarriedPoint best;
  double least = std::numeric_limits<double>::infinity();
  for (const Triangle& face : faces) {
    const CarriedPoint at = closest_of_triangle(ws, face, p);
    const double distance = (p - at.p).norm();
    // of two faces with a common edge, the one that faces p decides on which side p is
    const bool is_common = std::abs(distance - least) <= kSameEdge * distance;
    if (is_common ? !(at.is_on && !best.is_on) : !(distance < least)) continue;
    best = at;
    least = std::min(least, distance);
  }
  return best;
}

FollowContactLaw::Touch FollowContactLaw::touch(const Workspace& ws) const {
  const MarkerKinematics& b_now = ws.markers[static_cast<std::size_t>(b)];
  Touch out;
  out.at = closest(ws, b_now.p);
  if (!out.at.is_on) {
    out.gap = std::numeric_limits<double>::infinity();
    return out;
  }
  const Vector3d& n = out.at.n;
  out.arm_b = out.at.p - b_now.p;
  const double depth = radius + n.dot(out.arm_b);
  out.gap = -depth;
  if (depth <= 0.0 || (thickness > 0.0 && depth > thickness)) return out;
  const Vector3d v = b_now.v + b_now.w.cross(out.arm_b) - velocity_of(ws, out.at);
  out.rate = -n.dot(v);
  out.sliding = v + out.rate * n;
  const laws::ContactStiffness normal{stiffness, exponent, damping};
  out.elastic = normal.elastic(depth);
  out.force = normal.force(out.elastic, out.rate);
  if (out.force > 0.0) {
    out.by_depth = exponent * out.force / depth;
    out.by_rate = out.elastic * normal.ratio();
  }
  if (friction) out.coefficient = regularised_slope(*friction, out.sliding.norm()) * out.sliding;
  return out;
}

PairLoad FollowContactLaw::load(const Model& /*model*/, const Workspace& ws) const {
  PairLoad load;
  const Touch now = touch(ws);
  load.length = now.gap;
  const double depth = -now.gap;
  if (!(depth > 0.0) || (thickness > 0.0 && depth > thickness)) return load;
  load.value = now.force;
  load.force_b = now.force * (now.at.n - now.coefficient);
  load.torque_b = now.arm_b.cross(load.force_b);
  load.potential =
      laws::ContactStiffness{stiffness, exponent, damping}.potential(now.elastic, depth);
  load.power_input =
      -(now.force - now.elastic) * now.rate - now.force * now.coefficient.dot(now.sliding);
  return load;
}

void FollowContactLaw::add(const Model& model, Workspace& ws, const PairLoad& load) const {
  if (load.value == 0.0) return;
  const CarriedPoint at = closest(ws, ws.markers[static_cast<std::size_t>(b)].p);
  add_marker_load(model, ws, b, load.force_b, load.torque_b, -1.0);
  add_carried_load(model, ws, at, -load.force_b);
}

Spread FollowContactLaw::spread(const Workspace& ws) const {
  Spread out;
  const Touch now = touch(ws);
  if (!(now.force > 0.0)) return out;
  out.count = now.at.count + 1;
  out.legs[0] = {b, 1.0, now.arm_b};
  for (std::size_t k = 0; k < now.at.count; ++k) {
    const Spread::Leg& leg = now.at.legs[k];
    out.legs[k + 1] = {leg.marker, -leg.weight, -leg.lever};
  }
  const Matrix3d along = (now.at.n - now.coefficient) * now.at.n.transpose();
  out.by_position = now.by_depth * along;
  out.by_velocity = now.by_rate * along;
  if (friction)
    out.by_velocity += now.force * regularised_slope(*friction, now.sliding.norm()) *
                       (Matrix3d::Identity() - now.at.n * now.at.n.transpose());
  return out;
}

std::vector<int> FollowContactLaw::markers() const {
  std::vector<int> list = {b};
  if (path) list.insert(list.end(), path->markers.begin(), path->markers.end());
  for (const Triangle& face : faces)
    list.insert(list.end(), face.corners.begin(), face.corners.end());
  return list;
}

namespace {

std::vector<Triangle> triangles(const FollowContact& contact,
                                const std::string& user,
                                Compiler& compiler) {
  std::vector<Triangle> out;
  std::map<std::pair<int, int>, int> shared;  // number of triangles at an edge
  const auto edge = [](const Triangle& face, std::size_t opposite) {
    return std::minmax({face.corners[(opposite + 1) % 3], face.corners[(opposite + 2) % 3]});
  };
  for (const std::array<std::string, 3>& places : contact.faces) {
    Triangle& face = out.emplace_back();
    for (std::size_t k = 0; k < 3; ++k)
      face.corners[k] = compiler.place(places[k], user);
    for (std::size_t k = 0; k < 3; ++k)
      ++shared[edge(face, k)];
  }
  for (Triangle& face : out)
    for (std::size_t k = 0; k < 3; ++k)
      face.is_border[k] = shared[edge(face, k)] == 1;
  return out;
}

}  // namespace

FollowContactLaw compile_law(const FollowContact& contact,
                             const std::string& user,
                             Compiler& compiler) {
  FollowContactLaw law;
  law.b = compiler.place(contact.on, user);
  if (contact.path.empty() == contact.faces.empty())
    throw ModelError("contact", user + ": expected a path or faces, one of both");
  if (!contact.path.empty()) {
    if (!contact.up.allFinite() || contact.up.isZero(0.0))
      throw ModelError("contact", user + ": \"up\" has no direction");
    compiler.require_in_plane(
        contact.up, user + ": \"up\" of its path", "give \"up\", for example [0, 1, 0]");
    law.path = compile_path(contact.path, contact.up, user, compiler);
  }
  law.faces = triangles(contact, user, compiler);
  law.radius = contact.radius;
  law.thickness = contact.thickness;
  law.stiffness = contact.stiffness;
  law.damping = contact.damping;
  law.exponent = contact.exponent;
  check_contact_number(contact.radius, true, "radius", user);
  check_contact_number(contact.thickness, true, "thickness", user);
  check_contact(
      {contact.stiffness, contact.damping, contact.exponent}, contact.friction, user, compiler);
  if (contact.friction) {
    if (contact.friction->model != laws::FrictionModel::regularised)
      throw ModelError("friction",
                       user + ": on a path or on faces friction is regularised",
                       {},
                       "give \"model\": \"regularised\", and its \"transition_velocity\"");
    law.friction = contact.friction;
  }
  law.is_stiff = true;
  return law;
}

}  // namespace femflex::mbd_solver
