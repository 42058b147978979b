// Elasticity matrices: isotropic and orthotropic, of solids and of sheets in plane stress.
// C is the compliance (strain from stress), D = C^-1 the elasticity (stress from strain).
#include "femflex/elements/material.h"

#include <cmath>

#include <Eigen/Cholesky>
#include <fmt/format.h>

#include "femflex/dense.h"
#include "femflex/errors.h"

namespace femflex::elements {
namespace {

[[noreturn]] void bad_material(const std::string& message) {
  throw ModelError("bad-material", message, {}, "correct the material of the element");
}

double positive_modulus(double value, const char* name) {
  if (!(value > 0.0) || !std::isfinite(value))
    bad_material(fmt::format("{} = {} Pa: expected a modulus above 0", name, value));
  return value;
}

/// The inverse of a compliance whose upper left block contains the Poisson coupling.
template <int n>
Eigen::Matrix<double, n, n> elasticity_from(const Eigen::Matrix<double, n, n>& C) {
  if (!C.allFinite() || Eigen::LLT<Eigen::Matrix<double, n, n>>(C).info() != Eigen::Success)
    bad_material(
        "Poisson's ratios and moduli do not fit together: the elasticity is not "
        "positive definite");
  return C.inverse();
}

OrthotropicSolid as_orthotropic(const Isotropic& m) {
  const double E = positive_modulus(m.E, "E");
  if (!(m.nu > -1.0 && m.nu < 0.5))
    bad_material(fmt::format("nu = {}: expected above -1 and below 0.5 in a solid", m.nu));
  const double G = E / (2.0 * (1.0 + m.nu));
  return {.E1 = E,
          .E2 = E,
          .E3 = E,
          .nu12 = m.nu,
          .nu13 = m.nu,
          .nu23 = m.nu,
          .G12 = G,
          .G13 = G,
          .G23 = G};
}

OrthotropicSheet as_sheet(const Isotropic& m) {
  const double E = positive_modulus(m.E, "E");
  if (!(std::abs(m.nu) < 1.0))
    bad_material(fmt::format("nu = {}: expected between -1 and 1 in a sheet", m.nu));
  return {.E1 = E, .E2 = E, .nu12 = m.nu, .G12 = E / (2.0 * (1.0 + m.nu))};
}

OrthotropicSheet as_sheet(const OrthotropicSolid& m) {
  return {.E1 = m.E1, .E2 = m.E2, .nu12 = m.nu12, .G12 = m.G12};
}

OrthotropicSheet as_sheet(const OrthotropicSheet& m) {
  return m;
}

}  // namespace

Isotropic make_isotropic(std::optional<double> E,
                         std::optional<double> G,
                         std::optional<double> nu,
                         double rho) {
  if (!E && !G) bad_material("neither E nor G is given");
  Isotropic m{.rho = rho};
  m.nu = nu.value_or(E && G && *G != 0.0 ? *E / (2.0 * *G) - 1.0 : 0.0);
  m.E = E.value_or(nu ? 2.0 * *G * (1.0 + *nu) : 0.0);
  m.G = G.value_or(nu ? *E / (2.0 * (1.0 + *nu)) : 0.0);
  if (!(m.E >= 0.0 && m.G >= 0.0 && m.nu > -1.0) || !std::isfinite(m.E + m.G + m.nu))
    bad_material(
        fmt::format("E = {} Pa, G = {} Pa, nu = {}: expected moduli of at least 0 and nu above -1",
                    m.E,
                    m.G,
                    m.nu));
  return m;
}

Matrix6d solid_elasticity(const Material& material) {
  OrthotropicSolid m;
  if (const auto* isotropic = std::get_if<Isotropic>(&material))
    m = as_orthotropic(*isotropic);
  else if (const auto* solid = std::get_if<OrthotropicSolid>(&material))
    m = *solid;
  else
    bad_material("a material of sheets (MAT8) belongs to a solid element");
  Matrix6d C = Matrix6d::Zero();
  C(0, 0) = 1.0 / positive_modulus(m.E1, "E1");
  C(1, 1) = 1.0 / positive_modulus(m.E2, "E2");
  C(2, 2) = 1.0 / positive_modulus(m.E3, "E3");
  C(0, 1) = C(1, 0) = -m.nu12 / m.E1;
  C(0, 2) = C(2, 0) = -m.nu13 / m.E1;
  C(1, 2) = C(2, 1) = -m.nu23 / m.E2;
  C(3, 3) = 1.0 / positive_modulus(m.G12, "G12");
  C(4, 4) = 1.0 / positive_modulus(m.G23, "G23");
  C(5, 5) = 1.0 / positive_modulus(m.G13, "G13");
  return elasticity_from<6>(C);
}

Eigen::Matrix3d sheet_elasticity(const Material& material) {
  const OrthotropicSheet m = std::visit([](const auto& one) { return as_sheet(one); }, material);
  Eigen::Matrix3d C = Eigen::Matrix3d::Zero();
  C(0, 0) = 1.0 / positive_modulus(m.E1, "E1");
  C(1, 1) = 1.0 / positive_modulus(m.E2, "E2");
  C(0, 1) = C(1, 0) = -m.nu12 / m.E1;
  C(2, 2) = 1.0 / positive_modulus(m.G12, "G12");
  return elasticity_from<3>(C);
}

Isotropic bar_material(const Material& material) {
  const auto* isotropic = std::get_if<Isotropic>(&material);
  if (isotropic == nullptr) bad_material("a bar or beam needs an isotropic material");
  if (!(isotropic->E >= 0.0 && isotropic->G >= 0.0) || !std::isfinite(isotropic->E + isotropic->G))
    bad_material(fmt::format(
        "E = {} Pa, G = {} Pa: expected moduli of at least 0", isotropic->E, isotropic->G));
  return *isotropic;
}

}  // namespace femflex::elements
