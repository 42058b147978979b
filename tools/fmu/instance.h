// Instance: one instance of an FMU, for FMI 2.0 and 3.0: variables by value reference, phases,
// steps, snapshots and derivatives. Rejected calls throw exceptions, which the C functions
// (fmi2_functions.cpp, fmi3_functions.cpp) convert to a status.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include <Eigen/Core>

#include "femflex/mbd_solver/stepping.h"

#include "fmu/fmu_model.h"

namespace femflex::fmu {

/// The statuses of FMI 2.0 and 3.0, with their numbers in the standard.
enum class Status : std::uint8_t { ok, warning, discard, error, fatal };

using Reference = std::uint32_t;

/// Functions throw UsageError if the importer misuses the instance, and leave it unchanged.
class Instance {
 public:
  enum class Phase : std::uint8_t { instantiated, initialising, running, terminated, failed };

  explicit Instance(FmuModel model);

  const FmuModel& model() const { return model_; }
  Phase phase() const { return phase_; }
  double time() const { return time_; }

  // --- life
  /// @throws UsageError  called after initialisation, or the times are not finite or not in order
  void set_experiment(double start, std::optional<double> stop);
  void enter_initialisation();
  /// @throws NumericalError, ModelError  no consistent initial state exists
  void exit_initialisation();
  void terminate();
  void reset();

  // --- variables
  void get(std::span<const Reference> references, std::span<double> values);
  void set(std::span<const Reference> references, std::span<const double> values);
  /// Rates of inputs during the next step.
  void set_rates(std::span<const Reference> references, std::span<const double> values);
  /// sensitivity = (d unknowns / d knowns) seed. With `is_adjoint`: sensitivity = transpose * seed,
  /// with one seed value per unknown.
  void derivative(std::span<const Reference> unknowns,
                  std::span<const Reference> knowns,
                  std::span<const double> seed,
                  std::span<double> sensitivity,
                  bool is_adjoint = false);

  // --- co-simulation
  /// Advances from `from` [s], the present time of the instance, by `length` [s]. Returns false if
  /// the step failed; the instance is then at time(), and failure() gives the reason. In event mode
  /// the step ends at the first switch of the system, or where `wants_return` requests it, see
  /// look_inside().
  bool step(double from, double length);
  const std::string& failure() const { return failure_; }
  /// Whether the last step ended at a switch of the system.
  bool is_at_event() const { return is_at_event_; }
  /// Lets steps end at switches, if they may return early; the instance then starts in event mode.
  void use_events(bool may_return_early);
  void enter_events();
  void leave_events();
  /// @throws UsageError  outside event mode
  void need_events() const;
  /// Time of the next switch; infinite if there is none [s].
  double next_event();
  /// Calls `wants_return` after each internal step except the last one; if it returns true, the
  /// step ends there.
  void look_inside(std::function<bool(double time)> wants_return);

  // --- model exchange
  void set_time(double time);
  Eigen::Index state_count() const { return states_.size(); }
  const Eigen::VectorXd& states() const { return states_; }
  void set_states(std::span<const double> states);
  Eigen::VectorXd derivatives() const;
  Eigen::VectorXd nominals() const;

  // --- complete state
  Snapshot snapshot();
  void restore(const Snapshot& snapshot);

 private:
  const Variable& variable(Reference reference) const;
  void need(bool allowed, const char* what) const;
  /// Returns the run; if there is none yet, creates it with the present inputs.
  mbd_solver::Stepping& run();
  void make_run(const std::optional<mbd_solver::State>& state);
  double value(const Variable& variable);
  Eigen::VectorXd outputs() const;
  /// The time functions of all inputs over a step from time().
  std::vector<mbd_solver::InputPath> paths(double length) const;
  std::vector<mbd_solver::InputPath> held_inputs() const;
  /// The end of the next piece of a step to `end`.
  double end_of_piece(double end) const;
  double entry(const Variable& unknown, const Variable& known, const Eigen::MatrixXd& J) const;

  FmuModel model_;
  Phase phase_ = Phase::instantiated;
  double time_ = 0.0, start_ = 0.0, stop_ = 0.0;
  Eigen::VectorXd inputs_, rates_, states_;
  std::unique_ptr<mbd_solver::Stepping> run_;  // run of a system, from initialisation on
  std::string failure_;
  bool uses_events_ = false, returns_early_ = false, is_in_events_ = false, is_at_event_ = false;
  std::function<bool(double)> wants_return_;
};

}  // namespace femflex::fmu
