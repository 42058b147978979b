// Makes the equations of the nodes of shells and beams that CalculiX expanded: translations and
// rotations by their expanded nodes. docs/theory/import.md, (3c).
#include "model/expanded_equations.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <Eigen/Core>

namespace femflex::importer {
namespace {

class ExpandedEquations {
 public:
  ExpandedEquations(Gathered& gathered,
                    const std::map<std::int64_t, ExpandedSection>& sections,
                    const ExpandedRows& rows)
      : gathered_(gathered), sections_(sections), rows_(rows) {
    for (const Node& node : gathered.nodes)
      positions_.emplace(node.id, node.position);
  }

  /// Adds the equations by which deck nodes depend on expanded ones. A deck node moves as the rigid
  /// body that fits its expanded nodes best; a shell node rotates about the shell's normal as its
  /// neighbours move around it.
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
    const std::set<std::int64_t> turns = nodes_of_turning_bodies();
    for (const auto& [node, ids] : gathered_.expanded) {
      if (ids.empty()) continue;
      const ExpandedSection& section = sections_.at(node);
      const bool follows_section = !turns.contains(node);
      if (ids.size() <
          section.positions.size()) {  // a tied node: its own rows are the middle layer
        if (!follows_section) continue;
        if (section.is_beam) {
          add_mean("BEAM NODE", node, ids, {4, 6});
          continue;
        }
        ExpandedSection half = section;
        half.positions = {Eigen::Vector3d::Zero(), section.positions.back()};
        add_shell_rotation(node, {node, ids.back()}, half, neighbours[node]);
        continue;
      }
      const std::int8_t last_component = section.is_beam && follows_section ? 6 : 3;
      add_mean(section.is_beam ? "BEAM NODE" : "SHELL NODE", node, ids, {1, last_component});
      if (!section.is_beam && follows_section)
        add_shell_rotation(node, ids, section, neighbours[node]);
    }
  }

 private:
  /// Adds dependent = sum of the terms.
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

  /// Nodes of rigid bodies whose rotations have rows, under the number of a rotation node: their
  /// rotation is that of the body, not of a shell or beam there.
  std::set<std::int64_t> nodes_of_turning_bodies() const {
    std::unordered_set<std::int64_t> with_rows;
    for (const Dof& dof : rows_.resolved)
      with_rows.insert(dof.node);
    std::set<std::int64_t> out;
    for (const FileContents& file : gathered_.files)
      for (const auto& [rotation, reference] : file.rotation_nodes)
        if (with_rows.contains(rotation)) out.insert(reference);
    return out;
  }

  /// Lets some components of a node, first to last, follow the rigid body that fits its expanded
  /// nodes best.
  void add_mean(const char* type,
                std::int64_t node,
                const std::vector<std::int64_t>& ids,
                std::pair<std::int8_t, std::int8_t> components) {
    RawConstraint mean;
    mean.type = type;
    mean.id = node;
    mean.law = RawConstraint::Law::weighted;
    for (const std::int64_t id : ids)
      for (std::int8_t c = 1; c <= 3; ++c)
        mean.independent_dofs.push_back({id, c});
    mean.factors.assign(mean.independent_dofs.size(), 1.0);
    for (std::int8_t c = components.first; c <= components.second; ++c)
      mean.reference_dofs.push_back({node, c});
    mean.dependent_dofs = mean.reference_dofs;
    gathered_.geometry.rigid_elements.push_back(std::move(mean));
  }

  /// Adds the equations of the rotation of a shell node, theta = n x d / h + n theta_n, with the
  /// normal n, the thickness h and d = u_upper - u_lower. The rotation about the normal follows
  /// from the neighbours: theta_n sum |p|^2 = sum (n x p) . (u_neighbour - u_node - (n x d) x r /
  /// h), with r from the node to a neighbour and p = r - n (n . r).
  void add_shell_rotation(std::int64_t node,
                          const std::vector<std::int64_t>& ids,
                          const ExpandedSection& section,
                          const std::set<std::int64_t>& neighbours) {
    const Eigen::Vector3d n = section.axes.col(2);
    const double h = n.dot(section.positions.back() - section.positions.front());
    std::map<Dof, double> drill;
    double sum = 0.0;
    for (const std::int64_t other : neighbours) {
      const auto expanded = gathered_.expanded.find(other);
      const bool has_rows = (expanded != gathered_.expanded.end() && !expanded->second.empty()) ||
                            std::binary_search(rows_.knots.begin(), rows_.knots.end(), other);
      if (other == node || !has_rows) continue;
      const Eigen::Vector3d r = positions_.at(other) - positions_.at(node);
      const Eigen::Vector3d p = r - n * n.dot(r);
      const Eigen::Vector3d direction = n.cross(p);
      sum += p.squaredNorm();
      for (std::int8_t c = 1; c <= 3; ++c) {
        drill[{other, c}] += direction(c - 1);
        drill[{node, c}] -= direction(c - 1);
        drill[{ids.back(), c}] -= n.dot(r) / h * direction(c - 1);
        drill[{ids.front(), c}] += n.dot(r) / h * direction(c - 1);
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

  Gathered& gathered_;
  const std::map<std::int64_t, ExpandedSection>& sections_;
  const ExpandedRows& rows_;
  std::unordered_map<std::int64_t, Eigen::Vector3d> positions_;
};

}  // namespace

bool is_expandable(const ElementBlock& block) {
  static const std::set<std::string> types{
      "CTRIA3", "CTRIA6", "CQUAD4", "CQUAD8", "CBAR", "CBEAM3", "CROD"};
  return types.contains(block.type);
}

void add_expanded_equations(Gathered& gathered,
                            const std::map<std::int64_t, ExpandedSection>& sections,
                            const ExpandedRows& rows) {
  ExpandedEquations(gathered, sections, rows).add_equations();
}

}  // namespace femflex::importer
