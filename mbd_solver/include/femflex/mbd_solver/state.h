#pragma once

#include <string>
#include <vector>

#include <Eigen/Core>

namespace femflex::mbd_solver {

/// What an implicit integrator carries from step to step in addition to the motion, so that a
/// resumed run makes the same steps to the last bit. Empty: a fresh start.
struct StepMemory {
  double step = 0.0;                    ///< [s] the last one; 0: none, no extrapolation
  Eigen::VectorXd acceleration_before;  ///< one step back
  Eigen::VectorXd multipliers_before;   ///< one step back
  double correction = 0.0;              ///< size of recent Newton corrections
  double power = 0.0;                   ///< [W] of what has no potential, at the end of that step
  double rate = 0.0;                    ///< convergence of Newton's method with the kept matrix
  double matrix_step = 0.0;             ///< [s] step of the kept matrix; 0: none is kept
  double matrix_time = 0.0;             ///< [s] time at which it was made
  Eigen::VectorXd matrix_position, matrix_velocity, matrix_turns;
};

/// The state of a system at one time: all that an integrator needs to continue bit for bit. Bodies
/// in the order of System::bodies.
struct State {
  double time = 0.0;  ///< [s]
  /// per body: reference point p_W (3), quaternion w x y z (4), the solver's modal coordinates (n)
  Eigen::VectorXd position;
  /// per body: the free components of velocity in W (3) and angular velocity in B (3), then modal
  /// rates
  Eigen::VectorXd velocity;
  Eigen::VectorXd acceleration;              ///< as velocity
  Eigen::VectorXd algorithmic_acceleration;  ///< generalised-alpha's own; empty elsewhere
  Eigen::VectorXd multipliers;               ///< one per constraint row
  Eigen::VectorXd joint_angles;  ///< continuous angles of joints and hinges that count turns [rad]
  Eigen::VectorXd events;        ///< one per spring that can break: 1 once it broke, 0 before
  double work = 0.0;             ///< [J] of what has no potential, since the run began
  StepMemory memory;             ///< of generalised-alpha
};

/// How far assembly moved the system to make the initial conditions consistent.
struct AssemblyReport {
  double position_change = 0.0;  ///< largest move of a reference point [m] or turn [rad]
  double velocity_change = 0.0;  ///< largest change of a velocity [m/s, rad/s]
  double constraint_before = 0.0;
  double constraint_after = 0.0;
  std::string moved_body;              ///< the body that moved most
  std::vector<std::string> redundant;  ///< joints that hold redundant rows, "pin (row 3)"
  int degrees_of_freedom = 0;
};

}  // namespace femflex::mbd_solver
