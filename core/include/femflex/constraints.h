// Dependent DOFs of an FE model (RBE2, RBE3, MPC, inclined supports), expressed by rows of its
// matrices, for the importer's checks and the modal stage.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "femflex/fe_model.h"

namespace femflex {

/// Which DOFs of a model depend on others, with all chains followed down to rows of its matrices.
///
/// The equations are those of FeModel::constraints. An RBE2 or RIGID BODY of one independent node,
/// without equations in that list, moves its nodes by the rule of small rotations, u_P = u_I +
/// theta_I x (P - I). If a dependent DOF has a row, the matrices do not contain its constraint yet,
/// and femflex applies it. If it has no row, it was eliminated before the matrices were written,
/// and femflex only recovers its motion. docs/theory/import.md eq. (4).
class Dependence {
 public:
  /// One term of a sum: factor * displacement of a row of FeModel::dofs.
  struct RowTerm {
    std::int64_t row;
    double factor;
  };
  /// A dependent DOF (follower) and the terms on which it depends.
  struct Follower {
    /// terms whose sum is its displacement, by ascending row; fixed DOFs without a row are zero
    std::vector<RowTerm> rows;
    std::int64_t element = -1;  ///< index in FeModel::rigid_elements
    std::int64_t row = -1;      ///< row of the dependent DOF itself, -1 if it has none
    bool complete = true;       ///< every DOF that it depends on leads to rows or is fixed
    bool is_cyclic = false;     ///< in a cycle of dependencies, or dependent on one
    bool is_support = false;    ///< a single-point constraint along an axis inclined to basic
    Dof dof;                    ///< the dependent DOF itself
    Dof missing;                ///< if not complete: a DOF without a row or in a cycle
  };

  /// Resolves all equations of the model. Does not throw: clashes() and unapplied() list what
  /// cannot be applied.
  explicit Dependence(const FeModel& model);

  /// All dependent DOFs, in ascending order of DOF.
  const std::map<Dof, Follower>& followers() const { return followers_; }
  /// Null if the DOF is independent.
  const Follower* find(const Dof& dof) const;
  /// The first dependent DOF of the node, not counting those that an inclined support of the node
  /// makes dependent; null if there is none.
  const Follower* find_node(std::int64_t node) const;
  /// Two equations, possibly of one element, that make the same DOF, which has a row, dependent.
  struct Clash {
    Dof dof;
    std::int64_t first, second;  ///< indices in FeModel::rigid_elements
  };
  const std::vector<Clash>& clashes() const { return clashes_; }
  /// Rigid elements without an equation although the matrices have rows of their dependent nodes.
  const std::vector<std::int64_t>& unapplied() const { return unapplied_; }

 private:
  using Equations = std::map<Dof, const ConstraintEquation*>;  // key: dependent DOF
  void follow_chains(const FeModel& model, const Equations& equations);
  /// Finds the row terms of one DOF; the DOFs that it depends on are already resolved.
  void resolve(const FeModel& model,
               const Equations& equations,
               const std::set<Dof>& fixed,
               const ConstraintEquation& equation,
               Follower& out) const;

  std::map<Dof, Follower> followers_;
  std::vector<Clash> clashes_;
  std::vector<std::int64_t> unapplied_;
};

/// Name of a rigid element in messages: `RBE2 101`, `MPC 7`, `SPC at node 2`.
std::string card_of(const RigidElement& element);

/// Text that lists the other nodes on which a DOF depends, with chains followed: `node 4`, `nodes
/// 4, 5, 6`. If it depends only on DOFs of its own node, lists these: `DOFs 7/T2, 7/R1`.
std::string leaders_of(const FeModel& model, const Dependence::Follower& follower);

/// Names of some rigid elements (indices in FeModel::rigid_elements), without repetition: `RBE3 5,
/// MPC 7 and more`.
std::string cards_of(const FeModel& model, const std::vector<std::int64_t>& elements);

}  // namespace femflex
