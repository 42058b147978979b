// Evaluates Tyre: a vertical force from the compression of the tyre between wheel centre and road,
// and from its rate.
#include "spatial/forces/tyre.h"

#include "femflex/errors.h"

#include "spatial/compiler.h"
#include "spatial/equations.h"

namespace femflex::mbd_solver {

namespace {

/// Height of the road under the wheel centre, and its rate of change there.
laws::ValueAndDerivative road_under(const Model& model,
                                    const Workspace& ws,
                                    const TyreLaw& tyre,
                                    const MarkerKinematics& centre) {
  if (tyre.road) {
    const laws::ValueAndDerivative profile = tyre.road->at(centre.p.x() + tyre.speed * ws.t);
    const double passing = ws.roads_stand ? 0.0 : tyre.speed;
    return {profile.value, profile.derivative * (centre.v.x() + passing)};
  }
  if (tyre.road_height.is_constant()) return {tyre.road_height.number, 0.0};
  if (!tyre.road_height.only_time()) return {value_of(model, ws, tyre.road_height), 0.0};
  return tyre.road_height.function->with_rate(ws.t);
}

}  // namespace

PairLoad TyreLaw::load(const Model& model,
                       const Workspace& ws,
                       const MarkerKinematics& /*a_now*/,
                       const MarkerKinematics& b_now) const {
  PairLoad load;
  const laws::ValueAndDerivative road_now = road_under(model, ws, *this, b_now);
  const double compression = radius - (b_now.p.z() - road_now.value);
  load.length = compression;
  const double compression_rate = road_now.derivative - b_now.v.z();
  double force = stiffness * compression + damping * compression_rate;
  if (lifts_off && (compression <= 0.0 || force < 0.0)) force = 0.0;
  load.value = force;
  load.force_b = {0.0, 0.0, force};
  load.power_input = force * b_now.v.z();
  return load;
}

TyreLaw compile_law(const Tyre& tyre, const std::string& user, Compiler& compiler) {
  TyreLaw law;
  law.b = compiler.place(tyre.on, user);
  if (compiler.model().planar)
    throw ModelError("tyre-planar",
                     user + ": a tyre pushes along z, out of the x-y plane of a planar system",
                     {},
                     "take a bump-stop or a contact with a \"normal\" in the plane, or leave "
                     "\"planar\" out");
  law.radius = tyre.radius;
  law.stiffness = tyre.stiffness;
  law.damping = tyre.damping;
  law.lifts_off = tyre.lifts_off;
  law.speed = tyre.speed;
  check_number(tyre.radius + tyre.stiffness + tyre.damping + tyre.speed, user, "a number");
  if (tyre.road.kind == Road::Kind::plane)
    law.road_height = compiler.signal(tyre.road.height, user);
  else
    law.road = compiler.profile(tyre.road, user);
  law.is_stiff = true;
  return law;
}

}  // namespace femflex::mbd_solver
