// Which constraints of a deck apply, and the equations that they become.
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

/// Keeps only those multipoint constraints that apply: the set that the request names, else the one
/// chosen by the case control, else, if the deck has no case control, the only set. Lists the DOFs
/// that the rigid elements make dependent. Warns of ambiguous sets and missing grid points.
void resolve_constraints(const ImportRequest& request,
                         Gathered& gathered,
                         Diagnostics& diagnostics);

/// Constraint equations of a model, and what could not be expressed by them.
struct Constraints {
  std::vector<ConstraintEquation> equations;
  std::map<std::int64_t, std::string>
      refused;                           ///< rigid elements without equations, and the reason
  std::set<std::int64_t> contradicting;  ///< rigid elements that contradict each other
  /// DOFs fixed by single-point constraints, in basic directions
  std::vector<Dof> fixed;
  /// Single-point constraints along axes inclined to basic, numbered after the rigid elements.
  std::vector<RigidElement> supports;
};
/// Equations in basic directions of the rigid elements that do not follow the rule
/// `u_P = u_I + theta x r` (femflex/constraints.h applies that rule itself), and of single-point
/// constraints that fix no basic DOF. docs/theory/import.md eq. (4) to (8).
Constraints constraint_equations(const Gathered& gathered);

}  // namespace femflex::importer
