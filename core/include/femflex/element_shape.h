// Shapes of finite elements and their topology: corners, edges, faces, VTK cell numbers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace femflex {

/// Shape of an element, with its number of nodes. Readers, pictures and the viewer share it.
enum class ElementShape : std::uint8_t {
  none,  ///< no known shape: not drawn
  point,
  bar2,
  bar3,
  triangle3,
  triangle6,
  quad4,
  quad8,
  quad9,
  tetrahedron4,
  tetrahedron10,
  pyramid5,
  pyramid13,
  wedge6,
  wedge15,
  hexahedron8,
  hexahedron20,
};

inline constexpr std::size_t kElementShapeCount = 17;

/// Nodes of an edge, as positions in the element's node list, from 0.
struct ElementEdge {
  std::array<std::int8_t, 2> corners{};
  std::int8_t mid = -1;  ///< node in the middle of the edge, -1 if there is none
};

struct ElementFace {
  std::int8_t count = 0;               ///< corners: 3 or 4
  std::array<std::int8_t, 4> corners;  ///< counter-clockwise seen from outside; unused: -1
  /// mids[k] lies between corners[k] and the next corner; -1 if there is none
  std::array<std::int8_t, 4> mids;
};

/// Nodes are in NASTRAN's order: corners (a lower face, then the upper one or the apex), mid nodes
/// of the edges in the order of `edges` (lower, upright, upper), a node in the centre. The faces of
/// a solid point outwards if its lower corners are counter-clockwise seen from its upper face.
struct ElementTopology {
  std::string_view name;  ///< name of the enumerator
  int dimension = 0;      ///< 0 point, 1 line, 2 surface, 3 solid
  int corner_count = 0;
  int node_count = 0;
  /// number in vtkCellType.h; bars are drawn by their two ends; 0: not drawn
  std::uint8_t vtk_cell = 0;
  std::span<const ElementEdge> edges;
  std::span<const ElementFace> faces;  ///< a surface element has one face, itself
};

const ElementTopology& topology_of(ElementShape shape);

/// Positions of the nodes of a shape, in NASTRAN's order, one by one as VTK, Abaqus and CalculiX
/// list them: mid nodes of the upper edges before those of the upright ones.
std::vector<std::size_t> upper_mids_first(ElementShape shape);

/// Shape for an element type name of an FE code (ElementBlock::type: CHEXA, CTRIA6, CBEAM3). An
/// element with mid nodes on only some edges has the shape of its corners. Unknown types are bars
/// if they have two or three nodes, and have no shape if they have more: four nodes can be a
/// quadrilateral or a tetrahedron.
ElementShape shape_of(std::string_view type, int node_count);

}  // namespace femflex
