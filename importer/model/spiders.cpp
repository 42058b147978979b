// Spiders are tied like RBE2 and RBE3 elements of a deck. In an RBE3 six DOFs of the nodes follow
// the others and the spider's node (NASTRAN's UM), so that the latter can be held or loaded.
#include "model/spiders.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "femflex/dense.h"
#include "femflex/errors.h"
#include "femflex/listed.h"
#include "femflex/number.h"
#include "femflex/number_list.h"
#include "femflex/text.h"

namespace femflex::importer {
namespace {

using Eigen::Index;
using Eigen::Vector3d;

// A node lies on a plane or cylinder if it is off by less than this share of the model's size, or
// of the radius: coordinates in fields of eight columns have six or seven digits.
constexpr double kOnSurface = 1e-4;

[[noreturn]] void refuse(const std::string& spider, const std::string& what) {
  throw UsageError("spider",
                   fmt::format("--spider {}: {}", spider, what),
                   {},
                   "write NODE=rbe3:NODES or NODE=rbe2:NODES with NODES 1-20,25 or set:NAME or "
                   "plane:x=1.2 or cylinder:PX,PY,PZ,DX,DY,DZ,R");
}

/// Numbers between commas.
std::vector<double> numbers_of(const std::string& text,
                               std::size_t count,
                               const std::string& spider) {
  std::vector<double> out;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find(',', start), text.size());
    const auto number = parse_real(text.substr(start, end - start));
    if (!number || !std::isfinite(*number))
      refuse(spider, fmt::format("'{}' is not a number", text.substr(start, end - start)));
    out.push_back(*number);
    start = end + 1;
  }
  if (out.size() != count)
    refuse(spider, fmt::format("'{}' has {} numbers; expected {}", text, out.size(), count));
  return out;
}

NodePick parse_pick(const std::string& text, const std::string& spider) {
  NodePick out;
  if (text.starts_with("set:")) {
    out.kind = NodePick::Kind::set;
    out.set = text.substr(4);
  } else if (text.starts_with("plane:")) {
    out.kind = NodePick::Kind::plane;
    const std::string rest = text.substr(6);
    const std::size_t axis = std::string("xyz").find(rest.empty() ? '?' : rest[0]);
    if (axis == std::string::npos || rest.size() < 3 || rest[1] != '=')
      refuse(spider, fmt::format("'{}' is not a plane such as x=1.2", rest));
    out.axis = static_cast<int>(axis);
    out.value = numbers_of(rest.substr(2), 1, spider)[0];
  } else if (text.starts_with("cylinder:")) {
    out.kind = NodePick::Kind::cylinder;
    const std::vector<double> n = numbers_of(text.substr(9), 7, spider);
    out.point = {n[0], n[1], n[2]};
    out.direction = {n[3], n[4], n[5]};
    out.radius = n[6];
    if (!(out.direction.norm() > 0.0) || !(out.radius > 0.0))
      refuse(spider, "a cylinder needs a direction and a radius above 0");
    out.direction.normalize();
  } else {
    out.ids = parse_number_list(text);
  }
  return out;
}

/// The nodes of the set that a spider names. Keyword decks are read in upper case, so a name that
/// is written as in the deck is found as well.
const std::vector<std::int64_t>& set_members(const Spider& spider, const Gathered& gathered) {
  const auto& sets = gathered.geometry.node_sets;
  auto found = sets.find(spider.pick.set);
  if (found == sets.end()) found = sets.find(upper_case(spider.pick.set));
  if (found != sets.end()) return found->second;
  constexpr std::size_t kShownSets = 20;  // a message of about five lines
  std::vector<std::string> names;
  for (const auto& [name, members] : sets)
    names.push_back(name);
  throw UsageError(
      "spider",
      fmt::format("spider {}: the files have no node set '{}'", spider.node, spider.pick.set),
      {},
      sets.empty() ? "the files have no node sets: give the nodes themselves"
                   : fmt::format("give one of the sets {}, or the nodes themselves",
                                 listed(names, kShownSets)));
}

