// Frequency responses and mode shapes of a linearised system for channels. The verb linearise uses
// them.
#pragma once

#include <string>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/mbd_solver/linearise.h"

#include "document/json.h"
#include "document/table.h"

namespace femflex::tools {

/// Displacement (or angle) along `output` for a unit force (or moment) along `input`.
struct Response {
  std::string input, output;
  Eigen::VectorXd hz;
  Eigen::VectorXcd value;
};

/// An input channel and the outputs whose responses to it are requested.
struct ResponseRequest {
  std::string input;
  std::vector<std::string> outputs;
};

/// @throws UsageError  no such channel, or a channel that does not depend on positions
std::vector<Response> responses_of(const mbd_solver::System& system,
                                   const mbd_solver::State& state,
                                   const mbd_solver::Linearisation& linear,
                                   const std::vector<ResponseRequest>& wanted,
                                   const Eigen::VectorXd& hz,
                                   Diagnostics& diagnostics);
Json responses_json(const std::vector<Response>& responses);
/// A table of magnitudes and phases [deg].
TextTable responses_table(const std::vector<Response>& responses);

/// Mode shapes at the positions and angles among a system's outputs.
struct ModeShapes {
  std::vector<std::string> channels;
  Eigen::MatrixXcd values;  ///< (channels x modes)
};
ModeShapes shapes_of(const mbd_solver::System& system,
                     const mbd_solver::State& state,
                     const std::vector<mbd_solver::SystemMode>& modes,
                     Diagnostics& diagnostics);

/// Adds "shape" to each mode of a list: { channel: [re, im] }.
void add_shapes(const ModeShapes& shapes, Json& list);

}  // namespace femflex::tools
