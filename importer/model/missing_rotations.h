// Finds the rotations of the matrices that shapes of translations alone do not tell.
#pragma once

#include <vector>

#include "femflex/fe_model.h"

namespace femflex::importer {

/// Rotations with a row in the matrices but none in the shapes, at nodes whose translations the
/// shapes have. Rotations that are fixed, or have neither stiffness nor mass, are left out: they
/// are zero or do not matter.
std::vector<Dof> missing_rotations(const FeModel& model);

}  // namespace femflex::importer
