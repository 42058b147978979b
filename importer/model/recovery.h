// Recovers the inner nodes of an external superelement from the motion of its boundary and modes.
#pragma once

#include "femflex/diagnostics.h"
#include "femflex/fe_model.h"

#include "model/gather.h"
#include "model/matrices.h"

namespace femflex::importer {

/// Adds the equations u_inner = MUG1 u_a of an external superelement to `model`, one per DOF of the
/// inner nodes. u_a are the DOFs of the boundary and of the modes. The rows of MUG1 are in the
/// order of TUG1. Its columns are in the order of EXTRN or, where that is absent, of the stiffness
/// matrix. Warns, and leaves MUG1 out, if it does not fit or if its boundary rows do not give u_a
/// itself. Warns of nodes that have neither rows in the matrices nor a recovery.
/// docs/theory/import.md eq. (12).
void recover_inner_nodes(const Gathered& gathered,
                         const Matrices& matrices,
                         FeModel& model,
                         Diagnostics& diagnostics);

}  // namespace femflex::importer
