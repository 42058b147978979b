// Finds equilibria of a lattice: one equilibrium, the path of equilibria under growing load, and
// the point at which the lattice loses stability.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "femflex/hamiltonian/lattice_system.h"
#include "femflex/progress.h"

namespace femflex::hamiltonian {

/// L D L' factorisation of a sparse symmetric matrix. A caller may supply one that is faster than
/// Eigen's.
class SymmetricFactor {
 public:
  SymmetricFactor() = default;
  SymmetricFactor(const SymmetricFactor&) = delete;
  SymmetricFactor& operator=(const SymmetricFactor&) = delete;
  SymmetricFactor(SymmetricFactor&&) = delete;
  SymmetricFactor& operator=(SymmetricFactor&&) = delete;
  virtual ~SymmetricFactor() = default;
  /// @param lower  lower triangle, with every diagonal entry
  /// @param group  node of each row
  /// @return false if a pivot is lost in round-off
  virtual bool factor(const SparseMatrix& lower, const std::vector<std::int32_t>& group) = 0;
  virtual std::int64_t negative() const = 0;  ///< number of negative eigenvalues
  virtual Eigen::VectorXd solve(const Eigen::VectorXd& right) const = 0;
};

struct EquilibriumOptions {
  double time = 0.0;  ///< time at which load histories and prescribed motions are evaluated [s]
  double load_factor = 1.0;  ///< factor of all loads; gravity is not scaled
  int load_steps = 1;        ///< number of equal steps in which the loads grow
  /// True: minimises the energy, and so ends at a stable equilibrium. False: makes plain Newton
  /// iterations while the loads grow, and so stays on an unstable path (a column under too large a
  /// load that remains straight).
  bool stable = true;
  /// largest unbalanced force, relative to the forces in the springs
  double tolerance = 1e-11;
  /// maximum number of iterations per load step; lattices whose slack springs become tight need
  /// many
  int max_iterations = 3000;
  /// makes the factorisation for large lattices; empty: Eigen's is used
  std::function<std::unique_ptr<SymmetricFactor>()> make_factor = {};
};

struct Equilibrium {
  bool converged = false;
  std::string message;  ///< why it did not converge, and what helps
  State state;          ///< the equilibrium state, at rest
  int iterations = 0;
  double residual = 0.0;  ///< largest unbalanced force [N]
  /// number of negative eigenvalues of the tangent; above 0 the equilibrium is unstable
  int negative = 0;
  /// number of zero eigenvalues, of shapes without any stiffness; the equilibrium is stable only if
  /// both counts are 0
  int neutral = 0;
  int broken = 0;  ///< number of springs that broke at equilibria under lower loads
  double load_factor = 0.0;
  double potential = 0.0;         ///< energy of springs, hinges and gravity [J]
  std::vector<double> reactions;  ///< reaction on every fixed DOF, 0 elsewhere [N]
};

/// A copy of the lattice in which the springs and hinges whose references are still `current` exert
/// no force. It serves to find the state that sets these references.
Lattice without_current_references(Lattice lattice);

/// Equilibrium under gravity and lasting loads (those with an end are left out), by Newton's method
/// with a trust region on the true tangent. docs/theory/hamiltonian.md §6
/// @param start  positions to begin from; its memory (turn counters, broken springs) is kept
Equilibrium find_equilibrium(const LatticeSystem& system,
                             const State& start,
                             const EquilibriumOptions& options,
                             Progress& progress);

/// Number of negative eigenvalues of the tangent at a state, from the signs of its LDL' factor.
int count_negative(const LatticeSystem& system, const State& state);

struct BranchOptions {
  double time = 0.0;             ///< time at which loads are evaluated [s]
  double largest_factor = 10.0;  ///< the path ends if |load factor| exceeds this
  double smallest_step = 1e-12;  ///< shortest arc, relative to the first arc
  int max_points = 200;          ///< maximum number of points
  /// maximum number of halvings of an arc to separate critical points that are close together
  int max_halvings = 6;
};

struct BranchPoint {
  double load_factor = 0.0;
  int negative = 0;  ///< number of negative eigenvalues of the tangent
  State state;
};

/// A point of the path at which the tangent stiffness is singular.
struct CriticalPoint {
  double load_factor = 0.0;
  bool is_limit_point = false;  ///< true: the load turns back; false: bifurcation
  int negative_before = 0, negative_after = 0;
  std::size_t point = 0;  ///< its index in the points of the path, from 0
};

/// The equilibrium path under growing load (branch), followed past limit points by arc length. The
/// length of an arc depends on how far the springs turn and stretch, and on the bend of the path.
struct Branch {
  std::vector<BranchPoint> points;      ///< points of the path, including the critical ones
  std::vector<CriticalPoint> critical;  ///< in the order of the path
  bool complete = false;  ///< true if the largest factor or the number of points was reached
  bool stopped = false;   ///< true if stopped on request; the points so far are good
  std::string message;    ///< why the path was lost, or that `max_points` was reached before the
                          ///< largest factor
};
Branch follow_branch(const LatticeSystem& system,
                     const State& start,
                     const BranchOptions& options,
                     Progress& progress);

/// The point at which the equilibrium path loses stability.
struct Buckling {
  bool found = false;
  double load_factor = 0.0;
  bool is_limit_point = false;  ///< true: snap-through; false: bifurcation
  std::vector<double> shape;    ///< buckling shape, largest entry 1, per DOF
  State state;
  std::string message;
};
Buckling find_buckling(const LatticeSystem& system,
                       const State& start,
                       const BranchOptions& options,
                       Progress& progress);

}  // namespace femflex::hamiltonian
