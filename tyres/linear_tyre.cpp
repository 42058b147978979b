// The linear tyre, whose forces are proportional to slip and load: docs/theory/tyres.md, eq. (10)
// and (11).
#include <cmath>

#include "femflex/tyres/simple_tyres.h"

#include "contact.h"
#include "laws.h"

namespace femflex::tyres {

/// Effective rolling radius: the unloaded radius minus a third of the tyre's deflection [Pacejka
/// 2012] 1.2.2.
double law_radius(const LinearTyre& t, double Fz, double /*spin*/, double /*pressure*/) {
  constexpr double kShareOfDeflection = 1.0 / 3.0;
  if (t.vertical_stiffness <= 0.0) return t.unloaded_radius;
  return t.unloaded_radius - kShareOfDeflection * Fz / t.vertical_stiffness;
}

RelaxationLengths law_relaxation(const LinearTyre& t, const Contact& /*at*/) {
  return {t.relax_length_x, t.relax_length_y};
}

TyreForces law_forces(const LinearTyre& t, const Contact& at) {
  const double load = at.Fz / t.fnomin;
  const double side = -t.calpha * load * at.alpha;
  TyreForces f;
  f.fx = t.cslip * load * at.kappa;
  f.fy = side + t.cgamma * load * at.gamma;
  f.my = -t.rolling_resistance * at.Fz * at.direction;
  f.mz = -t.trail * side * at.direction;
  f.effective_radius = law_radius(t, at.Fz, 0.0, at.pressure);
  f.relaxation_x = t.relax_length_x;
  f.relaxation_y = t.relax_length_y;
  return f;
}

}  // namespace femflex::tyres
