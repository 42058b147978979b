// Compares two flexible bodies by their eigenmodes on common nodes, and by mass, centre of mass and
// inertia. Modes of equal frequency are compared by the space that they span.
#include "femflex/modal/compare_bodies.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "femflex/acting_part.h"
#include "femflex/dense.h"
#include "femflex/errors.h"
#include "femflex/frequency.h"
#include "femflex/modal/correlation.h"

#include "dense/symmetric_eigen.h"

namespace femflex::modal {
namespace {

/// Eigenpairs of a body's (k, m), in ascending order of lambda.
struct Eigenmodes {
  Eigen::VectorXd lambda;  // omega^2 [rad^2/s^2]
  Eigen::MatrixXd shapes;  // mode shapes on the common nodes
};

Eigenmodes eigenmodes_of(const FlexBody& body, const std::vector<Eigen::Index>& nodes) {
  const DenseEigen pairs = generalised_eigen(body.stiffness, body.mass);
  if (!pairs.ok)
    throw NumericalError(
        "mass-not-positive",
        fmt::format("body '{}': its modal mass matrix is not positive definite", body.name));
  Eigen::MatrixXd rows(static_cast<Eigen::Index>(nodes.size()) * 3, body.mode_count());
  for (std::size_t i = 0; i < nodes.size(); ++i)
    rows.middleRows(static_cast<Eigen::Index>(i) * 3, 3) = body.shapes.middleRows(6 * nodes[i], 3);
  return {pairs.values, rows * pairs.vectors};
}

/// Number of eigenvalues (in ascending order) that are zero to within round-off of the largest.
Eigen::Index zero_modes(const Eigen::VectorXd& lambda) {
  constexpr double kZeroEigenvalue = 1e-13;  // share of the largest; some hundred last bits
  const double largest = lambda.size() > 0 ? std::abs(lambda(lambda.size() - 1)) : 0.0;
  Eigen::Index count = 0;
  while (count < lambda.size() && lambda(count) <= kZeroEigenvalue * largest)
    ++count;
  return count;
}

/// Share of each mode of `a` that lies in the span of mode k of `b` and its neighbours. The
/// neighbours are the modes that may be mixed with it arbitrarily: all zero modes, or modes whose
/// frequencies differ by less than `tolerance`.
Eigen::MatrixXd subspace_mac(const Eigenmodes& a, const Eigenmodes& b, double tolerance) {
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(a.shapes.cols(), b.shapes.cols());
  const Eigen::VectorXd squared_lengths = a.shapes.colwise().squaredNorm().transpose();
  const Eigen::Index zeros = zero_modes(b.lambda);
  // smallest relative gap between two different eigenvalues; files of seven digits move copies of
  // one eigenvalue apart by less
  constexpr double kMinGap = 1e-6;
  const double gap = std::max(kMinGap, 2.0 * tolerance);  // lambda is a square of frequency
  for (Eigen::Index first = 0, count = 0; first < b.shapes.cols(); first += count) {
    count = std::max<Eigen::Index>(1, first == 0 ? zeros : 0);
    while (first >= zeros && first + count < b.shapes.cols() &&
           b.lambda(first + count) - b.lambda(first) <= gap * std::abs(b.lambda(first)))
      ++count;
    const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(b.shapes.middleCols(first, count));
    const Eigen::MatrixXd coefficients = qr.householderQ().transpose() * a.shapes;
    const Eigen::VectorXd inside =
        coefficients.topRows(qr.rank()).colwise().squaredNorm().transpose();
    for (Eigen::Index i = 0; i < out.rows(); ++i)
      if (squared_lengths(i) > 0.0)
        out.row(i).segment(first, count).setConstant(inside(i) / squared_lengths(i));
  }
  return out;
}

/// Pairs A's modes with B's, and decides whether all of them agree.
void pair_modes(const Eigenmodes& modes_a,
                const Eigenmodes& modes_b,
                double tolerance,
                ModeComparison& out) {
  out.mac = mac(modes_a.shapes, modes_b.shapes);
  const Eigen::MatrixXd share = subspace_mac(modes_a, modes_b, tolerance);
  const Eigen::Index zeros_a = zero_modes(modes_a.lambda);
  const Eigen::Index zeros_b = zero_modes(modes_b.lambda);
  std::vector<bool> is_paired(static_cast<std::size_t>(out.mac.cols()), false);
  for (Eigen::Index i = 0; i < out.mac.rows(); ++i) {
    const bool is_zero = i < std::min(zeros_a, zeros_b);
    Eigen::Index best = is_zero ? i : -1;
    for (Eigen::Index k = zeros_b; !is_zero && k < out.mac.cols(); ++k) {
      if (!is_paired[static_cast<std::size_t>(k)] && (best < 0 || share(i, k) > share(i, best)))
        best = k;
    }
    ModeComparison::Mode mode;
    mode.a_hz = frequency_hz(modes_a.lambda(i));
    if (best < 0) {
      mode.b_hz = mode.error_percent = std::numeric_limits<double>::quiet_NaN();
      out.passes = false;
    } else {
      is_paired[static_cast<std::size_t>(best)] = true;
      mode.b_hz = frequency_hz(modes_b.lambda(best));
      mode.mac = share(i, best);
      if (!is_zero && (mode.a_hz > 0.0 || mode.b_hz > 0.0))  // infinite for a zero mode of A
        mode.error_percent = 100.0 * (mode.b_hz / mode.a_hz - 1.0);
      if (std::abs(mode.error_percent) > 100.0 * tolerance || 1.0 - mode.mac > tolerance)
        out.passes = false;
    }
    out.modes.push_back(mode);
  }
}

/// |difference| / of_a; if of_a is zero, |difference| / of_b; 0 if both are zero.
double relative_error(double difference, double of_a, double of_b) {
  const double scale = of_a > 0.0 ? of_a : of_b;
  return scale > 0.0 ? std::abs(difference) / scale : 0.0;
}

/// Compares mass, centre of mass and inertia, and clears out.passes if mass or inertia differ.
void compare_masses(const FlexBody& a, const FlexBody& b, double tolerance, ModeComparison& out) {
  const double mass = a.invariants.mass;
  out.mass_error = relative_error(b.invariants.mass - mass, mass, b.invariants.mass);
  out.centre_error = mass > 0.0 && b.invariants.mass > 0.0
                         ? (a.centre_of_mass() - b.centre_of_mass()).norm()
                         : 0.0;
  out.inertia_error =
      relative_error((a.invariants.inertia - b.invariants.inertia).cwiseAbs().maxCoeff(),
                     a.invariants.inertia.cwiseAbs().maxCoeff(),
                     b.invariants.inertia.cwiseAbs().maxCoeff());
  if (!(out.mass_error <= tolerance && out.inertia_error <= tolerance)) out.passes = false;
}

}  // namespace

ModeComparison compare_bodies(const FlexBody& a,
                              const FlexBody& b,
                              const NodePairs& nodes,
                              double tolerance) {
  if (!has_only_acting_modes(a) || !has_only_acting_modes(b))
    return compare_bodies(acting_part(a), acting_part(b), nodes, tolerance);
  ModeComparison out;
  out.passes = true;
  pair_modes(eigenmodes_of(a, nodes.a), eigenmodes_of(b, nodes.b), tolerance, out);
  compare_masses(a, b, tolerance, out);
  return out;
}

}  // namespace femflex::modal
