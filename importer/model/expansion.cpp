// Identifies the rows of a CalculiX `.dof` list in which node numbers are repeated, because shells
// and beams were expanded into solids. Successive rows of one node form a run. The order and number
// of rows tell whether a run belongs to expanded nodes, to a knot (rigid body where sections
// differ) or to internal modes.
#include "model/expansion.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "model/expanded_equations.h"
#include "model/matrices.h"
#include "model/row_maps.h"

namespace femflex::importer {
namespace {

/// Successive rows with one node number. Each expanded node is one layer of the run; a new layer
/// begins where the direction does not increase.
struct Run {
  std::int64_t node = 0;
  std::size_t first = 0, count = 0;
  std::vector<std::size_t> layers;  ///< first row of each layer
};

std::vector<Run> runs_of(const std::vector<Dof>& rows) {
  std::vector<Run> out;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (out.empty() || out.back().node != rows[k].node) out.push_back({rows[k].node, k, 0, {}});
    Run& run = out.back();
    if (run.count == 0 || rows[k].component <= rows[k - 1].component) run.layers.push_back(k);
    ++run.count;
  }
  return out;
}

/// The first row list with repeated DOFs; null if there is none.
const FileContents* file_with_repeats(const Gathered& gathered) {
  for (const FileContents& file : gathered.files) {
    if (file.format != "calculix-dof" && file.format != "coordinate-matrix") continue;
    std::set<Dof> seen;
    for (const Dof& dof : file.row_map)
      if (!seen.insert(dof).second) return &file;
  }
  return nullptr;
}

/// Resolves the rows of one import.
class Expansion {
 public:
  explicit Expansion(Gathered& gathered)
      : gathered_(gathered),
        sections_(expanded_sections(gathered)),
        first_free_id_(first_free_id(gathered)) {
    for (const Node& node : gathered.nodes)
      deck_node_ids_.insert(node.id);
    for (const FileContents& file : gathered.files)
      for (const auto& [node, reference] : file.rotation_nodes)
        deck_node_ids_.insert(node);
    for (const ElementBlock& block : gathered.geometry.elements)
      if (is_expandable(block))
        expandable_.insert(block.connectivity.begin(), block.connectivity.end());
    expandable_sorted_.insert(expandable_.begin(), expandable_.end());
    for (const RawConstraint& element : gathered.geometry.rigid_elements)
      if (is_rigid_body(element.type))
        tied_.insert(element.dependent.begin(), element.dependent.end());
  }

  void resolve(const FileContents& file, Diagnostics& diagnostics) {
    const std::vector<Dof>& rows = file.row_map;
    for (const Dof& dof : rows)
      first_free_id_ = std::max(first_free_id_, power_of_ten_above(dof.node));
    const std::vector<Run> runs = runs_of(rows);
    const std::size_t begin = begin_of_expanded(runs);
    resolved_ = rows;
    resolve_own_rows(runs, begin);
    std::int64_t last = 0;
    for (std::size_t k = begin; k < runs.size();) {
      if (deck_node_ids_.contains(runs[k].node)) {
        last = runs[k].node;
        resolve_run(runs[k++]);
        continue;
      }
      std::size_t end = k;
      while (end < runs.size() && !deck_node_ids_.contains(runs[end].node))
        ++end;
      const std::int64_t next = end < runs.size() ? runs[end].node : first_free_id_;
      resolve_knots(runs, k, end, last, next);
      k = end;
    }
    refuse_undefined(file);
    refuse_tied_sections(file);
    tie_translations_alone();
    add_expanded_equations(gathered_, sections_, {resolved_, knots_});
    gathered_.listed_rows = rows;
    gathered_.resolved_rows = std::move(resolved_);
    std::sort(gathered_.nodes.begin(), gathered_.nodes.end(), [](const Node& a, const Node& b) {
      return a.id < b.id;
    });
    warn_constrained(file, diagnostics);
  }

 private:
  /// Handles nodes of shells and beams that have rows of their own. They are knots (rigid bodies
  /// where sections differ), unless rows of their expanded nodes follow; then an equation, a mass
  /// or a solid uses the node itself.
  void resolve_own_rows(const std::vector<Run>& runs, std::size_t begin) {
    std::set<std::int64_t> later;
    for (std::size_t k = begin; k < runs.size(); ++k)
      later.insert(runs[k].node);
    for (std::size_t k = 0; k < begin; ++k) {
      const Run& run = runs[k];
      if (!expandable_.contains(run.node)) continue;
      if (!later.contains(run.node)) knots_.push_back(run.node);
      if (later.contains(run.node) && run.count == 3 && run.layers.size() == 1)
        with_own_rows_.insert(run.node);
    }
  }

  /// Finds where the rows of expanded nodes begin. Rows of the nodes themselves come first, in
  /// ascending order of number; the expanded nodes start again from the lowest number.
  std::size_t begin_of_expanded(const std::vector<Run>& runs) const {
    std::int64_t last = 0;
    for (std::size_t k = 0; k < runs.size(); ++k) {
      if (!deck_node_ids_.contains(runs[k].node)) continue;
      if (runs[k].node <= last) return k;
      last = runs[k].node;
    }
    for (std::size_t k = 0; k < runs.size(); ++k)
      if (expandable_.contains(runs[k].node) || runs[k].layers.size() > 1) return k;
    return runs.size();
  }

