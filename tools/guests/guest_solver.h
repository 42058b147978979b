// GuestSolver: integrates an FMU of model exchange between exchanges. Takes Dormand-Prince steps,
// and locates events by bisection of a step.
#pragma once

#include <functional>
#include <vector>

#include "guests/guest_instance.h"

namespace femflex::guests {

/// Data of a solver that are kept from step to step.
struct SolverMemory {
  double step = 0.0;  ///< [s] step to try next; 0: no step yet
  bool has_event = false;
  double event = 0.0;  ///< [s] time of the next time event, if has_event
};

/// The solver of one instance. All functions throw ModelError.
class GuestSolver {
 public:
  explicit GuestSolver(GuestInstance& instance);

  /// Call it after initialisation, or after inputs have changed in event mode. Processes events.
  void begin(double time);
  /// Advances from `from` to `to` [s].
  /// @param set_inputs  sets the inputs for a time; empty: they stay constant
  void advance(double from, double to, const std::function<void(double time)>& set_inputs);
  /// Processes the events at `time`; `change` may set discrete variables in event mode.
  void handle_events(double time, const std::function<void()>& change);
  /// Reads the states of the instance after it was set to another state.
  void refresh(double time);

  const std::vector<double>& states() const { return x_; }
  const std::vector<double>& nominals() const { return nominal_; }
  SolverMemory memory;

 private:
  /// Makes one step of length h from x_ to next_. Returns the error divided by the tolerance.
  double attempt(double time, double h, const std::function<void(double)>& set_inputs);
  bool crosses();
  void place(double time, const std::vector<double>& x, const std::function<void(double)>& inputs);

  GuestInstance& instance_;
  std::vector<double> x_, next_, nominal_, stage_, before_, after_;
  std::vector<std::vector<double>> k_;
};

}  // namespace femflex::guests
