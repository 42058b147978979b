// Makes the rigid motions of a model, or of its parts that K does not connect, from the positions
// of the nodes.
#include "solve/rigid_columns.h"

#include <algorithm>

#include "femflex/mean_position.h"

#include "solve/parts.h"
#include "solve/rigid_modes.h"

namespace femflex::modal {

Eigen::Vector3d middle(const FeModel& model) {
  return mean_position(model.nodes);
}

Eigen::MatrixXd rigid_columns(const FeModel& model, const System& system) {
  return system.restrict_shape(rigid_body_shapes(model, model.dofs, middle(model)));
}

std::vector<Eigen::MatrixXd> rigid_columns_of_parts(const FeModel& model,
                                                    const System& system,
                                                    ShiftedFactor& factor,
                                                    const std::vector<std::int64_t>& interface) {
  const Eigen::MatrixXd T = rigid_columns(model, system);
  const std::vector<std::vector<std::int64_t>> parts = parts_of(system.K, system.group);
  if (parts.size() < 2 || parts.size() > kMaxLooseParts) return {T};
  std::vector<Eigen::MatrixXd> out;
  for (const std::vector<std::int64_t>& unknowns : parts) {
    Eigen::MatrixXd of_part = Eigen::MatrixXd::Zero(T.rows(), T.cols());
    of_part(unknowns, Eigen::all) = T(unknowns, Eigen::all);
    const bool is_joined =
        interface.empty() ||
        std::any_of(interface.begin(), interface.end(), [&](std::int64_t unknown) {
          return std::binary_search(unknowns.begin(), unknowns.end(), unknown);
        });
    if (is_joined)
      out.push_back(std::move(of_part));
    else if (rigid_modes(factor, {of_part}).cols() > 0)
      return {T};
  }
  return out;
}

}  // namespace femflex::modal
