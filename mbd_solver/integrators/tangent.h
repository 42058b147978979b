// Derivatives of the equations of motion at a state: the matrices M, C, K and the Jacobian G.
#pragma once

#include <Eigen/Core>

#include "integrators/engine.h"

namespace femflex::mbd_solver {

/// Derivatives of F(q, v, a) + G(q)' lambda at a state by differences, as dense matrices, and G. If
/// `is_moving` is false, computes only K and G, for a state without velocity and acceleration.
struct Tangent {
  Eigen::MatrixXd M, C, K;  ///< derivatives by a, v and q; changes of q as in move()
  Eigen::MatrixXd G;        ///< (multipliers x velocities)
  // derivatives that involve force states z; only if `is_moving`
  Eigen::MatrixXd force_by_states;    ///< derivative of F with respect to z
  Eigen::MatrixXd rates_by_position;  ///< derivatives of z' with respect to q, v and z
  Eigen::MatrixXd rates_by_velocity, rates_by_states;
};
Tangent tangent(Engine& engine, const State& state, bool is_moving = true);

/// The Jacobian G of the constraints as a dense matrix, from the blocks of engine.ws.
Eigen::MatrixXd dense_jacobian(const Engine& engine);

}  // namespace femflex::mbd_solver
