// Tree: the rigid bodies of a Model in an order in which each follows the body that carries it, if
// joints form no loops. Its coordinates are those that the joints leave free. Equations:
// docs/theory/multibody.md, section 12.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <Eigen/Core>
#include <Eigen/Geometry>

#include "spatial/model.h"

namespace femflex::mbd_solver {

/// How a body moves relative to its parent. `free`: a body without a joint to its parent, which is
/// the ground.
enum class TreeJoint : std::uint8_t {
  fixed,
  revolute,
  prismatic,
  cylindrical,
  universal,
  spherical,
  free,
};

/// A body of a tree and the joint to its parent.
struct TreeBody {
  int body = 0;         // index in Model::bodies
  int parent = -1;      // index in Tree::bodies; -1: the ground
  int parent_body = 0;  // index of the parent in Model::bodies
  TreeJoint joint = TreeJoint::free;
  int x0 = 0, n = 6;                               // its coordinates
  Eigen::Vector3d r_A = Eigen::Vector3d::Zero();   // joint relative to the parent's reference
                                                   // point, in the parent's axes
  Eigen::Vector3d r_B = Eigen::Vector3d::Zero();   // joint relative to the body's reference point,
                                                   // in B
  Eigen::Vector3d z_A = Eigen::Vector3d::UnitZ();  // joint axis on the parent, in its axes
  Eigen::Vector3d z_B = Eigen::Vector3d::UnitZ();  // joint axis on the body, in B
  // axes of the joint's places relative to the parent and to B
  Eigen::Quaterniond A = Eigen::Quaterniond::Identity(), B = Eigen::Quaterniond::Identity();
};

struct Tree {
  std::vector<TreeBody> bodies;
  int n = 0;                  // number of coordinates
  bool reads_places = false;  // forces, formulas or counted angles depend on markers
};

/// The tree of a model; nothing if the model has loops, motions, flexible bodies, bodies without
/// full inertia, other joints than those above, or forces that depend on accelerations or
/// reactions.
std::optional<Tree> find_tree(const Model& model);

}  // namespace femflex::mbd_solver
