// Checks that the files of an import belong to one model, also for components with supports, and
// warns of constraints that are not read and of indefinite matrices.
#pragma once

#include <vector>

#include "femflex/constraints.h"
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

/// Warns of a stiffness or mass matrix that is indefinite because a diagonal entry is negative or
/// k_ij^2 > k_ii k_jj. Other indefinite matrices are found when they are factored.
void warn_indefinite(const FeModel& model, Diagnostics& diagnostics);

/// Warns of constraints of a deck that are not read, and, if K is given, of nodes of elements that
/// would stand still beside moving ones: without a row, a support or a constraint that is read.
/// Says nothing of a condensed K, with rows for less than half of the nodes.
void warn_unread_constraints(const FeModel& model,
                             const Dependence& dependence,
                             const Gathered& gathered,
                             Diagnostics& diagnostics);

}  // namespace femflex::importer
