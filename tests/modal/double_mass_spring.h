// The double mass-spring of Meeuwse (1993) as an FE model, with its modes in closed form; for tests
// of the modal stage.
#pragma once

#include <cmath>

#include "femflex/fe_model.h"

namespace femflex::testing {

/// The double mass-spring of Meeuwse (1993): wall - 20 N/m - 5 kg - 10 N/m - 5 kg along z; node 1
/// is the wall. M = 5 1, K = [30 -10; -10 10].
inline FeModel double_mass_spring() {
  FeModel model;
  model.name = "dms";
  model.units = parse_units("m-kg-s");
  for (std::int64_t id = 1; id <= 3; ++id)
    model.nodes.push_back({id, Eigen::Vector3d(0.0, 0.0, static_cast<double>(id - 1)), 0});
  for (std::int64_t id = 1; id <= 3; ++id)
    for (std::int8_t c = 1; c <= 6; ++c)
      if (id == 1 || c != 3) model.fixed.push_back({id, c});
  model.dofs = DofMap({{2, 3}, {3, 3}});
  model.stiffness = assemble(2, 2, {{0, 0, 30.0}, {1, 0, -10.0}, {1, 1, 10.0}});
  model.mass = assemble(2, 2, {{0, 0, 5.0}, {1, 1, 5.0}});
  model.concentrated_masses = {{2, 5.0}, {3, 5.0}};
  model.loads = {{1, "unit force on mass 2", Eigen::Vector2d(0.0, 1.0)}};
  // as an FE code gives them, largest entry one
  const double t = std::sqrt(2.0) - 1.0;
  Eigen::MatrixXd shapes(2, 4);
  shapes << t, 1.0, 0.05, 0.0,  //
      1.0, -t, 0.15, -0.1;
  model.modes = make_mode_set(model.dofs,
                              shapes,
                              {{ModeKind::dynamic, 1, 4.0 - 2.0 * std::sqrt(2.0)},
                               {ModeKind::dynamic, 2, 4.0 + 2.0 * std::sqrt(2.0)},
                               {ModeKind::static_, 1},
                               {ModeKind::constraint, 1}});
  return make_fe_model(std::move(model));
}

}  // namespace femflex::testing
