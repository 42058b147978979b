// linear_system(): A from the linearised equations, B from the loads of the inputs, C and D by
// differences of the channels, with the accelerations of each moved state.
#include "femflex/mbd_solver/linear_system.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "femflex/dense.h"
#include "femflex/errors.h"
#include "femflex/mbd_solver/linearise.h"

#include "integrators/engine.h"
#include "integrators/free_stiffness.h"
#include "integrators/linear_guests.h"

namespace femflex::mbd_solver {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// step of fourth-order differences, relative to: Model::unit_of() for coordinates, the unit of a
// state, the magnitude of an input if above 1
constexpr double kSystemStep = 1e-3;
// a state is not an equilibrium if the load along a free direction, relative to the sum of the
// magnitudes of its terms, exceeds this
constexpr double kUnbalanced = 1e-6;

/// Central difference of fourth order: (8 (f(h) - f(-h)) - (f(2h) - f(-2h))) / 12 h
template <typename Function>
VectorXd fourth_order_slope(const Function& f, double h) {
  return (8.0 * (f(h) - f(-h)) - (f(2.0 * h) - f(-2.0 * h))) / (12.0 * h);
}

/// A small change from the state of linearisation.
struct SmallMove {
  VectorXd coordinates, rates, states;
  VectorXd inputs;  // of the system
  VectorXd push;    // generalised forces
  VectorXd block;   // added to the outputs of blocks
};

/// Evaluates channels and loads of a system after small moves away from a state.
class Neighbourhood {
 public:
  Neighbourhood(const Model& model, State at) : model_(model), engine_(model), at_(std::move(at)) {
    engine_.ws.roads_stand = at_.velocity.isZero(0.0);
    for (const InputModel& input : model.inputs) {
      const double now =
          input.value.is_constant() ? input.value.number : input.value.function->at({&at_.time, 1});
      inputs_.push_back({at_.time, {now, 0.0, 0.0, 0.0}});
    }
    if (engine_.find_quasi_static(at_))
      throw ModelError("no-mass",
                       "springs alone place a body without mass: a linear system needs its mass",
                       {},
                       "give it a mass");
  }

  SmallMove none() const {
    return {VectorXd::Zero(model_.nv),
            VectorXd::Zero(model_.nv),
            VectorXd::Zero(model_.state_count),
            VectorXd::Zero(static_cast<Index>(inputs_.size())),
            VectorXd::Zero(model_.nv),
            VectorXd::Zero(model_.network.output_count)};
  }

  /// Value of an input of the system at the state.
  double input(int index) const { return inputs_[static_cast<std::size_t>(index)].c[0]; }

  /// The channels after a move, with the accelerations and reactions of the moved state.
  VectorXd channels(const SmallMove& by) {
    State moved = at_;
    move(model_, at_.position, by.coordinates, moved.position);
    moved.velocity += by.rates;
    moved.force_states += by.states;
    place(moved, by);
    if (!engine_.accelerations(moved.acceleration, moved.multipliers)) engine_.throw_failure();
    engine_.set_all(moved);
    VectorXd out(static_cast<Index>(model_.outputs.probes.size()));
    for (Index c = 0; c < out.size(); ++c)
      out(c) = read(model_, engine_.ws, model_.outputs.probes[static_cast<std::size_t>(c)]);
    return out;
  }

  /// Generalised forces, followed by the rates of the force states, with the inputs and loads of
  /// `by`.
  VectorXd loads(const SmallMove& by) {
    place(at_, by);
    marker_bias(model_, engine_.ws);
    residual(model_, engine_.ws, engine_.zero_v, nullptr);
    VectorXd out(model_.nv + model_.state_count);
    out << -engine_.ws.force, engine_.ws.state_rates;
    return out;
  }

 private:
  void place(const State& state, const SmallMove& by) {
    engine_.ws.inputs.assign(inputs_.begin(), inputs_.end());
    for (Index k = 0; k < by.inputs.size(); ++k)
      engine_.ws.inputs[static_cast<std::size_t>(k)]->c[0] += by.inputs(k);
    engine_.ws.push = by.push;
    engine_.ws.block_push = by.block;
    engine_.ws.set_memory(state);
    engine_.set_position(state.time, state.position);
    engine_.set_velocity(state.velocity);
  }

  const Model& model_;
  Engine engine_;
  State at_;
  std::vector<InputPath> inputs_;
};

/// Whether the quantity of a channel, such as a position, displacement or angle, accepts a unit
/// load.
bool takes_load(Probe::What what) {
  using What = Probe::What;
  return what == What::position || what == What::displacement || what == What::rotation ||
         what == What::zeta || what == What::eta || what == What::joint_angle ||
         what == What::joint_displacement;
}

/// The direct effect of a unit of an input, and the present value of the input.
struct UnitInput {
  SmallMove by;
  double value = 0.0;  // 0 for what is not an input of the system

