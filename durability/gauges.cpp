// Places virtual strain gauges: finds the nearest face of the skin, and computes the strain of its
// element there for each shape.
#include "femflex/durability/gauges.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include <Eigen/Core>
#include <fmt/format.h>

#include "femflex/elements/surface.h"
#include "femflex/errors.h"

namespace femflex::durability {
namespace {

/// Largest distance of a gauge from the skin, as a fraction of the longest side of its face.
/// Users often read positions off a picture of the mesh.
constexpr double kOffSkin = 0.05;
/// A direction cannot be projected on the skin if the sine of its angle to the normal is below
/// this.
constexpr double kAlongNormal = 1e-6;
/// Cosine of the largest angle (60 degrees) between a gauge's normal and the normal of its face. A
/// rough normal still finds its face, but the side of a box is not taken for its top.
constexpr double kFacing = 0.5;

/// Two places whose distances from the point differ by less than this fraction of the size of their
/// faces are equally near: an edge or a corner of the skin.
constexpr double kSamePlace = 1e-6;

/// A face and the place of the gauge on it.
struct Site {
  const SkinFace* face = nullptr;
  elements::FacePoint at;
  double size = 0.0;      ///< longest side of the face [m]
  double height = 0.0;    ///< height of the point above the face, along its normal [m]
  double distance = 0.0;  ///< distance of the point from the place [m]
  double gap = 0.0;       ///< distance of the point from the face of a solid, or from the volume of
                          ///< a shell [m]
  double slant = 0.0;     ///< how badly the face suits the gauge: 1 - cosine of the angle to its
                          ///< normal; without one, sine of the largest angle of a direction to it
};

double slant_of(const Site& site, const Gauge& gauge) {
  const Eigen::Vector3d& n = site.at.normal;
  if (gauge.normal) {
    const double cosine = n.dot(gauge.normal->normalized());
    return 1.0 - (site.face->is_shell ? std::abs(cosine) : cosine);
  }
  double out = 0.0;
  for (const Eigen::Vector3d& direction : gauge.directions)
    if (direction.norm() > 0.0) out = std::max(out, std::abs(n.dot(direction.normalized())));
  return out;
}

Site site_on(const SkinFace& face, const elements::Element& element, const Gauge& gauge) {
  const auto& corners = topology_of(element.shape).faces[static_cast<std::size_t>(face.face)];
  Site out;
  out.face = &face;
  out.at = elements::nearest_on_face(element.shape, element.positions, face.face, gauge.point);
  for (int c = 0; c < corners.count; ++c) {
    const auto here = static_cast<std::size_t>(c);
    const auto next = static_cast<std::size_t>((c + 1) % corners.count);
    out.size = std::max(out.size,
                        (element.positions.row(corners.corners[next]) -
                         element.positions.row(corners.corners[here]))
                            .norm());
  }
  const Eigen::Vector3d to_point = gauge.point - out.at.position;
  out.distance = to_point.norm();
  out.height = out.at.normal.dot(to_point);
  const double beside =
      std::sqrt(std::max(0.0, std::pow(out.distance, 2) - std::pow(out.height, 2)));
  out.gap = std::hypot(beside, std::max({0.0, out.height - face.upper, face.lower - out.height}));
  out.slant = slant_of(out, gauge);
  return out;
}

/// Whether the first site is the better one: nearer, or as near and less slanting.
bool is_better(const Site& a, const Site& b) {
  const double same = kSamePlace * std::min(a.size, b.size);
  if (std::abs(a.gap - b.gap) > same) return a.gap < b.gap;
  if (std::abs(a.distance - b.distance) > same) return a.distance < b.distance;
  return a.slant < b.slant - kSamePlace;
}

/// The nearest face. If the gauge has a normal, only faces with a similar normal are considered.
std::optional<Site> nearest_site(const Skin& skin, const Gauge& gauge) {
  // distance to the ball around each face. A heap gives the least ones: only a few faces are looked
  // at, for which the others need no order.
  std::vector<std::pair<double, std::size_t>> order;
  order.reserve(skin.faces().size());
  for (std::size_t k = 0; k < skin.faces().size(); ++k) {
    const SkinFace& face = skin.faces()[k];
    order.emplace_back((gauge.point - face.centre).norm() - face.radius -
                           std::max(std::abs(face.lower), std::abs(face.upper)),
                       k);
  }
  std::make_heap(order.begin(), order.end(), std::greater<>());
  std::optional<Site> best;
  for (auto end = order.end(); end != order.begin(); --end) {
    std::pop_heap(order.begin(), end, std::greater<>());
    const auto& [least, k] = *std::prev(end);
    if (best && least > best->gap + kSamePlace * best->size) break;
    const SkinFace& face = skin.faces()[k];
    const Site site = site_on(face, skin.mesh().element(face.element), gauge);
    if (gauge.normal && site.slant > 1.0 - kFacing) continue;
    if (!best || is_better(site, *best)) best = site;
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

/// Coefficients of the strain along a unit direction d: d' E d.
Eigen::Matrix<double, 1, 6> along(const Eigen::Vector3d& d) {
  Eigen::Matrix<double, 1, 6> out;
  out << d.x() * d.x(), d.y() * d.y(), d.z() * d.z(), d.x() * d.y(), d.y() * d.z(), d.z() * d.x();
  return out;
}

/// The element with stresses at its faces, where gauges are, instead of other fibres (Z1, Z2 of
/// PSHELL). Both fibres in the middle are those of a membrane.
elements::Element with_faces(elements::Element element) {
  if (auto* shell = std::get_if<elements::ShellSection>(&element.section);
      shell != nullptr && shell->fibres && *shell->fibres != std::array<double, 2>{0.0, 0.0})
    shell->fibres.reset();
  return element;
}

}  // namespace

Skin::Skin(const StressMesh& mesh) : mesh_(mesh) {
  const auto counts = face_counts(mesh.model());
  for (std::size_t k = 0; k < mesh.size(); ++k) {
    const elements::Element element = mesh.element(k);
    const ElementTopology& topology = topology_of(element.shape);
    if (topology.dimension < 2) continue;
    const auto* shell = std::get_if<elements::ShellSection>(&element.section);
    SkinFace skin_face;
    skin_face.element = static_cast<std::uint32_t>(k);
    skin_face.is_shell = shell != nullptr;
    skin_face.centre = element.positions.colwise().mean().transpose();
    // a curved face may stick out between its nodes
    constexpr double kBulge = 1.5;
    skin_face.radius =
        kBulge *
        (element.positions.rowwise() - skin_face.centre.transpose()).rowwise().norm().maxCoeff();
    if (shell != nullptr) {
      skin_face.lower = shell->offset - 0.5 * shell->thickness;
      skin_face.upper = shell->offset + 0.5 * shell->thickness;
    }
    for (std::size_t f = 0; f < topology.faces.size(); ++f) {
      if (shell == nullptr && counts.at(key_of(topology.faces[f], mesh.nodes(k))) > 1) continue;
      skin_face.face = static_cast<int>(f);
      if (elements::has_area(element.shape, element.positions, skin_face.face))
        faces_.push_back(skin_face);
    }
  }
  if (faces_.empty())
    throw UsageError("gauge-off-skin",
                     "the model has no solids and shells that gauges can be placed on",
                     {},
                     "place gauges on bodies whose model has solids or shells with materials");
}

namespace {

/// @throws UsageError  the gauge is too far from the skin, or no face looks along its normal
Site site_of(const Skin& skin, const Gauge& gauge) {
  if (gauge.normal && !(gauge.normal->norm() > 0.0))
    throw UsageError("gauge-normal",
                     fmt::format("gauge '{}': the normal is zero", gauge.name),
                     {},
                     "give a vector that points out of the skin, or leave it out");
  const std::optional<Site> site = nearest_site(skin, gauge);
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
  if (!(site->gap <= kOffSkin * site->size))
    throw UsageError(
        "gauge-off-skin",
        fmt::format("gauge '{}': the point is {:.4g} m off the skin{}; element {} is the nearest",
                    gauge.name,
                    site->gap,
                    gauge.normal ? " that looks along its normal" : "",
                    skin.mesh().id(site->face->element)),
        {},
        "give a point on the skin [m], in the axes of the nodes");
  return *site;
}

}  // namespace

PlacedGauge place_gauge(const Skin& skin, const Gauge& gauge) {
  const StressMesh& mesh = skin.mesh();
  const Site site = site_of(skin, gauge);
  const std::size_t k = site.face->element;
  const elements::Element element = with_faces(mesh.element(k));
  const double side = gauge.normal ? site.at.normal.dot(*gauge.normal)
                                   : site.height - 0.5 * (site.face->lower + site.face->upper);
  const elements::Layer layer = !site.face->is_shell ? elements::Layer::none
                                : side >= 0.0        ? elements::Layer::top
                                                     : elements::Layer::bottom;
  PlacedGauge out;
  out.element = k;
  out.distance = site.gap;
  out.face = site.face->is_shell ? std::string(name_of(layer)) : "outside";
  out.position = site.at.position;
  if (site.face->is_shell)
    out.position += (side >= 0.0 ? site.face->upper : site.face->lower) * site.at.normal;
  const Eigen::MatrixXd strain =
      elements::surface_strain(element, site.at, layer, mesh.is_centre_only(k)) *
      mesh.displacements(k, element);
  out.strain.resize(static_cast<Eigen::Index>(gauge.directions.size()), strain.cols());
  for (std::size_t g = 0; g < gauge.directions.size(); ++g) {
    const Eigen::Vector3d& wanted = gauge.directions[g];
    const Eigen::Vector3d flat = wanted - site.at.normal * site.at.normal.dot(wanted);
    if (!(flat.norm() > kAlongNormal * wanted.norm()))
      throw UsageError(
          "gauge-direction",
          fmt::format("gauge '{}': direction {} is normal to the skin, or zero", gauge.name, g + 1),
          {},
          "give a direction along the skin");
    out.directions.emplace_back(flat.normalized());
    out.strain.row(static_cast<Eigen::Index>(g)) = along(out.directions.back()) * strain;
  }
  return out;
}

}  // namespace femflex::durability
