// Rounds eigenvectors so that the residual K x - b stays small.
#pragma once

#include <span>

#include <Eigen/Core>

#include "femflex/sparse.h"

namespace femflex::modal {

/// Makes K X - B small by coordinate descent in the last bits of X. Rounding a vector entry by
/// entry leaves |K| |x| eps in K x; rounding each entry with regard to the errors of its neighbours
/// leaves about half of that.
/// @param columns  those of X and R to be rounded
/// @param R        K X - B, computed without round-off; updated as X changes
void round_with_feedback(const SparseMatrix& K,
                         std::span<const Eigen::Index> columns,
                         Eigen::Ref<Eigen::MatrixXd> X,
                         Eigen::Ref<Eigen::MatrixXd> R,
                         int threads);

}  // namespace femflex::modal
