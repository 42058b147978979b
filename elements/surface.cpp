// Finds the nearest point of a curved face by Gauss-Newton: the nearest point of the tangent plane,
// within the domain of the face, is the next guess. Strain there is fitted to the integration
// points; each of their tensors is turned by the smallest rotation from the normal of the face at
// the integration point to that at the place.
#include "femflex/elements/surface.h"

#include <algorithm>
#include <array>
#include <limits>
#include <variant>
#include <vector>

#include <Eigen/Geometry>

#include "femflex/dense.h"

#include "field.h"
#include "shape_functions.h"
#include "tensors.h"

namespace femflex::elements {
namespace {

using Positions = Eigen::Matrix<double, Eigen::Dynamic, 3>;

const ElementFace& face_of(ElementShape shape, int face) {
  return topology_of(shape).faces[static_cast<std::size_t>(face)];
}

/// Normal of the face as if it were flat; not of unit length.
Eigen::Vector3d flat_normal(const Positions& x, int corner_count) {
  const bool is_quad = corner_count == 4;
  const Eigen::Vector3d first = (x.row(is_quad ? 2 : 1) - x.row(0)).transpose();
  const Eigen::Vector3d second = (x.row(is_quad ? 3 : 2) - x.row(is_quad ? 1 : 0)).transpose();
  return first.cross(second);
}

/// Weights of the corners of the triangle whose point is nearest to p.
Eigen::Vector3d nearest_weights(const Eigen::Matrix3d& x, const Eigen::Vector3d& p) {
  const Eigen::Vector3d u = x.col(1) - x.col(0);
  const Eigen::Vector3d v = x.col(2) - x.col(0);
  const Eigen::Vector3d w = p - x.col(0);
  const double determinant = u.cross(v).squaredNorm();
  if (determinant > 0.0) {
    const double s = (v.dot(v) * u.dot(w) - u.dot(v) * v.dot(w)) / determinant;
    const double t = (u.dot(u) * v.dot(w) - u.dot(v) * u.dot(w)) / determinant;
    if (s >= 0.0 && t >= 0.0 && s + t <= 1.0) return {1.0 - s - t, s, t};
  }
  Eigen::Vector3d best = Eigen::Vector3d::UnitX();
  for (Eigen::Index a = 0; a < 3; ++a) {
    const Eigen::Index b = (a + 1) % 3;
    const Eigen::Vector3d along = x.col(b) - x.col(a);
    const double length = along.squaredNorm();
    const double share =
        length > 0.0 ? std::clamp(along.dot(p - x.col(a)) / length, 0.0, 1.0) : 0.0;
    Eigen::Vector3d weights = Eigen::Vector3d::Zero();
    weights(a) = 1.0 - share;
    weights(b) = share;
    if ((x * weights - p).squaredNorm() < (x * best - p).squaredNorm()) best = weights;
  }
  return best;
}

/// A face as a surface with two parametric coordinates.
class Surface {
 public:
  Surface(const ElementFace& face, const Positions& positions)
      : shape_(shape_of_face(face)),
        corner_count_(face.count),
        nodes_(nodes_of_face(face, positions)),
        domain_(parametric_nodes(without_mids(shape_))) {}

  /// Parametric coordinates of the point nearest to p.
  Eigen::Vector3d nearest(const Eigen::Vector3d& p) const {
    constexpr int kMaxSteps = 50;    // strongly curved faces take about ten
    constexpr double kSame = 1e-13;  // of coordinates that are at most 1
    Eigen::Vector3d rs = parametric_centre(shape_);
    Eigen::Vector3d best = rs;
    double best_distance = std::numeric_limits<double>::infinity();
    for (int step = 0; step < kMaxSteps; ++step) {
      const ShapeFunctions f = shape_functions(shape_, rs);
      const Eigen::Vector3d x = nodes_.transpose() * f.N;
      if ((p - x).norm() < best_distance) {
        best_distance = (p - x).norm();
        best = rs;
      }
      const Eigen::Vector3d next =
          nearest_of_plane(rs, x, nodes_.transpose() * f.derivatives.leftCols<2>(), p);
      if ((next - rs).norm() < kSame) return next;
      rs = next;
    }
    return best;
  }

