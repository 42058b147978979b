#pragma once

#include <vector>

#include "femflex/fe_model.h"

#include "model/constraint_axes.h"
#include "model/gather.h"

namespace femflex::importer {

/// Single-point constraints in basic directions.
struct Supports {
  std::vector<Dof> fixed;                ///< DOFs held, directions basic
  std::vector<RigidElement> elements;    ///< `SPC` with the node as its number: one equation each
  std::vector<LocalEquation> equations;  ///< u = 0 along axes inclined to basic
};

/// An SPC along a CD axis holds a basic DOF if the two directions agree, or if its whole triad is
/// held. Any other is an equation with zero on its right-hand side, and so is every SPC of a triad
/// in which `others` make DOFs dependent: they are solved together (docs/theory/import.md eq. 8).
/// @param first_element  index of the first of `elements` in the model
Supports supports(const Gathered& gathered,
                  const std::vector<LocalEquation>& others,
                  std::int64_t first_element);

}  // namespace femflex::importer
