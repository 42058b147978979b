// Recovery matrix of shells as degenerated solids [Ahmad 1970]: at height z above the nodes
//   x = Σ N_i (x_i + z n_i),  u = Σ N_i (u_i + z θ_i × n_i),  strain = sym grad u,
// with n_i the normal at node i: that of the section if it is given, else that of the element (in
// triangle3 and quad4 of the mean plane); plane stress. With internal modes, quad4 bends in its
// plane by
//   u = sum_k P_k a_k,  P = (1 - r^2, 1 - s^2), a in the plane
// as hexahedron8 does, see solid.cpp; the amplitudes are in equilibrium with the middle surface.
#include "shell.h"

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include "femflex/dense.h"
#include "femflex/elements/node_normals.h"
#include "femflex/errors.h"

#include "field.h"
#include "shape_functions.h"
#include "tensors.h"

namespace femflex::elements {
namespace {

using Points = Eigen::Matrix<double, Eigen::Dynamic, 3>;

/// Two sides, or a material direction and the normal, are parallel if the sine of their angle is
/// below this.
constexpr double kParallel = 1e-9;

[[noreturn]] void bad_shell(ElementShape shape, const std::string& what) {
  throw ModelError("degenerate-element",
                   fmt::format("{}: {}", topology_of(shape).name, what),
                   {},
                   "check nodes, thickness and material direction of the element");
}

Eigen::Vector3d unit_normal(ElementShape shape,
                            const Eigen::Vector3d& a,
                            const Eigen::Vector3d& b) {
  const Eigen::Vector3d normal = a.cross(b);
  if (!(normal.norm() > kParallel * a.norm() * b.norm()))
    bad_shell(shape, "no normal, the element has no area");
  return normal.normalized();
}

/// Two tangents: dx/dr and dx/ds.
Eigen::Matrix<double, 3, 2> tangents(ElementShape shape,
                                     const Points& positions,
                                     const Eigen::Vector3d& rst) {
  return positions.transpose() * shape_functions(shape, rst).derivatives.leftCols<2>();
}

Eigen::Vector3d corner(const Element& element, Eigen::Index k) {
  return element.positions.row(k).transpose();
}

/// Normals at the nodes, one row per node.
Points normals_of(const Element& element) {
  const Points& given = std::get<ShellSection>(element.section).normals;
  if (given.rows() == element.positions.rows()) return given;
  if (element.shape != ElementShape::quad4) return node_normals(element.shape, element.positions);
  const Eigen::Vector3d first = corner(element, 2) - corner(element, 0);
  const Eigen::Vector3d second = corner(element, 3) - corner(element, 1);
  return unit_normal(element.shape, first, second).transpose().replicate(4, 1);
}

Eigen::Matrix3d axes_from(const Eigen::Vector3d& x, const Eigen::Vector3d& normal) {
  Eigen::Matrix3d R;
  R << x, normal.cross(x), normal;
  return R;
}

class ShellField final : public Field {
 public:
  ShellField(const Element& element, const StressRequest& request)
      : element_(element),
        section_(std::get<ShellSection>(element.section)),
        request_(request),
        normals_(normals_of(element)),
        D_(request.quantity == Quantity::stress ? sheet_elasticity(element.material)
                                                : Eigen::Matrix3d::Identity()) {
    if (!(section_.thickness > 0.0) || !std::isfinite(section_.thickness + section_.offset))
      bad_shell(element.shape,
                fmt::format("thickness {} m, offset {} m: expected a thickness above 0",
                            section_.thickness,
                            section_.offset));
    if (element.shape == ElementShape::quad4 && element.integration == Integration::internal_modes)
      amplitudes_ = amplitudes(sheet_elasticity(element.material));
  }

  StressPoint point(const Eigen::Vector3d& rst, Layer layer) const override {
    const Eigen::VectorXd N = shape_functions(element_.shape, rst).N;
    StressPoint out;
    out.position = (element_.positions + height(layer) * normals_).transpose() * N;
    out.axes = request_.axes == Axes::material ? material_axes(rst) : element_axes(rst);
    return out;
  }

  SixRows values(const Eigen::Vector3d& rst, Layer layer) const override {
    const Eigen::Matrix3d R = material_axes(rst);
    SixRows strain = turned_strain(R) * basic_strain(rst, height(layer));
    if (amplitudes_.size() > 0) strain += turned_strain(R) * mode_strain(rst) * amplitudes_;
    SixRows local = SixRows::Zero(6, strain.cols());
    for (Eigen::Index i = 0; i < 3; ++i)
      for (Eigen::Index j = 0; j < 3; ++j)
        local.row(kSheet[i]) += D_(i, j) * strain.row(kSheet[j]);
    return (request_.quantity == Quantity::strain ? turned_strain(R.transpose())
                                                  : turned_stress(R.transpose())) *
           local;
  }

