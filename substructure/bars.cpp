// Makes parts (dynamic stiffnesses R(s) on ports) from bars, which have a stiffness and a damping
// along one axis and half their mass at each end. Extends such parts to two or three dimensions and
// rotates them.
#include "femflex/substructure/bars.h"

#include <cmath>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/unit_constants.h"

namespace femflex::substructure {

using Eigen::Index;
using Eigen::MatrixXd;

DynamicStiffness bar_part(const Bar& bar) {
  for (const double v : {bar.mass, bar.stiffness, bar.damping}) {
    if (!std::isfinite(v) || v < 0.0) {
      throw ModelError("bar",
                       fmt::format("the bar has mass {}, stiffness {}, damping {}; each must be "
                                   "finite and not negative",
                                   bar.mass,
                                   bar.stiffness,
                                   bar.damping));
    }
  }
  if (bar.mass == 0.0 && bar.stiffness == 0.0 && bar.damping == 0.0) {
    throw ModelError(
        "bar", "the bar has no mass, stiffness or damping", {}, "give at least one of them");
  }
  const Eigen::Matrix2d ends = Eigen::Matrix2d::Identity();
  const Eigen::Matrix2d coupling = (Eigen::Matrix2d() << 1.0, -1.0, -1.0, 1.0).finished();
  DynamicStiffness part =
      from_matrices(bar.mass / 2.0 * ends, bar.damping * coupling, bar.stiffness * coupling);
  part.is_axial = true;
  return part;
}

DynamicStiffness with_dimension(const DynamicStiffness& axial,
                                int dimension,
                                std::optional<double> transverse) {
  if (dimension != 2 && dimension != 3) {
    throw ModelError("dimension", fmt::format("the dimension is {}, expected 2 or 3", dimension));
  }
  if (axial.inner_count() > 0) {
    throw ModelError(
        "inner-coordinates",
        fmt::format("part '{}' has inner coordinates, which cannot be extended to more "
                    "dimensions",
                    axial.name));
  }
  const Index n = axial.size() * dimension;
  DynamicStiffness out;
  out.name = axial.name;
  std::vector<double> transverse_mass;
  for (Index i = 0; i < axial.size(); ++i) {
    const double mass_of_port = axial.order() >= 2 ? axial.coefficients[2].coeff(i, i) : 0.0;
    transverse_mass.push_back(transverse.value_or(mass_of_port));
  }
  const auto order = static_cast<std::size_t>(std::max(axial.order(), 2));
  for (std::size_t power = 0; power <= order; ++power) {
    std::vector<Entry> entries;
    if (power < axial.coefficients.size()) {
      const SparseMatrix& a = axial.coefficients[power];
      for (Index j = 0; j < a.outerSize(); ++j) {
        for (SparseMatrix::InnerIterator it(a, j); it; ++it) {
          entries.push_back({it.row() * dimension, j * dimension, it.value()});
        }
      }
    }
    if (power == 2) {
      for (Index i = 0; i < n; ++i) {
        const double mass = transverse_mass[static_cast<std::size_t>(i / dimension)];
        if (i % dimension != 0) entries.push_back({i, i, mass});
      }
    }
    out.coefficients.push_back(assemble(n, n, entries));
  }
  for (Index i = 0; i < axial.size(); ++i) {
    for (int d = 0; d < dimension; ++d) {
      out.ports.push_back(fmt::format("{}{}", "xyz"[d], axial.ports[static_cast<std::size_t>(i)]));
    }
  }
  return make_part(std::move(out));
}

DynamicStiffness rotated(const DynamicStiffness& part, const Eigen::Ref<const MatrixXd>& rotation) {
  // allowed error of a rotation; files have ten digits or more
  constexpr double kOrthogonal = 1e-9;
  const Index d = rotation.rows();
  if ((d != 2 && d != 3) || rotation.cols() != d) {
    throw ModelError(
        "rotation",
        fmt::format("the rotation is {} x {}, expected 2 x 2 or 3 x 3", d, rotation.cols()));
  }
  if ((rotation * rotation.transpose() - MatrixXd::Identity(d, d)).cwiseAbs().maxCoeff() >
      kOrthogonal) {
    throw ModelError("rotation", "the rotation is not orthogonal");
  }
  if (part.port_count() % d != 0) {
    throw ModelError(
        "rotation",
        fmt::format(
            "part '{}' has {} ports, not a multiple of {}", part.name, part.port_count(), d),
        {},
        "extend the part to two or three dimensions before it is rotated");
  }
  if (part.is_axial) {
    throw ModelError("rotation",
                     fmt::format("part '{}' cannot be rotated: a bar has one direction", part.name),
                     {},
                     "add \"dimension\": 2 or 3");
  }
  MatrixXd T = MatrixXd::Zero(part.port_count(), part.port_count());
  for (Index i = 0; i < part.port_count(); i += d)
    T.block(i, i, d, d) = rotation;
  return transformed(part, T);
}

Eigen::Matrix2d plane_rotation(double angle_degrees) {
  const double turn = std::remainder(angle_degrees, 360.0);
  double c = std::cos(turn * kDegree);
  double s = std::sin(turn * kDegree);
  if (std::remainder(turn, 90.0) == 0.0) {
    c = std::round(c);
    s = std::round(s);
  }
  return (Eigen::Matrix2d() << c, s, -s, c).finished();
}

Eigen::Matrix3d frame_along(const Eigen::Vector3d& axis) {
  const double length = axis.norm();
  if (!(length > 0.0) || !std::isfinite(length)) {
    throw ModelError("rotation", "the axis of the part has length zero");
  }
  const Eigen::Vector3d x = axis / length;
  Eigen::Vector3d::Index smallest = 0;
  x.cwiseAbs().minCoeff(&smallest);
  const Eigen::Vector3d y = Eigen::Vector3d::Unit(smallest).cross(x).normalized();
  Eigen::Matrix3d frame;
  frame << x.transpose(), y.transpose(), x.cross(y).transpose();
  return frame;
}

}  // namespace femflex::substructure
