#pragma once

#include <span>
#include <vector>

#include "femflex/hamiltonian/hamiltonian_system.h"

#include "integrators/dynamics.h"

namespace femflex::hamiltonian {

/// DOFs up to which a run follows the energy of every step: for larger systems the energy costs as
/// much as the forces of a step and is computed at output rows only.
inline constexpr std::size_t kSmallSystem = 3000;

/// Energy account: the work of loads, dissipation and supports, the energy lost with broken
/// springs, and the error of H.
class Account {
 public:
  Account(const Dynamics& system, const State& state);

  bool every_step() const { return every_step_; }
  double work() const { return given_ + dissipated_; }
  void set_work(double work) { given_ = work; }
  double broken() const { return broken_; }
  double error() const { return worst_; }
  /// The same over the moving energy, which no choice of origin can make large.
  double error_of_moving() const;
  const Energy& start() const { return start_; }
  const Energy& last() const { return last_; }

  /// Work of one step: force times velocity at three Gauss points of the quintic through position,
  /// velocity and acceleration of both ends; for large systems by mean forces. Exact for constant
  /// loads.
  /// @param force  -dH/dq at `after`, if it is known
  void add_step(const State& after, double h, std::span<const double> force);
  /// @return false where the energy is not finite
  bool look(const State& state);
  /// The energy has grown although nothing supplied it.
  bool has_run_away() const { return far_beyond_ > 2; }

 private:
  using Vector = std::vector<double>;
  struct End {  // of a step
    Vector v;   // velocity
    Vector a;   // acceleration
    Vector f;   // -dH/dq
  };
  void integrate(const State& after, double h, std::span<const double> force);
  bool loads_stand_still(const State& after, double h);
  void take_means(const State& after, double h);
  void settle(const State& state, const Instant& instant, End& end);

  Dynamics system_;
  Energy start_;
  double scale_;
  Energy last_;
  bool follows_, integrates_, every_step_;
  State before_;
  Vector inverse_mass_, load_, other_, q_, p_, v_;
  End first_, second_;
  // first_.f is the force at before_ (with mean forces: the dissipation)
  bool force_known_ = false;
  double given_ = 0.0;       // by loads and supports
  double dissipated_ = 0.0;  // negative
  double broken_ = 0.0;
  double source_;  // largest energy given so far by start, loads, supports and falling
  double worst_ = 0.0;
  double worst_off_ = 0.0;  // [J]
  double moving_;           // [J]
  int far_beyond_ = 0;      // checks in a row; work may lag the energy by one step
};

/// -(potential of lasting constant loads): their work between two states is the difference.
double constant_load_work(const Dynamics& system, const State& state);

}  // namespace femflex::hamiltonian
