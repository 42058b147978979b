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

/// Converts SPCs along CD axes that are inclined to basic. A triad is the three translations, or
/// the three rotations, of a node.
/// - The SPCs of a triad become fixed basic DOFs if all its fixed axes are basic directions, or if
///   all three axes are fixed.
/// - In any other triad, each SPC becomes an equation with zero on its right-hand side. The same
///   holds for every triad in which `others` make a DOF dependent, because the equations of a triad
///   are solved together (docs/theory/import.md eq. 8).
/// @param gathered       its geometry.fixed holds each DOF once
/// @param first_element  index of the first of `elements` in the model
Supports supports(const Gathered& gathered,
                  const std::vector<LocalEquation>& others,
                  std::int64_t first_element);

}  // namespace femflex::importer
