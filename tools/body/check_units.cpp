// Computes mass, size, density and speed of sound in the units of the file, converts them to SI for
// each known set of units, and compares them with the limits of real materials.
#include "body/check_units.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string_view>

#include <fmt/format.h>

#include "femflex/element_shape.h"

#include "document/table.h"

namespace femflex::tools {
namespace {

// smallest side of the bounding box relative to the longest. Nodes of beams and shells lie on lines
// and surfaces, but the real part is thicker.
constexpr double kMinSideRatio = 0.05;

using Tetrahedron = std::array<std::size_t, 4>;
// divisions of solid shapes into tetrahedra: corner numbers
constexpr std::array<Tetrahedron, 6> kOfHexahedron{
    {{0, 1, 2, 6}, {0, 2, 3, 6}, {0, 3, 7, 6}, {0, 7, 4, 6}, {0, 4, 5, 6}, {0, 5, 1, 6}}};
constexpr std::array<Tetrahedron, 3> kOfWedge{{{0, 1, 2, 5}, {0, 1, 5, 4}, {0, 4, 5, 3}}};
constexpr std::array<Tetrahedron, 2> kOfPyramid{{{0, 1, 2, 4}, {0, 2, 3, 4}}};
constexpr std::array<Tetrahedron, 1> kOfTetrahedron{{{0, 1, 2, 3}}};

/// Tetrahedra into which a solid element is divided; empty for other shapes.
std::span<const Tetrahedron> parts_of(ElementShape shape) {
  const ElementTopology& topology = topology_of(shape);
  if (topology.dimension != 3) return {};
  switch (topology.corner_count) {
    case 8:
      return kOfHexahedron;
    case 6:
      return kOfWedge;
    case 5:
      return kOfPyramid;
    default:
      return kOfTetrahedron;
  }
}

/// Volume of the solid elements, computed from their corners; 0 if other elements may carry mass.
double volume_of(const FeModel& model) {
  if (!model.concentrated_masses.empty()) return 0.0;
  double volume = 0.0;
  for (const ElementBlock& block : model.elements) {
    if (block.type == "PLOTEL") continue;
    const std::span<const Tetrahedron> parts =
        parts_of(shape_of(block.type, block.nodes_per_element));
    if (parts.empty()) return 0.0;
    const auto width = static_cast<std::size_t>(block.nodes_per_element);
    for (std::size_t e = 0; e < block.ids.size(); ++e)
      for (const Tetrahedron& part : parts) {
        std::array<Eigen::Vector3d, 4> x;
        for (std::size_t k = 0; k < 4; ++k) {
          const Node* node = find_node(model, block.connectivity[e * width + part[k]]);
          if (node == nullptr) return 0.0;
          x[k] = node->position;
        }
        volume += std::abs((x[1] - x[0]).cross(x[2] - x[0]).dot(x[3] - x[0])) / 6.0;
      }
  }
  return volume;
}

/// True if all elements have a material. Springs and concentrated masses do not, so the speed of
/// sound cannot be computed for models that contain them.
bool is_continuum(const FeModel& model) {
  constexpr std::array<std::string_view, 6> springs{
      "PLOTEL", "CELAS", "CBUSH", "CDAMP", "CGAP", "CFAST"};
  const auto is_spring = [&](const ElementBlock& block) {
    return std::any_of(springs.begin(), springs.end(), [&](std::string_view name) {
      return block.type.starts_with(name);
    });
  };
  return model.concentrated_masses.empty() && !model.elements.empty() &&
         std::none_of(model.elements.begin(), model.elements.end(), is_spring);
}

/// The speed of sound c, estimated in the stiffest directions as h sqrt(k_ii / m_ii). k_ii and m_ii
/// are diagonal entries of K and M, h is the distance to the nearest coupled node. For a rod of
/// lumped masses this gives sqrt(2) c.
double wave_speed(const FeModel& model) {
  if (!model.stiffness || !model.mass || !is_continuum(model)) return 0.0;
  const Eigen::VectorXd k = model.stiffness->diagonal();
  const Eigen::VectorXd m = model.mass->diagonal();
  std::vector<double> nearest(static_cast<std::size_t>(k.size()), 0.0);
  // node of each translational row; null for other rows
  std::vector<const Node*> node_of(nearest.size(), nullptr);
  for (Eigen::Index row = 0; row < k.size(); ++row) {
    const Dof& dof = model.dofs[row];
    if (dof.component >= 1 && dof.component <= 3)
      node_of[static_cast<std::size_t>(row)] = find_node(model, dof.node);
  }
  for (Eigen::Index col = 0; col < model.stiffness->outerSize(); ++col) {
    const Node* a = node_of[static_cast<std::size_t>(col)];
    if (a == nullptr) continue;
    for (SparseMatrix::InnerIterator it(*model.stiffness, col); it; ++it) {
      const Node* b = node_of[static_cast<std::size_t>(it.row())];
      if (b == nullptr || b == a || it.value() == 0.0) continue;
      const double distance = (a->position - b->position).norm();
      for (const Eigen::Index row : {col, static_cast<Eigen::Index>(it.row())}) {
        double& h = nearest[static_cast<std::size_t>(row)];
        if (distance > 0.0 && (h == 0.0 || distance < h)) h = distance;
      }
    }
  }
  std::vector<double> speeds;
  for (Eigen::Index row = 0; row < k.size(); ++row) {
    const double h = nearest[static_cast<std::size_t>(row)];
    if (h > 0.0 && k(row) > 0.0 && m(row) > 0.0) speeds.push_back(h * std::sqrt(k(row) / m(row)));
  }
  if (speeds.empty()) return 0.0;
  // concentrated masses give some slow rows; constraint springs and massless rows give some fast
  // ones
  const auto upper = speeds.begin() + static_cast<std::ptrdiff_t>(3 * speeds.size() / 4);
  std::nth_element(speeds.begin(), upper, speeds.end());
  return *upper;
}

}  // namespace

UnitFigures unit_figures(const FeModel& model, double mass) {
  UnitFigures out;
  out.mass = mass;
  if (model.nodes.empty()) return out;
  Eigen::Vector3d low = model.nodes.front().position;
  Eigen::Vector3d high = low;
  for (const Node& node : model.nodes) {
    low = low.cwiseMin(node.position);
    high = high.cwiseMax(node.position);
  }
  out.size = (high - low).maxCoeff();
  out.box = (high - low).cwiseMax(kMinSideRatio * out.size).prod();
  if (const double volume = volume_of(model); volume > 0.0) out.density = mass / volume;
  out.wave = wave_speed(model);
  return out;
}

std::string implausible(const UnitFigures& figures, const Units& units) {
  constexpr double kMaxDensity = 22600.0;  // [kg/m^3] osmium
  constexpr double kMinDensity = 10.0;     // [kg/m^3] below foams that carry load
  // [m/s] three times that of diamond, because the estimate may be three times too high
  constexpr double kMaxSpeed = 6e4;
  constexpr double kMinSpeed = 10.0;  // [m/s] a third of that of soft rubber
  constexpr double kMinSize = 1e-4;   // [m] size of a watch screw
  constexpr double kMaxSize = 2e4;    // [m] size of a bridge
  const double cube = std::pow(units.length, 3);
  const double mass = figures.mass * units.mass;
  const double size = figures.size * units.length;
  const double density = figures.density * units.mass / cube;
  const double wave = figures.wave * units.length / units.time;
  if (mass / (figures.box * cube) > kMaxDensity || size < kMinSize || size > kMaxSize)
    return fmt::format(
        "{} kg in a box with the longest side {} m", readable(mass, 3), readable(size, 3));
  if (density > kMaxDensity || (density > 0.0 && density < kMinDensity))
    return fmt::format("a density of {} kg/m3", readable(density, 3));
  if (wave > kMaxSpeed || (wave > 0.0 && wave < kMinSpeed))
    return fmt::format("a speed of sound of about {} m/s", readable(wave, 2));
  return "";
}

void check_units(const FeModel& model, CheckReport& report) {
  const bool can_judge = model.nodes.size() >= 4 && report.mass > 0.0;
  const UnitFigures figures = can_judge ? unit_figures(model, report.mass) : UnitFigures{};
  std::string candidates;  // sets of units in which the properties are plausible
  for (const std::string& name : unit_names())
    if (can_judge && implausible(figures, parse_units(name)).empty())
      candidates += (candidates.empty() ? "" : ", ") + name;
  if (!model.units) {
    report.findings.push_back(
        {"no-units",
         "the units are not known",
         "",
         "import with --units" + (candidates.empty() ? "" : "; plausible are " + candidates),
         false});
    return;
  }
  const std::string figure = can_judge ? implausible(figures, *model.units) : "";
  if (figure.empty()) return;
  report.findings.push_back(
      {"units-implausible",
       figure + " in these units",
       "",
       fmt::format("is '{}' the right set of units?{}",
                   model.units->name,
                   candidates.empty() ? "" : " Plausible are " + candidates)});
}

}  // namespace femflex::tools
