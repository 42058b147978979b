// Warnings about parts that springs, dampers and masses cannot represent, and about unstable poles.
#pragma once

#include <string>

#include "femflex/diagnostics.h"
#include "femflex/substructure/dynamic_stiffness.h"
#include "femflex/substructure/solve.h"

namespace femflex::tools {

/// Warns if springs, dampers and masses cannot make up the part, because its dynamic stiffness is
/// unsymmetric, or its mass, damping or stiffness matrix is not positive. Such a part can be
/// intended (a controller, a follower force), but is more often a mistake; it is solved in either
/// case.
void warn_about_part(const substructure::DynamicStiffness& part,
                     const Where& where,
                     Diagnostics& diagnostics);

/// Warns of poles in the right half-plane: the motion grows by itself.
void warn_about_poles(const substructure::Poles& poles,
                      const std::string& part,
                      Diagnostics& diagnostics);

}  // namespace femflex::tools
