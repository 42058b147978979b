#pragma once

#include <optional>
#include <string>
#include <vector>

#include "femflex/importer/contents.h"
#include "femflex/sparse.h"

#include "model/gather.h"

namespace femflex::importer {

/// One guess at the DOFs of the rows of a matrix without row names.
struct RowGuess {
  std::string name;  ///< "a-set by rising id", "rows of job.dof", ...
  bool is_g_set = false;
  std::vector<Dof> rows;
};

/// All guesses with `rows` rows, the most certain first: lists in the files (EXTRN, .dof,
/// .mapping), then the sets of a NASTRAN deck. The g-set has six DOFs per grid and one per scalar
/// point; n = g less dependent DOFs (rigid elements, MPC), f = n less SPC, a = f less OMIT, or the
/// ASET and QSET DOFs, l = a less SUPORT. NASTRAN orders points by rising id, MYSTRAN by their
/// cards. `dof_order` as in ImportRequest.
std::vector<RowGuess> guess_rows(const Gathered& gathered,
                                 const FileContents& file,
                                 std::int64_t rows,
                                 const std::string& dof_order);

/// Number of couplings of K between nodes that no element joins: fewer for the right order of rows.
std::int64_t strange_couplings(const SparseMatrix& k,
                               const std::vector<Dof>& rows,
                               const Gathered& gathered);

/// First id above those of all points of the model: for rows that belong to no point.
std::int64_t free_ids(const Gathered& gathered);

/// Rows that `file` names, as DOFs of the model: CalculiX also lists rows without a DOF.
std::vector<Dof> resolved_rows(const Gathered& gathered,
                               const FileContents& file,
                               const std::vector<Dof>& rows);

}  // namespace femflex::importer
