// One instance of an FMU, for both versions of the interface: variables by value reference, phases,
// steps, snapshots and derivatives. Refused calls throw exceptions, which the C functions turn into
// a status.
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

/// The statuses of FMI 2.0 and 3.0, with the numbers of the standard.
enum class Status : std::uint8_t { ok, warning, discard, error, fatal };

using Reference = std::uint32_t;

/// An instance. Functions throw UsageError for mistakes of the importer, and then leave the
/// instance unchanged.
class Instance {
 public:
  enum class Phase : std::uint8_t { instantiated, initialising, running, terminated, failed };

  explicit Instance(FmuModel model);

  const FmuModel& model() const { return model_; }
  Phase phase() const { return phase_; }
  double time() const { return time_; }

  // --- life
  /// @throws UsageError  after initialisation, or the times are not finite or not in order
  void set_experiment(double start, std::optional<double> stop);
  void enter_initialisation();
  /// @throws NumericalError, ModelError  there is no consistent start
  void exit_initialisation();
  void terminate();
  void reset();

  // --- variables
  void get(std::span<const Reference> references, std::span<double> values);
  void set(std::span<const Reference> references, std::span<const double> values);
  /// Rates of inputs over the next step.
  void set_rates(std::span<const Reference> references, std::span<const double> values);
  /// sensitivity = (d unknowns / d knowns) seed, or with the transpose if `is_adjoint`, where the
  /// seed belongs to the unknowns.
  void derivative(std::span<const Reference> unknowns,
                  std::span<const Reference> knowns,
                  std::span<const double> seed,
                  std::span<double> sensitivity,
                  bool is_adjoint = false);

  // --- co-simulation
  /// Moves from `from` [s], where the instance is, over `length` [s]. False: the step failed and
  /// the instance is at time(), failure() says why. In event mode it ends at the first switch of
  /// the system, and where `wants_return` says so, see look_inside().
  bool step(double from, double length);
  const std::string& failure() const { return failure_; }
  /// Whether the last step ended at a switch of the system.
  bool is_at_event() const { return is_at_event_; }
  /// Steps end at switches if they may return early; the instance then begins in event mode.
  void use_events(bool may_return_early);
  void enter_events();
  void leave_events();
  /// @throws UsageError  outside event mode
  void need_events() const;
  /// Time of the next switch; infinite if there is none [s].
  double next_event();
  /// Calls `wants_return` after every step inside that is not the last one; true ends the step
  /// there.
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
  /// Returns the run, which is created with the present inputs if there is none yet.
  mbd_solver::Stepping& run();
  void make_run(const std::optional<mbd_solver::State>& state);
  double value(const Variable& variable);
  Eigen::VectorXd outputs() const;
  /// The paths of all inputs over a step from time().
  std::vector<mbd_solver::InputPath> paths(double length) const;
  std::vector<mbd_solver::InputPath> held_inputs() const;
  /// Where the next piece of a step to `end` ends.
  double end_of_piece(double end) const;
  double entry(const Variable& unknown, const Variable& known, const Eigen::MatrixXd& J) const;

  FmuModel model_;
  Phase phase_ = Phase::instantiated;
  double time_ = 0.0, start_ = 0.0, stop_ = 0.0;
  Eigen::VectorXd inputs_, rates_, states_;
  std::unique_ptr<mbd_solver::Stepping> run_;  // of a system, from initialisation on
  std::string failure_;
  bool uses_events_ = false, returns_early_ = false, is_in_events_ = false, is_at_event_ = false;
  std::function<bool(double)> wants_return_;
};

}  // namespace femflex::fmu
