// TiledNetwork: leapfrog steps of a network of springs at the speed of memory.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "femflex/hamiltonian/hamiltonian_system.h"
#include "femflex/hamiltonian/lattice.h"

#include "kernels/pair_laws.h"

namespace femflex::hamiltonian {

/// One bond of a network, for the fast engine. The force on end a is s r, with r from a to b and
/// s = F / L of the law.
struct Bond {
  std::int32_t a = 0, b = 0;
  double alpha = 0.0, beta = 0.0;
  tiles::PairLaw law = tiles::PairLaw::quartic;
};

/// What acts in one step on single DOFs, in the order of Input::loaded and Input::moved.
struct Drive {
  std::vector<double> before;  ///< load at the start, as the step before it sees it [N]
  std::vector<double> after;   ///< the same as this step sees it [N]
  std::vector<double> mean;    ///< load at the middle [N]
  std::vector<double> target;  ///< positions of the moved DOFs at the end [m]
  std::vector<double> speed;   ///< their velocities at the start, for dampers at them [m/s]
  std::vector<double> seen;    ///< positions of the seen DOFs at the start [m], given
};
/// Fills in a drive for the step with this number, counted from 0 in one call of advance().
using DriveStep = std::function<void(std::int64_t step, Drive& drive)>;

/// A network of springs, laid out so that leapfrog runs at the speed of memory.
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
    /// c/m of friction on nodes, per DOF [1/s]; empty: none
    std::span<const double> friction = {};
    std::span<const std::int32_t> loaded = {};  ///< DOFs with loads that change, in any order
    std::span<const std::int32_t> moved = {};   ///< DOFs of prescribed motion
    std::span<const std::int32_t> seen = {};    ///< DOFs whose positions the caller needs each step
    /// of bonds with PairLaw::curve; called from several threads
    tiles::CurveLaws curves = {};
  };
  explicit TiledNetwork(const Input& input);
  /// False if no layout takes this network: bonds of several laws, more than 65,000 at one node.
  /// Nothing else may be called then.
  bool is_possible() const;
  ~TiledNetwork();
  TiledNetwork(const TiledNetwork&) = delete;
  TiledNetwork& operator=(const TiledNetwork&) = delete;
  TiledNetwork(TiledNetwork&&) = delete;
  TiledNetwork& operator=(TiledNetwork&&) = delete;

  /// Loads positions and half-step velocities (see half_kick()), per DOF.
  void load(std::span<const double> q, std::span<const double> u);
  void store(std::span<double> q, std::span<double> u) const;
  /// Prepares for steps of length h.
  void set_step(double h);
  /// Makes `steps` leapfrog steps: u += h f(q)/m, q += h u, with friction and what `drive` says.
  /// @param drive  needed if DOFs are loaded or moved; called before each step with its number
  /// @return number of steps done, fewer than `steps` if a velocity left the finite range
  std::int64_t advance(std::int64_t steps, int threads, const DriveStep& drive = {});
  /// Writes (f(q) + constant force) / m at the current positions to `out`.
  void accelerations(std::span<double> out);

  /// Energy lost by friction in all kicks so far, work of changing loads, and work of the supports
  /// that move DOFs except for the half step that has not ended [J].
  struct Work {
    double lost = 0.0, loads = 0.0, supports = 0.0;
  };
  Work work() const;
  /// Last displacement of each moved DOF [m].
  std::vector<double> last_moves() const;

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
