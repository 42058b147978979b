// Integrates an FMU of model exchange from exchange to exchange: Dormand-Prince steps, events found
// by bisection of the step.
#pragma once

#include <functional>
#include <vector>

#include "guests/guest_instance.h"

namespace femflex::guests {

/// What a solver carries from step to step.
struct SolverMemory {
  double step = 0.0;  ///< [s] to try next; 0: none yet
  bool has_event = false;
  double event = 0.0;  ///< [s] next event of time, if there is one
};

/// The solver of one instance. All functions throw ModelError.
class GuestSolver {
 public:
  explicit GuestSolver(GuestInstance& instance);

  /// After initialisation, or after inputs have changed in event mode: settles events.
  void begin(double time);
  /// Moves from `from` to `to` [s].
  /// @param set_inputs  gives the inputs of a time; empty: they stay
  void advance(double from, double to, const std::function<void(double time)>& set_inputs);
  /// Settles the events at `time`; `change` may set discrete variables in event mode.
  void handle_events(double time, const std::function<void()>& change);
  /// Takes the states of the instance, after it has gone to another state.
  void refresh(double time);

  const std::vector<double>& states() const { return x_; }
  const std::vector<double>& nominals() const { return nominal_; }
  SolverMemory memory;

 private:
  /// One step of length h from x_ to next_; returns the error, 1 at the tolerance.
  double attempt(double time, double h, const std::function<void(double)>& set_inputs);
  bool crosses();
  void place(double time, const std::vector<double>& x, const std::function<void(double)>& inputs);

  GuestInstance& instance_;
  std::vector<double> x_, next_, nominal_, stage_, before_, after_;
  std::vector<std::vector<double>> k_;
};

}  // namespace femflex::guests
