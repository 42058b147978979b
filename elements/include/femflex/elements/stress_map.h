// stress_map(): the recovery matrix, which gives strain, stress or forces of an element from its
// displacements: s = S u. u contains the displacements of the nodes, one node after the other (see
// dofs_per_node). The room durability uses it.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <Eigen/Core>

#include "femflex/elements/element.h"

namespace femflex::elements {

enum class Quantity : std::uint8_t {
  stress,  ///< [Pa]
  strain,  ///< [-]; shear as gamma = 2 epsilon
  force,   ///< of bars, beams, rods and springs: force [N] and moment [N m]
};

enum class Axes : std::uint8_t {
  basic,    ///< axes of the node positions; not for bars, beams, rods and springs
  element,  ///< solids: SolidSection::axes; others: see StressPoint::axes
  material  ///< axes 1, 2 of a shell's material; for other elements as `element`
};

enum class Place : std::uint8_t {
  centre,
  integration_point,
  corner,
  end,   ///< of bars and beams: 0 is A, 1 is B
  node,  ///< mean of the elements at a node, as written by FE codes; does not occur in a StressMap
};

/// Layer of a shell. The faces are at -thickness/2 and +thickness/2, or at ShellSection::fibres.
enum class Layer : std::uint8_t { none, bottom, top };

/// The meaning of a row of the matrix. Stress and strain use those up to torsion, in this order;
/// forces use those from the axial one on.
enum class Component : std::uint8_t {
  xx,
  yy,
  zz,
  xy,
  yz,
  zx,
  torsion,   ///< largest shear stress (or gamma) due to torsion: torque × torsion_radius / J
  axial,     ///< force along x, tension positive
  shear_1,   ///< V1 = -dM1/dx, along y
  shear_2,   ///< V2 = -dM2/dx, along z
  torque,    ///< about x
  moment_1,  ///< M1 = E (I1 v'' + I12 w''): stress is -M1 y / I1 if I12 = 0
  moment_2,  ///< M2 = E (I12 v'' + I2 w''): stress is -M2 z / I2 if I12 = 0
  moment_y,  ///< of springs, about y
  moment_z,  ///< of springs, about z
};

/// The place of a row.
struct StressPoint {
  Place place = Place::centre;
  int index = 0;   ///< number of the integration point, corner or end, counted from 0
  int fibre = -1;  ///< recovery point of a beam, counted from 0; -1: none
  Layer layer = Layer::none;
  Eigen::Vector3d position = Eigen::Vector3d::Zero();  ///< in basic axes [m]
  /// Columns: the axes of the components, in basic axes. Element axes of shells: z is the normal.
  /// quad4 has x halfway between the diagonals (1-3 and 4-2). In other quadrangles, x and y have
  /// equal angles to the two parametric lines. Triangles have x along the first parametric line
  /// (side 1-2).
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();
};

struct StressRow {
  int point = 0;  ///< index in StressMap::points
  Component component = Component::xx;
};

struct StressMap {
  Quantity quantity = Quantity::stress;
  Axes axes = Axes::element;
  std::vector<StressPoint> points;
  std::vector<StressRow> rows;  ///< one per row of the matrix
  Eigen::MatrixXd matrix;       ///< (rows × DOFs of the element)
};

/// The values to recover for an element. The centre of an element with mid nodes whose rule has no
/// integration point there is that of the fit of the corners.
struct StressRequest {
  Quantity quantity = Quantity::stress;
  Axes axes = Axes::element;
  bool centre = true;
  bool integration_points = false;
  /// Solids and shells: the linear function over the corners that fits the values at the
  /// integration points best (least squares; if there are several, the one nearest to their mean).
  bool corners = false;
};

/// The recovery matrix. Solids have six components at each point. Shells have xx, yy, xy at both
/// faces (six components in basic axes; transverse shear is zero there). Bars and beams have xx at
/// each end and recovery point (at the centroid if there are none), and torsion. Rods have xx and
/// torsion. Springs have forces only. `centre`, `integration_points` and `corners` apply to solids
/// and shells.
/// @throws ModelError  the section does not belong to the shape, the number of nodes is wrong, the
/// element is degenerate or inverted, the shape has no recovery, or the material is not positive
/// definite
/// @throws UsageError  the quantity does not exist for this element
StressMap stress_map(const Element& element, const StressRequest& request = {});

/// Names of the enumerators, for files and messages.
std::string_view name_of(Quantity quantity);
std::string_view name_of(Axes axes);
std::string_view name_of(Place place);
std::string_view name_of(Layer layer);
std::string_view name_of(Component component);

/// "Pa", "1", "N" or "N m".
std::string_view unit_of(Quantity quantity, Component component);

}  // namespace femflex::elements
