// Finds the parts of a model that its stiffness matrix does not connect to each other.
#pragma once

#include <cstdint>
#include <vector>

#include "femflex/sparse.h"

namespace femflex::modal {

/// Largest number of unconnected parts whose rigid modes are told from elastic ones.
constexpr std::size_t kMaxLooseParts = 32;

/// Unknowns of each part that K does not connect to the others. Nodes are not split.
std::vector<std::vector<std::int64_t>> parts_of(const SparseMatrix& K,
                                                const std::vector<std::int32_t>& group);

}  // namespace femflex::modal
