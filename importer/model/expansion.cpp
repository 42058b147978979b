// Identifies the rows of a CalculiX `.dof` list with repeated node numbers. Successive rows of one
// node form a run; runs of expanded nodes, of knots (rigid bodies where sections differ) and of
// internal modes are told apart by order and number of rows.
#include "model/expansion.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "model/matrices.h"
#include "model/row_maps.h"

namespace femflex::importer {
namespace {

/// Successive rows with one node number. A new layer (one per expanded node) begins where the
/// direction does not increase.
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

const FileContents* file_with_repeats(const Gathered& gathered) {
  for (const FileContents& file : gathered.files) {
    if (file.format != "calculix-dof" && file.format != "coordinate-matrix") continue;
    std::set<Dof> seen;
    for (const Dof& dof : file.row_map)
      if (!seen.insert(dof).second) return &file;
  }
  return nullptr;
}

class Expansion {
 public:
  explicit Expansion(Gathered& gathered)
      : gathered_(gathered), sections_(expanded_sections(gathered)), room_(free_ids(gathered)) {
    for (const Node& node : gathered.nodes)
      known_.insert(node.id);
    for (const FileContents& file : gathered.files)
      for (const auto& [node, reference] : file.rotation_nodes)
        known_.insert(node);
    for (const ElementBlock& block : gathered.geometry.elements)
      if (is_expandable(block))
        expandable_.insert(block.connectivity.begin(), block.connectivity.end());
    ordered_.insert(expandable_.begin(), expandable_.end());
  }

  void resolve(const FileContents& file, Diagnostics& diagnostics) {
    const std::vector<Dof>& rows = file.row_map;
    for (const Dof& dof : rows)
      while (room_ <= dof.node)
        room_ *= 10;
    const std::vector<Run> runs = runs_of(rows);
    const std::size_t begin = begin_of_expanded(runs);
    resolved_ = rows;
    resolve_own(runs, begin);
    std::int64_t last = 0;
    for (std::size_t k = begin; k < runs.size();) {
      if (known_.contains(runs[k].node)) {
        last = runs[k].node;
        take(runs[k++]);
        continue;
      }
      std::size_t end = k;
      while (end < runs.size() && !known_.contains(runs[end].node))
        ++end;
      const std::int64_t next = end < runs.size() ? runs[end].node : room_;
      take_knots(runs, k, end, last, next);
      k = end;
    }
    refuse_strangers(file);
    add_equations();
    gathered_.listed_rows = rows;
    gathered_.resolved_rows = std::move(resolved_);
    std::sort(gathered_.nodes.begin(), gathered_.nodes.end(), [](const Node& a, const Node& b) {
      return a.id < b.id;
    });
    name_held(file, diagnostics);
  }

 private:
  static bool is_expandable(const ElementBlock& block) {
    static const std::set<std::string> types{
        "CTRIA3", "CTRIA6", "CQUAD4", "CQUAD8", "CBAR", "CBEAM3", "CROD"};
    return types.contains(block.type);
  }

  /// Handles nodes of shells and beams that have rows of their own. They are knots (rigid bodies
  /// where sections differ), unless rows of their expanded nodes follow; then an equation, a mass
  /// or a solid uses the node itself.
  void resolve_own(const std::vector<Run>& runs, std::size_t begin) {
    std::set<std::int64_t> later;
    for (std::size_t k = begin; k < runs.size(); ++k)
      later.insert(runs[k].node);
    for (std::size_t k = 0; k < begin; ++k) {
      const Run& run = runs[k];
      if (!expandable_.contains(run.node)) continue;
      if (!later.contains(run.node)) knots_.push_back(run.node);
      if (later.contains(run.node) && run.count == 3 && run.layers.size() == 1)
        tied_.insert(run.node);
    }
  }

  /// Finds where the rows of expanded nodes begin. Rows of the nodes themselves come first, in
  /// ascending order of number; the expanded nodes start again from the lowest number.
  std::size_t begin_of_expanded(const std::vector<Run>& runs) const {
    std::int64_t last = 0;
    for (std::size_t k = 0; k < runs.size(); ++k) {
      if (!known_.contains(runs[k].node)) continue;
      if (runs[k].node <= last) return k;
      last = runs[k].node;
    }
    for (std::size_t k = 0; k < runs.size(); ++k)
      if (expandable_.contains(runs[k].node) || runs[k].layers.size() > 1) return k;
    return runs.size();
  }

