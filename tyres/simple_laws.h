// What the linear tyre and Fiala's tyre have in common.
#pragma once

#include "femflex/tyres/tyre.h"

namespace femflex::tyres {

/// Effective rolling radius: the unloaded radius minus a third of the tyre's deflection [Pacejka
/// 2012] 1.2.2.
template <class Tyre>
double radius_of_stiffness(const Tyre& t, double Fz) {
  constexpr double kShareOfDeflection = 1.0 / 3.0;
  if (t.vertical_stiffness <= 0.0) return t.unloaded_radius;
  return t.unloaded_radius - kShareOfDeflection * Fz / t.vertical_stiffness;
}

/// Sets the radius and the relaxation lengths, which do not depend on the slip.
template <class Tyre>
void set_radius_and_relaxation(const Tyre& t, double Fz, TyreForces& f) {
  f.effective_radius = radius_of_stiffness(t, Fz);
  f.relaxation_x = t.relax_length_x;
  f.relaxation_y = t.relax_length_y;
}

}  // namespace femflex::tyres
