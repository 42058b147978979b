// The rule of one step of generalised-alpha: how displacements, velocities and force states at its
// end follow from the accelerations there; and the axes in which a step takes bodies that spin.
#pragma once

#include <vector>

#include <Eigen/Core>

#include "femflex/mbd_solver/state.h"

#include "spatial/model.h"
#include "spatial/spin.h"

namespace femflex::mbd_solver {

/// Coefficients of [Chung 1993] and [Jansen 2000] for a spectral radius rho at infinite frequency.
/// All relations are linear, so that they hold for derivatives by parameters too. eq. (21-23, 42)
struct AlphaRule {
  explicit AlphaRule(double rho);

  double beta_prime(double h) const { return (1.0 - alpha_m) / (beta * h * h * (1.0 - alpha_f)); }
  double gamma_prime(double h) const { return gamma / (beta * h); }
  /// The algorithmic acceleration at the end of a step: vdot there, vdot0 and a0 at its start.
  template <typename Vdot, typename Vdot0, typename A0>
  auto algorithmic(const Vdot& vdot, const Vdot0& vdot0, const A0& a0) const {
    return ((1.0 - alpha_f) * vdot + alpha_f * vdot0 - alpha_m * a0) / (1.0 - alpha_m);
  }
  /// dz1 / dz1' of the rule for force states in a step h.
  double state_gain(double h) const { return theta * h * (1.0 - alpha_f) / (1.0 - delta_m); }
  /// The part of the force states at the end that does not depend on their rates there.
  void state_constants(const State& from, double h, Eigen::VectorXd& out) const;
  /// The algorithmic rates of force states at the end.
  void state_rates(const State& from, const Eigen::VectorXd& rates, Eigen::VectorXd& out) const;

  double alpha_m = 0.0, alpha_f = 0.0, gamma = 0.0, beta = 0.0;
  double delta_m = 0.0, theta = 0.0;  // of first-order states; alpha_f is that of the motion
};

/// vdot and a of a state in axes that do not spin.
void start_in_still_axes(const std::vector<Spin>& spins,
                         const State& state,
                         Eigen::VectorXd& vdot,
                         Eigen::VectorXd& a);

/// Where a step has led: positions, and velocities and accelerations in the bodies' own axes.
struct PlacedStep {
  Eigen::VectorXd q, v, vdot;
};
/// Moves a state by dq. A body that spins is first turned across its axis. eq. (26b)
/// @param spins  get the angles of the step
/// @param out    v and vdot are in axes that do not spin, before
void place_step(const Model& model,
                const State& from,
                const Eigen::VectorXd& dq,
                std::vector<Spin>& spins,
                PlacedStep& out);

/// What an accepted step was made of, before the state takes it over.
struct SolvedStep {
  const State& from;
  double h, t;  ///< its length and its end [s]
  const AlphaRule& rule;
  /// solution, in axes that do not spin
  const Eigen::VectorXd &dq, &v, &vdot, &lambda;
  const std::vector<Spin>& spins;
  const std::vector<Eigen::VectorXd>& self_loads;  ///< of redundant joints, orthonormal
};

/// Follows the steps of a run.
class StepFollower {
 public:
  StepFollower() = default;
  StepFollower(const StepFollower&) = delete;
  StepFollower& operator=(const StepFollower&) = delete;
  StepFollower(StepFollower&&) = delete;
  StepFollower& operator=(StepFollower&&) = delete;
  virtual ~StepFollower() = default;
  /// The state from which steps start, at the beginning and after each jump of a motion or block.
  virtual void start(const State& state) = 0;
  /// A step of generalised-alpha.
  virtual void follow(const SolvedStep& step) = 0;
  /// A step of an integrator that repeat() makes again.
  virtual void follow_explicit(const State& from, const State& to, double h) = 0;
};

}  // namespace femflex::mbd_solver
