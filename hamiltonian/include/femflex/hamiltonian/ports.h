// PortedSystem: Hamiltonian systems that exchange power with their surroundings through ports.
// docs/theory/hamiltonian.md §7
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "femflex/hamiltonian/hamiltonian_system.h"
#include "femflex/hamiltonian/lattice_system.h"
#include "femflex/hamiltonian/polynomial.h"

namespace femflex::hamiltonian {

/// The quantity that is prescribed at a port; the other one of (force, velocity) is the result.
enum class Causality : std::uint8_t { force_in, velocity_in };

/// A point at which a system exchanges power with its surroundings: a node, or R (the massless
/// point with a spring to every node; Lattice::hub must be given).
struct Port {
  /// index into Lattice::nodes, or of a block of states of a polynomial; -1: R
  std::int32_t node = -1;
  Causality causality = Causality::force_in;
  friend bool operator==(const Port&, const Port&) = default;
};

/// The external force on the system at a port, and the velocity of that point.
struct PortFlow {
  Eigen::Vector3d force = Eigen::Vector3d::Zero();      ///< [N]
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();   ///< [m/s]
  double power() const { return force.dot(velocity); }  ///< power into the system [W]
};

struct PowerBalance {
  std::vector<double> in;   ///< energy received through each port so far [J]; empty: no step yet
  double stored = 0.0;      ///< change of H since the start [J]
  double dissipated = 0.0;  ///< energy taken by friction, damping and the lattice's own loads [J]
  double received() const { return std::accumulate(in.begin(), in.end(), 0.0); }  ///< [J]
  double error() const { return received() - stored - dissipated; }               ///< [J]
};

/// A Hamiltonian system with ports, as a bond graph sees it. A state is the positions (all nodes),
/// the momenta, and the position of R if there is one.
class PortedSystem : public Interface<PortedSystem> {
 public:
  virtual const HamiltonianSystem& system() const = 0;
  virtual int dimension() const = 0;  ///< number of components of a port's force and velocity
  virtual const std::vector<Port>& ports() const = 0;
  virtual std::size_t state_size() const = 0;
  virtual std::vector<double> start() const = 0;  ///< the state at the beginning

  /// Rate of the state, and the outputs of the ports, for given inputs. The force at a port whose
  /// velocity is given is the force for constant velocity: it does not include moved_mass() times
  /// the acceleration.
  /// @param inputs  force or velocity of each port, by its causality
  /// @param flows   one per port
  virtual void rate(double time,
                    std::span<const double> state,
                    std::span<const Eigen::Vector3d> inputs,
                    std::span<double> state_rate,
                    std::span<PortFlow> flows) const = 0;
  /// Mass of the node at a port of given velocity [kg]; 0 for any other port.
  virtual double moved_mass(std::size_t port) const = 0;
  /// Sets the part of the state that an input prescribes: the momentum of a node of given velocity,
  /// the position of R under a given force.
  virtual void settle(std::size_t port,
                      const Eigen::Vector3d& input,
                      std::span<double> state) const = 0;
  virtual double energy(std::span<const double> state) const = 0;  ///< H [J]
  /// Power that leaves through friction, damping and the system's own loads [W].
  virtual double lost_power(double time,
                            std::span<const double> state,
                            std::span<const double> state_rate) const = 0;

  /// Follows hinge angles past a half turn, breaks overloaded springs, as at the end of a step.
  virtual void remember(std::span<const double> state) = 0;
  /// What is remembered in addition to the state: angles of hinges [rad]; then, if any spring can
  /// break, 1 for each broken spring and 0 for each other one.
  virtual std::vector<double> memory() const = 0;
  virtual void set_memory(std::span<const double> memory) = 0;

  /// Makes one step of length h with constant inputs, by classical Runge-Kutta of order 4; adds to
  /// `balance`.
  void step(double time,
            double h,
            std::span<double> state,
            std::span<const Eigen::Vector3d> inputs,
            std::span<PortFlow> flows,
            PowerBalance& balance) const;
};

/// A lattice with ports.
class PortedLattice final : public PortedSystem {
 public:
  /// @throws UsageError  a port on R although the lattice has no hub, a port on a node that does
  ///                     not exist, two ports on one node, a force into a fixed node, prescribed
  ///                     motions, a load that ends after a number of steps
  PortedLattice(const Lattice& lattice, std::vector<Port> ports);
  ~PortedLattice() override;
  PortedLattice(const PortedLattice&) = delete;
  PortedLattice& operator=(const PortedLattice&) = delete;
  PortedLattice(PortedLattice&&) = delete;
  PortedLattice& operator=(PortedLattice&&) = delete;

  /// Starts in this state instead of the one that the lattice gives; `current` references refer to
  /// it.
  void start_from(const State& state);

  const LatticeSystem& system() const override;
  int dimension() const override;
  const std::vector<Port>& ports() const override;
  std::size_t state_size() const override;
  std::vector<double> start() const override;
  void rate(double time,
            std::span<const double> state,
            std::span<const Eigen::Vector3d> inputs,
            std::span<double> state_rate,
            std::span<PortFlow> flows) const override;
  double moved_mass(std::size_t port) const override;
  void settle(std::size_t port,
              const Eigen::Vector3d& input,
              std::span<double> state) const override;
  double energy(std::span<const double> state) const override;
  double lost_power(double time,
                    std::span<const double> state,
                    std::span<const double> state_rate) const override;
  void remember(std::span<const double> state) override;
  std::vector<double> memory() const override;
  void set_memory(std::span<const double> memory) override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// A polynomial Hamiltonian with ports. A force at a block adds to the rates of its momenta; the
/// velocity is the rate of its positions.
class PortedPolynomial final : public PortedSystem {
 public:
  /// @param start  states in block order
  /// @throws UsageError  another number of states, a port on a block that does not exist, two ports
  ///                     on one block, a port of given velocity
  PortedPolynomial(const Polynomial& polynomial,
                   const std::vector<double>& start,
                   std::vector<Port> ports);

  const PolynomialSystem& system() const override { return system_; }
  int dimension() const override { return system_.polynomial().dimension; }
  const std::vector<Port>& ports() const override { return ports_; }
  std::size_t state_size() const override { return start_.size(); }
  std::vector<double> start() const override { return start_; }
  void rate(double time,
            std::span<const double> state,
            std::span<const Eigen::Vector3d> inputs,
            std::span<double> state_rate,
            std::span<PortFlow> flows) const override;
  double moved_mass(std::size_t /*port*/) const override { return 0.0; }
  void settle(std::size_t /*port*/,
              const Eigen::Vector3d& /*input*/,
              std::span<double> /*state*/) const override {}
  double energy(std::span<const double> state) const override;
  double lost_power(double /*time*/,
                    std::span<const double> /*state*/,
                    std::span<const double> /*state_rate*/) const override {
    return 0.0;
  }
  void remember(std::span<const double> /*state*/) override {}
  std::vector<double> memory() const override { return {}; }
  void set_memory(std::span<const double> /*memory*/) override {}

 private:
  PolynomialSystem system_;
  std::vector<double> start_;  // positions, then momenta
  std::vector<Port> ports_;
};

}  // namespace femflex::hamiltonian
