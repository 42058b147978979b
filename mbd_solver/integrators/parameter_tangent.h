// The derivative of a run by one parameter, carried from step to step: the tangent of the state,
// and the same system with a slightly larger and a slightly smaller value of the parameter.
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

/// Derivative of a State by a parameter. Positions are increments on the group: translations in W,
/// rotations in B.
struct StateTangent {
  Eigen::VectorXd position, velocity, acceleration, algorithmic_acceleration, multipliers;
  Eigen::VectorXd force_states, force_state_rates, algorithmic_rates;
  double work = 0.0;
};

/// The run itself at the end of a step: kinematics, G and the matrix that solves for tangents.
struct StepCentre {
  explicit StepCentre(const Model& model) : engine(model) {}
  /// Computes everything at the solution of a step; makes a new matrix if the old one is no good.
  /// @return false if it cannot be factored
  bool set(const SolvedStep& step);
  bool make_matrix(const SolvedStep& step);

  Engine engine;
  PlacedStep placed;
  std::vector<Spin> spins;
  double matrix_step = 0.0;  // [s] 0: there is no matrix
  double rate = 0.0;         // convergence with this matrix, the worst so far
  bool is_fresh = false;     // the matrix was made at this step
};

/// The tangent of one parameter. The tangent of a step solves the linearised equations of the step:
/// derivatives along the tangent are differences between the two changed systems, moved along it.
class ParameterTangent {
 public:
  /// @throws ModelError  the parameter changes what the system consists of
  ParameterTangent(const TangentParameter& parameter,
                   const Model& model,
                   const DynamicOptions& options);

  /// The first time at which a load or motion jumps or kinks that depends on the parameter.
  std::optional<double> moving_switch() const;
  /// Begins a run: the tangent is that of the first states of both systems.
  void start();
  /// Goes on from a state where loads have jumped and accelerations were made anew, but positions
  /// and velocities have not. False: there are no accelerations.
  bool restart(const State& state);
  /// Goes to the end of a step. False: no convergence.
  bool follow(const SolvedStep& step, StepCentre& centre);
  /// Goes to the end of a step that both sides can repeat: differences of such steps, which start
  /// from the run each time. False: a step fails.
  bool repeat(const State& from, double h, double t);
  /// Derivatives of the outputs at the state reached.
  void read_outputs(const State& state, Eigen::Ref<Eigen::VectorXd> slopes);
  /// Shortens the change if a move along the tangent is long.
  void adapt(const Engine& engine);

  std::int64_t iterations() const { return iterations_; }

 private:
  /// The system with one of the changed values.
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
  TimeIntegrator& integrator_of(Side& side);
  /// The tangent from the states of both sides, except that of work.
  void take_tangent();
  void move_sides(const State& state);
  void predict(const SolvedStep& step);
  void evaluate(const SolvedStep& step, Side& side, double amount);
  /// Tangent of the positions at the end of the step, on the group.
  void position_tangent(const SolvedStep& step, Eigen::VectorXd& out) const;
  void finish(const SolvedStep& step, const StepCentre& centre);

  const TangentParameter& parameter_;
  const Model& model_;
  const DynamicOptions& options_;
  double change_;
  std::vector<std::unique_ptr<Side>> sides_;  // above, below
  StateTangent tangent_;
  bool has_before_ = false;
  double last_h_ = 0.0, last_power_ = 0.0, scale_ = 0.0;
  Eigen::VectorXd vdot_before_, lambda_before_;  // tangents one step earlier
  Eigen::VectorXd vdot_start_, a_start_;         // tangents at the start of the step
  Eigen::VectorXd dq_, v_, vdot_, a_, lambda_;   // tangents at its end
  Eigen::VectorXd phi_slope_, sigma_, x_, y_, shift_;
  std::int64_t iterations_ = 0;
};

}  // namespace femflex::mbd_solver
