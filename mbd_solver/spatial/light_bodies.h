// mark_light_bodies(): finds bodies so light that the equations of their joints need the
// augmentation of eq. (29). The compiler calls it.
#pragma once

#include "spatial/model.h"

namespace femflex::mbd_solver {

/// Sets BodyModel::augmented, ::reference_mass and ::reference_arm. Call it after all joints are
/// compiled.
///
/// In G M^-1 G', the large inverse mass of a light body between two joints would hide the
/// contributions of heavy bodies, so independent rows would look redundant. Therefore such a body
/// is treated as massless. See docs/theory/multibody.md eq. (29).
void mark_light_bodies(Model& model);

}  // namespace femflex::mbd_solver
