// model_identity(): the model of a stored state, to compare it with the system that continues from
// it. stored_states.cpp uses it.
#pragma once

#include <string>

#include "femflex/mbd_solver/system.h"

#include "document/json.h"

namespace femflex::tools {

/// Masses, stiffness and geometry of a system, listed by part name. They must be equal if a run
/// continues from a stored state; loads, motions, damping and gravity may differ.
Json model_identity(const mbd_solver::System& system);

/// The first difference of two identities as text, such as "body cart: mass is 5, was 1"; empty if
/// there is none.
std::string identity_difference(const Json& stored, const Json& current);

}  // namespace femflex::tools
