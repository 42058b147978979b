#pragma once

#include <cstdint>
#include <vector>

#include <Eigen/Core>

#include "femflex/sparse.h"

#include "solve/system.h"

namespace femflex::modal {

/// Motions that a semidefinite A does not resist, found as the zero eigenvalues of A x = mu D x, D
/// the diagonal of A: mu has no dimension.
Eigen::MatrixXd null_motions(const SparseMatrix& A, const std::vector<std::int32_t>& group);

/// Unknowns that move most in the motions that K does not resist, other than those in the span of
/// `rigid`: the ones that nothing holds.
std::vector<std::int64_t> mechanism_unknowns(const SparseMatrix& K,
                                             const std::vector<std::int32_t>& group,
                                             const Eigen::MatrixXd& rigid);

/// Motions without their share in the span of `rigid`.
Eigen::MatrixXd less_rigid(const Eigen::MatrixXd& motions, const Eigen::MatrixXd& rigid);

/// Unknowns that move most in `motions`, the share in the span of `rigid` taken out.
std::vector<std::int64_t> moved_unknowns(const Eigen::MatrixXd& motions,
                                         const Eigen::MatrixXd& rigid);

/// Parts that K does not connect, nodes being whole: number of parts, and the unknowns of the
/// smallest.
struct SmallestPart {
  std::int64_t parts = 0;
  std::vector<std::int64_t> unknowns;
};
SmallestPart smallest_part(const SparseMatrix& K, const std::vector<std::int32_t>& group);

/// Motions with neither stiffness nor mass: a bar free to turn about its own axis. One unknown each
/// is to be held; nothing else changes. docs/theory/modal.md section "DOFs that should not be
/// there".
struct MasslessMechanism {
  std::vector<std::int64_t> held;  ///< one unknown a motion
  Eigen::MatrixXd motions;         ///< (unknowns x motions), identity on the held ones
};
MasslessMechanism massless_mechanism(const SparseMatrix& K,
                                     const SparseMatrix& M,
                                     const std::vector<std::int32_t>& group);

/// The system with the held unknowns at zero. Motions are brought there by taking out their share
/// of the mechanism's, which costs nothing.
System without(const System& system, const MasslessMechanism& mechanism);

}  // namespace femflex::modal
