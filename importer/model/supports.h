// Converts the single-point constraints of an imported model to basic directions.
#pragma once

#include <vector>

#include "femflex/fe_model.h"

#include "model/constraint_axes.h"
#include "model/gather.h"

namespace femflex::importer {

/// Single-point constraints in basic directions.
struct Supports {
  std::vector<Dof> fixed;              ///< fixed DOFs, in basic directions
  std::vector<RigidElement> elements;  ///< one element `SPC` per node with equations; id: the node
  std::vector<LocalEquation> equations;  ///< u = 0 along axes inclined to basic
};

/// Sorts the SPCs along inclined CD axes triad by triad (the three translations, or the three
/// rotations, of a node). They fix basic DOFs if all fixed axes of the triad are basic directions
/// or all three axes are fixed. Otherwise, and if `others` make a DOF of the triad dependent, each
/// SPC becomes an equation with zero on its right-hand side, because the equations of a triad are
/// solved together (docs/theory/import.md eq. 8).
/// @param gathered       its geometry.fixed holds each DOF once
/// @param first_element  index of the first of `elements` in the model
Supports supports(const Gathered& gathered,
                  const std::vector<LocalEquation>& others,
                  std::int64_t first_element);

}  // namespace femflex::importer
