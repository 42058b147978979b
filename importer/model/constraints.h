#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/fe_model.h"
#include "femflex/importer/import_model.h"

#include "model/gather.h"

namespace femflex::importer {

/// Leaves in the rigid elements those multipoint constraints alone that hold: the set that the
/// request names, else what the case control chooses, else (decks without one) the only set.
/// Lists what the rigid elements make dependent. Names what cannot be told, and grid points
/// that are not there.
void resolve_constraints(const ImportRequest& request,
                         Gathered& gathered,
                         Diagnostics& diagnostics);

struct Constraints {
  std::vector<ConstraintEquation> equations;
  std::map<std::int64_t, std::string> refused;  ///< rigid elements that give none, and why
  std::set<std::int64_t> contradicting;         ///< of those, who contradict each other on a node
  std::vector<Dof> fixed;                       ///< single-point constraints, directions basic
  /// Single-point constraints along axes inclined to basic, numbered after the rigid elements.
  std::vector<RigidElement> supports;
};
/// Equations in basic directions of the rigid elements that say more than `u_P = u_I + theta x r`
/// on basic directions (femflex/constraints.h knows that by itself), and of single-point
/// constraints that hold no basic DOF.  docs/theory/import.md eq. (4) to (8).
Constraints constraint_equations(const Gathered& gathered);

}  // namespace femflex::importer
