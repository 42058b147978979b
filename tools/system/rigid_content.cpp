// A body has rigid content if the smallest eigenvalue of its scaled mass matrix is zero within
// round-off.
#include "system/rigid_content.h"

#include <string>
#include <variant>

#include <fmt/format.h>

#include "femflex/flex_body.h"
#include "femflex/inertia_invariants.h"

namespace femflex::tools {

std::string bodies_with_rigid_content(const mbd_solver::System& system) {
  constexpr double round_off = 1e-10;
  std::string names;
  for (const mbd_solver::Body& body : system.bodies) {
    const auto* flexible = std::get_if<mbd_solver::Flexible>(&body.kind);
    if (flexible == nullptr || !flexible->body || mbd_solver::acting_mode_count(body) == 0)
      continue;
    if (smallest_scaled_mass(flexible->body->invariants, mbd_solver::acting_modes(*flexible)) <
        round_off)
      names += fmt::format("{}'{}'", names.empty() ? "" : ", ", body.name);
  }
  return names;
}

NumericalError with_rigid_content(const NumericalError& failure, const mbd_solver::System& system) {
  const std::string names = bodies_with_rigid_content(system);
  if (names.empty()) return failure;
  return {
      "rigid-content",
      fmt::format("the modes of body {} hold rigid-body motion, which its frame makes already; {}",
                  names,
                  failure.message()),
      failure.where(),
      "leave the rigid modes out (reduce --drop-rigid, with --orthogonalise where they are "
      "mixed with others), disable them, or hold the part when its modes are computed"};
}

}  // namespace femflex::tools
