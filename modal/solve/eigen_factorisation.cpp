// Back end `eigen`: factors sparse symmetric matrices by Eigen's SimplicialLDLT, which is always
// available. It works column by column, so that blocks of right-hand sides gain little.
#include <cmath>

#include <Eigen/SparseCholesky>

#include "solve/factorisation.h"
#include "solve/zero_pivot.h"

namespace femflex::modal {
namespace {

using Permutation = Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, std::int32_t>;

class EigenFactorisation : public Factorisation {
 public:
  std::string_view name() const override { return "eigen"; }

  void analyse(const SparseMatrix& lower,
               const std::vector<std::int32_t>& order,
               const std::vector<std::int32_t>& /*group*/) override {
    const auto n = static_cast<Eigen::Index>(order.size());
    place_.resize(n);
    for (Eigen::Index k = 0; k < n; ++k)
      place_.indices()(order[static_cast<std::size_t>(k)]) = static_cast<std::int32_t>(k);
    ldlt_.analyzePattern(permuted(lower));
  }

  bool factor(const SparseMatrix& K, double sigma, const SparseMatrix& M) override {
    const SparseMatrix a = permuted(combined(K, sigma, M));
    ldlt_.factorize(a);
    inertia_ = {};
    if (ldlt_.info() != Eigen::Success) {
      inertia_.zero = 1;
      return false;
    }
    const Eigen::VectorXd pivots = ldlt_.vectorD();
    const Eigen::VectorXd diagonal = a.diagonal();
    for (Eigen::Index i = 0; i < pivots.size(); ++i) {
      if (pivots(i) < 0.0) ++inertia_.negative;
      if (std::abs(pivots(i)) < kZeroPivot * std::abs(diagonal(i))) ++inertia_.zero;
    }
    return true;
  }

  void solve(Eigen::Ref<Eigen::MatrixXd> block) const override {
    Eigen::MatrixXd x = place_ * block;
    x = ldlt_.solve(x).eval();
    block = place_.inverse() * x;
  }

  Inertia inertia() const override { return inertia_; }
  std::int64_t entries() const override {
    const SparseMatrix& L = ldlt_.matrixL().nestedExpression();
    return L.nonZeros() + L.rows();
  }
  double flops() const override {
    const SparseMatrix& L = ldlt_.matrixL().nestedExpression();
    double sum = 0.0;
    for (Eigen::Index col = 0; col < L.cols(); ++col) {
      const auto below = static_cast<double>(L.outerIndexPtr()[col + 1] - L.outerIndexPtr()[col]);
      sum += (below + 1.0) * (below + 1.0);
    }
    return sum;
  }

 private:
  SparseMatrix permuted(const SparseMatrix& lower) const {
    SparseMatrix a(lower.rows(), lower.cols());
    a.selfadjointView<Eigen::Lower>() = lower.selfadjointView<Eigen::Lower>().twistedBy(place_);
    return a;
  }

  Permutation place_;
  Eigen::SimplicialLDLT<SparseMatrix, Eigen::Lower, Eigen::NaturalOrdering<std::int32_t>> ldlt_;
  Inertia inertia_;
};

}  // namespace

std::unique_ptr<Factorisation> make_eigen_factorisation() {
  return std::make_unique<EigenFactorisation>();
}

}  // namespace femflex::modal