  double step() const { return kSystemStep * std::max(1.0, std::abs(value)); }
  SmallMove times(double s) const {
    SmallMove out = by;
    out.inputs *= s;
    out.push *= s;
    out.block *= s;
    return out;
  }
};

std::vector<UnitInput> unit_inputs(const System& system,
                                   const State& state,
                                   const std::vector<std::string>& inputs,
                                   const Neighbourhood& near,
                                   Diagnostics& diagnostics) {
  std::vector<UnitInput> out;
  for (const std::string& input : inputs) {
    System asked = system;
    asked.outputs = {input};
    Diagnostics ignored;
    const Model model = compile(asked, ignored);
    if (model.outputs.probes.size() != 1)
      throw ModelError(
          "not-one-channel",
          fmt::format("input '{}' names {} channels", input, model.outputs.probes.size()),
          {},
          fmt::format("name one, for example {}", model.outputs.channels.front().name));
    const Probe& probe = model.outputs.probes.front();
    UnitInput unit{near.none()};
    if (probe.what == Probe::What::block_output) {
      unit.by.block(probe.index) = 1.0;
    } else if (probe.what == Probe::What::input) {
      if (model.inputs[static_cast<std::size_t>(probe.index)].moves)
        throw ModelError("motion-input",
                         fmt::format("a motion follows the input '{}', and a linear model takes "
                                     "inputs of forces alone",
                                     input),
                         {},
                         "drive it by a force; an FMU for co-simulation takes it as it is");
      unit.by.inputs(probe.index) = 1.0;
      unit.value = near.input(probe.index);
    } else if (takes_load(probe.what)) {
      unit.by.push = channel_jacobian(asked, state, diagnostics).rows.row(0).transpose();
    } else {
      throw ModelError(
          "no-input",
          fmt::format("'{}' takes no input", input),
          {},
          "name an input of the system, a position or an angle, along which a force or moment "
          "acts, or a block");
    }
    out.push_back(std::move(unit));
  }
  return out;
}

/// Removes motions that neither the system nor the inputs load, for example along a road if the
/// wheels are only vertical springs. Such motions do not depend on the inputs.
/// @param loads  loads of the inputs, on the velocity coordinates
void leave_out_free_motions(const MatrixXd& loads,
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
  if (free_along.norm() > kUnbalanced * along.norm()) return;
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
    C.col(i) = fourth_order_slope(along, kSystemStep / size);
  }
  return C;
}

void warn_of_motion(const MatrixXd& N,
                    const SmallMove& none,
                    Neighbourhood& near,
                    Diagnostics& diagnostics) {
  if (N.cols() == 0) return;
  const VectorXd loads = near.loads(none).head(N.rows());
  const VectorXd balance = N.transpose() * loads;
  const VectorXd strength = N.cwiseAbs().transpose() * loads.cwiseAbs();
  if (balance.cwiseAbs().maxCoeff() > kUnbalanced * (strength.maxCoeff() + 1.0))
    diagnostics.warn("no-equilibrium",
                     "the state is not one of equilibrium, and the linear model leaves out the "
                     "force that is not balanced; a static analysis before finds one");
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
  State at = state;
  if (at.acceleration.size() != model.nv) at.acceleration.setZero(model.nv);
  if (at.multipliers.size() != model.nl) at.multipliers.setZero(model.nl);
  if (at.force_states.size() != model.state_count) at.force_states = model.initial.force_states;
  if (at.events.size() != model.event_count) at.events = model.initial.events;
  if (at.joint_angles.size() != model.angle_count) at.joint_angles.setZero(model.angle_count);
  Neighbourhood near(model, at);
  const std::vector<UnitInput> units = unit_inputs(system, at, inputs, near, diagnostics);
  MatrixXd loads(model.nv + model.state_count, static_cast<Index>(inputs.size()));
  for (std::size_t k = 0; k < units.size(); ++k)
    loads.col(static_cast<Index>(k)) = fourth_order_slope(
        [&](double s) { return near.loads(units[k].times(s)); }, units[k].step());
  leave_out_free_motions(loads.topRows(model.nv), linear, diagnostics);
  const MatrixXd V = unit_modes(linear);
  const MatrixXd N = linear.free_directions * V;
  const Index f = N.cols(), ns = model.state_count, ni = loads.cols();
  LinearSystem out;
  out.inputs = inputs;
  out.states = names_of_states(model, f);
  out.outputs = model.outputs.channels;
  // linearise() has already warned of a motion that is not steady
  if (at.velocity.isZero(0.0)) warn_of_motion(N, near.none(), near, diagnostics);
  out.y0 = near.channels(near.none());
  out.A = matrix_of(linear, V);
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
        fourth_order_slope([&](double s) { return near.channels(unit.times(s)); }, unit.step());
  }
  return out;
}

}  // namespace femflex::mbd_solver
