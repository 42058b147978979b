// Switches: stops and restarts an integrator at the times at which loads and motions jump or have a
// kink. simulate() and Stepping use it.
#pragma once

#include <vector>

#include "integrators/engine.h"
#include "integrators/integrator.h"

namespace femflex::mbd_solver {

/// Times at which forces and motions of a run jump or have a kink as functions of time alone. The
/// integrator is stopped just before each time and restarted after it with the velocities that the
/// motions then prescribe. A kink of a motion is an impact; its work is recorded.
class Switches {
 public:
  /// @param forces  true: switches of forces and motions; false: of motions only. With blocks,
  /// switches of forces are always included, because the rates of block states jump too.
  Switches(const Model& model, double start, double end, bool forces);

  /// If the guests want repeated steps: repeats the step from this state to the next exchange, and
  /// stores the converged outputs of the guests in the state. Returns false if a step failed.
  bool repeat(Engine& engine, TimeIntegrator& integrator, State& state);
  /// The first time at which the integrator must stop; `end` if no switch remains.
  double first_stop(double time) const;
  /// Advances the state to t, across all switches on the way.
  /// @return false if a step could not be made
  bool advance(Engine& engine, TimeIntegrator& integrator, State& state, double t);
  const std::string& reason() const { return reason_; }
  /// All switch times, in ascending order.
  const std::vector<double>& times() const { return times_; }
  /// The first switch or sample after `time`; infinite if there is none.
  double next_after(double time) const;

 private:
  bool restart(Engine& engine, TimeIntegrator& integrator, State& state, double time);

  // in ascending order; each is the smallest floating-point number after a switch
  std::vector<double> times_;
  double end_;
  const Model& model_;
  std::string reason_;
};

}  // namespace femflex::mbd_solver
