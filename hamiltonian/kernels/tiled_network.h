// TiledNetwork: makes leapfrog steps of a large network of springs, about as fast as memory can
// deliver the data.
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

/// One bond (spring or damper) of a network. The force on end a is s r, where r is the vector from
/// a to b, and s = force / length by the law.
struct Bond {
  std::int32_t a = 0, b = 0;
  double alpha = 0.0, beta = 0.0;  ///< constants of the law, see kernels/pair_laws.h
  tiles::PairLaw law = tiles::PairLaw::quartic;
};

/// Loads and prescribed motions of single DOFs in one step. The first three lists are in the order
/// of Input::loaded, `target` and `speed` in that of Input::prescribed, `observed` in that of
/// Input::observed. Where a load switches at the start of the step, `before` and `after` differ.
struct Drive {
  std::vector<double> before;  ///< loads at the start of the step, just before a switch [N]
  std::vector<double> after;   ///< loads at the start of the step, just after a switch [N]
  std::vector<double> mean;    ///< loads at the middle of the step, for their work [N]
  std::vector<double> target;  ///< positions of the prescribed DOFs at the end of the step [m]
  std::vector<double> speed;  ///< velocities of the prescribed DOFs at the start, for dampers [m/s]
  /// positions of the observed DOFs at the start [m]; set by the network
  std::vector<double> observed;
};
/// Called before each step, with `observed` already set, to fill in the other lists; `step` counts
/// from 0 in one call of advance().
using DriveStep = std::function<void(std::int64_t step, Drive& drive)>;

/// A network of springs, stored so that leapfrog steps run at the speed of memory.
///
/// Regular lattices are recognised, stored in blocks of eight nodes and run as stencils. Any other
/// network is cut into tiles of neighbouring nodes that fit the second-level cache, and each bond
/// is computed once. No tile writes into the nodes of another, so results have the same bits for
/// any number of threads. docs/theory/hamiltonian.md §8
class TiledNetwork {
 public:
  struct Input {
    int dimension = 3;
    std::span<const Bond> bonds;
    std::span<const double> inverse_mass;    ///< per DOF, 0 if fixed
    std::span<const double> constant_force;  ///< gravity and loads that never change, per DOF
    std::span<const double> positions;       ///< per DOF, used to order the nodes
    /// c/m of the viscous friction on nodes, per DOF [1/s]; empty: none
    std::span<const double> damping_rate = {};
    std::span<const std::int32_t> loaded = {};      ///< DOFs with loads that change, in any order
    std::span<const std::int32_t> prescribed = {};  ///< DOFs of prescribed motion
    std::span<const std::int32_t> observed =
        {};  ///< DOFs whose positions the caller needs each step
    /// the law of bonds with PairLaw::curve; it is called from several threads
    tiles::CurveLaws curves = {};
  };
  explicit TiledNetwork(const Input& input);
  /// False if the bonds have several laws and a tile has too many neighbours for 16-bit offsets;
  /// then no other function may be called.
  bool is_supported() const;
  ~TiledNetwork();
  TiledNetwork(const TiledNetwork&) = delete;
  TiledNetwork& operator=(const TiledNetwork&) = delete;
  TiledNetwork(TiledNetwork&&) = delete;
  TiledNetwork& operator=(TiledNetwork&&) = delete;

  /// Takes positions, and velocities half a step earlier, per DOF.
  void set_state(std::span<const double> q, std::span<const double> u);
  /// Gives positions, and velocities half a step earlier, per DOF.
  void state(std::span<double> q, std::span<double> u) const;
  /// Prepares for steps of length h.
  void set_step(double h);
  /// Makes `steps` leapfrog steps: u += h f/m, q += h u. The force f is that of the bonds at q, the
  /// constant force, friction, and the loads of `drive`.
  /// @param drive  needed if DOFs are loaded or prescribed; called before each step with its number
  /// @return number of steps done, fewer than `steps` if a velocity became infinite or NaN
  std::int64_t advance(std::int64_t steps, int threads, const DriveStep& drive = {});
  /// Writes (force of the bonds + constant force) / m at the current positions to `out`.
  void accelerations(std::span<double> out);

  /// Work and losses since the network was made [J].
  struct Work {
    double lost = 0.0;   ///< energy lost by friction and dampers
    double loads = 0.0;  ///< work of changing loads
    double supports =
        0.0;  ///< work of the supports with prescribed motion, up to half a step before now
  };
  Work work() const;
  /// Displacement of each prescribed DOF in the last step [m].
  std::vector<double> last_moves() const;

  /// Share of bonds that need no index of their own: near 1 for regular lattices.
  double regularity() const;
  /// Bytes that a step must move through memory, from which benches derive the shortest time.
  double bytes_per_step() const;
  std::size_t bond_count() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace femflex::hamiltonian
