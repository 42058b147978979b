// Checks that rigid elements, multipoint constraints and supports do not contradict each other.
#pragma once

#include "femflex/constraints.h"
#include "femflex/diagnostics.h"
#include "femflex/fe_model.h"

#include "model/constraints.h"
#include "model/gather.h"
#include "model/matrices.h"

namespace femflex::importer {

/// Reports rigid elements and supports that contradict each other on DOFs of the matrices: two that
/// make one DOF dependent, cyclic dependencies, supports of dependent DOFs. Any of these makes it
/// impossible to compute modes.
/// @param force  gives a warning for each instead of an error
/// @throws ModelError  with the file and the card
void refuse_contradictions(const Gathered& gathered,
                           const Matrices& matrices,
                           const Constraints& constraints,
                           const FeModel& model,
                           bool force,
                           Diagnostics& diagnostics);

}  // namespace femflex::importer
