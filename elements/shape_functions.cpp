// Shape functions of the Lagrange and serendipity families [Zienkiewicz 2005], and rational
// functions for pyramids [Bedrosian 1992]. Dual numbers (value and gradient) give the derivatives,
// so each formula is written once.
#include "shape_functions.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>

#include "femflex/dense.h"

namespace femflex::elements {
namespace {

/// A number with its derivatives with respect to r, s, t.
struct Dual {
  double value = 0.0;
  Eigen::Vector3d gradient = Eigen::Vector3d::Zero();

  Dual(double v = 0.0) : value(v) {}  // NOLINT(google-explicit-constructor): constants mix in
  Dual(double v, const Eigen::Vector3d& g) : value(v), gradient(g) {}
};
Dual operator+(const Dual& a, const Dual& b) {
  return {a.value + b.value, a.gradient + b.gradient};
}
Dual operator-(const Dual& a, const Dual& b) {
  return {a.value - b.value, a.gradient - b.gradient};
}
Dual operator*(const Dual& a, const Dual& b) {
  return {a.value * b.value, a.gradient * b.value + b.gradient * a.value};
}
Dual reciprocal(const Dual& a) {
  return {1.0 / a.value, -a.gradient / (a.value * a.value)};
}

using Duals = std::vector<Dual>;
using Edges = std::span<const ElementEdge>;

/// Corners of the square -1..1, counter-clockwise. A cube has these corners first at the bottom,
/// then at the top.
constexpr std::array<std::array<double, 2>, 4> kSquare{
    {{-1.0, -1.0}, {1.0, -1.0}, {1.0, 1.0}, {-1.0, 1.0}}};

std::size_t as_size(int k) {
  return static_cast<std::size_t>(k);
}

/// Shape functions of a simplex with corner functions L_i; has mid nodes if there are more nodes
/// than corners.
Duals simplex(const Duals& L, Edges edges, int node_count) {
  Duals N = L;
  if (as_size(node_count) == L.size()) return N;
  for (Dual& corner : N)
    corner = corner * (2.0 * corner - 1.0);
  for (const ElementEdge& edge : edges)
    N.push_back(4.0 * L[as_size(edge.corners[0])] * L[as_size(edge.corners[1])]);
  return N;
}

/// Shape functions of quadrangles and hexahedra. `at` are the parametric coordinates of the nodes;
/// for mid nodes, one of the first `dimension` coordinates is zero.
Duals serendipity(const std::array<Dual, 3>& x,
                  const std::vector<Eigen::Vector3d>& at,
                  int dimension,
                  bool has_mids) {
  Duals N;
  for (const Eigen::Vector3d& node : at) {
    Dual product = dimension == 2 ? 0.25 : 0.125;
    Dual sum = 1.0 - dimension;
    bool is_mid = false;
    for (int k = 0; k < dimension; ++k) {
      const Dual along = x[as_size(k)] * node(k);
      is_mid = is_mid || node(k) == 0.0;
      product = product * (node(k) == 0.0 ? 1.0 - x[as_size(k)] * x[as_size(k)] : 1.0 + along);
      sum = sum + along;
    }
    if (is_mid) product = 2.0 * product;
    N.push_back(has_mids && !is_mid ? product * sum : product);
  }
  return N;
}

Duals wedge(const Duals& L, const Dual& t, const ElementTopology& topology) {
  const bool has_mids = topology.node_count == 15;
  Duals N;
  for (const double side : {-1.0, 1.0})
    for (const Dual& l : L) {
      const Dual corner = 0.5 * l * (1.0 + side * t);
      N.push_back(has_mids ? corner * (2.0 * l - 2.0 + side * t) : corner);
    }
  if (!has_mids) return N;
  for (const ElementEdge& edge : topology.edges) {
    const int a = edge.corners[0];
    const int b = edge.corners[1];
    if (b == a + 3) {
      N.push_back(L[as_size(a)] * (1.0 - t * t));
      continue;
    }
    const double side = a < 3 ? -1.0 : 1.0;
    N.push_back(2.0 * L[as_size(a % 3)] * L[as_size(b % 3)] * (1.0 + side * t));
  }
  return N;
}

/// Bedrosian's functions; the base is the square -1..1 at t = 0. At the apex the functions have
/// their limits. Their derivatives have no limit there and are not used.
Duals pyramid(const Dual& r, const Dual& s, const Dual& t, bool has_mids) {
  const Dual h = 1.0 - t;
  const Dual q = h.value == 0.0 ? Dual(0.0) : reciprocal(h);
  Duals N;
  for (const auto& [ri, si] : kSquare) {
    const Dual bilinear = 0.25 * ((1.0 + ri * r) * (1.0 + si * s) - t + ri * si * r * s * t * q);
    N.push_back(has_mids ? bilinear * (ri * r + si * s - 1.0) : bilinear);
  }
  N.push_back(has_mids ? t * (2.0 * t - 1.0) : t);
  if (!has_mids) return N;
  for (std::size_t k = 0; k < 4; ++k) {  // edges of the base, from corner k to the next corner
    const bool along_r = k % 2 == 0;
    const Dual& along = along_r ? r : s;
    const Dual across = along_r ? kSquare[k][1] * s : kSquare[k][0] * r;
    N.push_back(0.5 * (h + along) * (h - along) * (h + across) * q);
  }
  for (const auto& [ri, si] : kSquare)
    N.push_back(t * (h + ri * r) * (h + si * s) * q);
  return N;
}

/// 1, 2 or 3 Gauss-Legendre points on -1..1.
std::vector<double> gauss(int count) {
  constexpr double kTwo = 0.577350269189625765;    // sqrt(1/3)
  constexpr double kThree = 0.774596669241483377;  // sqrt(3/5)
  if (count == 1) return {0.0};
  if (count == 2) return {-kTwo, kTwo};
  return {-kThree, 0.0, kThree};
}

/// Gauss-Jacobi points on 0..1 for the weight (1 - t)^2, which is the relative section area of a
/// pyramid.
std::vector<double> gauss_pyramid(int count) {
  if (count == 1) return {0.25};
  if (count == 2) return {0.122514822655441, 0.544151844011225};
  return {0.072994024073150, 0.347003766038352, 0.705002209888498};
}

std::vector<Eigen::Vector3d> box_points(int dimension, int count) {
  const std::vector<double> g = gauss(count);
  std::vector<Eigen::Vector3d> out;
  for (const double t : dimension == 3 ? g : std::vector<double>{0.0})
    for (const double s : g)
      for (const double r : g)
        out.emplace_back(r, s, t);
  return out;
}

std::vector<Eigen::Vector3d> prism(bool one_per_layer, int layers) {
  std::vector<Eigen::Vector3d> out;
  for (const double t : layers == 0 ? std::vector<double>{0.0} : gauss(layers)) {
    if (one_per_layer) {
      out.emplace_back(1.0 / 3.0, 1.0 / 3.0, t);
      continue;
    }
    out.emplace_back(1.0 / 6.0, 1.0 / 6.0, t);
    out.emplace_back(2.0 / 3.0, 1.0 / 6.0, t);
    out.emplace_back(1.0 / 6.0, 2.0 / 3.0, t);
  }
  return out;
}

std::vector<Eigen::Vector3d> pyramid_points(int count) {
  std::vector<Eigen::Vector3d> out;
  for (const double t : gauss_pyramid(count))
    for (const double s : gauss(count))
      for (const double r : gauss(count))
        out.emplace_back(r * (1.0 - t), s * (1.0 - t), t);
  return out;
}

std::vector<Eigen::Vector3d> tetrahedron_points() {
  constexpr double kNear = 0.585410196624968455;  // (5 + 3 sqrt 5) / 20
  constexpr double kFar = 0.138196601125010515;   // (5 - sqrt 5) / 20
  return {{kFar, kFar, kFar}, {kNear, kFar, kFar}, {kFar, kNear, kFar}, {kFar, kFar, kNear}};
}

std::vector<Eigen::Vector3d> parametric_corners(ElementShape corners) {
  std::vector<Eigen::Vector3d> out;
  switch (corners) {
    case ElementShape::triangle3:
      return {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    case ElementShape::tetrahedron4:
      return {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    case ElementShape::wedge6:
      return {{0, 0, -1}, {1, 0, -1}, {0, 1, -1}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}};
    case ElementShape::hexahedron8:
      for (const double t : {-1.0, 1.0})
        for (const auto& [r, s] : kSquare)
          out.emplace_back(r, s, t);
      return out;
    default:  // quad4, pyramid5
      for (const auto& [r, s] : kSquare)
        out.emplace_back(r, s, 0.0);
      if (corners == ElementShape::pyramid5) out.emplace_back(0.0, 0.0, 1.0);
      return out;
  }
}

}  // namespace

bool has_shape_functions(ElementShape shape) {
  using enum ElementShape;
  constexpr std::array kShapes{triangle3,
                               triangle6,
                               quad4,
                               quad8,
                               tetrahedron4,
                               tetrahedron10,
                               pyramid5,
                               pyramid13,
                               wedge6,
                               wedge15,
                               hexahedron8,
                               hexahedron20};
  return std::find(kShapes.begin(), kShapes.end(), shape) != kShapes.end();
}

ElementShape shape_of_face(const ElementFace& face) {
  const bool has_mids = face.mids[0] >= 0;
  if (face.count == 3) return has_mids ? ElementShape::triangle6 : ElementShape::triangle3;
  return has_mids ? ElementShape::quad8 : ElementShape::quad4;
}

Eigen::Matrix<double, Eigen::Dynamic, 3> nodes_of_face(
    const ElementFace& face, const Eigen::Matrix<double, Eigen::Dynamic, 3>& positions) {
  const bool has_mids = face.mids[0] >= 0;
  Eigen::Matrix<double, Eigen::Dynamic, 3> out((has_mids ? 2 : 1) * face.count, 3);
  for (Eigen::Index c = 0; c < face.count; ++c) {
    out.row(c) = positions.row(face.corners[static_cast<std::size_t>(c)]);
    if (has_mids) out.row(face.count + c) = positions.row(face.mids[static_cast<std::size_t>(c)]);
  }
  return out;
}

ElementShape without_mids(ElementShape shape) {
  switch (shape) {
    case ElementShape::triangle6:
      return ElementShape::triangle3;
    case ElementShape::quad8:
      return ElementShape::quad4;
    case ElementShape::tetrahedron10:
      return ElementShape::tetrahedron4;
    case ElementShape::pyramid13:
      return ElementShape::pyramid5;
    case ElementShape::wedge15:
      return ElementShape::wedge6;
    case ElementShape::hexahedron20:
      return ElementShape::hexahedron8;
    case ElementShape::triangle3:
    case ElementShape::quad4:
    case ElementShape::tetrahedron4:
    case ElementShape::pyramid5:
    case ElementShape::wedge6:
    case ElementShape::hexahedron8:
      return shape;
    // without shape functions, see has_shape_functions()
    case ElementShape::none:
    case ElementShape::point:
    case ElementShape::bar2:
    case ElementShape::bar3:
    case ElementShape::quad9:
      break;
  }
  return shape;
}

std::vector<Eigen::Vector3d> parametric_nodes(ElementShape shape) {
  std::vector<Eigen::Vector3d> out = parametric_corners(without_mids(shape));
  if (shape == without_mids(shape)) return out;
  for (const ElementEdge& edge : topology_of(shape).edges)
    out.emplace_back(0.5 * (out[as_size(edge.corners[0])] + out[as_size(edge.corners[1])]));
  return out;
}

Eigen::Vector3d parametric_centre(ElementShape shape) {
  switch (without_mids(shape)) {
    case ElementShape::triangle3:
    case ElementShape::wedge6:
      return {1.0 / 3.0, 1.0 / 3.0, 0.0};
    case ElementShape::tetrahedron4:
      return {0.25, 0.25, 0.25};
    case ElementShape::pyramid5:
      return {0.0, 0.0, 0.25};
    default:
      return {0.0, 0.0, 0.0};
  }
}

ShapeFunctions shape_functions(ElementShape shape, const Eigen::Vector3d& rst) {
  assert(has_shape_functions(shape));
  const ElementTopology& topology = topology_of(shape);
  const std::array<Dual, 3> x = {Dual(rst(0), Eigen::Vector3d::UnitX()),
                                 Dual(rst(1), Eigen::Vector3d::UnitY()),
                                 Dual(rst(2), Eigen::Vector3d::UnitZ())};
  const bool has_mids = topology.node_count > topology.corner_count;
  Duals N;
  switch (without_mids(shape)) {
    case ElementShape::triangle3:
      N = simplex({1.0 - x[0] - x[1], x[0], x[1]}, topology.edges, topology.node_count);
      break;
    case ElementShape::tetrahedron4:
      N = simplex(
          {1.0 - x[0] - x[1] - x[2], x[0], x[1], x[2]}, topology.edges, topology.node_count);
      break;
    case ElementShape::wedge6:
      N = wedge({1.0 - x[0] - x[1], x[0], x[1]}, x[2], topology);
      break;
    case ElementShape::pyramid5:
      N = pyramid(x[0], x[1], x[2], has_mids);
      break;
    default:
      N = serendipity(x, parametric_nodes(shape), topology.dimension, has_mids);
  }
  ShapeFunctions out{Eigen::VectorXd(topology.node_count),
                     Eigen::Matrix<double, Eigen::Dynamic, 3>(topology.node_count, 3)};
  for (int i = 0; i < topology.node_count; ++i) {
    out.N(i) = N[as_size(i)].value;
    out.derivatives.row(i) = N[as_size(i)].gradient.transpose();
  }
  return out;
}

std::vector<Eigen::Vector3d> integration_points(ElementShape shape, Integration integration) {
  const bool reduced = integration == Integration::reduced;
  switch (shape) {
    case ElementShape::triangle3:
      return prism(true, 0);
    case ElementShape::triangle6:
      return prism(false, 0);
    case ElementShape::quad4:
      return box_points(2, reduced ? 1 : 2);
    case ElementShape::quad8:
      return box_points(2, reduced ? 2 : 3);
    case ElementShape::tetrahedron4:
      return {parametric_centre(shape)};
    case ElementShape::tetrahedron10:
      return tetrahedron_points();
    case ElementShape::pyramid5:
      return pyramid_points(reduced ? 1 : 2);
    case ElementShape::pyramid13:
      return pyramid_points(reduced ? 2 : 3);
    case ElementShape::wedge6:
      return prism(true, 2);
    case ElementShape::wedge15:
      return prism(false, reduced ? 2 : 3);
    case ElementShape::hexahedron8:
      return box_points(3, reduced ? 1 : 2);
    default:
      return box_points(3, reduced ? 2 : 3);
  }
}

Eigen::MatrixXd corner_fit(ElementShape shape, Integration integration) {
  const std::vector<Eigen::Vector3d> points = integration_points(shape, integration);
  const ElementShape corners = without_mids(shape);
  Eigen::MatrixXd at_points(static_cast<Eigen::Index>(points.size()),
                            topology_of(corners).node_count);
  for (std::size_t p = 0; p < points.size(); ++p)
    at_points.row(static_cast<Eigen::Index>(p)) = shape_functions(corners, points[p]).N.transpose();
  const Eigen::Index count = at_points.rows();
  const Eigen::MatrixXd mean =
      Eigen::MatrixXd::Constant(count, count, 1.0 / static_cast<double>(count));
  const Eigen::MatrixXd fit = at_points.completeOrthogonalDecomposition().pseudoInverse();
  return fit * (Eigen::MatrixXd::Identity(count, count) - mean) +
         Eigen::MatrixXd::Constant(at_points.cols(), count, 1.0 / static_cast<double>(count));
}

}  // namespace femflex::elements
