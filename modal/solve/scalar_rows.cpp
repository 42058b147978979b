// Solves the equations of the scalar points of a model for given motions of its nodes, first as at
// rest, then, where the mass of a column shows that it moves otherwise, at its eigenvalue.
#include "solve/scalar_rows.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "solve/projection.h"

namespace femflex::modal {
namespace {

constexpr Eigen::Index kBlock = 16;  // columns at once, so that large models need no second copy

/// The rows and columns `chosen`, in ascending order, of a matrix stored by its lower triangle.
SparseMatrix square_of(const SparseMatrix& A, const std::vector<std::int64_t>& chosen) {
  std::vector<std::int64_t> place(static_cast<std::size_t>(A.rows()), -1);
  for (std::size_t k = 0; k < chosen.size(); ++k)
    place[static_cast<std::size_t>(chosen[k])] = static_cast<std::int64_t>(k);
  std::vector<Entry> entries;
  for (const std::int64_t col : chosen)
    for (SparseMatrix::InnerIterator it(A, col); it; ++it)
      if (const std::int64_t row = place[static_cast<std::size_t>(it.row())]; row >= 0)
        entries.push_back({row, place[static_cast<std::size_t>(col)], it.value()});
  const auto size = static_cast<std::int64_t>(chosen.size());
  return assemble(size, size, entries);
}

}  // namespace

bool has_scalar_points(const FeModel& model) {
  for (std::int64_t row = 0; row < model.dofs.size(); ++row)
    if (model.dofs[row].component == 0) return true;
  return false;
}

ScalarRows::ScalarRows(const FeModel& model) {
  if (!has_scalar_points(model) || !model.stiffness || !model.mass) return;
  Diagnostics repeated_warnings;  // the reduction has given these warnings
  system_ = build_system(model, repeated_warnings);
  for (std::int64_t unknown = 0; unknown < system_.size(); ++unknown)
    if (model.dofs[system_.row_of[static_cast<std::size_t>(unknown)]].component == 0) {
      inner_.push_back(unknown);
      group_.push_back(system_.group[static_cast<std::size_t>(unknown)]);
    }
  for (std::int64_t row = 0; row < model.dofs.size(); ++row)
    if (model.dofs[row].component == 0 && (system_.unknown_of[static_cast<std::size_t>(row)] >= 0 ||
                                           system_.tied[static_cast<std::size_t>(row)]))
      scalar_rows_.push_back(row);
  if (inner_.empty()) return;
  K_ii_ = square_of(system_.K, inner_);
  M_ii_ = square_of(system_.M, inner_);
  factor_.emplace(K_ii_, M_ii_, group_, SolveOptions{});
}

/// Solves for the scalar points of `x`, in which they are zero, at the shift of the factor.
void ScalarRows::solve_inner(Eigen::MatrixXd& x) const {
  const double sigma = factor_->sigma();
  Eigen::MatrixXd force = symmetric_product(system_.K, x);
  if (sigma != 0.0) force -= sigma * symmetric_product(system_.M, x);
  Eigen::MatrixXd x_i = -force(inner_, Eigen::all);
  factor_->solve(x_i);
  x(inner_, Eigen::all) = x_i;
}

Eigen::VectorXd ScalarRows::mass_of(const Eigen::MatrixXd& x) const {
  return x.cwiseProduct(symmetric_product(system_.M, x)).colwise().sum().transpose();
}

/// Puts the scalar points of `x` into the columns of `u` from `first` on.
void ScalarRows::put(const Eigen::MatrixXd& x, Eigen::Index first, Eigen::MatrixXd& u) const {
  const Eigen::MatrixXd all = system_.expand(x);
  u.middleCols(first, x.cols())(scalar_rows_, Eigen::all) = all(scalar_rows_, Eigen::all);
}

Eigen::VectorXd ScalarRows::fill(Eigen::MatrixXd& u,
                                 const Eigen::VectorXd& lambda,
                                 const Eigen::VectorXd& mass) {
  if (empty() || u.cols() == 0) return Eigen::VectorXd::Zero(u.cols());
  u(scalar_rows_, Eigen::all).setZero();
  const bool is_solved = !factor_ || factor_->at(0.0) || factor_->at_negative_shift();
  Eigen::VectorXd error(u.cols());  // of the mass
  for (Eigen::Index first = 0; first < u.cols(); first += kBlock) {
    const Eigen::Index count = std::min(kBlock, u.cols() - first);
    Eigen::MatrixXd x = system_.restrict_shape(u.middleCols(first, count));
    if (factor_ && is_solved) solve_inner(x);
    put(x, first, u);
    error.segment(first, count) = (mass_of(x) - mass.segment(first, count)).cwiseAbs();
  }
  if (factor_) fill_modes(u, lambda, mass, error);
  return error.cwiseQuotient(mass);
}

/// Solves again, at their eigenvalue, for the columns whose mass is wrong.
void ScalarRows::fill_modes(Eigen::MatrixXd& u,
                            const Eigen::VectorXd& lambda,
                            const Eigen::VectorXd& mass,
                            Eigen::VectorXd& error) {
  constexpr double kSameMass = 1e-5;  // relative; shapes with seven digits explain as much
  constexpr std::size_t kMostFactorisations = 60;  // the lowest modes come first
  std::vector<Eigen::Index> columns;
  for (Eigen::Index j = 0; j < u.cols(); ++j)
    if (lambda(j) > 0.0 && error(j) > kSameMass * mass(j)) columns.push_back(j);
  std::sort(columns.begin(), columns.end(), [&](Eigen::Index a, Eigen::Index b) {
    return lambda(a) < lambda(b);
  });
  if (columns.size() > kMostFactorisations) columns.resize(kMostFactorisations);
  for (const Eigen::Index j : columns) {
    if (!factor_->at(lambda(j))) continue;
    Eigen::MatrixXd x = system_.restrict_shape(u.col(j));
    x(inner_, Eigen::all).setZero();
    solve_inner(x);
    const double now = std::abs(mass_of(x)(0) - mass(j));
    if (!(now < error(j))) continue;
    put(x, j, u);
    error(j) = now;
  }
}

void warn_of_scalar_points(const FeModel& model,
                           const Eigen::MatrixXd& shapes,
                           const Eigen::VectorXd& hz,
                           double last_hz,
                           double limit,
                           Diagnostics& diagnostics) {
  constexpr double kSmallest = 1e-3;  // below it the MAC hardly changes
  limit = std::max(limit, kSmallest);
  if (!has_scalar_points(model)) return;
  Eigen::Index reported = 0, worst = 0;
  double largest = 0.0;
  for (Eigen::Index j = 0; j < shapes.cols(); ++j) {
    if (!(hz(j) <= last_hz)) continue;
    const Eigen::VectorXd shape = shapes.col(j);
    const double error = std::abs(shape.dot(symmetric_product(*model.mass, shape).col(0)) - 1.0);
    if (!(error > limit)) continue;
    ++reported;
    if (error > largest) worst = j;
    largest = std::max(largest, error);
  }
  if (reported > 0)
    diagnostics.warn(
        "scalar-points",
        fmt::format("in {} modes the motion of scalar points does not follow from the nodes, and a "
                    "body holds nodes only: the mode at {:.6g} Hz lacks {:.2g} % of its mass, and "
                    "its MAC is uncertain by as much",
                    reported,
                    hz(worst),
                    100.0 * largest));
}

}  // namespace femflex::modal
