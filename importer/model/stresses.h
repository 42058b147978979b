// Joins the stresses of the mode shapes of an imported model.
#pragma once

#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/fe_stress.h"

#include "model/gather.h"
#include "model/shapes.h"

namespace femflex::importer {

/// Stresses and strains of the shapes whose file holds them under the same subcase and number.
/// Places that some of these shapes lack are left out; a warning tells how many, and which elements
/// of the tables were not read.
FeStresses stresses_of(const Gathered& gathered,
                       const std::vector<ShapeOrigin>& origins,
                       Diagnostics& diagnostics);

}  // namespace femflex::importer
