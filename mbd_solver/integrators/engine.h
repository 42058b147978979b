// Engine: a model with workspace and matrix, and the operations that all integrators, statics and
// linearisation share: accelerations and projections onto the constraints. Equations:
// docs/theory/multibody.md.
#pragma once

#include <string>

#include "integrators/guests.h"
#include "spatial/equations.h"

namespace femflex::mbd_solver {

struct Engine {
  explicit Engine(const Model& m)
      : model(m),
        ws(m),
        kkt(m),
        guests(m),
        zero_v(Eigen::VectorXd::Zero(m.nv)),
        f(m.nv),
        x(m.nv),
        c(m.nl),
        y(m.nl) {}

  /// temporary mass of a massless body, relative to its reference mass; so small that its effect on
  /// other bodies is round-off
  static constexpr double kSubstituteMass = 1e-6;

  const Model& model;
  Workspace ws;
  KktMatrix kkt;
  Guests guests;
  Eigen::VectorXd zero_v;          // zero velocities
  Eigen::VectorXd f, x, c, y;      // right-hand sides and solutions of the KKT matrix
  Eigen::VectorXd q_kept, v_kept;  // copies in project_nearby()
  bool is_quasi_static = false;    // true if only springs determine the position of a massless body

  /// Computes kinematics, constraints and G at (t, q).
  void set_position(double t, const Eigen::VectorXd& q);
  void set_velocity(const Eigen::VectorXd& v);
  /// Sets is_quasi_static for a state, and returns it.
  bool find_quasi_static(const State& state);
  /// Name of the joint or motion to which a row of Phi belongs.
  const std::string& joint_name_of_row(Eigen::Index row) const { return joint_of_row(row).name; }
  /// The joint or motion to which a row of Phi belongs.
  const JointModel& joint_of_row(Eigen::Index row) const;
  /// Factors [M + strain K, G'; G 0] at the present position. Returns false if the matrix cannot be
  /// factored; failure() then gives the reason.
  bool factor_kkt(double strain = 0.0);
  /// Computes a and lambda of the index-1 form at the present position and velocity. eq. (24)
  /// Returns false if they cannot be computed; failure() then gives the reason.
  /// @param refinements  number of passes that remove the effect of the regularisation; without a
  /// pass a relative error of 1e-9 remains. If rows of G nearly vanish, two passes are always made.
  bool accelerations(Eigen::VectorXd& a,
                     Eigen::VectorXd& lambda,
                     double baumgarte = 0.0,
                     int refinements = 2);
  /// Moves q onto Phi = 0 by mass-orthogonal steps. eq. (25)
  /// @param strain  weight of stiffness relative to mass [s^2]; if it is positive, bodies move
  /// rather than deform
  /// @return largest |Phi| after the last step, scaled
  double project_position(double t,
                          Eigen::VectorXd& q,
                          int iterations = 20,
                          double tolerance = 1e-13,
                          double strain = 0.0);
  /// Changes v such that G v + phi_t = rates. Returns false if this fails; failure() then gives the
  /// reason.
  /// @param rates  rate of each row of Phi; null: all zero
  bool project_velocity(Eigen::VectorXd& v, const Eigen::VectorXd* rates = nullptr);
  /// One pass of project_velocity() with the present factor; returns the largest correction.
  double correct_velocity(Eigen::VectorXd& v, const Eigen::VectorXd* rates);
  /// Projects position and velocity with the factor of the last accelerations(), which is accurate
  /// enough because the moves are as small as the error of a step. Returns false, with q and v
  /// unchanged, if the projections converge too slowly.
  /// @param moved  the change of q
  bool project_nearby(double t, Eigen::VectorXd& q, Eigen::VectorXd& v, Eigen::VectorXd& moved);
  /// The reason why accelerations() or a projection failed at the present position; never empty.
  std::string failure() const;
  /// @throws ModelError  with the text of failure(): a massless body moves freely, or a number is
  /// not finite
  [[noreturn]] void throw_failure() const;
  /// Updates the counted angles of a state at the present position, and records the events that
  /// occur there; forces depend on both from then on. Returns whether an event occurred.
  bool update_memory(State& state);
  /// Takes the samples of blocks that are due at the time of a state, with values at the present
  /// position and velocity, and exchanges data with guests. Returns whether a sample or exchange
  /// was due; guests.failure() tells whether the exchange failed.
  bool take_samples(State& state);
  /// Updates only the counted angles.
  void update_angles(State& state);
  /// Computes everything that probes read at a state.
  void set_all(const State& state);

  /// |Phi| that a relative tolerance allows: times the size of the system, at least the round-off
  /// of its positions.
  double phi_limit(double tolerance) const;
  /// Whether joints with this largest |Phi| are closed. False for NaN.
  bool is_closed(double open, double tolerance) const { return open <= phi_limit(tolerance); }
  double largest_phi() const { return model.nl > 0 ? ws.phi.cwiseAbs().maxCoeff() : 0.0; }
  /// Largest entry of a position change dq in velocity coordinates: lengths divided by the size of
  /// the system, angles in rad. `who` receives the body and coordinate that moves most.
  double size_of(const Eigen::VectorXd& dq, std::string* who = nullptr) const;
};

/// What helps if a body without mass moves freely.
std::string massless_remedy(const Model& model);

}  // namespace femflex::mbd_solver
