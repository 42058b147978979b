#include "pictures/surface.h"

#include <utility>

#include "femflex/skin.h"

namespace femflex::flexfile {

Surface surface_of(const FlexBody& body) {
  Skin skin = skin_of(body);
  Surface surface;
  surface.lines = std::move(skin.lines);
  for (const std::array<std::int32_t, 4>& nodes : skin.faces) {
    surface.triangles.push_back({nodes[0], nodes[1], nodes[2]});
    if (nodes[3] >= 0) surface.triangles.push_back({nodes[0], nodes[2], nodes[3]});
  }
  return surface;
}

// vtkCellType.h. Bars of three nodes are drawn by their ends.
std::uint8_t vtk_cell(ElementShape shape) {
  switch (shape) {
    case ElementShape::none:
      return 0;
    case ElementShape::point:
      return 1;
    case ElementShape::bar2:
    case ElementShape::bar3:
      return 3;
    case ElementShape::triangle3:
      return 5;
    case ElementShape::triangle6:
      return 22;
    case ElementShape::quad4:
      return 9;
    case ElementShape::quad8:
      return 23;
    case ElementShape::quad9:
      return 28;
    case ElementShape::tetrahedron4:
      return 10;
    case ElementShape::tetrahedron10:
      return 24;
    case ElementShape::pyramid5:
      return 14;
    case ElementShape::pyramid13:
      return 27;
    case ElementShape::wedge6:
      return 13;
    case ElementShape::wedge15:
      return 26;
    case ElementShape::hexahedron8:
      return 12;
    case ElementShape::hexahedron20:
      return 25;
  }
  return 0;
}

}  // namespace femflex::flexfile
