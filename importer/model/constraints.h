// Decides which constraints of a deck apply, and writes them as equations of DOFs.
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

/// Keeps only the multipoint constraints of the set that applies: the one that the request names,
/// else the one that the case control chooses, else (no case control) the only one. Lists the DOFs
/// that constraints make dependent. Warns of ambiguous sets and missing grid points.
void resolve_constraints(const ImportRequest& request,
                         Gathered& gathered,
                         Diagnostics& diagnostics);

/// Constraint equations of a model, and the elements that could not be written as equations.
/// Elements are numbered from 0 in the order of the rigid elements of the import.
struct Constraints {
  std::vector<ConstraintEquation> equations;
  /// rigid elements without equations, and the reason
  std::map<std::int64_t, std::string> refused;
  std::set<std::int64_t> contradicting;  ///< rigid elements that contradict each other
  /// DOFs fixed by single-point constraints, in basic directions
  std::vector<Dof> fixed;
  /// Single-point constraints along axes inclined to basic, numbered after the rigid elements.
  std::vector<RigidElement> supports;
};
/// Writes equations in basic directions for rigid elements, and for single-point constraints along
/// inclined axes. Elements with the rule `u_P = u_I + theta x r` need none, because
/// femflex/constraints.h applies the rule itself. docs/theory/import.md eq. (4) to (8).
Constraints constraint_equations(const Gathered& gathered);

}  // namespace femflex::importer
