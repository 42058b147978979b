// Joins parts at their ports: finds which ports share a node by union-find, and adds the dynamic
// stiffnesses of all parts at the nodes. The order of summation does not depend on the order of
// parts.
#include "femflex/substructure/connectivity.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "femflex/errors.h"

namespace femflex::substructure {

using Eigen::Index;

namespace {

/// Finds which ports share a node: union-find over all ports of all parts.
class PortSets {
 public:
  explicit PortSets(std::size_t count) : parent_(count) {
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
  }
  std::size_t root(std::size_t i) {
    while (parent_[i] != i) {
      parent_[i] = parent_[parent_[i]];
      i = parent_[i];
    }
    return i;
  }
  void join(std::size_t a, std::size_t b) { parent_[root(a)] = root(b); }

 private:
  std::vector<std::size_t> parent_;
};

/// An entry of one column of a sparse matrix.
struct RowEntry {
  std::int32_t row;
  double value;
};

/// Sum of A_power of all parts, assembled on the nodes.
/// @param row_of  row of the assembly of each coordinate of each part
SparseMatrix summed(std::span<const DynamicStiffness* const> parts,
                    const std::vector<std::vector<std::int32_t>>& row_of,
                    std::size_t power,
                    Index size) {
  std::vector<std::size_t> begin(static_cast<std::size_t>(size) + 1, 0);
  for (std::size_t e = 0; e < parts.size(); ++e) {
    if (power >= parts[e]->coefficients.size()) continue;
    const SparseMatrix& a = parts[e]->coefficients[power];
    for (Index j = 0; j < a.outerSize(); ++j) {
      begin[static_cast<std::size_t>(row_of[e][static_cast<std::size_t>(j)]) + 1] +=
          static_cast<std::size_t>(a.outerIndexPtr()[j + 1] - a.outerIndexPtr()[j]);
    }
  }
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<RowEntry> entries(begin.back());
  std::vector<std::size_t> next(begin.begin(), begin.end() - 1);
  for (std::size_t e = 0; e < parts.size(); ++e) {
    if (power >= parts[e]->coefficients.size()) continue;
    const SparseMatrix& a = parts[e]->coefficients[power];
    for (Index j = 0; j < a.outerSize(); ++j) {
      std::size_t& slot = next[static_cast<std::size_t>(row_of[e][static_cast<std::size_t>(j)])];
      for (SparseMatrix::InnerIterator it(a, j); it; ++it) {
        entries[slot++] = {row_of[e][static_cast<std::size_t>(it.row())], it.value()};
      }
    }
  }
  SparseMatrix sum(size, size);
  std::vector<std::int32_t> rows;
  std::vector<double> values;
  rows.reserve(entries.size());
  values.reserve(entries.size());
  std::int32_t* outer = sum.outerIndexPtr();
  for (Index j = 0; j < size; ++j) {
    const auto first =
        entries.begin() + static_cast<std::ptrdiff_t>(begin[static_cast<std::size_t>(j)]);
    const auto last =
        entries.begin() + static_cast<std::ptrdiff_t>(begin[static_cast<std::size_t>(j) + 1]);
    std::sort(first, last, [](const RowEntry& a, const RowEntry& b) {
      return a.row != b.row ? a.row < b.row : a.value < b.value;
    });
    for (auto it = first; it != last;) {
      const std::int32_t row = it->row;
      double total = 0.0;
      for (; it != last && it->row == row; ++it)
        total += it->value;
      if (total != 0.0) {
        rows.push_back(row);
        values.push_back(total);
      }
    }
    if (rows.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
      throw ModelError("too-large", "the assembly has more entries than 32-bit indices hold");
    }
    outer[j + 1] = static_cast<std::int32_t>(rows.size());
  }
  sum.resizeNonZeros(static_cast<Index>(rows.size()));
  std::copy(rows.begin(), rows.end(), sum.innerIndexPtr());
  std::copy(values.begin(), values.end(), sum.valuePtr());
  return sum;
}

std::vector<int> port_counts_of(std::span<const DynamicStiffness* const> parts) {
  std::vector<int> counts;
  for (const DynamicStiffness* part : parts)
    counts.push_back(static_cast<int>(part->port_count()));
  return counts;
}

}  // namespace

ObjectTable object_table(const ConnectionTable& connections, const std::vector<int>& port_counts) {
  std::vector<std::size_t> offset{0};
  for (const int count : port_counts) {
    offset.push_back(offset.back() + static_cast<std::size_t>(count));
  }
  const auto index_of = [&](std::size_t row, int part, int port) {
    if (part < 1 || part > static_cast<int>(port_counts.size())) {
      throw ModelError("unknown-part",
                       fmt::format("connection {}: there is no part {}; parts are 1 to {}",
                                   row + 1,
                                   part,
                                   port_counts.size()));
    }
    const int count = port_counts[static_cast<std::size_t>(part) - 1];
    if (port < 1 || port > count) {
      throw ModelError("unknown-port",
                       fmt::format("connection {}: part {} has ports 1 to {}; there is no port {}",
                                   row + 1,
                                   part,
                                   count,
                                   port));
    }
    return offset[static_cast<std::size_t>(part) - 1] + static_cast<std::size_t>(port) - 1;
  };
  PortSets port_sets(offset.back());
  std::vector<bool> is_free(offset.back(), false);
  std::vector<bool> is_joined(offset.back(), false);
  for (std::size_t row = 0; row < connections.size(); ++row) {
    const auto& [a, p, b, q] = connections[row];
    const std::size_t first = index_of(row, a, p);
    if (b == 0 && q == 0) {
      is_free[first] = true;
    } else {
      const std::size_t second = index_of(row, b, q);
      if (first == second) {
        throw ModelError(
            "self-connection",
            fmt::format("connection {} joins port {} of part {} to itself", row + 1, p, a));
      }
      is_joined[first] = is_joined[second] = true;
      port_sets.join(first, second);
    }
  }
  for (std::size_t e = 0; e < port_counts.size(); ++e) {
    for (std::size_t i = offset[e]; i < offset[e + 1]; ++i) {
      if (!is_free[i] || !is_joined[i]) continue;
      throw ModelError("mismatched-ports",
                       fmt::format("port {} of part {} is declared free in one connection and "
                                   "joined in another",
                                   i - offset[e] + 1,
                                   e + 1));
    }
  }
  std::vector<int> node(offset.back(), 0);
  int nodes = 0;
  const auto number_node_of = [&](std::size_t port) {
    int& root = node[port_sets.root(port)];
    if (root == 0) root = ++nodes;
  };
  for (std::size_t row = 0; row < connections.size(); ++row) {
    number_node_of(index_of(row, connections[row][0], connections[row][1]));
  }
  for (std::size_t i = 0; i < offset.back(); ++i)
    number_node_of(i);
  ObjectTable objects;
  for (std::size_t e = 0; e < port_counts.size(); ++e) {
    auto& list = objects.emplace_back();
    for (std::size_t i = offset[e]; i < offset[e + 1]; ++i)
      list.push_back(node[port_sets.root(i)]);
  }
  return objects;
}

int number_nodes(ObjectTable& objects) {
  std::size_t ports = 0;
  int nodes = 0;
  for (std::size_t e = 0; e < objects.size(); ++e) {
    ports += objects[e].size();
    for (const int node : objects[e]) {
      if (node < 0) {
        throw ModelError("node-number", fmt::format("part {}: node {} is negative", e + 1, node));
      }
      nodes = std::max(nodes, node);
    }
  }
  if (static_cast<std::size_t>(nodes) > ports) {
    throw ModelError(
        "node-number",
        fmt::format("node {} with {} ports in all: nodes count from 1 without gaps", nodes, ports));
  }
  std::vector<bool> used(static_cast<std::size_t>(nodes) + 1, false);
  for (const auto& list : objects) {
    for (const int node : list)
      used[static_cast<std::size_t>(node)] = true;
  }
  for (int node = 1; node <= nodes; ++node) {
    if (!used[static_cast<std::size_t>(node)]) {
      throw ModelError("node-number",
                       fmt::format("node {} has no port; nodes count from 1 without gaps", node));
    }
  }
  for (auto& list : objects) {
    for (int& node : list) {
      if (node == 0) node = ++nodes;
    }
  }
  return nodes;
}

ConnectionTable connection_table(const ObjectTable& objects) {
  ObjectTable numbered = objects;
  const int nodes = number_nodes(numbered);
  std::vector<std::vector<std::array<int, 2>>> at(static_cast<std::size_t>(nodes) + 1);
  for (std::size_t e = 0; e < numbered.size(); ++e) {
    for (std::size_t p = 0; p < numbered[e].size(); ++p) {
      at[static_cast<std::size_t>(numbered[e][p])].push_back(
          {static_cast<int>(e) + 1, static_cast<int>(p) + 1});
    }
  }
  ConnectionTable connections;
  for (std::size_t node = 1; node < at.size(); ++node) {
    const auto& [part, port] = at[node].front();
    if (at[node].size() == 1) connections.push_back({part, port, 0, 0});
    for (std::size_t k = 1; k < at[node].size(); ++k) {
      connections.push_back({part, port, at[node][k][0], at[node][k][1]});
    }
  }
  return connections;
}

DynamicStiffness assembled(std::span<const DynamicStiffness* const> parts,
                           const ObjectTable& objects,
                           std::string name) {
  if (objects.size() != parts.size()) {
    throw ModelError(
        "mismatched-parts",
        fmt::format("the object table has {} rows for {} parts", objects.size(), parts.size()));
  }
  if (parts.empty()) throw ModelError("no-parts", "the assembly has no parts");
  ObjectTable numbered = objects;
  const int nodes = number_nodes(numbered);
  std::vector<std::vector<std::int32_t>> row_of(parts.size());
  Index size = nodes;
  std::size_t terms = 0;
  for (std::size_t e = 0; e < parts.size(); ++e) {
    if (static_cast<Index>(numbered[e].size()) != parts[e]->port_count()) {
      throw ModelError("mismatched-ports",
                       fmt::format("part {} ('{}') has {} ports, its row in the object table {}",
                                   e + 1,
                                   parts[e]->name,
                                   parts[e]->port_count(),
                                   numbered[e].size()));
    }
    for (const int node : numbered[e])
      row_of[e].push_back(node - 1);
    if (size + parts[e]->inner_count() > std::numeric_limits<std::int32_t>::max()) {
      throw ModelError("too-large", "the assembly has more coordinates than 32-bit indices hold");
    }
    for (Index i = 0; i < parts[e]->inner_count(); ++i) {
      row_of[e].push_back(static_cast<std::int32_t>(size++));
    }
    terms = std::max(terms, parts[e]->coefficients.size());
  }
  DynamicStiffness out;
  out.name = std::move(name);
  for (int node = 1; node <= nodes; ++node)
    out.ports.push_back(fmt::format("{}", node));
  for (std::size_t power = 0; power < terms; ++power) {
    out.coefficients.push_back(summed(parts, row_of, power, size));
  }
  return make_part(std::move(out));
}

DynamicStiffness assembled(std::span<const DynamicStiffness* const> parts,
                           const ConnectionTable& connections,
                           std::string name) {
  return assembled(parts, object_table(connections, port_counts_of(parts)), std::move(name));
}

}  // namespace femflex::substructure
