// SparseFactor: the factor of a sparse symmetric matrix for stages that solve with many matrices of
// one pattern, one after the other.
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
  /// @return false if a pivot is lost in round-off; nothing else may then be asked
  bool factor(const SparseMatrix& lower, const std::vector<std::int32_t>& group);
  /// Number of negative eigenvalues.
  std::int64_t negative() const;
  Eigen::VectorXd solve(const Eigen::VectorXd& right) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace femflex::modal
