// The nearest triangle of the skin holds the gauge; quadrangles are two triangles.
#include "femflex/durability/gauges.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include "femflex/dense.h"
#include "femflex/errors.h"

namespace femflex::durability {
namespace {

/// A point counts as on the skin up to this share of the longest side of its triangle: positions
/// are often read off a picture of the mesh.
constexpr double kOffSkin = 0.05;
/// Sine of the angle between a direction and the normal below which it has no projection.
constexpr double kAlongNormal = 1e-6;

using Corners = std::array<int, 3>;  ///< of a triangle, in the element's node list

/// Nearest point of a triangle.
struct Nearest {
  double distance = std::numeric_limits<double>::infinity();
  Eigen::Vector3d weights = Eigen::Vector3d::Zero();  ///< of the three corners
};

Nearest on_segment(const Eigen::Matrix3d& x, int a, int b, const Eigen::Vector3d& p) {
  const Eigen::Vector3d along = x.col(b) - x.col(a);
  const double share = std::clamp(along.dot(p - x.col(a)) / along.squaredNorm(), 0.0, 1.0);
  Nearest out;
  out.weights[a] = 1.0 - share;
  out.weights[b] = share;
  out.distance = (x * out.weights - p).norm();
  return out;
}

Nearest nearest_of(const Eigen::Matrix3d& x, const Eigen::Vector3d& p) {
  const Eigen::Vector3d u = x.col(1) - x.col(0);
  const Eigen::Vector3d v = x.col(2) - x.col(0);
  const Eigen::Vector3d w = p - x.col(0);
  Eigen::Matrix2d A;
  A << u.dot(u), u.dot(v), u.dot(v), v.dot(v);
  const Eigen::Vector2d st = A.inverse() * Eigen::Vector2d(u.dot(w), v.dot(w));
  Nearest best;
  if (st.minCoeff() >= 0.0 && st.sum() <= 1.0) {
    best.weights = {1.0 - st.sum(), st[0], st[1]};
    best.distance = (x * best.weights - p).norm();
    return best;
  }
  for (const auto& [a, b] : {std::pair(0, 1), std::pair(1, 2), std::pair(2, 0)}) {
    const Nearest edge = on_segment(x, a, b, p);
    if (edge.distance < best.distance) best = edge;
  }
  return best;
}

struct Site {
  std::size_t element = 0;
  Corners corners{};
  Nearest nearest;
  double size = 0.0;    ///< longest side [m]
  double height = 0.0;  ///< of the point above the triangle, along its normal [m]
};

std::vector<Corners> triangles_of(const ElementFace& face) {
  const auto& c = face.corners;
  std::vector<Corners> out{{c[0], c[1], c[2]}};
  if (face.count == 4) out.push_back({c[0], c[2], c[3]});
  return out;
}

/// Half thickness and offset of a shell, 0 of a solid: how far the skin is from the nodes.
double skin_height(const elements::Element& element) {
  const auto* shell = std::get_if<elements::ShellSection>(&element.section);
  return shell == nullptr ? 0.0 : 0.5 * shell->thickness + std::abs(shell->offset);
}

/// The nearest triangle of all elements; a face inside a solid body is as near as its neighbour's
/// and has the same strains on a fine mesh, so only the distance decides.
std::optional<Site> nearest_site(const StressMesh& mesh, const Eigen::Vector3d& point) {
  std::optional<Site> best;
  for (std::size_t k = 0; k < mesh.size(); ++k) {
    const elements::Element element = mesh.element(k);
    const ElementTopology& topology = topology_of(element.shape);
    if (topology.dimension < 2) continue;
    for (const ElementFace& face : topology.faces)
      for (const Corners& corners : triangles_of(face)) {
        Eigen::Matrix3d x;
        for (int c = 0; c < 3; ++c)
          x.col(c) = element.positions.row(corners[static_cast<std::size_t>(c)]).transpose();
        const Nearest nearest = nearest_of(x, point);
        if (best && nearest.distance >= best->nearest.distance) continue;
        const Eigen::Vector3d normal = (x.col(1) - x.col(0)).cross(x.col(2) - x.col(0));
        const double size = std::max({(x.col(1) - x.col(0)).norm(),
                                      (x.col(2) - x.col(1)).norm(),
                                      (x.col(0) - x.col(2)).norm()});
        best =
            Site{k, corners, nearest, size, normal.normalized().dot(point - x * nearest.weights)};
      }
  }
  return best;
}

/// Coefficients of strain components for the strain along a unit direction d: d' E d.
Eigen::RowVectorXd along(const elements::StressMap& map,
                         std::size_t point,
                         const Eigen::Vector3d& d) {
  const std::array<double, 6> factors{
      d.x() * d.x(), d.y() * d.y(), d.z() * d.z(), d.x() * d.y(), d.y() * d.z(), d.z() * d.x()};
  Eigen::RowVectorXd out = Eigen::RowVectorXd::Zero(map.matrix.cols());
  for (std::size_t r = 0; r < map.rows.size(); ++r)
    if (static_cast<std::size_t>(map.rows[r].point) == point)
      out += factors[static_cast<std::size_t>(map.rows[r].component)] *
             map.matrix.row(static_cast<Eigen::Index>(r));
  return out;
}

}  // namespace

PlacedGauge place_gauge(const StressMesh& mesh, const Gauge& gauge) {
  const std::optional<Site> site = nearest_site(mesh, gauge.point);
  if (!site)
    throw UsageError("gauge-off-skin",
                     fmt::format("gauge '{}': the model has no solids and shells", gauge.name),
                     {},
                     "place gauges on solids and shells");
  const elements::Element element = mesh.element(site->element);
  const bool is_shell = topology_of(element.shape).dimension == 2;
  PlacedGauge out;
  out.element = site->element;
  out.distance = std::max(0.0, site->nearest.distance - skin_height(element));
  if (out.distance > kOffSkin * site->size)
    throw UsageError(
        "gauge-off-skin",
        fmt::format("gauge '{}': the point is {:.4g} m off the skin; element {} is the nearest",
                    gauge.name,
                    out.distance,
                    mesh.id(site->element)),
        {},
        "give a point on the skin, in metres and in the axes of the nodes");
  const elements::Layer layer = !is_shell             ? elements::Layer::none
                                : site->height >= 0.0 ? elements::Layer::top
                                                      : elements::Layer::bottom;
  out.face = is_shell ? std::string(name_of(layer)) : "outside";

  const bool is_centre_only = mesh.is_centre_only(site->element);
  const elements::StressMap map =
      stress_map(element,
                 {.quantity = elements::Quantity::strain,
                  .axes = is_shell ? elements::Axes::element : elements::Axes::basic,
                  .centre = is_centre_only,
                  .corners = !is_centre_only});
  const Eigen::MatrixXd u = mesh.displacements(site->element, element);
  Eigen::Matrix3d x;
  for (int c = 0; c < 3; ++c)
    x.col(c) = element.positions.row(site->corners[static_cast<std::size_t>(c)]).transpose();
  const Eigen::Vector3d normal = (x.col(1) - x.col(0)).cross(x.col(2) - x.col(0)).normalized();
  out.strain.resize(static_cast<Eigen::Index>(gauge.directions.size()), u.cols());
  for (std::size_t g = 0; g < gauge.directions.size(); ++g) {
    const Eigen::Vector3d& wanted = gauge.directions[g];
    const Eigen::Vector3d flat = wanted - normal * normal.dot(wanted);
    if (!(flat.norm() > kAlongNormal * wanted.norm()))
      throw UsageError(
          "gauge-direction",
          fmt::format("gauge '{}': direction {} is normal to the skin, or zero", gauge.name, g + 1),
          {},
          "give a direction along the skin");
    Eigen::RowVectorXd row = Eigen::RowVectorXd::Zero(map.matrix.cols());
    for (int c = 0; c < 3; ++c)
      for (std::size_t p = 0; p < map.points.size(); ++p) {
        const elements::StressPoint& at = map.points[p];
        const bool is_here =
            is_centre_only ||
            (at.index == site->corners[static_cast<std::size_t>(c)] && at.layer == layer);
        if (!is_here) continue;
        Eigen::Vector3d d = is_shell ? Eigen::Vector3d(at.axes.transpose() * flat) : flat;
        if (is_shell) d.z() = 0.0;
        row += site->nearest.weights[c] * along(map, p, d.normalized());
      }
    out.strain.row(static_cast<Eigen::Index>(g)) = row * u;
  }
  return out;
}

}  // namespace femflex::durability
