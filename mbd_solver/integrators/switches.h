// Switches: stops and restarts an integrator at the times at which loads and motions jump or have a
// kink. simulate() and Stepping use it.
#pragma once

#include <cstdint>
#include <vector>

#include "integrators/engine.h"
#include "integrators/integrator.h"

namespace femflex::mbd_solver {

/// Value of a function of time just before and at one of its switch times.
struct SwitchSides {
  double before = 0.0, after = 0.0;
  /// False for a kink.
  bool is_jump() const;
};
/// Variables other than time, which are not known before the run, take distinct numbers.
SwitchSides sides_of(const Value& value, double time);

/// The switches of forces and gravity at which an integrator stops. Kinks within a step keep the
/// order of generalised-alpha, so that it keeps its equal steps there.
enum class LoadSwitches : std::uint8_t { all, jumps };
LoadSwitches load_switches_of(Integrator integrator, const Model& model);

/// Times at which forces and motions of a run jump or have a kink as functions of time alone. The
/// integrator is stopped just before each time and restarted after it with the velocities that the
/// motions then prescribe. A kink of a motion is an impact; its work is recorded.
class Switches {
 public:
  /// Motions count with all their switches. With blocks, forces do, too, because the rates of block
  /// states jump.
  Switches(const Model& model, double start, double end, LoadSwitches loads);

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
  std::vector<double> load_jumps_;  // those of times_ at which a load jumps, if `loads` is `jumps`
  double end_;
  const Model& model_;
  std::string reason_;
};

}  // namespace femflex::mbd_solver
