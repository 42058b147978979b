// Tests symmetry, the signs of the diagonals, and for small parts the smallest eigenvalue of each
// matrix, each with a tolerance for round-off and short decimals.
#include "assembly/part_warnings.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "femflex/dense.h"

namespace femflex::tools {

using Eigen::Index;
using Eigen::MatrixXd;
using substructure::DynamicStiffness;

namespace {

/// Eigenvalues above -1e-5 of the largest entry count as zero, because matrices may be given with
/// only six digits, which move the zero eigenvalues of a free part.
constexpr double kEigenvalueZero = 1e-5;
/// Diagonal entries above -1e-12 of the largest entry count as zero. They are given numbers or sums
/// of them, so their error is round-off only.
constexpr double kDiagonalZero = 1e-12;
/// Relative asymmetry that still counts as symmetric, because reductions by other programs are
/// symmetric only to the accuracy of their solvers.
constexpr double kMaxAsymmetry = 1e-9;
/// Largest size for which eigenvalues are computed. They would take too long for larger parts, of
/// which only the diagonals are checked.
constexpr Index kMaxDense = 500;

/// True if v' A v < 0 for some v; for large matrices only unit vectors v are tried.
bool is_negative(const SparseMatrix& a) {
  const Eigen::VectorXd diagonal = a.diagonal();
  const double largest = a.nonZeros() == 0 ? 0.0 : a.coeffs().abs().maxCoeff();
  if (diagonal.minCoeff() < -kDiagonalZero * largest) return true;
  if (a.rows() > kMaxDense || largest == 0.0) return false;
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(MatrixXd(a), Eigen::EigenvaluesOnly);
  return solver.eigenvalues().minCoeff() < -kEigenvalueZero * largest;
}

}  // namespace

void warn_about_part(const DynamicStiffness& part, const Where& where, Diagnostics& diagnostics) {
  if (!substructure::is_symmetric(part, kMaxAsymmetry)) {
    // states of a state space and hidden coordinates of a balanced part need not be symmetric
    if (part.inner_count() > 0) return;
    diagnostics.warn(
        "unsymmetric",
        fmt::format("the dynamic stiffness of part '{}' is not symmetric: springs, dampers and "
                    "masses give a symmetric one; poles may lie in the right half-plane",
                    part.name),
        where);
    return;
  }
  if (part.order() > 2) return;
  constexpr std::array<const char*, 3> kMatrixNames{"stiffness", "damping", "mass"};
  for (std::size_t power = 0; power < part.coefficients.size(); ++power) {
    if (!is_negative(part.coefficients[power])) continue;
    diagnostics.warn(fmt::format("negative-{}", kMatrixNames[power]),
                     fmt::format("the {} matrix of part '{}' is not positive: some motion of its "
                                 "ports has a negative {}",
                                 kMatrixNames[power],
                                 part.name,
                                 kMatrixNames[power]),
                     where);
  }
}

void warn_about_poles(const substructure::Poles& poles,
                      const std::string& part,
                      Diagnostics& diagnostics) {
  if (poles.values.size() == 0) return;
  // real parts below these fractions of the largest pole or of the pole itself are round-off
  constexpr double kOfLargest = 1e-9;
  constexpr double kOfItself = 1e-6;
  const double largest = poles.values.cwiseAbs().maxCoeff();
  Index count = 0;
  std::complex<double> worst;
  for (const std::complex<double>& s : poles.values) {
    if (s.real() <= std::max(kOfLargest * largest, kOfItself * std::abs(s))) continue;
    ++count;
    if (s.real() > worst.real()) worst = s;
  }
  if (count == 0) return;
  diagnostics.warn("unstable",
                   fmt::format("{} of {} poles of '{}' lie in the right half-plane, the fastest at "
                               "{:.6g} {:+.6g} i rad/s: its motion grows by itself",
                               count,
                               poles.values.size(),
                               part,
                               worst.real(),
                               worst.imag()));
}

}  // namespace femflex::tools
