// Guesses which DOFs the rows of a matrix are: lists possible DOF orders (row lists in files, sets
// of NASTRAN, translations only) and keeps those with the right number of rows.
#include "model/row_maps.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_set>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/number.h"
#include "femflex/text.h"

#include "model/matrices.h"

namespace femflex::importer {
namespace {

/// Reads a list of DOFs such as `11/T3,12/R1,501/S`.
std::vector<Dof> parse_dofs(std::string_view text) {
  std::vector<Dof> out;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    const std::string_view item = trimmed(text.substr(0, comma));
    const std::optional<Dof> dof = parse_dof(item);
    if (!dof)
      throw UsageError("dof-order",
                       fmt::format("'{}' is not a DOF such as 11/T3, 12/R1 or 501/S", item),
                       {},
                       "give `sorted`, `cards` or a list of DOFs");
    out.push_back(*dof);
    if (comma == std::string_view::npos) break;
    text.remove_prefix(comma + 1);
  }
  return out;
}

/// All DOFs of the deck: six per grid, one per scalar point.
std::vector<Dof> g_set(const Gathered& gathered, bool by_cards) {
  std::vector<Dof> out;
  std::vector<std::pair<std::int64_t, bool>> points;  // id; true for a scalar point
  if (by_cards) {
    for (const std::int64_t id : gathered.card_order)
      points.emplace_back(id, false);
    for (const std::int64_t id : gathered.geometry.scalar_points)
      points.emplace_back(id, true);
  } else {
    for (const Node& node : gathered.nodes)
      points.emplace_back(node.id, false);
    for (const std::int64_t id : gathered.geometry.scalar_points)
      points.emplace_back(id, true);
    std::sort(points.begin(), points.end());
  }
  for (const auto& [id, scalar] : points) {
    if (scalar) {
      out.push_back({id, 0});
      continue;
    }
    for (std::int8_t c = 1; c <= 6; ++c)
      out.push_back({id, c});
  }
  return out;
}

/// The rows that are not in `removed`, in their order.
std::vector<Dof> without(const std::vector<Dof>& rows, const std::vector<Dof>& removed) {
  const std::set<Dof> set(removed.begin(), removed.end());
  std::vector<Dof> out;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(out), [&](const Dof& dof) {
    return !set.contains(dof);
  });
  return out;
}

/// The rows that are in `kept`, in their order.
std::vector<Dof> only(const std::vector<Dof>& rows, const std::vector<Dof>& kept) {
  const std::set<Dof> set(kept.begin(), kept.end());
  std::vector<Dof> out;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(out), [&](const Dof& dof) {
    return set.contains(dof);
  });
  return out;
}

/// Replaces rows of a CalculiX list that are not displacements of a deck node. Rotations of a rigid
/// body, listed under a node of their own, become rotations of its reference node. Incompatible
/// modes and knots of expanded elements, listed under nodes that the deck does not have, become
/// scalar points with the ids 10 * node + direction, raised above all other ids.
std::vector<Dof> without_internal_nodes(const Gathered& gathered, const std::vector<Dof>& rows) {
  std::vector<Dof> out;
  std::int64_t first_free = 0;
  for (const Dof& dof : rows) {
    std::map<std::int64_t, std::int64_t>::const_iterator rotation;
    bool is_rotation = false;
    for (const FileContents& file : gathered.files) {
      rotation = file.rotation_nodes.find(dof.node);
      is_rotation = rotation != file.rotation_nodes.end();
      if (is_rotation) break;
    }
    if (is_rotation && dof.component >= 1 && dof.component <= 3) {
      out.push_back({rotation->second, static_cast<std::int8_t>(dof.component + 3)});
      continue;
    }
    if (dof.component == 0) {  // already a scalar point
      out.push_back(dof);
      continue;
    }
    const auto node = std::lower_bound(
        gathered.nodes.begin(), gathered.nodes.end(), dof.node, [](const Node& n, std::int64_t id) {
          return n.id < id;
        });
    if (node != gathered.nodes.end() && node->id == dof.node) {
      out.push_back(dof);
      continue;
    }
    if (first_free == 0) {
      first_free = first_free_id(gathered);
      std::int64_t smallest = dof.node;
      for (const Dof& other : rows) {
        static_cast<void>(power_of_ten_above(other.node));  // throws if the id is too large
        smallest = std::min(smallest, other.node);
      }
      // no offset is needed if ten times the smallest listed id is above all ids of the deck
      if (10 * smallest >= first_free) first_free = 0;
    }
    out.push_back({first_free + 10 * dof.node + dof.component, 0});
  }
  return out;
}