  /// Resolves the rows of one node in the expanded part. If supports have removed some of them, the
  /// remaining ones become scalar points.
  void resolve_run(const Run& run) {
    if (!expandable_.contains(run.node)) {
      resolve_plane(run);
      return;
    }
    const auto section = sections_.find(run.node);
    if (section == sections_.end() && run.layers.size() > 1) undefined_.push_back(run.node);
    const bool has_all_rows = run.count == 3 * run.layers.size();
    const bool is_shell = section != sections_.end() && !section->second.is_beam;
    const bool is_tied = section != sections_.end() && tied_.contains(run.node) &&
                         run.layers.size() + 1 == section->second.positions.size();
    // if the node of a shell has rows of its own, or a node follows a rigid body, the first layer
    // (of a beam the first corner) has no rows, because it depends on the mean
    const std::size_t first = (is_shell && with_own_rows_.contains(run.node)) || is_tied ? 1 : 0;
    if (section == sections_.end() || !has_all_rows ||
        run.layers.size() + first != section->second.positions.size()) {
      for (std::size_t row = run.first; row < run.first + run.count; ++row)
        make_scalar(row);
      (tied_.contains(run.node) ? tied_sections_ : constrained_).push_back(run.node);
      gathered_.expanded[run.node] = {};
      return;
    }
    std::vector<std::int64_t>& ids = gathered_.expanded[run.node];
    const Eigen::Vector3d at = position(run.node);
    for (std::size_t layer = 0; layer < run.layers.size(); ++layer) {
      ids.push_back(first_free_id_ + 10 * run.node + static_cast<std::int64_t>(layer + first) + 1);
      gathered_.nodes.push_back({ids.back(), at + section->second.positions[layer + first], 0});
      for (std::size_t c = 0; c < 3; ++c)
        resolved_[run.layers[layer] + c].node = ids.back();
    }
  }

  /// Resolves the rows of a node of plane elements: its expanded nodes move alike in the plane, so
  /// only the first row of each direction is kept; the other rows (thickness) become scalar points.
  void resolve_plane(const Run& run) {
    std::set<std::int8_t> seen{3};
    if (run.layers.size() == 1) return;  // a solid
    for (std::size_t row = run.first; row < run.first + run.count; ++row)
      if (!seen.insert(resolved_[row].component).second) make_scalar(row);
  }

  /// Resolves the runs [begin, end), which lie between those of the nodes `last` and `next`, as
  /// knots in ascending order. Each knot has a run of rotations and a run of one or two rows, the
  /// stretch, with the next node number; supports may leave only the stretch.
  void resolve_knots(const std::vector<Run>& runs,
                     std::size_t begin,
                     std::size_t end,
                     std::int64_t last,
                     std::int64_t next) {
    // first run of each knot: its rotations, or its stretch if that is alone
    std::vector<std::size_t> groups;
    // direction 1 for a thickness, directions 2 and 3 for both sides of a section
    const auto is_stretch = [&](std::size_t k) {
      if (k >= end || runs[k].count > 2) return false;
      const bool is_section = runs[k].count == 2;
      return resolved_[runs[k].first].component == (is_section ? 2 : 1) &&
             resolved_[runs[k].first + runs[k].count - 1].component == (is_section ? 3 : 1);
    };
    const auto has_rotations = [&](std::size_t k) {
      return is_stretch(k + 1) && runs[k + 1].node == runs[k].node + 1 &&
             runs[k].layers.size() == 1;
    };
    for (std::size_t k = begin; k < end;) {
      if (!has_rotations(k) && !is_stretch(k)) break;  // from here on incompatible modes
      groups.push_back(k);
      k += has_rotations(k) ? 2 : 1;
    }
    std::vector<std::int64_t> candidates;
    for (auto it = expandable_sorted_.upper_bound(last);
         it != expandable_sorted_.end() && *it < next;
         ++it)
      candidates.push_back(*it);
    if (candidates.size() != groups.size()) {
      std::erase_if(groups, [&](std::size_t k) { return !has_rotations(k); });
      std::erase_if(candidates, [&](std::int64_t node) {
        return !std::binary_search(knots_.begin(), knots_.end(), node);
      });
    }
    if (candidates.size() != groups.size()) return;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      if (!has_rotations(groups[g])) continue;
      const Run& rotations = runs[groups[g]];
      for (std::size_t row = rotations.first; row < rotations.first + rotations.count; ++row)
        resolved_[row] = {candidates[g], static_cast<std::int8_t>(resolved_[row].component + 3)};
    }
  }

  /// Turns a row into a scalar point of its own.
  void make_scalar(std::size_t row) {
    resolved_[row] = {10 * (first_free_id_ + 10 * first_free_id_) + ++scalars_, 0};
  }