  /// Takes the rows of one node in the expanded part: those of all its expanded nodes, or those
  /// that supports have not removed.
  void take(const Run& run) {
    if (!expandable_.contains(run.node)) {
      take_plane(run);
      return;
    }
    const auto section = sections_.find(run.node);
    if (section == sections_.end() && run.layers.size() > 1) strangers_.push_back(run.node);
    const bool whole = run.count == 3 * run.layers.size();
    const bool tied =
        section != sections_.end() && !section->second.is_beam && tied_.contains(run.node);
    // if a shell is tied to its node, the first (lower) layer has no rows, because it depends on
    // the mean
    const std::size_t first = tied ? 1 : 0;
    if (section == sections_.end() || !whole ||
        run.layers.size() + first != section->second.places.size()) {
      for (std::size_t row = run.first; row < run.first + run.count; ++row)
        make_scalar(row);
      held_.push_back(run.node);
      gathered_.expanded[run.node] = {};
      return;
    }
    std::vector<std::int64_t>& ids = gathered_.expanded[run.node];
    const Eigen::Vector3d at = position(run.node);
    for (std::size_t layer = 0; layer < run.layers.size(); ++layer) {
      ids.push_back(room_ + 10 * run.node + static_cast<std::int64_t>(layer + first) + 1);
      gathered_.nodes.push_back({ids.back(), at + section->second.places[layer + first], 0});
      for (std::size_t c = 0; c < 3; ++c)
        resolved_[run.layers[layer] + c].node = ids.back();
    }
  }

  /// Takes the rows of a plane element: all expanded nodes move alike in the plane; the remaining
  /// direction is the thickness.
  void take_plane(const Run& run) {
    std::set<std::int8_t> seen{3};
    if (run.layers.size() == 1) return;  // a solid
    for (std::size_t row = run.first; row < run.first + run.count; ++row)
      if (!seen.insert(resolved_[row].component).second) make_scalar(row);
  }

