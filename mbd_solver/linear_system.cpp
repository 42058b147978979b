// linear_system(): A from the linearised equations, B from the loads of the inputs, C and D by
// differences of the channels, with the accelerations of each moved state.
#include "femflex/mbd_solver/linear_system.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "femflex/dense.h"
#include "femflex/errors.h"
#include "femflex/mbd_solver/linearise.h"

#include "integrators/first_rates.h"
#include "integrators/free_stiffness.h"
#include "integrators/linear_guests.h"
#include "integrators/linear_inputs.h"
#include "integrators/neighbourhood.h"
#include "integrators/run_start.h"

namespace femflex::mbd_solver {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// loads along free motions below this share of all loads are round-off
constexpr double kNoLoad = 1e-6;

/// Removes motions that neither the system nor the inputs load, for example along a road if the
/// wheels are only vertical springs. Such motions do not depend on the inputs.
/// @param loads  loads of the inputs, on the velocity coordinates
/// @param first  loads at a state at rest; empty in motion
void leave_out_free_motions(const MatrixXd& loads,
                            const VectorXd& first,
                            Linearisation& linear,
                            Diagnostics& diagnostics) {
  const Index free = std::count_if(
      linear.modes.begin(), linear.modes.end(), [](const SystemMode& m) { return m.is_free; });
  const Index n = linear.mass.rows();
  if (free == 0 || free == n) return;
  // directions U with U'K = 0, in coordinates of unit mass: the last columns of Q in K P = Q R
  const VectorXd scale = linear.mass.diagonal().cwiseSqrt().cwiseInverse();
  const MatrixXd unit = scale.asDiagonal() * linear.stiffness * scale.asDiagonal();
  const Eigen::ColPivHouseholderQR<MatrixXd> stiffness(unit);
  const MatrixXd Q = stiffness.householderQ() * MatrixXd::Identity(n, n);
  const MatrixXd U = scale.asDiagonal() * Q.rightCols(free);
  const MatrixXd along = scale.asDiagonal() * (linear.free_directions.transpose() * loads);
  const MatrixXd free_along = Q.rightCols(free).transpose() * along;
  if (free_along.norm() > kNoLoad * along.norm()) return;
  if (first.size() > 0) {
    const MatrixXd W = linear.free_directions * scale.asDiagonal() * Q.rightCols(free);
    if (is_unbalanced(W.transpose() * first, W.cwiseAbs().transpose() * first.cwiseAbs())) return;
  }
  const MatrixXd conserved = (U.transpose() * linear.mass).transpose();
  const Eigen::HouseholderQR<MatrixXd> qr(conserved);
  const MatrixXd all = qr.householderQ() * MatrixXd::Identity(n, n);
  const MatrixXd Y = all.rightCols(n - free);
  linear.mass = Y.transpose() * linear.mass * Y;
  linear.damping = Y.transpose() * linear.damping * Y;
  linear.stiffness = Y.transpose() * linear.stiffness * Y;
  linear.free_directions = linear.free_directions * Y;
  linear.turning = linear.turning * Y;
  linear.force_by_states = Y.transpose() * linear.force_by_states;
  linear.rates_by_position = linear.rates_by_position * Y;
  linear.rates_by_velocity = linear.rates_by_velocity * Y;
  diagnostics.warn("free-motions",
                   fmt::format("{} {} that nothing loads, the inputs neither, {} left out of A, B, "
                               "C and D",
                               free,
                               free == 1 ? "motion" : "motions",
                               free == 1 ? "is" : "are"));
}

/// Modes of the symmetric parts of stiffness and mass, with unit mass, as columns.
MatrixXd unit_modes(const Linearisation& linear) {
  if (linear.mass.rows() == 0) return linear.mass;
  const MatrixXd K = 0.5 * (linear.stiffness + linear.stiffness.transpose());
  const MatrixXd M = 0.5 * (linear.mass + linear.mass.transpose());
  return Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd>(K, M).eigenvectors();
}

std::vector<std::string> names_of_states(const Model& model, Index modes) {
  std::vector<std::string> out;
  for (Index k = 1; k <= modes; ++k)
    out.push_back(fmt::format("mode/{}", k));
  for (Index k = 1; k <= modes; ++k)
    out.push_back(fmt::format("mode/{}/rate", k));
  for (const BlockModel& block : model.network.blocks)
    for (int k = 1; k <= block.state_count; ++k)
      out.push_back(fmt::format("{}/state/{}", block.name, k));
  for (const ForceModel& force : model.forces)
    for (int k = 1; k <= force.base().state_count; ++k)
      out.push_back(fmt::format("{}/state/{}", force.name, k));
  return out;
}

/// Matrix A of x'' = -V'K V x - V'C V x' - V'F z, with V'M V = 1; z are the force states.
MatrixXd matrix_of(const Linearisation& linear, const MatrixXd& V) {
  const Index f = V.cols(), ns = linear.rates_by_states.rows();
  MatrixXd A = MatrixXd::Zero(2 * f + ns, 2 * f + ns);
  A.block(0, f, f, f).setIdentity();
  A.block(f, 0, f, f) = -(V.transpose() * linear.stiffness * V);
  A.block(f, f, f, f) = -(V.transpose() * linear.damping * V);
  if (ns == 0) return A;
  A.block(f, 2 * f, f, ns) = -(V.transpose() * linear.force_by_states);
  A.block(2 * f, 0, ns, f) = linear.rates_by_position * V;
  A.block(2 * f, f, ns, f) = linear.rates_by_velocity * V;
  A.block(2 * f, 2 * f, ns, ns) = linear.rates_by_states;
  return A;
}

/// Matrix C: derivatives of the channels by coordinates, rates and states.
MatrixXd outputs_of(const Model& model,
                    const MatrixXd& N,
                    const MatrixXd& turning,
                    Neighbourhood& near) {
  const Index f = N.cols(), ns = model.state_count;
  MatrixXd C(static_cast<Index>(model.outputs.probes.size()), 2 * f + ns);
  const VectorXd units = units_of(model);
  for (Index i = 0; i < 2 * f + ns; ++i) {
    const auto along = [&](double s) {
      SmallMove by = near.none();
      if (i < f) {
        by.coordinates = s * N.col(i);
        by.rates = s * turning.col(i);
      } else if (i < 2 * f) {
        by.rates = s * N.col(i - f);
      } else {
        by.states(i - 2 * f) = s;
      }
      return near.channels(by);
    };
    const double size =
        i < 2 * f ? N.col(i % std::max(f, Index{1})).cwiseQuotient(units).cwiseAbs().maxCoeff()
                  : 1.0 / model.state_unit(i - 2 * f);
    C.col(i) = slope_at_state(along, kSystemStep / size);
  }
  return C;
}

}  // namespace

