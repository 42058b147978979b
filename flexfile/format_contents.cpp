// Names what a body file does not hold, and warns of contents of a body that are left out and
// change its motion.
#include "format_contents.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "femflex/damping.h"

namespace femflex::flexfile {

Holds operator|(const Holds& a, const Holds& b) {
  return {.rotations = a.rotations || b.rotations,
          .damping = a.damping || b.damping,
          .stiffening = a.stiffening || b.stiffening,
          .initial_state = a.initial_state || b.initial_state,
          .rest = a.rest || b.rest};
}

std::vector<std::string> contents_lacking(const Holds& holds) {
  std::vector<std::string> out;
  if (!holds.rotations) out.emplace_back("rotations");
  if (!holds.damping) out.emplace_back("damping");
  if (!holds.stiffening) out.emplace_back("stiffening");
  if (!holds.initial_state) out.emplace_back("initial state");
  if (!holds.rest)
    out.insert(out.end(),
               {"acting modes", "back-transformation", "interface nodes", "nodal masses"});
  return out;
}

void warn_of_left_out(const FlexBody& body,
                      const Holds& holds,
                      std::string_view title,
                      const std::string& file,
                      Diagnostics& diagnostics) {
  std::vector<std::string_view> lost;
  if (!holds.damping && !damping_matrix(body).isZero(0.0)) lost.emplace_back("damping");
  if (!holds.stiffening && !body.geometric.empty())
    lost.emplace_back("stiffening (geometric stiffness)");
  if (!holds.initial_state && !(body.initial_zeta.isZero(0.0) && body.initial_zeta_dot.isZero(0.0)))
    lost.emplace_back("the initial state of the modes");
  if (!holds.rest && std::any_of(body.modes.begin(), body.modes.end(), [](const BodyMode& mode) {
        return !mode.enabled;
      }))
    lost.emplace_back("modes that do not act (all modes in the file act)");
  if (lost.empty()) return;
  diagnostics.warn("left-out",
                   fmt::format("{} has no place for {}: left out", title, fmt::join(lost, ", ")),
                   {file});
}

}  // namespace femflex::flexfile
