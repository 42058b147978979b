// Supports along *TRANSFORM axes that CalculiX has already applied to its matrices.
#pragma once

#include "femflex/fe_model.h"

#include "model/gather.h"

namespace femflex::importer {

/// Handles supports along the axes of *TRANSFORM. CalculiX has already applied them to its
/// matrices, so that the remaining rows of a node are independent and its other basic directions
/// depend on them. With a support along axes A (columns) the node moves by u = A_free q, and the
/// remaining rows R determine the others: u_d = A_free,d (A_free,R)^-1 u_R. docs/theory/import.md
/// eq. (9).
///
/// Removes such supports from model.fixed and adds equations in their place; model.dofs are the
/// rows.
void constrain_transformed_nodes(const Gathered& gathered, FeModel& model);

}  // namespace femflex::importer
