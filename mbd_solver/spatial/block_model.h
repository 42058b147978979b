// BlockModel: a block of control compiled for computation, with its indices in the lists of states,
// events and outputs. BlockNetwork: all blocks of a Model.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "femflex/mbd_solver/blocks.h"

#include "spatial/signal.h"

namespace femflex::mbd_solver {

/// Time of the last exchange of a guest (an imported FMU) that has not started.
constexpr double kNotBegun = -1e300;

struct BlockModel {
  std::string name, unit;
  std::vector<std::string> output_names, output_units;
  decltype(Block::law) law;
  std::vector<Signal> inputs;
  int state0 = 0, state_count = 0;    // indices in State::force_states
  int output0 = 0, output_count = 1;  // indices in Workspace::block_outputs
  int input0 = 0;                     // index in Workspace::block_inputs
  // indices in State::events of: the mode of a relay, the position of a play, the delayed samples
  // of a sampled block (the last one is its output), the state of a guest (integrators/guests.h)
  int event0 = -1, event_count = 0;
  bool feeds_through = false;  // true: an output depends on an input without delay
};

/// The blocks of a model.
struct BlockNetwork {
  std::vector<BlockModel> blocks;
  std::vector<int> order;  // order of evaluation: outputs that depend only on states come first
  int state_count = 0;     // number of block states; they come first in State::force_states
  int output_count = 0, input_count = 0;
  std::vector<int> forces;      // forces whose load is an input of a block
  bool has_events = false;      // relays or plays
  bool has_samples = false;     // blocks with a period
  std::vector<int> guests;      // blocks that are guests
  bool drives_motions = false;  // true: an output prescribes a motion
};

}  // namespace femflex::mbd_solver
