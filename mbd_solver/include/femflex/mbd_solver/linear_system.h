// A system linearised about rest or a steady motion: matrices A, B, C, D with named states, inputs
// and outputs; its sampled form, and its reduction by balanced truncation.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "femflex/diagnostics.h"
#include "femflex/mbd_solver/results.h"
#include "femflex/mbd_solver/state.h"
#include "femflex/mbd_solver/system.h"

namespace femflex::mbd_solver {

/// How an input acts: as a load, which a linear model follows; to first order about the state, for
/// example as a stiffness; or not at all to first order, for example as a damping at rest.
enum class InputEffect : std::uint8_t { load, to_first_order, none };

/// x' = rates0 + A x + B (u - u0), y = y0 + C x + D (u - u0), with x = 0 at the state of
/// linearisation. A sampled system has x(k+1) = rates0 + A x(k) + B (u(k) - u0) instead.
struct LinearSystem {
  Eigen::MatrixXd A, B, C, D;
  Eigen::VectorXd u0, y0;            ///< inputs and outputs at the state of linearisation
  Eigen::VectorXd rates0;            ///< zero if that state is one of equilibrium
  std::vector<std::string> movers;   ///< what moves with rates0, for messages
  std::vector<InputEffect> effects;  ///< of each input
  std::vector<std::string> states;   ///< "mode/1", ..., "mode/1/rate", ..., "servo/state/1", ...
  std::vector<std::string> inputs;
  std::vector<Channel> outputs;
  double step = 0.0;  ///< [s] between samples; 0: continuous
};

/// Linearises about a state at rest or a steady motion, in coordinates of the undamped modes with
/// unit generalised mass. Outputs are the channels of `system.outputs`. A channel that the steady
/// motion itself changes, such as the distance travelled by a vehicle, is measured from its value
/// in the steady motion.
/// @param inputs  names of System::inputs; channels of positions or angles, along which a unit
/// force or moment acts; outputs of blocks, to which the input is added
/// @throws ModelError  an input is none of these, or a motion follows an input
/// @throws NumericalError  see linearise()
LinearSystem linear_system(const System& system,
                           const State& state,
                           const std::vector<std::string>& inputs,
                           Diagnostics& diagnostics);

/// Warns if the state of linearisation is not one of equilibrium, and names what moves there.
/// @param consequence  what the matrices do about it
void warn_of_movers(const LinearSystem& system,
                    const std::string& consequence,
                    Diagnostics& diagnostics);

/// The system at the times k step, with inputs held between them.
/// @throws UsageError  the step is not above 0, or the system is sampled already
LinearSystem sampled(const LinearSystem& system, double step);

/// A reduced system and what the reduction may change.
struct BalancedSystem {
  LinearSystem system;
  Eigen::VectorXd hankel;  ///< Hankel singular values of all states, falling
  double bound = 0.0;      ///< upper bound of the gain of the error at any frequency
};
/// Keeps the `order` states with the largest Hankel singular values [Moore 1981]. The gain of the
/// error is at most twice the sum of the other Hankel singular values [Glover 1984].
/// @throws UsageError      the order is not 1 to the number of states, or the system is sampled
/// @throws NumericalError  the system is not asymptotically stable
BalancedSystem balanced(const LinearSystem& system, int order);

}  // namespace femflex::mbd_solver
