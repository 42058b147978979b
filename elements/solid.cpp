// Recovery matrix of solids: epsilon = sym grad u with
// grad N = J^-T dN/d(r, s, t),  J = dx/d(r, s, t).
// Stress follows from the elasticity of the material in its axes. hexahedron8 with one point has
// the mean of grad N over its volume [Flanagan 1981]. With internal modes, hexahedron8 has in
// addition
//   u = sum_k P_k a_k,  P = (1 - r^2, 1 - s^2, 1 - t^2),  grad P = J_0^-T dP/d(r, s, t),
// with J_0 at the centre [Wilson 1973], as the C3D8I of CalculiX, and amplitudes a on which no
// force acts: K_aa a = -K_au u.
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
        is_strain_(request.quantity == Quantity::strain),
        axes_(std::get<SolidSection>(element.section).axes),
        from_strain_(Matrix6d::Identity()) {
    const bool has_modes = element.shape == ElementShape::hexahedron8 &&
                           element.integration == Integration::internal_modes;
    if (is_strain_ && !has_modes) return;
    const Matrix6d D = turned_stress(axes_.transpose()) * solid_elasticity(element.material) *
                       turned_strain(axes_);
    if (has_modes) amplitudes_ = amplitudes(D);
    if (!is_strain_) from_strain_ = D;
  }

  StressPoint point(const Eigen::Vector3d& rst, Layer /*layer*/) const override {
    StressPoint out;
    out.position = element_.positions.transpose() * shape_functions(element_.shape, rst).N;
    out.axes = axes_;
    return out;
  }

  SixRows values(const Eigen::Vector3d& rst, Layer /*layer*/) const override {
    if (element_.shape != ElementShape::hexahedron8 ||
        element_.integration != Integration::reduced) {
      SixRows strain = strain_rows(slopes_at(rst).dN_dx);
      if (amplitudes_.size() > 0) strain += mode_strain(rst) * amplitudes_;
      return from_strain_ * strain;
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
  bool is_strain() const override { return is_strain_; }

 private:
  struct Slopes {
    double volume = 0.0;                             // [m^3] per unit of parametric volume
    Eigen::Matrix<double, Eigen::Dynamic, 3> dN_dx;  // one row per node [1/m]
  };

  Slopes slopes_at(const Eigen::Vector3d& rst) const {
    const ShapeFunctions f = shape_functions(element_.shape, rst);
    const Eigen::Matrix3d J = element_.positions.transpose() * f.derivatives;
    const double volume = J.determinant();
    // an element is flat if its volume, relative to a box with edges as long as the columns of J,
    // is below this round-off limit
    constexpr double kFlat = 1e-12;
    const double box = J.colwise().norm().prod();
    if (!(volume > kFlat * box))
      throw ModelError(
          "degenerate-element",
          fmt::format("{}: it is flat or inside out; its Jacobian determinant is {:.6g} m^3",
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

  /// The B matrix of the internal modes (6 x 9): x, y, z of P_1, then of P_2 and P_3.
  SixRows mode_strain(const Eigen::Vector3d& rst) const {
    const Eigen::Matrix3d J = element_.positions.transpose() *
                              shape_functions(element_.shape, Eigen::Vector3d::Zero()).derivatives;
    const Eigen::Vector3d slopes = -2.0 * rst;
    return strain_rows(slopes.asDiagonal() * J.inverse());
  }

  /// The amplitudes of the internal modes from the displacements of the nodes (9 x 24).
  /// @param D  elasticity in basic axes
  Eigen::MatrixXd amplitudes(const Matrix6d& D) const {
    Eigen::MatrixXd K_aa = Eigen::MatrixXd::Zero(9, 9);
    Eigen::MatrixXd K_au = Eigen::MatrixXd::Zero(9, 24);
    for (const Eigen::Vector3d& p : integration_points(element_.shape, Integration::full)) {
      const Slopes here = slopes_at(p);
      const SixRows B_a = mode_strain(p);
      const Eigen::MatrixXd stress = here.volume * D * B_a;
      K_aa += stress.transpose() * B_a;
      K_au += stress.transpose() * strain_rows(here.dN_dx);
    }
    return -K_aa.ldlt().solve(K_au);
  }

  const Element& element_;
  bool is_strain_;
  Eigen::Matrix3d axes_;
  Matrix6d from_strain_;        // in basic axes
  Eigen::MatrixXd amplitudes_;  // of the internal modes; empty without them
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