/// The nodes that a spider picks, with ascending ids.
std::vector<const Node*> picked_nodes(const Spider& spider, const Gathered& gathered) {
  const NodePick& pick = spider.pick;
  std::set<std::int64_t> ids(pick.ids.begin(), pick.ids.end());
  if (pick.kind == NodePick::Kind::set) {
    const std::vector<std::int64_t>& members = set_members(spider, gathered);
    ids.insert(members.begin(), members.end());
  }
  double size = 0.0;
  for (const Node& node : gathered.nodes)
    size = std::max(size, (node.position - gathered.nodes.front().position).norm());
  const auto is_picked = [&](const Node& node) {
    switch (pick.kind) {
      case NodePick::Kind::list:
      case NodePick::Kind::set:
        return ids.contains(node.id);
      case NodePick::Kind::plane:
        return std::abs(node.position(pick.axis) - pick.value) < kOnSurface * size;
      case NodePick::Kind::cylinder: {
        const double distance = pick.direction.cross(node.position - pick.point).norm();
        return std::abs(distance - pick.radius) < kOnSurface * pick.radius;
      }
    }
    return false;
  };
  std::vector<const Node*> out;
  for (const Node& node : gathered.nodes) {
    if (node.id == spider.node)
      throw UsageError(
          "spider",
          fmt::format("spider {}: the files have a node with this number", spider.node),
          {},
          "give the spider a number that no node has");
    if (is_picked(node)) out.push_back(&node);
    ids.erase(node.id);
  }
  if (!ids.empty())
    throw UsageError(
        "spider",
        fmt::format("spider {}: there is no node {}{}",
                    spider.node,
                    *ids.begin(),
                    ids.size() > 1 ? fmt::format(" and {} more", ids.size() - 1) : ""));
  if (out.empty())
    throw UsageError("spider",
                     fmt::format("spider {}: no node of the mesh lies there", spider.node));
  return out;
}

/// The nodes that a spider moves: in place of a shell or beam node the nodes into which CalculiX
/// expanded it, which have the rows.
std::vector<const Node*> nodes_with_rows(const std::vector<const Node*>& picked,
                                         const Gathered& gathered,
                                         const Matrices& matrices) {
  std::set<std::int64_t> rows;
  for (const Dof& dof : matrices.local)
    rows.insert(dof.node);
  std::set<std::int64_t> ids;
  for (const Node* node : picked) {
    const auto found = gathered.expanded.find(node->id);
    if (found != gathered.expanded.end()) ids.insert(found->second.begin(), found->second.end());
    if (found == gathered.expanded.end() || found->second.empty() || rows.contains(node->id))
      ids.insert(node->id);
  }
  std::vector<const Node*> out;
  for (const Node& node : gathered.nodes)
    if (ids.contains(node.id)) out.push_back(&node);
  return out;
}

/// DOFs 1 to `components` of the nodes that the matrices have rows for.
std::vector<Dof> rows_of(const std::vector<const Node*>& nodes,
                         const Matrices& matrices,
                         std::int8_t components) {
  const std::set<Dof> known(matrices.local.begin(), matrices.local.end());
  std::vector<Dof> out;
  for (const Node* node : nodes)
    for (std::int8_t c = 1; c <= components; ++c)
      if (known.contains({node->id, c})) out.push_back({node->id, c});
  return out;
}

/// Refuses a spider that would tie nothing.
void require_rows(const Spider& spider, const std::vector<Dof>& rows) {
  if (!rows.empty()) return;
  throw UsageError("spider",
                   fmt::format("spider {}: none of its nodes has rows of its own: they are held, "
                               "follow others (shells, beams), or there are no matrices",
                               spider.node),
                   {},
                   "pick free nodes, for shells by plane: or the numbers of the expanded nodes");
}

/// The six DOFs that follow in an RBE3: those that fix a rigid body best.
std::vector<Dof> followers_of(const Spider& spider,
                              const Gathered& gathered,
                              const std::vector<const Node*>& nodes,
                              const std::vector<Dof>& lead,
                              const Vector3d& origin) {
  constexpr double kDependent = 1e-6;  // points on a line do not hold the rotation about it
  double length = 0.0;
  for (const Node* node : nodes)
    length = std::max(length, (node->position - origin).norm());
  Eigen::MatrixXd motions(6, static_cast<Index>(lead.size()));
  for (std::size_t k = 0; k < lead.size(); ++k) {
    const auto node = std::find_if(
        nodes.begin(), nodes.end(), [&](const Node* each) { return each->id == lead[k].node; });
    const Vector3d axis = displacement_axes(gathered, lead[k].node).col(lead[k].component - 1);
    const Vector3d arm = ((*node)->position - origin) / (length > 0.0 ? length : 1.0);
    motions.col(static_cast<Index>(k)) << axis, arm.cross(axis);
  }
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(motions);
  qr.setThreshold(kDependent);
  if (qr.rank() < 6)
    throw UsageError("spider",
                     fmt::format("spider {}: its {} nodes do not determine the motion of a rigid "
                                 "body",
                                 spider.node,
                                 nodes.size()),
                     {},
                     "rbe3 needs three or more nodes that are not on one line");
  std::vector<Dof> out;
  for (Index k = 0; k < 6; ++k)
    out.push_back(lead[static_cast<std::size_t>(qr.colsPermutation().indices()(k))]);
  return out;
}

