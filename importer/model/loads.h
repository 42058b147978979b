// Builds the load cases of an imported model.
#pragma once

#include <vector>

#include "femflex/constraints.h"
#include "femflex/diagnostics.h"
#include "femflex/fe_model.h"

#include "model/gather.h"
#include "model/matrices.h"

namespace femflex::importer {

/// Load cases on the matrix rows, in basic directions: those that the case control chooses, else
/// every set to which no LOAD card refers. A load on a DOF that rigid elements removed from the
/// matrices acts on the DOFs that it depends on. An incomplete load case is left out, with a
/// warning that gives the reason. docs/theory/import.md
std::vector<LoadCase> load_cases(const Gathered& gathered,
                                 const Matrices& matrices,
                                 const Dependence& dependence,
                                 Diagnostics& diagnostics);

}  // namespace femflex::importer
