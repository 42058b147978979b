// Factors K - sigma M for one shift sigma after another. Orders and analyses the pattern only once.
// For floating models, chooses shifts below the zero eigenvalues from the ratios k_ii / m_ii.
#include "solve/shifted_factor.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <random>
#include <utility>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/seconds.h"

#include "dense/symmetric_eigen.h"
#include "solve/correction.h"
#include "solve/memory.h"
#include "solve/ordering.h"
#include "solve/projection.h"

namespace femflex::modal {
namespace {

/// True if every entry of M is in the pattern of K.
bool holds_pattern(const SparseMatrix& K, const SparseMatrix& M) {
  for (Eigen::Index j = 0; j < M.cols(); ++j) {
    const std::int32_t* k = K.innerIndexPtr();
    const std::int32_t* m = M.innerIndexPtr();
    const std::int32_t *k_start = K.outerIndexPtr(), *m_start = M.outerIndexPtr();
    if (!std::includes(k + k_start[j], k + k_start[j + 1], m + m_start[j], m + m_start[j + 1]))
      return false;
  }
  return true;
}

/// k_ii / m_ii of the unknowns that have both.
std::vector<double> ratios(const SparseMatrix& K, const SparseMatrix& M) {
  const Eigen::VectorXd k = K.diagonal();
  const Eigen::VectorXd m = M.diagonal();
  std::vector<double> out;
  for (Eigen::Index i = 0; i < k.size(); ++i)
    if (m(i) > 0.0 && k(i) > 0.0) out.push_back(k(i) / m(i));
  return out;
}

/// The median of k_ii / m_ii.
std::optional<double> middle_ratio(const SparseMatrix& K, const SparseMatrix& M) {
  std::vector<double> ratio = ratios(K, M);
  if (ratio.empty()) return std::nullopt;
  const auto middle = ratio.begin() + static_cast<std::ptrdiff_t>(ratio.size() / 2);
  std::nth_element(ratio.begin(), middle, ratio.end());
  return *middle;
}

}  // namespace

ShiftedFactor::ShiftedFactor(const SparseMatrix& K,
                             const SparseMatrix& M,
                             const std::vector<std::int32_t>& group,
                             const SolveOptions& options)
    : K_(K),
      M_(M),
      group_(group),
      factor_(options.factor_maker ? options.factor_maker()
                                   : make_factorisation(options.backend, options.threads)),
      threads_(std::max({1, options.threads, factor_->threads()})),
      allowed_(options.memory),
      may_replace_(!options.factor_maker && options.backend == Backend::automatic) {}

void ShiftedFactor::analyse() {
  SparseMatrix both;
  const bool is_in_pattern = holds_pattern(K_, M_);
  if (!is_in_pattern) both = combined(K_, 1.0, M_);
  const SparseMatrix& a = is_in_pattern ? K_ : both;
  const std::vector<std::int32_t> order = fill_reducing_order(a, group_);
  factor_->analyse(a, order, group_);
  if (allowed_) fit_memory(a, order);
  analysed_ = true;
}

void ShiftedFactor::fit_memory(const SparseMatrix& pattern,
                               const std::vector<std::int32_t>& order) {
  // columns of the basis and of blocks beside it when 20 modes are wanted, the usual number
  constexpr double kColumns = 2 * 108 + 40;
  const double vectors = sizeof(double) * kColumns * static_cast<double>(size());
  const double taken = resident_memory() + vectors;
  if (factor_->fit(*allowed_ - taken)) return;
  if (may_replace_) {
    if (std::unique_ptr<Factorisation> other = make_mumps_factorisation()) {
      factor_ = std::move(other);
      factor_->analyse(pattern, order, group_);
      if (factor_->fit(*allowed_ - taken)) return;
    }
  }
  throw NumericalError(
      "needs-memory",
      fmt::format("the leanest factorisation takes {:.3g} GB, model and vectors {:.3g} GB, "
                  "together more than the {:.3g} GB allowed",
                  factor_->memory() / kGigabyte,
                  taken / kGigabyte,
                  *allowed_ / kGigabyte),
      {},
      "allow more (--memory), or spread it: mpiexec -n 4 femflex ... --distributed");
}

/// Memory of this process with a basis of so many vectors [byte].
double ShiftedFactor::memory_with_basis(Eigen::Index columns) const {
  constexpr double kBytes = 2.0 * sizeof(double);  // V and M V
  return resident_memory() + kBytes * static_cast<double>(columns) * static_cast<double>(size());
}

bool ShiftedFactor::has_room_for_basis(Eigen::Index columns) const {
  return !allowed_ || memory_with_basis(columns) <= *allowed_;
}

std::unique_ptr<LanczosBasis> ShiftedFactor::make_basis(Eigen::Index columns) const {
  const double needed = memory_with_basis(columns);
  if (allowed_ && needed > *allowed_)
    throw NumericalError("needs-memory",
                         fmt::format("a basis of {} vectors of {} DOFs takes this process to "
                                     "{:.3g} GB, more than the {:.3g} GB allowed",
                                     columns,
                                     size(),
                                     needed / kGigabyte,
                                     *allowed_ / kGigabyte),
                         {},
                         "request fewer modes, or allow more (--memory)");
  return factor_->make_basis(size(), columns, threads_);
}

void ShiftedFactor::analyse_once() {
  if (analysed_) return;
  const auto start = std::chrono::steady_clock::now();
  analyse();
  seconds_order_ += seconds_since(start);
}

bool ShiftedFactor::at(double sigma) {
  if (holds_ && sigma == sigma_) return good_;
  analyse_once();
  const auto start = std::chrono::steady_clock::now();
  is_rough_ = false;
  good_ = factor_->factor(K_, sigma, M_);
  holds_ = true;
  sigma_ = sigma;
  if (good_ && factor_->inertia().zero > 0) good_ = false;
  seconds_factor_ += seconds_since(start);
  return good_;
}

bool ShiftedFactor::suits_single(std::int64_t pairs, Eigen::Index vectors) {
  // Operations per square of the size: 5 and more on bulky parts, far below 1 on thin walls, where
  // single precision cannot separate the modes.
  constexpr double kBulky = 5.0;
  // Operations per entry of the factor and column, from which on the time saved by a factor in
  // single precision is above that of more columns; as measured, as many as pairs and
  // kFurtherColumns, and more with more pairs, whose products with each other take time as well.
  constexpr double kPerColumn = 27.0;
  constexpr double kFurtherColumns = 20.0;
  constexpr double kManyPairs = 40.0;  // pairs with which the time of a column has doubled
  if (holds_ || allowed_ || !factor_->computes_in_single()) return false;
  analyse_once();
  const auto n = static_cast<double>(size());
  const double many = static_cast<double>(pairs) / kManyPairs;
  const double columns = (static_cast<double>(pairs) + kFurtherColumns) * (1.0 + many * many);
  const double saved = 0.5 * factor_->memory();
  return factor_->flops() > kBulky * n * n &&
         factor_->flops() > kPerColumn * columns * static_cast<double>(factor_->entries()) &&
         sizeof(double) * n * static_cast<double>(vectors) < saved;
}

std::optional<double> ShiftedFactor::single_shift() const {
  // share of the middle k_ii / m_ii: well above round-off of single precision, below the modes of a
  // bulky part
  constexpr double kOfMiddle = 1e-5;
  const std::optional<double> middle = middle_ratio(K_, M_);
  if (!middle) return std::nullopt;
  return -kOfMiddle * *middle;
}

bool ShiftedFactor::at_in_single(double sigma) {
  if (is_rough_ && sigma == sigma_) return true;
  analyse_once();
  const auto start = std::chrono::steady_clock::now();
  holds_ = false;
  is_rough_ = false;
  sigma_ = sigma;
  is_rough_ = factor_->factor_in_single(K_, sigma_, M_) && factor_->inertia().zero == 0 &&
              signs_are_proven();
  seconds_factor_ += seconds_since(start);
  return is_rough_;
}

bool ShiftedFactor::at_single_shift() {
  const std::optional<double> shift = single_shift();
  return shift && at_in_single(*shift) && factor_->inertia().negative == 0;
}

/// Factors K - sigma M for the signs of its pivots; false if it is singular.
bool ShiftedFactor::signs_at(double sigma, double distance) {
  if (holds_ && sigma == sigma_) return good_;
  if (suits_count_in_single(distance) && at_in_single(sigma)) return true;
  analyse_once();
  const auto start = std::chrono::steady_clock::now();
  holds_ = false;
  is_rough_ = false;
  sigma_ = sigma;
  good_ = factor_->factor_plainly(K_, sigma, M_);
  bool is_exact = true;
  if (good_ && factor_->has_lost_digits()) {
    is_exact = !signs_are_proven();
    if (is_exact) good_ = factor_->pivot(K_, sigma, M_);
  }
  if (good_ && factor_->inertia().zero > 0) good_ = false;
  holds_ = is_exact;
  seconds_factor_ += seconds_since(start);
  return good_;
}

/// True if a factor in single precision, which takes half the time, is likely to have proven signs
/// at this distance from the nearest eigenvalue.
bool ShiftedFactor::suits_count_in_single(double distance) const {
  // Round-off changes eigenvalues by about this share of the middle k_ii / m_ii; the proof needs
  // it below half of the distance, and the estimate may be wrong by a factor of ten.
  constexpr double kSingleRoundOff = 6e-8;
  constexpr double kOfDistance = 0.05;
  if (!(distance > 0.0)) return false;
  const std::optional<double> middle = middle_ratio(K_, M_);
  return middle && kSingleRoundOff * *middle <= kOfDistance * distance;
}

/// True if the factor F = A + E of A = K - sigma M, whose error E is too large for solutions, has
/// as many negative pivots as A has negative eigenvalues: if the spectral radius of F^-1 E is below
/// one, no matrix F - s E, 0 <= s <= 1, is singular, and so no eigenvalue changes its sign between
/// F and A. The radius is that by which iterative refinement, z <- z - F^-1 A z = F^-1 E z,
/// shrinks an error z. docs/theory/modal.md eq. (43).
bool ShiftedFactor::signs_are_proven() const {
  // Errors near sigma grow most, so the vectors start among the modes there: F^-1 M times random
  // ones, as many as one sweep over the factor takes.
  constexpr Eigen::Index kErrors = 8;
  // Three rounds are enough if each shrinks every z to a tenth at least. A slower rate comes close
  // to the radius only after more rounds; a half in each of eight is still far below one.
  constexpr int kRounds = 3, kMostRounds = 8;
  constexpr double kShrinks = 0.1, kShrinksSlowly = 0.5;
  // errors of a matrix with such an eigenvalue would be the largest part of each z, so that one
  // round in which every z shrinks that far is enough
  constexpr double kShrinksAtOnce = 1e-3;
  constexpr unsigned kSeed = 5;  // any number would do
  std::mt19937 random(kSeed);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  Eigen::MatrixXd z(size(), kErrors);
  for (double& value : z.reshaped())
    value = uniform(random);
  z = symmetric_product(M_, z, threads_);
  factor_->solve(z);
  Correction correct(*this);
  double slowest = 0.0;
  for (int round = 0; round < (slowest > kShrinks ? kMostRounds : kRounds); ++round) {
    const Eigen::VectorXd before = z.colwise().norm();
    Eigen::MatrixXd change = Eigen::MatrixXd::Zero(size(), kErrors);
    correct(z, change);
    z += change;
    double left = 0.0;
    for (Eigen::Index j = 0; j < kErrors; ++j) {
      const double share = z.col(j).norm() / before(j);
      if (!(share <= kShrinksSlowly)) return false;
      left = std::max(left, share);
    }
    if (left <= kShrinksAtOnce) break;
    slowest = std::max(slowest, left);
  }
  return true;
}

std::int64_t ShiftedFactor::count_below(double sigma, double distance) {
  // A shift that coincides with an eigenvalue to within round-off is moved slightly: by far more
  // than round-off, far less than the distance of eigenvalues that matter.
  constexpr double kRelativeMove = 1e-9;
  constexpr int kMaxShifts = 4;
  for (int attempt = 0; attempt < kMaxShifts; ++attempt) {
    if (signs_at(sigma, distance)) return factor_->inertia().negative;
    sigma += kRelativeMove * std::abs(sigma);
  }
  throw NumericalError("singular",
                       "the eigenvalue count met a singular matrix at every shift tried");
}

double ShiftedFactor::negative_shift() const {
  // Far below the elastic eigenvalues of any mesh, relative to the middle k_ii / m_ii, but well
  // above what the rounding of K leaves of rigid eigenvalues.
  constexpr double kOfMiddle = 1e-9;
  constexpr double kOfNoise = 30.0;
  const std::optional<double> middle = middle_ratio(K_, M_);
  if (!middle) return -further_;
  return -further_ * std::max(kOfMiddle * *middle, kOfNoise * rigid_noise_);
}

bool ShiftedFactor::at_negative_shift() {
  constexpr double kRoundOff = 1e-10;  // relative to the largest k_ii / m_ii
  constexpr double kStep = 30.0;       // of the shift, from one attempt to the next
  const std::vector<double> ratio = ratios(K_, M_);
  const double lowest =
      ratio.empty() ? 0.0 : -kRoundOff * *std::max_element(ratio.begin(), ratio.end());
  while (true) {
    const double shift = negative_shift();
    if (at(shift) && inertia().negative == 0) return true;
    if (shift <= lowest) return false;
    further_ *= kStep;
  }
}

void ShiftedFactor::allow_for_rigid_noise(const Eigen::MatrixXd& rigid) {
  if (rigid.cols() > 0) rigid_noise_ = project(K_, rigid).norm();
}

}  // namespace femflex::modal
