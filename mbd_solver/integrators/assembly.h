// Assembly: makes an initial state consistent with joints, motions and massless bodies.
#pragma once

#include <string>

#include "femflex/diagnostics.h"
#include "femflex/mbd_solver/simulate.h"

#include "integrators/engine.h"

namespace femflex::mbd_solver {

/// How far a body moved: its reference point, or its orientation, whichever is the larger number.
struct BodyMove {
  std::string body;
  double size = 0.0;  ///< [m], or [rad] if `is_turn`
  bool is_turn = false;

  std::string size_text() const;  ///< "0.157 m", "0.2 rad"
};
BodyMove move_of(const BodyModel& body, const Eigen::VectorXd& from, const Eigen::VectorXd& to);
/// The move of the body that moves most.
BodyMove largest_move(const Model& model, const Eigen::VectorXd& from, const Eigen::VectorXd& to);
/// @param cause  what moves the bodies, in words: "the joints"
/// @throws ModelError  a body with initial_fixed moves
void require_fixed_bodies(const Model& model,
                          const System& system,
                          const Eigen::VectorXd& from,
                          const Eigen::VectorXd& to,
                          const char* cause);

/// Makes the state consistent by projection; fills the report.
/// @throws NumericalError  the joints of a loop cannot be closed
/// @throws ModelError      a fixed body would have to move, or a massless body moves freely
State assemble(Engine& engine,
               const System& system,
               double t,
               AssemblyReport& report,
               Diagnostics& diagnostics);

/// Prepares a state of rest for a run: velocities that agree with joints and motions, and the
/// accelerations. Nothing changes if nothing moves.
/// @throws NumericalError  joints and motions contradict each other
void set_in_motion(Engine& engine,
                   const System& system,
                   RestartVelocity velocity,
                   State& state,
                   AssemblyReport& report,
                   Diagnostics& diagnostics);

/// Removes what an implicit integrator keeps of its last steps.
void forget_steps(State& state);

}  // namespace femflex::mbd_solver
