// Compares the mass of elements, from density and size, with that of the mass matrix.
#include "body/held_mass.h"

#include <set>

#include <fmt/format.h>

#include "femflex/durability/stress_mesh.h"
#include "femflex/elements/mass.h"
#include "femflex/modal/mass_properties.h"

#include "document/table.h"

namespace femflex::tools {
namespace {

/// Share of the mass from which on its loss is told: densities are seldom known better.
constexpr double kHeldShare = 1e-3;
/// More than the elements at held nodes weigh cannot be lost with these nodes. The factor leaves
/// room for what FE codes count otherwise (overlaps of shells, curved shells with offsets).
constexpr double kMostOfElements = 1.05;

/// Held nodes without translational rows in the matrices.
std::set<std::int64_t> nodes_without_rows(const FeModel& model) {
  std::set<std::int64_t> out;
  for (const Dof& dof : model.fixed)
    if (dof.component >= 1 && dof.component <= 3) out.insert(dof.node);
  for (const Dof& dof : model.dofs.rows())
    if (dof.component >= 1 && dof.component <= 3) out.erase(dof.node);
  return out;
}

}  // namespace

std::optional<HeldMass> held_mass(const FeModel& model) {
  if (!model.units || !model.mass || model.properties.elements.empty() ||
      model.properties.materials.empty())
    return std::nullopt;
  const std::set<std::int64_t> held = nodes_without_rows(model);
  if (held.empty()) return std::nullopt;
  durability::ShapeSet nodes;  // positions alone, without shapes
  for (const Node& node : model.nodes)
    nodes.nodes.push_back({node.id, model.units->length * node.position});
  nodes.shapes.resize(6 * std::ssize(nodes.nodes), 0);
  const durability::StressMesh mesh(model, nodes, {});
  HeldMass out{.nodes = std::ssize(held), .first = *held.begin()};
  double at_held = 0.0;  // mass of the elements that have a held node
  for (std::size_t k = 0; k < mesh.size(); ++k) {
    const double mass = elements::mass_of(mesh.element(k));
    if (!(mass > 0.0)) continue;
    out.total += mass;
    for (const std::int64_t node : mesh.nodes(k))
      if (held.contains(node)) {
        at_held += mass;
        break;
      }
  }
  for (const ConcentratedMass& each : model.concentrated_masses) {
    const double mass = each.mass * model.units->mass;
    out.total += mass;
    if (held.contains(each.node)) at_held += mass;
  }
  out.lost = out.total - modal::mass_properties(model).mass * model.units->mass;
  const bool is_known = out.lost <= kMostOfElements * at_held;
  if (!is_known || !(out.lost > kHeldShare * out.total)) return std::nullopt;
  return out;
}

std::string HeldMass::text() const {
  return fmt::format(
      "{} nodes that the deck holds, the first is {}, take {} kg of {} kg ({} %) out of the mass "
      "matrix: weight, reactions and forces of base motion lack it",
      nodes,
      first,
      readable(lost, 3),
      readable(total, 4),
      readable(100.0 * lost / total, 2));
}

void warn_of_held_mass(const FeModel& model, Diagnostics& diagnostics) {
  if (const std::optional<HeldMass> found = held_mass(model))
    diagnostics.warn("held-mass", fmt::format("{}; {}", found->text(), kHeldMassRemedy));
}

}  // namespace femflex::tools
