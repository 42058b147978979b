// The inputs of a linear system: what a unit of each changes, and whether the linear model follows
// changes of any size. linear_system() uses them.
#pragma once

#include <string>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/mbd_solver/linear_system.h"
#include "femflex/mbd_solver/system.h"

#include "integrators/neighbourhood.h"

namespace femflex::mbd_solver {

/// The direct effect of a unit of an input, and the present value of the input.
struct UnitInput {
  SmallMove by;
  double value = 0.0;  // 0 for what is not an input of the system
  int input = -1;      // index in Model::inputs; -1: not an input of the system

  double step() const { return kSystemStep * std::max(1.0, std::abs(value)); }
  SmallMove times(double s) const;
};

/// @throws ModelError  a name is not an input, or a motion follows it
std::vector<UnitInput> unit_inputs(const System& system,
                                   const State& state,
                                   const std::vector<std::string>& inputs,
                                   const Neighbourhood& near,
                                   Diagnostics& diagnostics);

/// Whether loads and outputs of blocks are linear in an input and independent of it otherwise: the
/// input neither changes the effect of a motion, a state or another input, nor acts by its square
/// or the like.
/// @param N  free directions
bool acts_as_load(const Model& model,
                  const Eigen::MatrixXd& N,
                  const UnitInput& unit,
                  Neighbourhood& near);

}  // namespace femflex::mbd_solver
