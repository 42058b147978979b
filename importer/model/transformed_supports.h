// Converts supports along *TRANSFORM axes, which CalculiX has already applied to its matrices.
#pragma once

#include "femflex/diagnostics.h"
#include "femflex/fe_model.h"

#include "model/gather.h"

namespace femflex::importer {

/// Handles supports along the axes of *TRANSFORM. CalculiX has already applied them to its
/// matrices, so that the remaining rows R of a node are independent and its other basic directions
/// d depend on them. With the free axes A_free (columns) and the motions q along them the node
/// moves by u = A_free q, so u_d = A_free,d (A_free,R)^-1 u_R. docs/theory/import.md eq. (9).
///
/// Removes such supports from model.fixed and adds equations in their place; model.dofs are the
/// rows. Warns of supports that the rows of a node cannot hold.
void constrain_transformed_nodes(const Gathered& gathered,
                                 FeModel& model,
                                 Diagnostics& diagnostics);

/// An *EQUATION whose first term is along the axes of a *TRANSFORM holds up to three basic DOFs of
/// that node; CalculiX eliminates one of them. Makes that DOF, which has no row, the dependent one.
void choose_eliminated_dofs(const DofMap& rows, FileContents& geometry);

}  // namespace femflex::importer
