#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "femflex/sparse.h"

namespace femflex::hamiltonian {

/// What a system remembers beside position and momentum.
struct Memory {
  std::vector<double> angles;        ///< phi_b - phi_a of each hinge, any number of turns [rad]
  std::vector<std::uint8_t> broken;  ///< 1 for each spring that broke
  friend bool operator==(const Memory&, const Memory&) = default;
};

/// All that is needed to go on bit for bit.
struct State {
  double time = 0.0;
  std::int64_t step = 0;     ///< steps taken since the start
  std::vector<double> q, p;  ///< positions and momenta, node by node
  Memory memory;
  std::vector<double> history;  ///< rates of earlier steps, of a multistep method
  double last_step = 0.0;       ///< of an adaptive method [s]; 0: none yet
  double step_length = 0.0;     ///< of a method of even steps [s]; 0: none yet
  double step_base = 0.0;       ///< time = step_base + step * step_length [s]
  double origin = 0.0;          ///< where the run began; output times count from here [s]
  friend bool operator==(const State&, const State&) = default;
};

/// A moment inside a step. Loads that switch do so between steps: `middle` decides.
struct Instant {
  double time = 0.0;
  double middle = 0.0;  ///< of the step [s]
  std::int64_t step = 0;
};

struct Energy {
  double kinetic = 0.0;    ///< [J]
  double potential = 0.0;  ///< springs, hinges and gravity [J]
  double total() const { return kinetic + potential; }
};

/// Stability data of the linearised system.
struct FastestMotion {
  double omega = 0.0;    ///< largest eigenfrequency of the tangent [rad/s]
  double damping = 0.0;  ///< c/m seen by that shape [1/s]
};

/// A shape x of the linearised system by its Rayleigh quotients: the eigenvalues lambda it may have
/// solve  lambda^2 + damping lambda + stiffness = 0.
struct Motion {
  double damping = 0.0;    ///< x'C x / x'M x [1/s]
  double stiffness = 0.0;  ///< x'K x / x'M x [1/s^2]
};

/// What holds for all shapes:  damping >= slope stiffness - drop,  and  damping >= least.
struct DampingLine {
  double slope = 0.0;  ///< [s]
  double drop = 0.0;   ///< [1/s]
  double least = 0.0;  ///< [1/s]
};

/// Leapfrog for large networks, beside the general way. Times the same steps, other round-off.
class FastLeapfrog {
 public:
  FastLeapfrog() = default;
  FastLeapfrog(const FastLeapfrog&) = delete;
  FastLeapfrog& operator=(const FastLeapfrog&) = delete;
  FastLeapfrog(FastLeapfrog&&) = delete;
  FastLeapfrog& operator=(FastLeapfrog&&) = delete;
  virtual ~FastLeapfrog() = default;
  /// Takes a state, bit for bit one of its own where its history says so.
  virtual void load(const State& state, double h) = 0;
  /// @return steps done: fewer where a coordinate left the finite range
  virtual std::int64_t advance(std::int64_t steps, int threads) = 0;
  /// Positions, momenta and history; time and step are the caller's.
  virtual void store(State& state) const = 0;
};

/// q' = dH/dp, p' = -dH/dq + dissipation + load. docs/theory/hamiltonian.md eq. (1).
class HamiltonianSystem {
 public:
  HamiltonianSystem() = default;
  HamiltonianSystem(const HamiltonianSystem&) = delete;
  HamiltonianSystem& operator=(const HamiltonianSystem&) = delete;
  HamiltonianSystem(HamiltonianSystem&&) = delete;
  HamiltonianSystem& operator=(HamiltonianSystem&&) = delete;
  virtual ~HamiltonianSystem() = default;

  virtual std::size_t dof_count() const = 0;
  /// H = T(p) + V(q): the explicit symplectic methods need it.
  virtual bool is_separable() const { return true; }
  virtual bool is_dissipative() const { return false; }
  virtual bool has_loads() const { return false; }

