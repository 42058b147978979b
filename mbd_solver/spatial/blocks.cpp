// Evaluates the blocks of control in the order of their dependence, solves the integration rule of
// their states by Newton's method, and updates the memory of relays, plays and samples.
#include "spatial/blocks.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <variant>

#include "spatial/equations.h"
#include "spatial/path.h"
#include "spatial/state_newton.h"

namespace femflex::mbd_solver {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

// a smaller correction is round-off, relative to the size of the states
constexpr double kBlockSolved = 1e-15;
/// [s] upper limit of the state gain g in z = c + g z', which statics reaches. An integral I of an
/// error e has the remaining error e = I / g, and round-off of e times g. The limit, about 1 /
/// sqrt(round-off), balances both.
constexpr double kMaxBlockGain = 1e8;

/// The interval of ascending x that contains u, and the relative position of u in it, 0 to 1.
std::pair<Index, double> place_on(const std::vector<double>& x, double u) {
  if (x.size() < 2 || !(u > x.front())) return {0, 0.0};
  const auto last = static_cast<Index>(x.size()) - 2;
  const auto above = std::upper_bound(x.begin(), x.end(), u);
  const Index k = std::min(last, static_cast<Index>(above - x.begin()) - 1);
  const double from = x[static_cast<std::size_t>(k)], to = x[static_cast<std::size_t>(k + 1)];
  return {k, std::min(1.0, (u - from) / (to - from))};
}

double surface_at(const SurfaceBlock& s, double u, double v) {
  const auto [i, a] = place_on(s.x, u);
  const auto [j, b] = place_on(s.y, v);
  const Index i1 = std::min(i + 1, s.z.rows() - 1), j1 = std::min(j + 1, s.z.cols() - 1);
  return (1.0 - a) * ((1.0 - b) * s.z(i, j) + b * s.z(i, j1)) +
         a * ((1.0 - b) * s.z(i1, j) + b * s.z(i1, j1));
}

bool relay_is_high(const RelayBlock& relay, double u, double mode) {
  return u >= relay.on || (u > relay.off && mode != 0.0);
}

double play_at(const PlayBlock& play, double u, double held) {
  return std::clamp(held, u - 0.5 * play.width, u + 0.5 * play.width);
}

/// The output of a PID block before its limits. Its states are the integral and the filtered error,
/// if the block uses them.
double pid_sum(const PidBlock& pid, const BlockModel& block, const double* u, const double* z) {
  double sum = pid.proportional * u[0];
  if (pid.integral != 0.0) sum += z[0];
  if (pid.derivative == 0.0) return sum;
  if (block.inputs.size() > 1) return sum + pid.derivative * u[1];
  return sum + pid.derivative * (u[0] - z[block.state_count - 1]) / pid.filter;
}

void read_inputs(const Model& model, Workspace& ws, const BlockModel& block) {
  for (std::size_t k = 0; k < block.inputs.size(); ++k)
    ws.block_inputs(block.input0 + static_cast<Index>(k)) = value_of(model, ws, block.inputs[k]);
}

/// y = C x + D u. Inputs with D = 0 are not read, because they may not be computed yet.
void linear_outputs(const LinearBlock& linear, const double* u, const double* z, double* y) {
  for (Index i = 0; i < linear.D.rows(); ++i) {
    y[i] = 0.0;
    for (Index k = 0; k < linear.C.cols(); ++k)
      y[i] += linear.C(i, k) * z[k];
    for (Index k = 0; k < linear.D.cols(); ++k)
      if (linear.D(i, k) != 0.0) y[i] += linear.D(i, k) * u[k];
  }
}

void find_outputs(Workspace& ws, const BlockModel& block, const double* states) {
  const double* u = ws.block_inputs.data() + block.input0;
  const double* z = states + block.state0;
  double* y = ws.block_outputs.data() + block.output0;
  const double* held = block.event0 < 0 ? nullptr : ws.events.data() + block.event0;
  if (const auto* linear = std::get_if<LinearBlock>(&block.law)) {
    linear_outputs(*linear, u, z, y);
  } else if (const auto* pid = std::get_if<PidBlock>(&block.law)) {
    y[0] = std::clamp(pid_sum(*pid, block, u, z), pid->min, pid->max);
  } else if (const auto* table = std::get_if<TableBlock>(&block.law)) {
    y[0] = table->curve(u[0]);
  } else if (const auto* surface = std::get_if<SurfaceBlock>(&block.law)) {
    y[0] = surface_at(*surface, u[0], u[1]);
  } else if (const auto* relay = std::get_if<RelayBlock>(&block.law)) {
    y[0] = relay_is_high(*relay, u[0], held[0]) ? relay->high : relay->low;
  } else if (const auto* play = std::get_if<PlayBlock>(&block.law)) {
    y[0] = play_at(*play, u[0], held[0]);
  } else if (const auto* guest = std::get_if<GuestBlock>(&block.law)) {
    // if steps are repeated, the outputs are the mean of both ends: the trapezoidal rule, stable in
    // stiff loops
    const double since = guest->repeats > 0 ? 0.5 * guest->step : ws.t - held[0];
    for (int k = 0; k < block.output_count; ++k) {
      const double slope = held[1 + block.output_count + k];
      y[k] = held[1 + k] + (slope == 0.0 ? 0.0 : slope * since);
    }
  } else if (const auto* path = std::get_if<PathBlock>(&block.law)) {
    path_outputs(*path, u, y);
  } else {
    y[0] = held[block.event_count - 1];
  }
  for (int k = 0; k < block.output_count; ++k)
    y[k] += ws.block_push(block.output0 + k);
}

void find_rates(const Workspace& ws, const BlockModel& block, const double* states, double* out) {
  const double* u = ws.block_inputs.data() + block.input0;
  const double* z = states + block.state0;
  double* rates = out + block.state0;
  if (const auto* linear = std::get_if<LinearBlock>(&block.law)) {
    for (Index i = 0; i < linear->A.rows(); ++i) {
      rates[i] = 0.0;
      for (Index k = 0; k < linear->A.cols(); ++k)
        rates[i] += linear->A(i, k) * z[k];
      for (Index k = 0; k < linear->B.cols(); ++k)
        rates[i] += linear->B(i, k) * u[k];
    }
  } else if (const auto* pid = std::get_if<PidBlock>(&block.law)) {
    if (pid->derivative != 0.0 && block.inputs.size() < 2)
      rates[block.state_count - 1] = (u[0] - z[block.state_count - 1]) / pid->filter;
    if (pid->integral != 0.0) {
      const double sum = pid_sum(*pid, block, u, z);
      const double excess = std::clamp(sum, pid->min, pid->max) - sum;
      rates[0] = pid->integral * u[0] + (excess == 0.0 ? 0.0 : excess / pid->tracking_time);
    }
  }
}

/// Computes inputs, outputs and rates of all blocks at given states.
void evaluate_at(const Model& model, Workspace& ws, const double* states, double* rates) {
  const BlockNetwork& net = model.network;
  for (const int k : net.order) {
    const BlockModel& block = net.blocks[static_cast<std::size_t>(k)];
    if (block.feeds_through) read_inputs(model, ws, block);
    find_outputs(ws, block, states);
  }
  for (const BlockModel& block : net.blocks) {
    if (!block.feeds_through) read_inputs(model, ws, block);
    find_rates(ws, block, states, rates);
  }
}

}  // namespace

