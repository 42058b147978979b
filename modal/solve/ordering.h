// Finds a fill-reducing elimination order of a sparse symmetric matrix.
#pragma once

#include <cstdint>
#include <vector>

#include "femflex/sparse.h"

namespace femflex::modal {

/// Fill-reducing order of a symmetric matrix given by its lower triangle: entry k is the row that
/// comes k-th. Works on the graph of groups (the DOFs of a node), which has up to six times fewer
/// vertices and keeps the DOFs of a node together. Uses METIS if built in, else minimum degree.
/// @param group  one number per row, equal for rows that belong together
std::vector<std::int32_t> fill_reducing_order(const SparseMatrix& lower,
                                              const std::vector<std::int32_t>& group);

}  // namespace femflex::modal