  Eigen::Vector3d position(const Eigen::Vector3d& rs) const {
    return nodes_.transpose() * shape_functions(shape_, rs).N;
  }

  /// The unit normal; that of the flat face where a side has no length.
  Eigen::Vector3d normal(const Eigen::Vector3d& rs) const {
    constexpr double kSharpEdge = 1e-9;
    const Eigen::Matrix<double, 3, 2> g =
        nodes_.transpose() * shape_functions(shape_, rs).derivatives.leftCols<2>();
    const Eigen::Vector3d n = g.col(0).cross(g.col(1));
    const Eigen::Vector3d flat = flat_normal(nodes_, corner_count_);
    return (n.norm() > kSharpEdge * flat.norm() ? n : flat).normalized();
  }

  /// Weights of the corners of the face.
  Eigen::VectorXd corner_weights(const Eigen::Vector3d& rs) const {
    return shape_functions(without_mids(shape_), rs).N;
  }

 private:
  /// The nearest point of the plane through x with these tangents, within the domain.
  Eigen::Vector3d nearest_of_plane(const Eigen::Vector3d& rs,
                                   const Eigen::Vector3d& x,
                                   const Eigen::Matrix<double, 3, 2>& tangents,
                                   const Eigen::Vector3d& p) const {
    Eigen::Vector3d best = rs;
    double best_distance = std::numeric_limits<double>::infinity();
    for (std::size_t half = 0; half + 2 < domain_.size(); ++half) {
      Eigen::Matrix3d corners;
      corners << domain_[0], domain_[half + 1], domain_[half + 2];
      const Eigen::Matrix3d lifted =
          (tangents * (corners.colwise() - rs).topRows<2>()).colwise() + x;
      const Eigen::Vector3d weights = nearest_weights(lifted, p);
      const double distance = (lifted * weights - p).norm();
      if (distance < best_distance) {
        best_distance = distance;
        best = corners * weights;
      }
    }
    return best;
  }

