// Evaluates ModalForce: adds value times load to the modal forces of a body. The load is converted
// from zeta to xi once.
#include "spatial/forces/modal_force.h"

#include <fmt/format.h>

#include "femflex/errors.h"

#include "spatial/compiler.h"
#include "spatial/equations.h"

namespace femflex::mbd_solver {

PairLoad ModalLaw::load(const Model& model, const Workspace& ws) const {
  PairLoad load;
  load.value = value_of(model, ws, value);
  const BodyModel& on = model.bodies[static_cast<std::size_t>(body)];
  load.power_input = load.value * mode_load.dot(ws.v.segment(on.v0 + on.nr, on.n));
  return load;
}

void ModalLaw::add(const Model& model, Workspace& ws, const PairLoad& load) const {
  const BodyModel& on = model.bodies[static_cast<std::size_t>(body)];
  ws.force.segment(on.v0 + on.nr, on.n) -= load.value * mode_load;
}

ModalLaw compile_law(const ModalForce& force, const std::string& user, Compiler& compiler) {
  ModalLaw law;
  law.body = compiler.body_index(force.body, user);
  const Model& model = compiler.model();
  const BodyModel& body = model.bodies[static_cast<std::size_t>(law.body)];
  if (body.kind != BodyModel::Kind::flexible)
    throw ModelError("not-flexible", fmt::format("{}: {} has no modes", user, force.body));
  const FlexModel& flex = model.flexes[static_cast<std::size_t>(body.flex)];
  if (force.load.size() != flex.X.rows())
    throw ModelError("mode-count",
                     fmt::format("{}: the load has {} entries, but {} has {} modes",
                                 user,
                                 force.load.size(),
                                 force.body,
                                 flex.X.rows()));
  check_finite(force.load, user + ": load");
  law.mode_load = flex.X.transpose() * force.load;
  law.value = compiler.signal(force.value, user);
  return law;
}

}  // namespace femflex::mbd_solver
