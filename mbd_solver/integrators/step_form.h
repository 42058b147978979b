// StepForm: the coordinates in which runge-kutta makes a step, and what depends on them: rates, the
// size of an error and the end of a step. The step control needs nothing else of a model.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>

#include <Eigen/Core>

#include "femflex/mbd_solver/simulate.h"

#include "integrators/engine.h"

namespace femflex::mbd_solver {

/// Coordinates x and their rates v. x is local about the position at the start of a step.
class StepForm {
 public:
  StepForm() = default;
  StepForm(const StepForm&) = delete;
  StepForm& operator=(const StepForm&) = delete;
  StepForm(StepForm&&) = delete;
  StepForm& operator=(StepForm&&) = delete;
  virtual ~StepForm() = default;

  /// What end() made of a step.
  enum class End : std::uint8_t {
    refused,  // the point is impossible and the state unchanged; explain_refusal() gives the reason
    moved,    // the point was moved so far that its rates must be computed anew
    kept,     // the rates of the last stage are those of the state
  };

  /// Number of coordinates.
  virtual Eigen::Index size() const = 0;
  /// Whether these coordinates can express the motion of a state.
  virtual bool fits(const State& state) = 0;
  /// Begins a step at a state, where x = 0; computes v there.
  virtual void begin(const State& state, Eigen::VectorXd& v) = 0;
  /// Computes x' and v' at a point of the step that began at `state`, with the force states of the
  /// workspace. Returns false if they cannot be computed.
  virtual bool rates(const State& state,
                     double t,
                     const Eigen::VectorXd& x,
                     const Eigen::VectorXd& v,
                     Eigen::VectorXd& x_dot,
                     Eigen::VectorXd& v_dot) = 0;
  /// Error of x and v at the end of a step, relative to the tolerances.
  virtual double error_size(const State& state,
                            const Eigen::VectorXd& x,
                            const Eigen::VectorXd& v,
                            const Eigen::Ref<const Eigen::VectorXd>& x_error,
                            const Eigen::Ref<const Eigen::VectorXd>& v_error) = 0;
  /// Sets the motion of a state from x and v of the last rates(); sets v to the rates there.
  /// @param v_dot  v' of the last rates()
  virtual End end(State& state,
                  double t,
                  const Eigen::VectorXd& x,
                  Eigen::VectorXd& v,
                  const Eigen::VectorXd& v_dot) = 0;
  /// Computes what steps leave out of a state: accelerations and multipliers. Returns false if
  /// they cannot be computed.
  virtual bool complete(State& state) = 0;
  /// Name of the body whose coordinates change most; empty if none does.
  virtual std::string fastest(const Eigen::VectorXd& change) const = 0;
  /// Why end() refused a step: what stays open, and by how much.
  virtual std::string explain_refusal() const { return {}; }
};

/// Places and velocities of all bodies, with constraints; the steps are projected onto them. For
/// every model. eq. (24, 25)
std::unique_ptr<StepForm> make_absolute_form(Engine& engine, const DynamicOptions& options);
/// The coordinates of the joints of a tree of rigid bodies; null for other models and for options
/// that refer to constraints.
std::unique_ptr<StepForm> make_tree_form(Engine& engine, const DynamicOptions& options);

/// Number of passes that remove the effect of the regularisation from the accelerations, for the
/// tolerances of a run. Without a pass the relative error is 1e-9; with one it is 1e-18 divided by
/// the pivot of the weakest row.
int refinements_for(const DynamicOptions& options);

/// Largest |Phi| / system size after a step.
inline constexpr double kMaxPhi = 1e-9;

/// Ratio of errors to the tolerances of a run.
class ErrorScale {
 public:
  ErrorScale(const Model& model, const DynamicOptions& options)
      : absolute_(options.absolute_tolerance),
        relative_(options.relative_tolerance),
        farthest_(model.largest_coordinate()) {}
  double of(double error, double size) const {
    return std::abs(error) / (absolute_ + relative_ * size);
  }
  /// The part of a coordinate of a place to which its error is relative.
  double place(double coordinate) const { return std::min(std::abs(coordinate), farthest_); }

 private:
  double absolute_, relative_, farthest_;
};

}  // namespace femflex::mbd_solver