/// Adds the row lists of all files, those of `file` itself first.
void add_listed(const Gathered& gathered,
                const FileContents& file,
                std::int64_t rows,
                std::vector<RowGuess>& out) {
  const auto add = [&](const FileContents& from) {
    const std::string name = "rows listed in " + short_name(from.path);
    if (!from.row_map.empty())
      out.push_back({name, false, resolved_rows(gathered, from, from.row_map)});
    // a mapping vector holds the node of each block of rows
    const auto blocks = static_cast<std::int64_t>(from.node_order.size());
    if (blocks > 0 && rows % blocks == 0 && rows / blocks <= 6) {
      RowGuess guess{name, false, {}};
      for (const std::int64_t id : from.node_order)
        for (std::int64_t c = 1; c <= rows / blocks; ++c)
          guess.rows.push_back({id, static_cast<std::int8_t>(c)});
      out.push_back(std::move(guess));
    }
    for (const auto& [set, set_rows] : from.set_rows)
      out.push_back({fmt::format("rows of the {}-set listed in {}", set, short_name(from.path)),
                     set == "G",
                     set_rows});
  };
  add(file);
  for (const FileContents& other : gathered.files)
    if (&other != &file) add(other);
}

/// Adds the guess for models of solid elements: three DOFs per node.
void add_translations(const Gathered& gathered, bool by_cards, std::vector<RowGuess>& out) {
  if (!gathered.geometry.scalar_points.empty()) return;
  RowGuess guess{by_cards ? "translations of the nodes in the order of the file"
                          : "translations of the nodes by ascending id",
                 false,
                 {}};
  std::vector<std::int64_t> ids = gathered.card_order;
  if (!by_cards) std::sort(ids.begin(), ids.end());
  for (const std::int64_t id : ids)
    for (std::int8_t c = 1; c <= 3; ++c)
      guess.rows.push_back({id, c});
  out.push_back(std::move(guess));
}

void add_sets(const Gathered& gathered, bool by_cards, std::vector<RowGuess>& out) {
  const FileContents& geometry = gathered.geometry;
  const std::string order = by_cards ? "in the order of the GRID cards" : "by ascending id";
  const auto add = [&](const char* set, std::vector<Dof> rows) {
    out.push_back({fmt::format("{}-set {}", set, order), set[0] == 'g', std::move(rows)});
  };
  const std::vector<Dof> g = g_set(gathered, by_cards);
  const std::vector<Dof> n = without(g, gathered.dependent);
  const std::vector<Dof> f = without(n, geometry.fixed);
  std::vector<Dof> a = without(f, geometry.omitted);
  if (!geometry.interface.empty() && geometry.omitted.empty()) {
    std::vector<Dof> kept = geometry.interface;
    kept.insert(kept.end(), geometry.generalised.begin(), geometry.generalised.end());
    a = only(f, kept);
  }
  const std::vector<Dof> l = without(a, geometry.supports);
  add("a", a);
  add("l", l);
  add("f", f);
  add("n", n);
  add("g", g);
}

/// Adds the guess for Craig-Bampton matrices: the boundary DOFs of SUPORT, then one row per mode.
void add_boundary_and_modes(const Gathered& gathered,
                            bool by_cards,
                            std::int64_t rows,
                            std::vector<RowGuess>& out) {
  const std::vector<Dof> boundary = only(g_set(gathered, by_cards), gathered.geometry.supports);
  const std::int64_t modes = rows - static_cast<std::int64_t>(boundary.size());
  if (boundary.empty() || modes <= 0 || modes > 10'000) return;
  RowGuess guess{"boundary DOFs, then modal ones", false, boundary};
  const std::int64_t first_free = first_free_id(gathered);
  for (std::int64_t k = 1; k <= modes; ++k)
    guess.rows.push_back({first_free + k, 0});
  out.push_back(std::move(guess));
}

}  // namespace

