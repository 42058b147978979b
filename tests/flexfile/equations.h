// Inertia forces of a flexible body in independent ways: by sums over its point masses, by its nine
// invariants, by the objects of a SID file.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include <Eigen/Core>

#include "femflex/flex_body.h"

namespace femflex::testing {

/// A state of motion of a flexible body, all in its frame.
struct Motion {
  Eigen::Vector3d a;      ///< acceleration of the body origin, less gravity
  Eigen::Vector3d w;      ///< spin
  Eigen::Vector3d w_dot;  ///< angular acceleration
  Eigen::VectorXd q, q_dot, q_ddot;
};
Motion random_motion(unsigned seed, Eigen::Index modes);

/// Left-hand sides of the equations of motion.
struct Inertia {
  Eigen::Vector3d translation, rotation;
  Eigen::VectorXd modes;
};

/// Direct sum over point masses of m a_k, r_k x m a_k and phi' m a_k, plus K q + D q_dot.
Inertia direct_sum(const FlexBody& body, const Motion& motion);

/// The same without products of q with q or q_dot in the rotation, which first-order data drop.
/// Exact: the direct sum is a polynomial of second degree in q.
Inertia direct_sum_first_order(const FlexBody& body, const Motion& motion);

/// From the nine invariants alone (docs/theory/body_files.md eq. (15) to (17)).
Inertia from_invariants(const FlexBody& body, const Motion& motion);

/// From the objects of a SID file, read word by word by a parser of its own.
Inertia from_sid_file(const std::filesystem::path& path, const Motion& motion);

/// Largest difference over the largest number.
double difference(const Inertia& a, const Inertia& b);

}  // namespace femflex::testing
