// Frequency response at the interface of a set of shapes of the free component, for the method
// `auto`.
#pragma once

#include <cstdint>
#include <vector>

#include <Eigen/Core>

#include "methods/basis.h"
#include "methods/craig_bampton.h"

namespace femflex::modal {

/// Dynamic stiffness of the interface as a set of shapes gives it. With k x = lambda m x of the
/// set, x' m x = 1, and x_b the rows of the interface, its receptance is the sum of x_b x_b' / ((1
/// + i g) lambda - w^2).
class FreeSetResponse {
 public:
  /// @param parts  the component, split at its interface; gives the order of the interface DOFs
  FreeSetResponse(const CraigBampton& parts, const Basis& basis, double loss_factor);

  /// False if the mass matrix of the set is not positive definite, or the set cannot move the
  /// interface in every direction.
  bool is_valid() const { return is_valid_; }
  /// (b x b) at w^2 [1/time^2], in model units.
  Eigen::MatrixXcd stiffness(double w2) const;
  /// Eigenvalues [1/time^2] of the elastic normal modes of the set, in ascending order.
  const std::vector<double>& elastic() const { return elastic_; }
  /// Number of the first elastic mode among the normal modes, which begin with the rigid ones.
  std::int64_t first_elastic() const { return first_elastic_; }

 private:
  Eigen::MatrixXd x_b_;
  Eigen::VectorXd lambda_;
  double g_;
  std::vector<double> elastic_;
  std::int64_t first_elastic_ = 1;
  bool is_valid_ = false;
};

}  // namespace femflex::modal
