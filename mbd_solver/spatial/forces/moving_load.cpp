// Evaluates MovingLoad: a force at a point of a path; a formula of time or of the motion gives the
// point's distance along the path. The force does its work on the material point below it.
#include "spatial/forces/moving_load.h"

#include "spatial/compiler.h"
#include "spatial/equations.h"

namespace femflex::mbd_solver {

PairLoad MovingLoadLaw::load(const Model& model, const Workspace& ws) const {
  PairLoad load;
  load.length = value_of(model, ws, distance);
  const CarriedPoint at = path.point_at(ws, load.length);
  if (!at.is_on) return load;
  for (int c = 0; c < 3; ++c)
    load.force_b(c) = value_of(model, ws, force[static_cast<std::size_t>(c)]);
  load.value = load.force_b.norm();
  load.power_input = load.force_b.dot(velocity_of(ws, at));
  return load;
}

void MovingLoadLaw::add(const Model& model, Workspace& ws, const PairLoad& load) const {
  if (const CarriedPoint at = path.point_at(ws, load.length); at.is_on)
    add_carried_load(model, ws, at, load.force_b);
}

MovingLoadLaw compile_law(const MovingLoad& load, const std::string& user, Compiler& compiler) {
  MovingLoadLaw law;
  law.path = compile_path(load.path, {}, user, compiler);
  law.distance = compiler.signal(load.position, user);
  for (std::size_t c = 0; c < 3; ++c)
    law.force[c] = compiler.signal(load.value[c], user);
  return law;
}

}  // namespace femflex::mbd_solver
