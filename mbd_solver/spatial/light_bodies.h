// Finds bodies so light that the equations of their joints need the augmentation of eq. (29).
#pragma once

#include "spatial/model.h"

namespace femflex::mbd_solver {

/// Sets BodyModel::augmented, ::reference_mass and ::reference_arm once all joints are known.
///
/// In G M^-1 G', the large inverse mass of a light body between two joints would hide the
/// contributions of heavy bodies, and independent rows would look redundant. Such a body is treated
/// as massless. See docs/theory/multibody.md eq. (29).
void mark_light_bodies(Model& model);

}  // namespace femflex::mbd_solver