  std::vector<Layer> layers() const override { return {Layer::bottom, Layer::top}; }
  bool is_strain() const override { return request_.quantity == Quantity::strain; }

 private:
  static constexpr Eigen::Index kSheet[3] = {0, 1, 3};  // xx, yy, xy among the six

  /// Height of a layer above the nodes, along the normal [m].
  double height(Layer layer) const {
    const double half = 0.5 * section_.thickness;
    const std::array<double, 2> fibres =
        section_.fibres.value_or(std::array<double, 2>{-half, half});
    return section_.offset + (layer == Layer::bottom ? fibres[0] : fibres[1]);
  }

  Eigen::Vector3d normal(const Eigen::Vector3d& rst) const {
    if (element_.shape == ElementShape::quad4)
      return unit_normal(element_.shape,
                         corner(element_, 2) - corner(element_, 0),
                         corner(element_, 3) - corner(element_, 1));
    const Eigen::Matrix<double, 3, 2> g = tangents(element_.shape, element_.positions, rst);
    return unit_normal(element_.shape, g.col(0), g.col(1));
  }

  /// See StressPoint::axes.
  Eigen::Matrix3d element_axes(const Eigen::Vector3d& rst) const {
    const Eigen::Vector3d n = normal(rst);
    Eigen::Vector3d x;
    if (element_.shape == ElementShape::quad4) {
      x = (corner(element_, 2) - corner(element_, 0)).normalized() +
          (corner(element_, 1) - corner(element_, 3)).normalized();
    } else if (element_.shape == ElementShape::quad8) {
      const Eigen::Matrix<double, 3, 2> g = tangents(element_.shape, element_.positions, rst);
      const Eigen::Vector3d between = (g.col(0).normalized() + g.col(1).normalized()).normalized();
      x = between + between.cross(n);
    } else {
      x = tangents(element_.shape, element_.positions, rst).col(0);
    }
    return axes_from(x.normalized(), n);
  }

  Eigen::Matrix3d material_axes(const Eigen::Vector3d& rst) const {
    const Eigen::Vector3d n = normal(rst);
    const Eigen::Vector3d wanted =
        section_.direction.value_or(corner(element_, 1) - corner(element_, 0));
    const Eigen::Vector3d along = wanted - n * n.dot(wanted);
    if (!(along.norm() > kParallel * wanted.norm()))
      bad_shell(element_.shape, "the material direction is normal to the surface");
    const double angle = section_.direction ? 0.0 : section_.angle;
    const Eigen::Vector3d x = along.normalized();
    return axes_from(std::cos(angle) * x + std::sin(angle) * n.cross(x), n);
  }

  /// The strain of the internal modes in basic axes (6 x 4): both tangents of P_1, then of P_2.
  SixRows mode_strain(const Eigen::Vector3d& rst) const {
    const Eigen::Vector3d centre = parametric_centre(element_.shape);
    const Points middle = element_.positions + section_.offset * normals_;
    const Eigen::Matrix3d R = material_axes(centre);
    Eigen::Matrix3d J;
    J << tangents(element_.shape, middle, centre), R.col(2);
    const Eigen::Matrix3d inverse = J.inverse();
    SixRows out(6, 4);
    for (Eigen::Index k = 0; k < 2; ++k) {
      const Eigen::RowVector3d slope = -2.0 * rst(k) * inverse.row(k);
      for (Eigen::Index c = 0; c < 2; ++c)
        out.col(2 * k + c) = symmetric(R.col(c) * slope);
    }
    return out;
  }

  /// The amplitudes of the internal modes from the displacements of the nodes (4 x 24).
  /// @param D  elasticity in material axes
  Eigen::MatrixXd amplitudes(const Eigen::Matrix3d& D) const {
    Eigen::Matrix4d K_aa = Eigen::Matrix4d::Zero();
    Eigen::MatrixXd K_au = Eigen::MatrixXd::Zero(4, 24);
    const Points middle = element_.positions + section_.offset * normals_;
    for (const Eigen::Vector3d& p : integration_points(element_.shape, Integration::full)) {
      const Eigen::Matrix<double, 3, 2> g = tangents(element_.shape, middle, p);
      const Matrix6d turned = turned_strain(material_axes(p));
      const Eigen::Matrix<double, 3, 4> B_a = sheet_rows(turned * mode_strain(p));
      const Eigen::Matrix<double, 4, 3> stress =
          g.col(0).cross(g.col(1)).norm() * B_a.transpose() * D;
      K_aa += stress * B_a;
      K_au += stress * sheet_rows(turned * basic_strain(p, section_.offset));
    }
    return -K_aa.ldlt().solve(K_au);
  }

