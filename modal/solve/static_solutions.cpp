// Solves K u = f by factoring K, or for a floating model by iterative refinement with a
// factorisation of K - sigma M, until every load case has converged.
#include "solve/static_solutions.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/index.h"

#include "dense/symmetric_eigen.h"
#include "solve/mechanisms.h"
#include "solve/projection.h"

namespace femflex::modal {
namespace {

/// True if the residual of u is only round-off of u and of K u, so that further rounds cannot
/// reduce it.
/// @param magnitudes  of the entries of K
bool is_round_off(const SparseMatrix& magnitudes,
                  const Eigen::Ref<const Eigen::VectorXd>& u,
                  double residual) {
  constexpr double kDigits = 10.0;  // units of the last digit of |K| |u|; a fine mesh leaves 1.5
  const double forces = symmetric_product(magnitudes, u.cwiseAbs()).norm();
  return residual <= kDigits * std::numeric_limits<double>::epsilon() * forces;
}

/// The refinement of one load case: the norms that judge() compares from round to round.
struct LoadCase {
  enum class State { open, converged, stuck };

  Eigen::Index column = 0;
  double load = 0.0;           // |load|
  double previous = 0.0;       // |residual| of the previous round
  double previous_step = 0.0;  // |step| of the previous round

  /// Decides after a round. The forces left over stop falling at round-off while u still gains
  /// digits in its softest motions, whose error shrinks by |shift| / (lambda + |shift|) a round.
  /// From there on the steps decide.
  /// @param displacement  |u|
  /// @param is_rounding   called without arguments: whether the residual is round-off
  template <class IsRounding>
  State judge(
      int round, double step, double displacement, double residual, const IsRounding& is_rounding) {
    // converged when |step| / |u| is below this: a few last digits
    constexpr double kStepGoal = 1e-13;
    constexpr double kResidualGoal = 1e-14;  // converged when |residual| / |load| is below this
    // Largest |residual| of a round relative to the previous one. Above it the round gains less
    // than a bit, so another round gains nothing.
    constexpr double kStagnation = 0.5;
    // relative accuracy from which such a round is the last one
    constexpr double kStagnationAccuracy = 1e-8;
    // |residual| of a round divided by that of the previous round, above which the refinement gives
    // up
    constexpr double kNoContraction = 0.9;
    constexpr int kFirstRounds = 3;  // number of first rounds, which may contract slowly
    const bool stagnates =
        round > 0 && residual > kStagnation * previous && residual < kStagnationAccuracy * load;
    if (step <= kStepGoal * displacement || residual <= kResidualGoal * load || stagnates)
      return State::converged;
    if (round > kFirstRounds && residual > kNoContraction * previous) {
      const bool contracts = step < kNoContraction * previous_step;
      const bool is_close = step <= kStagnationAccuracy * displacement;
      if (!is_rounding()) return State::stuck;
      if (is_close || !contracts) return State::converged;
    }
    previous = residual;
    previous_step = step;
    return State::open;
  }
};

/// The loads f less the inertia forces of the rigid motion that they cause.
Eigen::MatrixXd elastic_loads(const Eigen::MatrixXd& f,
                              const Eigen::MatrixXd& rigid,
                              const Eigen::MatrixXd& M_rigid) {
  // largest |elastic share| / |f| of a load that only accelerates the component
  constexpr double kRigidLoad = 1e-12;
  Eigen::MatrixXd out = f;
  if (rigid.cols() == 0) return out;
  add_product(out, M_rigid, transposed_product(rigid, f), -1.0);
  for (Eigen::Index j = 0; j < out.cols(); ++j)  // loads without an elastic solution
    if (out.col(j).norm() < kRigidLoad * f.col(j).norm()) out.col(j).setZero();
  return out;
}

/// The displacements u of elastic_solutions(); nullopt if the refinement of a load case does not
/// contract.
std::optional<Eigen::MatrixXd> refined_solution(const ShiftedFactor& factor,
                                                const Eigen::MatrixXd& rigid,
                                                const Eigen::MatrixXd& f) {
  constexpr int kMaxRounds = 300;  // the slowest contraction accepted: 0.9^300 = 2e-14
  const bool is_floating = rigid.cols() > 0;
  const Eigen::MatrixXd M_rigid =
      is_floating ? symmetric_product(factor.M(), rigid) : Eigen::MatrixXd();
  Eigen::MatrixXd load = elastic_loads(f, rigid, M_rigid);
  Eigen::MatrixXd solution(load.rows(), load.cols());
  std::vector<LoadCase> open(at(load.cols()));
  for (Eigen::Index j = 0; j < load.cols(); ++j) {
    const double size = load.col(j).norm();
    open[at(j)] = {j, size, size, 0.0};
  }
  Eigen::MatrixXd u = Eigen::MatrixXd::Zero(load.rows(), load.cols());  // of the open load cases
  Eigen::MatrixXd residual = load;
  SparseMatrix magnitudes;  // of K, made when first needed
  for (int round = 0; round < kMaxRounds && !open.empty(); ++round) {
    factor.solve(residual);
    u += residual;
    if (is_floating) add_product(u, rigid, transposed_product(M_rigid, u), -1.0);
    const Eigen::VectorXd step = residual.colwise().norm();
    residual = load - symmetric_product(factor.K(), u);
    // a K with few digits resists rigid motion slightly, which is not part of the solution
    if (is_floating) add_product(residual, M_rigid, transposed_product(rigid, residual), -1.0);
    std::vector<Eigen::Index> still;
    for (Eigen::Index j = 0; j < u.cols(); ++j) {
      const double now = residual.col(j).norm();
      const auto is_rounding = [&] {
        if (magnitudes.size() == 0) magnitudes = factor.K().cwiseAbs();
        return is_round_off(magnitudes, u.col(j), now);
      };
      LoadCase& each = open[at(j)];
      const LoadCase::State state = each.judge(round, step(j), u.col(j).norm(), now, is_rounding);
      if (state == LoadCase::State::stuck) return std::nullopt;
      if (state == LoadCase::State::open)
        still.push_back(j);
      else
        solution.col(each.column) = u.col(j);
    }
    if (still.size() == open.size()) continue;
    std::vector<LoadCase> next;
    for (const Eigen::Index j : still)
      next.push_back(open[at(j)]);
    open = std::move(next);
    for (Eigen::MatrixXd* each : {&u, &residual, &load})
      *each = Eigen::MatrixXd((*each)(Eigen::all, still));
  }
  if (!open.empty()) return std::nullopt;
  return solution;
}

[[noreturn]] void throw_indefinite(std::int64_t negative) {
  throw ModelError("indefinite-stiffness",
                   fmt::format("K is indefinite: {} eigenvalues lie below zero", negative),
                   {},
                   "check the export: signs, units, and which triangle it holds");
}

}  // namespace

void factor_stiffness(ShiftedFactor& factor, const NamedUnknowns& names) {
  if (factor.size() == 0) return;
  if (!factor.at(0.0)) throw_mechanism(factor, names);
  if (factor.inertia().negative == 0) {
    // A pivot that should be zero may be round-off instead. The solution is then wrong and leaves
    // a residual far larger than after a sound factorisation.
    constexpr double kTrusted = 1e-6;
    Eigen::MatrixXd u = factor.K().diagonal();
    const Eigen::MatrixXd load = u;
    factor.solve(u);
    const double left = (symmetric_product(factor.K(), u) - load).norm();
    if (!(left <= kTrusted * load.norm())) throw_mechanism(factor, names);
    return;
  }
  const double shift = factor.negative_shift();
  const std::int64_t below = factor.count_below(shift);
  if (below == 0) throw_mechanism(factor, names);  // negative by round-off only
  throw_indefinite(below);
}

void factor_shifted_stiffness(ShiftedFactor& factor, const NamedUnknowns& names) {
  if (factor.at_negative_shift()) return;
  if (factor.at(factor.negative_shift()) && factor.inertia().negative > 0)
    throw_indefinite(factor.inertia().negative);
  throw_mechanism(factor, names);
}

Eigen::MatrixXd constraint_modes(const ShiftedFactor& factor, const Partition& part) {
  Eigen::MatrixXd psi = -Eigen::MatrixXd(part.K_ib);
  factor.solve(psi);
  return psi;
}

Eigen::MatrixXd elastic_solutions(const ShiftedFactor& factor,
                                  const NamedUnknowns& names,
                                  const Eigen::MatrixXd& rigid,
                                  const Eigen::MatrixXd& f) {
  if (!f.allFinite())
    throw ModelError("not-finite", "a load of a static solution is not a finite number");
  // Loads of one size, so that neither tiny nor huge ones leave the range of numbers. Powers of two
  // change no digit.
  constexpr int kMostPower = 1000;  // its inverse is in the range, too
  Eigen::VectorXd size = Eigen::VectorXd::Ones(f.cols());
  for (Eigen::Index j = 0; j < f.cols(); ++j)
    if (const double most = f.col(j).lpNorm<Eigen::Infinity>(); most > 0.0)
      size(j) = std::ldexp(1.0, std::clamp(std::ilogb(most), -kMostPower, kMostPower));
  const Eigen::MatrixXd loads = f * size.cwiseInverse().asDiagonal();
  if (std::optional<Eigen::MatrixXd> u = refined_solution(factor, rigid, loads))
    return *u * size.asDiagonal();
  if (!mechanism_unknowns(factor.K(), factor.group(), rigid).empty())
    throw_mechanism(factor, names);
  if (rigid.cols() == 0)
    throw NumericalError("no-convergence",
                         "static solutions do not converge: the digits of K are too few for the "
                         "ratio of its largest to its smallest stiffness",
                         {},
                         "look for elements of extreme stiffness");
  throw NumericalError("no-convergence",
                       "static solutions of the floating part do not converge: the shift is not "
                       "small compared with the first elastic eigenvalue",
                       {},
                       "give a smaller shift");
}

}  // namespace femflex::modal