  ElementShape shape_;
  int corner_count_;
  Positions nodes_;
  std::vector<Eigen::Vector3d> domain_;  // parametric coordinates of the corners
};

/// The normal of the surface inside a solid that is parallel to a face in parametric coordinates.
Eigen::Vector3d inner_normal(const Element& element, int face, const Eigen::Vector3d& rst) {
  const std::vector<Eigen::Vector3d> nodes = parametric_nodes(element.shape);
  const auto corner = [&](std::size_t c) {
    return nodes[static_cast<std::size_t>(face_of(element.shape, face).corners[c])];
  };
  const Eigen::Vector3d outward = (corner(1) - corner(0)).cross(corner(2) - corner(0));
  const Eigen::Matrix3d J =
      element.positions.transpose() * shape_functions(element.shape, rst).derivatives;
  return (J.inverse().transpose() * outward).normalized();
}

/// The rows of one point of the map in basic axes.
SixRows rows_at(const StressMap& map, int point) {
  SixRows out = SixRows::Zero(6, map.matrix.cols());
  for (std::size_t r = 0; r < map.rows.size(); ++r)
    if (map.rows[r].point == point)
      out.row(static_cast<Eigen::Index>(map.rows[r].component)) =
          map.matrix.row(static_cast<Eigen::Index>(r));
  if (map.axes == Axes::basic) return out;
  return turned_strain(map.points[static_cast<std::size_t>(point)].axes.transpose()) * out;
}

/// The tangential strain of a face with mid nodes: that of a membrane with its nodes.
SixRows strain_of_face(const Element& element, const ElementFace& face, const FacePoint& at) {
  Element membrane;
  membrane.shape = shape_of_face(face);
  membrane.integration = Integration::reduced;
  membrane.positions = nodes_of_face(face, element.positions);
  ShellSection section;
  section.thickness = 1.0;  // no matter at the middle surface, where both fibres are
  section.fibres = {0.0, 0.0};
  section.normals =  // any that are not tangential; where a side has no length the face has none
      flat_normal(membrane.positions, face.count)
          .normalized()
          .transpose()
          .replicate(membrane.positions.rows(), 1);
  membrane.section = section;
  FacePoint place = at;
  place.face = 0;
  place.rst = at.on_face;
  const SixRows rows = surface_strain(membrane, place, Layer::bottom, false);
  SixRows out = SixRows::Zero(6, 3 * element.positions.rows());
  for (Eigen::Index c = 0; c < face.count; ++c) {
    const auto k = static_cast<std::size_t>(c);
    out.middleCols<3>(3 * face.corners[k]) = rows.middleCols<3>(6 * c);
    out.middleCols<3>(3 * face.mids[k]) = rows.middleCols<3>(6 * (face.count + c));
  }
  return out;
}

}  // namespace

bool has_area(ElementShape shape, const Positions& positions, int face) {
  const ElementFace& corners = face_of(shape, face);
  const Eigen::Vector3d normal =
      flat_normal(nodes_of_face(corners, positions), corners.count).normalized();
  return normal.allFinite() && !normal.isZero();
}

FacePoint nearest_on_face(ElementShape shape,
                          const Positions& positions,
                          int face,
                          const Eigen::Vector3d& point) {
  const ElementFace& corners = face_of(shape, face);
  const Surface surface(corners, positions);
  const Eigen::Vector3d rs = surface.nearest(point);
  const std::vector<Eigen::Vector3d> nodes = parametric_nodes(shape);
  const Eigen::VectorXd weights = surface.corner_weights(rs);
  FacePoint out{face, Eigen::Vector3d::Zero(), rs, surface.position(rs), surface.normal(rs)};
  for (Eigen::Index c = 0; c < corners.count; ++c)
    out.rst +=
        weights(c) * nodes[static_cast<std::size_t>(corners.corners[static_cast<std::size_t>(c)])];
  return out;
}

Eigen::Matrix<double, 6, Eigen::Dynamic> surface_strain(const Element& element,
                                                        const FacePoint& at,
                                                        Layer layer,
                                                        bool centre_only) {
  const ElementFace& face = face_of(element.shape, at.face);
  if (topology_of(element.shape).dimension == 3 && face.mids[0] >= 0)
    return strain_of_face(element, face, at);
  const bool is_shell = std::holds_alternative<ShellSection>(element.section);
  const StressMap map = stress_map(element,
                                   {.quantity = Quantity::strain,
                                    .axes = is_shell ? Axes::element : Axes::basic,
                                    .centre = centre_only,
                                    .integration_points = !centre_only});
  const std::vector<Eigen::Vector3d> points =
      centre_only ? std::vector<Eigen::Vector3d>{parametric_centre(element.shape)}
                  : integration_points(element.shape, element.integration);
  const Eigen::RowVectorXd weights =
      centre_only
          ? Eigen::RowVectorXd::Ones(1)
          : Eigen::RowVectorXd(shape_functions(without_mids(element.shape), at.rst).N.transpose() *
                               corner_fit(element.shape, element.integration));
  SixRows out = SixRows::Zero(6, map.matrix.cols());
  for (std::size_t p = 0; p < map.points.size(); ++p) {
    const StressPoint& from = map.points[p];
    if (from.layer != layer) continue;
    const auto k = static_cast<std::size_t>(from.index);
    const Eigen::Vector3d normal =
        is_shell ? Eigen::Vector3d(from.axes.col(2)) : inner_normal(element, at.face, points[k]);
    const Eigen::Matrix3d back =
        Eigen::Quaterniond::FromTwoVectors(at.normal, normal).toRotationMatrix();
    out += weights(from.index) * turned_strain(back) * rows_at(map, static_cast<int>(p));
  }
  return out;
}

}  // namespace femflex::elements
