// The linear tyre, whose forces are proportional to slip and load: docs/theory/tyres.md, eq. (10)
// and (11).
#include <cmath>

#include "femflex/tyres/simple_tyres.h"

#include "contact.h"
#include "laws.h"
#include "simple_laws.h"

namespace femflex::tyres {

double law_radius(const LinearTyre& t, double Fz, double /*spin*/, double /*pressure*/) {
  return radius_of_stiffness(t, Fz);
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
  set_radius_and_relaxation(t, at.Fz, f);
  return f;
}

}  // namespace femflex::tyres
