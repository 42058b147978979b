// Moves the state, the inputs and the added loads of a workspace by a little and evaluates the
// equations of motion there.
#include "integrators/neighbourhood.h"

#include <utility>

#include "femflex/errors.h"

namespace femflex::mbd_solver {

using Eigen::Index;
using Eigen::VectorXd;

Neighbourhood::Neighbourhood(const Model& model, State at)
    : model_(model), engine_(model), at_(std::move(at)) {
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

SmallMove Neighbourhood::none() const {
  return {VectorXd::Zero(model_.nv),
          VectorXd::Zero(model_.nv),
          VectorXd::Zero(model_.state_count),
          VectorXd::Zero(static_cast<Index>(inputs_.size())),
          VectorXd::Zero(model_.nv),
          VectorXd::Zero(model_.network.output_count)};
}

State Neighbourhood::moved_by(const SmallMove& by) const {
  State moved = at_;
  move(model_, at_.position, by.coordinates, moved.position);
  moved.velocity += by.rates;
  moved.force_states += by.states;
  return moved;
}

VectorXd Neighbourhood::channels(const SmallMove& by) {
  State moved = moved_by(by);
  place(moved, by);
  if (!engine_.accelerations(moved.acceleration, moved.multipliers)) engine_.throw_failure();
  engine_.set_all(moved);
  return read_row(model_, engine_.ws);
}

VectorXd Neighbourhood::loads(const SmallMove& by) {
  place(moved_by(by), by);
  marker_bias(model_, engine_.ws);
  residual(model_, engine_.ws, engine_.zero_v, nullptr);
  VectorXd out(model_.nv + model_.state_count);
  out << -engine_.ws.force, engine_.ws.state_rates;
  return out;
}

VectorXd Neighbourhood::loads_and_blocks(const SmallMove& by) {
  const VectorXd first = loads(by);
  VectorXd out(first.size() + model_.network.output_count);
  out.head(first.size()) = first;
  if (model_.network.output_count > 0)
    out.tail(model_.network.output_count) = engine_.ws.block_outputs;
  return out;
}

void Neighbourhood::place(const State& state, const SmallMove& by) {
  engine_.ws.inputs.assign(inputs_.begin(), inputs_.end());
  for (Index k = 0; k < by.inputs.size(); ++k)
    engine_.ws.inputs[static_cast<std::size_t>(k)]->c[0] += by.inputs(k);
  engine_.ws.push = by.push;
  engine_.ws.block_push = by.block;
  engine_.ws.set_memory(state);
  engine_.set_position(state.time, state.position);
  engine_.set_velocity(state.velocity);
}

}  // namespace femflex::mbd_solver
