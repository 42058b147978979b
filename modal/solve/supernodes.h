// Finds the structure of a supernodal factor L: its dense panels (supernodes), their tree, and the
// division of the tree into levels for threads.
#pragma once

#include <cstdint>
#include <vector>

#include "femflex/sparse.h"

namespace femflex::modal {

/// Columns of L that are eliminated together because they (almost) share their rows: a dense panel
/// of `width` columns and `width + below` rows.
struct Supernode {
  std::int32_t first = 0;    ///< first column, in elimination order
  std::int32_t width = 0;    ///< number of columns
  std::int32_t below = 0;    ///< number of rows under the triangle
  std::int32_t parent = -1;  ///< supernode of the first row below, -1 at a root
  std::int64_t rows = 0;     ///< where its rows below start in Supernodes::rows
  std::int64_t panel = 0;    ///< where its panel starts in L, column by column
};

/// The structure of L, found on the graph of nodes (runs of DOFs of one node in the order).
/// docs/theory/modal.md, "Sparse problems".
///
/// Children come before their parents. The tree is cut into levels, leaves first. Each bin of a
/// level consists of whole subtrees of what the earlier levels leave, so the bins of a level depend
/// only on earlier levels. Bin k of level l is the range of supernodes [level[l][k],
/// level[l][k + 1]).
struct Supernodes {
  std::vector<std::int32_t> place;  ///< position of each matrix row in elimination order
  std::vector<Supernode> nodes;
  /// rows below each supernode, as positions in elimination order, in ascending order
  std::vector<std::int32_t> rows;
  std::vector<std::vector<std::int32_t>> children;
  std::vector<std::vector<std::int32_t>> level;
  /// all supernodes, children before parents, in the order in which one thread keeps the fewest
  /// contributions to ancestors at a time
  std::vector<std::int32_t> lean_order;
  std::int64_t size = 0;     ///< count of numbers in all panels
  std::int64_t entries = 0;  ///< count of numbers in the lower triangle of L
  double flops = 0.0;        ///< operations of one factorisation
};

/// @param order  entry k is the row that comes k-th
/// @param group  node of each row
Supernodes find_supernodes(const SparseMatrix& lower,
                           const std::vector<std::int32_t>& order,
                           const std::vector<std::int32_t>& group);

}  // namespace femflex::modal
