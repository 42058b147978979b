// Computes the eigenvalues of a dense matrix polynomial. Scales the polynomial (s = gamma p, rows
// and columns by powers of two), linearises it to the companion pencil A z = p B z, removes
// infinite and zero eigenvalues by rank decisions (deflation), and finds the others by QR
// iteration.
#include "linearisation.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "femflex/dense.h"
#include "femflex/errors.h"

namespace femflex::substructure {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXcd;

namespace {

// A pivot counts as zero if its relative size is below this times the number of rows: a few hundred
// roundings, far below the smallest pivot of a part whose data have six digits.
constexpr double kRankTolerance = 1e-13;
// number of balancing sweeps; two or three suffice for rows and columns of different units
constexpr int kScaleSweeps = 4;

[[noreturn]] void throw_singular_polynomial() {
  throw NumericalError("singular",
                       "the dynamic stiffness is singular for every s: a DOF carries "
                       "neither mass, nor damping, nor stiffness",
                       {},
                       "hold that DOF, or join it to something");
}

/// One deflation step, which removes the null space of B from the pencil A - p B.
///
/// With V such that B V = [B1 0] and U such that U' A V = [A11 A12; A21 0], A12 square, the finite
/// eigenvalues are those of A21 - p B21.
class Deflation {
 public:
  /// Shrinks A and B; false if B already has full rank.
  bool apply(MatrixXd& A, MatrixXd& B) {
    const Index n = B.rows();
    Eigen::CompleteOrthogonalDecomposition<MatrixXd> right;
    right.setThreshold(kRankTolerance * static_cast<double>(n));
    right.compute(B);
    const Index rank = right.rank();
    if (rank == n) return false;
    // B P = Q [T 0; 0 0] Z
    MatrixXd Zt = MatrixXd::Identity(n, n);
    if (rank > 0) Zt = right.matrixZ().transpose();
    V_ = right.colsPermutation() * Zt;
    const MatrixXd AV = A * V_;
    const MatrixXd BV = B * V_;
    const Index deficiency = n - rank;
    Eigen::ColPivHouseholderQR<MatrixXd> left;
    left.setThreshold(kRankTolerance * static_cast<double>(n));
    left.compute(AV.rightCols(deficiency));
    const double scale = A.cwiseAbs().maxCoeff();
    if (left.rank() < deficiency || left.maxPivot() < kRankTolerance * scale) {
      throw_singular_polynomial();
    }
    const MatrixXd UtA = left.householderQ().transpose() * AV;
    const MatrixXd UtB = left.householderQ().transpose() * BV;
    A11_ = UtA.topLeftCorner(deficiency, rank);
    B11_ = UtB.topLeftCorner(deficiency, rank);
    A12_.compute(UtA.topRightCorner(deficiency, deficiency));
    A = UtA.bottomLeftCorner(rank, rank);
    B = UtB.bottomLeftCorner(rank, rank);
    return true;
  }

  /// Converts an eigenvector of the pencil after the step to one of the pencil before it.
  VectorXcd back(const VectorXcd& x, Complex p) const {
    VectorXcd z(V_.cols());
    z.head(x.size()) = x;
    const VectorXcd right = -(A11_.cast<Complex>() * x - p * (B11_.cast<Complex>() * x));
    VectorXcd tail(right.size());
    tail.real() = A12_.solve(right.real());
    tail.imag() = A12_.solve(right.imag());
    z.tail(right.size()) = tail;
    return V_.cast<Complex>() * z;
  }

