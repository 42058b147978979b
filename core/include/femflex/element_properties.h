// Materials and sections of finite elements as decks give them, from which stresses are computed.
// Numbers are in the units of the model, directions in basic axes.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <Eigen/Core>

namespace femflex {

/// A linear elastic material (MAT1, MAT8, *MATERIAL).
struct FeMaterial {
  enum class Kind : std::uint8_t { isotropic, sheet, solid };

  std::string name;  ///< id of the card, or name
  Kind kind = Kind::isotropic;
  /// isotropic: E, nu, G (of bars and beams); NaN where the card is blank.
  /// sheet (orthotropic, plane stress): E1, E2, nu12, G12; solid (orthotropic): E1, E2, E3, nu12,
  /// nu13, nu23, G12, G13, G23. Entries that a kind does not use are 0.
  std::array<double, 9> constants{};
  double density = 0.0;
  std::string refusal;  ///< why stresses cannot be computed; empty: they can
};

/// A property or section that elements share (PSHELL, *SOLID SECTION). Axes and signs are those of
/// femflex/elements/section.h.
struct FeProperty {
  enum class Kind : std::uint8_t { solid, shell, beam, rod };
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

  std::string type;  ///< card: PSHELL, SOLID SECTION
  std::string name;  ///< id of the card, or name of the element set
  Kind kind = Kind::solid;
  std::string material;  ///< FeMaterial::name
  /// why stresses cannot be computed ("plies are not supported"); empty: they can
  std::string refusal;
  double thickness = kNone;  ///< shells
  double offset = 0.0;       ///< shells: along the normal, from the nodes to the middle
  std::array<double, 2> fibres{kNone, kNone};         ///< shells: z of both faces; NaN: -t/2, t/2
  double area = kNone;                                ///< beams, rods
  double I1 = 0.0, I2 = 0.0, I12 = 0.0, J = 0.0;      ///< beams, rods (J alone)
  std::array<double, 2> shear_factors{kNone, kNone};  ///< K1, K2; NaN: rigid in shear
  std::array<double, 2> centroid{0.0, 0.0};           ///< y, z from the shear centre
  double torsion_radius = 0.0;          ///< shear stress is torque * torsion_radius / J
  std::vector<Eigen::Vector2d> points;  ///< y, z of the recovery points from the centroid
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();  ///< solids: of the material, as columns
};

/// How an element is integrated.
enum class ElementIntegration : std::uint8_t {
  full,
  reduced,  ///< C3D20R
  /// with internal bending modes of an unknown kind (CHEXA and CPENTA without mid nodes; C3D8I of
  /// Abaqus): stresses follow from the displacements of the nodes at the centre alone
  incompatible,
  internal_modes,  ///< with the nine internal modes of CalculiX's C3D8I, also B31
};

/// What one element adds to its property.
struct ElementSection {
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

  std::int64_t element = 0;    ///< id
  std::int32_t property = -1;  ///< index in ElementProperties::properties
  ElementIntegration integration = ElementIntegration::full;
  std::array<std::uint8_t, 2> released{};  ///< per beam end: bit k is set if DOF k + 1 is free
  double thickness = kNone;                ///< shells; NaN: that of the property
  double offset = kNone;                   ///< shells; NaN: that of the property
  double angle = 0.0;  ///< shells: material axis 1 from the side between corners 1 and 2 [rad]
  /// shells: direction of material axis 1, instead of the angle; beams: in the plane of axes x and
  /// y; NaN: none
  Eigen::Vector3d direction{kNone, kNone, kNone};
  std::array<Eigen::Vector3d, 2> ends{Eigen::Vector3d::Zero(),
                                      Eigen::Vector3d::Zero()};  ///< beams: from nodes to ends
};

/// Materials, properties and sections of a model; all empty if no deck was given.
struct ElementProperties {
  std::vector<FeMaterial> materials;
  std::vector<FeProperty> properties;
  std::vector<ElementSection> elements;  ///< in ascending order of element id, each once
};

/// The section of an element; null if it has none.
const ElementSection* find_section(const ElementProperties& properties, std::int64_t element);

}  // namespace femflex
