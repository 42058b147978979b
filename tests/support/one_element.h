// Bodies with a single element, one for each element shape, with the NASTRAN name of its type.
#pragma once

#include <array>
#include <string>
#include <utility>

#include "femflex/element_shape.h"
#include "femflex/flex_body.h"

namespace femflex::testing {

/// A NASTRAN type name for each shape that has one.
inline constexpr std::array<std::pair<ElementShape, const char*>, 15> kNastranShapes{{
    {ElementShape::bar2, "CBAR"},
    {ElementShape::bar3, "CBEAM3"},
    {ElementShape::triangle3, "CTRAX3"},
    {ElementShape::triangle6, "CTRAX6"},
    {ElementShape::quad4, "CQUAD4"},
    {ElementShape::quad8, "CQUAD8"},
    {ElementShape::quad9, "CQUAD"},
    {ElementShape::tetrahedron4, "CTETRA"},
    {ElementShape::tetrahedron10, "CTETRA"},
    {ElementShape::pyramid5, "CPYRAM"},
    {ElementShape::pyramid13, "CPYRAM"},
    {ElementShape::wedge6, "CPENTA"},
    {ElementShape::wedge15, "CPENTA"},
    {ElementShape::hexahedron8, "CHEXA"},
    {ElementShape::hexahedron20, "CHEXA"},
}};

/// Corners in a box with edge 1. The lower face is in the plane z = 0, counter-clockwise seen from
/// above.
inline std::vector<Eigen::Vector3d> corners_of(const ElementTopology& shape) {
  const std::vector<Eigen::Vector3d> square{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  const int upper = shape.dimension < 3       ? 0
                    : shape.corner_count == 8 ? 4
                    : shape.corner_count == 6 ? 3
                                              : 1;
  const int lower = shape.corner_count - upper;
  std::vector<Eigen::Vector3d> out(square.begin(), square.begin() + lower);
  for (int k = 0; k < upper; ++k)
    out.push_back(square[static_cast<std::size_t>(k)] + Eigen::Vector3d::UnitZ());
  return out;
}

/// A body with one element and one mode. Mid-side nodes are in the middles of the edges; node ids
/// start at 1.
inline FlexBody one_element(ElementShape shape, const std::string& type) {
  const ElementTopology& topology = topology_of(shape);
  std::vector<Eigen::Vector3d> places = corners_of(topology);
  const std::vector<Eigen::Vector3d> corners = places;
  places.resize(static_cast<std::size_t>(topology.node_count), Eigen::Vector3d(0.5, 0.5, 0.0));
  for (const ElementEdge& edge : topology.edges)
    if (edge.mid >= 0)
      places[static_cast<std::size_t>(edge.mid)] =
          0.5 * (corners[static_cast<std::size_t>(edge.corners[0])] +
                 corners[static_cast<std::size_t>(edge.corners[1])]);
  FlexBody body;
  body.name = std::string(topology.name);
  ElementBlock block{type, topology.node_count, {1}, {}};
  for (const Eigen::Vector3d& place : places) {
    block.connectivity.push_back(static_cast<std::int64_t>(body.nodes.size()) + 1);
    body.nodes.push_back({block.connectivity.back(), place});
  }
  body.elements.push_back(std::move(block));
  const auto nodes = static_cast<Eigen::Index>(places.size());
  body.shapes = Eigen::MatrixXd::Zero(6 * nodes, 1);
  body.shapes(0, 0) = 1.0;
  body.modes.resize(1);
  body.modes[0].kind = ModeKind::dynamic;
  body.modes[0].eigenvalue = 1.0;
  body.mass = body.stiffness = Eigen::MatrixXd::Identity(1, 1);
  body.lumped_mass = Eigen::MatrixXd::Ones(nodes, 6);
  body.invariants = zero_invariants(1);
  return body;
}

}  // namespace femflex::testing
