// Finds the stiffness, mass and damping matrix of an imported model, and the DOFs of their rows.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/importer/import_model.h"
#include "femflex/sparse.h"

#include "model/gather.h"
#include "model/row_maps.h"

namespace femflex::importer {

/// A matrix of the model, with both triangles and in basic directions.
struct ModelMatrix {
  std::string name;  ///< `KAA of dms.ou1.op4`
  SparseMatrix full;
  bool single_precision = false;
};

/// The matrices of a model; all three have the same rows.
struct Matrices {
  DofMap dofs;             ///< rows of all three matrices, in basic directions
  std::vector<Dof> local;  ///< the same rows with components along CD, as in the file
  std::string rows_name;   ///< how the rows were found
  bool by_cards = false;   ///< true if the rows are in the order of the GRID cards
  bool is_g_set = false;   ///< true if the rows are those of NASTRAN's g-set
  std::optional<ModelMatrix> stiffness, mass, damping;
};

/// Finds K, M and D (picked, or by their names) and the DOFs of their rows, and transforms them to
/// basic.
Matrices choose_matrices(const ImportRequest& request,
                         const Gathered& gathered,
                         Diagnostics& diagnostics);

/// Transformation of rows along the CD axes of nodes to basic: u_basic = T u_local.
struct BasicTransform {
  std::vector<Dof> rows;  ///< DOFs of the rows, in basic directions
  SparseMatrix T;
  bool is_identity = true;
};
/// @throws ModelError  a node whose available components do not span basic directions
BasicTransform transform_to_basic(const Gathered& gathered, const std::vector<Dof>& local);

/// Both triangles of a stored matrix, without imaginary parts.
/// @throws ModelError  more than `max_nonzeros`: SparseMatrix has 32-bit indices
SparseMatrix full_matrix(const RawMatrix& raw,
                         std::int64_t max_nonzeros = std::numeric_limits<std::int32_t>::max());

/// Extends `full`, whose rows are the DOFs `from`, by zero rows and columns to the DOFs `to`, which
/// include all of `from`.
SparseMatrix on_rows(const SparseMatrix& full, const std::vector<Dof>& from, const DofMap& to);

/// File name without folder.
std::string short_name(const std::string& path);

}  // namespace femflex::importer
