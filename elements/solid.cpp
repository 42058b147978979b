// Recovery matrix of solids: epsilon = sym grad u with
//   grad N = J^-T dN/d(r, s, t),  J = dx/d(r, s, t);
// stress by the elasticity of the material in its axes. No incompatible modes: they vanish at
// the centre. hexahedron8 with one point has the mean of grad N over its volume [Flanagan 1981].
#include "solid.h"

#include <fmt/format.h>

#include "femflex/dense.h"
#include "femflex/errors.h"

#include "field.h"
#include "shape_functions.h"
#include "tensors.h"

namespace femflex::elements {
namespace {

class SolidField final : public Field {
 public:
  SolidField(const Element& element, const StressRequest& request)
      : element_(element),
        axes_(std::get<SolidSection>(element.section).axes),
        from_strain_(Matrix6d::Identity()) {
    if (request.quantity == Quantity::strain) return;
    const Matrix6d D = solid_elasticity(element.material);
    from_strain_ = turned_stress(axes_.transpose()) * D * turned_strain(axes_);
  }

  StressPoint point(const Eigen::Vector3d& rst, Layer /*layer*/) const override {
    StressPoint out;
    out.position = element_.positions.transpose() * shape_functions(element_.shape, rst).N;
    out.axes = axes_;
    return out;
  }

  SixRows values(const Eigen::Vector3d& rst, Layer /*layer*/) const override {
    if (element_.shape != ElementShape::hexahedron8 || element_.integration == Integration::full) {
      const Slopes slopes = slopes_at(rst);
      return from_strain_ * strain_rows(slopes.dN_dx);
    }
    Slopes mean;
    mean.dN_dx.setZero(8, 3);
    for (const Eigen::Vector3d& p : integration_points(element_.shape, Integration::full)) {
      const Slopes here = slopes_at(p);
      mean.dN_dx += here.volume * here.dN_dx;
      mean.volume += here.volume;
    }
    return from_strain_ * strain_rows(mean.dN_dx / mean.volume);
  }

  std::vector<Layer> layers() const override { return {Layer::none}; }

 private:
  struct Slopes {
    double volume = 0.0;                             // per parametric volume [m^3]
    Eigen::Matrix<double, Eigen::Dynamic, 3> dN_dx;  // one row per node [1/m]
  };

  Slopes slopes_at(const Eigen::Vector3d& rst) const {
    const ShapeFunctions f = shape_functions(element_.shape, rst);
    const Eigen::Matrix3d J = element_.positions.transpose() * f.derivatives;
    const double volume = J.determinant();
    // an element is flat if its volume is below this share of the box with the edges of J
    // (round-off)
    constexpr double kFlat = 1e-12;
    const double box = J.colwise().norm().prod();
    if (!(volume > kFlat * box))
      throw ModelError("degenerate-element",
                       fmt::format("{}: the Jacobian {} m^3 is not above 0 inside the element",
                                   topology_of(element_.shape).name,
                                   volume),
                       {},
                       "check the order of the nodes and the shape of the element");
    return {volume, f.derivatives * J.inverse()};
  }

  /// The B matrix.
  static SixRows strain_rows(const Eigen::Matrix<double, Eigen::Dynamic, 3>& dN_dx) {
    SixRows B = SixRows::Zero(6, 3 * dN_dx.rows());
    for (Eigen::Index i = 0; i < dN_dx.rows(); ++i) {
      const double x = dN_dx(i, 0);
      const double y = dN_dx(i, 1);
      const double z = dN_dx(i, 2);
      B.middleCols<3>(3 * i) << x, 0, 0, 0, y, 0, 0, 0, z, y, x, 0, 0, z, y, z, 0, x;
    }
    return B;
  }

  const Element& element_;
  Eigen::Matrix3d axes_;
  Matrix6d from_strain_;  // in basic axes
};

}  // namespace

StressMap solid_map(const Element& element, const StressRequest& request) {
  return map_of_field(
      SolidField(element, request),
      element,
      request,
      {Component::xx, Component::yy, Component::zz, Component::xy, Component::yz, Component::zx});
}

}  // namespace femflex::elements
