// Recovery matrix of Timoshenko beams, exact without distributed load [Przemieniecki 1968]. d:
// displacements of ends A, B in element axes (x, y, z, rx, ry, rz each). Slopes psi = (rz, -ry),
// deflections w = (y, z), curvature kappa = psi' = a + b x, shear strain gamma = w' - psi = -C b, C
// = S E I, S = diag(1 / (K_i G A)), I the 2×2 matrix of second moments. With internal modes (B31 of
// CalculiX, a solid) w and psi are linear between the nodes, and the shear force is that of the
// mean shear strain.
#include "beam.h"

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include "femflex/dense.h"
#include "femflex/errors.h"

namespace femflex::elements {
namespace {

using Rows12 = Eigen::Matrix<double, Eigen::Dynamic, 12>;
using Row12 = Eigen::Matrix<double, 1, 12>;
using Matrix12d = Eigen::Matrix<double, 12, 12>;

/// Deformation as a function of d: each member has one or two rows with twelve columns.
struct Deformation {
  Row12 extension;                 ///< strain of the centroid
  Row12 twist;                     ///< [rad/m]
  Eigen::Matrix<double, 2, 12> a;  ///< curvature at A [1/m]
  Eigen::Matrix<double, 2, 12> b;  ///< derivative of the curvature [1/m^2]
};

[[noreturn]] void bad_beam(const std::string& what) {
  throw ModelError("bad-section",
                   "beam: " + what,
                   {},
                   "check nodes, offsets, orientation, section and material of the element");
}

struct Beam {
  explicit Beam(const Element& element);

  Matrix12d ends_from_nodes() const;
  Deformation deformation() const;
  Matrix12d stiffness(const Deformation& e) const;

  const BeamSection& section;
  bool is_linear;  ///< with internal modes
  Isotropic material;
  Eigen::Vector3d end_A;
  double length = 0.0;                          // L [m]
  Eigen::Matrix3d axes;                         // columns in basic axes
  Eigen::Matrix2d EI;                           // [N m^2]
  Eigen::Matrix2d S = Eigen::Matrix2d::Zero();  // [1/N]
};

Beam::Beam(const Element& element)
    : section(std::get<BeamSection>(element.section)),
      is_linear(element.integration == Integration::internal_modes),
      material(bar_material(element.material)) {
  end_A = element.positions.row(0).transpose() + section.offsets[0];
  const Eigen::Vector3d along = element.positions.row(1).transpose() + section.offsets[1] - end_A;
  length = along.norm();
  if (!(length > 0.0) || !std::isfinite(length)) bad_beam("no length");
  if (!(section.area >= 0.0)) bad_beam(fmt::format("area {} m^2", section.area));
  constexpr double kOnAxis = 1e-9;  // sine of the angle to the axis, above round-off
  const Eigen::Vector3d x = along / length;
  const Eigen::Vector3d z = x.cross(section.orientation);
  if (!(z.norm() > kOnAxis * section.orientation.norm()))
    bad_beam("the orientation vector is parallel to the axis, or missing");
  axes << x, z.normalized().cross(x), z.normalized();

  EI << section.I1, section.I12, section.I12, section.I2;
  if (!(section.I1 >= 0.0 && section.I2 >= 0.0 && section.J >= 0.0) ||
      section.I12 * section.I12 > section.I1 * section.I2)
    bad_beam(fmt::format("I1 {}, I2 {}, I12 {}, J {} m^4: expected I1 I2 of at least I12^2",
                         section.I1,
                         section.I2,
                         section.I12,
                         section.J));
  EI *= material.E;
  if (is_linear && (!(section.K1 > 0.0) || !(section.K2 > 0.0)))
    bad_beam("an element with internal modes needs shear factors above 0");
  for (const int plane : {0, 1}) {
    const double K = (plane == 0 ? section.K1 : section.K2).value_or(0.0);
    if (K == 0.0) continue;
    const double stiffness = K * material.G * section.area;
    if (!(stiffness > 0.0))
      bad_beam(fmt::format(
          "shear factor {} with G A = {} N: expected above 0", K, material.G * section.area));
    S(plane, plane) = 1.0 / stiffness;
  }
}

/// The matrix T in d = T u, from the rigid arms between nodes and ends.
Matrix12d Beam::ends_from_nodes() const {
  Matrix12d T = Matrix12d::Zero();
  for (const int end : {0, 1}) {
    const Eigen::Vector3d& arm = section.offsets[static_cast<std::size_t>(end)];
    Eigen::Matrix3d turn;  // θ × arm = turn θ
    turn << 0, arm.z(), -arm.y(), -arm.z(), 0, arm.x(), arm.y(), -arm.x(), 0;
    T.block<3, 3>(6 * end, 6 * end) = axes.transpose();
    T.block<3, 3>(6 * end, 6 * end + 3) = axes.transpose() * turn;
    T.block<3, 3>(6 * end + 3, 6 * end + 3) = axes.transpose();
  }
  return T;
}

Deformation Beam::deformation() const {
  const double L = length;
  const auto unit = [](int k) -> Row12 { return Row12::Unit(k); };
  const auto slopes = [&](int end) {
    Eigen::Matrix<double, 2, 12> psi;
    psi << unit(6 * end + 5), -unit(6 * end + 4);
    return psi;
  };
  Eigen::Matrix<double, 2, 12> w;  // at B minus at A
  w << unit(7) - unit(1), unit(8) - unit(2);
  const Eigen::Matrix<double, 2, 12> psi_A = slopes(0);
  const Eigen::Matrix<double, 2, 12> psi = slopes(1) - psi_A;  // at B minus at A

  Deformation e;
  e.extension = (unit(6) - unit(0) - section.centroid.transpose() * psi) / L;
  e.twist = (unit(9) - unit(3)) / L;
  // psi = a L + b L²/2;  w = psi_A L + a L²/2 + b L³/6 - C b L, without a and b in w if is_linear
  const double cubic = is_linear ? 0.0 : L * L * L / 12.0;
  const Eigen::Matrix2d bend = cubic * Eigen::Matrix2d::Identity() + L * S * EI;
  e.b = -bend.inverse() * (w - L * psi_A - 0.5 * L * psi);
  e.a = psi / L - 0.5 * L * e.b;
  return e;
}

/// Stiffness matrix in element axes, from the energy of the deformation.
Matrix12d Beam::stiffness(const Deformation& e) const {
  const double L = length;
  const Eigen::Matrix<double, 2, 12> V = EI * e.b;
  Matrix12d K = material.E * section.area * L * e.extension.transpose() * e.extension;
  K += material.G * section.J * L * e.twist.transpose() * e.twist;
  K += L * e.a.transpose() * EI * e.a + L * L * L / 3.0 * e.b.transpose() * EI * e.b;
  const Matrix12d mixed = 0.5 * L * L * e.a.transpose() * EI * e.b;
  return K + mixed + mixed.transpose() + L * V.transpose() * S * V;
}

/// Matrix that gives d from the displacements of the arms' ends: released DOFs of d move such that
/// they transmit no force.
Matrix12d with_releases(const Matrix12d& K, const std::array<unsigned, 2>& released) {
  std::vector<int> freed;
  std::vector<int> held;
  for (int k = 0; k < 12; ++k)
    ((released[static_cast<std::size_t>(k / 6)] >> (k % 6)) & 1U ? freed : held).push_back(k);
  Matrix12d out = Matrix12d::Identity();
  if (freed.empty()) return out;
  for (const int k : freed)
    out(k, k) = 0.0;
  // a mechanism (both ends free to twist) has no force, so the smallest displacement is used
  const Eigen::MatrixXd moved =
      -K(freed, freed).completeOrthogonalDecomposition().solve(K(freed, held));
  out(freed, held) = moved;
  return out;
}

/// Collects the points and rows of a map.
struct Rows {
  StressMap& map;
  std::vector<Row12> rows = {};

