// Stops and restarts an integrator at the times at which loads and motions jump or kink.
#pragma once

#include <vector>

#include "integrators/engine.h"
#include "integrators/integrator.h"

namespace femflex::mbd_solver {

/// Times at which forces and motions of a run jump or kink as functions of time alone. The
/// integrator is stopped just before each and restarted after it, with the velocities that the
/// motions have there: a kink of a motion is an impact, whose work is recorded.
class Switches {
 public:
  /// @param forces  true: switches of forces and motions; false: of motions only. Systems with
  /// blocks always have both, because the rates of their states jump too.
  Switches(const Model& model, double start, double end, bool forces);

  /// Repeats the step to the next exchange with guests that begins at this state, if they want it,
  /// and leaves in the state what they agree on. False: a step failed.
  bool repeat(Engine& engine, TimeIntegrator& integrator, State& state);
  /// The first time at which the integrator has to stop; `end` after the last switch.
  double first_stop(double time) const;
  /// Moves the state to t across all switches up to it.
  /// @return false if a step could not be made
  bool advance(Engine& engine, TimeIntegrator& integrator, State& state, double t);
  const std::string& reason() const { return reason_; }
  /// All of them, in ascending order.
  const std::vector<double>& times() const { return times_; }
  /// The first switch or sample after `time`; infinite if there is none.
  double next_after(double time) const;

 private:
  bool restart(Engine& engine, TimeIntegrator& integrator, State& state, double time);

  // in ascending order; each is the first floating-point number after a switch
  std::vector<double> times_;
  double end_;
  const Model& model_;
  std::string reason_;
};

}  // namespace femflex::mbd_solver
