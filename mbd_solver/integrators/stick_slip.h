// StickSlip: set-valued friction in a run. Decides which forces stick, which slide, and when that
// changes. The integrator generalised-alpha and the linearisation use it.
#pragma once

#include <string>
#include <vector>

#include "integrators/engine.h"

namespace femflex::mbd_solver {

/// The modes of set-valued friction. While a force sticks, its rows of the constraints Phi keep its
/// coordinates fixed, and their multipliers are the friction. While it slides, its law acts against
/// the direction stored in State::events. docs/theory/multibody.md section 9.
class StickSlip {
 public:
  explicit StickSlip(Engine& engine);

  bool empty() const { return grips_.empty(); }
  int count() const { return static_cast<int>(grips_.size()); }
  /// Whether modes must still be chosen, as at the start of a run.
  bool is_fresh(const State& state) const;

  /// Computes margins at the kinematics of the workspace, for the modes at the start of the step. A
  /// force must change its mode if its margin is below 0. Sets violated().
  /// @param lambda  multipliers at these kinematics
  /// @return whether a margin is below 0
  bool check(const Eigen::VectorXd& lambda);
  /// The smallest margin of the violated forces, each as a multiple of its absolute value in the
  /// last check(). So the result is -1 at the end of the step and 0 where a mode changes.
  double margin(const Eigen::VectorXd& lambda) const;
  /// Whether margin() needs the multipliers.
  bool needs_multipliers() const { return needs_multipliers_; }
  /// Name of the first violated force in check(); empty if there is none.
  std::string violated() const;
  /// Whether any sticking force carries more than its limit.
  bool is_overloaded(const Eigen::VectorXd& lambda) const;

  /// Changes modes at a state: first those of the violated forces whose margin is 0, then those of
  /// forces that become overloaded by these changes. Computes accelerations and multipliers;
  /// returns false if they cannot be computed.
  /// @param is_first  true: chooses the modes of all forces
  /// @param work  receives the loss of kinetic energy where velocities become zero
  bool choose(State& state, bool is_first, double& work);
  /// Stores the directions of sliding at the end of a step; records contacts that have opened.
  void follow(State& state);

 private:
  struct Element {
    int force = 0, entry = 0, row = 0, count = 1;
    double margin_at_end = 0.0;  // of the last check()
    bool is_violated = false;
    bool is_due = false;  // its mode changes in choose()
    double speed = 0.0;   // at the start of the step
  };
  GripSense sense(const Element& element) const;
  double margin_of(const Element& element,
                   const GripSense& now,
                   const Eigen::VectorXd& lambda) const;
  void set(State& state, const Element& element, Grip grip, const Eigen::Vector2d& values) const;
  void first_guess(State& state, bool is_first);
  bool solve(State& state, bool stops, double& work);
  bool correct(State& state);
  Eigen::Vector2d load_of(const Element& element, const Eigen::VectorXd& lambda) const;

  Engine& engine_;
  std::vector<Element> grips_;
  bool needs_multipliers_ = false;
};

}  // namespace femflex::mbd_solver