std::int64_t power_of_ten_above(std::int64_t id) {
  // ids of expanded nodes and scalar rows have up to three digits more, and must fit 64 bits
  constexpr std::int64_t kMaxId = 1'000'000'000'000'000;
  if (id > kMaxId)
    throw ModelError(
        "id-range", fmt::format("the node id {} exceeds {}", id, kMaxId), {}, "renumber the nodes");
  std::int64_t out = 1;
  while (out <= id)
    out *= 10;
  return out;
}

std::int64_t first_free_id(const Gathered& gathered) {
  std::int64_t largest = 0;
  for (const Node& node : gathered.nodes)
    largest = std::max(largest, node.id);
  for (const std::int64_t id : gathered.geometry.scalar_points)
    largest = std::max(largest, id);
  return power_of_ten_above(largest);
}

std::int64_t unexpected_couplings(const SparseMatrix& k,
                                  const std::vector<Dof>& rows,
                                  const Gathered& gathered) {
  const auto key = [](std::int64_t a, std::int64_t b) {
    if (a > b) std::swap(a, b);
    return static_cast<std::uint64_t>(a) * 0x9E3779B97F4A7C15ULL ^ static_cast<std::uint64_t>(b);
  };
  std::unordered_set<std::uint64_t> joined;
  const auto join = [&](const std::int64_t* nodes, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t j = i + 1; j < count; ++j)
        joined.insert(key(nodes[i], nodes[j]));
  };
  for (const ElementBlock& block : gathered.geometry.elements) {
    const auto width = static_cast<std::size_t>(block.nodes_per_element);
    for (std::size_t e = 0; e < block.ids.size(); ++e)
      join(block.connectivity.data() + e * width, width);
  }
  double largest = 0.0;
  for (Eigen::Index j = 0; j < k.outerSize(); ++j)
    for (SparseMatrix::InnerIterator it(k, j); it; ++it)
      largest = std::max(largest, std::abs(it.value()));
  constexpr double kMinEntry = 1e-12;  // smaller entries, relative to the largest, are round-off
  std::int64_t count = 0;
  for (Eigen::Index j = 0; j < k.outerSize(); ++j)
    for (SparseMatrix::InnerIterator it(k, j); it; ++it) {
      const std::int64_t a = rows[static_cast<std::size_t>(it.row())].node;
      const std::int64_t b = rows[static_cast<std::size_t>(j)].node;
      if (a != b && std::abs(it.value()) > kMinEntry * largest && !joined.contains(key(a, b)))
        ++count;
    }
  return count;
}

std::vector<Dof> resolved_rows(const Gathered& gathered,
                               const FileContents& file,
                               const std::vector<Dof>& rows) {
  const bool calculix = file.format == "calculix-dof" || file.format == "coordinate-matrix";
  if (calculix && !gathered.listed_rows.empty() && rows == gathered.listed_rows)
    return without_internal_nodes(gathered, gathered.resolved_rows);
  return calculix && !gathered.nodes.empty() ? without_internal_nodes(gathered, rows) : rows;
}

std::vector<RowGuess> guess_rows(const Gathered& gathered,
                                 const FileContents& file,
                                 std::int64_t rows,
                                 const std::string& dof_order) {
  std::vector<RowGuess> all;
  const bool sorted = dof_order == "sorted";
  const bool cards = dof_order == "cards";
  if (!dof_order.empty() && !sorted && !cards) {
    all.push_back({"the given list of DOFs", false, parse_dofs(dof_order)});
  } else {
    if (!sorted && !cards) add_listed(gathered, file, rows, all);
    if (!cards) {
      add_sets(gathered, false, all);
      add_translations(gathered, false, all);
    }
    const bool is_sorted = std::is_sorted(gathered.card_order.begin(), gathered.card_order.end());
    if (cards || (!sorted && !is_sorted)) {
      add_sets(gathered, true, all);
      add_translations(gathered, true, all);
    }
  }
  if (dof_order.empty() || sorted || cards) add_boundary_and_modes(gathered, cards, rows, all);
  std::vector<RowGuess> fitting;
  for (RowGuess& guess : all) {
    if (static_cast<std::int64_t>(guess.rows.size()) != rows) continue;
    const bool is_listed = std::any_of(fitting.begin(), fitting.end(), [&](const RowGuess& other) {
      return other.rows == guess.rows;
    });
    if (!is_listed) fitting.push_back(std::move(guess));
  }
  return fitting;
}

}  // namespace femflex::importer
