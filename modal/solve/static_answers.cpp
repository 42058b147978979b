#include "solve/static_answers.h"

#include <cmath>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "dense/symmetric_eigen.h"
#include "solve/normal_modes.h"
#include "solve/projection.h"

namespace femflex::modal {
namespace {

[[noreturn]] void throw_mechanism(const ShiftedFactor& factor,
                                  const FeModel& model,
                                  const std::vector<std::int64_t>& rows) {
  std::vector<std::int64_t> loose;
  for (const std::int64_t unknown : mechanism_unknowns(factor.K(), factor.group()))
    loose.push_back(rows[static_cast<std::size_t>(unknown)]);
  throw NumericalError(
      "mechanism",
      loose.empty() ? std::string("K is singular: the part can move without strain")
                    : fmt::format("K is singular: nothing holds {}", name_freedoms(model, loose)),
      {},
      "hold the part (interface nodes, constraints), or take free modes with "
      "attachment modes");
}

}  // namespace

void hold_stiffness(ShiftedFactor& factor,
                    const FeModel& model,
                    const std::vector<std::int64_t>& rows) {
  if (!factor.at(0.0)) throw_mechanism(factor, model, rows);
  if (factor.inertia().negative == 0) {
    // A pivot that should be zero may come out as round-off: a solution then cannot be trusted.
    Eigen::MatrixXd y = factor.K().diagonal();
    const Eigen::MatrixXd load = y;
    factor.solve(y);
    const double left = (symmetric_product(factor.K(), y) - load).norm();
    if (!(left <= 1e-6 * load.norm())) throw_mechanism(factor, model, rows);
    return;
  }
  const double shift = factor.negative_shift();
  const std::int64_t below = factor.count_below(shift);
  if (below == 0) throw_mechanism(factor, model, rows);  // negative only by round-off
  throw ModelError("indefinite-stiffness",
                   fmt::format("K is indefinite: {} eigenvalues lie below zero", below),
                   {},
                   "check the export: signs, units, and which triangle it holds");
}

Eigen::MatrixXd constraint_answers(const ShiftedFactor& factor, const Partition& part) {
  Eigen::MatrixXd psi = -Eigen::MatrixXd(part.K_ib);
  factor.solve(psi);
  return psi;
}

Eigen::MatrixXd elastic_answers(const ShiftedFactor& factor,
                                const Eigen::MatrixXd& rigid,
                                const Eigen::MatrixXd& f) {
  Eigen::MatrixXd load = f;
  Eigen::MatrixXd M_rigid;
  if (rigid.cols() > 0) {
    M_rigid = symmetric_product(factor.M(), rigid);
    add_product(load, M_rigid, transposed_product(rigid, f), -1.0);
  }
  Eigen::MatrixXd u = Eigen::MatrixXd::Zero(load.rows(), load.cols());
  Eigen::MatrixXd rest = load;
  double last = load.norm();
  const double goal = 1e-14 * last;
  for (int round = 0; round < 60; ++round) {
    factor.solve(rest);
    u += rest;
    if (rigid.cols() > 0) add_product(u, rigid, transposed_product(M_rigid, u), -1.0);
    const double step = rest.norm();
    if (step <= 1e-13 * u.norm()) return u;
    rest = load - symmetric_product(factor.K(), u);
    const double now = rest.norm();
    if (now <= goal || (round > 0 && now > 0.5 * last && now < 1e-8 * load.norm())) return u;
    if (round > 3 && now > 0.9 * last) break;
    last = now;
  }
  throw NumericalError("no-convergence",
                       "static answers of the floating part do not settle: the shift is not small "
                       "beside the first elastic eigenvalue",
                       {},
                       "give a smaller shift");
}

}  // namespace femflex::modal
