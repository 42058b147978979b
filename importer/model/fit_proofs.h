#pragma once

#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/fe_model.h"
#include "femflex/importer/import_model.h"

#include "model/gather.h"
#include "model/matrices.h"

namespace femflex::importer {

/// Checks that speak for held parts too, where K R = 0 of the whole model says nothing
/// (docs/theory/import.md, Proofs): K and M are not the same matrix and not in each other's place;
/// K couples the nodes that the elements of the deck join; rigid motions leave no force on rows
/// whose neighbours are all there. Checks that the files give no ground for are left out.
std::vector<Proof> prove_fit(const FeModel& model,
                             const Matrices& matrices,
                             const Gathered& gathered);

/// Names a stiffness or mass matrix that single entries or pairs of rows show to be indefinite: a
/// negative diagonal, or k_ij^2 > k_ii k_jj. Those that only a factorisation tells are named later.
void name_indefinite(const FeModel& model, Diagnostics& diagnostics);

}  // namespace femflex::importer