  /// Position of a deck node. Until resolve() sorts the nodes, deck nodes come first, in ascending
  /// order of id.
  Eigen::Vector3d position(std::int64_t id) const {
    return std::lower_bound(gathered_.nodes.begin(),
                            gathered_.nodes.begin() + static_cast<std::ptrdiff_t>(deck_nodes_),
                            id,
                            [](const Node& n, std::int64_t other) { return n.id < other; })
        ->position;
  }
  void refuse_undefined(const FileContents& file) const {
    if (undefined_.empty()) return;
    throw ModelError(
        "expanded-rows",
        fmt::format("CalculiX expanded node {} and {} others of shells, beams, membranes, trusses "
                    "or plane elements but the deck does not define their sections",
                    undefined_.front(),
                    undefined_.size() - 1),
        {file.path},
        "give the deck (.inp) with plain *SHELL SECTION and *BEAM SECTION (RECT, CIRC) as well; "
        "composite, pipe and box sections, *NORMAL, membranes and trusses: use solid elements");
  }

  /// A rigid body that ties a node leaves all expanded nodes but the first. Where supports or
  /// equations take more, the rest moves by equations that the files do not contain. As internal
  /// rows they would move by nothing: the mass of the model would be wrong, and its rigid motions
  /// would be held.
  void refuse_tied_sections(const FileContents& file) const {
    if (tied_sections_.empty()) return;
    throw ModelError(
        "tied-sections",
        fmt::format("*RIGID BODY or *COUPLING acts on {} nodes of beams or shells (the first is "
                    "{}) and leaves only part of the rows of their sections: the motion of these "
                    "rows is not known, and the model would have a wrong mass",
                    tied_sections_.size(),
                    tied_sections_.front()),
        {file.path},
        "leave the rigid body out of the deck, make the matrices again, and tie the nodes by "
        "import --spider; or model the tied edge with solid elements");
  }

  /// CalculiX ties the mean translation of the node of a shell or beam to a rigid body, and that of
  /// a knot; its rotation stays free and follows from the expanded nodes, or has rows of its own.
  void tie_translations_alone() {
    std::unordered_set<std::int64_t> turning;  // knots whose rotations have rows
    for (const Dof& dof : resolved_)
      if (dof.component > 3) turning.insert(dof.node);
    std::vector<RawConstraint>& elements = gathered_.geometry.rigid_elements;
    for (std::size_t k = 0; k < elements.size(); ++k) {
      if (!is_rigid_body(elements[k].type)) continue;
      const auto first_section = std::stable_partition(
          elements[k].dependent.begin(), elements[k].dependent.end(), [&](std::int64_t node) {
            const auto found = gathered_.expanded.find(node);
            return (found == gathered_.expanded.end() || found->second.empty()) &&
                   !turning.contains(node);
          });
      if (first_section == elements[k].dependent.end()) continue;
      RawConstraint sections = elements[k];
      sections.dependent.assign(first_section, elements[k].dependent.end());
      std::erase_if(sections.components, [](char c) { return c > '3'; });
      elements[k].dependent.erase(first_section, elements[k].dependent.end());
      if (elements[k].dependent.empty())
        elements[k] = std::move(sections);
      else
        elements.push_back(std::move(sections));
    }
  }

  void warn_constrained(const FileContents& file, Diagnostics& diagnostics) const {
    if (constrained_.empty()) return;
    diagnostics.warn("expanded-held",
                     fmt::format("supports or equations act on {} nodes of shells or beams (the "
                                 "first is {}): their remaining rows are internal, so their "
                                 "motion is taken as zero",
                                 constrained_.size(),
                                 constrained_.front()),
                     {file.path});
  }

  Gathered& gathered_;
  std::map<std::int64_t, ExpandedSection> sections_;
  std::int64_t first_free_id_;  ///< a power of ten above all ids
  std::size_t deck_nodes_ = gathered_.nodes.size();
  std::unordered_set<std::int64_t> deck_node_ids_;
  std::unordered_set<std::int64_t> expandable_;  ///< nodes of elements that may be expanded
  std::set<std::int64_t> expandable_sorted_;     ///< the same nodes in ascending order
  std::vector<std::int64_t> knots_;              ///< in ascending order
  std::set<std::int64_t>
      with_own_rows_;  ///< nodes with rows of their own besides the expanded ones
  std::vector<std::int64_t> constrained_;    ///< nodes with only part of their expanded rows
  std::unordered_set<std::int64_t> tied_;    ///< nodes that follow a rigid body
  std::vector<std::int64_t> tied_sections_;  ///< nodes of them with only part of their rows
  std::vector<std::int64_t> undefined_;      ///< nodes whose section the deck does not define
  std::vector<Dof> resolved_;                ///< DOF of each row
  std::int64_t scalars_ = 0;
};

}  // namespace

void resolve_expansion(Gathered& gathered, Diagnostics& diagnostics) {
  const FileContents* file = file_with_repeats(gathered);
  if (file == nullptr || gathered.nodes.empty()) return;
  Expansion(gathered).resolve(*file, diagnostics);
}

}  // namespace femflex::importer
