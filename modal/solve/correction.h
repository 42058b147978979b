// Correction: steps of iterative refinement with a factor of K - sigma M.
#pragma once

#include <Eigen/Core>

#include "solve/projection.h"
#include "solve/shifted_factor.h"

namespace femflex::modal {

/// Computes what steps of iterative refinement add to solutions [Higham 2002]. Scratch memory is
/// kept between steps. The factor must outlive it.
class Correction {
 public:
  explicit Correction(const ShiftedFactor& factor);
  /// rest <- F^-1 (rest - (K - sigma M) x), F the factor held; rest holds the right-hand sides.
  void operator()(const Eigen::MatrixXd& x, Eigen::MatrixXd& rest);

 private:
  const ShiftedFactor& factor_;
  SymmetricProduct times_K_, times_M_;
  Eigen::MatrixXd product_;
};

}  // namespace femflex::modal
