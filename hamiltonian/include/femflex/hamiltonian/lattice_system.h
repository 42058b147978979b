// LatticeSystem: a Lattice as a HamiltonianSystem, with readings of its springs and hinges.
#pragma once

#include <complex>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "femflex/hamiltonian/hamiltonian_system.h"
#include "femflex/hamiltonian/lattice.h"
#include "femflex/sparse.h"

namespace femflex::hamiltonian {

/// Length, force and stress of one spring in a state.
struct SpringReading {
  double length = 0.0;      ///< [m]
  double elongation = 0.0;  ///< elongation L - d [m]
  double force = 0.0;       ///< force without damping [N], positive in tension
  double stress = 0.0;      ///< force / area [Pa]; NaN if the spring has no section
  bool broken = false;
};

/// The spring with the largest |stress|; its index is -1 if no spring has a section.
struct ExtremeStress {
  std::int32_t spring = -1;
  double stress = 0.0;  ///< [Pa]
};

/// The references that a run has set where the lattice says `current`.
struct References {
  std::vector<double> lengths;  ///< rest length per spring [m]; NaN: not `current`
  std::vector<double> angles;   ///< angle per rotational spring [rad]; NaN: not `current`
};

/// A lattice as a Hamiltonian system. DOF number: node index * dimension + axis.
class LatticeSystem final : public HamiltonianSystem,
                            public ExternalForces,
                            public Events,
                            public TangentStiffness,
                            public StabilityBounds {
 public:
  /// @param lattice  a result of make_lattice()
  /// @throws ModelError  a table whose arguments are not in ascending order, or an invalid
  /// expression
  explicit LatticeSystem(Lattice lattice);
  ~LatticeSystem() override;
  LatticeSystem(const LatticeSystem&) = delete;
  LatticeSystem& operator=(const LatticeSystem&) = delete;
  LatticeSystem(LatticeSystem&&) = delete;
  LatticeSystem& operator=(LatticeSystem&&) = delete;

  const Lattice& lattice() const;
  /// Start positions and velocities at time 0, with `current` references still undefined.
  State start() const;
  /// Sets the `current` references from the positions of this state.
  void set_current_references(const State& state);
  /// The references that were set for the springs and hinges of `given`, a copy of this lattice
  /// before, whose references are `current`.
  References current_references(const Lattice& given) const;
  /// Sets the references that are still `current` to those of an earlier run, where they are known.
  /// Call this before set_current_references(), which then sets the others only.
  void keep_references(const References& known);
  /// Breaks springs from outside, as if somebody cut them: the springs that are broken in `memory`
  /// count as breakable from now on, even without a limit. Call this before a run begins.
  void let_break(const Memory& memory);

  std::size_t dof_count() const override;
  bool is_separable() const override { return true; }
  void velocity(std::span<const double> q,
                std::span<const double> p,
                std::span<double> q_dot) const override;
  void force(const Memory& memory,
             std::span<const double> q,
             std::span<const double> p,
             std::span<double> f) const override;
  Energy energy(const Memory& memory,
                std::span<const double> q,
                std::span<const double> p) const override;
  bool energy_is_expensive() const override;
  FastestMotion fastest_motion(const State& state) const override;
  std::string not_finite(double time, std::span<const double> q) const override;
  const ExternalForces* external_forces() const override { return this; }
  const Events* events() const override { return this; }
  const TangentStiffness* tangent_stiffness() const override { return this; }
  const StabilityBounds* stability_bounds() const override { return this; }
  std::unique_ptr<FastLeapfrog> fast_leapfrog() const override;

  // ExternalForces: lattice_system/external_forces.cpp
  bool has_loads() const override;
  void add_load(const Instant& instant, std::span<double> f) const override;
  double next_event(double time) const override;
  std::int32_t first_load_ending_at_step() const override;
  bool is_dissipative() const override;
  void add_dissipation(const Memory& memory,
                       std::span<const double> q,
                       std::span<const double> p,
                       std::span<double> f) const override;
  bool decay(double tau, std::span<double> p) const override;
  bool has_motions() const override;
  void set_prescribed(double time, std::span<double> q, std::span<double> p) const override;
  double support_power(const Memory& memory,
                       std::span<const double> q,
                       std::span<const double> p) const override;
  double prescribed_kinetic_energy(std::span<const double> p) const override;

  // Events: lattice_system/events.cpp
  bool update_memory(State& state) const override;
  bool can_break() const override;
  double break_margin(const Memory& memory, std::span<const double> q) const override;

  // TangentStiffness: lattice_system/tangent.cpp
  void tangent(const Memory& memory,
               std::span<const double> q,
               SparseMatrix& stiffness,
               std::vector<double>& inverse_mass) const override;
  SparseMatrix damping(const State& state) const override;
  /// Tangent of all DOFs including fixed ones, lower triangle.
  SparseMatrix full_tangent(const State& state) const;

  // StabilityBounds: lattice_system/{stiffness_bounds,extreme_shape,damping_bounds}.cpp
  std::unique_ptr<HamiltonianSystem> with_slack_springs_tight(const State& state) const override;
  double stiffness_bound(const State& state) const override;
  RayleighQuotients extreme_shape(const State& state, double a, double b) const override;
  DampingBound damping_bound(const State& state) const override;
  std::function<bool(double a, double b, double d)> definiteness_test(
      const State& state) const override;
  std::vector<std::complex<double>> eigenvalues(const State& state) const override;

  /// Adds the loads on fixed DOFs, which add_load() leaves out because the supports carry them.
  void add_load_on_supports(const Instant& instant, std::span<double> f) const;
  /// Forces on every DOF including fixed ones, without loads.
  void total_force(const Memory& memory, std::span<const double> q, std::span<double> f) const;
  /// Adds the forces of friction and dampers on every DOF including fixed ones, on which
  /// add_dissipation() leaves none.
  void total_dissipation(const Memory& memory,
                         std::span<const double> q,
                         std::span<const double> p,
                         std::span<double> f) const;
  /// Per DOF: 1/m, or 0 if the DOF is fixed.
  const std::vector<double>& inverse_masses() const;
  const std::vector<double>& masses() const;  ///< mass per node, including those of springs
  /// Momentum of a node per velocity: its mass; 1 kg at nodes without mass, which only prescribed
  /// motions and ports of velocity move, so that their p holds their velocity.
  const std::vector<double>& momentum_masses() const;
  std::vector<SpringReading> read_springs(const State& state) const;
  SpringReading read_spring(const State& state, std::size_t spring) const;
  /// Energy of one spring [J]; 0 if it is broken.
  double spring_energy(const State& state, std::size_t spring) const;
  ExtremeStress extreme_stress(const State& state) const;
  std::vector<double> hinge_energies(const State& state) const;  ///< of each hinge [J]
  /// Moments of the hinges, k (phi - phi_ref) [N m].
  std::vector<double> read_hinges(const State& state) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace femflex::hamiltonian
