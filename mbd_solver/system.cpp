// Implements small queries of a System and its bodies, its default outputs, and the names of the
// time integrators.
#include "femflex/mbd_solver/system.h"

#include <algorithm>

#include "femflex/mbd_solver/joint_types.h"
#include "femflex/mbd_solver/outputs.h"
#include "femflex/mbd_solver/simulate.h"
#include "femflex/name_table.h"

namespace femflex::mbd_solver {
namespace {

constexpr auto kIntegrators =
    name_table<Integrator>({{Integrator::generalised_alpha, "generalised-alpha"},
                            {Integrator::runge_kutta, "runge-kutta"},
                            {Integrator::bdf, "bdf"}});

}  // namespace

std::vector<bool> acting_modes(const Flexible& flexible) {
  const std::vector<BodyMode>& modes = flexible.body->modes;
  std::vector<bool> acts(modes.size());
  for (std::size_t i = 0; i < modes.size(); ++i)
    acts[i] = flexible.enabled ? i < flexible.enabled->size() && (*flexible.enabled)[i]
                               : modes[i].enabled;
  return acts;
}

Eigen::Index acting_mode_count(const Body& body) {
  const auto* flexible = std::get_if<Flexible>(&body.kind);
  if (flexible == nullptr) return 0;
  const std::vector<bool> acts = acting_modes(*flexible);
  return std::count(acts.begin(), acts.end(), true);
}

std::string_view name_of(Integrator integrator) {
  return kIntegrators.name_of(integrator);
}

Integrator parse_integrator(std::string_view name) {
  return kIntegrators.parse(name, "unknown-integrator", "an integrator");
}

std::vector<std::string> integrator_names() {
  return kIntegrators.names();
}

std::vector<std::string> default_outputs(const System& system) {
  std::vector<std::string> outputs;
  for (const Body& body : system.bodies)
    outputs.push_back(body.name);
  for (const Joint& joint : system.joints)
    if (has_places(joint.type))
      for (const char* each : {"/reaction", "/reaction_torque"})
        outputs.push_back(joint.name + each);
  for (const Motion& motion : system.motions)
    outputs.push_back(motion.name);
  for (const Block& block : system.blocks)
    outputs.push_back(block.name);
  outputs.emplace_back("energy");
  return outputs;
}

const Body* System::find_body(std::string_view body_name) const {
  for (const Body& body : bodies)
    if (body.name == body_name) return &body;
  return nullptr;
}

}  // namespace femflex::mbd_solver
