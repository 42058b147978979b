// draw_system(): the lines, points and triangles that a live page draws of a multibody system.
#pragma once

#include <cstdint>
#include <vector>

#include <Eigen/Core>

#include "femflex/flex_body.h"
#include "femflex/mbd_solver/system.h"

#include "document/json.h"
#include "live/live_model.h"

namespace femflex::live {

/// A vertex of the drawing, fixed in a body or moving with one of its nodes.
struct SystemVertex {
  int body = -1;                                 ///< index in System::bodies; -1: the ground
  Eigen::Index node = -1;                        ///< index of the node with which it moves; -1:
                                                 ///< none
  Eigen::Vector3d at = Eigen::Vector3d::Zero();  ///< undeformed, in the body frame [m]
};

/// The arrow of a force at a place.
struct SystemArrow {
  std::uint32_t vertex = 0;  ///< index of the first vertex of the arrow
  SystemVertex foot;
  std::size_t force = 0;  ///< index in System::forces; the law is a PointForce
};

struct SystemSketch {
  Drawing drawing;
  std::vector<SystemVertex> vertices;  ///< the first vertices of the drawing; those of arrows
                                       ///< follow
  std::vector<SystemArrow> arrows;
};

/// @param picture  result of tools::picture_of() with all flexible bodies in `with_file`, so that
/// it contains no mesh
SystemSketch draw_system(const mbd_solver::System& system, const tools::Json& picture);

/// Displacement Phi_P zeta of one node [m], in the body frame.
Eigen::Vector3d node_displacement(const FlexBody& body,
                                  Eigen::Index node,
                                  const Eigen::VectorXd& zeta);

}  // namespace femflex::live
