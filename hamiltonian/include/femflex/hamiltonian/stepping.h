// Stepping: makes time steps of a Hamiltonian system whenever the caller asks for some, for models
// that are watched live.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "femflex/hamiltonian/hamiltonian_system.h"
#include "femflex/hamiltonian/integrate.h"

namespace femflex::hamiltonian {

/// A run without an end, for models that somebody watches: the caller asks for some steps, looks at
/// the state, may change it, and goes on. The steps are those of run().
class Stepping {
 public:
  /// @param system  must outlive this
  /// @param state   as run() takes it
  /// @param step    [s] > 0; dormand_prince: the longest step
  /// @throws UsageError  a method that the system does not allow
  Stepping(const HamiltonianSystem& system, Integrator integrator, double step, State state);
  Stepping(const Stepping&) = delete;
  Stepping& operator=(const Stepping&) = delete;
  Stepping(Stepping&&) = delete;
  Stepping& operator=(Stepping&&) = delete;
  ~Stepping();

  /// Makes `steps` steps.
  /// @return false if a step fails; failure() then says why. state() is then the state before this
  ///         call or, if only its energy is wrong, the state after the steps.
  bool advance(std::int64_t steps);
  const std::string& failure() const;

  const State& state() const;
  /// Replaces the state from outside; work() and broken() go on from their values.
  void set_state(State state);

  double step() const;    ///< [s]
  Energy energy() const;  ///< at state()
  double work() const;    ///< work of loads, dissipation and supports [J]
  double broken() const;  ///< energy that the springs held when they broke [J]

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace femflex::hamiltonian
