// Prepares the elements of an FE model for stress recovery: finds section, material and nodes of
// every element, and converts their values to SI units.
#include "femflex/durability/stress_mesh.h"

#include <cmath>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "femflex/constraints.h"
#include "femflex/elements/node_normals.h"
#include "femflex/errors.h"
#include "femflex/model_units.h"
#include "femflex/nodal_shapes.h"

#include "shell_normals.h"

namespace femflex::durability {
namespace {

constexpr std::uint8_t kTranslations = 7;
constexpr std::uint8_t kAllComponents = 63;

std::optional<double> given(double value) {
  return std::isnan(value) ? std::nullopt : std::optional(value);
}

elements::Material si_material(const FeMaterial& material, const Units& units) {
  const double pressure = units.force() / (units.length * units.length);
  const double density = units.mass / (units.length * units.length * units.length);
  const std::array<double, 9>& c = material.constants;
  const double rho = material.density * density;
  if (material.kind == FeMaterial::Kind::isotropic) {
    const auto modulus = [&](double value) { return given(value * pressure); };
    return elements::make_isotropic(modulus(c[0]), modulus(c[2]), given(c[1]), rho);
  }
  if (material.kind == FeMaterial::Kind::sheet)
    return elements::OrthotropicSheet{c[0] * pressure, c[1] * pressure, c[2], c[3] * pressure, rho};
  return elements::OrthotropicSolid{c[0] * pressure,
                                    c[1] * pressure,
                                    c[2] * pressure,
                                    c[3],
                                    c[4],
                                    c[5],
                                    c[6] * pressure,
                                    c[7] * pressure,
                                    c[8] * pressure,
                                    rho};
}

elements::Integration integration_of(ElementIntegration integration) {
  if (integration == ElementIntegration::reduced) return elements::Integration::reduced;
  return integration == ElementIntegration::internal_modes ? elements::Integration::internal_modes
                                                           : elements::Integration::full;
}

elements::ShellSection si_shell(const FeProperty& p, const ElementSection& e, double length) {
  elements::ShellSection out;
  out.thickness = length * (std::isnan(e.thickness) ? p.thickness : e.thickness);
  out.offset = length * (std::isnan(e.offset) ? p.offset : e.offset);
  if (!std::isnan(p.fibres[0]) || !std::isnan(p.fibres[1])) {
    std::array<double, 2> fibres{-0.5 * out.thickness, 0.5 * out.thickness};
    for (std::size_t k = 0; k < 2; ++k)
      if (!std::isnan(p.fibres[k])) fibres[k] = length * p.fibres[k];
    out.fibres = fibres;
  }
  out.angle = e.angle;
  if (e.direction.allFinite()) out.direction = e.direction;
  return out;
}

elements::BeamSection si_beam(const FeProperty& p, const ElementSection& e, double length) {
  elements::BeamSection out;
  const double area = length * length;
  out.area = p.area * area;
  out.I1 = p.I1 * area * area;
  out.I2 = p.I2 * area * area;
  out.I12 = p.I12 * area * area;
  out.J = p.J * area * area;
  out.K1 = given(p.shear_factors[0]);
  out.K2 = given(p.shear_factors[1]);
  out.centroid = length * Eigen::Vector2d(p.centroid[0], p.centroid[1]);
  for (const Eigen::Vector2d& point : p.points)
    out.recovery_points.emplace_back(length * point);
  out.torsion_radius = length * p.torsion_radius;
  out.orientation = e.direction;
  for (std::size_t k = 0; k < 2; ++k) {
    out.offsets[k] = length * e.ends[k];
    out.released[k] = e.released[k];
  }
  return out;
}

elements::Section si_section(const FeProperty& p,
                             const ElementSection& e,
                             int dimension,
                             double length) {
  if (dimension == 3) return elements::SolidSection{p.axes};
  if (dimension == 2) return si_shell(p, e, length);
  if (p.kind == FeProperty::Kind::beam) return si_beam(p, e, length);
  elements::RodSection rod;
  rod.area = p.area * length * length;
  rod.J = p.J * std::pow(length, 4);
  rod.torsion_radius = p.torsion_radius * length;
  return rod;
}

/// Why elements of a type have no stress, whatever their section; empty for all others.
std::string_view without_stress(std::string_view type) {
  if (type == "CSHEAR") return "shear panels (PSHEAR) are not supported";
  if (type.starts_with("CELAS") || type.starts_with("CBUSH"))
    return "springs have forces and no stress";
  if (type.starts_with("CDAMP") || type == "CVISC") return "dampers have no stress";
  if (type == "CBEND") return "curved beams are not supported";
  return {};
}

}  // namespace

ShapeSet shapes_of(const FeModel& model) {
  const Units& units = units_of(model);
  if (model.modes.count() == 0)
    throw ModelError("no-modes", "the model has no modes", {}, "compute them: femflex modes");
  ShapeSet out;
  for (const Node& node : model.nodes)
    out.nodes.push_back({node.id, units.length * node.position});
  out.shapes = nodal_shapes(model, model.modes, units);
  out.are_modes = true;
  return out;
}

ShapeSet shapes_of(const FlexBody& body) {
  return {body.nodes, body.shapes};
}

StressMesh::StressMesh(const FeModel& model,
                       const ShapeSet& shapes,
                       std::span<const std::int64_t> wanted)
    : model_(model), shapes_(shapes), normals_(mean_normals(model)) {
  units_of(model);  // without them nothing follows
  if (model.properties.elements.empty() || model.properties.materials.empty())
    throw ModelError("no-materials",
                     "the model has no materials and sections, which stresses are computed from",
                     {},
                     "import the deck with its MAT and property cards or *MATERIAL and sections");
  for (std::size_t k = 0; k < shapes.nodes.size(); ++k)
    node_index_.emplace(shapes.nodes[k].id, static_cast<Eigen::Index>(k));
  for (const FeMaterial& material : model.properties.materials)
    materials_.emplace(material.name, &material);
  // without shapes, the mesh is asked for its geometry alone, which needs no rotations
  known_.assign(shapes.nodes.size(),
                shapes.shapes.cols() == 0 ? kAllComponents & ~kTranslations : 0);
  const auto know = [&](const Dof& dof) {
    const auto node = node_index_.find(dof.node);
    if (node != node_index_.end() && dof.component >= 1)
      known_[static_cast<std::size_t>(node->second)] |=
          static_cast<std::uint8_t>(1U << static_cast<unsigned>(dof.component - 1));
  };
  const auto know_all = [&](const std::vector<Dof>& dofs) {
    for (const Dof& dof : dofs)
      know(dof);
  };
  know_all(model.modes.rows.rows());
  know_all(model.fixed);
  const Dependence dependence(model);
  if (shapes.are_modes) {
    for (const Dependence::Follower* follower : known_followers(model, dependence, model.modes))
      know(follower->dof);
  } else {
    know_all(model.dofs.rows());
    for (const auto& [dof, follower] : dependence.followers())
      if (follower.complete) know(dof);
  }

  std::set<std::int64_t> missing(wanted.begin(), wanted.end());
  const std::set<std::int64_t> chosen = missing;
  for (std::size_t b = 0; b < model.elements.size(); ++b) {
    const ElementBlock& block = model.elements[b];
    if (block.type == "PLOTEL") continue;  // PLOTEL elements are only drawn
    for (std::size_t k = 0; k < block.ids.size(); ++k) {
      if (!chosen.empty() && !chosen.contains(block.ids[k])) continue;
      missing.erase(block.ids[k]);
      const ElementSection* section = find_section(model_.properties, block.ids[k]);
      const std::string reason = refusal(block, k, section);
      if (!reason.empty())
        leave_out(block.type, reason, block.ids[k]);
      else
        entries_.push_back(
            {static_cast<std::uint32_t>(b),
             static_cast<std::uint32_t>(k),
             static_cast<std::uint32_t>(section - model.properties.elements.data())});
    }
  }
  if (!missing.empty())
    throw UsageError("no-such-element",
                     fmt::format("the model has no element {}", *missing.begin()),
                     {},
                     "`femflex info` lists the elements of the model");
}

std::int64_t StressMesh::bars_without_bending() const {
  return std::count_if(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    const ElementSection& section = model_.properties.elements[entry.section];
    const FeProperty& property =
        model_.properties.properties[static_cast<std::size_t>(section.property)];
    return property.kind == FeProperty::Kind::beam &&
           std::all_of(property.points.begin(), property.points.end(), [](const auto& point) {
             return point.isZero(0.0);
           });
  });
}

