// Guests replaced by linear blocks: y = y0 + C x + D (u - u0), x' = A x + B (u - u0). The constant
// terms are the effect of one additional input with the value 1.
#include "integrators/linear_guests.h"

#include <algorithm>
#include <variant>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "integrators/engine.h"
#include "spatial/blocks.h"

namespace femflex::mbd_solver {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

/// The linear model of a block's guest near the guest's state.
LinearGuest linear_guest(const BlockModel& block,
                         const VectorXd& block_inputs,
                         const State& state,
                         const std::string* bytes) {
  const auto& law = std::get<GuestBlock>(block.law);
  const std::unique_ptr<GuestRun> run = law.guest->make_run();
  const std::span<const double> inputs(block_inputs.data() + block.input0, block.inputs.size());
  std::vector<double> outputs(static_cast<std::size_t>(block.output_count));
  LinearGuest out;
  std::string why = bytes != nullptr ? run->load(*bytes) : run->begin(state.time, inputs);
  if (why.empty()) why = run->exchange(inputs, outputs);
  if (why.empty()) why = run->linearise(out);
  if (!why.empty())
    throw NumericalError("linear-guest",
                         fmt::format("block {}: {}: {}", block.name, law.file, why));
  return out;
}

LinearBlock linear_block(const LinearGuest& guest) {
  const Index n = guest.A.rows(), inputs = guest.D.cols(), outputs = guest.D.rows();
  LinearBlock out;
  out.A = guest.A;
  out.C = guest.C;
  out.B.setZero(n, inputs + 1);
  out.B.leftCols(inputs) = guest.B;
  out.B.col(inputs) = -guest.B * guest.inputs;
  out.D.setZero(outputs, inputs + 1);
  out.D.leftCols(inputs) = guest.D;
  out.D.col(inputs) = guest.outputs - guest.D * guest.inputs;
  return out;
}

}  // namespace

bool has_guests(const System& system) {
  return std::any_of(system.blocks.begin(), system.blocks.end(), [](const Block& block) {
    return std::holds_alternative<GuestBlock>(block.law);
  });
}

System with_linear_guests(const System& system, State& state, Diagnostics& diagnostics) {
  Diagnostics compiled;
  const Model model = compile(system, compiled);
  State at = state;
  if (at.events.size() != model.event_count) at.events = model.initial.events;
  if (at.force_states.size() != model.state_count) at.force_states = model.initial.force_states;
  if (at.joint_angles.size() != model.angle_count) at.joint_angles.setZero(model.angle_count);
  Engine engine(model);
  engine.ws.set_memory(at);
  engine.set_position(at.time, at.position);
  engine.set_velocity(at.velocity);
  evaluate_blocks(model, engine.ws);
  System out = system;
  std::vector<double> states, events;
  const BlockNetwork& net = model.network;
  std::size_t guest = 0;
  for (std::size_t k = 0; k < net.blocks.size(); ++k) {
    const BlockModel& block = net.blocks[k];
    if (!std::holds_alternative<GuestBlock>(block.law)) {
      const double* z = at.force_states.data() + block.state0;
      states.insert(states.end(), z, z + block.state_count);
      if (block.event0 < 0) continue;
      const double* held = at.events.data() + block.event0;
      events.insert(events.end(), held, held + block.event_count);
      continue;
    }
    const bool has_begun = at.events(block.event0) != kNotBegun && guest < at.guests.size() &&
                           !at.guests[guest].empty();
    const LinearGuest linear =
        linear_guest(block, engine.ws.block_inputs, at, has_begun ? &at.guests[guest] : nullptr);
    ++guest;
    states.insert(states.end(), static_cast<std::size_t>(linear.A.rows()), 0.0);
    out.blocks[k].law = linear_block(linear);
    out.blocks[k].inputs.emplace_back(1.0);
    if (linear.A.rows() == 0)
      diagnostics.warn("still-guest",
                       fmt::format("block {}: {} keeps its state: it tells what its outputs "
                                   "follow at once, and no states",
                                   block.name,
                                   std::get<GuestBlock>(block.law).file));
  }
  const auto joined = [](const std::vector<double>& first, const VectorXd& all, Index from) {
    VectorXd joint(static_cast<Index>(first.size()) + all.size() - from);
    joint << Eigen::Map<const VectorXd>(first.data(), static_cast<Index>(first.size())),
        all.tail(all.size() - from);
    return joint;
  };
  Index of_blocks = 0;
  for (const BlockModel& block : net.blocks)
    of_blocks += block.event_count;
  state = at;
  state.force_states = joined(states, at.force_states, net.state_count);
  state.force_state_rates.resize(0);
  state.algorithmic_rates.resize(0);
  state.events = joined(events, at.events, of_blocks);
  state.guests.clear();
  return out;
}

}  // namespace femflex::mbd_solver
