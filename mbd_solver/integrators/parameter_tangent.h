// ParameterTangent: the derivative of a run with respect to one parameter, advanced with the steps
// of the run. Used by run_tangent.cpp. It holds the tangent (derivative) of the state and two
// changed systems, with a slightly larger and a slightly smaller value of the parameter.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "femflex/mbd_solver/run_tangent.h"

#include "integrators/alpha_rule.h"
#include "integrators/engine.h"
#include "integrators/integrator.h"

namespace femflex::mbd_solver {

/// Derivative of a State with respect to a parameter. Changes of positions are translations in W
/// and rotations in B.
struct StateTangent {
  Eigen::VectorXd position, velocity, acceleration, algorithmic_acceleration, multipliers;
  Eigen::VectorXd force_states, force_state_rates, algorithmic_rates;
  double work = 0.0;
};

/// The run itself at the end of a step: kinematics, G (Jacobian of the constraints) and the matrix
/// that solves for tangents.
struct StepCentre {
  explicit StepCentre(const Model& model) : engine(model) {}
  /// Evaluates everything at the solution of a step; builds a new matrix if the kept one converges
  /// too slowly.
  /// @return false if the matrix cannot be factored
  bool set(const SolvedStep& step);
  bool make_matrix(const SolvedStep& step);

  Engine engine;
  PlacedStep placed;
  std::vector<Spin> spins;
  double matrix_step = 0.0;  // [s] step for which the matrix was built; 0: there is no matrix
  double rate = 0.0;         // worst convergence rate with this matrix so far
  bool is_fresh = false;     // the matrix was made at this step
};

/// The tangent of one parameter. It solves the linearised equations of each step. Derivatives along
/// the tangent are differences between the two changed systems, moved along the tangent.
class ParameterTangent {
 public:
  /// @throws ModelError  the parameter changes the bodies, joints or forces of the system
  ParameterTangent(const TangentParameter& parameter,
                   const Model& model,
                   const DynamicOptions& options);

  /// The first time of a jump or kink of a load or motion that depends on the parameter.
  std::optional<double> moving_switch() const;
  /// Starts a run: the tangent is the derivative of the initial state.
  void start();
  /// Continues from a state at which loads have jumped: accelerations are recomputed; positions and
  /// velocities are unchanged. Returns false if there are no accelerations.
  /// @param is_fresh  of StepFollower::start()
  bool restart(const State& state, bool is_fresh);
  /// Advances the tangent to the end of a step. Returns false if the iteration does not converge.
  bool follow(const SolvedStep& step, StepCentre& centre);
  /// Advances the tangent by a step that both changed systems repeat, each from the state of the
  /// run moved along the tangent; the tangent is their difference. Returns false if a step fails.
  bool repeat(const State& from, double h, double t);
  /// Derivatives of the outputs at the present state.
  void read_outputs(const State& state, Eigen::Ref<Eigen::VectorXd> slopes);
  /// Reduces the change of the parameter if a move along the tangent is long.
  void adapt(const Engine& engine);

  std::int64_t iterations() const { return iterations_; }

 private:
  /// The system with one of the two changed values of the parameter.
  struct Side {
    Side(ChangedSystem changed, const DynamicOptions& given);
    ChangedSystem changed;
    std::unique_ptr<Model> model;
    std::unique_ptr<Engine> engine;
    DynamicOptions options;
    std::unique_ptr<TimeIntegrator> integrator;
    State state;
    std::vector<Spin> spins;
    Eigen::VectorXd vdot_start, a_start, dq, v, vdot, lambda;
    PlacedStep placed;
  };
  void make_sides(bool is_first);
  /// Reduces the change of the parameter if a move along the tangent exceeds `longest`.
  void shorten(double longest, const Engine& engine);
  TimeIntegrator& integrator_of(Side& side);
  /// Computes the tangent, except that of work, from the states of both sides.
  void take_tangent();
  void move_sides(const State& state);
  StepUnknowns unknowns() { return {dq_, v_, vdot_, a_, lambda_}; }
  void predict(const SolvedStep& step);
  /// Moves one side to the end of the step by its tangent times `amount`.
  void place_side(const SolvedStep& step, Side& side, double amount) const;
  void evaluate(const SolvedStep& step, Side& side, double amount);
  /// Tangent of the positions at the end of the step, as translations and rotations.
  void position_tangent(const SolvedStep& step, Eigen::VectorXd& out) const;
  void finish(const SolvedStep& step, const StepCentre& centre);

  const TangentParameter& parameter_;
  const Model& model_;
  const DynamicOptions& options_;
  double change_;
  std::vector<std::unique_ptr<Side>> sides_;  // with the larger value, with the smaller value
  StateTangent tangent_;
  bool has_before_ = false;
  double last_h_ = 0.0, last_power_ = 0.0, scale_ = 0.0;
  Eigen::VectorXd vdot_before_, lambda_before_;  // tangents one step earlier
  Eigen::VectorXd vdot_start_, a_start_;         // tangents at the start of the step
  Eigen::VectorXd dq_, v_, vdot_, a_, lambda_;   // tangents at the end of the step
  Eigen::VectorXd phi_slope_, sigma_, x_, y_, shift_;
  std::int64_t iterations_ = 0;
};

}  // namespace femflex::mbd_solver
