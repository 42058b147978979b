// AlphaRule: the rule of one step of generalised-alpha. It gives displacements, velocities and
// force states at the end of a step from the accelerations there. PlacedStep: the end of a step in
// the bodies' axes. StepFollower: receives the steps of a run.
#pragma once

#include <vector>

#include <Eigen/Core>

#include "femflex/mbd_solver/state.h"

#include "spatial/model.h"
#include "spatial/spin.h"

namespace femflex::mbd_solver {

/// Largest relative difference between steps that use the same matrix, and largest remainder of an
/// interval that is not a step of its own.
inline constexpr double kSameStepLength = 1e-6;

// --- convergence of Newton's method with a kept matrix, of steps and tangents
/// Lower limit of the next convergence rate relative to the last one, because a single good
/// correction does not prove that the kept matrix is good. CRDOWN of [Hindmarsh 2005].
inline constexpr double kRateMemory = 0.3;
/// A kept matrix is rebuilt if the convergence rate exceeds this. In a chain of bodies, a fifth
/// iteration costs more than a new matrix. Near round-off, corrections with a larger rate are
/// noise.
inline constexpr double kRebuildRate = 0.3;
/// The same limit at the end of a step that took more than one correction. If the rate is below the
/// limit, the matrix is kept: the next step then takes two iterations.
inline constexpr double kKeepRate = 0.05;

/// Error that remains after a correction, size * rate / (1 - rate) [Hairer 1996, IV.8].
/// @param is_first  the correction has no rate of its own yet
/// @param worst     worst rate with the kept matrix so far; 0: unknown
double remaining_error(double size, bool is_first, double rate, double worst);

/// Accelerations and multipliers one step earlier.
struct StepBefore {
  const Eigen::VectorXd &vdot, &lambda;
};
/// Start of a step, in axes that do not spin: accelerations vdot and algorithmic accelerations a.
struct StepStart {
  const Eigen::VectorXd &velocity, &vdot, &a, &lambda;
};
/// The unknowns at the end of a step, or their tangents, in axes that do not spin.
struct StepUnknowns {
  Eigen::VectorXd &dq, &v, &vdot, &a, &lambda;
};

/// Coefficients of [Chung 1993] and [Jansen 2000] for a spectral radius rho at infinite frequency.
/// All relations are linear, so they also hold for derivatives by parameters. eq. (21-23, 42)
struct AlphaRule {
  explicit AlphaRule(double rho);

  double beta_prime(double h) const { return (1.0 - alpha_m) / (beta * h * h * (1.0 - alpha_f)); }
  double gamma_prime(double h) const { return gamma / (beta * h); }
  /// The algorithmic acceleration at the end of a step; vdot is the acceleration at the end, vdot0
  /// and a0 are the acceleration and the algorithmic acceleration at the start.
  template <typename Vdot, typename Vdot0, typename A0>
  auto algorithmic(const Vdot& vdot, const Vdot0& vdot0, const A0& a0) const {
    return ((1.0 - alpha_f) * vdot + alpha_f * vdot0 - alpha_m * a0) / (1.0 - alpha_m);
  }
  /// Extrapolates accelerations and multipliers to the end of a step h, and computes the other
  /// unknowns from them. @param before  null: accelerations and multipliers of the start are kept
  void predict(double h,
               const StepStart& start,
               const StepBefore* before,
               const StepUnknowns& out) const;
  /// Adds a correction x of positions and the y of multipliers. `a` follows from vdot at the end.
  void correct(double h,
               const Eigen::VectorXd& x,
               const Eigen::VectorXd& y,
               const StepUnknowns& out) const;
  /// dz1 / dz1' of the rule for force states in a step h; z1 are the states at the end.
  double state_gain(double h) const { return theta * h * (1.0 - alpha_f) / (1.0 - delta_m); }
  /// The part of the force states at the end of a step that does not depend on their rates there.
  void state_constants(const State& from, double h, Eigen::VectorXd& out) const;
  /// The algorithmic rates of force states at the end of a step.
  void state_rates(const State& from, const Eigen::VectorXd& rates, Eigen::VectorXd& out) const;

  double alpha_m = 0.0, alpha_f = 0.0, gamma = 0.0, beta = 0.0;
  double delta_m = 0.0, theta = 0.0;  // of first-order states; they share alpha_f with the motion
};

/// vdot and a of a state, expressed in axes that do not spin.
void start_in_still_axes(const std::vector<Spin>& spins,
                         const State& state,
                         Eigen::VectorXd& vdot,
                         Eigen::VectorXd& a);

/// Turns a correction from the axes of spinning bodies at the end of the step to axes that do not
/// spin.
void turn_to_still_axes(const std::vector<Spin>& spins, Eigen::VectorXd& x);

/// End of a step: positions, and velocities and accelerations in the bodies' own axes.
struct PlacedStep {
  Eigen::VectorXd q, v, vdot;
};
/// Moves a state by dq. The rotation of a spinning body is applied first across and then about its
/// spin axis. eq. (26b)
/// @param spins  receive the angles of the step
/// @param out    before: v and vdot in axes that do not spin; after: in the bodies' axes
void place_step(const Model& model,
                const State& from,
                const Eigen::VectorXd& dq,
                std::vector<Spin>& spins,
                PlacedStep& out);

/// The data of an accepted step, before the state is changed.
struct SolvedStep {
  const State& from;
  double h, t;  ///< length and end of the step [s]
  const AlphaRule& rule;
  /// solution, expressed in axes that do not spin
  const Eigen::VectorXd &dq, &v, &vdot, &lambda;
  const std::vector<Spin>& spins;
  const std::vector<Eigen::VectorXd>& self_loads;  ///< of redundant joints, orthonormal
  const Eigen::VectorXd& turns;  ///< angles from which those of joints are counted at the end
};

/// Receives the accepted steps of a run. run_tangent.cpp implements it.
class StepFollower {
 public:
  StepFollower() = default;
  StepFollower(const StepFollower&) = delete;
  StepFollower& operator=(const StepFollower&) = delete;
  StepFollower(StepFollower&&) = delete;
  StepFollower& operator=(StepFollower&&) = delete;
  virtual ~StepFollower() = default;
  /// Called with the state from which steps start: at the beginning, and after each jump of a
  /// load, motion or block.
  /// @param is_fresh  whether the integrator computed its algorithmic acceleration from this state
  virtual void start(const State& state, bool is_fresh) = 0;
  /// Called after a step of generalised-alpha.
  virtual void follow(const SolvedStep& step) = 0;
  /// Called after a step of an integrator whose repeat() can make the same step again.
  virtual void follow_explicit(const State& from, const State& to, double h) = 0;
};

}  // namespace femflex::mbd_solver
