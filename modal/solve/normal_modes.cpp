#include "solve/normal_modes.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <utility>

#include <Eigen/Cholesky>
#include <fmt/format.h>

#include "femflex/errors.h"

#include "dense/symmetric_eigen.h"
#include "solve/block_lanczos.h"
#include "solve/dense_pairs.h"
#include "solve/polish.h"
#include "solve/projection.h"

namespace femflex::modal {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

void sort_pairs(Eigen::VectorXd& lambda, Eigen::MatrixXd& X) {
  std::vector<Eigen::Index> order(static_cast<std::size_t>(lambda.size()));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](Eigen::Index a, Eigen::Index b) {
    return lambda(a) < lambda(b);
  });
  lambda = lambda(order).eval();
  X = X(Eigen::all, order).eval();
}

/// The dense solver errs by round-off of the largest eigenvalue. For the lower half of the spectrum
/// (by orders of magnitude) one step with (K - sigma M)^-1 and a Rayleigh quotient,
/// lambda = sigma + x1' M x / x1' M x1, mend that.
void refine_low_pairs(ShiftedFactor& factor, Eigen::VectorXd& lambda, Eigen::MatrixXd& X) {
  if (lambda.size() == 0) return;
  double shift = 0.0;
  if (!factor.at(shift) || factor.inertia().negative > 0) {
    shift = factor.negative_shift();
    if (!factor.at(shift)) return;
  }
  const double lowest = std::max(lambda(0) - shift, 1e-16 * lambda(lambda.size() - 1));
  const double middle = std::sqrt(lowest * lambda(lambda.size() - 1));
  Eigen::Index low = 0;
  while (low < lambda.size() && lambda(low) - shift <= middle)
    ++low;
  if (low == 0) return;
  Eigen::MatrixXd next = symmetric_product(factor.M(), X.leftCols(low));
  const Eigen::MatrixXd MX = next;
  factor.solve(next);
  const Eigen::MatrixXd M_next = symmetric_product(factor.M(), next);
  for (Eigen::Index j = 0; j < low; ++j) {
    const double mass = next.col(j).dot(M_next.col(j));
    lambda(j) = shift + next.col(j).dot(MX.col(j)) / mass;
    X.col(j) = next.col(j) / std::sqrt(mass);
  }
  const Eigen::LLT<Eigen::MatrixXd> llt(project(factor.M(), X));
  if (llt.info() == Eigen::Success) llt.matrixU().solveInPlace<Eigen::OnTheRight>(X);
}

/// Joins pairs found later to those before.
void join(Eigen::VectorXd& lambda, Eigen::MatrixXd& X, const RitzPairs& more) {
  const Eigen::Index old = lambda.size();
  lambda.conservativeResize(old + more.lambda.size());
  lambda.tail(more.lambda.size()) = more.lambda;
  X.conservativeResize(Eigen::NoChange, old + more.X.cols());
  X.rightCols(more.X.cols()) = more.X;
}

/// The exact rigid modes instead of what a dense solver finds in their place. Further motions
/// without stiffness come mixed with them: what is left of those stays, as many as there were.
void put_in_rigid(const ShiftedFactor& factor, const Eigen::MatrixXd& rigid, NormalModes& modes) {
  Eigen::MatrixXd& X = modes.X;
  const Eigen::Index known = rigid.cols();
  X -= rigid * (rigid.transpose() * symmetric_product(factor.M(), X));
  const Eigen::VectorXd left =
      X.cwiseProduct(symmetric_product(factor.M(), X)).colwise().sum().transpose();
  Eigen::Index mixed = known;
  while (mixed < X.cols() && left(mixed) < 0.999)
    ++mixed;
  const DenseEigen gram = symmetric_eigen(project(factor.M(), X.leftCols(mixed)));
  X.middleCols(known, mixed - known) =
      (X.leftCols(mixed) * gram.vectors.rightCols(mixed - known)).eval();
  X.leftCols(known) = rigid;
  const Eigen::LLT<Eigen::MatrixXd> llt(project(factor.M(), X));
  if (llt.info() == Eigen::Success) llt.matrixU().solveInPlace<Eigen::OnTheRight>(X);
  X.leftCols(known) = rigid;
  modes.lambda.head(known).setZero();
  const Eigen::MatrixXd loose = X.middleCols(known, mixed - known);
  modes.lambda.segment(known, mixed - known) = project(factor.K(), loose).diagonal();
}

