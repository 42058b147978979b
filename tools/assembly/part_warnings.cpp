// Tests symmetry, the signs of the diagonals and, for small parts, the smallest eigenvalue of each
// matrix. All tests have tolerances for round-off and for numbers with few digits.
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

/// Eigenvalues above -1e-5 of the largest entry count as zero: numbers with only six digits move
/// the zero eigenvalues of a free part.
constexpr double kEigenvalueZero = 1e-5;
/// Diagonal entries above -1e-12 of the largest entry count as zero. They are given numbers or sums
/// of given numbers, so their only error is round-off.
constexpr double kDiagonalZero = 1e-12;
/// Relative asymmetry up to which a matrix counts as symmetric: matrices from other programs are
/// symmetric only within the accuracy of their solvers.
constexpr double kMaxAsymmetry = 1e-9;
/// Largest size for which eigenvalues are computed. For larger parts this would take too long, so
/// only the diagonals are checked.
constexpr Index kMaxDense = 500;

/// True if v' A v < 0 for some v. For large matrices only unit vectors v are tried.
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
    // states of a state space and hidden coordinates of a balanced part may be unsymmetric
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
  // real parts below these fractions, of the largest pole or of the pole itself, are round-off
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
