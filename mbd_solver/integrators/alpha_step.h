// AlphaStep: one step of generalised-alpha. Extrapolates, corrects by Newton's method with a matrix
// that is kept from step to step, and writes the solution to a state.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "femflex/mbd_solver/simulate.h"

#include "integrators/alpha_rule.h"
#include "integrators/engine.h"
#include "spatial/spin.h"

namespace femflex::mbd_solver {

class StickSlip;

/// Solves the equations of a step of Lie-group generalised-alpha for the index-3 equations, with
/// dynamic rows scaled by beta h^2. eq. (21-23), [Chung 1993]; multipliers as in [Arnold 2007],
/// rotations as in [Bruls 2010]. Within a step, the angular velocity of a spinning body is
/// expressed in axes that do not spin: the axes of the body at the start of the step. eq. (26b)
class AlphaStep {
 public:
  AlphaStep(Engine& engine, const DynamicOptions& options, const StickSlip& stick_slip);

  /// Takes what State::memory holds of the step before and of the kept matrix, and nothing else.
  void restore(const State& state);
  void store(StepMemory& memory) const;
  /// Sets the first algorithmic acceleration to vdot at t0 + h (alpha_m - alpha_f), computed by a
  /// small step of the index-1 form. Then lambda is accurate to second order from the first step
  /// on. Modes that are too fast for the small step keep vdot of t0.
  void start_acceleration(State& state, double step);
  /// Finds the rates of the counted angles of joints at the state of the workspace.
  void find_turn_rates();

  /// Solves the step from `state` to t = state.time + h by Newton's method with the kept matrix.
  /// Returns false if it fails; reason() then says why.
  bool solve(const State& state, double h, double t);
  /// The same with a new matrix in every iteration, and without the step before.
  bool solve_anew(const State& state, double h, double t);
  /// The same with a regularisation eps that keeps the multipliers of vanishing rows at their
  /// extrapolated values. eq. (28). The solution of a regular system is not changed.
  bool solve_across(const State& state, double h, double t);
  /// A step too short to be solved, with the accelerations at its start.
  void extrapolate(const State& state, double h, double t);

  /// Sets the workspace to the end of the solved step, after the last correction.
  void set_workspace(const State& state);
  /// The solved step, as long as its state is not changed.
  SolvedStep solved(const State& state, double h, double t) const;
  /// Writes the solved step to the state.
  void write(State& state, double h, double t);

  /// How far Newton's method moved from the extrapolation, by Engine::size_of().
  double moved();
  /// Local error of q, h^2 |beta - 1/6| |a1 - a0| [Zienkiewicz 1991], with a0 and a1 the
  /// accelerations at both ends of the step.
  double local_error(double h);
  /// The corrections of which one of the last two, or solve(), computed the size.
  const Eigen::VectorXd& change() const { return x_; }
  const Eigen::VectorXd& multipliers() const { return lambda_; }

  /// Whether the step before is known, from which the next one extrapolates.
  bool has_previous() const { return has_previous_; }
  void forget_previous() { has_previous_ = false; }
  void forget_matrix() { has_matrix_ = false; }
  /// Forgets which rows of the constraints are redundant, because there are others now.
  void forget_redundant_rows() { knows_redundant_ = false; }

  const std::string& reason() const { return reason_; }
  std::int64_t iterations() const { return iterations_; }

 private:
  void restore_matrix(const State& state);
  bool make_matrix(double h);
  void find_self_loads();
  void begin(const State& state, double step);
  void expect_turns(const State& state, double h);
  void place(const State& state);
  StepUnknowns unknowns() { return {dq_, v_, vdot_, a_, lambda_}; }
  void predict(const State& state, double h);
  double state_gain(double h) const;
  bool has_converged(int k, double size, double rate, double h) const;
  bool finish(int k, double t);

  Engine& engine_;
  const DynamicOptions& options_;
  const StickSlip& stick_slip_;
  const AlphaRule rule_;
  SpinAxes spin_axes_;
  std::string reason_;
  std::int64_t iterations_ = 0;
  std::vector<Spin> spins_;     // in the present step, computed from its last iterate
  Eigen::VectorXd turn_rates_;  // rates of State::joint_angles; empty if no angle is counted
  // accelerations at the start of the step, in axes that do not spin
  Eigen::VectorXd vdot_start_, a_start_;
  PlacedStep placed_;  // positions, velocities and accelerations that follow from dq_, v_ and vdot_
  double last_h_ = 0.0, factored_h_ = 0.0, rate_ = 0.0;
  bool has_matrix_ = false, has_previous_ = false, full_newton_ = false;
  double matrix_time_ = 0.0;
  // point at which the kept matrix was built
  Eigen::VectorXd matrix_q_, matrix_v_, matrix_turns_, matrix_states_;
  bool knows_redundant_ = false;
  std::vector<int> redundant_;  // redundant rows of Phi, found with the first matrix
  // loads that cancel each other, orthonormal, one per redundant row
  std::vector<Eigen::VectorXd> self_loads_;
  Eigen::VectorXd dq_, predicted_, v_, vdot_, vdot_before_, a_, x_, lambda_, lambda_before_, y_;
};

}  // namespace femflex::mbd_solver
