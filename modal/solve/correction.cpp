// Steps of iterative refinement: two products with sparse matrices and a solution.
#include "solve/correction.h"

namespace femflex::modal {

Correction::Correction(const ShiftedFactor& factor)
    : factor_(factor),
      times_K_(factor.K(), factor.threads()),
      times_M_(factor.M(), factor.threads()) {}

void Correction::operator()(const Eigen::MatrixXd& x, Eigen::MatrixXd& rest) {
  product_.resize(x.rows(), x.cols());
  times_K_(x, product_);
  rest -= product_;
  times_M_(x, product_);
  rest += factor_.sigma() * product_;
  factor_.solve(rest);
}

}  // namespace femflex::modal
