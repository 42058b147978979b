// Finds a fill-reducing elimination order of a sparse symmetric matrix: orders the graph of nodes
// by METIS if built in, else by minimum degree (Eigen), and expands the result to the rows of each
// node.
#include "solve/ordering.h"

#include <algorithm>
#include <numeric>

#include <Eigen/OrderingMethods>

#include "femflex/errors.h"

#if FEMFLEX_HAVE_METIS
#include <metis.h>
#endif

namespace femflex::modal {
namespace {

/// Adjacency of the groups (nodes of the FE model). Each pair of neighbours is stored for both
/// groups; a group is not its own neighbour.
struct GroupGraph {
  std::vector<std::int32_t> start;  ///< neighbours of g: next[start[g]] to next[start[g + 1] - 1]
  std::vector<std::int32_t> next;
};

GroupGraph group_graph(const SparseMatrix& lower,
                       const std::vector<std::int32_t>& group,
                       std::int32_t groups) {
  // rows of each group
  std::vector<std::int32_t> first(static_cast<std::size_t>(groups) + 1, 0);
  for (const std::int32_t g : group)
    ++first[static_cast<std::size_t>(g) + 1];
  std::partial_sum(first.begin(), first.end(), first.begin());
  std::vector<std::int32_t> rows(group.size());
  std::vector<std::int32_t> at(first.begin(), first.end() - 1);
  for (std::size_t row = 0; row < group.size(); ++row)
    rows[static_cast<std::size_t>(at[static_cast<std::size_t>(group[row])]++)] =
        static_cast<std::int32_t>(row);
  // neighbours of each group that appear in its columns of the lower triangle, each once
  std::vector<std::int32_t> half_start(static_cast<std::size_t>(groups) + 1, 0);
  std::vector<std::int32_t> half;
  std::vector<std::int32_t> seen(static_cast<std::size_t>(groups), -1);
  for (std::int32_t g = 0; g < groups; ++g) {
    seen[static_cast<std::size_t>(g)] = g;
    for (std::int32_t k = first[static_cast<std::size_t>(g)];
         k < first[static_cast<std::size_t>(g) + 1];
         ++k)
      for (SparseMatrix::InnerIterator it(lower, rows[static_cast<std::size_t>(k)]); it; ++it) {
        const std::int32_t other = group[static_cast<std::size_t>(it.row())];
        if (seen[static_cast<std::size_t>(other)] == g) continue;
        seen[static_cast<std::size_t>(other)] = g;
        half.push_back(other);
      }
    half_start[static_cast<std::size_t>(g) + 1] = static_cast<std::int32_t>(half.size());
  }
  // Rows of different groups may alternate, so a pair of groups may appear in the columns of both.
  // Therefore each pair is stored for both groups first, and repetitions are removed afterwards.
  std::vector<std::int32_t> degree(static_cast<std::size_t>(groups), 0);
  for (std::int32_t g = 0; g < groups; ++g)
    for (std::int32_t k = half_start[static_cast<std::size_t>(g)];
         k < half_start[static_cast<std::size_t>(g) + 1];
         ++k) {
      ++degree[static_cast<std::size_t>(g)];
      ++degree[static_cast<std::size_t>(half[static_cast<std::size_t>(k)])];
    }
  std::vector<std::int32_t> start(static_cast<std::size_t>(groups) + 1, 0);
  std::partial_sum(degree.begin(), degree.end(), start.begin() + 1);
  std::vector<std::int32_t> all(static_cast<std::size_t>(start.back()));
  std::vector<std::int32_t> put(start.begin(), start.end() - 1);
  for (std::int32_t g = 0; g < groups; ++g)
    for (std::int32_t k = half_start[static_cast<std::size_t>(g)];
         k < half_start[static_cast<std::size_t>(g) + 1];
         ++k) {
      const std::int32_t other = half[static_cast<std::size_t>(k)];
      all[static_cast<std::size_t>(put[static_cast<std::size_t>(g)]++)] = other;
      all[static_cast<std::size_t>(put[static_cast<std::size_t>(other)]++)] = g;
    }
  GroupGraph graph;
  graph.start.assign(static_cast<std::size_t>(groups) + 1, 0);
  std::fill(seen.begin(), seen.end(), -1);
  for (std::int32_t g = 0; g < groups; ++g) {
    for (std::int32_t k = start[static_cast<std::size_t>(g)];
         k < start[static_cast<std::size_t>(g) + 1];
         ++k) {
      const std::int32_t other = all[static_cast<std::size_t>(k)];
      if (seen[static_cast<std::size_t>(other)] == g) continue;
      seen[static_cast<std::size_t>(other)] = g;
      graph.next.push_back(other);
    }
    graph.start[static_cast<std::size_t>(g) + 1] = static_cast<std::int32_t>(graph.next.size());
  }
  return graph;
}

/// Elimination order of the groups: entry k is the group that comes k-th.
std::vector<std::int32_t> order_groups(GroupGraph& graph, std::int32_t groups) {
  std::vector<std::int32_t> order(static_cast<std::size_t>(groups));
#if FEMFLEX_HAVE_METIS
  static_assert(sizeof(idx_t) == sizeof(std::int32_t));
  if (groups > 1 && !graph.next.empty()) {
    idx_t count = groups;
    std::vector<idx_t> place(static_cast<std::size_t>(groups));
    idx_t options[METIS_NOPTIONS];
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_SEED] = 1;  // fixed, so that every run gives the same order
    options[METIS_OPTION_NUMBERING] = 0;
    if (METIS_NodeND(&count,
                     graph.start.data(),
                     graph.next.data(),
                     nullptr,
                     options,
                     order.data(),
                     place.data()) == METIS_OK)
      return order;
  }
#endif
  using Pattern = Eigen::SparseMatrix<double, Eigen::ColMajor, std::int32_t>;
  Pattern pattern(groups, groups);
  pattern.reserve(static_cast<Eigen::Index>(graph.next.size()));
  for (std::int32_t g = 0; g < groups; ++g) {
    std::int32_t* begin = graph.next.data() + graph.start[static_cast<std::size_t>(g)];
    std::int32_t* end = graph.next.data() + graph.start[static_cast<std::size_t>(g) + 1];
    std::sort(begin, end);
    pattern.startVec(g);
    for (; begin != end; ++begin)
      pattern.insertBack(*begin, g) = 1.0;
  }
  pattern.finalize();
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, std::int32_t> permutation;
  Eigen::AMDOrdering<std::int32_t> amd;
  amd(pattern, permutation);
  for (std::int32_t g = 0; g < groups; ++g)
    order[static_cast<std::size_t>(g)] = permutation.indices()(g);
  return order;
}

}  // namespace

