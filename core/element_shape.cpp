// Holds tables of element topology: edges and faces of every shape in NASTRAN's node order, its
// cell type in VTK (vtkCellType.h), and its type names in NASTRAN. The edges of a shape without mid
// nodes are those of the shape with them, with mid node -1.
#include "femflex/element_shape.h"

#include <algorithm>
#include <numeric>

namespace femflex {
namespace {

using FaceCorners =
    std::array<std::int8_t, 4>;  // corners of a face; the last one is -1 for a triangle

template <std::size_t n>
constexpr std::array<ElementEdge, n> without_mids(std::array<ElementEdge, n> edges) {
  for (ElementEdge& edge : edges)
    edge.mid = -1;
  return edges;
}

/// Mid node of the edge between corners a and b, -1 if there is none.
constexpr std::int8_t mid_between(std::span<const ElementEdge> edges,
                                  std::int8_t a,
                                  std::int8_t b) {
  for (const ElementEdge& edge : edges)
    if ((edge.corners[0] == a && edge.corners[1] == b) ||
        (edge.corners[0] == b && edge.corners[1] == a))
      return edge.mid;
  return -1;
}

/// Faces with the mid nodes of their edges.
template <std::size_t n>
constexpr std::array<ElementFace, n> faces_of(const std::array<FaceCorners, n>& corners,
                                              std::span<const ElementEdge> edges) {
  std::array<ElementFace, n> out{};
  for (std::size_t f = 0; f < n; ++f) {
    ElementFace& face = out[f];
    const std::size_t count = corners[f][3] < 0 ? 3 : 4;
    face = {static_cast<std::int8_t>(count), corners[f], {-1, -1, -1, -1}};
    for (std::size_t k = 0; k < count; ++k)
      face.mids[k] = mid_between(edges, corners[f][k], corners[f][(k + 1) % count]);
  }
  return out;
}

constexpr std::array<ElementEdge, 1> kBar3Edges{{{{0, 1}, 2}}};
constexpr auto kBar2Edges = without_mids(kBar3Edges);

constexpr std::array<ElementEdge, 3> kTriangle6Edges{{{{0, 1}, 3}, {{1, 2}, 4}, {{2, 0}, 5}}};
constexpr auto kTriangle3Edges = without_mids(kTriangle6Edges);
constexpr std::array<FaceCorners, 1> kTriangleFaceCorners{{{0, 1, 2, -1}}};
constexpr auto kTriangle3Faces = faces_of(kTriangleFaceCorners, kTriangle3Edges);
constexpr auto kTriangle6Faces = faces_of(kTriangleFaceCorners, kTriangle6Edges);

constexpr std::array<ElementEdge, 4> kQuad8Edges{
    {{{0, 1}, 4}, {{1, 2}, 5}, {{2, 3}, 6}, {{3, 0}, 7}}};
constexpr auto kQuad4Edges = without_mids(kQuad8Edges);
constexpr std::array<FaceCorners, 1> kQuadFaceCorners{{{0, 1, 2, 3}}};
constexpr auto kQuad4Faces = faces_of(kQuadFaceCorners, kQuad4Edges);
constexpr auto kQuad8Faces = faces_of(kQuadFaceCorners, kQuad8Edges);

constexpr std::array<ElementEdge, 6> kTetrahedron10Edges{
    {{{0, 1}, 4}, {{1, 2}, 5}, {{2, 0}, 6}, {{0, 3}, 7}, {{1, 3}, 8}, {{2, 3}, 9}}};
constexpr auto kTetrahedron4Edges = without_mids(kTetrahedron10Edges);
constexpr std::array<FaceCorners, 4> kTetrahedronFaceCorners{
    {{0, 2, 1, -1}, {0, 1, 3, -1}, {1, 2, 3, -1}, {2, 0, 3, -1}}};
constexpr auto kTetrahedron4Faces = faces_of(kTetrahedronFaceCorners, kTetrahedron4Edges);
constexpr auto kTetrahedron10Faces = faces_of(kTetrahedronFaceCorners, kTetrahedron10Edges);

constexpr std::array<ElementEdge, 8> kPyramid13Edges{{{{0, 1}, 5},
                                                      {{1, 2}, 6},
                                                      {{2, 3}, 7},
                                                      {{3, 0}, 8},
                                                      {{0, 4}, 9},
                                                      {{1, 4}, 10},
                                                      {{2, 4}, 11},
                                                      {{3, 4}, 12}}};
constexpr auto kPyramid5Edges = without_mids(kPyramid13Edges);
constexpr std::array<FaceCorners, 5> kPyramidFaceCorners{
    {{0, 3, 2, 1}, {0, 1, 4, -1}, {1, 2, 4, -1}, {2, 3, 4, -1}, {3, 0, 4, -1}}};
constexpr auto kPyramid5Faces = faces_of(kPyramidFaceCorners, kPyramid5Edges);
constexpr auto kPyramid13Faces = faces_of(kPyramidFaceCorners, kPyramid13Edges);

constexpr std::array<ElementEdge, 9> kWedge15Edges{{{{0, 1}, 6},
                                                    {{1, 2}, 7},
                                                    {{2, 0}, 8},
                                                    {{0, 3}, 9},
                                                    {{1, 4}, 10},
                                                    {{2, 5}, 11},
                                                    {{3, 4}, 12},
                                                    {{4, 5}, 13},
                                                    {{5, 3}, 14}}};
constexpr auto kWedge6Edges = without_mids(kWedge15Edges);
constexpr std::array<FaceCorners, 5> kWedgeFaceCorners{
    {{0, 2, 1, -1}, {3, 4, 5, -1}, {0, 1, 4, 3}, {1, 2, 5, 4}, {2, 0, 3, 5}}};
constexpr auto kWedge6Faces = faces_of(kWedgeFaceCorners, kWedge6Edges);
constexpr auto kWedge15Faces = faces_of(kWedgeFaceCorners, kWedge15Edges);

constexpr std::array<ElementEdge, 12> kHexahedron20Edges{{{{0, 1}, 8},
                                                          {{1, 2}, 9},
                                                          {{2, 3}, 10},
                                                          {{3, 0}, 11},
                                                          {{0, 4}, 12},
                                                          {{1, 5}, 13},
                                                          {{2, 6}, 14},
                                                          {{3, 7}, 15},
                                                          {{4, 5}, 16},
                                                          {{5, 6}, 17},
                                                          {{6, 7}, 18},
                                                          {{7, 4}, 19}}};
constexpr auto kHexahedron8Edges = without_mids(kHexahedron20Edges);
constexpr std::array<FaceCorners, 6> kHexahedronFaceCorners{
    {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}}};
constexpr auto kHexahedron8Faces = faces_of(kHexahedronFaceCorners, kHexahedron8Edges);
constexpr auto kHexahedron20Faces = faces_of(kHexahedronFaceCorners, kHexahedron20Edges);

/// One entry per ElementShape, in the same order: name, dimension, corners, nodes, VTK cell, edges,
/// faces.
constexpr std::array<ElementTopology, kElementShapeCount> kShapes{{
    {"none", 0, 0, 0, 0, {}, {}},
    {"point", 0, 1, 1, 1, {}, {}},
    {"bar2", 1, 2, 2, 3, kBar2Edges, {}},
    {"bar3", 1, 2, 3, 3, kBar3Edges, {}},
    {"triangle3", 2, 3, 3, 5, kTriangle3Edges, kTriangle3Faces},
    {"triangle6", 2, 3, 6, 22, kTriangle6Edges, kTriangle6Faces},
    {"quad4", 2, 4, 4, 9, kQuad4Edges, kQuad4Faces},
    {"quad8", 2, 4, 8, 23, kQuad8Edges, kQuad8Faces},
    {"quad9", 2, 4, 9, 28, kQuad8Edges, kQuad8Faces},
    {"tetrahedron4", 3, 4, 4, 10, kTetrahedron4Edges, kTetrahedron4Faces},
    {"tetrahedron10", 3, 4, 10, 24, kTetrahedron10Edges, kTetrahedron10Faces},
    {"pyramid5", 3, 5, 5, 14, kPyramid5Edges, kPyramid5Faces},
    {"pyramid13", 3, 5, 13, 27, kPyramid13Edges, kPyramid13Faces},
    {"wedge6", 3, 6, 6, 13, kWedge6Edges, kWedge6Faces},
    {"wedge15", 3, 6, 15, 26, kWedge15Edges, kWedge15Faces},
    {"hexahedron8", 3, 8, 8, 12, kHexahedron8Edges, kHexahedron8Faces},
    {"hexahedron20", 3, 8, 20, 25, kHexahedron20Edges, kHexahedron20Faces},
}};
static_assert(kShapes[static_cast<std::size_t>(ElementShape::hexahedron20)].node_count == 20);

struct TypePrefix {
  std::string_view text;    ///< how the type name begins
  ElementShape by_corners;  ///< the shape without mid nodes; more nodes mean the one with them
};

/// NASTRAN's names, with and without the leading C; the readers map the names of other codes to
/// them.
constexpr std::array<TypePrefix, 25> kTypePrefixes{{
    {"CTRI", ElementShape::triangle3},     {"TRIA", ElementShape::triangle3},
    {"CTRAX", ElementShape::triangle3},    {"CPLSTN3", ElementShape::triangle3},
    {"CPLSTN6", ElementShape::triangle3},  {"CPLSTS3", ElementShape::triangle3},
    {"CPLSTS6", ElementShape::triangle3},  {"CQUAD", ElementShape::quad4},
    {"QUAD", ElementShape::quad4},         {"CSHEAR", ElementShape::quad4},
    {"SHEAR", ElementShape::quad4},        {"CPLSTN4", ElementShape::quad4},
    {"CPLSTN8", ElementShape::quad4},      {"CPLSTS4", ElementShape::quad4},
    {"CPLSTS8", ElementShape::quad4},      {"CTETRA", ElementShape::tetrahedron4},
    {"TETRA", ElementShape::tetrahedron4}, {"CPYRA", ElementShape::pyramid5},
    {"PYRA", ElementShape::pyramid5},      {"CPENTA", ElementShape::wedge6},
    {"PENTA", ElementShape::wedge6},       {"CWEDGE", ElementShape::wedge6},
    {"WEDGE", ElementShape::wedge6},       {"CHEXA", ElementShape::hexahedron8},
    {"HEXA", ElementShape::hexahedron8},
}};

}  // namespace

