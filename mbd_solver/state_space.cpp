// Matrices of a linearised system: A and B from its reduced matrices, C and D by differences of the
// channels, with the accelerations that belong to each state and input.
#include "femflex/mbd_solver/state_space.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/mbd_solver/linearise.h"

#include "integrators/engine.h"
#include "integrators/free_stiffness.h"

namespace femflex::mbd_solver {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// step of differences of fourth order, relative to Model::unit_of() and to inputs above 1
constexpr double kSpaceStep = 1e-3;
// acceleration in free directions, relative to the largest one, above which a state is no
// equilibrium
constexpr double kAtRest = 1e-6;

/// (8 (f(h) - f(-h)) - (f(2h) - f(-2h))) / 12 h
template <typename Function>
VectorXd slope_of(const Function& f, double h) {
  return (8.0 * (f(h) - f(-h)) - (f(2.0 * h) - f(-2.0 * h))) / (12.0 * h);
}

/// A system about a state, whose coordinates, rates, force states and inputs may be moved.
class Surroundings {
 public:
  Surroundings(const Model& model, State at) : model_(model), engine_(model), at_(std::move(at)) {
    for (const InputModel& input : model.inputs) {
      const double now =
          input.value.is_constant() ? input.value.number : input.value.function->at({&at_.time, 1});
      inputs_.push_back({at_.time, {now, 0.0, 0.0, 0.0}});
    }
    if (engine_.find_quasi_static(at_))
      throw ModelError("no-mass",
                       "springs alone place a body without mass: a linear model needs its mass",
                       {},
                       "give it a mass");
  }

  double input(Index k) const { return inputs_[static_cast<std::size_t>(k)].c[0]; }
  const VectorXd& acceleration() const { return at_.acceleration; }

  /// The channels after a move of the coordinates and their rates, with inputs as they are.
  VectorXd row(const VectorXd& dx, const VectorXd& dv, const VectorXd& dz, Index k, double du) {
    State moved = at_;
    move(model_, at_.position, dx, moved.position);
    moved.velocity += dv;
    moved.force_states += dz;
    place(moved, k, du);
    if (!engine_.accelerations(moved.acceleration, moved.multipliers)) engine_.throw_failure();
    engine_.set_all(moved);
    VectorXd out(static_cast<Index>(model_.outputs.probes.size()));
    for (Index c = 0; c < out.size(); ++c)
      out(c) = read(model_, engine_.ws, model_.outputs.probes[static_cast<std::size_t>(c)]);
    return out;
  }

  /// Forces on the coordinates and rates of force states, one after the other.
  VectorXd loads(Index k, double du) {
    place(at_, k, du);
    marker_bias(model_, engine_.ws);
    residual(model_, engine_.ws, engine_.zero_v, nullptr);
    VectorXd out(model_.nv + model_.state_count);
    out << -engine_.ws.force, engine_.ws.state_rates;
    return out;
  }

 private:
  void place(const State& state, Index k, double du) {
    engine_.ws.inputs.assign(inputs_.begin(), inputs_.end());
    if (k >= 0) engine_.ws.inputs[static_cast<std::size_t>(k)]->c[0] += du;
    engine_.ws.set_memory(state);
    engine_.set_position(state.time, state.position);
    engine_.set_velocity(state.velocity);
  }

  const Model& model_;
  Engine engine_;
  State at_;
  std::vector<InputPath> inputs_;
};

void check_inputs(const Model& model, const State& state) {
  if (!state.velocity.isZero(0.0))
    throw ModelError("not-at-rest",
                     "the system moves, and a linear model is one about a state at rest",
                     {},
                     "begin at rest, or with a static analysis");
  for (const InputModel& input : model.inputs)
    if (input.moves)
      throw ModelError("motion-input",
                       fmt::format("a motion follows the input '{}', and a linear model takes "
                                   "inputs of forces alone",
                                   input.name),
                       {},
                       "export for co-simulation, or drive it by a force");
}

/// Basis of modes with unit mass, of the symmetric part of the stiffness.
MatrixXd modes_of(const Linearisation& linear) {
  if (linear.mass.rows() == 0) return linear.mass;
  const MatrixXd K = 0.5 * (linear.stiffness + linear.stiffness.transpose());
  const MatrixXd M = 0.5 * (linear.mass + linear.mass.transpose());
  return Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd>(K, M).eigenvectors();
}

std::vector<std::string> state_names(Index modes, Index states) {
  std::vector<std::string> out;
  for (Index k = 1; k <= modes; ++k)
    out.push_back(fmt::format("mode/{}", k));
  for (Index k = 1; k <= modes; ++k)
    out.push_back(fmt::format("mode/{}/rate", k));
  for (Index k = 1; k <= states; ++k)
    out.push_back(fmt::format("state/{}", k));
  return out;
}

}  // namespace

