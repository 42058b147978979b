// Finds the parts of a model that K does not connect to each other: joins nodes that an entry of K
// couples by union-find; each remaining set of nodes is a part.
#include "solve/parts.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace femflex::modal {

std::vector<std::vector<std::int64_t>> parts_of(const SparseMatrix& K,
                                                const std::vector<std::int32_t>& group) {
  const std::size_t groups =
      group.empty() ? 0
                    : static_cast<std::size_t>(*std::max_element(group.begin(), group.end())) + 1;
  std::vector<std::int32_t> root(groups);
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](std::int32_t i) {
    while (root[static_cast<std::size_t>(i)] != i) {
      std::int32_t& up = root[static_cast<std::size_t>(i)];
      i = up = root[static_cast<std::size_t>(up)];
    }
    return i;
  };
  for (Eigen::Index col = 0; col < K.cols(); ++col)
    for (SparseMatrix::InnerIterator it(K, col); it; ++it)
      if (it.value() != 0.0)
        root[static_cast<std::size_t>(find(group[static_cast<std::size_t>(it.row())]))] =
            find(group[static_cast<std::size_t>(col)]);
  std::vector<std::vector<std::int64_t>> parts;
  std::vector<std::size_t> part_of_root(groups, groups);
  for (std::size_t i = 0; i < group.size(); ++i) {
    std::size_t& part = part_of_root[static_cast<std::size_t>(find(group[i]))];
    if (part == groups) {
      part = parts.size();
      parts.emplace_back();
    }
    parts[part].push_back(static_cast<std::int64_t>(i));
  }
  return parts;
}

}  // namespace femflex::modal
