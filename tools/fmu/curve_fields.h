// Writes and reads a curve among the resources of an FMU, for tables of forces and profiles of
// roads.
#pragma once

#include <vector>

#include "femflex/laws/curve.h"

#include "fmu/archive.h"

namespace femflex::fmu {

template <class A>
void field(A& a, laws::Curve& x) {
  std::vector<double> points = x.x(), values = x.y();
  laws::Curve::Kind kind = x.kind();
  laws::Curve::Beyond beyond = x.beyond();
  fields(a, points, values, kind, beyond);
  if constexpr (A::kReads) x = laws::Curve(points, values, kind, beyond, "curve");
}

}  // namespace femflex::fmu
