// Assembles matrices that are given term by term, each with the DOFs of its row and column.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "femflex/dof_map.h"
#include "femflex/errors.h"
#include "femflex/importer/contents.h"

#include "raw_matrix.h"

namespace femflex::importer {

/// A DOF as one number, so that terms stay small and sort fast: 8 node + component.
using DofKey = std::int64_t;

/// The key of component 0 to 6 of a node; empty if they are not a DOF.
std::optional<DofKey> dof_key(std::int64_t node, std::int64_t component);

/// One term of a matrix.
struct DofTerm {
  DofKey row = 0;
  DofKey col = 0;
  double re = 0.0;
  double im = 0.0;
};

/// The form that has this number (IFO) on DMIG: 1 square, 2 and 9 rectangular, 6 symmetric. Empty
/// for other numbers.
std::optional<RawMatrix::Form> form_of_dmig(std::int64_t number);

/// Fills sizes, DOFs and entries of `matrix`, whose name, form and is_complex are set. The rows of
/// a square matrix, and its columns, are all the DOFs that its terms name, sorted; a rectangular
/// matrix has the row DOFs and the column DOFs that occur. Of a symmetric matrix the lower triangle
/// is stored; the terms may give either triangle, or both if they agree.
/// @param where  names the matrix
/// @throws ParseError  an element is given twice, which NASTRAN refuses, or the triangles differ
void assemble_dof_matrix(const std::vector<DofTerm>& terms, RawMatrix& matrix, const Where& where);

}  // namespace femflex::importer
