// StepWatch: keeps the longest stable step of a run up to date while springs stiffen.
#pragma once

#include <cstdint>
#include <string>

#include "femflex/hamiltonian/integrate.h"

#include "integrators/account.h"

namespace femflex::hamiltonian {

/// A number with four digits, for a message: "0.00123".
std::string short_number(double value);

/// Determines the stable step at the start, with slack springs made tight, and during a run.
class StepWatch {
 public:
  StepWatch(const HamiltonianSystem& system,
            const State& begin,
            Integrator integrator,
            double duration);

  /// The smallest stable step found so far; infinity if every step is stable.
  double stable() const { return stable_; }
  /// The stable step at the start, with slack springs as they are.
  double stable_at_start() const { return stable_at_start_; }
  /// A fifth of the stable step, or of a radian of the fastest motion; 0 if nothing moves.
  double advised() const;
  /// The stable step of another state or method.
  double stable_at(const State& state, Integrator integrator) const;

  /// Computes the frequencies of a later state if a cheap bound shows that they may be twice the
  /// largest of all earlier checks, or if `must`.
  /// @return true if stable() fell
  bool check(const State& state, bool must);

 private:
  void add(const HamiltonianSystem& system, const State& state);

  const HamiltonianSystem& system_;
  Integrator integrator_;
  double duration_;
  double stable_at_start_;
  double stable_;
  double omega_ = 0.0;  // largest frequency found [rad/s]
  double bound_ = 0.0;  // bound of omega^2 at the last check
};

/// A warning if the energy error of a run is significant, else empty.
std::string energy_warning(const RunResult& result,
                           const RunOptions& options,
                           double error_of_moving,
                           double advised);

}  // namespace femflex::hamiltonian
