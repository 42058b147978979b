// Compares the mass and inertia of each body with those of the heaviest body connected to it by
// joints. Groups of connected bodies are found by union-find.
#include "spatial/light_bodies.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "femflex/dense.h"

namespace femflex::mbd_solver {
namespace {

/// A body is light if its mass, relative to the heaviest connected body, or the square of its
/// radius of gyration, relative to that of the arm of its joints, is below this. Pivots of the
/// joints lose the corresponding number of digits; a relative pivot of 1e-7 counts as zero.
constexpr double kLightRatio = 1e-6;

/// Groups of bodies connected by joints, without the ground: the index of a representative body for
/// each body.
std::vector<int> tied_bodies(const Model& model) {
  std::vector<int> root(model.bodies.size());
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](int k) {
    while (root[static_cast<std::size_t>(k)] != k)
      k = root[static_cast<std::size_t>(k)];
    return k;
  };
  for (const JointModel& j : model.joints) {
    if (j.grip >= 0) continue;  // rows of friction do not connect bodies
    int first = -1;
    for (const int leg : j.legs) {
      const int body = model.markers[static_cast<std::size_t>(leg)].body;
      if (body == model.ground()) continue;
      if (first < 0) first = find(body);
      root[static_cast<std::size_t>(find(body))] = first;
    }
  }
  for (std::size_t k = 0; k < root.size(); ++k)
    root[k] = find(static_cast<int>(k));
  return root;
}

double min_inertia(const Model& model, const BodyModel& b) {
  const Eigen::Matrix3d& J = b.kind == BodyModel::Kind::flexible
                                 ? model.flexes[static_cast<std::size_t>(b.flex)].inertia
                                 : b.inertia;
  if (model.planar) return J(2, 2);
  return Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(J, Eigen::EigenvaluesOnly).eigenvalues()(0);
}

}  // namespace

void mark_light_bodies(Model& model) {
  const std::vector<int> root = tied_bodies(model);
  std::vector<double> heaviest(model.bodies.size(), 0.0);
  for (std::size_t k = 0; k < model.bodies.size(); ++k) {
    double& mass = heaviest[static_cast<std::size_t>(root[k])];
    mass = std::max(mass, model.bodies[k].mass);
  }
  // the bodies connected to each body by joints
  std::vector<std::set<int>> neighbours(model.bodies.size());
  std::vector<double> arm(model.bodies.size(), 0.0);  // distance to the farthest joint of each body
  for (const JointModel& j : model.joints) {
    if (j.grip >= 0) continue;
    for (const int leg : j.legs) {
      const MarkerModel& marker = model.markers[static_cast<std::size_t>(leg)];
      const auto k = static_cast<std::size_t>(marker.body);
      Eigen::Vector3d at = marker.r;
      if (marker.on_node) at += marker.offset;
      arm[k] = std::max(arm[k], at.norm());
      for (const int other : j.legs)
        neighbours[k].insert(model.markers[static_cast<std::size_t>(other)].body);
      neighbours[k].erase(marker.body);
    }
  }
  for (std::size_t k = 0; k + 1 < model.bodies.size(); ++k) {
    BodyModel& b = model.bodies[k];
    const double mass = heaviest[static_cast<std::size_t>(root[k])];
    if (mass > 0.0) b.reference_mass = mass;
    b.reference_arm = arm[k] > 0.0 ? arm[k] : model.local_length;
    // a body at the end of a branch (open chain) may have any mass, because the rows of its joint
    // act on this body alone
    const bool joins_others = neighbours[k].size() > 1;
    if (!joins_others) b.reference_mass = b.mass > 0.0 ? b.mass : b.reference_mass;
    b.augmented = b.massless || (joins_others && b.mass < kLightRatio * mass);
    if (b.kind != BodyModel::Kind::point && arm[k] > 0.0)
      b.augmented =
          b.augmented || min_inertia(model, b) < kLightRatio * b.reference_mass * arm[k] * arm[k];
  }
}

}  // namespace femflex::mbd_solver
