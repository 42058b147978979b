// Account: follows work, dissipation and energy error during a run.
#pragma once

#include <span>
#include <vector>

#include "femflex/hamiltonian/hamiltonian_system.h"

#include "integrators/dynamics.h"

namespace femflex::hamiltonian {

/// Number of DOFs up to which a run follows the energy of every step. For larger systems the energy
/// costs as much as the forces of a step and is computed at output rows only.
inline constexpr std::size_t kSmallSystem = 3000;

/// Energy account: the work of loads, dissipation and supports, the energy lost with broken
/// springs, and the error of H.
class Account {
 public:
  Account(const Dynamics& system, const State& state);

  bool every_step() const { return every_step_; }
  double work() const { return given_ + dissipated_; }
  void set_work(const FastLeapfrog::Work& work) {
    given_ = work.given;
    dissipated_ = work.dissipated;
    broken_ = work.broken;
  }
  double broken() const { return broken_; }
  /// Largest energy error so far, divided by the largest of |H0|, kinetic energy and |work|.
  double error() const { return max_error_; }
  /// Largest energy error so far, divided by the moving energy: the largest of kinetic energy,
  /// |work| and the energy of broken springs, which does not depend on the origin of heights.
  double error_of_moving() const;
  const Energy& start() const { return start_; }
  const Energy& last() const { return last_; }

  /// Adds the work of one step, the integral of force times velocity. It is computed by three Gauss
  /// points on the quintic through position, velocity and acceleration at both ends, for large
  /// systems by mean forces; for constant loads it is exact.
  /// @param force  -dH/dq at `after`; empty if unknown
  void add_step(const State& after, double h, std::span<const double> force);
  /// Breaks the springs that are beyond their limits before the first step of an adaptive method.
  void break_overloaded(State& start);
  /// @return false if the energy is not finite
  bool check(const State& state);
  /// Whether the energy has grown although nothing supplied it.
  bool has_diverged() const { return diverging_checks_ > 2; }

 private:
  using Vector = std::vector<double>;
  struct End {  // one end of a step
    Vector v;   // velocity
    Vector a;   // acceleration
    Vector f;   // -dH/dq
  };
  void integrate(const State& after, double h, std::span<const double> force);
  bool add_constant_load_work(const State& after, double h);
  void add_mean_work(const State& after, double h);
  void add_broken(const State& now);
  void set_rates(const State& state, const Instant& instant, End& end);

  Dynamics system_;
  Energy start_;
  double scale_;
  Energy last_;
  bool follows_, integrates_, every_step_;
  State before_;
  Vector inverse_mass_, load_, other_, q_, p_, v_;
  End first_, second_;
  // true if first_.f is the force at before_ (with mean forces, the dissipation)
  bool force_known_ = false;
  double given_ = 0.0;       // energy given by loads and supports
  double dissipated_ = 0.0;  // dissipated energy, negative
  double broken_ = 0.0;
  double source_;  // largest energy so far from the start state, loads, supports and gravity
  double max_error_ = 0.0;
  double max_error_in_joule_ = 0.0;  // largest energy error so far [J]
  double moving_;  // largest kinetic energy, |work| or energy of broken springs so far [J]
  // number of failed checks in a row; work may lag behind the energy by one step
  int diverging_checks_ = 0;
};

}  // namespace femflex::hamiltonian
