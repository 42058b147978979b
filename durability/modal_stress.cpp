// Computes the stresses of all shapes at points of elements: assembles the recovery matrices of the
// elements and multiplies them by the shapes.
#include "femflex/durability/modal_stress.h"

#include <string>

#include <fmt/format.h>

#include "femflex/errors.h"

namespace femflex::durability {
namespace {

elements::StressRequest request_for(const elements::Element& element, StressPlaces places) {
  elements::StressRequest out;
  if (topology_of(element.shape).dimension == 3) out.axes = elements::Axes::basic;
  out.centre = places == StressPlaces::centre;
  out.corners = places == StressPlaces::corners;
  out.integration_points = places == StressPlaces::integration_points;
  return out;
}

/// Adds the locations of one element. The torsion at an end of a beam applies to all points of that
/// end.
void add_locations(const elements::StressMap& map,
                   std::size_t element,
                   std::int32_t first_row,
                   std::vector<StressLocation>& out) {
  const std::size_t begin = out.size();
  std::vector<std::int64_t> location_of(map.points.size(), -1);
  for (std::size_t r = 0; r < map.rows.size(); ++r) {
    if (map.rows[r].component == elements::Component::torsion) continue;
    const auto point = static_cast<std::size_t>(map.rows[r].point);
    if (location_of[point] < 0) {
      location_of[point] = static_cast<std::int64_t>(out.size());
      out.push_back({element, map.points[point], map.axes});
    }
    out[static_cast<std::size_t>(location_of[point])]
        .rows[static_cast<std::size_t>(map.rows[r].component)] =
        first_row + static_cast<std::int32_t>(r);
  }
  for (std::size_t r = 0; r < map.rows.size(); ++r) {
    if (map.rows[r].component != elements::Component::torsion) continue;
    const elements::StressPoint& at = map.points[static_cast<std::size_t>(map.rows[r].point)];
    for (std::size_t k = begin; k < out.size(); ++k)
      if (out[k].point.place == at.place && out[k].point.index == at.index)
        out[k].rows[3] = first_row + static_cast<std::int32_t>(r);
  }
}

}  // namespace

std::string face_of(const StressLocation& location) {
  constexpr std::string_view kFibres = "CDEF";  // names in NASTRAN
  const int fibre = location.point.fibre;
  if (location.ply >= 0) return fmt::format("ply {}", location.ply + 1);
  if (fibre >= 0 && fibre < static_cast<int>(kFibres.size()))
    return std::string(kFibres.substr(static_cast<std::size_t>(fibre), 1));
  if (fibre >= 0) return std::to_string(fibre + 1);
  return std::string(elements::name_of(location.point.layer));
}

ModalStress modal_stress(const StressMesh& mesh,
                         std::size_t first,
                         std::size_t last,
                         StressPlaces places) {
  ModalStress out;
  std::vector<Eigen::MatrixXd> parts;
  Eigen::Index rows = 0;
  for (std::size_t k = first; k < last; ++k) {
    try {
      const elements::Element element = mesh.element(k);
      const elements::StressMap map = stress_map(
          element, request_for(element, mesh.is_centre_only(k) ? StressPlaces::centre : places));
      add_locations(map, k, static_cast<std::int32_t>(rows), out.locations);
      parts.emplace_back(map.matrix * mesh.displacements(k, element));
      rows += map.matrix.rows();
    } catch (const ModelError& error) {
      throw ModelError(error.code(),
                       fmt::format("{} {}: {}", mesh.type(k), mesh.id(k), error.message()),
                       {},
                       error.fix());
    }
  }
  out.S.resize(rows, mesh.shapes().shapes.cols());
  rows = 0;
  for (const Eigen::MatrixXd& part : parts) {
    out.S.middleRows(rows, part.rows()) = part;
    rows += part.rows();
  }
  return out;
}

}  // namespace femflex::durability
