// Linear elastic materials of elements and their elasticity matrices.
// Order of components everywhere: xx, yy, zz, xy, yz, zx; shear strain is gamma = 2 epsilon.
#pragma once

#include <optional>
#include <variant>

#include <Eigen/Core>

namespace femflex::elements {

using Matrix6d = Eigen::Matrix<double, 6, 6>;

/// Isotropic, with an independent shear modulus as in NASTRAN's MAT1. FE codes use `E` and `nu` for
/// solids, membranes and bending of shells, and `G` for torsion and shear of bars and beams.
struct Isotropic {
  double E = 0.0;    ///< Young's modulus [Pa]
  double nu = 0.0;   ///< Poisson's ratio
  double G = 0.0;    ///< shear modulus of bars and beams [Pa]
  double rho = 0.0;  ///< density [kg/m^3]
};

/// Makes an isotropic material. If one of E, G and nu is missing, it is computed from E = 2 G (1 +
/// nu). If nu and one of E and G are missing, both are 0 (MAT1).
/// @throws ModelError  E and G are both missing, or a value is out of range
Isotropic make_isotropic(std::optional<double> E,
                         std::optional<double> G,
                         std::optional<double> nu,
                         double rho = 0.0);

/// An orthotropic sheet in plane stress (MAT8). The section defines the direction of axis 1.
struct OrthotropicSheet {
  double E1 = 0.0, E2 = 0.0;  ///< [Pa]
  double nu12 = 0.0;          ///< under stress along 1: strain along 2 = -nu12 * strain along 1
  double G12 = 0.0;           ///< in-plane shear modulus [Pa]
  double rho = 0.0;           ///< density [kg/m^3]
};

/// An orthotropic solid (`*ELASTIC, TYPE=ENGINEERING CONSTANTS`). The section defines the axes.
/// Under stress along i, strain along j = -nu_ij * strain along i.
struct OrthotropicSolid {
  double E1 = 0.0, E2 = 0.0, E3 = 0.0;        ///< [Pa]
  double nu12 = 0.0, nu13 = 0.0, nu23 = 0.0;  ///< Poisson's ratios
  double G12 = 0.0, G13 = 0.0, G23 = 0.0;     ///< shear moduli [Pa]
  double rho = 0.0;                           ///< density [kg/m^3]
};

using Material = std::variant<Isotropic, OrthotropicSheet, OrthotropicSolid>;

/// Elasticity matrix of a solid: stress from strain, in material axes [Pa].
/// @throws ModelError  the material is one for sheets, or not positive definite
Matrix6d solid_elasticity(const Material& material);

/// Elasticity matrix for stress zz = 0: stress xx, yy, xy from strain xx, yy, xy, in material axes
/// [Pa].
/// @throws ModelError  the material is not positive definite
Eigen::Matrix3d sheet_elasticity(const Material& material);

/// Young's modulus and shear modulus of bars and beams [Pa].
/// @throws ModelError  the material is not isotropic, or E or G is negative or not finite
Isotropic bar_material(const Material& material);

}  // namespace femflex::elements
