// Compares the model of a stored state with the model of a system that continues from it.
#pragma once

#include <string>

#include "femflex/mbd_solver/system.h"

#include "document/json.h"

namespace femflex::tools {

/// Masses, stiffness and geometry of a system, listed by part name, to check when a run continues
/// from a stored state. Loads, motions, damping and gravity may differ.
Json model_identity(const mbd_solver::System& system);

/// The first difference of two identities in words: "body cart: mass is 5, was 1"; empty if there
/// is none.
std::string identity_difference(const Json& stored, const Json& current);

}  // namespace femflex::tools
