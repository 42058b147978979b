// Makes the recovery matrix of any element: checks that section, shape and nodes are consistent,
// then calls the function for solids, shells, beams, rods or springs. Also names and units of the
// enumerators.
#include "femflex/elements/stress_map.h"

#include <array>
#include <variant>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "beam.h"
#include "line.h"
#include "shape_functions.h"
#include "shell.h"
#include "solid.h"

namespace femflex::elements {
namespace {

struct Family {
  std::string_view name;
  int dimension;  ///< dimension of the shapes with this section
};

/// In the order of the alternatives of Section.
constexpr std::array<Family, std::variant_size_v<Section>> kFamilies{
    {{"solid", 3}, {"shell", 2}, {"beam", 1}, {"rod", 1}, {"spring", 1}}};

void check(const Element& element, const StressRequest& request) {
  const ElementTopology& shape = topology_of(element.shape);
  const Family& family = kFamilies[element.section.index()];
  const bool known = shape.dimension == 1 ? element.shape == ElementShape::bar2
                                          : has_shape_functions(element.shape);
  if (!known)
    throw ModelError("no-recovery",
                     fmt::format("{}: stresses of this shape are not recovered", shape.name),
                     {},
                     "use stresses that the FE code computed");
  if (shape.dimension != family.dimension)
    throw ModelError("bad-section",
                     fmt::format("{}: has a section for a {}", shape.name, family.name),
                     {},
                     "give the element a section of its own kind");
  if (element.positions.rows() != shape.node_count || !element.positions.allFinite())
    throw ModelError("bad-nodes",
                     fmt::format("{}: has positions of {} nodes, expected {} with finite numbers",
                                 shape.name,
                                 element.positions.rows(),
                                 shape.node_count),
                     {},
                     "give each node its position, in the order of femflex/element_shape.h");
  if (request.quantity == Quantity::force && shape.dimension > 1)
    throw UsageError("no-such-quantity",
                     fmt::format("{}: has no forces, only stress and strain", shape.name),
                     {},
                     "ask for forces of bars, beams, rods and springs");
  if (request.axes == Axes::basic && shape.dimension == 1)
    throw UsageError("no-such-axes",
                     fmt::format("a {} has its stresses and forces in element axes", family.name),
                     {},
                     "ask for element axes");
}

}  // namespace

int dofs_per_node(const Element& element) {
  return std::holds_alternative<SolidSection>(element.section) ? 3 : 6;
}

StressMap stress_map(const Element& element, const StressRequest& request) {
  check(element, request);
  constexpr std::array kMaps = {&solid_map, &shell_map, &beam_map, &rod_map, &spring_map};
  return kMaps[element.section.index()](element, request);
}

std::string_view name_of(Quantity quantity) {
  constexpr std::array<std::string_view, 3> kNames = {"stress", "strain", "force"};
  return kNames[static_cast<std::size_t>(quantity)];
}

std::string_view name_of(Axes axes) {
  constexpr std::array<std::string_view, 3> kNames = {"basic", "element", "material"};
  return kNames[static_cast<std::size_t>(axes)];
}

std::string_view name_of(Place place) {
  constexpr std::array<std::string_view, 5> kNames = {
      "centre", "integration-point", "corner", "end", "node"};
  return kNames[static_cast<std::size_t>(place)];
}

std::string_view name_of(Layer layer) {
  constexpr std::array<std::string_view, 3> kNames = {"none", "bottom", "top"};
  return kNames[static_cast<std::size_t>(layer)];
}

std::string_view name_of(Component component) {
  constexpr std::array<std::string_view, 15> kNames = {"xx",
                                                       "yy",
                                                       "zz",
                                                       "xy",
                                                       "yz",
                                                       "zx",
                                                       "torsion",
                                                       "axial",
                                                       "shear_1",
                                                       "shear_2",
                                                       "torque",
                                                       "moment_1",
                                                       "moment_2",
                                                       "moment_y",
                                                       "moment_z"};
  return kNames[static_cast<std::size_t>(component)];
}

std::string_view unit_of(Quantity quantity, Component component) {
  if (quantity == Quantity::stress) return "Pa";
  if (quantity == Quantity::strain) return "1";
  const bool is_force = component == Component::axial || component == Component::shear_1 ||
                        component == Component::shear_2;
  return is_force ? "N" : "N m";
}

}  // namespace femflex::elements
