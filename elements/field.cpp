// Builds the recovery matrix of solids and shells from their field of stress or strain: rows for
// the centre, the integration points, and corners fitted to these. Values are combined in basic
// axes and rotated at the end, so that varying axes cause no error.
#include "field.h"

#include "shape_functions.h"
#include "tensors.h"

namespace femflex::elements {
namespace {

/// A place of the map, and its values in basic axes.
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

}  // namespace

StressMap map_of_field(const Field& field,
                       const Element& element,
                       const StressRequest& request,
                       const std::vector<Component>& components) {
  std::vector<Sample> samples;
  const std::vector<Eigen::Vector3d> points =
      integration_points(element.shape, element.integration);
  const std::vector<Eigen::Vector3d> nodes = parametric_nodes(element.shape);
  for (const Layer layer : field.layers()) {
    if (request.centre)
      samples.push_back(
          sample_at(field, parametric_centre(element.shape), layer, Place::centre, 0));
    if (!request.integration_points && !request.corners) continue;
    std::vector<Sample> inside;
    for (std::size_t p = 0; p < points.size(); ++p)
      inside.push_back(
          sample_at(field, points[p], layer, Place::integration_point, static_cast<int>(p)));
    if (request.integration_points) samples.insert(samples.end(), inside.begin(), inside.end());
    if (!request.corners) continue;
    const Eigen::MatrixXd fit = corner_fit(element.shape, element.integration);
    for (Eigen::Index c = 0; c < fit.rows(); ++c) {
      Sample corner{field.point(nodes[static_cast<std::size_t>(c)], layer),
                    SixRows::Zero(6, inside.front().values.cols())};
      corner.point.place = Place::corner;
      corner.point.index = static_cast<int>(c);
      corner.point.layer = layer;
      for (std::size_t p = 0; p < inside.size(); ++p)
        corner.values += fit(c, static_cast<Eigen::Index>(p)) * inside[p].values;
      samples.push_back(std::move(corner));
    }
  }
  StressMap map{.quantity = request.quantity, .axes = request.axes};
  map.matrix.resize(static_cast<Eigen::Index>(samples.size() * components.size()),
                    element.positions.rows() * dofs_per_node(element));
  for (Sample& sample : samples)
    append(map, std::move(sample), components);
  return map;
}

}  // namespace femflex::elements
