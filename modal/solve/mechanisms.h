// Finds zero-energy motions of K that are not rigid, the DOFs that they move and the parts to which
// they belong, and holds the motions without mass.
#pragma once

#include <cstdint>
#include <vector>

#include <Eigen/Core>

#include "femflex/sparse.h"

#include "solve/system.h"

namespace femflex::modal {

/// Zero-energy motions of a semidefinite A, found as the zero eigenvalues of A x = mu D x, where D
/// is the diagonal of A, so that mu is dimensionless.
Eigen::MatrixXd null_motions(const SparseMatrix& A, const std::vector<std::int32_t>& group);

/// Unknowns that move most in the zero-energy motions of K, apart from those in the span of
/// `rigid`. These are the unknowns that nothing fixes.
std::vector<std::int64_t> mechanism_unknowns(const SparseMatrix& K,
                                             const std::vector<std::int32_t>& group,
                                             const Eigen::MatrixXd& rigid);

/// `motions` without their share in the span of `rigid`.
Eigen::MatrixXd without_rigid(const Eigen::MatrixXd& motions, const Eigen::MatrixXd& rigid);

/// Unknowns that move most in `motions` after their share in the span of `rigid` was removed.
std::vector<std::int64_t> moved_unknowns(const Eigen::MatrixXd& motions,
                                         const Eigen::MatrixXd& rigid);

/// The smallest of the parts that K does not connect to each other (nodes are not split), and the
/// number of parts.
struct SmallestPart {
  std::int64_t parts = 0;
  std::vector<std::int64_t> unknowns;
};
SmallestPart smallest_part(const SparseMatrix& K, const std::vector<std::int32_t>& group);

/// Motions with neither stiffness nor mass, such as a bar free to turn about its own axis. One
/// unknown of each is to be fixed, which has no other effect. docs/theory/modal.md section "DOFs
/// that should not be there".
struct MasslessMechanism {
  std::vector<std::int64_t> held;  ///< unknowns to be fixed, one per motion
  Eigen::MatrixXd motions;         ///< (unknowns x motions), identity on the fixed ones
};
MasslessMechanism massless_mechanism(const SparseMatrix& K,
                                     const SparseMatrix& M,
                                     const std::vector<std::int32_t>& group);

/// The system with the unknowns mechanism.held at zero. Other motions are adjusted by subtracting a
/// multiple of the motions of the mechanism, which have no energy.
System hold_mechanism(const System& system, const MasslessMechanism& mechanism);

}  // namespace femflex::modal
