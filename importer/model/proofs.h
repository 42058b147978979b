// Checks that the data of an imported model fit each other.
#pragma once

#include <vector>

#include "femflex/fe_model.h"
#include "femflex/importer/import_model.h"

#include "model/gather.h"
#include "model/matrices.h"
#include "model/shapes.h"

namespace femflex::importer {

/// Checks that the imported data fit each other (docs/theory/import.md): symmetry, rigid-body
/// motions, mass, modes. Checks for which the files lack data are left out.
std::vector<Proof> prove(const FeModel& model,
                         const Matrices& matrices,
                         const Shapes& shapes,
                         const Gathered& gathered);

}  // namespace femflex::importer
