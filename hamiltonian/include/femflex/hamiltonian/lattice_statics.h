#pragma once

#include <string>
#include <vector>

#include "femflex/hamiltonian/lattice_system.h"
#include "femflex/progress.h"

namespace femflex::hamiltonian {

struct EquilibriumOptions {
  double time = 0.0;         ///< at which load histories and prescribed motions are evaluated
  double load_factor = 1.0;  ///< of all loads; gravity is not scaled
  int load_steps = 1;        ///< number of equal parts in which the loads grow
  /// True: minimises the energy, ends on a stable equilibrium. False: plain Newton from the start
  /// along growing loads, which stays on an unstable branch (a straight column).
  bool stable = true;
  double tolerance = 1e-11;  ///< of the unbalanced force, relative to the forces in the springs
  int iterations = 3000;     ///< at most, per load step; slack lattices that become taut need many
};

struct Equilibrium {
  bool converged = false;
  std::string message;  ///< why it did not converge, and what helps
  State state;          ///< at rest
  int iterations = 0;
  double residual = 0.0;  ///< largest unbalanced force [N]
  int negative = 0;       ///< negative eigenvalues of the tangent: above 0 it is unstable
  int neutral =
      0;  ///< zero eigenvalues, of shapes that nothing holds; stable only if both counts are 0
  int broken = 0;  ///< springs loaded beyond their limits at equilibria under lower loads
  double load_factor = 0.0;
  double potential = 0.0;         ///< springs, hinges and gravity [J]
  std::vector<double> reactions;  ///< on every held DOF, 0 elsewhere [N]
};

/// The lattice without the springs and hinges whose references are still `current`: those that act
/// before a state sets the references.
Lattice without_open_references(Lattice lattice);

/// Equilibrium under gravity and lasting loads (those with an end are left out), by Newton's method
/// with a trust region on the true tangent. docs/theory/hamiltonian.md §6
/// @param start  positions to begin from; its memory (counters, broken springs) is kept
Equilibrium find_equilibrium(const LatticeSystem& system,
                             const State& start,
                             const EquilibriumOptions& options,
                             Progress& progress);

/// Negative eigenvalues of the tangent at a state, from the signs of its LDL' factor.
int count_negative(const LatticeSystem& system, const State& state);

struct BranchOptions {
  double time = 0.0;
  double largest_factor = 10.0;  ///< the path ends beyond +- this
  double smallest_step = 1e-12;  ///< relative to the first arc
  int points = 200;              ///< most
  int apart = 6;  ///< halvings of an arc to separate critical points that are close together
};

struct BranchPoint {
  double load_factor = 0.0;
  int negative = 0;  ///< negative eigenvalues of the tangent
  State state;
};

/// A point of the path where the tangent is singular.
struct CriticalPoint {
  double load_factor = 0.0;
  bool is_limit_point = false;  ///< the load turns back; otherwise a bifurcation
  int negative_before = 0, negative_after = 0;
  std::size_t point = 0;  ///< its number among the points, from 0
};

/// The equilibrium path of growing load, followed past limit points by arc length. Arcs are chosen
/// by how far the springs turn and stretch, and by the bend of the path.
struct Branch {
  std::vector<BranchPoint> points;      ///< critical points among them
  std::vector<CriticalPoint> critical;  ///< in the order of the path
  bool complete = false;                ///< reached the largest factor or the number of points
  bool stopped = false;                 ///< on request; the points so far are good
  std::string
      message;  ///< why the path was lost, or that `points` was reached before the largest factor
};
Branch follow_branch(const LatticeSystem& system,
                     const State& start,
                     const BranchOptions& options,
                     Progress& progress);

/// Where the path loses stability.
struct Buckling {
  bool found = false;
  double load_factor = 0.0;
  bool is_limit_point = false;  ///< snap-through; otherwise a bifurcation
  std::vector<double> shape;    ///< buckling shape, largest entry 1, per DOF
  State state;
  std::string message;
};
Buckling find_buckling(const LatticeSystem& system,
                       const State& start,
                       const BranchOptions& options,
                       Progress& progress);

}  // namespace femflex::hamiltonian
