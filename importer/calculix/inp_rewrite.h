// Rewrites what a CalculiX or Abaqus deck gives along local axes or at rotation nodes as DOFs of
// the model.
#pragma once

#include "femflex/diagnostics.h"
#include "femflex/importer/contents.h"

namespace femflex::importer {

/// Rewrites the terms of *EQUATIONs at nodes under a *TRANSFORM, which are along the axes of the
/// node, u_local = A' u, with terms along basic directions. The dependent DOF becomes that with the
/// largest factor among those of the first term.
void turn_equations(FileContents& contents);

/// Leaves out supports, moments and equations on directions 4 to 6 of the reference node of a
/// *RIGID BODY, with a warning: in CalculiX 2.20 they have no effect, those of the rotation node
/// have.
void drop_idle_rotations(FileContents& contents, Diagnostics& diagnostics);

/// Rewrites supports, forces and equations on directions 1 to 3 of rotation nodes as those of the
/// rotations 4 to 6 of their reference nodes. Supports along axes of a *TRANSFORM there are left
/// out with a warning.
void name_rotations(FileContents& contents, Diagnostics& diagnostics);

}  // namespace femflex::importer
