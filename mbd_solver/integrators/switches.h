#pragma once

#include <vector>

#include "integrators/engine.h"
#include "integrators/integrator.h"

namespace femflex::mbd_solver {

/// Times at which forces and motions of a run change by a jump or a kink in time alone. The
/// integrator is stopped just before each and starts anew after it, with the velocities that the
/// motions have there: a kink of a motion is a blow, whose work is booked.
class Switches {
 public:
  /// @param forces  those of forces, too; without it those of motions alone
  Switches(const Model& model, double start, double end, bool forces);

  /// Where the integrator has to stop before it starts; `end` after the last switch.
  double first_stop(double time) const;
  /// Moves the state to t across all switches up to it.
  /// @return false where a step could not be made
  bool advance(Engine& engine, TimeIntegrator& integrator, State& state, double t);
  const std::string& reason() const { return reason_; }

 private:
  bool pass(Engine& engine, TimeIntegrator& integrator, State& state, double time);

  std::vector<double> times_;  // rising, each the first number after a switch
  double end_;
  std::string reason_;
};

}  // namespace femflex::mbd_solver
