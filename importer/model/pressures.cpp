// Integrates pressures over faces of elements with the shape functions of these faces.
#include "model/pressures.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include "femflex/element_shape.h"

namespace femflex::importer {
namespace {

/// A point of integration on a face: its parameters and weight.
struct FacePoint {
  double a = 0.0, b = 0.0;
  double weight = 0.0;
};

/// Gauss points, three in each direction: exact for the products of quadratic functions on flat
/// parallelograms.
const std::vector<FacePoint>& square_points() {
  static const std::vector<FacePoint> points = [] {
    const double x = std::sqrt(0.6);
    constexpr double kOuter = 5.0 / 9.0, kMiddle = 8.0 / 9.0;
    const std::array<std::pair<double, double>, 3> line{
        {{-x, kOuter}, {0.0, kMiddle}, {x, kOuter}}};
    std::vector<FacePoint> out;
    for (const auto& a : line)
      for (const auto& b : line)
        out.push_back({a.first, b.first, a.second * b.second});
    return out;
  }();
  return points;
}

/// Six points of degree 4 on the triangle of area 1/2: Dunavant 1985, table II, p = 4.
const std::vector<FacePoint>& triangle_points() {
  static const std::vector<FacePoint> points = [] {
    std::vector<FacePoint> out;
    for (const auto& [corner, other, weight] :
         {std::array{0.108103018168070, 0.445948490915965, 0.223381589678011},
          std::array{0.816847572980459, 0.091576213509771, 0.109951743655322}}) {
      out.push_back({other, other, 0.5 * weight});
      out.push_back({corner, other, 0.5 * weight});
      out.push_back({other, corner, 0.5 * weight});
    }
    return out;
  }();
  return points;
}

/// Shape functions of a face with 3, 4, 6 or 8 nodes.
using Functions = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 8, 1>;

Functions face_functions(std::size_t count, double a, double b) {
  Functions N(static_cast<Eigen::Index>(count));
  const double c = 1.0 - a - b;
  if (count == 3) {
    N << c, a, b;
  } else if (count == 6) {
    N << c * (2 * c - 1), a * (2 * a - 1), b * (2 * b - 1), 4 * c * a, 4 * a * b, 4 * b * c;
  } else if (count == 4) {
    N << (1 - a) * (1 - b), (1 + a) * (1 - b), (1 + a) * (1 + b), (1 - a) * (1 + b);
    N *= 0.25;
  } else {
    N << -0.25 * (1 - a) * (1 - b) * (1 + a + b), -0.25 * (1 + a) * (1 - b) * (1 - a + b),
        -0.25 * (1 + a) * (1 + b) * (1 - a - b), -0.25 * (1 - a) * (1 + b) * (1 + a - b),
        0.5 * (1 - a * a) * (1 - b), 0.5 * (1 + a) * (1 - b * b), 0.5 * (1 - a * a) * (1 + b),
        0.5 * (1 - a) * (1 - b * b);
  }
  return N;
}

Eigen::Vector3d weighted_sum(const std::vector<Eigen::Vector3d>& positions, const Functions& N) {
  Eigen::Vector3d out = Eigen::Vector3d::Zero();
  for (std::size_t k = 0; k < positions.size(); ++k)
    out += N(static_cast<Eigen::Index>(k)) * positions[k];
  return out;
}

/// A tangent of the face by central differences, which are exact here: the shape functions are at
/// most quadratic in each parameter.
Eigen::Vector3d tangent(const std::vector<Eigen::Vector3d>& positions,
                        const FacePoint& at,
                        double along_a,
                        double along_b) {
  constexpr double kStep = 0.5;
  const Functions more =
      face_functions(positions.size(), at.a + kStep * along_a, at.b + kStep * along_b);
  const Functions less =
      face_functions(positions.size(), at.a - kStep * along_a, at.b - kStep * along_b);
  return weighted_sum(positions, more - less) / (2.0 * kStep);
}

/// The corners of a face as node ids.
std::vector<std::int64_t> corners_of(const ElementFace& face, std::span<const std::int64_t> nodes) {
  std::vector<std::int64_t> out;
  for (std::size_t k = 0; k < static_cast<std::size_t>(face.count); ++k)
    out.push_back(nodes[static_cast<std::size_t>(face.corners[k])]);
  return out;
}

bool is_among(const std::vector<std::int64_t>& ids, std::int64_t id) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

/// True if the card means this face of a solid.
bool is_loaded(const std::vector<std::int64_t>& corners,
               ElementShape without_mids,
               const RawPressure& pressure) {
  if (!pressure.corners.empty())
    return corners.size() == pressure.corners.size() &&
           std::all_of(corners.begin(), corners.end(), [&](std::int64_t id) {
             return is_among(pressure.corners, id);
           });
  if (!is_among(corners, pressure.corner)) return false;
  if (without_mids == ElementShape::tetrahedron4)
    return pressure.second != 0 && !is_among(corners, pressure.second);  // G4 is not on the face
  if (pressure.second == 0)  // only triangles of wedges are told by one corner
    return without_mids == ElementShape::wedge6 && corners.size() == 3;
  if (!is_among(corners, pressure.second)) return false;
  const auto place = [&](std::int64_t id) {
    return std::find(corners.begin(), corners.end(), id) - corners.begin();
  };
  const bool is_diagonal = std::abs(place(pressure.corner) - place(pressure.second)) == 2;
  // two corners: the diagonal of a quadrangle, or the base edge of a triangle of a pyramid
  return corners.size() == 4 ? is_diagonal : without_mids == ElementShape::pyramid5;
}

ElementShape corner_shape(const ElementBlock& block) {
  const ElementTopology& topology = topology_of(shape_of(block.type, block.nodes_per_element));
  return shape_of(block.type, topology.corner_count);
}

}  // namespace

std::vector<Eigen::Vector3d> face_forces(const std::vector<Eigen::Vector3d>& positions,
                                         const std::vector<double>& pressure,
                                         const PressureDirection& direction) {
  std::vector<Eigen::Vector3d> out(positions.size(), Eigen::Vector3d::Zero());
  const std::size_t corners = positions.size() % 3 == 0 ? 3 : 4;
  for (const FacePoint& point : corners == 3 ? triangle_points() : square_points()) {
    const Functions N = face_functions(positions.size(), point.a, point.b);
    Eigen::Vector3d area =
        tangent(positions, point, 1.0, 0.0).cross(tangent(positions, point, 0.0, 1.0));
    if (direction) area = (area.norm() * direction(weighted_sum(positions, N))).eval();
    const Functions linear = face_functions(corners, point.a, point.b);
    double p = 0.0;
    for (std::size_t k = 0; k < corners; ++k)
      p += linear(static_cast<Eigen::Index>(k)) * pressure[k];
    for (std::size_t k = 0; k < positions.size(); ++k)
      out[k] += point.weight * N(static_cast<Eigen::Index>(k)) * p * area;
  }
  return out;
}

PressureFaces::PressureFaces(const std::vector<ElementBlock>& elements,
                             const std::vector<Node>& nodes)
    : elements_(elements), nodes_(nodes) {
  for (std::size_t b = 0; b < elements.size(); ++b)
    for (std::size_t k = 0; k < elements[b].ids.size(); ++k)
      places_.push_back({elements[b].ids[k], b, k});
  std::sort(
      places_.begin(), places_.end(), [](const Place& a, const Place& b) { return a.id < b.id; });
}

bool PressureFaces::find_positions(const std::vector<std::int64_t>& ids,
                                   std::vector<Eigen::Vector3d>& out,
                                   std::string& reason) const {
  for (const std::int64_t id : ids) {
    const auto it =
        std::lower_bound(nodes_.begin(), nodes_.end(), id, [](const Node& n, std::int64_t wanted) {
          return n.id < wanted;
        });
    if (it == nodes_.end() || it->id != id) {
      reason = fmt::format("there is no grid {}", id);
      return false;
    }
    out.push_back(it->position);
  }
  return true;
}

std::optional<PressureFaces::LoadedFace> PressureFaces::face_of(const Place& place,
                                                                const RawPressure& pressure,
                                                                std::string& reason) const {
  const ElementBlock& block = elements_[place.block];
  const ElementTopology& topology = topology_of(shape_of(block.type, block.nodes_per_element));
  const auto width = static_cast<std::size_t>(block.nodes_per_element);
  const auto nodes = std::span(block.connectivity).subspan(place.index * width, width);
  const bool is_solid = topology.dimension == 3;
  const ElementFace* found = nullptr;
  int count_found = 0;
  for (const ElementFace& face : topology.faces)
    if (!is_solid || is_loaded(corners_of(face, nodes), corner_shape(block), pressure)) {
      found = &face;
      ++count_found;
    }
  if (count_found != 1) {
    reason = fmt::format("the loaded face of {} {} is not clear", block.type, place.id);
    return std::nullopt;
  }
  LoadedFace out;
  out.nodes = corners_of(*found, nodes);
  const std::size_t count = out.nodes.size();
  for (std::size_t k = 0; k < count && found->mids[k] >= 0; ++k)
    out.nodes.push_back(nodes[static_cast<std::size_t>(found->mids[k])]);
  out.pressure.assign(pressure.values.begin(),
                      pressure.values.begin() + static_cast<std::ptrdiff_t>(count));
  if (!is_solid) return out;
  // pressure acts inward, against the outward normal; its values follow the corners from `corner`
  // on, turning about the outward normal, as the corners of a face do
  std::size_t shift = 0;
  while (shift < count && out.nodes[shift] != pressure.corner)
    ++shift;
  for (std::size_t k = 0; k < count; ++k)
    out.pressure[k] = -pressure.values[(k + count - shift) % count];
  return out;
}

bool PressureFaces::add_element(const Place& place,
                                const RawPressure& pressure,
                                const PressureDirection& direction,
                                std::vector<NodeForce>& out,
                                std::string& reason) const {
  std::optional<LoadedFace> face = face_of(place, pressure, reason);
  std::vector<Eigen::Vector3d> positions;
  if (!face || !find_positions(face->nodes, positions, reason)) return false;
  const std::size_t size = positions.size();
  if (size != 3 && size != 4 && size != 6 && size != 8) {
    reason = fmt::format("a face of element {} has some of its mid nodes only", place.id);
    return false;
  }
  // a given direction replaces the normal: the sign that makes pressure inward goes
  const bool is_solid = topology_of(corner_shape(elements_[place.block])).dimension == 3;
  if (direction && is_solid)
    for (double& p : face->pressure)
      p = -p;
  const std::vector<Eigen::Vector3d> forces = face_forces(positions, face->pressure, direction);
  for (std::size_t k = 0; k < size; ++k)
    out.push_back({face->nodes[k], forces[k]});
  return true;
}

/// PLOAD: a triangle shares its force equally; a quadrangle is the mean of its two divisions into
/// triangles.
bool PressureFaces::add_triangles(const RawPressure& pressure,
                                  std::vector<NodeForce>& out,
                                  std::string& reason) const {
  std::vector<Eigen::Vector3d> at;
  if (!find_positions(pressure.corners, at, reason)) return false;
  const std::size_t count = at.size();
  if (count != 3 && count != 4) {
    reason = fmt::format("a pressure on corners has {} of them, expected 3 or 4", count);
    return false;
  }
  const std::size_t triangles = count == 3 ? 1 : 4;
  const double share = count == 3 ? 1.0 : 0.5;
  for (std::size_t t = 0; t < triangles; ++t) {
    const std::array<std::size_t, 3> corner{t, (t + 1) % count, (t + 2) % count};
    const Eigen::Vector3d area =
        0.5 * (at[corner[1]] - at[corner[0]]).cross(at[corner[2]] - at[corner[0]]);
    for (const std::size_t k : corner)
      out.push_back({pressure.corners[k], share * pressure.values[0] / 3.0 * area});
  }
  return true;
}

std::optional<std::vector<NodeForce>> PressureFaces::forces(const RawPressure& pressure,
                                                            const PressureDirection& direction,
                                                            std::string& reason) const {
  std::vector<NodeForce> out;
  if (pressure.element == 0) {
    if (!add_triangles(pressure, out, reason)) return std::nullopt;
    return out;
  }
  auto place = std::lower_bound(
      places_.begin(), places_.end(), pressure.element, [](const Place& p, std::int64_t id) {
        return p.id < id;
      });
  const std::int64_t last = std::max(pressure.element, pressure.last_element);
  if (place == places_.end() || place->id > last) {
    reason = fmt::format("there is no element {} with a face", pressure.element);
    return std::nullopt;
  }
  for (; place != places_.end() && place->id <= last; ++place)
    if (!add_element(*place, pressure, direction, out, reason)) return std::nullopt;
  return out;
}

}  // namespace femflex::importer
