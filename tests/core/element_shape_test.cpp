// Tests the table of element shapes: edges, faces and skins.
#include "femflex/element_shape.h"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "femflex/skin.h"

#include "support/one_element.h"

namespace femflex {
namespace {

std::size_t place(int node) {
  return static_cast<std::size_t>(node);
}

// Truth: Euler's formula for a polyhedron, V - E + F = 2, and the divergence theorem.
TEST(ElementShape, FacesOfASolidCloseItAndLookOutwards) {
  const std::map<int, double> volumes{{4, 1.0 / 6.0}, {5, 1.0 / 3.0}, {6, 0.5}, {8, 1.0}};
  for (const auto& [shape, type] : testing::kNastranShapes) {
    const ElementTopology& topology = topology_of(shape);
    if (topology.dimension != 3) continue;
    SCOPED_TRACE(topology.name);
    EXPECT_EQ(topology.corner_count - static_cast<int>(topology.edges.size()) +
                  static_cast<int>(topology.faces.size()),
              2);
    const FlexBody body = testing::one_element(shape, type);
    std::set<std::pair<int, int>> walked;
    double volume = 0.0;
    for (const ElementFace& face : topology.faces) {
      const auto count = place(face.count);
      for (std::size_t k = 0; k < count; ++k)
        EXPECT_TRUE(walked.insert({face.corners[k], face.corners[(k + 1) % count]}).second);
      for (std::size_t k = 2; k < count; ++k) {
        const auto p = [&](std::size_t c) { return body.nodes[place(face.corners[c])].position; };
        volume += p(0).dot(p(k - 1).cross(p(k))) / 6.0;
      }
    }
    EXPECT_NEAR(volume, volumes.at(topology.corner_count), 1e-14);
    std::set<std::pair<int, int>> edges;
    for (const ElementEdge& edge : topology.edges) {
      edges.insert({edge.corners[0], edge.corners[1]});
      edges.insert({edge.corners[1], edge.corners[0]});
    }
    EXPECT_EQ(walked, edges);
  }
}

// The order of the table: corners, one mid node for each edge, the centre of a quad9.
TEST(ElementShape, MidNodesCountUpAlongTheEdgesAndLieInTheFaces) {
  for (const auto& [shape, type] : testing::kNastranShapes) {
    const ElementTopology& topology = topology_of(shape);
    SCOPED_TRACE(topology.name);
    const bool has_mids = topology.node_count > topology.corner_count;
    std::map<std::pair<int, int>, int> mids;
    int next = topology.corner_count;
    for (const ElementEdge& edge : topology.edges) {
      EXPECT_EQ(edge.mid, has_mids ? next++ : -1);
      mids[std::minmax<int>(edge.corners[0], edge.corners[1])] = edge.mid;
    }
    EXPECT_EQ(has_mids ? next : topology.node_count,
              topology.node_count - (shape == ElementShape::quad9 ? 1 : 0));
    for (const ElementFace& face : topology.faces)
      for (std::size_t k = 0; k < place(face.count); ++k)
        EXPECT_EQ(
            face.mids[k],
            mids.at(std::minmax<int>(face.corners[k], face.corners[(k + 1) % place(face.count)])));
  }
}

TEST(ElementShape, ANameOfNastranAndTheNumberOfNodesGiveTheShape) {
  for (const auto& [shape, type] : testing::kNastranShapes)
    EXPECT_EQ(shape_of(type, topology_of(shape).node_count), shape) << type;
  EXPECT_EQ(shape_of("CTRIAX6", 6), ElementShape::triangle6);
  EXPECT_EQ(shape_of("CPLSTN3", 3), ElementShape::triangle3);
  EXPECT_EQ(shape_of("CPLSTS8", 8), ElementShape::quad8);
  EXPECT_EQ(shape_of("CSHEAR", 4), ElementShape::quad4);
  EXPECT_EQ(shape_of("PLOTEL", 2), ElementShape::bar2);
}

TEST(ElementShape, SomeMidNodesAreAShapeOfTheCornersAndTooFewNodesAreNone) {
  EXPECT_EQ(shape_of("CHEXA", 13), ElementShape::hexahedron8);
  EXPECT_EQ(shape_of("CHEXA", 7), ElementShape::none);
  EXPECT_EQ(shape_of("CTETRA", 5), ElementShape::tetrahedron4);
  EXPECT_EQ(shape_of("UNKNOWN", 4), ElementShape::none);
  EXPECT_EQ(shape_of("UNKNOWN", 3), ElementShape::bar3);
  EXPECT_EQ(shape_of("", 0), ElementShape::none);
}

// A shell glued to a brick: the face between bricks is inside, the shell and what it lies on are
// not.
TEST(Skin, FacesBetweenSolidsAreInsideAndShellsStay) {
  FlexBody body = testing::one_element(ElementShape::hexahedron8, "CHEXA");
  for (int k = 0; k < 4; ++k)
    body.nodes.push_back({9 + k, body.nodes[place(4 + k)].position + Eigen::Vector3d::UnitZ()});
  body.elements[0].ids.push_back(2);
  for (const int node : {5, 6, 7, 8, 9, 10, 11, 12})
    body.elements[0].connectivity.push_back(node);
  body.elements.push_back({"CQUAD4", 4, {3}, {1, 2, 3, 4}});
  body.elements.push_back({"CQUAD4", 4, {4}, {1, 2, 3, 77}});
  EXPECT_EQ(skin_of(body).faces.size(), 10U + 1U);
  EXPECT_EQ(skin_of(body).faces[0], (std::array<std::int32_t, 4>{0, 1, 2, 3}));
}

// VTK, C3D20 and C3D15: mid nodes of the lower edges, the upper, the upright ones.
TEST(ElementShape, UpperMidNodesStandBeforeUprightOnesElsewhere) {
  using Order = std::vector<std::size_t>;
  EXPECT_EQ(upper_mids_first(ElementShape::hexahedron20),
            (Order{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 16, 17, 18, 19, 12, 13, 14, 15}));
  EXPECT_EQ(upper_mids_first(ElementShape::wedge15),
            (Order{0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 13, 14, 9, 10, 11}));
  for (const ElementShape shape : {ElementShape::point,
                                   ElementShape::bar3,
                                   ElementShape::quad8,
                                   ElementShape::quad9,
                                   ElementShape::tetrahedron10,
                                   ElementShape::pyramid13,
                                   ElementShape::wedge6,
                                   ElementShape::hexahedron8}) {
    const Order order = upper_mids_first(shape);
    EXPECT_EQ(order.size(), static_cast<std::size_t>(topology_of(shape).node_count));
    EXPECT_TRUE(std::is_sorted(order.begin(), order.end())) << topology_of(shape).name;
  }
}

}  // namespace
}  // namespace femflex
