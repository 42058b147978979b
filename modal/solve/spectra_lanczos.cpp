// Finds eigenpairs by the Lanczos method of the library Spectra with a factorisation by femflex. It
// is a second algorithm with which block_lanczos() is checked.
#include <Spectra/MatOp/SparseSymMatProd.h>
#include <Spectra/SymGEigsShiftSolver.h>

#include "solve/block_lanczos.h"

namespace femflex::modal {
namespace {

/// (K - sigma M)^-1 x.
class InverseOperator {
 public:
  using Scalar = double;
  InverseOperator(const ShiftedFactor& factor, std::int64_t& solves, Progress& progress)
      : factor_(&factor), solves_(&solves), progress_(&progress) {}
  Eigen::Index rows() const { return factor_->size(); }
  Eigen::Index cols() const { return factor_->size(); }
  void set_shift(double /*sigma*/) {}
  void perform_op(const double* x, double* y) const {
    Eigen::MatrixXd column = Eigen::Map<const Eigen::VectorXd>(x, rows());
    factor_->solve(column);
    Eigen::Map<Eigen::VectorXd>(y, rows()) = column;
    progress_->step(static_cast<double>(++*solves_));
  }

 private:
  const ShiftedFactor* factor_;
  std::int64_t* solves_;
  Progress* progress_;
};

}  // namespace

RitzPairs spectra_lanczos(const ShiftedFactor& factor,
                          std::int64_t count,
                          double tolerance,
                          Progress& progress) {
  RitzPairs out;
  // Spectra's tolerance is relative to theta = 1 / (lambda - sigma), but absolute for tiny theta,
  // so that pairs of very large lambda have larger residuals.
  InverseOperator inverse(factor, out.solves, progress);
  using MassProduct =
      Spectra::SparseSymMatProd<double, Eigen::Lower, Eigen::ColMajor, std::int32_t>;
  MassProduct mass(factor.M());
  const auto wanted = static_cast<Eigen::Index>(count);
  const Eigen::Index basis =
      std::min<Eigen::Index>(factor.size(), std::max<Eigen::Index>(2 * wanted + 1, 20));
  Spectra::SymGEigsShiftSolver<InverseOperator, MassProduct, Spectra::GEigsMode::ShiftInvert>
      solver(inverse, mass, wanted, basis, factor.sigma());
  solver.init();
  solver.compute(Spectra::SortRule::LargestMagn, 1000, tolerance, Spectra::SortRule::SmallestAlge);
  out.converged = solver.info() == Spectra::CompInfo::Successful;
  if (!out.converged) return out;
  out.lambda = solver.eigenvalues();
  out.X = solver.eigenvectors();
  return out;
}

}  // namespace femflex::modal
