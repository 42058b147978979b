// The load of any law between two markers, whether it has first-order states or not. The states
// follow the rule of the integrator, so that a step sees a force of position and velocity alone.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include <Eigen/Core>
#include <Eigen/LU>

#include "spatial/equations.h"

namespace femflex::mbd_solver {

/// Largest number of states of one force.
constexpr int kMaxForceStates = 24;

template <typename Law>
concept HasForceStates = requires(const Law& law,
                                  const Model& model,
                                  const Workspace& ws,
                                  const MarkerKinematics& marker,
                                  double* z) {
  law.load(model, ws, marker, marker, z, z);
};

/// States of one force and their rates.
struct ForceStates {
  std::array<double, kMaxForceStates> z{};
  std::array<double, kMaxForceStates> rates{};
};

/// Solves z = c + g z'(z) for the states of one force by Newton's method, with c and g from the
/// workspace, and returns the load there. With g = 0 the states are c. See docs/theory/multibody.md
/// eq. (41).
///
/// An implicit integrator gives the rule of its step (generalised-alpha) or of its iteration (BDF);
/// the slopes of the load then contain those of the states, since the slopes are differences of
/// this function.
template <HasForceStates Law>
PairLoad load_with_states(const Model& model,
                          const Workspace& ws,
                          const Law& law,
                          const MarkerKinematics& a,
                          const MarkerKinematics& b,
                          ForceStates& states) {
  constexpr double kDifference = 1e-7;  // step of differences, relative to the size of a state
  constexpr double kSolved = 1e-14;     // correction that is round-off, relative to the same
  constexpr int kMaxPasses = 30;        // laws are linear in their states, or nearly so
  constexpr double kSlow = 0.3;  // the Jacobian is renewed if a pass reduces the error by less
  using Matrix =
      Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kMaxForceStates, kMaxForceStates>;
  using Vector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kMaxForceStates, 1>;
  const Eigen::Index n = law.state_count;
  const double g = ws.state_gain;
  const auto c = ws.state_constants.segment(law.state0, n);
  Eigen::Map<Eigen::VectorXd> z(states.z.data(), n);
  Eigen::Map<Eigen::VectorXd> rates(states.rates.data(), n);
  z = c;
  PairLoad load = law.load(model, ws, a, b, z.data(), rates.data());
  if (g == 0.0 || n == 0) return load;
  Eigen::PartialPivLU<Matrix> factor;
  bool has_factor = false;
  double before = 1.0;
  for (int pass = 0; pass < kMaxPasses; ++pass) {
    const double scale = law.state_unit + z.template lpNorm<Eigen::Infinity>();
    if (!has_factor) {
      Matrix J = Matrix::Identity(n, n);
      ForceStates moved;
      for (Eigen::Index k = 0; k < n; ++k) {
        moved.z = states.z;
        moved.z[static_cast<std::size_t>(k)] += kDifference * scale;
        static_cast<void>(law.load(model, ws, a, b, moved.z.data(), moved.rates.data()));
        J.col(k) -= g / (kDifference * scale) *
                    (Eigen::Map<const Eigen::VectorXd>(moved.rates.data(), n) - rates);
      }
      factor.compute(J);
      has_factor = true;
    }
    const Vector correction = factor.solve(Vector(z - c - g * rates));
    const double size = correction.template lpNorm<Eigen::Infinity>() / scale;
    z -= correction;
    load = law.load(model, ws, a, b, z.data(), rates.data());
    const double rate = pass > 0 ? size / before : 1.0;
    if (!(size * std::min(rate, 1.0) > kSolved)) break;  // or not a number
    if (pass > 0 && rate > kSlow) has_factor = false;
    before = size;
  }
  return load;
}

/// The load of a law between two markers.
template <typename Law>
PairLoad load_between(const Model& model,
                      const Workspace& ws,
                      const Law& law,
                      const MarkerKinematics& a,
                      const MarkerKinematics& b) {
  if constexpr (HasForceStates<Law>) {
    ForceStates states;
    return load_with_states(model, ws, law, a, b, states);
  } else {
    return law.load(model, ws, a, b);
  }
}

}  // namespace femflex::mbd_solver