void evaluate_blocks(const Model& model, Workspace& ws) {
  const BlockNetwork& net = model.network;
  if (net.blocks.empty()) return;
  const Index n = net.state_count;
  for (const int k : net.forces) {
    const ForceModel& force = model.forces[static_cast<std::size_t>(k)];
    const auto marker = [&](int index) -> const MarkerKinematics& {
      return ws.markers[static_cast<std::size_t>(std::max(index, 0))];
    };
    const LawBase& law = force.base();
    ws.loads[static_cast<std::size_t>(k)] =
        load_of(model, ws, force, marker(law.a >= 0 ? law.a : law.b), marker(law.b));
  }
  solve_state_rule(
      {.n = n,
       .constants = ws.state_constants.data(),
       .gain = std::min(ws.state_gain, kMaxBlockGain),
       .solved = kBlockSolved},
      [&](const double* states, double* rates) { evaluate_at(model, ws, states, rates); },
      ws.states.data(),
      ws.state_rates.data(),
      ws.block_scratch);
}

BlockJet block_jet(const Model& model, const Workspace& ws, int output) {
  for (const BlockModel& block : model.network.blocks) {
    const Index row = output - block.output0;
    if (row < 0 || row >= block.output_count) continue;
    const auto& linear = std::get<LinearBlock>(block.law);
    const auto rates = ws.state_rates.segment(block.state0, block.state_count);
    return {ws.block_outputs(output),
            linear.C.row(row).dot(rates),
            (linear.C.row(row) * linear.A).dot(rates)};
  }
  return {};
}

