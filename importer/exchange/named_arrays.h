// Gives the arrays of script languages (NPZ, MATLAB files) their meaning by their names.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "femflex/importer/contents.h"

namespace femflex::importer {

/// A compressed sparse matrix: the entries of line k, a row or a column, are start[k] to
/// start[k + 1]. Lines and indices ascend from 0; indices may come in any order and repeat.
struct CompressedLines {
  bool are_rows = false;
  std::vector<std::int64_t> start;  ///< number of lines + 1 offsets, ascending from 0
  std::vector<std::int32_t> index;  ///< each below the number of columns, or rows
  std::vector<double> values;       ///< one per index, (re, im) pairs if complex
};

/// Makes `matrix` sparse with these lines; rows, cols and is_complex are already set. Entries at
/// one position are added.
void set_compressed(RawMatrix& matrix, CompressedLines lines);

/// True for `nodes`, `node_ids` and `dofs`, which tell what the rows of the matrices are.
bool is_node_array(std::string_view name);

/// Adds the arrays of a file to `contents`. Small and capital letters are the same:
///
///   nodes       n x 4: id, x, y, z; or n x 3: x, y, z of the nodes 1..n, or of those of `node_ids`
///   node_ids    n ids
///   dofs        one row per row of the matrices: node, component 1 to 6 (0: scalar point)
///   phi, shapes, modes    become SHAPES;  lambda, eigenvalues: LAMBDA, as one column
///   k, m, d, b  K, M, D;  c, beside K and M of its size: D
///
/// Other arrays are matrices of their names. Without `dofs`, square matrices of three or six rows
/// per node of `nodes` have the DOFs 1 to 3 or 1 to 6 of the nodes in that order. A square matrix
/// with entries below its diagonal and none above it is the lower triangle of a symmetric one, and
/// the other way round; SHAPES and LAMBDA are taken as they stand.
///
/// @param file  for messages
/// @throws ParseError  nodes or DOFs of another form
void add_named_arrays(std::vector<RawMatrix> arrays,
                      const std::string& file,
                      FileContents& contents);

}  // namespace femflex::importer