  /// Takes the knots between the nodes `last` and `next`, in ascending order of number. Each has
  /// rotations and the stretch (one row, with the next higher number); supports may leave only the
  /// stretch.
  void take_knots(const std::vector<Run>& runs,
                  std::size_t begin,
                  std::size_t end,
                  std::int64_t last,
                  std::int64_t next) {
    // first run of each knot: its rotations, or its stretch if that is alone
    std::vector<std::size_t> groups;
    const auto is_stretch = [&](std::size_t k) {
      return k < end && runs[k].count == 1 && resolved_[runs[k].first].component == 1;
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
    for (auto it = ordered_.upper_bound(last); it != ordered_.end() && *it < next; ++it)
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

  void make_scalar(std::size_t row) {
    resolved_[row] = {10 * (room_ + 10 * room_) + ++scalars_, 0};
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
  void refuse_strangers(const FileContents& file) const {
    if (strangers_.empty()) return;
    throw ModelError(
        "expanded-rows",
        fmt::format("CalculiX expanded node {} and {} others of shells, beams, membranes, trusses "
                    "or plane elements in a way that the deck does not define",
                    strangers_.front(),
                    strangers_.size() - 1),
        {file.path},
        "give the deck (.inp) with plain *SHELL SECTION and *BEAM SECTION (RECT, CIRC) as well; "
        "composite, pipe and box sections, *NORMAL, membranes and trusses: use solid elements");
  }

  void add_equation(Dof dependent,
                    const std::vector<std::pair<Dof, double>>& terms,
                    const char* type) {
    RawConstraint out;
    out.type = type;
    out.id = dependent.node;
    out.law = RawConstraint::Law::equation;
    out.dependent_dofs = {dependent};
    out.factors = {-1.0};
    for (const auto& [dof, factor] : terms) {
      out.independent_dofs.push_back(dof);
      out.factors.push_back(factor);
    }
    gathered_.geometry.rigid_elements.push_back(std::move(out));
  }

  /// Adds the equations by which deck nodes depend on expanded ones. A deck node moves as the rigid
  /// body that fits its expanded nodes best; the rotation of a shell about its normal is the
  /// rotation of the neighbours around the node.
  void add_equations() {
    std::map<std::int64_t, std::set<std::int64_t>> neighbours;
    for (const ElementBlock& block : gathered_.geometry.elements) {
      if (!is_expandable(block)) continue;
      const auto width = static_cast<std::size_t>(block.nodes_per_element);
      for (std::size_t e = 0; e < block.ids.size(); ++e)
        for (std::size_t a = 0; a < width; ++a)
          for (std::size_t b = 0; b < width; ++b)
            neighbours[block.connectivity[e * width + a]].insert(block.connectivity[e * width + b]);
    }
    // CalculiX has already applied the equations of the deck, whose nodes have no rows here
    std::erase_if(gathered_.geometry.rigid_elements, [&](const RawConstraint& element) {
      const auto is_expanded = [&](std::int64_t node) { return gathered_.expanded.contains(node); };
      return element.type == "EQUATION" &&
             (is_expanded(element.dependent.front()) ||
              std::any_of(element.independent.begin(), element.independent.end(), is_expanded));
    });
    for (const auto& [node, ids] : gathered_.expanded) {
      if (ids.empty()) continue;
      const ExpandedSection& section = sections_.at(node);
      if (ids.size() < section.places.size()) {  // a tied node: its own rows are the middle layer
        ExpandedSection half = section;
        half.places = {Eigen::Vector3d::Zero(), section.places.back()};
        add_shell_rotation(node, {node, ids.back()}, half, neighbours[node]);
        continue;
      }
      RawConstraint mean;
      mean.type = section.is_beam ? "BEAM NODE" : "SHELL NODE";
      mean.id = node;
      mean.law = RawConstraint::Law::weighted;
      for (const std::int64_t id : ids)
        for (std::int8_t c = 1; c <= 3; ++c)
          mean.independent_dofs.push_back({id, c});
      mean.factors.assign(mean.independent_dofs.size(), 1.0);
      const std::int8_t most = section.is_beam ? 6 : 3;
      for (std::int8_t c = 1; c <= most; ++c)
        mean.reference_dofs.push_back({node, c});
      mean.dependent_dofs = mean.reference_dofs;
      gathered_.geometry.rigid_elements.push_back(std::move(mean));
      if (!section.is_beam) add_shell_rotation(node, ids, section, neighbours[node]);
    }
  }

  /// theta = n x d / h + n theta_n, d = u_upper - u_lower; with r to a neighbour, p = r - n (n .
  /// r), theta_n sum |p|^2 = sum (n x p) . (u_neighbour - u_node - (n x d) x r / h).
  void add_shell_rotation(std::int64_t node,
                          const std::vector<std::int64_t>& ids,
                          const ExpandedSection& section,
                          const std::set<std::int64_t>& neighbours) {
    const Eigen::Vector3d n = section.axes.col(2);
    const double h = n.dot(section.places.back() - section.places.front());
    std::map<Dof, double> drill;
    double sum = 0.0;
    for (const std::int64_t other : neighbours) {
      const auto expanded = gathered_.expanded.find(other);
      const bool moves = (expanded != gathered_.expanded.end() && !expanded->second.empty()) ||
                         std::binary_search(knots_.begin(), knots_.end(), other);
      if (other == node || !moves) continue;
      const Eigen::Vector3d r = position(other) - position(node);
      const Eigen::Vector3d p = r - n * n.dot(r);
      const Eigen::Vector3d turn = n.cross(p);
      sum += p.squaredNorm();
      for (std::int8_t c = 1; c <= 3; ++c) {
        drill[{other, c}] += turn(c - 1);
        drill[{node, c}] -= turn(c - 1);
        drill[{ids.back(), c}] -= n.dot(r) / h * turn(c - 1);
        drill[{ids.front(), c}] += n.dot(r) / h * turn(c - 1);
      }
    }
    for (std::int8_t c = 1; c <= 3; ++c) {
      std::map<Dof, double> terms;
      const Eigen::Vector3d axis = Eigen::Vector3d::Unit(c - 1).cross(n) / h;
      for (std::int8_t k = 1; k <= 3; ++k) {
        terms[{ids.back(), k}] += axis(k - 1);
        terms[{ids.front(), k}] -= axis(k - 1);
      }
      for (const auto& [dof, factor] : drill)
        terms[dof] += n(c - 1) * factor / sum;
      std::vector<std::pair<Dof, double>> kept;
      for (const auto& [dof, factor] : terms)
        if (factor != 0.0) kept.emplace_back(dof, factor);
      add_equation({node, static_cast<std::int8_t>(c + 3)}, kept, "SHELL NODE");
    }
  }

  void name_held(const FileContents& file, Diagnostics& diagnostics) const {
    if (held_.empty()) return;
    diagnostics.warn("expanded-held",
                     fmt::format("supports or equations act on {} nodes of shells or beams (the "
                                 "first is {}): their remaining rows are internal, so their "
                                 "motion is taken as zero",
                                 held_.size(),
                                 held_.front()),
                     {file.path});
  }

  Gathered& gathered_;
  std::map<std::int64_t, ExpandedSection> sections_;
  std::int64_t room_;
  std::size_t deck_nodes_ = gathered_.nodes.size();
  std::unordered_set<std::int64_t> known_;
  std::unordered_set<std::int64_t> expandable_;  ///< nodes of elements that may be expanded
  std::set<std::int64_t> ordered_;               ///< the same nodes in ascending order
  std::vector<std::int64_t> knots_;              ///< in ascending order
  std::set<std::int64_t> tied_;  ///< nodes with rows of their own besides the expanded ones
  std::vector<std::int64_t> held_;
  std::vector<std::int64_t> strangers_;
  std::vector<Dof> resolved_;
  std::int64_t scalars_ = 0;
};

}  // namespace

void resolve_expansion(Gathered& gathered, Diagnostics& diagnostics) {
  const FileContents* file = file_with_repeats(gathered);
  if (file == nullptr || gathered.nodes.empty()) return;
  Expansion(gathered).resolve(*file, diagnostics);
}

}  // namespace femflex::importer
