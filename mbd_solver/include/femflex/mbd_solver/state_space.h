// A system at rest as a linear one with inputs and outputs: the matrices A, B, C, D.
#pragma once

#include <string>
#include <vector>

#include <Eigen/Core>

#include "femflex/diagnostics.h"
#include "femflex/mbd_solver/results.h"
#include "femflex/mbd_solver/state.h"
#include "femflex/mbd_solver/system.h"

namespace femflex::mbd_solver {

/// x' = A x + B (u - u0), y = y0 + C x + D (u - u0): x holds the coordinates of the undamped modes,
/// their rates, and the states of forces; u the inputs of the system, y its channels.
struct StateSpace {
  Eigen::MatrixXd A, B, C, D;
  Eigen::VectorXd u0, y0;
  std::vector<std::string> states;  ///< "mode/1", ..., "mode/1/rate", ..., "state/1", ...
  std::vector<Channel> channels;
};

/// Linearises about a state at rest. The modes have unit generalised mass.
/// @throws ModelError      the system moves, a motion follows an input, or a body has no mass
/// @throws NumericalError  see linearise()
StateSpace state_space(const System& system, const State& state, Diagnostics& diagnostics);

}  // namespace femflex::mbd_solver
