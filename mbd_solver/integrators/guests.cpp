// Exchange with guests. First all guests advance with the block values just before the exchange, so
// that guests that read each other advance in parallel; then each guest receives the new outputs of
// the others.
#include "integrators/guests.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "spatial/blocks.h"
#include "spatial/equations.h"

namespace femflex::mbd_solver {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

// a step has converged if its outputs change by less than this in a repetition, relative to the
// size of the guest's outputs
constexpr double kAgreed = 1e-10;
// number of passes after which a slowly decreasing error is that of the integrator; kRepeatStalled
// is the ratio of errors that counts as slow
constexpr int kFirstPasses = 3;
constexpr double kRepeatStalled = 0.5;
// limit of the relaxation factor; if it is exceeded, the last two passes are no basis for the next
constexpr double kMostRelaxed = 1e3;

const BlockModel& block_of(const Model& model, std::size_t guest) {
  return model.network.blocks[static_cast<std::size_t>(model.network.guests[guest])];
}
const GuestBlock& law_of(const BlockModel& block) {
  return std::get<GuestBlock>(block.law);
}

/// The entries of State::events for one guest.
struct Held {
  double& time;
  Eigen::Ref<VectorXd> outputs, slopes;
};
Held held_of(const BlockModel& block, VectorXd& events) {
  const Index n = block.output_count;
  return {events(block.event0),
          events.segment(block.event0 + 1, n),
          events.segment(block.event0 + 1 + n, n)};
}

}  // namespace

bool Guests::check(const std::string& why, std::size_t guest) {
  if (why.empty()) return true;
  const BlockModel& block = block_of(model_, guest);
  failure_ = fmt::format("block {}: {}: {}", block.name, law_of(block).file, why);
  return false;
}

void Guests::find_inputs(Workspace& ws, const State& state) {
  ws.set_memory(state);
  evaluate_blocks(model_, ws);
  for (std::size_t k = 0; k < inputs_.size(); ++k) {
    const BlockModel& block = block_of(model_, k);
    inputs_[k].assign(ws.block_inputs.data() + block.input0,
                      ws.block_inputs.data() + block.input0 + block.inputs.size());
  }
}

bool Guests::take_outputs(std::size_t guest, double time, State& state) {
  if (!check(runs_[guest]->exchange(inputs_[guest], outputs_[guest]), guest)) return false;
  for (std::size_t i = 0; i < outputs_[guest].size(); ++i)
    if (!std::isfinite(outputs_[guest][i]))
      return check(fmt::format("output {} is {} at t = {:.9g} s",
                               block_of(model_, guest).output_names[i],
                               outputs_[guest][i],
                               time),
                   guest);
  Held held = held_of(block_of(model_, guest), state.events);
  held.outputs = Eigen::Map<const VectorXd>(outputs_[guest].data(),
                                            static_cast<Index>(outputs_[guest].size()));
  return true;
}

bool Guests::exchange(Workspace& ws, State& state) {
  failure_.clear();
  const std::size_t count = model_.network.guests.size();
  std::vector<std::size_t> due;
  for (std::size_t k = 0; k < count; ++k) {
    const BlockModel& block = block_of(model_, k);
    if (state.events(block.event0) == kNotBegun || is_sampled_at(block, state.time))
      due.push_back(k);
  }
  if (due.empty()) return false;
  runs_.resize(count);
  inputs_.resize(count);
  outputs_.resize(count);
  find_inputs(ws, state);
  std::vector<VectorXd> before(count);
  for (const std::size_t k : due) {
    const BlockModel& block = block_of(model_, k);
    Held held = held_of(block, state.events);
    outputs_[k].resize(static_cast<std::size_t>(block.output_count));
    if (held.time == kNotBegun) {
      runs_[k] = law_of(block).guest->make_run();
      if (!check(runs_[k]->begin(state.time, inputs_[k]), k)) return true;
    } else {
      before[k] = held.outputs;
      const bool is_linear = law_of(block).is_linear;
      if (!check(runs_[k]->advance(
                     state.time,
                     is_linear ? std::span<const double>(inputs_[k]) : std::span<const double>()),
                 k))
        return true;
    }
    if (!take_outputs(k, state.time, state)) return true;
  }
  // the slopes below belong to the new outputs; those in the state still belong to the old ones
  for (const std::size_t k : due) {
    const BlockModel& block = block_of(model_, k);
    Held held = held_of(block, state.events);
    const double step = state.time - held.time;
    held.time = state.time;
    if (before[k].size() > 0 && law_of(block).is_linear && step > 0.0)
      held.slopes = (held.outputs - before[k]) / step;
    else
      held.slopes.setZero();
  }
  find_inputs(ws, state);
  for (const std::size_t k : due)
    if (!take_outputs(k, state.time, state)) return true;
  return true;
}