StateSpace state_space(const System& system, const State& state, Diagnostics& diagnostics) {
  const Model model = compile(system, diagnostics);
  check_inputs(model, state);
  const Linearisation linear = linearise(system, state, diagnostics);
  State at = state;
  if (at.acceleration.size() != model.nv) at.acceleration.setZero(model.nv);
  Surroundings near(model, at);
  const MatrixXd V = modes_of(linear);
  const MatrixXd N = linear.free_directions * V;
  const Index f = N.cols(), ns = model.state_count;
  const auto ni = static_cast<Index>(model.inputs.size());
  StateSpace out;
  out.channels = model.outputs.channels;
  out.states = state_names(f, ns);
  const VectorXd still = VectorXd::Zero(model.nv), kept = VectorXd::Zero(ns);
  out.y0 = near.row(still, still, kept, -1, 0.0);
  const VectorXd load = N.transpose() * near.loads(-1, 0.0).head(model.nv);
  const VectorXd strength =
      N.cwiseAbs().transpose() * near.loads(-1, 0.0).head(model.nv).cwiseAbs();
  if (f > 0 && load.cwiseAbs().maxCoeff() > kAtRest * (strength.maxCoeff() + 1.0))
    diagnostics.warn("no-equilibrium",
                     "the state is not one of equilibrium, and the linear model leaves out the "
                     "force that is not balanced; a static analysis before finds one");
  // x'' = -V'K V x - V'C V x' - V'F z + N'Q, since V'M V = 1
  out.A = MatrixXd::Zero(2 * f + ns, 2 * f + ns);
  out.A.block(0, f, f, f).setIdentity();
  out.A.block(f, 0, f, f) = -(V.transpose() * linear.stiffness * V);
  out.A.block(f, f, f, f) = -(V.transpose() * linear.damping * V);
  if (ns > 0) {
    out.A.block(f, 2 * f, f, ns) = -(V.transpose() * linear.force_by_states);
    out.A.block(2 * f, 0, ns, f) = linear.rates_by_position * V;
    out.A.block(2 * f, f, ns, f) = linear.rates_by_velocity * V;
    out.A.block(2 * f, 2 * f, ns, ns) = linear.rates_by_states;
  }
  out.B = MatrixXd::Zero(2 * f + ns, ni);
  out.C.resize(out.y0.size(), 2 * f + ns);
  out.D.resize(out.y0.size(), ni);
  out.u0.resize(ni);
  for (Index k = 0; k < ni; ++k) {
    out.u0(k) = near.input(k);
    const double h = kSpaceStep * std::max(1.0, std::abs(out.u0(k)));
    const VectorXd slope = slope_of([&](double s) { return near.loads(k, s); }, h);
    out.B.block(f, k, f, 1) = N.transpose() * slope.head(model.nv);
    out.B.block(2 * f, k, ns, 1) = slope.tail(ns);
    out.D.col(k) = slope_of([&](double s) { return near.row(still, still, kept, k, s); }, h);
  }
  const VectorXd units = units_of(model);
  for (Index i = 0; i < f; ++i) {
    const double h = kSpaceStep / N.col(i).cwiseQuotient(units).cwiseAbs().maxCoeff();
    const VectorXd way = N.col(i);
    out.C.col(i) = slope_of([&](double s) { return near.row(s * way, still, kept, -1, 0.0); }, h);
    out.C.col(f + i) =
        slope_of([&](double s) { return near.row(still, s * way, kept, -1, 0.0); }, h);
  }
  for (Index i = 0; i < ns; ++i) {
    const VectorXd unit = VectorXd::Unit(ns, i);
    out.C.col(2 * f + i) =
        slope_of([&](double s) { return near.row(still, still, s * unit, -1, 0.0); },
                 kSpaceStep * model.state_unit(i));
  }
  return out;
}

}  // namespace femflex::mbd_solver