const ElementTopology& topology_of(ElementShape shape) {
  return kShapes[static_cast<std::size_t>(shape)];
}

std::vector<std::size_t> upper_mids_first(ElementShape shape) {
  const ElementTopology& topology = topology_of(shape);
  std::vector<std::size_t> order(static_cast<std::size_t>(topology.node_count));
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (topology.dimension != 3 || topology.edges.front().mid < 0) return order;
  const std::int8_t lower = topology.faces.front().count;  // corners of the lower face
  const auto is_upper = [&](const ElementEdge& edge) {
    return edge.corners[0] >= lower && edge.corners[1] >= lower;
  };
  std::vector<ElementEdge> edges(topology.edges.begin(), topology.edges.end());
  std::stable_partition(edges.begin() + lower, edges.end(), is_upper);
  for (std::size_t k = 0; k < edges.size(); ++k)
    order[static_cast<std::size_t>(topology.corner_count) + k] =
        static_cast<std::size_t>(edges[k].mid);
  return order;
}

ElementShape shape_of(std::string_view type, int node_count) {
  const auto found = std::find_if(kTypePrefixes.begin(),
                                  kTypePrefixes.end(),
                                  [&](const TypePrefix& p) { return type.starts_with(p.text); });
  if (found == kTypePrefixes.end()) {
    if (node_count == 1) return ElementShape::point;
    if (node_count == 2) return ElementShape::bar2;
    return node_count == 3 ? ElementShape::bar3 : ElementShape::none;
  }
  const ElementTopology& corners = topology_of(found->by_corners);
  if (node_count < corners.corner_count) return ElementShape::none;
  for (std::size_t k = 0; k < kShapes.size(); ++k)
    if (kShapes[k].dimension == corners.dimension &&
        kShapes[k].corner_count == corners.corner_count && kShapes[k].node_count == node_count)
      return static_cast<ElementShape>(k);
  return found->by_corners;
}

}  // namespace femflex
