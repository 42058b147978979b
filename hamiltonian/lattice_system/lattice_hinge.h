// Computes the angles of the hinges of a lattice, with their first and second derivatives, by the
// laws of laws/.
#pragma once

// In 2D a hinge turns about z; in 3D it has no axis, and its angle is that between two directions.

#include <cstddef>
#include <numbers>

#include <Eigen/Core>

#include "femflex/hamiltonian/lattice.h"
#include "femflex/laws/hinge_angle.h"
#include "femflex/laws/value_and_derivative.h"

namespace femflex::hamiltonian {

inline double full_turns(double count) {
  return 2.0 * std::numbers::pi * count;
}

/// phi_b - phi_a from the directions of both springs, -pi .. pi in the plane, 0 .. pi in space.
inline double principal_angle(const Eigen::Vector3d& u, const Eigen::Vector3d& v, int dimension) {
  return dimension == 2 ? laws::AngleAboutZ().angle(u, v) : laws::AngleInSpace().angle(u, v);
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

/// Gradient of the angle from u to v with respect to both. eq. (10), (11)
inline laws::HingeGradient angle_gradient(const Eigen::Vector3d& u,
                                          const Eigen::Vector3d& v,
                                          int dimension) {
  return dimension == 2 ? laws::AngleAboutZ().gradient(u, v) : laws::AngleInSpace().gradient(u, v);
}

/// Second derivative of the energy W(phi) with respect to u and v, from W' and W''.
inline laws::HingeHessian hinge_hessian(const Eigen::Vector3d& u,
                                        const Eigen::Vector3d& v,
                                        int dimension,
                                        const laws::ValueAndDerivative& moment) {
  return dimension == 2 ? laws::AngleAboutZ().hessian(u, v, moment.value, moment.derivative)
                        : laws::AngleInSpace().hessian(u, v, moment.value, moment.derivative);
}

}  // namespace femflex::hamiltonian
