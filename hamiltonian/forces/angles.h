#pragma once

#include <cmath>
#include <numbers>

#include <Eigen/Geometry>

#include "femflex/hamiltonian/lattice.h"

namespace femflex::hamiltonian {

inline double full_turns(double count) {
  return 2.0 * std::numbers::pi * count;
}

/// phi_b - phi_a from directions, -pi .. pi in the plane, 0 .. pi in space.
inline double principal_angle(const Eigen::Vector3d& u, const Eigen::Vector3d& v, int dimension) {
  const Eigen::Vector3d cross = u.cross(v);
  return std::atan2(dimension == 2 ? cross.z() : cross.norm(), u.dot(v));
}

/// The same at the lattice's start positions.
inline double principal_angle(const Lattice& lattice, const RotationalSpring& hinge) {
  const auto direction = [&](std::int32_t s) {
    const Spring& spring = lattice.springs[static_cast<std::size_t>(s)];
    return Eigen::Vector3d(lattice.nodes[static_cast<std::size_t>(spring.b)].position -
                           lattice.nodes[static_cast<std::size_t>(spring.a)].position);
  };
  return principal_angle(direction(hinge.a), direction(hinge.b), lattice.dimension);
}

/// `angle` with whole turns added so that it lies within pi of `last`: the counter.
inline double followed(double angle, double last) {
  return angle + full_turns(std::round((last - angle) / (2.0 * std::numbers::pi)));
}

}  // namespace femflex::hamiltonian