const FeMaterial* StressMesh::material_of(const FeProperty& property) const {
  const auto found = materials_.find(property.material);
  return found == materials_.end() ? nullptr : found->second;
}

std::string StressMesh::refusal_of_section(const ElementSection& section, int dimension) const {
  const FeProperty& property =
      model_.properties.properties[static_cast<std::size_t>(section.property)];
  const std::string name = fmt::format("{} {}", property.type, property.name);
  if (!property.refusal.empty()) return fmt::format("{}: {}", name, property.refusal);
  const bool fits = (dimension == 3 && property.kind == FeProperty::Kind::solid) ||
                    (dimension == 2 && property.kind == FeProperty::Kind::shell) ||
                    (dimension == 1 && property.kind != FeProperty::Kind::shell);
  if (!fits) return fmt::format("{} is not for elements of this type", name);
  const FeMaterial* material = material_of(property);
  if (material == nullptr)
    return fmt::format("material {} is missing, or of a kind that is not read", property.material);
  if (!material->refusal.empty())
    return fmt::format("material {}: {}", material->name, material->refusal);
  if (dimension == 3 && material->kind == FeMaterial::Kind::sheet)
    return fmt::format("material {} is one of sheets", material->name);
  if (dimension == 1 && material->kind != FeMaterial::Kind::isotropic)
    return fmt::format("material {} is not isotropic", material->name);
  if (dimension == 2 && material->kind != FeMaterial::Kind::isotropic &&
      section.direction.array().isInf().any())
    return "the material system (MCID) is not rectangular";
  return {};
}

