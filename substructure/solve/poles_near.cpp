// Finds the poles of a large part (the s at which its dynamic stiffness R(s) is singular) near a
// real shift by shift-invert Arnoldi iterations. docs/theory/substructures.md §3.
#include <algorithm>

#include <Eigen/SparseLU>
#include <Spectra/GenEigsSolver.h>
#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/substructure/solve.h"

#include "partition.h"

namespace femflex::substructure {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::VectorXd;

namespace {

/// y = (A - sigma B)^-1 B x of the companion form, through one real factorisation of R(sigma):
/// with x = (x_0, x_1, ...) the first block y_0 solves R(sigma) y_0 = right side, and
/// y_{k+1} = sigma y_k + x_k.
class ShiftedInverse {
 public:
  using Scalar = double;

  ShiftedInverse(const Partition& partition, double sigma)
      : coefficients_(partition.coefficients()), sigma_(sigma), n_(partition.free_count()) {
    SparseMatrix R(n_, n_);
    double power = 1.0;
    for (const SparseMatrix& a : coefficients_) {
      R += SparseMatrix(power * a);
      power *= sigma;
    }
    R.makeCompressed();
    lu_.compute(R);
    if (lu_.info() != Eigen::Success) {
      throw NumericalError("singular",
                           fmt::format("R(s) is singular at the shift s = {}", sigma),
                           {},
                           "give another shift");
    }
  }

  Index rows() const { return n_ * states(); }
  Index cols() const { return rows(); }
  Index states() const { return static_cast<Index>(coefficients_.size()) - 1; }

  void perform_op(const double* in, double* out) const {
    const Index d = states();
    const Eigen::Map<const VectorXd> x(in, rows());
    Eigen::Map<VectorXd> y(out, rows());
    // y_{k+1} = sigma y_k + x_k =: sigma^{k+1} y_0 + g_{k+1};
    // -sum_{k<d} A_k y_k - sigma A_d y_{d-1} = A_d x_{d-1}
    std::vector<VectorXd> g(static_cast<std::size_t>(d), VectorXd::Zero(n_));
    for (Index k = 0; k + 1 < d; ++k) {
      g[static_cast<std::size_t>(k) + 1] =
          sigma_ * g[static_cast<std::size_t>(k)] + x.segment(k * n_, n_);
    }
    VectorXd right = coefficients_.back() *
                     (x.segment((d - 1) * n_, n_) + sigma_ * g[static_cast<std::size_t>(d) - 1]);
    for (Index k = 1; k < d; ++k) {
      right += coefficients_[static_cast<std::size_t>(k)] * g[static_cast<std::size_t>(k)];
    }
    VectorXd head = lu_.solve(-right);
    for (Index k = 0; k < d; ++k) {
      y.segment(k * n_, n_) = head;
      if (k + 1 < d) {
        head *= sigma_;
        head += x.segment(k * n_, n_);
      }
    }
  }

 private:
  const std::vector<SparseMatrix>& coefficients_;
  double sigma_;
  Index n_;
  Eigen::SparseLU<SparseMatrix, Eigen::COLAMDOrdering<std::int32_t>> lu_;
};

constexpr double kPoleTolerance = 1e-12;  // relative tolerance of 1 / (s - shift)
// maximum number of restarts, far more than any convergent case needs
constexpr int kPoleIterations = 1000;
// smallest number of basis vectors; Spectra advises at least twice the number of poles
constexpr Index kMinPoleBasis = 24;

}  // namespace

Poles poles_near(const DynamicStiffness& part,
                 const Supports& supports,
                 double shift,
                 Index count) {
  const Partition partition(part, supports);
  ShiftedInverse inverse(partition, shift);
  const Index states = inverse.rows();
  if (count < 1 || states < 3 || count + 2 > states) return poles(part, supports);
  const Index basis = std::min(states, std::max<Index>(2 * count + 2, kMinPoleBasis));
  Spectra::GenEigsSolver<ShiftedInverse> solver(inverse, count, basis);
  solver.init();
  const Index converged =
      solver.compute(Spectra::SortRule::LargestMagn, kPoleIterations, kPoleTolerance);
  if (converged < count) {
    throw NumericalError("not-converged",
                         fmt::format("{} of {} poles near {} converged", converged, count, shift),
                         {},
                         "request more or fewer poles, or move the shift");
  }
  const Eigen::VectorXcd values =
      (solver.eigenvalues().array().inverse() + Complex(shift)).matrix();
  Eigen::MatrixXcd vectors = solver.eigenvectors().topRows(partition.free_count());
  vectors.colwise().normalize();
  return finished_poles(partition, values, vectors);
}

}  // namespace femflex::substructure