  /// dH/dp. `q` matters only where H is not separable.
  virtual void velocity(std::span<const double> q,
                        std::span<const double> p,
                        std::span<double> q_dot) const = 0;
  /// -dH/dq, loads left out. `p` matters only where H is not separable.
  virtual void force(const Memory& memory,
                     std::span<const double> q,
                     std::span<const double> p,
                     std::span<double> f) const = 0;
  /// Adds the loads at an instant.
  virtual void add_load(const Instant&, std::span<double>) const {}
  /// Adds the dissipative forces.
  virtual void add_dissipation(const Memory&,
                               std::span<const double>,
                               std::span<const double>,
                               std::span<double>) const {}
  /// Lets momenta decay for `tau` at standing positions: exactly where it can, then true.
  virtual bool decay(double /*tau*/, std::span<double> /*p*/) const { return false; }
  /// Sets DOFs that move as told.
  virtual void impose(double /*time*/, std::span<double> /*q*/, std::span<double> /*p*/) const {}
  virtual bool has_motions() const { return false; }
  /// Power that the supports of imposed DOFs give, their own masses' energy left out [W].
  virtual double support_power(const Memory& /*memory*/,
                               std::span<const double> /*q*/,
                               std::span<const double> /*p*/) const {
    return 0.0;
  }
  /// Kinetic energy of the imposed DOFs [J].
  virtual double imposed_kinetic(std::span<const double> /*p*/) const { return 0.0; }
  /// After each step: counters follow, springs break. True where forces changed by it.
  virtual bool remember(State&) const { return false; }
  virtual Energy energy(const Memory& memory,
                        std::span<const double> q,
                        std::span<const double> p) const = 0;
  /// energy() costs much more than force(): look at it at samples alone.
  virtual bool energy_is_expensive() const { return false; }
  /// Next time after `time` at which something switches; infinity where nothing does.
  virtual double next_event(double time) const;
  /// Number of the first load that ends after a count of steps, from 1; 0 where none does.
  virtual std::int32_t counted_load() const { return 0; }
  virtual FastestMotion fastest_motion(const State& state) const = 0;
  /// The same system with every spring that is slack here as stiff as it can be at small strain;
  /// null where none is slack.
  virtual std::unique_ptr<HamiltonianSystem> taut(const State& /*state*/) const { return nullptr; }
  /// A bound of omega^2 that costs no more than a force; 0 where there is none.
  virtual double stiffness_bound(const State& /*state*/) const { return 0.0; }
  /// The shape of largest  a damping + b stiffness.  Asked of dissipative systems alone.
  virtual Motion extreme_motion(const State& /*state*/, double /*a*/, double /*b*/) const {
    return {};
  }
  /// Least damping by what single nodes and springs have of it. Careful, never too much.
  virtual DampingLine damping_line(const State& /*state*/) const { return {}; }
  /// Proves  a C + b K + d M > 0  by a factor; empty where that would cost too much.
  virtual std::function<bool(double a, double b, double d)> definiteness(
      const State& /*state*/) const {
    return {};
  }
  /// All eigenvalues of a small dissipative system; empty for a large one.
  virtual std::vector<std::complex<double>> eigenvalues(const State& /*state*/) const { return {}; }
  /// How far the spring nearest to its limit is from breaking, relative to that limit; negative: it
  /// breaks. Infinity where none can.
  virtual double break_margin(const Memory&, std::span<const double>) const;
  virtual bool can_break() const { return false; }
  /// Names the load, motion or spring that is not finite at this time and these positions; empty
  /// where all are.
  virtual std::string not_finite(double /*time*/, std::span<const double> /*q*/) const {
    return {};
  }
  /// Null where the system has more than plain springs, or is small.
  virtual std::unique_ptr<FastLeapfrog> fast_leapfrog() const { return nullptr; }
  /// -d(force)/dq, lower triangle, and the DOFs' inverse masses; false where not available.
  virtual bool tangent(const Memory&,
                       std::span<const double>,
                       SparseMatrix&,
                       std::vector<double>&) const {
    return false;
  }
};

}  // namespace femflex::hamiltonian
