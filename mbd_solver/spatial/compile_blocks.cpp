// Compiles control blocks for a run. Checks them, gives each its place in the lists of states,
// events and outputs, connects their inputs, and orders the blocks for evaluation. Reports
// algebraic loops. Guests are blocks whose outputs another program computes (imported FMUs).
#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "spatial/compiler.h"

namespace femflex::mbd_solver {
namespace {

using Eigen::Index;

/// Throws unless `holds`. `user` names the block in the message.
void need_of_block(bool holds, const std::string& user, const std::string& what) {
  if (!holds) throw ModelError("block", fmt::format("{}: {}", user, what));
}

void need_inputs(const Block& block, const std::string& user, std::size_t least, std::size_t most) {
  const std::size_t count = block.inputs.size();
  if (count >= least && count <= most) return;
  throw ModelError(
      "block",
      least == most
          ? fmt::format("{}: it has {} inputs; expected {}", user, count, least)
          : fmt::format("{}: it has {} inputs; expected {} to {}", user, count, least, most));
}

void check_linear(const Block& block, const LinearBlock& linear, const std::string& user) {
  const auto inputs = static_cast<Index>(block.inputs.size());
  const Index n = linear.A.rows(), outputs = linear.D.rows();
  need_of_block(
      linear.A.cols() == n && linear.B.rows() == n && linear.B.cols() == inputs &&
          linear.C.cols() == n && linear.C.rows() == outputs && linear.D.cols() == inputs &&
          outputs > 0 && inputs > 0,
      user,
      fmt::format("A is {}x{}, B {}x{}, C {}x{}, D {}x{} with {} inputs: the sizes do not "
                  "fit each other",
                  n,
                  linear.A.cols(),
                  linear.B.rows(),
                  linear.B.cols(),
                  linear.C.rows(),
                  linear.C.cols(),
                  outputs,
                  linear.D.cols(),
                  inputs));
  need_of_block(linear.initial.size() == 0 || linear.initial.size() == n,
                user,
                fmt::format("{} initial values for {} states", linear.initial.size(), n));
  for (const Eigen::MatrixXd* matrix : {&linear.A, &linear.B, &linear.C, &linear.D})
    check_finite(*matrix, user + ": a matrix");
  check_finite(linear.initial, user + ": initial");
}

void check_pid(const Block& block, PidBlock& pid, const std::string& user) {
  need_inputs(block, user, 1, 2);
  for (const double number :
       {pid.proportional, pid.integral, pid.derivative, pid.filter, pid.tracking_time, pid.initial})
    check_number(number, user, "a number");
  need_of_block(
      pid.min < pid.max, user, fmt::format("min {} is not below max {}", pid.min, pid.max));
  need_of_block(
      pid.derivative == 0.0 || block.inputs.size() > 1 || pid.filter > 0.0,
      user,
      "its derivative needs \"filter\", a time above 0, or \"rate\", the rate of its input");
  const bool has_limits = std::isfinite(pid.min) || std::isfinite(pid.max);
  if (pid.integral == 0.0 || !has_limits || pid.tracking_time > 0.0) {
    if (!(pid.tracking_time > 0.0)) pid.tracking_time = 1.0;  // any value; it has no effect
    return;
  }
  // the usual default: the geometric mean of integral and derivative time, or the integral time
  const double integral_time = pid.proportional / pid.integral;
  need_of_block(integral_time > 0.0,
                user,
                "it has limits and no integral time (proportional / integral): give "
                "\"tracking_time\", in which the integral returns from a limit");
  const double derivative_time = pid.derivative / pid.proportional;
  pid.tracking_time =
      derivative_time > 0.0 ? std::sqrt(integral_time * derivative_time) : integral_time;
}

void check_surface(const Block& block, const SurfaceBlock& surface, const std::string& user) {
  need_inputs(block, user, 2, 2);
  const auto rises = [](const std::vector<double>& x) {
    return std::adjacent_find(x.begin(), x.end(), [](double a, double b) { return !(a < b); }) ==
           x.end();
  };
  need_of_block(rises(surface.x) && rises(surface.y), user, "x or y does not rise");
  need_of_block(surface.z.rows() == static_cast<Index>(surface.x.size()) &&
                    surface.z.cols() == static_cast<Index>(surface.y.size()) &&
                    surface.z.size() > 0,
                user,
                fmt::format("z is {}x{} for {} x and {} y",
                            surface.z.rows(),
                            surface.z.cols(),
                            surface.x.size(),
                            surface.y.size()));
  check_finite(surface.z, user + ": z");
}

void check_sample(const Block& block, const SampleBlock& sample, const std::string& user) {
  need_inputs(block, user, 1, 1);
  need_of_block(sample.period > 0.0 && std::isfinite(sample.period),
                user,
                fmt::format("the period is {} s; expected a time above 0", sample.period));
  check_number(sample.offset, user, "the offset");
  check_number(sample.initial, user, "the initial value");
  constexpr int kMaxDelay = 100000;  // limits memory: each period of the delay stores a sample
  need_of_block(sample.delay >= 0 && sample.delay <= kMaxDelay,
                user,
                fmt::format("a delay of {} periods; expected 0 to {}", sample.delay, kMaxDelay));
}

void check_guest(const Block& block, const GuestBlock& guest, const std::string& user) {
  need_of_block(guest.guest != nullptr && guest.initial.size() > 0, user, "it has no output");
  need_of_block(guest.step > 0.0 && std::isfinite(guest.step),
                user,
                fmt::format("the step is {} s; expected a time above 0", guest.step));
  check_number(guest.offset, user, "the offset");
  check_finite(guest.initial, user + ": an output at the start");
  need_of_block(guest.repeats == 0 || (guest.is_linear && guest.guest->goes_back()),
                user,
                fmt::format("steps cannot be repeated: {} does not go back to a state it had, or "
                            "its outputs hold",
                            guest.file));
  need_of_block(static_cast<Index>(block.output_names.size()) == guest.initial.size(),
                user,
                "its outputs have no names");
}

void check_path(const Block& block, PathBlock& path, const std::string& user) {
  need_inputs(block, user, 4, 4);
  if (path.is_closed && ends_meet(path)) {
    path.x.pop_back();
    path.y.pop_back();
  }
  const std::size_t n = path.x.size();
  need_of_block(n == path.y.size() && n >= (path.is_closed ? 3U : 2U),
                user,
                fmt::format("{} x and {} y do not make a path", n, path.y.size()));
  path.way.assign(1, 0.0);
  for (std::size_t k = 0; k < n; ++k) {
    check_number(path.x[k] + path.y[k], user, "a point of the path");
    if (k + 1 == n && !path.is_closed) break;
    const std::size_t next = (k + 1) % n;
    const double length = std::hypot(path.x[next] - path.x[k], path.y[next] - path.y[k]);
    need_of_block(length > 0.0, user, fmt::format("points {} and {} are one", k + 1, next + 1));
    path.way.push_back(path.way.back() + length);
  }
}

/// Checks a block and computes the parameters that its law leaves to defaults.
void check_block(const Block& block, decltype(Block::law)& law, const std::string& user) {
  if (const auto* linear = std::get_if<LinearBlock>(&law)) {
    check_linear(block, *linear, user);
  } else if (auto* pid = std::get_if<PidBlock>(&law)) {
    check_pid(block, *pid, user);
  } else if (std::holds_alternative<TableBlock>(law)) {
    need_inputs(block, user, 1, 1);
  } else if (const auto* surface = std::get_if<SurfaceBlock>(&law)) {
    check_surface(block, *surface, user);
  } else if (const auto* relay = std::get_if<RelayBlock>(&law)) {
    need_inputs(block, user, 1, 1);
    need_of_block(relay->off < relay->on && std::isfinite(relay->on - relay->off),
                  user,
                  fmt::format("\"off\" {} is not below \"on\" {}", relay->off, relay->on));
    check_number(relay->low, user, "\"low\"");
    check_number(relay->high, user, "\"high\"");
  } else if (const auto* play = std::get_if<PlayBlock>(&law)) {
    need_inputs(block, user, 1, 1);
    need_of_block(play->width >= 0.0 && std::isfinite(play->width),
                  user,
                  fmt::format("the width is {}; expected 0 or more", play->width));
    check_number(play->initial, user, "the initial value");
  } else if (const auto* guest = std::get_if<GuestBlock>(&law)) {
    check_guest(block, *guest, user);
  } else if (auto* path = std::get_if<PathBlock>(&law)) {
    check_path(block, *path, user);
  } else {
    check_sample(block, std::get<SampleBlock>(law), user);
  }
}

/// True if an output depends on input `k` without delay. Input 1 of a PID block is the rate of its
/// input 0.
bool passes(const BlockModel& block, std::size_t k) {
  if (const auto* linear = std::get_if<LinearBlock>(&block.law))
    return !linear->D.col(static_cast<Index>(k)).isZero(0.0);
  if (const auto* pid = std::get_if<PidBlock>(&block.law))
    return k == 0 ? pid->proportional != 0.0 || (pid->derivative != 0.0 && block.inputs.size() < 2)
                  : pid->derivative != 0.0;
  return !std::holds_alternative<SampleBlock>(block.law) &&
         !std::holds_alternative<GuestBlock>(block.law);
}

/// True if a quantity depends on accelerations, and thus without delay on all forces and all
/// blocks.
bool follows_accelerations(const Probe& probe) {
  using What = Probe::What;
  return probe.is_acceleration() || probe.what == What::reaction_force ||
         probe.what == What::reaction_torque || probe.what == What::motion_multiplier ||
         probe.what == What::input_work;
}

}  // namespace

void Compiler::declare_blocks() {
  BlockNetwork& net = model_.network;
  for (const Block& block : system_.blocks) {
    const std::string user = fmt::format("block {}", block.name);
    check_name(block.name, "block");
    blocks_.emplace(block.name, static_cast<int>(net.blocks.size()));
    BlockModel b;
    b.name = block.name;
    b.unit = block.unit;
    b.output_names = block.output_names;
    b.output_units = block.output_units;
    b.law = block.law;
    check_block(block, b.law, user);
    if (const auto* path = std::get_if<PathBlock>(&b.law);
        path != nullptr && !path->is_closed && ends_meet(*path))
      warn("path-open",
           fmt::format("{}: the path ends where it begins but is open, so that its way jumps there "
                       "and it goes on straight; set \"closed\" to true for a ring",
                       user));
    b.state0 = model_.state_count;
    b.state_count = state_count(block);
    model_.state_count += b.state_count;
    b.output0 = net.output_count;
    b.output_count = output_count(block);
    net.output_count += b.output_count;
    b.input0 = net.input_count;
    // also a block without inputs takes one place, so that input0 is a valid index
    net.input_count += std::max(1, static_cast<int>(block.inputs.size()));
    if (const auto* sample = std::get_if<SampleBlock>(&b.law)) {
      b.event_count = sample->delay + 1;
      net.has_samples = true;
    } else if (std::holds_alternative<GuestBlock>(b.law)) {
      b.event_count = 1 + 2 * b.output_count;
      net.has_samples = true;
      net.guests.push_back(static_cast<int>(net.blocks.size()));
    } else if (std::holds_alternative<RelayBlock>(b.law) ||
               std::holds_alternative<PlayBlock>(b.law)) {
      b.event_count = 1;
      net.has_events = true;
    }
    if (b.event_count > 0) {
      b.event0 = model_.event_count;
      model_.event_count += b.event_count;
    }
    net.blocks.push_back(std::move(b));
  }
  net.state_count = model_.state_count;
  check_repeats();
}

// All guests repeat a step together, so their options must agree.
void Compiler::check_repeats() const {
  const BlockNetwork& net = model_.network;
  const auto law = [&](int k) -> const GuestBlock& {
    return std::get<GuestBlock>(net.blocks[static_cast<std::size_t>(k)].law);
  };
  const auto repeats = [&](int k) { return law(k).repeats > 0; };
  const auto found = std::find_if(net.guests.begin(), net.guests.end(), repeats);
  if (found == net.guests.end()) return;
  for (const int k : net.guests)
    if (law(k).step != law(*found).step || law(k).offset != law(*found).offset || !repeats(k))
      throw ModelError("block",
                       fmt::format("block {} repeats its steps and block {} does not, or at other "
                                   "times: guests of one system repeat their steps together",
                                   net.blocks[static_cast<std::size_t>(*found)].name,
                                   net.blocks[static_cast<std::size_t>(k)].name));
}

void Compiler::compile_blocks() {
  BlockNetwork& net = model_.network;
  for (std::size_t k = 0; k < net.blocks.size(); ++k) {
    BlockModel& block = net.blocks[k];
    const std::string user = fmt::format("block {}", block.name);
    for (const Value& input : system_.blocks[k].inputs)
      block.inputs.push_back(signal(input, user));
    for (std::size_t i = 0; i < block.inputs.size(); ++i) {
      const Signal& input = block.inputs[i];
      block.feeds_through = block.feeds_through || (!input.is_constant() && passes(block, i));
      for (std::size_t p = 1; p < input.probes.size(); ++p)  // probe 0 is the time
        check_block_probe(input.probes[p], input.function->variables()[p], user);
    }
  }
  order_blocks();
}

void Compiler::check_block_probe(const Probe& probe,
                                 const std::string& channel,
                                 const std::string& user) {
  using What = Probe::What;
  if (follows_accelerations(probe))
    throw ModelError(
        "algebraic-loop",
        fmt::format(
            "{}: '{}' follows the accelerations, and these follow the blocks", user, channel),
        {},
        "read positions, velocities, angles, forces or other blocks");
  if (probe.what != What::force_value && probe.what != What::force_vector &&
      probe.what != What::force_length && probe.what != What::wheel)
    return;
  const ForceModel& force = model_.forces[static_cast<std::size_t>(probe.index)];
  if (force.follows_blocks)
    throw ModelError(
        "algebraic-loop",
        fmt::format(
            "{}: '{}' reads force {}, which itself follows a block", user, channel, force.name),
        {},
        "read that block instead of the force");
  std::vector<int>& read = model_.network.forces;
  if (std::find(read.begin(), read.end(), probe.index) == read.end()) read.push_back(probe.index);
}

// Blocks whose outputs depend on states alone come first; each other block comes after the blocks
// that its inputs read. Blocks that cannot be ordered in this way form an algebraic loop.
void Compiler::order_blocks() {
  BlockNetwork& net = model_.network;
  const auto count = static_cast<int>(net.blocks.size());
  std::vector<char> is_done(net.blocks.size(), 0);
  const auto block_of = [&](int output) {
    int k = 0;
    while (output >= net.blocks[static_cast<std::size_t>(k)].output0 +
                         net.blocks[static_cast<std::size_t>(k)].output_count)
      ++k;
    return k;
  };
  // returns a block that is not ordered yet and on which an output of `block` depends without
  // delay; -1 if there is none
  const auto missing = [&](const BlockModel& block) {
    if (!block.feeds_through) return -1;
    for (const Signal& input : block.inputs)
      for (std::size_t p = 1; p < input.probes.size(); ++p)
        if (input.probes[p].what == Probe::What::block_output)
          if (const int other = block_of(input.probes[p].index);
              is_done[static_cast<std::size_t>(other)] == 0)
            return other;
    return -1;
  };
  while (static_cast<int>(net.order.size()) < count) {
    const std::size_t before = net.order.size();
    for (int k = 0; k < count; ++k) {
      const auto at = static_cast<std::size_t>(k);
      if (is_done[at] != 0 || missing(net.blocks[at]) >= 0) continue;
      is_done[at] = 1;
      net.order.push_back(k);
    }
    if (net.order.size() > before) continue;
    int at = 0;
    while (is_done[static_cast<std::size_t>(at)] != 0)
      ++at;
    // `at` may only read from the loop; after `count` steps from block to block it is part of it
    for (int k = 0; k < count; ++k)
      at = missing(net.blocks[static_cast<std::size_t>(at)]);
    std::string loop = net.blocks[static_cast<std::size_t>(at)].name;
    for (int k = missing(net.blocks[static_cast<std::size_t>(at)]); k != at;
         k = missing(net.blocks[static_cast<std::size_t>(k)]))
      loop += " <- " + net.blocks[static_cast<std::size_t>(k)].name;
    throw ModelError("algebraic-loop",
                     fmt::format("blocks follow each other at once in a loop: {} <- {}",
                                 loop,
                                 net.blocks[static_cast<std::size_t>(at)].name),
                     {},
                     "put a lag or a sample-and-hold into the loop");
  }
}

// Sets states and events of all blocks to their values at the start of a run.
void Compiler::set_first_blocks() {
  for (const BlockModel& block : model_.network.blocks) {
    auto states = model_.initial.force_states.segment(block.state0, block.state_count);
    if (const auto* linear = std::get_if<LinearBlock>(&block.law)) {
      if (linear->initial.size() > 0) states = linear->initial;
    } else if (const auto* pid = std::get_if<PidBlock>(&block.law)) {
      if (pid->integral != 0.0) states(0) = pid->initial;
    }
    if (block.event0 < 0) continue;
    auto events = model_.initial.events.segment(block.event0, block.event_count);
    if (const auto* relay = std::get_if<RelayBlock>(&block.law)) {
      events.setConstant(relay->is_high ? 1.0 : 0.0);
    } else if (const auto* play = std::get_if<PlayBlock>(&block.law)) {
      events.setConstant(play->initial);
    } else if (const auto* guest = std::get_if<GuestBlock>(&block.law)) {
      events.setZero();
      events(0) = kNotBegun;
      events.segment(1, block.output_count) = guest->initial;
    } else {
      events.setConstant(std::get<SampleBlock>(block.law).initial);
    }
  }
}

// Lets a motion follow the output of a block. A motion needs two derivatives of its value. The
// output y = C x + D u of a linear block has them if D = 0 and C B = 0 in its row.
void Compiler::follow_block(MotionModel& motion, const std::string& user) {
  const auto refuse = [&](const std::string& why) {
    throw ModelError("motion-value",
                     fmt::format("{}: {}", user, why),
                     {},
                     "a motion is a formula in t alone, or the name of a linear block whose output "
                     "has two derivatives, such as a second-order-lag");
  };
  const Value& value = *motion.value.function;
  const Probe& probe = motion.value.probes.back();
  // probe 0 is the time, probe 1 must be the output
  if (motion.value.probes.size() != 2 || probe.what != Probe::What::block_output)
    refuse("it follows a channel");
  const auto& formula = std::get<laws::Formula>(value.f);
  const std::string& name = formula.variables().back();
  if (formula.text() != name && formula.text() != "[" + name + "]")
    refuse(fmt::format("'{}' is more than the name of a block", formula.text()));
  for (const BlockModel& block : model_.network.blocks) {
    const Index row = probe.index - block.output0;
    if (row < 0 || row >= block.output_count) continue;
    const auto* linear = std::get_if<LinearBlock>(&block.law);
    if (linear == nullptr) refuse(fmt::format("block {} is not linear", block.name));
    const double size = linear->C.row(row).cwiseAbs().sum() * linear->B.cwiseAbs().sum();
    constexpr double kRoundOffOfProduct = 1e-14;  // of a sum of a few products, relative to `size`
    if (!linear->D.row(row).isZero(0.0) ||
        !((linear->C.row(row) * linear->B).cwiseAbs().maxCoeff() <= kRoundOffOfProduct * size))
      refuse(fmt::format("the output of block {} jumps, or its rate does, where its input jumps",
                         block.name));
  }
  motion.block_output = probe.index;
  model_.network.drives_motions = true;
}

}  // namespace femflex::mbd_solver