std::string StressMesh::refusal_of_nodes(std::span<const std::int64_t> nodes, bool with_rotations) {
  for (const std::int64_t id : nodes) {
    const auto node = node_index_.find(id);
    if (node == node_index_.end()) return "nodes are missing";
    const std::uint8_t known = known_[static_cast<std::size_t>(node->second)];
    if ((known & kTranslations) != kTranslations) return "nodes have no rows in the shapes";
    if (with_rotations && known != kAllComponents) return "the shapes hold no rotations";
  }
  return {};
}

std::string StressMesh::refusal(const ElementBlock& block,
                                std::size_t index,
                                const ElementSection* section) {
  const ElementTopology& topology = topology_of(shape_of(block.type, block.nodes_per_element));
  if (const std::string_view why = without_stress(block.type); !why.empty())
    return std::string(why);
  if (section == nullptr) return "no section";
  if (topology.dimension < 1) return "no stress";
  if (topology.dimension == 1 && block.nodes_per_element != 2)
    return "bars of three nodes are not supported";
  if (topology.node_count != block.nodes_per_element)
    return "elements with some of their mid nodes are not supported";
  std::string reason = refusal_of_section(*section, topology.dimension);
  if (!reason.empty()) return reason;
  const bool is_shell = topology.dimension == 2;
  const FeProperty& property =
      model_.properties.properties[static_cast<std::size_t>(section->property)];
  if (is_shell && std::isinf(section->offset)) return "an offset (ZOFFS) that is not a number";
  if (is_shell && std::isinf(section->thickness)) return "a thickness (T1) that is not a number";
  const bool is_membrane = is_shell && property.fibres == std::array<double, 2>{0.0, 0.0};
  const bool is_beam = topology.dimension == 1 && property.kind == FeProperty::Kind::beam;
  const Entry entry{static_cast<std::uint32_t>(&block - model_.elements.data()),
                    static_cast<std::uint32_t>(index),
                    0};
  reason = refusal_of_nodes(nodes_of(entry), (is_shell && !is_membrane) || is_beam);
  if (!reason.empty()) return reason;
  if (topology.dimension != 1) return {};
  if (is_beam && section->integration == ElementIntegration::reduced)
    return "B31R has no stress of bending at its one integration point";
  if (is_beam && !section->direction.allFinite()) return "the orientation vector is missing";
  if (!section->ends[0].allFinite() || !section->ends[1].allFinite())
    return "offsets in element axes are not supported";
  return {};
}