  static Eigen::Matrix<double, 3, Eigen::Dynamic> sheet_rows(const SixRows& six) {
    Eigen::Matrix<double, 3, Eigen::Dynamic> out(3, six.cols());
    for (Eigen::Index i = 0; i < 3; ++i)
      out.row(i) = six.row(kSheet[i]);
    return out;
  }

  /// Rows of the six strain components in basic axes at height z above the nodes.
  SixRows basic_strain(const Eigen::Vector3d& rst, double z) const {
    const ShapeFunctions f = shape_functions(element_.shape, rst);
    const Points lifted = element_.positions + z * normals_;
    Eigen::Matrix3d J;
    J << lifted.transpose() * f.derivatives.leftCols<2>(), normals_.transpose() * f.N;
    const Eigen::Vector3d n = J.col(0).cross(J.col(1));
    if (!(n.norm() > kParallel * J.col(0).norm() * J.col(1).norm()) || !(n.dot(J.col(2)) > 0.0))
      bad_shell(element_.shape, "its sides cross, or it is thicker than its radius of curvature");
    const Eigen::Matrix3d inverse = J.inverse();
    SixRows out(6, 6 * lifted.rows());
    for (Eigen::Index i = 0; i < lifted.rows(); ++i) {
      // grad of u = N_i u_i, and of u = N_i z θ_i × n_i
      const Eigen::RowVector3d flat(f.derivatives(i, 0), f.derivatives(i, 1), 0.0);
      const Eigen::RowVector3d slope = flat * inverse;
      const Eigen::RowVector3d lever = (z * flat + Eigen::RowVector3d(0, 0, f.N(i))) * inverse;
      for (int k = 0; k < 3; ++k) {
        const Eigen::Vector3d unit = Eigen::Vector3d::Unit(k);
        const Eigen::Vector3d arm = unit.cross(normals_.row(i).transpose());
        out.col(6 * i + k) = symmetric(unit * slope);
        out.col(6 * i + 3 + k) = symmetric(arm * lever);
      }
    }
    return out;
  }

  static Eigen::Matrix<double, 6, 1> symmetric(const Eigen::Matrix3d& gradient) {
    Eigen::Matrix<double, 6, 1> e;
    e << gradient(0, 0), gradient(1, 1), gradient(2, 2), gradient(0, 1) + gradient(1, 0),
        gradient(1, 2) + gradient(2, 1), gradient(2, 0) + gradient(0, 2);
    return e;
  }

  const Element& element_;
  const ShellSection& section_;
  const StressRequest& request_;
  Points normals_;
  Eigen::Matrix3d D_;           // in material axes; identity for strain
  Eigen::MatrixXd amplitudes_;  // of the internal modes; empty without them
};

}  // namespace

Points node_normals(ElementShape shape, const Points& positions) {
  Points out(positions.rows(), 3);
  const std::vector<Eigen::Vector3d> nodes = parametric_nodes(shape);
  for (Eigen::Index i = 0; i < out.rows(); ++i) {
    const Eigen::Matrix<double, 3, 2> g =
        tangents(shape, positions, nodes[static_cast<std::size_t>(i)]);
    out.row(i) = unit_normal(shape, g.col(0), g.col(1)).transpose();
  }
  return out;
}

std::optional<Eigen::Vector3d> mean_direction(std::span<const Eigen::Vector3d> directions) {
  constexpr double kKnotCosine = 0.939693;  // of 20 degrees
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  for (const Eigen::Vector3d& each : directions) {
    if (!(each.dot(directions.front()) > kKnotCosine)) return std::nullopt;
    sum += each;
  }
  return sum.normalized();
}

StressMap shell_map(const Element& element, const StressRequest& request) {
  const bool basic = request.axes == Axes::basic;
  if (basic && request.quantity == Quantity::strain)
    throw UsageError("no-such-quantity",
                     "strain of a shell in basic axes: the strain across the thickness is unknown",
                     {},
                     "ask for stress, or for strain in element or material axes");
  std::vector<Component> components = {Component::xx, Component::yy, Component::xy};
  if (basic)
    components = {
        Component::xx, Component::yy, Component::zz, Component::xy, Component::yz, Component::zx};
  return map_of_field(ShellField(element, request), element, request, components);
}

}  // namespace femflex::elements
