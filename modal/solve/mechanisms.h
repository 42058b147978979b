#pragma once

#include <cstdint>
#include <vector>

#include <Eigen/Core>

#include "femflex/sparse.h"

#include "solve/system.h"

namespace femflex::modal {

/// Zero-energy motions of a semidefinite A, found as the zero eigenvalues of A x = mu D x, D
/// the diagonal of A: mu has no dimension.
Eigen::MatrixXd null_motions(const SparseMatrix& A, const std::vector<std::int32_t>& group);

/// Unknowns that move most in the zero-energy motions of K, other than those in the span of
/// `rigid`: the ones that nothing holds.
std::vector<std::int64_t> mechanism_unknowns(const SparseMatrix& K,
                                             const std::vector<std::int32_t>& group,
                                             const Eigen::MatrixXd& rigid);

/// Motions without their share in the span of `rigid`.
Eigen::MatrixXd less_rigid(const Eigen::MatrixXd& motions, const Eigen::MatrixXd& rigid);

/// Unknowns that move most in `motions`, less their share in the span of `rigid`.
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
  std::vector<std::int64_t> held;  ///< one unknown per motion
  Eigen::MatrixXd motions;         ///< (unknowns x motions), identity on the held ones
};
MasslessMechanism massless_mechanism(const SparseMatrix& K,
                                     const SparseMatrix& M,
                                     const std::vector<std::int32_t>& group);

/// The system with the held unknowns at zero. Other motions are brought there by subtracting a
/// multiple of the mechanism's motions, which have no energy.
System without(const System& system, const MasslessMechanism& mechanism);

}  // namespace femflex::modal