std::vector<std::int32_t> fill_reducing_order(const SparseMatrix& lower,
                                              const std::vector<std::int32_t>& group) {
  std::int32_t groups = 0;
  std::vector<std::int32_t> dense(group.size());  // group numbers without gaps, from 0
  {
    std::vector<std::int32_t> sorted = group;
    std::sort(sorted.begin(), sorted.end());
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    groups = static_cast<std::int32_t>(sorted.size());
    for (std::size_t row = 0; row < group.size(); ++row)
      dense[row] = static_cast<std::int32_t>(
          std::lower_bound(sorted.begin(), sorted.end(), group[row]) - sorted.begin());
  }
  GroupGraph graph = group_graph(lower, dense, groups);
  const std::vector<std::int32_t> order = order_groups(graph, groups);
  std::vector<std::int32_t> place(static_cast<std::size_t>(groups));
  for (std::int32_t k = 0; k < groups; ++k)
    place[static_cast<std::size_t>(order[static_cast<std::size_t>(k)])] = k;
  // stable counting sort of the rows by the position of their group
  std::vector<std::int32_t> start(static_cast<std::size_t>(groups) + 1, 0);
  for (const std::int32_t g : dense)
    ++start[static_cast<std::size_t>(place[static_cast<std::size_t>(g)]) + 1];
  std::partial_sum(start.begin(), start.end(), start.begin());
  std::vector<std::int32_t> rows(group.size());
  for (std::size_t row = 0; row < dense.size(); ++row) {
    const auto p = static_cast<std::size_t>(place[static_cast<std::size_t>(dense[row])]);
    rows[static_cast<std::size_t>(start[p]++)] = static_cast<std::int32_t>(row);
  }
  return rows;
}

}  // namespace femflex::modal
