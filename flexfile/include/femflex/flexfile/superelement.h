// Superelement of a flexible body: mass, stiffness and damping in the motions of its interface
// nodes and of modes that leave these at rest (Craig-Bampton), for finite-element codes.
// docs/theory/modal.md; docs/formats/superelements.md.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "femflex/diagnostics.h"
#include "femflex/flex_body.h"

namespace femflex::flexfile {

/// A node of a superelement. Bodies of solids without spiders have no rotations at their nodes.
struct SuperelementNode {
  BodyNode node;       ///< position [m], in the body frame
  int components = 6;  ///< 6: tx ty tz rx ry rz;  3: tx ty tz
};

/// free: the superelement also has the six rigid motions. held: the frame is fixed, for a body held
/// by supports of its FE model.
enum class FrameMotion : std::uint8_t { free, held };

/// M u'' + D u' + K u = f in the body frame; u holds the components of `nodes`, one node after the
/// other [m, rad], then the modes [sqrt(kg) m], whose mass is 1.
struct Superelement {
  std::vector<SuperelementNode> nodes;
  Eigen::VectorXd omega_squared;  ///< of the modes, which leave all `nodes` at rest [rad^2/s^2]
  Eigen::MatrixXd mass, stiffness, damping;
  Eigen::MatrixXd gravity;  ///< (DOFs x 3) force per unit gravity along x, y, z [N per m/s^2]

  Eigen::Index interface_dofs() const { return mass.rows() - omega_squared.size(); }
};

/// The superelement of a body at its interface nodes. The motions that it can do are those of the
/// body: its modes and, unless its frame is held, six rigid ones.
/// @throws ModelError  "no-interface": the body has no interface nodes;  "interface-not-free": its
///         modes do not move the interface DOFs independently
Superelement superelement_of(const FlexBody& body, FrameMotion frame = FrameMotion::free);

/// Warns (`supports`) if the frame is free although the FE model held the body: element nodes
/// outside the interface rest in every mode.
void warn_of_supports(const FlexBody& body,
                      FrameMotion frame,
                      const std::filesystem::path& path,
                      Diagnostics& diagnostics);

/// Warns (`left-out`) of what changes the motion of a body and a file of the matrices of its
/// superelement (.mat, .op4) does not hold: stiffening, initial state.
void warn_of_matrices(const FlexBody& body,
                      const std::filesystem::path& path,
                      Diagnostics& diagnostics);

/// Writes the points of a superelement as NASTRAN cards, GRID, SPOINT and EXTRN, for a file that
/// holds its matrices beside it. The order of the matrices is that of EXTRN.
/// @param matrices  name of that file
/// @throws UsageError  the file cannot be written
void write_superelement_points(const FlexBody& body,
                               const Superelement& element,
                               const std::string& matrices,
                               const std::filesystem::path& path);

}  // namespace femflex::flexfile
