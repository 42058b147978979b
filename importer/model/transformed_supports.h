#pragma once

#include "femflex/fe_model.h"

#include "model/gather.h"

namespace femflex::importer {

/// Supports along the axes of *TRANSFORM. CalculiX applies them to its matrices: the rows that a
/// node keeps are independent, and its other basic directions depend on them. In a support along
/// axes A (columns) the node moves by u = A_free q, and the remaining rows R determine the others:
/// u_d = A_free,d (A_free,R)^-1 u_R. docs/theory/import.md eq. (9).
///
/// Removes such supports from model.fixed and adds equations in their place; model.dofs are the
/// rows.
void lead_transformed_nodes(const Gathered& gathered, FeModel& model);

}  // namespace femflex::importer
