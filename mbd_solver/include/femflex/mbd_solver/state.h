// The state of a system at one time, and the report of how assembly made it consistent.
#pragma once

#include <string>
#include <vector>

#include <Eigen/Core>

namespace femflex::mbd_solver {

/// Data of an implicit integrator beyond the motion, stored so that a resumed run repeats the same
/// steps bit for bit. A default-constructed object means a fresh start.
struct StepMemory {
  double step = 0.0;  ///< [s] length of the last step; 0: no step yet, so no extrapolation
  Eigen::VectorXd acceleration_before;  ///< State::acceleration one step earlier
  Eigen::VectorXd multipliers_before;   ///< State::multipliers one step earlier
  double correction = 0.0;              ///< typical size of recent Newton corrections
  double power = 0.0;  ///< [W] power of all forces without a potential, at the end of the last step
  double rate = 0.0;   ///< ratio of successive Newton corrections with the kept matrix
  double matrix_step = 0.0;  ///< [s] step length of the kept iteration matrix; 0: none is kept
  double matrix_time = 0.0;  ///< [s] time at which the kept matrix was built
  /// position, velocity and joint_angles for which the kept matrix was built
  Eigen::VectorXd matrix_position, matrix_velocity, matrix_turns;
  Eigen::VectorXd matrix_states;  ///< constants c of the rule z = c + gain z' for force states
};

/// The state of a system at one time, with all data that an integrator needs to continue bit for
/// bit. Bodies are in the order of System::bodies.
struct State {
  double time = 0.0;  ///< [s]
  /// per body: reference point p_W (3), quaternion w x y z (4), the solver's modal coordinates (n)
  Eigen::VectorXd position;
  /// per body: the free components of velocity in W (3) and angular velocity in B (3), then the
  /// modal rates (n)
  Eigen::VectorXd velocity;
  Eigen::VectorXd acceleration;  ///< same order as velocity
  /// generalised-alpha's auxiliary acceleration; empty for other integrators
  Eigen::VectorXd algorithmic_acceleration;
  Eigen::VectorXd multipliers;   ///< one per constraint row
  Eigen::VectorXd joint_angles;  ///< [rad] of joints and hinges that count turns, beyond +-pi
  Eigen::VectorXd events;        ///< broken springs (1, else 0), memory of blocks, friction modes
  /// first-order states of forces: z' = f(q, v, t, z), force after force
  Eigen::VectorXd force_states;
  Eigen::VectorXd force_state_rates;  ///< z', used by generalised-alpha
  /// generalised-alpha's auxiliary rates of the force states; empty for other integrators
  Eigen::VectorXd algorithmic_rates;
  std::vector<std::string> guests;  ///< bytes of each guest's state; empty if the guest cannot save
                                    ///< it
  double work = 0.0;  ///< [J] work of all forces without a potential, since the run began
  StepMemory memory;  ///< used by generalised-alpha
};

/// How far assembly moved the system to make the initial conditions consistent.
struct AssemblyReport {
  double position_change = 0.0;  ///< largest move of a reference point [m] or turn [rad]
  double velocity_change = 0.0;  ///< largest change of a velocity [m/s] or angular velocity [rad/s]
  double constraint_before = 0.0;      ///< largest constraint residual before assembly
  double constraint_after = 0.0;       ///< largest constraint residual after assembly
  std::vector<std::string> redundant;  ///< the joint of each redundant constraint row
  int degrees_of_freedom = 0;
};

}  // namespace femflex::mbd_solver
