// Neighbourhood: channels and loads of a system after small moves away from a state.
// linear_system() takes its differences from it.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include <Eigen/Core>

#include "femflex/mbd_solver/state.h"

#include "integrators/engine.h"

namespace femflex::mbd_solver {

// step of fourth-order differences, relative to: Model::unit_of() for coordinates, the unit of a
// state, the magnitude of an input if above 1
constexpr double kSystemStep = 1e-3;

/// Central difference of fourth order: (8 (f(h) - f(-h)) - (f(2h) - f(-2h))) / 12 h
template <typename Function>
Eigen::VectorXd fourth_order_slope(const Function& f, double h) {
  return (8.0 * (f(h) - f(-h)) - (f(2.0 * h) - f(-2.0 * h))) / (12.0 * h);
}

/// The same, but where a law has a knot within the step, the slope at the state: that of a step of
/// 1/100, if half of it gives the same. If it does not, the difference is round-off.
template <typename Function>
Eigen::VectorXd slope_at_state(const Function& f, double h) {
  constexpr double kNear = 0.01, kSameSlope = 1e-3;
  const auto central = [&](double step) -> Eigen::VectorXd {
    return (f(step) - f(-step)) / (2.0 * step);
  };
  const auto differs = [](double a, double b) {
    return std::abs(a - b) > kSameSlope * std::max(std::abs(a), std::abs(b));
  };
  Eigen::VectorXd out = fourth_order_slope(f, h);
  const Eigen::VectorXd near = central(kNear * h);
  Eigen::VectorXd nearer;
  for (Eigen::Index k = 0; k < out.size(); ++k) {
    if (!differs(out(k), near(k))) continue;
    if (nearer.size() == 0) nearer = central(0.5 * kNear * h);
    if (!differs(near(k), nearer(k))) out(k) = near(k);
  }
  return out;
}

/// A small change from the state of linearisation.
struct SmallMove {
  Eigen::VectorXd coordinates, rates, states;
  Eigen::VectorXd inputs;  // of the system
  Eigen::VectorXd push;    // generalised forces
  Eigen::VectorXd block;   // added to the outputs of blocks
};

/// Evaluates channels and loads of a system after small moves away from a state.
class Neighbourhood {
 public:
  /// @throws ModelError  springs alone place a body without mass
  Neighbourhood(const Model& model, State at);

  SmallMove none() const;
  /// Value of an input of the system at the state.
  double input(int index) const { return inputs_[static_cast<std::size_t>(index)].c[0]; }
  /// The channels after a move, with the accelerations and reactions of the moved state.
  Eigen::VectorXd channels(const SmallMove& by);
  /// Generalised forces after a move, followed by the rates of the force states.
  Eigen::VectorXd loads(const SmallMove& by);
  /// The same, followed by the outputs of blocks.
  Eigen::VectorXd loads_and_blocks(const SmallMove& by);

 private:
  State moved_by(const SmallMove& by) const;
  void place(const State& state, const SmallMove& by);

  const Model& model_;
  Engine engine_;
  State at_;
  std::vector<InputPath> inputs_;
};

}  // namespace femflex::mbd_solver
