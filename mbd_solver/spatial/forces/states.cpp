// Newton's method for the states of one force. Most laws are nearly linear in their states, so one
// Jacobian by differences and two corrections are sufficient.
#include "spatial/forces/states.h"

#include <algorithm>
#include <cstddef>

#include <Eigen/Core>

#include "femflex/dense.h"

namespace femflex::mbd_solver {
namespace {

constexpr double kDifference = 1e-7;  // step of finite differences, relative to the states
constexpr double kSolved = 1e-14;     // a smaller correction, relative to the states, is round-off
constexpr int kMaxPasses = 30;
constexpr double kSlow = 0.3;  // the Jacobian is recomputed if a pass leaves a larger share of the
                               // error

using StateMatrix =
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kMaxForceStates, kMaxForceStates>;
using StateVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kMaxForceStates, 1>;
using StateMap = Eigen::Map<Eigen::VectorXd>;

/// Computes 1 - g dz'/dz by differences.
StateMatrix jacobian_of(const LoadOfStates& load_at,
                        const ForceStates& states,
                        Eigen::Index n,
                        double g,
                        double scale) {
  StateMatrix J = StateMatrix::Identity(n, n);
  ForceStates moved;
  const double step = kDifference * scale;
  for (Eigen::Index k = 0; k < n; ++k) {
    moved.z = states.z;
    moved.z[static_cast<std::size_t>(k)] += step;
    static_cast<void>(load_at.at(moved.z.data(), moved.rates.data()));
    for (Eigen::Index i = 0; i < n; ++i) {
      const auto row = static_cast<std::size_t>(i);
      J(i, k) -= g / step * (moved.rates[row] - states.rates[row]);
    }
  }
  return J;
}

}  // namespace

PairLoad solve_states(const LoadOfStates& load_at,
                      const Workspace& ws,
                      const LawBase& law,
                      ForceStates& states) {
  const Eigen::Index n = law.state_count;
  const double g = ws.state_gain;
  std::copy_n(ws.state_constants.data() + law.state0, n, states.z.data());
  PairLoad load = load_at.at(states.z.data(), states.rates.data());
  if (g == 0.0 || n == 0) return load;
  const StateVector c = StateMap(states.z.data(), n);
  StateMap z(states.z.data(), n);
  const StateMap rates(states.rates.data(), n);
  Eigen::PartialPivLU<StateMatrix> factor;
  bool has_factor = false;
  double before = 1.0;
  for (int pass = 0; pass < kMaxPasses; ++pass) {
    const double scale = law.state_unit + z.lpNorm<Eigen::Infinity>();
    if (!has_factor) factor.compute(jacobian_of(load_at, states, n, g, scale));
    has_factor = true;
    const StateVector correction = factor.solve(StateVector(z - c - g * rates));
    const double size = correction.lpNorm<Eigen::Infinity>() / scale;
    z -= correction;
    load = load_at.at(states.z.data(), states.rates.data());
    const double rate = pass > 0 ? size / before : 1.0;
    if (!(size * std::min(rate, 1.0) > kSolved)) break;  // also if size is NaN
    if (pass > 0 && rate > kSlow) has_factor = false;
    before = size;
  }
  return load;
}

}  // namespace femflex::mbd_solver
