// Collects *EQUATION, *RIGID BODY and *COUPLING as the deck gives them; finish() replaces the names
// of sets and surfaces by nodes and makes constraints of them.
#include "calculix/inp_constraints.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "femflex/number.h"

#include "calculix/inp_scan.h"

namespace femflex::importer {
namespace {

/// The one node that a name stands for; nothing, with a warning, if it stands for none or several.
std::optional<std::int64_t> one_node(const std::string& name,
                                     const char* what,
                                     InpSets& sets,
                                     const Where& where,
                                     Diagnostics& diagnostics) {
  const auto nodes = sets.members_of(name, where);
  if (nodes && nodes->size() == 1) return nodes->front();
  diagnostics.warn(
      "constraint-nodes",
      nodes ? fmt::format("{} {} has {} nodes; expected one: the constraint is left out",
                          what,
                          name,
                          nodes->size())
            : fmt::format(
                  "{} '{}' is neither a node nor a set: the constraint is left out", what, name),
      where);
  return std::nullopt;
}

}  // namespace

std::vector<std::int64_t> inp_nodes_of_elements(const std::vector<std::int64_t>& ids,
                                                const std::vector<ElementBlock>& blocks) {
  const std::set<std::int64_t> wanted(ids.begin(), ids.end());
  std::set<std::int64_t> nodes;
  for (const ElementBlock& block : blocks) {
    const auto count = static_cast<std::size_t>(block.nodes_per_element);
    for (std::size_t e = 0; e < block.ids.size(); ++e)
      if (wanted.contains(block.ids[e]))
        for (std::size_t k = 0; k < count; ++k)
          nodes.insert(block.connectivity[e * count + k]);
  }
  return {nodes.begin(), nodes.end()};
}

void InpConstraints::begin(const std::string& keyword,
                           const InpParameters& parameters,
                           const Where& where) {
  check_last();
  is_equation_ = keyword == "EQUATION";
  is_kinematic_ = false;
  if (keyword == "RIGIDBODY") {
    RigidBody body;
    body.reference = parameters.text("REFNODE");
    body.rotation = parameters.text("ROTNODE");
    body.tied =
        parameters.text("NSET").empty() ? parameters.text("TIENSET") : parameters.text("NSET");
    body.pinned = parameters.text("PINNSET");
    body.elements = parameters.text("ELSET");
    body.where = where;
    bodies_.push_back(std::move(body));
  } else if (keyword == "COUPLING") {
    coupling_ = {};
    coupling_.reference = parameters.text("REFNODE");
    coupling_.surface = parameters.text("SURFACE");
    coupling_.where = where;
    coupling_.has_axes = parameters.has("ORIENTATION");
  } else if (keyword == "KINEMATIC" && !coupling_.surface.empty()) {
    is_kinematic_ = true;
    bodies_.push_back(std::exchange(coupling_, {}));
  }
}

void InpConstraints::data(const std::vector<std::string_view>& fields, const Where& where) {
  if (is_equation_) equation_line(fields, where);
  if (!is_kinematic_ || fields.empty()) return;
  const auto first = parse_integer(fields[0]);
  const auto last = fields.size() > 1 ? parse_integer(fields[1]) : first;
  constexpr std::int64_t kDirections = 6;
  if (!first || !last || *first < 1 || *last < *first || *last > kDirections)
    throw ParseError("entry", "*KINEMATIC needs first and last direction, 1 to 6", where);
  std::string& directions = bodies_.back().directions;
  for (std::int64_t c = *first; c <= *last; ++c)
    if (const char letter = static_cast<char>('0' + c);
        directions.find(letter) == std::string::npos)
      directions += letter;
}

void InpConstraints::equation_line(const std::vector<std::string_view>& fields,
                                   const Where& where) {
  const bool is_open =
      !equations_.empty() &&
      static_cast<std::int64_t>(equations_.back().terms.size()) < equations_.back().announced;
  if (!is_open) {
    const std::int64_t count =
        inp_integer(fields.empty() ? std::string_view() : fields.front(), where);
    if (count < 1)
      throw ParseError("entry", "*EQUATION must begin with a positive number of terms", where);
    equations_.push_back({count, {}, where});
    return;
  }
  Equation& equation = equations_.back();
  for (std::size_t k = 0; k + 2 < fields.size() &&
                          static_cast<std::int64_t>(equation.terms.size()) < equation.announced;
       k += 3) {
    const std::int64_t direction = inp_integer(fields[k + 1], where);
    if (direction < 1 || direction > 6)
      throw ParseError(
          "entry", fmt::format("direction {} of *EQUATION; expected 1 to 6", direction), where);
    const double factor = inp_real(fields[k + 2], where);
    equation.terms.push_back({names_.here(fields[k]), static_cast<std::int8_t>(direction), factor});
  }
}

void InpConstraints::check_last() const {
  if (equations_.empty()) return;
  const Equation& last = equations_.back();
  if (static_cast<std::int64_t>(last.terms.size()) < last.announced)
    throw ParseError(
        "entry",
        fmt::format(
            "*EQUATION announces {} terms, {} are given", last.announced, last.terms.size()),
        last.where);
}

void InpConstraints::finish(InpSets& node_sets,
                            InpSets& element_sets,
                            FileContents& contents,
                            Diagnostics& diagnostics) {
  check_last();
  for (const Equation& equation : equations_)
    add_equation(equation, node_sets, contents, diagnostics);
  for (const RigidBody& body : bodies_)
    add_rigid_body(body, node_sets, element_sets, contents, diagnostics);
}

// Terms of sets make one equation for each node: a set of the first term gives as many equations as
// it has nodes, and a term of one node takes part in all of them. CalculiX eliminates the DOF of
// the first term from the matrices.
void InpConstraints::add_equation(const Equation& equation,
                                  InpSets& node_sets,
                                  FileContents& contents,
                                  Diagnostics& diagnostics) const {
  std::vector<InpSets::Members> nodes;
  std::size_t count = 1;
  for (const Term& term : equation.terms) {
    nodes.push_back(
        node_sets.ordered_members_of(term.node, equation.where).value_or(InpSets::Members{}));
    if (nodes.back().size() > 1) count = std::max(count, nodes.back().size());
  }
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    if (nodes[k].size() == count || nodes[k].size() == 1) continue;
    diagnostics.warn("constraint-nodes",
                     fmt::format("term {} of an equation names '{}' with {} nodes, another term "
                                 "has {}: the equation is left out",
                                 k + 1,
                                 equation.terms[k].node,
                                 nodes[k].size(),
                                 count),
                     equation.where);
    return;
  }
  if (equation.terms.size() < 2 || equation.terms.front().factor == 0.0) {
    diagnostics.warn("constraint-nodes",
                     equation.terms.size() < 2
                         ? "an equation with one term holds its DOF at zero: it is left out, use "
                           "*BOUNDARY"
                         : "the first term of an equation has the factor 0: it is left out",
                     equation.where);
    return;
  }
  for (std::size_t which = 0; which < count; ++which) {
    RawConstraint out;
    out.type = "EQUATION";
    out.law = RawConstraint::Law::equation;
    for (std::size_t k = 0; k < equation.terms.size(); ++k) {
      const Term& term = equation.terms[k];
      const std::int64_t node = nodes[k].size() == 1 ? nodes[k].front() : nodes[k][which];
      (k == 0 ? out.dependent : out.independent).push_back(node);
      (k == 0 ? out.dependent_dofs : out.independent_dofs).push_back({node, term.component});
      out.factors.push_back(term.factor);
    }
    out.id = out.dependent.front();
    out.components = std::to_string(equation.terms.front().component);
    contents.rigid_elements.push_back(std::move(out));
  }
}

