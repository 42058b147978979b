// The tyre law of Fiala in the form of [Adams Fiala]: docs/theory/tyres.md, eq. (12) to (16). U is
// the friction coefficient at the comprehensive slip, H the share of the contact length that
// adheres.
#include <algorithm>
#include <cmath>

#include "femflex/tyres/simple_tyres.h"

#include "contact.h"
#include "laws.h"
#include "simple_laws.h"

namespace femflex::tyres {
namespace {

/// F_x, eq. (13); beyond the critical slip it is a hyperbola that approaches U Fz.
double fiala_longitudinal(const FialaTyre& t, double kappa, double U, double Fz) {
  const double limit = U * Fz;
  if (std::abs(kappa) <= limit / (2.0 * t.cslip)) return t.cslip * kappa;
  return sign(kappa) * (limit - limit * limit / (4.0 * std::abs(kappa) * t.cslip));
}

}  // namespace

double law_radius(const FialaTyre& t, double Fz, double /*spin*/, double /*pressure*/) {
  return radius_of_stiffness(t, Fz);
}

RelaxationLengths law_relaxation(const FialaTyre& t, const Contact& /*at*/) {
  return {t.relax_length_x, t.relax_length_y};
}

TyreForces law_forces(const FialaTyre& t, const Contact& at) {
  const double tangent = std::tan(at.alpha);
  const double slip = std::min(1.0, std::sqrt(at.kappa * at.kappa + tangent * tangent));
  const double U = t.umax - (t.umax - t.umin) * slip;
  TyreForces f;
  f.fx = fiala_longitudinal(t, at.kappa, U, at.Fz);
  const double limit = U * at.Fz;
  const double H = std::max(0.0, 1.0 - t.calpha * std::abs(tangent) / (3.0 * limit));
  const double H3 = H * H * H;
  const double side = sign(at.alpha);
  f.fy = -limit * (1.0 - H3) * side;
  f.mz = limit * t.width * (1.0 - H) * H3 * side * at.direction;
  f.my = -t.rolling_resistance * at.Fz * at.direction;
  set_radius_and_relaxation(t, at.Fz, f);
  return f;
}

}  // namespace femflex::tyres
