// The load and stiffness of Hinge: a moment that depends on the angle between two lines u and v.
// Equations: docs/theory/multibody.md.
#pragma once

#include <array>

#include "spatial/equations.h"

namespace femflex::mbd_solver {

/// The two lines of a hinge in W: u from HingeLaw::ends[0] to [1], v from [2] to [3].
struct HingeLines {
  Eigen::Vector3d u, v;
  Eigen::Vector3d u_dot = Eigen::Vector3d::Zero(), v_dot = Eigen::Vector3d::Zero();
  bool picks_side = false;  // Workspace::picks_sides
};
HingeLines lines_of(const HingeLaw& hinge, const std::vector<MarkerKinematics>& markers);

/// Angle from u to v: -pi .. pi about the hinge's axis, 0 .. pi without an axis. eq. (18)
double hinge_angle(const HingeLaw& hinge, const HingeLines& lines);

/// PairLoad::force_a acts on the far end of u, force_b on the far end of v; the opposite forces act
/// on the near ends.
/// @param last  the last counted angle; the new one differs by less than half a turn
PairLoad hinge_load(const HingeLaw& hinge, const HingeLines& lines, double last);

/// Whether the moment of a hinge without an axis has no direction, because its lines are exactly
/// parallel or opposite and do not rest there: the energy has a peak.
bool has_no_direction(const HingeLaw& hinge, const HingeLines& lines);

/// Minus the derivatives of (force_a, force_b) with respect to (u, v) and their rates. eq. (18c)
void hinge_slopes(const HingeLaw& hinge,
                  const HingeLines& lines,
                  double last,
                  Matrix6d& stiffness,
                  Matrix6d& damping);

}  // namespace femflex::mbd_solver
