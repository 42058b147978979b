// Makes the surface of a body for pictures: splits the quadrilaterals of its skin into triangles.
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

}  // namespace femflex::flexfile
