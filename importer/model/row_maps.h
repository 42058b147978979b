// Finds the DOFs of the rows of a matrix whose file does not name them.
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
  std::string name;  ///< such as "a-set by ascending id" or "rows listed in job.dof"
  bool is_g_set = false;
  std::vector<Dof> rows;
};

/// All guesses with `rows` rows, the most certain first: lists in the files (EXTRN, .dof,
/// .mapping), then the sets of a NASTRAN deck:
///   g  six DOFs per grid point, one per scalar point
///   n  g without dependent DOFs (rigid elements, MPC)
///   f  n without SPC
///   a  the ASET and QSET DOFs, or f without OMIT
///   l  a without SUPORT
/// NASTRAN orders points by ascending id, MYSTRAN by their cards. `dof_order` as in ImportRequest.
std::vector<RowGuess> guess_rows(const Gathered& gathered,
                                 const FileContents& file,
                                 std::int64_t rows,
                                 const std::string& dof_order);

/// Number of entries of K between nodes that no element connects. The right row order gives fewer
/// of them than a wrong one.
std::int64_t unexpected_couplings(const SparseMatrix& k,
                                  const std::vector<Dof>& rows,
                                  const Gathered& gathered);

/// The lowest power of ten above `id`.
/// @throws ModelError  the id exceeds 10^15
std::int64_t power_of_ten_above(std::int64_t id);

/// A power of ten above the ids of all points in the model, for rows that belong to no point.
std::int64_t first_free_id(const Gathered& gathered);

/// Converts the rows that `file` names to DOFs of the model: CalculiX also lists rows that are not
/// DOFs of a node.
std::vector<Dof> resolved_rows(const Gathered& gathered,
                               const FileContents& file,
                               const std::vector<Dof>& rows);

}  // namespace femflex::importer
