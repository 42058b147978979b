// Implements small queries of a System and its bodies, and the names of the time integrators.
#include "femflex/mbd_solver/system.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/mbd_solver/simulate.h"

namespace femflex::mbd_solver {
namespace {

constexpr std::array<std::pair<Integrator, std::string_view>, 3> kIntegratorNames = {{
    {Integrator::generalised_alpha, "generalised-alpha"},
    {Integrator::runge_kutta, "runge-kutta"},
    {Integrator::bdf, "bdf"},
}};

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
  return std::find_if(kIntegratorNames.begin(),
                      kIntegratorNames.end(),
                      [&](const auto& p) { return p.first == integrator; })
      ->second;
}

Integrator parse_integrator(std::string_view name) {
  std::string names;
  for (const auto& [integrator, known] : kIntegratorNames) {
    if (known == name) return integrator;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", known);
  }
  throw UsageError("unknown-integrator",
                   fmt::format("'{}' is not an integrator; known are {}", name, names));
}

const Body* System::find_body(std::string_view body_name) const {
  for (const Body& body : bodies)
    if (body.name == body_name) return &body;
  return nullptr;
}

}  // namespace femflex::mbd_solver
