#pragma once

#include <cstdint>
#include <string>

#include "femflex/hamiltonian/integrate.h"

#include "integrators/account.h"

namespace femflex::hamiltonian {

/// "0.00123": a number in a message.
std::string short_number(double value);

/// Which step is stable: at the start, once slack springs are taut, and as a run goes on.
class StepWatch {
 public:
  StepWatch(const HamiltonianSystem& system,
            const State& begin,
            Integrator integrator,
            double duration);

  /// The least stable step found so far; infinity where every step is stable.
  double stable() const { return stable_; }
  /// That of the start, slack springs left slack.
  double stable_at_start() const { return stable_at_start_; }
  /// A fifth of the stable step, or of a radian of the fastest motion; 0 where nothing moves fast.
  double advised() const;
  /// Of another state or method.
  double stable_at(const State& state, Integrator integrator) const;

  /// Looks at the frequencies of a later state, where a cheap bound of them shows that they may
  /// have doubled since the last look, or where `must`.
  /// @return true where stable() fell
  bool look(const State& state, bool must);

 private:
  void add(const HamiltonianSystem& system, const State& state);

  const HamiltonianSystem& system_;
  Integrator integrator_;
  double duration_;
  double stable_at_start_;
  double stable_;
  double omega_ = 0.0;  // largest found [rad/s]
  double bound_ = 0.0;  // of omega^2, at the last look
};

/// What to say of a run whose account is off by more than a little; empty: nothing.
std::string energy_complaint(const RunResult& result,
                             const RunOptions& options,
                             double error_of_moving,
                             double advised);

}  // namespace femflex::hamiltonian
