// Warnings about parts that cannot consist of springs, dampers and masses, and about unstable
// poles. The assembly reader and solver call them.
#pragma once

#include <string>

#include "femflex/diagnostics.h"
#include "femflex/substructure/dynamic_stiffness.h"
#include "femflex/substructure/solve.h"

namespace femflex::tools {

/// Warns if a part cannot consist of springs, dampers and masses, because its dynamic stiffness is
/// unsymmetric or its mass, damping or stiffness matrix is not positive. Such a part may be
/// intended (a controller, a follower force), but is more often a mistake. It is solved in either
/// case.
void warn_about_part(const substructure::DynamicStiffness& part,
                     const Where& where,
                     Diagnostics& diagnostics);

/// Warns of poles in the right half-plane, with which the motion grows without excitation.
void warn_about_poles(const substructure::Poles& poles,
                      const std::string& part,
                      Diagnostics& diagnostics);

}  // namespace femflex::tools
