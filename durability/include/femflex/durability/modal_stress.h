// Stresses of all shapes at points of elements: s(t) = S zeta(t), with S made block by block.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include <Eigen/Core>

#include "femflex/durability/stress_mesh.h"

namespace femflex::durability {

/// Where stresses of solids and shells are computed. Bars and beams always have them at both ends,
/// solids with incompatible modes at the centre.
enum class StressPlaces : std::uint8_t { centre, corners, integration_points };

/// The six components xx, yy, zz, xy, yz, zx: stress in basic axes for solids, element axes for
/// shells (xx, yy, xy), xx of bars, beams and rods with the shear stress of torsion as xy.
inline constexpr std::array<std::string_view, 6> kComponents = {"xx", "yy", "zz", "xy", "yz", "zx"};

/// A point of an element at which stresses are computed.
struct StressLocation {
  std::size_t element = 0;  ///< in the mesh
  elements::StressPoint point;
  elements::Axes axes = elements::Axes::element;  ///< of the components
  /// row of the matrix for each component; -1: it is zero
  std::array<std::int32_t, 6> rows{-1, -1, -1, -1, -1, -1};
  std::int64_t node = 0;  ///< node of a corner, end or nodal mean that an FE code wrote; else 0
  int ply = -1;           ///< of a laminate, from 0; -1: none
};

/// "bottom", "top", "ply 1", "none"; for recovery points of beams "C" to "F", then "5", "6", ...
std::string face_of(const StressLocation& location);

/// Stresses of some elements.
struct ModalStress {
  std::vector<StressLocation> locations;
  Eigen::MatrixXd S;  ///< (rows x shapes) [Pa per unit of the shape]
};

/// Stresses of elements `first` to `last` - 1 of the mesh.
/// @throws ModelError  an element is degenerate, or its material is not positive definite
ModalStress modal_stress(const StressMesh& mesh,
                         std::size_t first,
                         std::size_t last,
                         StressPlaces places);

}  // namespace femflex::durability
