// The coordinate along which a force acts: the angle or the displacement of a joint, or the
// distance between two places.
#pragma once

#include <cstdint>
#include <string>

#include <Eigen/Core>

#include "spatial/forces/law.h"

namespace femflex::mbd_solver {

enum class ForceCoordinate : std::uint8_t { angle, displacement, distance };

/// A coordinate at one state.
struct CoordinateNow {
  Eigen::Vector3d e = Eigen::Vector3d::Zero();  // direction in W
  double value = 0.0;                           // [m]; angle between -pi and pi [rad]
  double rate = 0.0;                            // [m/s], [rad/s]
};
CoordinateNow coordinate_now(ForceCoordinate coordinate,
                             const MarkerKinematics& a,
                             const MarkerKinematics& b);

/// Sets `load` to a force [N] or moment [N m] on b along the coordinate, and its reaction on a.
void push_along(ForceCoordinate coordinate,
                const CoordinateNow& now,
                const MarkerKinematics& a,
                const MarkerKinematics& b,
                double force,
                PairLoad& load);

/// Sets the markers of a law to those of a joint.
/// @param about  for a cylindrical joint: true selects its angle, false its displacement
/// @param joint  receives the index of the joint
/// @throws ModelError  the joint has no such coordinate
ForceCoordinate place_on_joint(LawBase& law,
                               const std::string& name,
                               bool about,
                               const std::string& user,
                               Compiler& compiler,
                               int& joint);

}  // namespace femflex::mbd_solver
