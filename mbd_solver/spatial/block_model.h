// BlockModel: a block of control compiled for computation, with its place among the states, events
// and outputs of the model.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "femflex/mbd_solver/blocks.h"

#include "spatial/signal.h"

namespace femflex::mbd_solver {

/// Stored as the time of the last exchange while a guest (an imported FMU) has not started.
constexpr double kNotBegun = -1e300;

/// A block compiled for computation.
struct BlockModel {
  std::string name, unit;
  std::vector<std::string> output_names, output_units;
  decltype(Block::law) law;
  std::vector<Signal> inputs;
  int state0 = 0, state_count = 0;    // in State::force_states
  int output0 = 0, output_count = 1;  // in Workspace::block_outputs
  int input0 = 0;                     // in Workspace::block_inputs
  // in State::events: the mode of a relay, the position of a play, the samples that a sampled block
  // still delays (the last one is its output), the state of a guest (integrators/guests.h)
  int event0 = -1, event_count = 0;
  bool feeds_through = false;  // an output depends on an input without delay
};

/// The blocks of a model.
struct BlockNetwork {
  std::vector<BlockModel> blocks;
  std::vector<int> order;  // of evaluation: outputs that depend on states alone come first
  int state_count = 0;     // block states, which come first in State::force_states
  int output_count = 0, input_count = 0;
  std::vector<int> forces;      // forces whose load is an input of a block
  bool has_events = false;      // relays or plays
  bool has_samples = false;     // blocks with a period
  std::vector<int> guests;      // blocks that are guests
  bool drives_motions = false;  // an output prescribes the motion of a joint
};

}  // namespace femflex::mbd_solver
