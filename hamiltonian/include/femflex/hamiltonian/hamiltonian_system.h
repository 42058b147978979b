// HamiltonianSystem: the interface by which integrators see a system with positions q and momenta
// p. It gives the derivatives of H, and optional parts: loads, dissipation, events, tangent
// stiffness and stability bounds.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "femflex/sparse.h"

namespace femflex::hamiltonian {

/// The data that a system remembers in addition to position and momentum.
struct Memory {
  std::vector<double> angles;        ///< phi_b - phi_a of each hinge, any number of turns [rad]
  std::vector<std::uint8_t> broken;  ///< 1 for each broken spring
  friend bool operator==(const Memory&, const Memory&) = default;
};

/// The data needed to continue a run bit for bit.
struct State {
  double time = 0.0;
  std::int64_t step = 0;     ///< steps taken since the start
  std::vector<double> q, p;  ///< positions and momenta, node by node
  Memory memory;
  std::vector<double> history;  ///< rates of earlier steps, used by a multistep method
  double last_step = 0.0;       ///< length of an adaptive method's last step [s]; 0: no step yet
  double step_length = 0.0;     ///< step length of a fixed-step method [s]; 0: no step yet
  double step_base = 0.0;       ///< time = step_base + step * step_length [s]
  double origin = 0.0;          ///< start time of the run; output times count from here [s]
  friend bool operator==(const State&, const State&) = default;
};

/// A time inside a step. Loads switch only between steps, so the time at `middle` decides which
/// ones act.
struct Instant {
  double time = 0.0;
  double middle = 0.0;  ///< time at the middle of the step [s]
  std::int64_t step = 0;

  /// An instant of statics, at which every load without an end acts and those with an end do not.
  static Instant lasting(double time) {
    return {time, std::numeric_limits<double>::max(), std::numeric_limits<std::int64_t>::max() - 1};
  }
};

struct Energy {
  double kinetic = 0.0;    ///< [J]
  double potential = 0.0;  ///< energy of springs, hinges and gravity [J]
  double total() const { return kinetic + potential; }
};

/// The fastest motion of the linearised system, which limits the step.
struct FastestMotion {
  double omega = 0.0;    ///< largest eigenfrequency of the tangent stiffness [rad/s]
  double damping = 0.0;  ///< c/m of the corresponding shape [1/s]
};

/// Rayleigh quotients of a shape x of the linearised system: if x belongs to an eigenvalue lambda,
/// lambda^2 + damping lambda + stiffness = 0.
struct RayleighQuotients {
  double damping = 0.0;    ///< x'C x / x'M x [1/s]
  double stiffness = 0.0;  ///< x'K x / x'M x [1/s^2]
};

/// Lower bounds of RayleighQuotients::damping that hold for all shapes:
/// damping >= slope * stiffness - offset  and  damping >= least.
struct DampingBound {
  double slope = 0.0;   ///< [s]
  double offset = 0.0;  ///< [1/s]
  double least = 0.0;   ///< [1/s]
};

/// Base of the interfaces below: neither copyable nor movable.
template <typename Self>
class Interface {
 public:
  Interface() = default;
  Interface(const Interface&) = delete;
  Interface& operator=(const Interface&) = delete;
  Interface(Interface&&) = delete;
  Interface& operator=(Interface&&) = delete;
  virtual ~Interface() = default;
};

/// A fast leapfrog for large networks. It makes the same steps as the general leapfrog, with
/// different round-off. The system must outlive it.
class FastLeapfrog : public Interface<FastLeapfrog> {
 public:
  /// Loads a state. A state written by store() is continued bit for bit.
  /// @return false if steps of this length need the general method
  virtual bool load(const State& state, double h) = 0;
  /// @return number of steps done, fewer than `steps` if a coordinate left the finite range
  virtual std::int64_t advance(std::int64_t steps, int threads) = 0;
  /// Writes positions, momenta and history; the caller sets time and step.
  virtual void store(State& state) = 0;
  /// Energies exchanged from load() to the last store().
  struct Work {
    double given = 0.0;       ///< by loads and supports [J]
    double dissipated = 0.0;  ///< by friction, negative [J]
    double broken = 0.0;      ///< energy lost with broken springs [J]

    friend Work operator+(const Work& a, const Work& b) {
      return {a.given + b.given, a.dissipated + b.dissipated, a.broken + b.broken};
    }
  };
  virtual Work work() const = 0;
};

/// Everything that acts in addition to H: loads, dissipation, and DOFs whose motion is prescribed.
class ExternalForces : public Interface<ExternalForces> {
 public:
  virtual bool has_loads() const = 0;
  /// Adds the loads at an instant.
  virtual void add_load(const Instant& instant, std::span<double> f) const = 0;
  /// Next time after `time` at which a load or motion switches [s]; infinity if nothing does.
  virtual double next_event(double time) const = 0;
  /// Number, from 1, of the first load that ends after a number of steps; 0 if there is none.
  virtual std::int32_t first_load_ending_at_step() const = 0;

