// Computes the forces in the sections of bars, beams and rods from the displacements of their
// nodes.
#include "femflex/durability/section_forces.h"

#include <fmt/format.h>

#include "femflex/errors.h"

namespace femflex::durability {

ModalForces section_forces(const StressMesh& mesh) {
  ModalForces out;
  std::vector<Eigen::MatrixXd> parts;
  for (std::size_t k = 0; k < mesh.size(); ++k) {
    const elements::Element element = mesh.element(k);
    if (topology_of(element.shape).dimension != 1)
      throw UsageError("no-forces",
                       fmt::format("{} {} has no section forces", mesh.type(k), mesh.id(k)),
                       {},
                       "name bars, beams or rods");
    const elements::StressMap map = stress_map(element, {.quantity = elements::Quantity::force});
    for (const elements::StressRow& row : map.rows) {
      const elements::StressPoint& at = map.points[static_cast<std::size_t>(row.point)];
      out.forces.push_back({k, at.place, at.index, row.component, at.position});
    }
    parts.emplace_back(map.matrix * mesh.displacements(k, element));
  }
  out.S.resize(std::ssize(out.forces), mesh.shapes().shapes.cols());
  Eigen::Index row = 0;
  for (const Eigen::MatrixXd& part : parts) {
    out.S.middleRows(row, part.rows()) = part;
    row += part.rows();
  }
  return out;
}

}  // namespace femflex::durability
