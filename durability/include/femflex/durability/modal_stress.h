// Stresses of all shapes at points of elements. The stress over time is s(t) = S zeta(t), with the
// matrix S made for a block of elements at a time and zeta the modal coordinates.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include <Eigen/Core>

#include "femflex/durability/stress_mesh.h"

namespace femflex::durability {

/// Points at which stresses of solids and shells are computed. Stresses of bars and beams are
/// always computed at both ends, those of solids with incompatible modes at the centre.
enum class StressPlaces : std::uint8_t { centre, corners, integration_points };

/// The six components of stress, in basic axes for solids and in element axes for shells (xx, yy,
/// xy only). Bars, beams and rods have xx, and the shear stress of torsion as xy.
inline constexpr std::array<std::string_view, 6> kComponents = {"xx", "yy", "zz", "xy", "yz", "zx"};

/// A point of an element at which stresses are computed.
struct StressLocation {
  std::size_t element = 0;  ///< index in the mesh
  elements::StressPoint point;
  elements::Axes axes = elements::Axes::element;  ///< axes of the components
  /// row of the matrix S for each component; -1: the component is zero
  std::array<std::int32_t, 6> rows{-1, -1, -1, -1, -1, -1};
  std::int64_t node = 0;  ///< node of a corner, an end or a nodal mean that an FE program wrote; 0:
                          ///< none
  int ply = -1;           ///< ply of a laminate, counted from 0; -1: none
};

/// Name of the face or recovery point: "bottom", "top", "ply 1", "none"; recovery points of beams
/// are "C" to "F", then "5", "6" and so on.
std::string face_of(const StressLocation& location);

/// Stresses of some elements, per unit of each shape.
struct ModalStress {
  std::vector<StressLocation> locations;
  Eigen::MatrixXd S;  ///< (rows x shapes) [Pa per unit of the shape]
};

/// Computes the stresses of the elements `first` to `last` - 1 of the mesh.
/// @throws ModelError  an element is degenerate, or its material is not positive definite
ModalStress modal_stress(const StressMesh& mesh,
                         std::size_t first,
                         std::size_t last,
                         StressPlaces places);

}  // namespace femflex::durability
