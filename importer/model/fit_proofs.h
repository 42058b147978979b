// Checks of imported models that also work for components with supports.
#pragma once

#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/fe_model.h"
#include "femflex/importer/import_model.h"

#include "model/gather.h"
#include "model/matrices.h"

namespace femflex::importer {

/// Checks that also work for components with supports, for which K R = 0 on the whole model does
/// not hold (docs/theory/import.md, Proofs): K and M are not the same matrix and not swapped; K
/// couples the nodes that the elements of the deck join; rigid motions leave no force on rows whose
/// neighbours are all present. Checks for which the files lack data are left out.
std::vector<Proof> prove_fit(const FeModel& model,
                             const Matrices& matrices,
                             const Gathered& gathered);

/// Warns of a stiffness or mass matrix that single entries or pairs of rows show to be indefinite:
/// a negative diagonal, or k_ij^2 > k_ii k_jj. Indefinite matrices that only a factorisation
/// reveals are reported later.
void warn_indefinite(const FeModel& model, Diagnostics& diagnostics);

}  // namespace femflex::importer
