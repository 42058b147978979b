// Newton's method for the states z of forces and blocks under the rule of an integrator, z = c + g
// z'(z), with a Jacobian by differences that is kept while it serves. Most laws are nearly linear
// in their states, so that one Jacobian and two corrections are sufficient.
// docs/theory/multibody.md eq. (41)
#pragma once

#include <algorithm>

#include <Eigen/Core>
#include <Eigen/LU>

#include "femflex/dense.h"

namespace femflex::mbd_solver {

/// @tparam Max  largest number of states; with a limit nothing is allocated
template <int Max = Eigen::Dynamic>
struct StateNewtonScratch {
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, Max, Max>;
  Eigen::Matrix<double, Eigen::Dynamic, 1, 0, Max, 1> rates, moved;
  Matrix J;
  Eigen::PartialPivLU<Matrix> factor;
};

/// The rule, and the size of the n states.
struct StateNewton {
  Eigen::Index n = 0;
  const double* constants = nullptr;  ///< c
  double gain = 0.0;                  ///< g; 0: the states are c
  double unit = 1.0;                  ///< added to the largest state, for tolerances
  double solved = 0.0;  ///< a smaller correction, relative to the states, is round-off
};

/// J := 1 - g dz'/dz by differences at the states z with the given rates.
template <int Max, typename Evaluate>
void find_state_jacobian(const StateNewton& rule,
                         const Evaluate& evaluate,
                         const Eigen::Map<Eigen::VectorXd>& z,
                         const Eigen::Map<Eigen::VectorXd>& rates,
                         double scale,
                         StateNewtonScratch<Max>& s) {
  constexpr double kDifference = 1e-7;  // relative to the states
  const double step = kDifference * scale;
  s.moved = z;
  s.rates.resize(rule.n);
  s.J.setIdentity(rule.n, rule.n);
  for (Eigen::Index k = 0; k < rule.n; ++k) {
    s.moved(k) += step;
    evaluate(s.moved.data(), s.rates.data());
    s.moved(k) = z(k);
    s.J.col(k) -= rule.gain / step * (s.rates - rates);
  }
}

/// Finds the states and their rates.
/// @param evaluate  (z, z'): computes the rates at states; its last call has the states found
template <int Max, typename Evaluate>
void solve_state_rule(const StateNewton& rule,
                      const Evaluate& evaluate,
                      double* states,
                      double* state_rates,
                      StateNewtonScratch<Max>& s) {
  constexpr int kMaxPasses = 30;
  constexpr double kSlow = 0.3;  // the Jacobian is recomputed if a pass leaves a larger share of
                                 // the error
  const Eigen::Map<const Eigen::VectorXd> c(rule.constants, rule.n);
  Eigen::Map<Eigen::VectorXd> z(states, rule.n);
  const Eigen::Map<Eigen::VectorXd> rates(state_rates, rule.n);
  z = c;
  evaluate(states, state_rates);
  if (rule.gain == 0.0 || rule.n == 0) return;
  bool has_factor = false;
  double before = 1.0;
  for (int pass = 0; pass < kMaxPasses; ++pass) {
    const double scale = rule.unit + z.template lpNorm<Eigen::Infinity>();
    if (!has_factor) {
      find_state_jacobian(rule, evaluate, z, rates, scale, s);
      s.factor.compute(s.J);
    }
    has_factor = true;
    s.rates = z - c - rule.gain * rates;
    s.moved = s.factor.solve(s.rates);
    const double size = s.moved.template lpNorm<Eigen::Infinity>() / scale;
    z -= s.moved;
    evaluate(states, state_rates);
    const double rate = pass > 0 ? size / before : 1.0;
    if (!(size * std::min(rate, 1.0) > rule.solved)) return;  // also if size is NaN
    if (pass > 0 && rate > kSlow) has_factor = false;
    before = size;
  }
}

}  // namespace femflex::mbd_solver
