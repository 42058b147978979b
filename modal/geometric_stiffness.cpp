// Computes the geometric stiffness of a body: the stiffness matrix of the preloaded model minus
// that of the unloaded model, projected on the shapes, divided by the amount of the preload.
#include "femflex/modal/geometric_stiffness.h"

#include <cmath>
#include <string>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/stiffening_causes.h"

#include "solve/projection.h"

namespace femflex::modal {
GeometricStiffness::Cause parse_cause(std::string_view name) {
  std::string all;
  for (const auto& [cause, text] : kStiffeningCauses) {
    if (cause == GeometricStiffness::Cause::force)
      continue;  // a force needs a node and is not a motion of the whole body
    if (text == name) return cause;
    all += fmt::format("{}{}", all.empty() ? "" : ", ", text);
  }
  throw UsageError("unknown-cause",
                   fmt::format("'{}' is not a state that stiffens a body", name),
                   {},
                   fmt::format("use one of {}", all));
}

std::vector<GeometricStiffness> geometric_terms(const FeModel& model,
                                                const std::vector<PreloadedStiffness>& preloaded,
                                                const Eigen::MatrixXd& shapes) {
  std::vector<GeometricStiffness> out;
  if (preloaded.empty()) return out;
  if (!model.stiffness)
    throw ModelError("no-matrices",
                     "geometric stiffness is a difference of two K, and the model holds none",
                     {},
                     "import K");
  for (const PreloadedStiffness& state : preloaded) {
    if (state.stiffness.rows() != model.stiffness->rows() ||
        state.stiffness.cols() != model.stiffness->cols())
      throw ModelError("wrong-size",
                       fmt::format("the preloaded K is {} x {}, that of the model {} x {}",
                                   state.stiffness.rows(),
                                   state.stiffness.cols(),
                                   model.stiffness->rows(),
                                   model.stiffness->cols()),
                       {},
                       "export both from the same model with the same constraints");
    if (!std::isfinite(state.amount) || state.amount == 0.0)
      throw ModelError(
          "amount",
          fmt::format("a preloaded K needs a non-zero amount of its cause, not {}", state.amount));
    const SparseMatrix change = state.stiffness - *model.stiffness;
    if (!(change.norm() > 0.0))
      throw ModelError("no-preload",
                       fmt::format("preloaded K number {} is the K of the model: without preload",
                                   out.size() + 1),
                       {},
                       "export K from a step that follows the static step of the preload "
                       "(CalculiX: *STEP, PERTURBATION); leave out a cause that does not load the "
                       "part");
    out.push_back(
        {state.cause,
         state.node,
         state.component,
         model.units.value_or(Units{}).moment() / state.amount * project(change, shapes)});
  }
  return out;
}

}  // namespace femflex::modal
