// The balance of forces of a state at rest: what the joints carry and what is left unbalanced.
// Statics takes it. Equations: docs/theory/multibody.md section 8.
#pragma once

#include <Eigen/Core>

#include "integrators/engine.h"

namespace femflex::mbd_solver {

// [s] gain g in the rule z = c + g z' for force states, so large that z' = 0: each state takes its
// final value at rest; a state with z' = 0 keeps its value
inline constexpr double kRestingTime = 1e12;

/// Forces at rest, the constraint multipliers that balance them, and the unbalanced force on the
/// free directions.
struct Balance {
  Eigen::VectorXd force, lambda;
  Eigen::VectorXd
      unbalanced;      // forces that the constraints do not carry, times the coordinates' units [J]
  double scale = 1.0;  // scale of the forces times the coordinates' units [J]
  Eigen::MatrixXd G;
};

/// Computes the balance at the position of a state, with the velocity that leads there from the
/// initial position in kRestingTime, and sets velocity and multipliers of the state.
Balance balance_at_rest(Engine& engine, State& state);

/// Adds to K the stiffness of the force states, whose rates depend on the way from the initial
/// position.
void add_stiffness_of_states(Engine& engine, const State& state, Eigen::MatrixXd& K);

}  // namespace femflex::mbd_solver
