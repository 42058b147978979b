// Stepper: makes one time step of a Hamiltonian system by any integration method.
#pragma once

#include <span>
#include <vector>

#include "femflex/hamiltonian/hamiltonian_system.h"
#include "femflex/hamiltonian/integrate.h"

#include "integrators/dynamics.h"

namespace femflex::hamiltonian {

/// One method bound to one system: advances a State by one step. Explicit methods allocate nothing
/// after their first steps.
class Stepper {
 public:
  Stepper(const HamiltonianSystem& system, const RunOptions& options);

  /// @return false if an implicit step did not converge; `state` is then unchanged
  /// Not for dormand_prince, which advance_adaptively() steps.
  bool advance(State& state, double time, double h);
  /// Makes one accepted step of the adaptive method, no longer than `most`; adds the number of
  /// rejected steps to `rejected`. Returns its length, 0 on failure.
  double advance_adaptively(State& state, double most, std::int64_t& rejected);
  /// -dH/dq at the end of the last step; empty if the method does not compute it.
  std::span<const double> force_at_end() const {
    return force_known_ ? std::span<const double>(kp_[0]) : std::span<const double>();
  }

 private:
  using Vector = std::vector<double>;
  /// q' and p' without external loads, with dissipation.
  void unloaded_rates(const State& state,
                      const Instant& instant,
                      std::span<double> q,
                      std::span<double> p,
                      std::span<double> dq,
                      std::span<double> dp);
  /// q' and p' with external loads and dissipation.
  void rates(const State& state,
             const Instant& instant,
             std::span<double> q,
             std::span<double> p,
             std::span<double> dq,
             std::span<double> dp);
  void decay(State& state, double tau);
  void drift(State& state, double tau);
  void kick(State& state, const Instant& instant, double tau);
  void add_load_impulse(State& state, double time, double h);
  void euler(State& state, const Instant& now, double h);
  void semi_implicit(State& state, const Instant& now, double h);
  void adams_bashforth(State& state, const Instant& now, double h, std::size_t order);
  void leapfrog(State& state, const Instant& now, double h);
  void runge_kutta(State& state, const Instant& now, double h);
  void composition(State& state, const Instant& now, double h);
  /// Data of the current implicit step; q_ and p_ hold its unknown, the state at the middle.
  struct Middle {
    Instant instant;
    double h = 0.0;             // [s]
    double largest_mass = 0.0;  // [kg]; 0 until Newton's method needs it
    double noise = 0.0;  // relative residual of the momenta that rounding of positions leaves
  };
  bool midpoint(State& state, const Instant& now, double h);
  bool iterate_to_middle(const State& state, Middle& middle);
  /// @param damped  whether Newton's matrix contains the damping
  bool newton_to_middle(const State& state, Middle& middle, bool damped);
  /// Distance of (q_, p_) from  x + h/2 x'  with the rates there: the larger of the distances of
  /// positions and momenta, each relative to its largest entry; HUGE_VAL if not finite.
  double middle_residual(const State& state, Middle& middle);
  double dormand_prince_try(State& state, double h);
  double step_to_break(State& state, double h);
  void accept(State& state, double h);

  Dynamics system_;
  const RunOptions& options_;
  std::size_t n_;
  Vector q_, p_, dq_, dp_, f_;
  std::vector<Vector> kq_, kp_;
  // true for DOFs of prescribed motion, which have no equation in the implicit step
  std::vector<bool> driven_;
  bool force_known_ = false;  // leapfrog: kp_[0] holds the force at the state's positions
};

}  // namespace femflex::hamiltonian
