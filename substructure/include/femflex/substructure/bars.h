// Makes parts from bars: springs with mass and damping between two ports, in one to three
// dimensions.
#pragma once

#include <optional>

#include <Eigen/Core>

#include "femflex/substructure/dynamic_stiffness.h"

namespace femflex::substructure {

/// A bar with half its mass at each end, and a spring and a damper between the ends (eq. 6).
struct Bar {
  double mass = 0.0;       ///< [kg]
  double stiffness = 0.0;  ///< [N/m]
  double damping = 0.0;    ///< [N s/m]
};

/// A part with two ports, the displacements of both ends along the bar.
/// @throws ModelError  a number that is negative or not finite, or all numbers are zero
DynamicStiffness bar_part(const Bar& bar);

/// Extends a part of one direction to two or three: axial ports keep R, transverse ones carry only
/// mass.  The order of ports is x1, y1, (z1,) x2, y2, ...
/// @param transverse  transverse mass per port [kg]; default: the diagonal entry of M at the port,
/// for a bar half its mass
/// @throws ModelError  dimension is not 2 or 3, or the part has inner coordinates
DynamicStiffness with_dimension(const DynamicStiffness& axial,
                                int dimension,
                                std::optional<double> transverse = {});

/// The part in a new frame: T' R T with T = blkdiag(rotation, rotation, ...). The rows of
/// `rotation` are the part's own axes expressed in the new frame, {{c, s}, {-s, c}} for a part
/// turned by an angle (eq. 7).
/// @throws ModelError  not 2 x 2 or 3 x 3, not orthogonal, or the number of ports is not a multiple
/// of it
DynamicStiffness rotated(const DynamicStiffness& part,
                         const Eigen::Ref<const Eigen::MatrixXd>& rotation);

/// {{c, s}, {-s, c}} with exact zeros and ones at multiples of 90 degrees.
Eigen::Matrix2d plane_rotation(double angle_degrees);

/// An orthonormal frame whose first row is the direction of `axis`. The other two rows are
/// arbitrary, because bars do not depend on them.
/// @throws ModelError  the axis has length zero
Eigen::Matrix3d frame_along(const Eigen::Vector3d& axis);

}  // namespace femflex::substructure
