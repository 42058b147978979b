// Computes normal modes of the unknowns of a model. The search gets the positions of the unknowns;
// messages name their DOFs.
#include "solve/model_modes.h"

#include "femflex/errors.h"
#include "femflex/index.h"

namespace femflex::modal {

UnknownPlaces places_of(const NamedUnknowns& names) {
  UnknownPlaces out;
  const std::size_t count = names.unknowns.size();
  out.positions = Eigen::Matrix3Xd::Zero(3, static_cast<Eigen::Index>(count));
  out.components.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const Dof& dof = names.model.dofs[names.system.row_of[at(names.unknowns[i])]];
    const Node* node = find_node(names.model, dof.node);
    if (node == nullptr) continue;  // a scalar point
    out.positions.col(static_cast<Eigen::Index>(i)) = node->position;
    out.components[i] = static_cast<std::int8_t>(dof.component);
  }
  return out;
}

NormalModes normal_modes(ShiftedFactor& factor,
                         const NamedUnknowns& names,
                         const Eigen::MatrixXd& rigid,
                         const NormalRequest& request,
                         const SolveOptions& options,
                         Progress& progress) {
  NormalRequest placed = request;
  placed.places = [&] { return places_of(names); };
  try {
    return normal_modes(factor, rigid, placed, options, progress);
  } catch (const NumericalError& error) {
    if (error.code() != "singular") throw;
    throw_mechanism(factor, names);
  }
}

}  // namespace femflex::modal
