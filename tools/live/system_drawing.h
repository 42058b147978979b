// The lines, points and triangles that a live page draws of a multibody system.
#pragma once

#include <cstdint>
#include <vector>

#include <Eigen/Core>

#include "femflex/flex_body.h"
#include "femflex/mbd_solver/system.h"

#include "document/json.h"
#include "live/live_model.h"

namespace femflex::live {

/// A vertex of the drawing of a system, fixed in a body or moving with one of its nodes.
struct SystemVertex {
  int body = -1;                                 ///< index in System::bodies; -1: the ground
  Eigen::Index node = -1;                        ///< index of the node that it moves with; -1: none
  Eigen::Vector3d at = Eigen::Vector3d::Zero();  ///< undeformed, in the body frame [m]
};

/// The arrow of a force that acts at a place.
struct SystemArrow {
  std::uint32_t vertex = 0;  ///< the first of the arrow
  SystemVertex foot;
  std::size_t force = 0;  ///< index in System::forces, a PointForce
};

struct SystemSketch {
  Drawing drawing;
  std::vector<SystemVertex> vertices;  ///< the first ones of the drawing; arrows follow
  std::vector<SystemArrow> arrows;
};

/// @param picture  tools::picture_of() with all flexible bodies named, so that it holds no mesh
SystemSketch draw_system(const mbd_solver::System& system, const tools::Json& picture);

/// Displacement Phi_P zeta of one node [m], in the body frame.
Eigen::Vector3d node_displacement(const FlexBody& body,
                                  Eigen::Index node,
                                  const Eigen::VectorXd& zeta);

}  // namespace femflex::live