bool Guests::repeats_from(const State& state) const {
  for (std::size_t k = 0; k < runs_.size(); ++k) {
    const BlockModel& block = block_of(model_, k);
    if (law_of(block).repeats > 0 && state.events(block.event0) == state.time) return true;
  }
  return false;
}

// Finds a fixed point y = G(y) of the outputs at the end of the step by relaxation with Aitken's
// factor. For one output this is the secant method [Kuettler 2008].
bool Guests::repeat(Workspace& ws,
                    State& state,
                    double next,
                    const std::function<bool(State& copy)>& trial) {
  failure_.clear();
  int most = 0;
  double length = 0.0;  // [s] length of the step over which the slopes act
  Index size = 0;
  for (std::size_t k = 0; k < runs_.size(); ++k) {
    const BlockModel& block = block_of(model_, k);
    most = std::max(most, law_of(block).repeats);
    length = law_of(block).step;
    size += block.output_count;
    if (!check(runs_[k]->mark(), k)) return false;
  }
  VectorXd residual(size), last(size);
  VectorXd best_events = state.events;
  double factor = 1.0, best = std::numeric_limits<double>::infinity();
  for (int pass = 0; pass < most; ++pass) {
    State copy = state;
    if (!trial(copy)) return false;
    find_inputs(ws, copy);
    double scale = 0.0;
    Index row = 0;
    for (std::size_t k = 0; k < runs_.size(); ++k) {
      const BlockModel& block = block_of(model_, k);
      if (!check(runs_[k]->advance(next, inputs_[k]), k) ||
          !check(runs_[k]->exchange(inputs_[k], outputs_[k]), k) || !check(runs_[k]->go_back(), k))
        return false;
      Held held = held_of(block, state.events);
      for (Index i = 0; i < block.output_count; ++i, ++row) {
        const double found = outputs_[k][static_cast<std::size_t>(i)];
        residual(row) = found - (held.outputs(i) + length * held.slopes(i));
        scale = std::max({scale, std::abs(found), std::abs(held.outputs(i))});
      }
    }
    const double off = residual.lpNorm<Eigen::Infinity>();
    const bool has_stalled = pass >= kFirstPasses && !(off < kRepeatStalled * best);
    if (off < best) {
      best = off;
      best_events = state.events;
    }
    if (has_stalled || !(off > kAgreed * scale)) break;
    if (pass > 0) {
      const VectorXd change = residual - last;
      factor *= -last.dot(change) / change.squaredNorm();
      if (!(std::abs(factor) < kMostRelaxed)) factor = 1.0;
    }
    last = residual;
    row = 0;
    for (std::size_t k = 0; k < runs_.size(); ++k) {
      const BlockModel& block = block_of(model_, k);
      held_of(block, state.events).slopes +=
          factor / length * residual.segment(row, block.output_count);
      row += block.output_count;
    }
  }
  state.events = best_events;
  return true;
}

void Guests::store(State& state) {
  if (model_.network.guests.empty()) return;
  state.guests.assign(model_.network.guests.size(), {});
  for (std::size_t k = 0; k < runs_.size(); ++k)
    if (runs_[k] && law_of(block_of(model_, k)).guest->saves() &&
        !runs_[k]->save(state.guests[k]).empty())
      state.guests[k].clear();
}

void Guests::resume(const State& state) {
  const std::size_t count = model_.network.guests.size();
  runs_.clear();
  for (std::size_t k = 0; k < count; ++k) {
    const BlockModel& block = block_of(model_, k);
    if (state.events(block.event0) == kNotBegun) continue;
    const GuestBlock& law = law_of(block);
    if (state.guests.size() != count || state.guests[k].empty())
      throw ModelError("restart-guest",
                       fmt::format("block {}: {} did not give its state, so no run can go on with "
                                   "it",
                                   block.name,
                                   law.file),
                       {},
                       "run from the start");
    runs_.resize(count);
    inputs_.resize(count);
    outputs_.resize(count);
    outputs_[k].resize(static_cast<std::size_t>(block.output_count));
    runs_[k] = law.guest->make_run();
    if (!check(runs_[k]->load(state.guests[k]), k)) throw ModelError("restart-guest", failure_);
  }
}

}  // namespace femflex::mbd_solver
