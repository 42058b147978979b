// Single-point constraints of an imported model, in basic directions.
#pragma once

#include <vector>

#include "femflex/fe_model.h"

#include "model/constraint_axes.h"
#include "model/gather.h"

namespace femflex::importer {

/// Single-point constraints in basic directions.
struct Supports {
  std::vector<Dof> fixed;                ///< fixed DOFs, in basic directions
  std::vector<RigidElement> elements;    ///< one element `SPC` per equation, numbered by its node
  std::vector<LocalEquation> equations;  ///< u = 0 along axes inclined to basic
};

/// An SPC along a CD axis fixes a basic DOF if the two directions agree, or if its whole triad (the
/// three translations or rotations of the node) is fixed. Any other SPC becomes an equation with
/// zero on its right-hand side. So does every SPC of a triad in which `others` make DOFs dependent,
/// because these are solved together (docs/theory/import.md eq. 8).
/// @param first_element  index of the first of `elements` in the model
Supports supports(const Gathered& gathered,
                  const std::vector<LocalEquation>& others,
                  std::int64_t first_element);

}  // namespace femflex::importer