LinearSystem linear_system(const System& system,
                           const State& state,
                           const std::vector<std::string>& inputs,
                           Diagnostics& diagnostics) {
  if (has_guests(system)) {
    State near = state;
    const System linear = with_linear_guests(system, near, diagnostics);
    return linear_system(linear, near, inputs, diagnostics);
  }
  Diagnostics compiled;
  const Model model = compile(system, compiled);
  Linearisation linear = linearise(system, state, diagnostics);
  const State at = completed(model, state);
  Neighbourhood near(model, at);
  const std::vector<UnitInput> units = unit_inputs(system, at, inputs, near, diagnostics);
  MatrixXd loads(model.nv + model.state_count, static_cast<Index>(inputs.size()));
  for (std::size_t k = 0; k < units.size(); ++k)
    loads.col(static_cast<Index>(k)) =
        slope_at_state([&](double s) { return near.loads(units[k].times(s)); }, units[k].step());
  const VectorXd first = near.loads(near.none());
  const bool at_rest = at.velocity.isZero(0.0);
  leave_out_free_motions(loads.topRows(model.nv),
                         at_rest ? VectorXd(first.head(model.nv)) : VectorXd(),
                         linear,
                         diagnostics);
  const MatrixXd V = unit_modes(linear);
  const MatrixXd N = linear.free_directions * V;
  const Index f = N.cols(), ns = model.state_count, ni = loads.cols();
  LinearSystem out;
  out.inputs = inputs;
  out.states = names_of_states(model, f);
  out.outputs = model.outputs.channels;
  out.y0 = near.channels(near.none());
  out.A = matrix_of(linear, V);
  FirstRates own = first_rates(model, at, first, N, out.A, out.states);
  out.rates0 = std::move(own.rates);
  out.movers = std::move(own.movers);
  out.C = outputs_of(model, N, linear.turning * V, near);
  out.B = MatrixXd::Zero(2 * f + ns, ni);
  out.B.middleRows(f, f) = N.transpose() * loads.topRows(model.nv);
  out.B.bottomRows(ns) = loads.bottomRows(ns);
  out.D = MatrixXd::Zero(out.C.rows(), ni);
  out.u0.resize(ni);
  for (Index k = 0; k < ni; ++k) {
    const UnitInput& unit = units[static_cast<std::size_t>(k)];
    out.u0(k) = unit.value;
    out.D.col(k) =
        slope_at_state([&](double s) { return near.channels(unit.times(s)); }, unit.step());
    const bool has_effect = !out.B.col(k).isZero(0.0) || !out.D.col(k).isZero(0.0);
    out.effects.push_back(acts_as_load(model, N, unit, near) ? InputEffect::load
                          : has_effect                       ? InputEffect::to_first_order
                                                             : InputEffect::none);
  }
  for (std::size_t k = 0; k < units.size(); ++k)
    if (out.effects[k] == InputEffect::none &&
        !system.inputs[static_cast<std::size_t>(units[k].input)].is_parameter)
      diagnostics.warn("input-without-effect",
                       fmt::format("input {} acts on loads only together with a motion, as a "
                                   "stiffness or damping does: the linear model, which is of first "
                                   "order, ignores it; simulate, or export for co-simulation",
                                   inputs[k]));
  return out;
}

}  // namespace femflex::mbd_solver
