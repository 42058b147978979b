// SparseFactor: factors sparse symmetric matrices of one pattern, one after the other, and solves
// with them. It serves rooms other than modal.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <Eigen/Core>

#include "femflex/sparse.h"

namespace femflex::modal {

/// L D L' of a symmetric matrix by the supernodal factorisation; the elimination order is computed
/// once per pattern.
class SparseFactor {
 public:
  explicit SparseFactor(int threads = 1);
  ~SparseFactor();
  SparseFactor(const SparseFactor&) = delete;
  SparseFactor& operator=(const SparseFactor&) = delete;
  SparseFactor(SparseFactor&&) = delete;
  SparseFactor& operator=(SparseFactor&&) = delete;

  /// @param lower  lower triangle, with every diagonal entry
  /// @param group  node of each row; the rows of a node stay together
  /// @return false if a pivot is lost in round-off; negative() and solve() must then not be called
  bool factor(const SparseMatrix& lower, const std::vector<std::int32_t>& group);
  /// Number of negative eigenvalues.
  std::int64_t negative() const;
  Eigen::VectorXd solve(const Eigen::VectorXd& right) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace femflex::modal