void InpConstraints::add_rigid_body(const RigidBody& body,
                                    InpSets& node_sets,
                                    InpSets& element_sets,
                                    FileContents& contents,
                                    Diagnostics& diagnostics) const {
  const auto reference = one_node(body.reference, "REF NODE", node_sets, body.where, diagnostics);
  if (!reference) return;
  RawConstraint rigid;
  rigid.law = RawConstraint::Law::rigid;
  rigid.type = "RIGID BODY";
  rigid.id = *reference;
  rigid.independent.push_back(*reference);
  for (std::int8_t c = 1; c <= 6; ++c)
    rigid.independent_dofs.push_back({*reference, c});
  if (!body.rotation.empty()) {
    const auto rotation = one_node(body.rotation, "ROT NODE", node_sets, body.where, diagnostics);
    if (!rotation) return;
    rigid.independent.push_back(*rotation);
    contents.rotation_nodes[*rotation] = *reference;
  } else {
    contents.unnamed_rotations.push_back(*reference);
  }
  if (!body.surface.empty())
    return add_coupling(body, rigid, node_sets, element_sets, contents, diagnostics);
  const auto add = [&](std::vector<std::int64_t> nodes, const char* components) {
    std::erase(nodes, *reference);
    if (nodes.empty()) return;
    RawConstraint part = rigid;
    part.dependent = std::move(nodes);
    part.components = components;
    contents.rigid_elements.push_back(std::move(part));
  };
  const auto nodes_in = [&](const std::string& set) {
    const auto nodes = node_sets.members_of(set, body.where);
    if (!nodes)
      diagnostics.warn(
          "unknown-set", fmt::format("*RIGID BODY: the deck has no node set {}", set), body.where);
    return nodes.value_or(InpSets::Members{});
  };
  if (!body.tied.empty()) add(nodes_in(body.tied), "123456");
  if (!body.pinned.empty()) add(nodes_in(body.pinned), "123");
  if (body.elements.empty()) return;
  const InpSets::Members* elements = element_sets.find(body.elements);
  if (elements == nullptr) {
    diagnostics.warn("unknown-set",
                     fmt::format("*RIGID BODY: the deck has no element set {}", body.elements),
                     body.where);
    return;
  }
  add(inp_nodes_of_elements(*elements, contents.elements), "123456");
}

