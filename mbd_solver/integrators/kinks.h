// Forces and blocks whose law has a knot, a gap or a jump exactly at a state, so that it has no one
// slope there. linearise() warns of them.
#pragma once

#include <string>
#include <vector>

#include <Eigen/Core>

#include "integrators/engine.h"

namespace femflex::mbd_solver {

/// A law with different slopes on the two sides of a state.
struct Kink {
  std::string name;                  ///< "force stop", "block valve"
  std::string along;                 ///< the motion: "position of body m"
  double before = 0.0, after = 0.0;  ///< slopes on the two sides; not used at a jump
  double jump = 0.0;                 ///< difference of the values on the two sides; 0 at a kink
  std::string unit;                  ///< of the slopes, or of the jump
};

/// The kinks of forces and blocks at a state, one for each force or block: the largest.
/// @param N  directions that the constraints leave free; other motions do not count
std::vector<Kink> kinks_at(Engine& engine, const State& state, const Eigen::MatrixXd& N);

/// "force stop (position of body m: slopes 0 and 1e+06 N/m)" for the first ones.
std::string text_of(const std::vector<Kink>& kinks);

}  // namespace femflex::mbd_solver
