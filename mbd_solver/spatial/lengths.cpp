// Finds the size of a system from the initial positions of its bodies, their radii of gyration and
// the arms of their markers.
#include "spatial/lengths.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Geometry>

namespace femflex::mbd_solver {
namespace {

using Eigen::Vector3d;

/// Distances from the origin of W up to this number of extents leave enough digits to the steps of
/// differences: the size of the system then includes the origin.
constexpr double kNear = 10.0;

Vector3d place_of(const Model& model, const BodyModel& b) {
  return model.initial.position.segment<3>(b.q0);
}

/// Distance of the farthest mass or marker from the frame of a body [m].
double reach_of(const Model& model, int index) {
  const BodyModel& b = model.bodies[static_cast<std::size_t>(index)];
  const Eigen::Matrix3d& J = b.kind == BodyModel::Kind::flexible
                                 ? model.flexes[static_cast<std::size_t>(b.flex)].inertia
                                 : b.inertia;
  double reach = b.com.norm();
  if (b.mass > 0.0)
    reach = std::max(reach, std::sqrt(std::max(J.diagonal().maxCoeff(), 0.0) / b.mass));
  for (const MarkerModel& marker : model.markers)
    if (marker.body == index) reach = std::max(reach, marker.r.norm());
  return reach;
}

/// Half the diagonal of the box around the bodies, or the distance of a single point from the
/// nearest marker on the ground [m]. 0 if there is neither.
double extent_of(const Model& model) {
  Eigen::AlignedBox3d box;
  double reach = 0.0;
  for (std::size_t k = 0; k < model.bodies.size(); ++k) {
    if (model.bodies[k].kind == BodyModel::Kind::ground) continue;
    box.extend(place_of(model, model.bodies[k]));
    reach = std::max(reach, reach_of(model, static_cast<int>(k)));
  }
  if (box.isEmpty()) return 0.0;
  const double extent = 0.5 * box.diagonal().norm() + reach;
  if (extent > 0.0) return extent;
  double nearest = std::numeric_limits<double>::infinity();
  for (const MarkerModel& marker : model.markers)
    if (const double distance = (marker.r - box.center()).norm();
        marker.body == model.ground() && distance > 0.0)
      nearest = std::min(nearest, distance);
  return std::isfinite(nearest) ? nearest : 0.0;
}

}  // namespace

void find_lengths(Model& model) {
  double scale = 0.0;
  for (const BodyModel& b : model.bodies)
    if (b.kind != BodyModel::Kind::ground) scale = std::max(scale, place_of(model, b).norm());
  for (const MarkerModel& marker : model.markers)
    scale = std::max(scale, marker.r.norm());
  model.length_scale = scale > 0.0 ? scale : 1.0;
  const double extent = extent_of(model);
  model.local_length =
      extent > 0.0 ? std::min(model.length_scale, kNear * extent) : model.length_scale;
}

}  // namespace femflex::mbd_solver