bool update_block_events(const Model& model, const Workspace& ws, VectorXd& events) {
  bool any = false;
  for (const BlockModel& block : model.network.blocks) {
    if (block.event0 < 0) continue;
    double& held = events(block.event0);
    const double u = ws.block_inputs(block.input0);
    if (const auto* relay = std::get_if<RelayBlock>(&block.law)) {
      const double mode = relay_is_high(*relay, u, held) ? 1.0 : 0.0;
      any = any || mode != held;
      held = mode;
    } else if (const auto* play = std::get_if<PlayBlock>(&block.law)) {
      held = play_at(*play, u, held);
    }
  }
  return any;
}

namespace {

/// The sample times offset + k period of a block.
struct Rhythm {
  double period = 0.0, offset = 0.0;                        // [s]
  double first = -std::numeric_limits<double>::infinity();  // smallest k
};

/// The sample times of a block; empty if it takes no samples.
std::optional<Rhythm> rhythm_of(const BlockModel& block) {
  if (const auto* sample = std::get_if<SampleBlock>(&block.law))
    return Rhythm{sample->period, sample->offset, 0.0};
  if (const auto* guest = std::get_if<GuestBlock>(&block.law))
    return Rhythm{guest->step, guest->offset};
  return std::nullopt;
}

/// Time of sample number k [s]. If it is a decimal number except for round-off, returns the nearest
/// double to the decimal, as times of rows do, so that a row at a sample time shows the sample.
double sample_time(const Rhythm& sample, double k) {
  constexpr double kDecimals = 1e12;
  constexpr double kLongest = 9e3;  // [s] limit up to which these decimals are exact
  constexpr double kRoundOffOfTime = 1e-15;
  const double time = sample.offset + k * sample.period;
  const double decimal = std::nearbyint(time * kDecimals) / kDecimals;
  const bool is_same = std::abs(decimal - time) <= kRoundOffOfTime * std::abs(time);
  return is_same && std::abs(time) < kLongest ? decimal : time;
}

/// Number of the last sample at or before `time`.
double last_sample(const Rhythm& sample, double time) {
  double k = std::floor((time - sample.offset) / sample.period);
  while (sample_time(sample, k + 1.0) <= time)
    k += 1.0;
  while (sample_time(sample, k) > time)
    k -= 1.0;
  return k;
}

}  // namespace

double next_sample(const Model& model, double time) {
  double first = std::numeric_limits<double>::infinity();
  for (const BlockModel& block : model.network.blocks)
    if (const std::optional<Rhythm> rhythm = rhythm_of(block)) {
      const double k = std::max(rhythm->first, last_sample(*rhythm, time) + 1.0);
      first = std::min(first, sample_time(*rhythm, k));
    }
  return first;
}

bool is_sampled_at(const BlockModel& block, double time) {
  const std::optional<Rhythm> rhythm = rhythm_of(block);
  if (!rhythm) return false;
  const double k = last_sample(*rhythm, time);
  return k >= rhythm->first && sample_time(*rhythm, k) == time;
}

bool take_samples(const Model& model, const Workspace& ws, double time, VectorXd& events) {
  bool any = false;
  for (const BlockModel& block : model.network.blocks) {
    if (!std::holds_alternative<SampleBlock>(block.law) || !is_sampled_at(block, time)) continue;
    for (int place = block.event_count - 1; place > 0; --place)
      events(block.event0 + place) = events(block.event0 + place - 1);
    events(block.event0) = ws.block_inputs(block.input0);
    any = true;
  }
  return any;
}

}  // namespace femflex::mbd_solver
