// Estimates from the written digits of K how precise its entries are, and compares forces K x with
// the forces that single entries could cause.
#include "solve/round_off.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>

#include "solve/exact_product.h"
#include "solve/projection.h"

namespace femflex::modal {
namespace {

// Relative precision of a K in doubles. Sums of element matrices leave energies of 1e-15 in most
// free bodies of shells, solids and beams of CalculiX, NASTRAN and Abaqus; the first mode of a
// strip of 2000:1 is at 1.4e-14.
constexpr double kFullPrecision = 2e-15;
// Largest force that counts as round-off by itself. Sums of element matrices leave forces of 2e-13
// if sixty entries of a row add up, and computed motions leave no more; the force of a soft support
// is larger.
constexpr double kMaxSingleForce = 3e-13;
// Largest round-off force, relative to the level that nine in ten unknowns stay below. Round-off
// has a similar size everywhere, usually below five times that level.
constexpr double kOutlier = 30.0;

/// Number of significant decimal digits needed to write x; 17 if more than 13 are needed.
int digits_of(double x) {
  char text[32];
  for (int digits = 1; digits <= 13; ++digits) {
    const auto end =
        std::to_chars(text, text + sizeof text, x, std::chars_format::scientific, digits - 1).ptr;
    double back = 0.0;
    std::from_chars(text, end, back);
    if (back == x) return digits;
  }
  return 17;
}

/// The relative size of the last digit of a K written with 7 to 13 digits or in single precision.
/// Such a file is recognised because nearly all entries have that many digits, no more and, unlike
/// numbers entered by hand, no fewer.
double precision_of(const SparseMatrix& K) {
  constexpr double kSinglePrecision = 1.2e-7;
  constexpr double kNearlyAll =
      0.85;  // share of the entries; one in ten last digits is zero, so the number looks shorter
  constexpr double kTypicalShare = 0.6;
  constexpr double kLargestSingle = 1e38;  // larger numbers do not fit into single precision
  constexpr Eigen::Index kSampledEntries = 2000;
  constexpr double kCoarsest = 1e-6;  // precision of 7 digits
  const Eigen::Index step = 1 + K.nonZeros() / kSampledEntries;
  std::vector<double> counts(18, 0.0);
  double total = 0.0;
  double singles = 0.0;
  for (Eigen::Index k = 0; k < K.nonZeros(); k += step) {
    const double value = K.valuePtr()[k];
    if (value == 0.0) continue;
    ++counts[static_cast<std::size_t>(digits_of(value))];
    if (std::abs(value) < kLargestSingle && static_cast<double>(static_cast<float>(value)) == value)
      ++singles;
    ++total;
  }
  double sum = 0.0;
  for (std::size_t d = 1; d < 7; ++d)
    sum += counts[d];
  if (total == 0.0 || sum > (1.0 - kTypicalShare) * total)
    return kFullPrecision;  // numbers entered by hand
  // large single-precision numbers are integers of few digits: test for single precision first
  if (singles >= kNearlyAll * total) return kSinglePrecision;
  std::size_t digits = 7;
  for (sum += counts[7]; digits < 17 && sum < kNearlyAll * total;)
    sum += counts[++digits];
  if (digits > 13 || counts[digits] + counts[digits - 1] < kTypicalShare * total)
    return kFullPrecision;
  return std::clamp(std::pow(10.0, 1.0 - static_cast<double>(digits)), kFullPrecision, kCoarsest);
}

}  // namespace

RoundOff::RoundOff(const SparseMatrix& lower)
    : K_(lower),
      root_(lower.diagonal().cwiseAbs().cwiseSqrt()),
      scale_(lower),
      precision_(precision_of(lower)) {
  for (Eigen::Index j = 0; j < scale_.cols(); ++j)
    for (SparseMatrix::InnerIterator it(scale_, j); it; ++it)
      it.valueRef() = std::max(root_(it.row()) * root_(j), std::abs(it.value()));
}

Eigen::MatrixXd RoundOff::largest_forces(const Eigen::MatrixXd& X) const {
  return symmetric_product(scale_, X.cwiseAbs());
}

RoundOff::Resistance RoundOff::resistance(const Eigen::MatrixXd& X) const {
  const Eigen::MatrixXd force = exact_difference(K_, X, Eigen::MatrixXd::Zero(X.rows(), X.cols()));
  const Eigen::MatrixXd bounds = largest_forces(X);
  Resistance out{Eigen::VectorXd::Zero(X.cols()),
                 Eigen::VectorXd::Zero(X.cols()),
                 Eigen::VectorXd::Zero(X.cols())};
  std::vector<double> shares;
  for (Eigen::Index j = 0; j < X.cols(); ++j) {
    const double largest = root_.cwiseProduct(X.col(j)).cwiseAbs().maxCoeff();
    if (!(largest > 0.0)) continue;
    shares.clear();
    for (Eigen::Index i = 0; i < X.rows(); ++i)
      if (root_(i) > 0.0) shares.push_back(std::abs(force(i, j)) / (root_(i) * largest));
    out.energy(j) = std::abs(X.col(j).dot(force.col(j))) / X.col(j).cwiseAbs().dot(bounds.col(j));
    out.max_force(j) = *std::max_element(shares.begin(), shares.end());
    const auto ninth = shares.begin() + static_cast<std::ptrdiff_t>(shares.size() * 9 / 10);
    std::nth_element(shares.begin(), ninth, shares.end());
    out.ninth_decile(j) = *ninth;
  }
  return out;
}

std::vector<Eigen::Index> RoundOff::zero_energy_columns(const Resistance& felt,
                                                        double doubt) const {
  constexpr double kTermsOfARow = 10.0;  // number of entries of a row whose errors add up
  const double single_force = std::max(kMaxSingleForce, kTermsOfARow * precision_);
  std::vector<Eigen::Index> out;
  for (Eigen::Index j = 0; j < felt.energy.size(); ++j)
    if (felt.energy(j) <= doubt * precision_ &&
        felt.max_force(j) <= single_force + kOutlier * felt.ninth_decile(j))
      out.push_back(j);
  return out;
}

}  // namespace femflex::modal
