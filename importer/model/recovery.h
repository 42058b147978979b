// Recovers the inner nodes of an external superelement from the motion of its boundary and modes.
#pragma once

#include "femflex/diagnostics.h"
#include "femflex/fe_model.h"

#include "model/gather.h"
#include "model/matrices.h"

namespace femflex::importer {

/// Adds the equations u_inner = MUG1 u_a of an external superelement to `model`, one per DOF of the
/// inner nodes, so that these follow its boundary and its modes. The rows of MUG1 are those of
/// TUG1, its columns those of EXTRN, else of the stiffness matrix. A matrix that does not fit, or
/// whose rows of the boundary are not those of a unit matrix, is left out, with a warning; also if
/// nodes of the model have neither rows nor a recovery. docs/theory/import.md eq. (12).
void recover_inner_nodes(const Gathered& gathered,
                         const Matrices& matrices,
                         FeModel& model,
                         Diagnostics& diagnostics);

}  // namespace femflex::importer
