// Sections (properties) of elements: solid, shell, bar or beam, rod, spring.
// Basic axes are those of the node positions.
#pragma once

#include <array>
#include <limits>
#include <optional>
#include <variant>
#include <vector>

#include <Eigen/Core>

namespace femflex::elements {

/// A solid (PSOLID, *SOLID SECTION).
struct SolidSection {
  /// Columns: axes 1, 2, 3 of the material in basic axes; these are also the element axes.
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();
};

/// A homogeneous shell (PSHELL, *SHELL SECTION). The normal n follows the right-hand rule over the
/// corners. Axes x, y are defined in StressPoint::axes.
struct ShellSection {
  double thickness = std::numeric_limits<double>::quiet_NaN();  ///< [m]
  double offset = 0.0;  ///< from the nodes to the middle surface, along n [m] (ZOFFS)
  /// Heights at which stresses are computed, from the middle surface along n [m] (Z1, Z2). Default:
  /// the faces, -thickness/2 and +thickness/2.
  std::optional<std::array<double, 2>> fibres;
  /// Direction of material axis 1: its angle to the side from corner 1 to 2, about n [rad]; not
  /// used if `direction` is given.
  double angle = 0.0;
  /// Direction of material axis 1 in basic axes, projected on the surface (MCID).
  std::optional<Eigen::Vector3d> direction;
  /// Unit normals at the nodes in basic axes, one row per node: the means over neighbours that
  /// CalculiX and Abaqus take. Empty: those of the element.
  Eigen::Matrix<double, Eigen::Dynamic, 3> normals;
};

/// A bar or beam with constant section (PBAR, PBEAM). Element axes: x from end A to end B
/// (including offsets), y in the plane of x and `orientation`, z = x × y. The line between the ends
/// is the axis of shear centres.
struct BeamSection {
  double area = std::numeric_limits<double>::quiet_NaN();  ///< A [m^2]
  double I1 = 0.0;   ///< ∫ y² dA about the centroid: bending in plane x-y [m^4] (IZZ)
  double I2 = 0.0;   ///< ∫ z² dA about the centroid: bending in plane x-z [m^4] (IYY)
  double I12 = 0.0;  ///< ∫ y z dA about the centroid [m^4]
  double J = 0.0;    ///< torsion constant [m^4]
  /// Shear area divided by area in planes 1 and 2 (K1, K2); 0 or absent: rigid in shear. They are
  /// empty by default in PBAR, and 1.0 in PBEAM.
  std::optional<double> K1, K2;
  Eigen::Vector2d centroid = {0.0, 0.0};  ///< y, z of the centroid from the shear centre [m]
  /// y, z of points where stress due to bending and axial force is computed, from the centroid [m]
  /// (C, D, E, F).
  std::vector<Eigen::Vector2d> recovery_points;
  double torsion_radius = 0.0;  ///< shear stress is torque × torsion_radius / J [m]
  Eigen::Vector3d orientation = Eigen::Vector3d::Zero();  ///< in the plane x-y; basic axes
  std::array<Eigen::Vector3d, 2> offsets = {
      Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero()};  ///< from node to end [m], basic axes
  /// DOFs of ends A, B that transmit no force (pin flags PA, PB): bit k is DOF k of
  /// x, y, z, rx, ry, rz in element axes.
  std::array<unsigned, 2> released = {0U, 0U};
};

/// A rod: tension and torsion (PROD).
struct RodSection {
  double area = std::numeric_limits<double>::quiet_NaN();  ///< A [m^2]
  double J = 0.0;                                          ///< torsion constant [m^4]
  double torsion_radius = 0.0;  ///< shear stress is torque × torsion_radius / J [m] (C)
};

/// Springs along and about three axes, at a point between two nodes (PBUSH) or between DOFs of two
/// nodes (PELAS: one stiffness, no arms).
struct SpringSection {
  Eigen::Matrix<double, 6, 1> stiffness =
      Eigen::Matrix<double, 6, 1>::Zero();             ///< [N/m], [N m/rad]
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();  ///< columns: spring axes in basic axes
  /// Share of the distance from A to B at which the springs are; rigid arms connect both nodes to
  /// that point. Absent: no arms; the displacements of the nodes are compared directly.
  std::optional<double> location = 0.5;
};

using Section = std::variant<SolidSection, ShellSection, BeamSection, RodSection, SpringSection>;

}  // namespace femflex::elements