 private:
  MatrixXd V_, A11_, B11_;
  Eigen::PartialPivLU<MatrixXd> A12_;
};

double size_of(const MatrixXd& a) {
  return a.cwiseAbs().maxCoeff();
}

/// Scales rows and columns to the same size by powers of two, because translations and rotations,
/// forces and states occur together here.
/// @return the factor of each row and column
Eigen::VectorXd balance(std::vector<MatrixXd>& coefficients) {
  const Index n = coefficients.front().rows();
  Eigen::VectorXd scale = Eigen::VectorXd::Ones(n);
  for (int sweep = 0; sweep < kScaleSweeps; ++sweep) {
    for (Index i = 0; i < n; ++i) {
      double largest = 0.0;
      for (const MatrixXd& a : coefficients) {
        largest =
            std::max({largest, a.row(i).cwiseAbs().maxCoeff(), a.col(i).cwiseAbs().maxCoeff()});
      }
      if (largest == 0.0) continue;
      const double f = std::exp2(-std::round(0.5 * std::log2(largest)));
      scale(i) *= f;
      for (MatrixXd& a : coefficients) {
        a.row(i) *= f;
        a.col(i) *= f;
      }
    }
  }
  return scale;
}

/// Rewrites the polynomial in p with s = gamma p, so that the first and the last coefficient have
/// the same size and the largest entry is 1.
/// @return gamma
double scale_variable(std::vector<MatrixXd>& coefficients) {
  std::size_t first = 0;
  while (first < coefficients.size() && size_of(coefficients[first]) == 0.0)
    ++first;
  if (first == coefficients.size()) throw_singular_polynomial();
  const std::size_t last = coefficients.size() - 1;
  double gamma = 1.0;
  if (first < last && size_of(coefficients[last]) > 0.0) {
    gamma =
        std::exp2(std::round(std::log2(size_of(coefficients[first]) / size_of(coefficients[last])) /
                             static_cast<double>(last - first)));
  }
  double power = 1.0;
  double largest = 0.0;
  for (MatrixXd& a : coefficients) {
    a *= power;
    power *= gamma;
    largest = std::max(largest, size_of(a));
  }
  for (MatrixXd& a : coefficients)
    a /= largest;
  return gamma;
}

/// The companion pencil A z = p B z, and the deflation steps applied to it.
struct Pencil {
  MatrixXd A, B;
  std::vector<Deflation> at_infinity, at_zero;  // deflation steps, in the order of application
};

Pencil companion(const std::vector<MatrixXd>& coefficients) {
  const Index n = coefficients.front().rows();
  const auto d = static_cast<Index>(coefficients.size()) - 1;
  Pencil out{MatrixXd::Zero(n * d, n * d), MatrixXd::Identity(n * d, n * d), {}, {}};
  for (Index k = 0; k + 1 < d; ++k)
    out.A.block(k * n, (k + 1) * n, n, n).setIdentity();
  for (Index k = 0; k < d; ++k) {
    out.A.block((d - 1) * n, k * n, n, n) = -coefficients[static_cast<std::size_t>(k)];
  }
  out.B.bottomRightCorner(n, n) = coefficients.back();
  return out;
}

/// Eigenvalues p and vectors of the pencil that is left after deflation.
void solve_ordinary(const Pencil& pencil, PolynomialEigenvalues& out) {
  // the matrix is not balanced, because that would amplify the round-off of the deflation to the
  // size of the matrix
  const Eigen::EigenSolver<MatrixXd> solver(MatrixXd(pencil.B.partialPivLu().solve(pencil.A)));
  if (solver.info() != Eigen::Success) {
    throw NumericalError("not-converged", "the QR iteration for the poles did not converge");
  }
  const MatrixXcd reduced_vectors = solver.eigenvectors();
  for (Index k = 0; k < pencil.A.rows(); ++k) {
    const Complex p = solver.eigenvalues()(k);
    VectorXcd x = reduced_vectors.col(k);
    for (std::size_t step = pencil.at_zero.size(); step-- > 0;)
      x = pencil.at_zero[step].back(x, 1.0 / p);
    for (std::size_t step = pencil.at_infinity.size(); step-- > 0;)
      x = pencil.at_infinity[step].back(x, p);
    out.values(k) = p;
    out.vectors.col(k) = x.head(out.vectors.rows());
  }
}

/// Vectors of the eigenvalue zero: the null space of the constant coefficient, which has one at
/// least.
void fill_null_space(const MatrixXd& constant, PolynomialEigenvalues& out) {
  const Index n = constant.rows();
  Eigen::FullPivLU<MatrixXd> lu(constant);
  const double largest = lu.maxPivot();
  const double smallest = largest > 0.0 ? std::abs(lu.matrixLU()(n - 1, n - 1)) / largest : 0.0;
  lu.setThreshold(std::max(kRankTolerance * static_cast<double>(n), 2.0 * smallest));
  const MatrixXd kernel = lu.kernel();
  for (Index k = 0; k < out.zero; ++k) {
    out.vectors.col(out.vectors.cols() - out.zero + k) =
        kernel.col(k % kernel.cols()).cast<Complex>();
  }
}

}  // namespace

PolynomialEigenvalues polynomial_eigenvalues(std::vector<MatrixXd> coefficients) {
  const Index n = coefficients.front().rows();
  PolynomialEigenvalues out;
  if (coefficients.size() == 1) {
    if (!coefficients.front().fullPivLu().isInvertible()) throw_singular_polynomial();
    out.vectors.resize(n, 0);
    return out;
  }
  const Eigen::VectorXd scale = balance(coefficients);
  const double gamma = scale_variable(coefficients);
  Pencil pencil = companion(coefficients);
  const Index order = pencil.A.rows();
  for (Deflation step; pencil.A.rows() > 0 && step.apply(pencil.A, pencil.B);)
    pencil.at_infinity.push_back(step);
  const Index finite = pencil.A.rows();
  for (Deflation step; pencil.A.rows() > 0 && step.apply(pencil.B, pencil.A);)
    pencil.at_zero.push_back(step);
  out.infinite = order - finite;
  out.zero = finite - pencil.A.rows();
  out.values = VectorXcd::Zero(finite);
  out.vectors = MatrixXcd::Zero(n, finite);
  if (pencil.A.rows() > 0) solve_ordinary(pencil, out);
  out.values *= gamma;
  if (out.zero > 0) fill_null_space(coefficients.front(), out);
  out.vectors = (scale.cast<Complex>().asDiagonal() * out.vectors).eval();
  out.vectors.colwise().normalize();
  return out;
}

}  // namespace femflex::substructure
