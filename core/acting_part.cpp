// Selects the modes of a flexible body up to the last enabled one: shapes, matrices, invariants,
// back transformation.
#include "femflex/acting_part.h"

#include <cstddef>
#include <numeric>
#include <vector>

namespace femflex {

namespace {

/// Modes up to the last enabled one; all of them if none is enabled.
std::size_t acting_count(const FlexBody& body) {
  for (std::size_t k = body.modes.size(); k > 0; --k)
    if (body.modes[k - 1].enabled) return k;
  return body.modes.size();
}

}  // namespace

bool has_only_acting_modes(const FlexBody& body) {
  return acting_count(body) == body.modes.size();
}

FlexBody acting_part(const FlexBody& body) {
  std::vector<Eigen::Index> kept(acting_count(body));
  std::iota(kept.begin(), kept.end(), Eigen::Index{0});
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
