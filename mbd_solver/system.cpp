#include "femflex/mbd_solver/system.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/mbd_solver/simulate.h"

namespace femflex::mbd_solver {
namespace {

constexpr std::array<std::pair<JointType, std::string_view>, 16> kJointNames = {{
    {JointType::fixed, "fixed"},
    {JointType::revolute, "revolute"},
    {JointType::cylindrical, "cylindrical"},
    {JointType::prismatic, "prismatic"},
    {JointType::universal, "universal"},
    {JointType::constant_velocity, "constant-velocity"},
    {JointType::spherical, "spherical"},
    {JointType::planar, "planar"},
    {JointType::point_on_line, "point-on-line"},
    {JointType::point_on_plane, "point-on-plane"},
    {JointType::distance, "distance"},
    {JointType::parallel_axes, "parallel-axes"},
    {JointType::perpendicular_axes, "perpendicular-axes"},
    {JointType::orientation, "orientation"},
    {JointType::gear, "gear"},
    {JointType::screw, "screw"},
}};

constexpr std::array<std::pair<Integrator, std::string_view>, 3> kIntegratorNames = {{
    {Integrator::generalised_alpha, "generalised-alpha"},
    {Integrator::runge_kutta, "runge-kutta"},
    {Integrator::bdf, "bdf"},
}};

template <typename Names>
std::string list_of(const Names& names) {
  std::string all;
  for (const auto& [value, name] : names)
    all += fmt::format("{}{}", all.empty() ? "" : ", ", name);
  return all;
}

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

std::string_view name_of(JointType type) {
  return std::find_if(
             kJointNames.begin(), kJointNames.end(), [&](const auto& p) { return p.first == type; })
      ->second;
}

JointType parse_joint_type(std::string_view name) {
  for (const auto& [type, known] : kJointNames)
    if (known == name) return type;
  throw ModelError(
      "unknown-joint-type",
      fmt::format("'{}' is not a joint type; known are {}", name, list_of(kJointNames)));
}

std::string_view name_of(Integrator integrator) {
  return std::find_if(kIntegratorNames.begin(),
                      kIntegratorNames.end(),
                      [&](const auto& p) { return p.first == integrator; })
      ->second;
}

Integrator parse_integrator(std::string_view name) {
  for (const auto& [integrator, known] : kIntegratorNames)
    if (known == name) return integrator;
  throw UsageError(
      "unknown-integrator",
      fmt::format("'{}' is not an integrator; known are {}", name, list_of(kIntegratorNames)));
}

const Body* System::find_body(std::string_view body_name) const {
  for (const Body& body : bodies)
    if (body.name == body_name) return &body;
  return nullptr;
}

}  // namespace femflex::mbd_solver
