// Left-hand sides of the equations of motion of a flexible body, computed in three independent
// ways: by sums over its point masses, by its nine invariants, and by the objects of a SID file.
// Used by tests of body files.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include <Eigen/Core>

#include "femflex/flex_body.h"

namespace femflex::testing {

/// A state of motion of a flexible body, all in its frame.
struct Motion {
  Eigen::Vector3d a;      ///< acceleration of the body origin minus gravity
  Eigen::Vector3d w;      ///< angular velocity
  Eigen::Vector3d w_dot;  ///< angular acceleration
  Eigen::VectorXd q, q_dot, q_ddot;
};
Motion random_motion(unsigned seed, Eigen::Index modes);

/// Left-hand sides of the equations of motion: inertia forces, for the modes also K q + D q_dot.
struct LeftHandSide {
  Eigen::Vector3d translation, rotation;
  Eigen::VectorXd modes;
};

/// Direct sum over point masses of m_k a_k, r_k x m_k a_k and phi_k' m_k a_k, plus K q + D q_dot.
LeftHandSide direct_sum(const FlexBody& body, const Motion& motion);

/// As direct_sum(), but its rotation without products of q with q or q_dot, which first-order data
/// do not contain. Exact, since the direct sum is a polynomial of second degree in q.
LeftHandSide direct_sum_first_order(const FlexBody& body, const Motion& motion);

/// From the nine invariants alone (docs/theory/body_files.md eq. (15) to (17)).
LeftHandSide from_invariants(const FlexBody& body, const Motion& motion);

/// From the objects of a SID file, read word by word by a parser of this test, independent of the
/// library.
LeftHandSide from_sid_file(const std::filesystem::path& path, const Motion& motion);

/// Largest absolute difference divided by the largest absolute value.
double difference(const LeftHandSide& a, const LeftHandSide& b);

}  // namespace femflex::testing
