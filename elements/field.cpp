// Builds the recovery matrix of solids and shells from their field of stress or strain: rows for
// the centre, the integration points and the corners; corner values are fitted to the integration
// points. Values are combined in basic axes (shells: in the tangent plane) and rotated last,
// because axes may differ from point to point.
#include "field.h"

#include <algorithm>

#include <Eigen/Geometry>

#include "shape_functions.h"
#include "tensors.h"

namespace femflex::elements {
namespace {

/// A point of the map, and its rows in basic axes.
struct Sample {
  StressPoint point;
  SixRows values;
};

void append(StressMap& map, Sample sample, const std::vector<Component>& components) {
  if (map.axes == Axes::basic) sample.point.axes.setIdentity();
  const Eigen::Matrix3d& R = sample.point.axes;
  const SixRows turned =
      (map.quantity == Quantity::strain ? turned_strain(R) : turned_stress(R)) * sample.values;
  for (const Component component : components) {
    map.matrix.row(static_cast<Eigen::Index>(map.rows.size())) =
        turned.row(static_cast<Eigen::Index>(component));
    map.rows.push_back({static_cast<int>(map.points.size()), component});
  }
  map.points.push_back(sample.point);
}

Sample sample_at(
    const Field& field, const Eigen::Vector3d& rst, Layer layer, Place place, int index) {
  Sample out{field.point(rst, layer), field.values(rst, layer)};
  out.point.place = place;
  out.point.index = index;
  out.point.layer = layer;
  return out;
}

/// The sum of the values at the integration points, of which there is at least one, with the
/// weights of a row of a fit. On a curved shell they are rotated from the normal of their point to
/// that of `at` first.
Sample fitted(const Field& field,
              const std::vector<Sample>& inside,
              const Eigen::RowVectorXd& weights,
              const Eigen::Vector3d& rst,
              const StressPoint& at) {
  Sample out{field.point(rst, at.layer), SixRows::Zero(6, inside.front().values.cols())};
  out.point.place = at.place;
  out.point.index = at.index;
  out.point.layer = at.layer;
  const Eigen::Vector3d normal = out.point.axes.col(2);
  for (std::size_t p = 0; p < inside.size(); ++p) {
    const double weight = weights(static_cast<Eigen::Index>(p));
    const Eigen::Vector3d from = inside[p].point.axes.col(2);
    if (at.layer == Layer::none || from == normal) {
      out.values += weight * inside[p].values;
      continue;
    }
    const Eigen::Matrix3d back =
        Eigen::Quaterniond::FromTwoVectors(normal, from).toRotationMatrix();
    out.values +=
        weight * (field.is_strain() ? turned_strain(back) : turned_stress(back)) * inside[p].values;
  }
  return out;
}

/// Whether the centre is fitted like a corner. Quadratic elements without an integration point
/// there are accurate at their integration points only: elsewhere, bending of a curved element
/// strains its middle surface [Barlow 1976].
bool is_centre_fitted(ElementShape shape, const std::vector<Eigen::Vector3d>& points) {
  if (without_mids(shape) == shape || points.size() < 2) return false;
  const Eigen::Vector3d centre = parametric_centre(shape);
  constexpr double kSame = 1e-9;
  return std::none_of(points.begin(), points.end(), [&](const Eigen::Vector3d& p) {
    return (p - centre).norm() < kSame;
  });
}

}  // namespace

StressMap map_of_field(const Field& field,
                       const Element& element,
                       const StressRequest& request,
                       const std::vector<Component>& components) {
  std::vector<Sample> samples;
  const std::vector<Eigen::Vector3d> points =
      integration_points(element.shape, element.integration);
  const std::vector<Eigen::Vector3d> nodes = parametric_nodes(element.shape);
  const bool fits_centre = is_centre_fitted(element.shape, points);
  const bool needs_inside =
      request.integration_points || request.corners || (request.centre && fits_centre);
  const Eigen::MatrixXd fit =
      needs_inside ? corner_fit(element.shape, element.integration) : Eigen::MatrixXd();
  const Eigen::Vector3d centre = parametric_centre(element.shape);
  for (const Layer layer : field.layers()) {
    std::vector<Sample> inside;
    for (std::size_t p = 0; needs_inside && p < points.size(); ++p)
      inside.push_back(
          sample_at(field, points[p], layer, Place::integration_point, static_cast<int>(p)));
    if (request.centre && fits_centre) {
      const Eigen::RowVectorXd N = shape_functions(without_mids(element.shape), centre).N;
      samples.push_back(
          fitted(field, inside, N * fit, centre, {.place = Place::centre, .layer = layer}));
    } else if (request.centre) {
      samples.push_back(sample_at(field, centre, layer, Place::centre, 0));
    }
    if (request.integration_points) samples.insert(samples.end(), inside.begin(), inside.end());
    for (Eigen::Index c = 0; request.corners && c < fit.rows(); ++c)
      samples.push_back(
          fitted(field,
                 inside,
                 fit.row(c),
                 nodes[static_cast<std::size_t>(c)],
                 {.place = Place::corner, .index = static_cast<int>(c), .layer = layer}));
  }
  StressMap map{.quantity = request.quantity, .axes = request.axes};
  map.matrix.resize(static_cast<Eigen::Index>(samples.size() * components.size()),
                    element.positions.rows() * dofs_per_node(element));
  for (Sample& sample : samples)
    append(map, std::move(sample), components);
  return map;
}

}  // namespace femflex::elements
