// Small vibrations about a state: reduced matrices, eigenvalues and mode shapes, derivatives of
// channels, and frequency responses.
#pragma once

#include <complex>
#include <vector>

#include <Eigen/Core>

#include "femflex/diagnostics.h"
#include "femflex/mbd_solver/results.h"
#include "femflex/mbd_solver/state.h"
#include "femflex/mbd_solver/system.h"

namespace femflex::mbd_solver {

/// One eigenvalue of a linearised system and its mode shape.
struct SystemMode {
  std::complex<double> eigenvalue;  ///< [1/s], the one with imaginary part >= 0
  double frequency_hz = 0.0;        ///< |eigenvalue| / 2 pi
  double damping_ratio = 0.0;       ///< -re / |eigenvalue|
  /// true: neither stiffness nor damping resists the motion; the eigenvalue 0 is double
  bool is_free = false;
  Eigen::VectorXcd shape;  ///< one entry per velocity coordinate of State
};

/// The equations of small motions about a state, in the directions that the constraints leave free:
/// mass x'' + damping x' + stiffness x + force_by_states z = forces,
/// velocity = free_directions x' + turning x,
/// z' = rates_by_position x + rates_by_velocity x' + rates_by_states z for the states z of forces.
struct Linearisation {
  Eigen::MatrixXd mass, damping, stiffness;
  Eigen::MatrixXd free_directions;  ///< N (velocities x DOFs)
  Eigen::MatrixXd turning;          ///< follows from axes that turn with the bodies; zero about
                                    ///< rest
  Eigen::MatrixXd force_by_states;
  Eigen::MatrixXd rates_by_position, rates_by_velocity, rates_by_states;
  std::vector<SystemMode> modes;  ///< in ascending order of frequency
};

/// Linearises about `state`, with its positions, velocities, accelerations and multipliers: about
/// rest, or about a steady motion, in which each body turns at a constant rate and wheels spin on
/// the bodies that carry them. Warns of a motion that is not steady.
Linearisation linearise(const System& system, const State& state, Diagnostics& diagnostics);

/// Derivatives of each channel of `system.outputs` with respect to small motions. A row is also the
/// generalised force of a unit force (of a unit moment, for an angle) that acts along its channel.
struct ChannelJacobian {
  std::vector<Channel> channels;
  Eigen::MatrixXd rows;  ///< channels x velocity coordinates, by central differences
};
ChannelJacobian channel_jacobian(const System& system,
                                 const State& state,
                                 Diagnostics& diagnostics);

/// Response of `output`, a linear combination of small motions along the velocity coordinates, to
/// the harmonic generalised force `load`: output' N (stiffness + i w damping - w^2 mass)^-1 N' load
/// with N the free directions and w the angular frequency. Force states are included.
Eigen::VectorXcd frequency_response(const Linearisation& system,
                                    const Eigen::VectorXd& load,
                                    const Eigen::VectorXd& output,
                                    const Eigen::VectorXd& frequencies_hz);

}  // namespace femflex::mbd_solver