RawConstraint tie_of(const Spider& spider,
                     const std::vector<const Node*>& nodes,
                     const Vector3d& position,
                     const Gathered& gathered,
                     const Matrices& matrices) {
  RawConstraint out;
  out.id = spider.node;
  std::vector<std::int64_t> ids;
  for (const Node* node : nodes)
    ids.push_back(node->id);
  if (spider.kind == Spider::Kind::rigid) {
    out.type = "RBE2";
    out.law = RawConstraint::Law::rigid;
    out.independent = {spider.node};
    out.dependent = ids;
    out.components = "123456";
    for (std::int8_t c = 1; c <= 6; ++c)
      out.independent_dofs.push_back({spider.node, c});
    out.dependent_dofs = rows_of(nodes, matrices, 6);
    require_rows(spider, out.dependent_dofs);
    return out;
  }
  out.type = "RBE3";
  out.law = RawConstraint::Law::weighted;
  out.independent = ids;
  out.independent_dofs = rows_of(nodes, matrices, 3);
  require_rows(spider, out.independent_dofs);
  out.factors.assign(out.independent_dofs.size(), 1.0);
  for (std::int8_t c = 1; c <= 6; ++c)
    out.reference_dofs.push_back({spider.node, c});
  out.dependent_dofs = followers_of(spider, gathered, nodes, out.independent_dofs, position);
  for (const Dof& dof : out.dependent_dofs)
    if (std::find(out.dependent.begin(), out.dependent.end(), dof.node) == out.dependent.end())
      out.dependent.push_back(dof.node);
  return out;
}

/// Rows of `nodes` without stiffness and mass.
void add_rows(const std::vector<std::int64_t>& nodes, Matrices& matrices) {
  const std::vector<Dof> before = matrices.dofs.rows();
  std::vector<Dof> rows = before;
  for (const std::int64_t node : nodes)
    for (std::int8_t c = 1; c <= 6; ++c) {
      rows.push_back({node, c});
      matrices.local.push_back({node, c});
    }
  matrices.dofs = DofMap(rows);
  for (auto* matrix : {&matrices.stiffness, &matrices.mass, &matrices.damping})
    if (*matrix) (*matrix)->full = on_rows((*matrix)->full, before, matrices.dofs);
}

}  // namespace

Spider parse_spider(const std::string& text) {
  Spider out;
  const std::size_t equals = text.find('='), colon = text.find(':');
  const auto node = parse_integer(text.substr(0, equals));
  if (equals == std::string::npos || colon == std::string::npos || colon < equals || !node ||
      *node < 1)
    refuse(text, "is not NODE=KIND:NODES");
  out.node = *node;
  const std::string kind = text.substr(equals + 1, colon - equals - 1);
  if (kind != "rbe2" && kind != "rbe3") refuse(text, fmt::format("'{}' is not rbe2 or rbe3", kind));
  out.kind = kind == "rbe2" ? Spider::Kind::rigid : Spider::Kind::mean;
  const std::size_t at = text.find('@', colon);
  if (at != std::string::npos) {
    const std::vector<double> p = numbers_of(text.substr(at + 1), 3, text);
    out.position = Vector3d(p[0], p[1], p[2]);
  }
  const std::size_t end = std::min(at, text.size());
  out.pick = parse_pick(text.substr(colon + 1, end - colon - 1), text);
  return out;
}

void add_spiders(const std::vector<Spider>& spiders, Gathered& gathered, Matrices& matrices) {
  if (spiders.empty()) return;
  std::vector<std::int64_t> added;
  for (const Spider& spider : spiders) {
    const std::vector<const Node*> nodes = picked_nodes(spider, gathered);
    Vector3d position = Vector3d::Zero();
    for (const Node* node : nodes)
      position += node->position / static_cast<double>(nodes.size());
    if (spider.position) position = *spider.position;
    RawConstraint tie =
        tie_of(spider, nodes_with_rows(nodes, gathered, matrices), position, gathered, matrices);
    if (matrices.dofs.size() > 0 && tie.dependent_dofs.empty())
      throw UsageError("spider",
                       fmt::format("spider {}: none of its {} nodes has a row in the matrices",
                                   spider.node,
                                   nodes.size()),
                       {},
                       "tie it to nodes that the matrices hold");
    gathered.geometry.rigid_elements.push_back(std::move(tie));
    const auto place = std::lower_bound(gathered.nodes.begin(),
                                        gathered.nodes.end(),
                                        spider.node,
                                        [](const Node& n, std::int64_t id) { return n.id < id; });
    gathered.nodes.insert(place, {spider.node, position, 0});
    added.push_back(spider.node);
  }
  if (matrices.dofs.size() > 0) add_rows(added, matrices);
}

}  // namespace femflex::importer
