// Refuses sets of shapes on which the stiffness has negative eigenvalues, with the reason.
#pragma once

#include "reduced_set.h"

namespace femflex::modal {

/// Checks that M tells the shapes of the set apart, unless K is indefinite on those that it does
/// tell apart: eigenvalues of the others would be round-off, with either sign.
/// @throws ModelError  "too-many-shapes"
void check_told_apart(const FeModel& model, const ReducedSet& set);

/// Checks that no combination of the set has negative energy.
/// @param columns  orthogonalised
/// @throws ModelError  "indefinite-stiffness": a combination has more negative energy than
/// round-off explains; "too-many-shapes": it is the round-off of shapes that M does not tell apart
void check_definite(const FeModel& model, const ReducedSet& set, const ColumnSet& columns);

}  // namespace femflex::modal
