#pragma once

#include "femflex/fe_model.h"

#include "model/gather.h"

namespace femflex::importer {

/// Supports along the axes of *TRANSFORM. CalculiX works them into its matrices: the rows that a
/// node keeps are free, and its other basic directions follow them. In a support along axes A
/// (columns) the node moves by u = A_free q, and the rows R that are left lead the others: u_d =
/// A_free,d (A_free,R)^-1 u_R.  docs/theory/import.md eq. (9).
///
/// Takes such supports out of model.fixed and puts equations in their place; model.dofs are the
/// rows.
void lead_transformed_nodes(const Gathered& gathered, FeModel& model);

}  // namespace femflex::importer
