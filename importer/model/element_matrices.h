// Assembles the matrices of elements that NASTRAN and OptiStruct write (KELM, MELM, BELM).
#pragma once

#include "femflex/diagnostics.h"

#include "model/gather.h"

namespace femflex::importer {

/// Adds the assembled matrix to each file that has element matrices and their dictionary: KGG of
/// KELM, MGG of MELM, BGG of BELM, with named rows along the CD axes, as NASTRAN's own. A file that
/// holds such a matrix already gets no second one. The rows are those of EQEXIN of any file, else
/// six of each grid and one of each scalar point by ascending id.
/// If a dictionary, its matrix and the rows do not fit each other, a warning says why nothing is
/// added: another file may hold the matrices.
void assemble_element_matrices(Gathered& gathered, Diagnostics& diagnostics);

}  // namespace femflex::importer