/// True for all three translations or none, and all three rotations or none: along any axes the
/// same constraint.
bool is_same_in_all_axes(std::string_view directions) {
  const auto counts = [&](std::string_view three) {
    return std::count_if(three.begin(), three.end(), [&](char c) {
      return directions.find(c) != std::string_view::npos;
    });
  };
  return counts("123") % 3 == 0 && counts("456") % 3 == 0;
}

void InpConstraints::add_coupling(const RigidBody& body,
                                  const RawConstraint& rigid,
                                  InpSets& node_sets,
                                  InpSets& element_sets,
                                  FileContents& contents,
                                  Diagnostics& diagnostics) const {
  RawConstraint out = rigid;
  out.type = "COUPLING";
  out.components = body.directions.empty() ? "123456" : body.directions;
  auto nodes = surfaces_.nodes_of(body.surface, node_sets, element_sets, contents.elements);
  if (!nodes) {
    diagnostics.warn("constraint-nodes",
                     fmt::format("*COUPLING on node {}: the deck has no surface {}, or one whose "
                                 "faces are not S1 to S6, SPOS, SNEG or nodes: the constraint is "
                                 "left out",
                                 out.id,
                                 names_.bare(body.surface)),
                     body.where);
    return;
  }
  if (body.has_axes && !is_same_in_all_axes(out.components)) out.law = RawConstraint::Law::unknown;
  std::erase(*nodes, out.id);
  out.dependent = std::move(*nodes);
  if (!out.dependent.empty()) contents.rigid_elements.push_back(std::move(out));
}

}  // namespace femflex::importer
