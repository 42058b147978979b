// Selects the enabled modes of a flexible body: shapes, matrices, invariants, back transformation.
#include "femflex/acting_part.h"

#include <algorithm>
#include <vector>

namespace femflex {

bool has_only_acting_modes(const FlexBody& body) {
  return std::all_of(
      body.modes.begin(), body.modes.end(), [](const BodyMode& mode) { return mode.enabled; });
}

FlexBody acting_part(const FlexBody& body) {
  std::vector<Eigen::Index> kept;
  for (std::size_t k = 0; k < body.modes.size(); ++k)
    if (body.modes[k].enabled) kept.push_back(static_cast<Eigen::Index>(k));
  const auto n = static_cast<Eigen::Index>(kept.size());
  FlexBody out = body;
  out.shapes = body.shapes(Eigen::all, kept);
  out.modes.clear();
  for (const Eigen::Index k : kept)
    out.modes.push_back(body.modes[static_cast<std::size_t>(k)]);
  out.mass = body.mass(kept, kept);
  out.stiffness = body.stiffness(kept, kept);
  if (body.damping) out.damping = Eigen::MatrixXd((*body.damping)(kept, kept));
  for (GeometricStiffness& term : out.geometric)
    term.stiffness = term.stiffness(kept, kept).eval();
  Eigen::MatrixXd select = Eigen::MatrixXd::Zero(body.mode_count(), n);
  for (Eigen::Index j = 0; j < n; ++j)
    select(kept[static_cast<std::size_t>(j)], j) = 1.0;
  out.invariants = in_basis(body.invariants, select);
  if (body.back) {
    out.back->V = body.back->V(Eigen::all, kept);
    out.back->alpha = body.back->alpha(kept);
  }
  if (body.initial_zeta.size() == body.mode_count()) out.initial_zeta = body.initial_zeta(kept);
  if (body.initial_zeta_dot.size() == body.mode_count())
    out.initial_zeta_dot = body.initial_zeta_dot(kept);
  return out;
}

}  // namespace femflex
