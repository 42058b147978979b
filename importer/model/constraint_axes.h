// Transforms constraint equations from the displacement axes (CD) of nodes to basic directions.
#pragma once

#include <cstdint>
#include <vector>

#include "femflex/fe_model.h"

#include "model/constraints.h"
#include "model/gather.h"

namespace femflex::importer {

/// The equation of a dependent DOF along the CD axis of its node, in terms of basic DOFs.
struct LocalEquation {
  Dof dependent;
  std::vector<ConstraintEquation::Term> terms;
  std::int64_t element = -1;  ///< index of the rigid element or support
};

/// Rewrites the equations with basic DOFs on the dependent side.  docs/theory/import.md eq. (8).
Constraints in_basic_directions(const Gathered& gathered, std::vector<LocalEquation> equations);

}  // namespace femflex::importer