  virtual bool is_dissipative() const = 0;
  /// Adds the dissipative forces.
  virtual void add_dissipation(const Memory& memory,
                               std::span<const double> q,
                               std::span<const double> p,
                               std::span<double> f) const = 0;
  /// Lets momenta decay for `tau` [s] at fixed positions, by the exact solution.
  /// @return false if there is no closed form; `p` is then unchanged
  virtual bool decay(double tau, std::span<double> p) const = 0;

  virtual bool has_motions() const = 0;
  /// Sets the DOFs of prescribed motion.
  virtual void set_prescribed(double time, std::span<double> q, std::span<double> p) const = 0;
  /// Power of the supports that move DOFs [W], without the power that accelerates the masses of
  /// these DOFs.
  virtual double support_power(const Memory& memory,
                               std::span<const double> q,
                               std::span<const double> p) const = 0;
  /// Kinetic energy of the DOFs of prescribed motion [J].
  virtual double prescribed_kinetic_energy(std::span<const double> p) const = 0;
};

/// Permanent changes at the end of a step, when angles are counted and springs break.
class Events : public Interface<Events> {
 public:
  /// @return true if the forces changed
  virtual bool update_memory(State& state) const = 0;
  virtual bool can_break() const = 0;
  /// The distance of a spring from its limit, divided by the limit; of the spring that is nearest
  /// to its limit. Negative if that spring breaks, infinite if no spring can break.
  virtual double break_margin(const Memory& memory, std::span<const double> q) const = 0;
};

/// The negative derivative of the forces with respect to positions.
class TangentStiffness : public Interface<TangentStiffness> {
 public:
  /// @param stiffness     -d(force)/dq, lower triangle
  /// @param inverse_mass  1/m of each DOF, 0 if the DOF is fixed
  virtual void tangent(const Memory& memory,
                       std::span<const double> q,
                       SparseMatrix& stiffness,
                       std::vector<double>& inverse_mass) const = 0;
  /// -d(dissipative force)/d(velocity) at a state, lower triangle; empty in rows of fixed DOFs.
  virtual SparseMatrix damping(const State& state) const = 0;
};

class HamiltonianSystem;

/// Bounds of the eigenvalues of the linearised system, for the longest stable step.
/// docs/theory/hamiltonian.md §5
class StabilityBounds : public Interface<StabilityBounds> {
 public:
  /// The same system, in which every spring that is slack in this state is as stiff as it can be at
  /// small strain. Null if no spring is slack.
  virtual std::unique_ptr<HamiltonianSystem> with_slack_springs_tight(const State& state) const = 0;
  /// An upper bound of the largest omega^2 [1/s^2]; it costs no more than a force evaluation.
  virtual double stiffness_bound(const State& state) const = 0;
  /// Rayleigh quotients of the shape that maximises  a * damping + b * stiffness.
  virtual RayleighQuotients extreme_shape(const State& state, double a, double b) const = 0;
  /// Lower bounds of the damping, from the damping of single nodes and springs.
  virtual DampingBound damping_bound(const State& state) const = 0;
  /// Returns a test that proves a C + b K + d M > 0 by factorisation; empty if that would cost too
  /// much.
  virtual std::function<bool(double a, double b, double d)> definiteness_test(
      const State& state) const = 0;
  /// All eigenvalues of a small system [1/s]; empty for a large one.
  virtual std::vector<std::complex<double>> eigenvalues(const State& state) const = 0;
};

/// q' = dH/dp, p' = -dH/dq, and optional parts. docs/theory/hamiltonian.md eq. (1).
class HamiltonianSystem : public Interface<HamiltonianSystem> {
 public:
  virtual std::size_t dof_count() const = 0;
  /// Whether H = T(p) + V(q), which the explicit symplectic methods need.
  virtual bool is_separable() const = 0;
  /// dH/dp. `q` matters only if H is not separable.
  virtual void velocity(std::span<const double> q,
                        std::span<const double> p,
                        std::span<double> q_dot) const = 0;
  /// -dH/dq. `p` matters only if H is not separable.
  virtual void force(const Memory& memory,
                     std::span<const double> q,
                     std::span<const double> p,
                     std::span<double> f) const = 0;
  virtual Energy energy(const Memory& memory,
                        std::span<const double> q,
                        std::span<const double> p) const = 0;
  /// Whether energy() costs much more than force(), so that it should be called only at samples.
  virtual bool energy_is_expensive() const = 0;
  virtual FastestMotion fastest_motion(const State& state) const = 0;
  /// Names the load, motion or spring that is not finite at this time and these positions; empty if
  /// all are finite.
  virtual std::string not_finite(double time, std::span<const double> q) const = 0;

  // Optional parts, null if the system does not have them.
  virtual const ExternalForces* external_forces() const = 0;
  virtual const Events* events() const = 0;
  virtual const TangentStiffness* tangent_stiffness() const = 0;
  virtual const StabilityBounds* stability_bounds() const = 0;
  /// Null also if the system is small, or has parts that only the general method can compute.
  virtual std::unique_ptr<FastLeapfrog> fast_leapfrog() const = 0;
};

}  // namespace femflex::hamiltonian
