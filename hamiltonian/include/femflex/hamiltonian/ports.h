// A lattice that exchanges power with its surroundings at two ports, for co-simulation.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "femflex/hamiltonian/integrate.h"
#include "femflex/hamiltonian/lattice_system.h"

namespace femflex::hamiltonian {

/// The quantity that is prescribed at a port; the other one of (force, velocity) is the result.
enum class Causality : std::uint8_t { force_in, velocity_in };

/// A point at which a lattice exchanges power with its surroundings: a node, or R (the massless
/// point with a spring to every node; Lattice::hub must be given).
struct Port {
  std::int32_t node = -1;  ///< index into Lattice::nodes; -1: R
  Causality causality = Causality::force_in;
};

/// The external force on the lattice at a port, and the velocity of that point.
struct PortFlow {
  Eigen::Vector3d force = Eigen::Vector3d::Zero();      ///< [N]
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();   ///< [m/s]
  double power() const { return force.dot(velocity); }  ///< power into the lattice [W]
};

/// Account of the energy that a PortedLattice has received, stored and dissipated.
struct PowerBalance {
  std::array<double, 2> in = {0.0, 0.0};  ///< energy received through each port so far [J]
  double stored = 0.0;                    ///< change of H since the start [J]
  double dissipated = 0.0;                ///< energy dissipated by friction and damping [J]
  double error() const { return in[0] + in[1] - stored - dissipated; }  ///< [J]
};

/// A lattice between two ports, as a bond graph sees it. docs/theory/hamiltonian.md §7
class PortedLattice {
 public:
  /// @throws UsageError  a port on R although the lattice has no hub, a port on a node that does
  ///                     not exist, both ports on one node, or a force into a fixed node
  PortedLattice(const Lattice& lattice, std::array<Port, 2> ports);
  ~PortedLattice();
  PortedLattice(PortedLattice&&) noexcept;
  PortedLattice& operator=(PortedLattice&&) noexcept;
  PortedLattice(const PortedLattice&) = delete;
  PortedLattice& operator=(const PortedLattice&) = delete;

  const LatticeSystem& system() const;
  const std::array<Port, 2>& ports() const;
  /// Size of a state: positions and momenta node by node, then the position of R if there is one.
  std::size_t state_size() const;
  std::vector<double> start() const;

  /// Rate of the state, and the outputs of the ports, for given inputs.
  /// @param inputs  force or velocity of each port, by its causality
  void rate(double time,
            std::span<const double> state,
            const std::array<Eigen::Vector3d, 2>& inputs,
            std::span<double> state_rate,
            std::array<PortFlow, 2>& flows) const;

  /// Makes one step of length h with constant inputs, by classical Runge-Kutta of order 4; adds to
  /// `balance`.
  void step(double time,
            double h,
            std::span<double> state,
            const std::array<Eigen::Vector3d, 2>& inputs,
            std::array<PortFlow, 2>& flows,
            PowerBalance& balance) const;
  double energy(std::span<const double> state) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace femflex::hamiltonian