void StressMesh::leave_out(const std::string& type, const std::string& reason, std::int64_t id) {
  for (LeftOut& each : left_out_)
    if (each.type == type && each.reason == reason) {
      ++each.count;
      return;
    }
  left_out_.push_back({type, reason, 1, id});
}

std::int64_t StressMesh::id(std::size_t k) const {
  return model_.elements[entries_[k].block].ids[entries_[k].index];
}

const std::string& StressMesh::type(std::size_t k) const {
  return model_.elements[entries_[k].block].type;
}

std::span<const std::int64_t> StressMesh::nodes_of(const Entry& entry) const {
  const ElementBlock& block = model_.elements[entry.block];
  const auto width = static_cast<std::size_t>(block.nodes_per_element);
  return {block.connectivity.data() + width * entry.index, width};
}

bool StressMesh::is_centre_only(std::size_t k) const {
  const Entry& entry = entries_[k];
  const ElementBlock& block = model_.elements[entry.block];
  const ElementShape shape = shape_of(block.type, block.nodes_per_element);
  return (shape == ElementShape::hexahedron8 || shape == ElementShape::wedge6) &&
         model_.properties.elements[entry.section].integration == ElementIntegration::incompatible;
}

elements::Element StressMesh::element(std::size_t k) const {
  const Entry& entry = entries_[k];
  const ElementBlock& block = model_.elements[entry.block];
  const ElementSection& section = model_.properties.elements[entry.section];
  const FeProperty& property =
      model_.properties.properties[static_cast<std::size_t>(section.property)];
  elements::Element out;
  out.shape = shape_of(block.type, block.nodes_per_element);
  out.integration = integration_of(section.integration);
  const std::span<const std::int64_t> nodes = nodes_of(entry);
  out.positions.resize(static_cast<Eigen::Index>(nodes.size()), 3);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const auto node = static_cast<std::size_t>(node_index_.at(nodes[i]));
    out.positions.row(static_cast<Eigen::Index>(i)) = shapes_.nodes[node].position.transpose();
  }
  out.material = si_material(*material_of(property), *model_.units);
  out.section =
      si_section(property, section, topology_of(out.shape).dimension, model_.units->length);
  if (auto* shell = std::get_if<elements::ShellSection>(&out.section);
      shell != nullptr && has_mean_normals(property)) {
    shell->normals = elements::node_normals(out.shape, out.positions);
    for (std::size_t i = 0; i < nodes.size(); ++i)
      if (const auto mean = normals_.find(nodes[i]); mean != normals_.end())
        shell->normals.row(static_cast<Eigen::Index>(i)) = mean->second.transpose();
  }
  return out;
}

Eigen::MatrixXd StressMesh::displacements(std::size_t k, const elements::Element& element) const {
  const int per_node = elements::dofs_per_node(element);
  const std::span<const std::int64_t> nodes = nodes_of(entries_[k]);
  Eigen::MatrixXd out(per_node * static_cast<Eigen::Index>(nodes.size()), shapes_.shapes.cols());
  for (std::size_t i = 0; i < nodes.size(); ++i)
    out.middleRows(per_node * static_cast<Eigen::Index>(i), per_node) =
        shapes_.shapes.middleRows(6 * node_index_.at(nodes[i]), per_node);
  return out;
}

}  // namespace femflex::durability
