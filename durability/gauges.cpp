// Places virtual strain gauges: finds the nearest triangle of the skin, and computes the strain of
// its element for each shape.
#include "femflex/durability/gauges.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <unordered_map>
#include <variant>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include "femflex/dense.h"
#include "femflex/errors.h"

namespace femflex::durability {
namespace {

/// Largest distance of a gauge from the skin, as a fraction of the longest side of its triangle.
/// Users often read positions off a picture of the mesh.
constexpr double kOffSkin = 0.05;
/// A direction cannot be projected on the skin if the sine of its angle to the normal is below
/// this.
constexpr double kAlongNormal = 1e-6;
/// Cosine of the largest angle (60 degrees) between a gauge's normal and the normal of its face. A
/// rough normal still finds its face, but the side of a box is not taken for its top.
constexpr double kFacing = 0.5;

/// The point of a triangle that is nearest to a given point.
struct Nearest {
  double distance = std::numeric_limits<double>::infinity();
  Eigen::Vector3d weights = Eigen::Vector3d::Zero();  ///< weights of the three corners
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

/// A triangle and the place of the gauge on it.
struct Site {
  const SkinTriangle* triangle = nullptr;
  Nearest nearest;
  Eigen::Vector3d normal;  ///< unit normal; points out of solids
  double size = 0.0;       ///< longest side of the triangle [m]
  double height = 0.0;     ///< height of the point above the triangle, along its normal [m]
  double gap = 0.0;  ///< distance of the point from the face of a solid, or from the volume of a
                     ///< shell [m]
};

Eigen::Vector3d normal_of(const Eigen::Matrix3d& x) {
  return (x.col(1) - x.col(0)).cross(x.col(2) - x.col(0)).normalized();
}

Site site_on(const SkinTriangle& triangle, const Eigen::Vector3d& point) {
  const Eigen::Matrix3d& x = triangle.positions;
  Site out;
  out.triangle = &triangle;
  out.nearest = nearest_of(x, point);
  out.normal = normal_of(x);
  out.size = std::max(
      {(x.col(1) - x.col(0)).norm(), (x.col(2) - x.col(1)).norm(), (x.col(0) - x.col(2)).norm()});
  out.height = out.normal.dot(point - x * out.nearest.weights);
  const double beside =
      std::sqrt(std::max(0.0, std::pow(out.nearest.distance, 2) - std::pow(out.height, 2)));
  out.gap =
      std::hypot(beside, std::max({0.0, out.height - triangle.upper, triangle.lower - out.height}));
  return out;
}

/// The nearest triangle. If `normal` is given, only triangles with a similar normal are considered.
std::optional<Site> nearest_site(const Skin& skin,
                                 const Eigen::Vector3d& point,
                                 const std::optional<Eigen::Vector3d>& normal) {
  std::optional<Site> best;
  for (const SkinTriangle& triangle : skin.triangles()) {
    const Site site = site_on(triangle, point);
    if (normal) {
      const double cosine = site.normal.dot(normal->normalized());
      if ((triangle.is_shell ? std::abs(cosine) : cosine) < kFacing) continue;
    }
    const bool is_nearer =
        !best || site.gap < best->gap ||
        (site.gap == best->gap && site.nearest.distance < best->nearest.distance);
    if (is_nearer) best = site;
  }
  return best;
}

/// Key of a face of a solid: the ids of its corner nodes in ascending order; unused entries are -1.
using FaceKey = std::array<std::int64_t, 4>;

FaceKey key_of(const ElementFace& face, std::span<const std::int64_t> nodes) {
  FaceKey out{-1, -1, -1, -1};
  for (int c = 0; c < face.count; ++c)
    out[static_cast<std::size_t>(c)] =
        nodes[static_cast<std::size_t>(face.corners[static_cast<std::size_t>(c)])];
  std::sort(out.begin(), out.end());
  return out;
}

struct FaceHash {
  std::size_t operator()(const FaceKey& key) const {
    std::size_t out = 0;
    for (const std::int64_t node : key)
      out = out * 1000003U + static_cast<std::size_t>(node);  // a prime number
    return out;
  }
};

/// Number of solids that have each face. Solids without stresses are included.
std::unordered_map<FaceKey, int, FaceHash> face_counts(const FeModel& model) {
  std::unordered_map<FaceKey, int, FaceHash> out;
  for (const ElementBlock& block : model.elements) {
    const ElementTopology& topology = topology_of(shape_of(block.type, block.nodes_per_element));
    if (topology.dimension != 3) continue;
    const auto width = static_cast<std::size_t>(block.nodes_per_element);
    for (std::size_t k = 0; k < block.ids.size(); ++k)
      for (const ElementFace& face : topology.faces)
        ++out[key_of(face, {block.connectivity.data() + width * k, width})];
  }
  return out;
}

/// Row of coefficients that turns strain components into the strain along a unit direction d: d' E
/// d.
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

Skin::Skin(const StressMesh& mesh) : mesh_(mesh) {
  const auto counts = face_counts(mesh.model());
  for (std::size_t k = 0; k < mesh.size(); ++k) {
    const elements::Element element = mesh.element(k);
    const ElementTopology& topology = topology_of(element.shape);
    if (topology.dimension < 2) continue;
    const auto* shell = std::get_if<elements::ShellSection>(&element.section);
    for (const ElementFace& face : topology.faces) {
      if (shell == nullptr && counts.at(key_of(face, mesh.nodes(k))) > 1) continue;
      for (int half = 0; half < face.count - 2; ++half) {
        const auto at = static_cast<std::size_t>(half);
        SkinTriangle triangle;
        triangle.element = static_cast<std::uint32_t>(k);
        triangle.corners = {face.corners[0], face.corners[at + 1], face.corners[at + 2]};
        for (int c = 0; c < 3; ++c)
          triangle.positions.col(c) =
              element.positions.row(triangle.corners[static_cast<std::size_t>(c)]).transpose();
        if (!normal_of(triangle.positions).allFinite() ||
            normal_of(triangle.positions).isZero())  // a collapsed face, with two equal corners,
                                                     // has no area
          continue;
        triangle.is_shell = shell != nullptr;
        if (shell != nullptr) {
          triangle.lower = shell->offset - 0.5 * shell->thickness;
          triangle.upper = shell->offset + 0.5 * shell->thickness;
        }
        triangles_.push_back(triangle);
      }
    }
  }
  if (triangles_.empty())
    throw UsageError("gauge-off-skin",
                     "the model has no solids and shells that gauges can be placed on",
                     {},
                     "place gauges on bodies whose model has solids or shells with materials");
}

PlacedGauge place_gauge(const Skin& skin, const Gauge& gauge) {
  const StressMesh& mesh = skin.mesh();
  if (gauge.normal && !(gauge.normal->norm() > 0.0))
    throw UsageError("gauge-normal",
                     fmt::format("gauge '{}': the normal is zero", gauge.name),
                     {},
                     "give a vector that points out of the skin, or leave it out");
  const std::optional<Site> site = nearest_site(skin, gauge.point, gauge.normal);
  if (!site)
    throw UsageError("gauge-off-skin",
                     fmt::format("gauge '{}': no face of the skin looks along the normal ({:.4g}, "
                                 "{:.4g}, {:.4g})",
                                 gauge.name,
                                 gauge.normal->x(),
                                 gauge.normal->y(),
                                 gauge.normal->z()),
                     {},
                     "give the direction out of the body in the axes of the nodes");
  const std::size_t k = site->triangle->element;
  const elements::Element element = mesh.element(k);
  const bool is_shell = site->triangle->is_shell;
  PlacedGauge out;
  out.element = k;
  out.distance = site->gap;
  if (!(out.distance <= kOffSkin * site->size))
    throw UsageError(
        "gauge-off-skin",
        fmt::format("gauge '{}': the point is {:.4g} m off the skin{}; element {} is the nearest",
                    gauge.name,
                    out.distance,
                    gauge.normal ? " that looks along its normal" : "",
                    mesh.id(k)),
        {},
        "give a point on the skin, in the axes of the nodes");
  const double side = gauge.normal
                          ? site->normal.dot(*gauge.normal)
                          : site->height - 0.5 * (site->triangle->lower + site->triangle->upper);
  const elements::Layer layer = !is_shell     ? elements::Layer::none
                                : side >= 0.0 ? elements::Layer::top
                                              : elements::Layer::bottom;
  out.face = is_shell ? std::string(name_of(layer)) : "outside";

  const bool is_centre_only = mesh.is_centre_only(k);
  const elements::StressMap map =
      stress_map(element,
                 {.quantity = elements::Quantity::strain,
                  .axes = is_shell ? elements::Axes::element : elements::Axes::basic,
                  .centre = is_centre_only,
                  .corners = !is_centre_only});
  const Eigen::MatrixXd u = mesh.displacements(k, element);
  out.strain.resize(static_cast<Eigen::Index>(gauge.directions.size()), u.cols());
  for (std::size_t g = 0; g < gauge.directions.size(); ++g) {
    const Eigen::Vector3d& wanted = gauge.directions[g];
    const Eigen::Vector3d flat = wanted - site->normal * site->normal.dot(wanted);
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
            (at.index == site->triangle->corners[static_cast<std::size_t>(c)] && at.layer == layer);
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
