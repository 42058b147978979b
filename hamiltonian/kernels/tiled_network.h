// TiledNetwork: leapfrog steps of a large network of quartic springs at the speed of memory.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "femflex/hamiltonian/hamiltonian_system.h"
#include "femflex/hamiltonian/lattice.h"

namespace femflex::hamiltonian {

/// One bond of a network, for the fast engine. The force on end a is (alpha |r|^2 - beta) r, with r
/// from a to b.
struct Bond {
  std::int32_t a = 0, b = 0;
  double alpha = 0.0, beta = 0.0;
};

/// A large network of quartic springs, laid out so that leapfrog runs at the speed of memory.
///
/// Regular lattices are recognised, stored in blocks of eight nodes and run as stencils. Any other
/// network is cut into tiles of neighbouring nodes that fit the second-level cache; inside a tile
/// each bond is computed once. No tile writes into the nodes of another, so results have the same
/// bits for any number of threads. docs/theory/hamiltonian.md §8
class TiledNetwork {
 public:
  struct Input {
    int dimension = 3;
    std::span<const Bond> bonds;
    std::span<const double> inverse_mass;    ///< per DOF, 0 if fixed
    std::span<const double> constant_force;  ///< gravity and constant loads without an end, per DOF
    std::span<const double> positions;       ///< per DOF, used to order the nodes
  };
  explicit TiledNetwork(const Input& input);
  ~TiledNetwork();
  TiledNetwork(const TiledNetwork&) = delete;
  TiledNetwork& operator=(const TiledNetwork&) = delete;
  TiledNetwork(TiledNetwork&&) = delete;
  TiledNetwork& operator=(TiledNetwork&&) = delete;

  /// Loads positions and half-step velocities (see half_kick()), per DOF.
  void load(std::span<const double> q, std::span<const double> u);
  void store(std::span<double> q, std::span<double> u) const;
  /// Makes `steps` leapfrog steps of length h: u += h f(q)/m, q += h u.
  /// @return number of steps done, fewer than `steps` if a velocity left the finite range
  std::int64_t advance(std::int64_t steps, double h, int threads);
  /// Writes (f(q) + constant force) / m at the current positions to `out`.
  void accelerations(std::span<double> out);

  /// Share of bonds that need no index of their own: near 1 for regular lattices.
  double regularity() const;
  /// Bytes that a step must move through memory, and number of bonds; benches derive the memory
  /// limit from them.
  double bytes_per_step() const;
  std::size_t bond_count() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace femflex::hamiltonian
