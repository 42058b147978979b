// StabilisedForm: the equations that the integrator bdf solves, for positions q, velocities v,
// multipliers lambda and mu, force states and work. Equations: docs/theory/multibody.md.
#pragma once

#include <vector>

#include "integrators/engine.h"

namespace femflex::mbd_solver {

/// Gear-Gupta-Leimkuhler form of index 2, F(t, y, y') = 0, and its Newton step. eq. (36-39). The
/// unknowns y are, in this order: positions with quaternions (nq), velocities (nv), multipliers
/// lambda and mu (nl each), force states, and the work of all forces without a potential.
class StabilisedForm {
 public:
  explicit StabilisedForm(Engine& engine);

  Eigen::Index size() const { return size_; }
  /// Sets y and y' from a consistent state, except the work. Chooses the rows of Phi to use.
  void set(const State& state, double* y, double* y_dot);
  /// Copies positions, with unit quaternions, velocities and force states from y to `state`.
  void get(const double* y, State& state);
  double& work(double* y) const { return y[size_ - 1]; }
  /// Sets the tolerance of each unknown; `unit` is the tolerance of angles. Sets `is_differential`
  /// to 1 for unknowns whose derivative appears in F.
  void set_tolerances(double unit, double* tolerance, double* is_differential) const;
  /// Sets the weight of each unknown's error from those tolerances and `relative`, which is the
  /// tolerance relative to the unknown; for positions, relative to the size of the system at most.
  void weigh(double relative, const double* tolerance, const double* y, double* weight) const;
  /// r := F. Returns false if F is not finite.
  bool residual(double t, const double* y, const double* y_dot, double* r);
  /// out := (dF/dy + cj dF/dy')^-1 b at the y of the last residual().
  bool newton_step(double t, double cj, const double* y, const double* b, double* out);
  /// Name of the body with the largest velocity in `y`, which holds changes of all unknowns.
  std::string fastest(const double* y);

  /// Smallest pivot of the rows in use, divided by its scale, at the last newton_step().
  double weakest_row() const { return weakest_; }
  /// Whether other rows should be chosen: the rows in use have become nearly dependent, or a
  /// dropped row is violated at y by more than `limit`.
  bool wants_other_rows(double t, const double* y, double limit);

 private:
  /// Copies the positions of y, with quaternions of unit length, to q_.
  void normalise(const double* y);
  void rates_of(const Eigen::VectorXd& q, const Eigen::VectorXd& v, double* rates) const;
  /// Copy between velocity coordinates x and the rows of F that belong to positions.
  void scatter(const Eigen::VectorXd& x, double* rows) const;
  void gather(const double* rows, Eigen::VectorXd& x) const;
  void set_kinematics(double t);
  void choose_rows();
  /// Subtracts from b_phi_ and b_rate_ the effect that a change of block states has on motions that
  /// follow blocks.
  void follow_blocks(double t, const Eigen::VectorXd& change);
  bool is_used(Eigen::Index row) const {
    return left_out_.empty() || left_out_[static_cast<std::size_t>(row)] == 0;
  }

  Engine& engine_;
  KktMatrix position_kkt_;
  /// Sets in `out` the changes of the force states that follow from the changes x_ of position and
  /// dv_ of velocity.
  void step_states(double t, double* out);
  Eigen::Index states_at_ = 0;  // first force state in y
  Eigen::Index size_ = 0;
  // one entry per row of Phi: 1 if the row is dropped as redundant; empty: all rows are used
  std::vector<char> left_out_;
  double weakest_ = 1.0, weakest_at_choice_ = 0.0;
  Eigen::VectorXd q_, saved_, v_, twist_, a_, x_, w_, dv_, base_, r1_, lambda_, dl_, c_, z_, b_phi_,
      b_rate_;
};

}  // namespace femflex::mbd_solver