  void point(const StressPoint& at) { map.points.push_back(at); }
  void row(Component component, const Row12& values) {
    map.rows.push_back({static_cast<int>(map.points.size()) - 1, component});
    rows.push_back(values);
  }
};

StressPoint at_end(const Beam& beam, int end, int fibre, const Eigen::Vector2d& from_axis) {
  StressPoint out{.place = Place::end, .index = end, .fibre = fibre};
  out.position =
      beam.end_A +
      beam.axes * Eigen::Vector3d(end == 0 ? 0.0 : beam.length, from_axis.x(), from_axis.y());
  out.axes = beam.axes;
  return out;
}

void add_stress(Rows& out, const Beam& beam, const Deformation& e, Quantity quantity) {
  const bool is_strain = quantity == Quantity::strain;
  const double E = is_strain ? 1.0 : beam.material.E;
  const double G = is_strain ? 1.0 : beam.material.G;
  std::vector<Eigen::Vector2d> points = beam.section.recovery_points;
  const bool centroid_only = points.empty();
  if (centroid_only) points.emplace_back(0.0, 0.0);
  for (const int end : {0, 1}) {
    const Eigen::Matrix<double, 2, 12> kappa = e.a + (end == 0 ? 0.0 : beam.length) * e.b;
    for (std::size_t k = 0; k < points.size(); ++k) {
      out.point(at_end(
          beam, end, centroid_only ? -1 : static_cast<int>(k), beam.section.centroid + points[k]));
      out.row(Component::xx, E * (e.extension - points[k].transpose() * kappa));
    }
  }
  for (const int end : {0, 1}) {
    out.point(at_end(beam, end, -1, Eigen::Vector2d::Zero()));
    out.row(Component::torsion, G * beam.section.torsion_radius * e.twist);
  }
}

void add_forces(Rows& out, const Beam& beam, const Deformation& e) {
  const Eigen::Matrix<double, 2, 12> V = -beam.EI * e.b;
  for (const int end : {0, 1}) {
    const Eigen::Matrix<double, 2, 12> M = beam.EI * (e.a + (end == 0 ? 0.0 : beam.length) * e.b);
    out.point(at_end(beam, end, -1, Eigen::Vector2d::Zero()));
    out.row(Component::axial, beam.material.E * beam.section.area * e.extension);
    out.row(Component::shear_1, V.row(0));
    out.row(Component::shear_2, V.row(1));
    out.row(Component::torque, beam.material.G * beam.section.J * e.twist);
    out.row(Component::moment_1, M.row(0));
    out.row(Component::moment_2, M.row(1));
  }
}

}  // namespace

StressMap beam_map(const Element& element, const StressRequest& request) {
  const Beam beam(element);
  const Deformation e = beam.deformation();
  StressMap map{.quantity = request.quantity, .axes = request.axes};
  Rows out{map};
  if (request.quantity == Quantity::force)
    add_forces(out, beam, e);
  else
    add_stress(out, beam, e, request.quantity);
  Rows12 rows(static_cast<Eigen::Index>(out.rows.size()), 12);
  for (std::size_t k = 0; k < out.rows.size(); ++k)
    rows.row(static_cast<Eigen::Index>(k)) = out.rows[k];
  map.matrix =
      rows * with_releases(beam.stiffness(e), beam.section.released) * beam.ends_from_nodes();
  return map;
}

}  // namespace femflex::elements
