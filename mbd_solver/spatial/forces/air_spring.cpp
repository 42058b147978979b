// Force of an air spring: gas with p V^n = const (p pressure, V volume, n exponent) against the
// ambient pressure. The pressure depends on the volume alone, so the force has a potential.
#include "spatial/forces/air_spring.h"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "spatial/compiler.h"
#include "spatial/equations.h"
#include "spatial/forces/coordinate.h"

namespace femflex::mbd_solver {

PairLoad AirSpringLaw::load(const Model& /*model*/,
                            const Workspace& /*ws*/,
                            const MarkerKinematics& a_now,
                            const MarkerKinematics& b_now) const {
  PairLoad load;
  const CoordinateNow now = coordinate_now(ForceCoordinate::distance, a_now, b_now);
  if (now.value == 0.0) return load;  // the force has no direction there
  const double V = data.volume + data.area * (now.value - length);
  load.length = now.value;
  if (!(V > 0.0)) {
    // no gas volume is left: NaN makes the time step fail, so that a smaller step is tried
    load.force_b.setConstant(std::numeric_limits<double>::quiet_NaN());
    load.force_a = load.force_b;
    return load;
  }
  const double ratio = data.volume / V;
  const double pressure = data.pressure * std::pow(ratio, data.exponent);
  const double push = data.area * (pressure - data.ambient);
  const double n = data.exponent;
  load.potential =
      (n == 1.0 ? data.pressure * data.volume * std::log(ratio)
                : data.pressure * data.volume * (std::pow(ratio, n - 1.0) - 1.0) / (n - 1.0)) +
      data.ambient * (V - data.volume);
  load.value = push;
  push_along(ForceCoordinate::distance, now, a_now, b_now, push, load);
  return load;
}

AirSpringLaw compile_law(const AirSpring& spring, const std::string& user, Compiler& compiler) {
  AirSpringLaw law;
  law.a = compiler.place(spring.a, user);
  law.b = compiler.place(spring.b, user);
  const double distance = compiler.initial_distance(law.a, law.b);
  law.data = spring;
  law.length = spring.length.value_or(distance);
  const auto need = [&](const char* what, double value) {
    if (!(value > 0.0) || !std::isfinite(value))
      throw ModelError(
          "air-spring",
          fmt::format("{}: {} is {}; expected a finite number above 0", user, what, value));
  };
  need("area", spring.area);
  need("volume", spring.volume);
  need("pressure", spring.pressure);
  need("exponent", spring.exponent);
  need("length", law.length);
  if (distance == 0.0)
    throw ModelError("air-spring",
                     fmt::format("{}: a and b are at one place at the start, so that the push has "
                                 "no direction",
                                 user));
  need("the volume at the start", spring.volume + spring.area * (distance - law.length));
  check_number(spring.ambient, user, "the ambient pressure");
  law.is_stiff = true;
  return law;
}

}  // namespace femflex::mbd_solver