[[noreturn]] void too_many(std::int64_t asked, std::int64_t exist) {
  throw ModelError("too-many-modes",
                   fmt::format("{} normal modes asked for, but only {} exist", asked, exist),
                   {},
                   fmt::format("ask for at most {}", exist));
}

[[noreturn]] void indefinite(std::int64_t negative, double shift) {
  throw ModelError("indefinite",
                   fmt::format("K - sigma M has {} negative eigenvalues at sigma = {:.3g}: K or M "
                               "is indefinite, or the shift lies among the modes",
                               negative,
                               shift));
}

}  // namespace

NormalModes normal_modes(ShiftedFactor& factor,
                         const Eigen::MatrixXd& rigid,
                         const NormalRequest& request,
                         const SolveOptions& options,
                         Progress& progress) {
  NormalModes out;
  const Eigen::Index n = factor.size();
  const std::int64_t exist = freedoms_with_mass(factor.M());
  std::int64_t count = request.count;
  if (count > exist && !request.limit) too_many(count, exist);
  count = std::min(count, exist);  // with a limit, `count` is "at most so many"
  const std::int64_t known = rigid.cols();
  out.report.unknowns = n;
  out.report.backend = factor.backend();

  constexpr Eigen::Index most = 12000;  // three dense matrices of that order take 3.5 GB
  if (request.all && n > most)
    throw ModelError("too-many-modes",
                     fmt::format("all modes of {} freedoms are asked for", n),
                     {},
                     fmt::format("ask for a number of modes; all of them can be had up to {} "
                                 "freedoms",
                                 most));
  std::int64_t below_limit = -1;
  const bool is_dense_anyway =
      request.all || (n <= 64 && options.eigensolver == Eigensolver::automatic);
  if (request.limit && !is_dense_anyway) {
    const auto start = Clock::now();
    below_limit = factor.count_below(*request.limit);
    count = count > 0 ? std::min(count, below_limit) : below_limit;
    out.report.seconds_check += seconds_since(start);
  }
  const bool small = n <= 64 || (n <= 2500 && count > n / 4);
  if (request.all || (small && options.eigensolver == Eigensolver::automatic)) {
    const auto start = Clock::now();
    dense_pairs(factor.K(), factor.M(), out.lambda, out.X);
    if (const double shift = factor.negative_shift();
        out.lambda.size() > 0 && out.lambda(0) < shift)
      indefinite((out.lambda.array() < shift).count(), shift);
    if (request.all) count = out.lambda.size();
    if (request.limit) {
      std::int64_t below = 0;
      while (below < out.lambda.size() && out.lambda(below) <= *request.limit)
        ++below;
      count = count > 0 ? std::min(count, below) : below;
    }
    if (count > out.lambda.size()) too_many(count, out.lambda.size());
    out.lambda = out.lambda.head(count).eval();
    out.X = out.X.leftCols(count).eval();
    refine_low_pairs(factor, out.lambda, out.X);
    sort_pairs(out.lambda, out.X);
    out.report.eigensolver = "dense";
    out.report.sturm_expected = count;  // a dense solver returns all of them
    out.report.seconds_modes = seconds_since(start);
  } else {
    const std::int64_t wanted = std::max<std::int64_t>(0, count - known);
    double shift = options.shift ? *options.shift : 0.0;
    // K itself where it is definite: one factor serves modes and static answers alike.
    if (!options.shift && (known > 0 || !factor.at(0.0) || factor.inertia().negative > 0))
      shift = factor.negative_shift();
    if (!factor.at(shift))
      throw NumericalError("singular",
                           fmt::format("K - sigma M is singular at sigma = {:.6g}", shift),
                           {},
                           "give another shift");
    if (factor.inertia().negative > 0) indefinite(factor.inertia().negative, shift);
    out.report.shift = shift;
    out.report.factor_entries = factor.entries();
    out.report.factor_flops = factor.flops();
    auto start = Clock::now();
    const bool spectra = options.eigensolver == Eigensolver::spectra;
    out.report.eigensolver = spectra ? "spectra" : "block-lanczos";
    LanczosOptions lanczos;
    lanczos.block = options.block;
    lanczos.tolerance = std::min(1e-10, 0.1 * options.residual);
    out.lambda = Eigen::VectorXd::Zero(known);
    out.X = rigid;
    double next_above = 0.0;
    if (wanted > 0) {
      RitzPairs pairs = spectra ? spectra_lanczos(factor, count, lanczos.tolerance, progress)
                                : block_lanczos(factor, wanted, rigid, lanczos, progress);
      out.report.solves = pairs.solves;
      out.report.block = pairs.block;
      if (!pairs.converged)
        throw NumericalError("no-convergence",
                             fmt::format("{} of {} modes converged", pairs.lambda.size(), wanted),
                             {},
                             "ask for fewer modes, or a larger --block");
      if (spectra) {
        out.lambda = pairs.lambda;
        out.X = pairs.X;
      } else {
        join(out.lambda, out.X, pairs);
        next_above = pairs.next_above;
        if (pairs.exhausted && pairs.lambda.size() < wanted)
          too_many(count, known + pairs.lambda.size());
      }
    }
    sort_pairs(out.lambda, out.X);
    out.report.worst_residual = polish_pairs(
        factor, options.residual, std::min<Eigen::Index>(known, out.X.cols()), out.lambda, out.X);
    out.report.seconds_modes = seconds_since(start);

    if (options.sturm_check && out.lambda.size() > 0) {
      start = Clock::now();
      for (int round = 0; round < 8; ++round) {
        const double last = out.lambda(std::min<Eigen::Index>(count, out.lambda.size()) - 1);
        const double hair = std::max(1e-7 * (last - shift), 1e-3 * std::abs(shift));
        double at = next_above > last + 2.0 * hair ? 0.5 * (last + next_above) : last + hair;
        if (request.limit && below_limit == out.lambda.size()) break;  // counted already
        if (factor.size() == out.lambda.size()) break;
        const std::int64_t below = factor.count_below(at);
        const auto found = static_cast<std::int64_t>((out.lambda.array() < at).count());
        out.report.sturm_expected = below;
        if (below <= found) {
          if (below < found)
            throw NumericalError(
                "sturm",
                fmt::format(
                    "{} eigenvalues found below {:.9g}, but there are {}", found, at, below));
          break;
        }
        // Some were missed: copies of multiple eigenvalues, mostly.
        factor.at(shift);
        lanczos.seed += 7;
        next_above = 0.0;
        RitzPairs more = block_lanczos(factor, below - found, out.X, lanczos, progress);
        if (!more.converged || more.lambda.size() == 0)
          throw NumericalError(
              "sturm",
              fmt::format("{} of {} eigenvalues below {:.9g} not found", below - found, below, at));
        join(out.lambda, out.X, more);
        sort_pairs(out.lambda, out.X);
        out.report.worst_residual = polish_pairs(
            factor, options.residual, std::min(known, out.X.cols()), out.lambda, out.X);
      }
      if (request.limit && below_limit == out.lambda.size())
        out.report.sturm_expected = below_limit;
      out.report.seconds_check += seconds_since(start);
    }
    const Eigen::Index keep = std::min<Eigen::Index>(count, out.lambda.size());
    out.lambda.conservativeResize(keep);
    out.X.conservativeResize(Eigen::NoChange, keep);
  }
  if (out.report.eigensolver == "dense" && known > 0 && out.lambda.size() >= known) {
    put_in_rigid(factor, rigid, out);
  }
  out.report.rigid_modes = std::min<std::int64_t>(known, out.lambda.size());
  const Eigen::Index elastic = out.lambda.size() - out.report.rigid_modes;
  if (out.report.eigensolver == "dense")
    out.report.worst_residual =
        worst_residual(factor.K(), factor.M(), out.lambda.tail(elastic), out.X.rightCols(elastic));
  out.report.seconds_order = factor.seconds_order();
  out.report.seconds_factor = factor.seconds_factor();
  // The sign is nobody's: largest entry positive, so that results repeat.
  for (Eigen::Index j = out.report.rigid_modes; j < out.X.cols(); ++j) {
    Eigen::Index row = 0;
    out.X.col(j).cwiseAbs().maxCoeff(&row);
    if (out.X(row, j) < 0.0) out.X.col(j) *= -1.0;
  }
  return out;
}

}  // namespace femflex::modal
