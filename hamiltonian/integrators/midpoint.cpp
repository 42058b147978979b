// Makes steps of the implicit midpoint rule [Hairer 2006, II.1.2], x1 = x0 + h f(m) with
// m = (x0 + x1) / 2. Solves for m by fixed-point iteration, or by Newton's method if the step is
// too stiff for fixed-point iteration.
#include <algorithm>
#include <cmath>
#include <vector>

#include <Eigen/Core>
#include <Eigen/SparseCholesky>

#include "integrators/stepper.h"

namespace femflex::hamiltonian {
namespace {

// a residual of two roundings; no further improvement is possible
constexpr double kMiddleExact = 4e-16;

// Fixed-point iteration reduces the error by the factor (omega h / 2)^2 every second iteration. If
// the residual is below kMiddleStalled and no longer halves, it is round-off. If the factor exceeds
// kMiddleSlow after the first few iterations, Newton's method is cheaper.
constexpr int kMaxFixedPointSteps = 60;
constexpr int kFirstIterations = 8;
constexpr double kMiddleStalled = 1e-14;
constexpr double kMiddleSlow = 0.7;

// Newton's method takes a few steps. The factorisation has a hundred times the round-off of a
// fixed-point step; the remaining residual is acceptable if it is well below any step error.
constexpr int kMaxNewtonSteps = 40;
constexpr double kNewtonStalled = 1e-13;
constexpr double kNewtonGood = 1e-11;

// relative rounding of a position, a few units in its last place
constexpr double kPositionRounding = 1e-15;

}  // namespace

double Stepper::middle_residual(const State& state, Middle& middle) {
  const double half = 0.5 * middle.h;
  rates(state, middle.instant, q_, p_, dq_, dp_);
  double worst = 0.0;
  double size_q = 0.0;
  double size_p = 0.0;
  double worst_p = 0.0;
  for (std::size_t i = 0; i < n_; ++i) {
    if (driven_[i]) continue;
    worst = std::max(worst, std::abs(state.q[i] + half * dq_[i] - q_[i]));
    worst_p = std::max(worst_p, std::abs(state.p[i] + half * dp_[i] - p_[i]));
    size_q = std::max(size_q, std::abs(q_[i]));
    size_p = std::max(size_p, std::max(std::abs(p_[i]), std::abs(half * dp_[i])));
  }
  // p = 2 m (q_ - q) / h amplifies the rounding of positions
  middle.noise =
      size_p > 0.0 ? kPositionRounding * size_q * middle.largest_mass / (half * size_p) : 0.0;
  const double a = size_q > 0.0 ? worst / size_q : worst;
  const double b = size_p > 0.0 ? worst_p / size_p : worst_p;
  return std::isfinite(a + b) ? std::max(a, b) : HUGE_VAL;
}

bool Stepper::iterate_to_middle(const State& state, Middle& middle) {
  q_ = state.q;
  p_ = state.p;
  // Errors of q and p alternate, each being (omega h / 2)^2 times its previous one, so every second
  // iteration is compared.
  double last = HUGE_VAL;
  double before_last = HUGE_VAL;
  for (int i = 0; i < kMaxFixedPointSteps; ++i) {
    const double error = middle_residual(state, middle);
    if (error <= kMiddleExact || (error < kMiddleStalled && error >= 0.5 * before_last))
      return true;
    if (i > kFirstIterations && error > kMiddleSlow * before_last) return false;
    before_last = last;
    last = error;
    for (std::size_t k = 0; k < n_; ++k) {
      q_[k] = state.q[k] + 0.5 * middle.h * dq_[k];
      p_[k] = state.p[k] + 0.5 * middle.h * dp_[k];
    }
  }
  return false;
}

// Solves for dq: (1 + h^2/4 M^-1 K + h/2 M^-1 C) dq = (1 + h/2 M^-1 C) rq + h/2 M^-1 rp,  symmetric
// after multiplication by M. C is left out until the dampers are found to be strong.
bool Stepper::newton_to_middle(const State& state, Middle& middle, bool damped) {
  const double h = middle.h;
  SparseMatrix k;
  std::vector<double> inverse_mass;
  q_ = state.q;
  p_ = state.p;
  if (!system_.tangent(state.memory, q_, k, inverse_mass)) return false;
  for (const double inverse : inverse_mass)
    if (inverse > 0.0) middle.largest_mass = std::max(middle.largest_mass, 1.0 / inverse);
  const auto n = static_cast<Eigen::Index>(n_);
  Eigen::SimplicialLDLT<SparseMatrix> factor;
  double last = HUGE_VAL;
  for (int i = 0; i < kMaxNewtonSteps; ++i) {
    const double error = middle_residual(state, middle);
    if (error <= kMiddleExact ||
        (error < std::max(kNewtonStalled, middle.noise) && error >= 0.5 * last))
      return true;
    if (error == HUGE_VAL) return false;
    const bool is_slow = error > kMiddleSlow * last && error > std::max(kNewtonGood, middle.noise);
    if (!damped && system_.is_dissipative() && is_slow) return false;
    last = error;
    (void)system_.tangent(state.memory, q_, k, inverse_mass);
    k *= 0.25 * h * h;
    Eigen::VectorXd right(n);
    Eigen::VectorXd rest(n);  // rq
    SparseMatrix mass(n, n);
    mass.reserve(Eigen::VectorXi::Constant(n, 1));
    for (std::size_t j = 0; j < n_; ++j) {
      const auto e = static_cast<Eigen::Index>(j);
      const double m = inverse_mass[j] > 0.0 ? 1.0 / inverse_mass[j] : 1.0;
      mass.insert(e, e) = m;
      const double rq = state.q[j] + 0.5 * h * dq_[j] - q_[j];
      const double rp = state.p[j] + 0.5 * h * dp_[j] - p_[j];
      right(e) = inverse_mass[j] > 0.0 ? m * rq + 0.5 * h * rp : 0.0;
      rest(e) = inverse_mass[j] > 0.0 ? rq : 0.0;
    }
    if (damped) {
      State there;
      there.q = q_;
      there.p = p_;
      there.memory = state.memory;
      const SparseMatrix c = 0.5 * h * system_.damping(there);
      right += c.selfadjointView<Eigen::Lower>() * rest;
      k += c;
    }
    k += mass;
    factor.compute(k);
    if (factor.info() != Eigen::Success) return false;
    const Eigen::VectorXd step = factor.solve(right);
    for (std::size_t j = 0; j < n_; ++j) {
      if (inverse_mass[j] == 0.0) continue;
      const auto e = static_cast<Eigen::Index>(j);
      q_[j] += step(e);
      // strong dampers would amplify the rounding of a difference of positions
      if (damped)
        p_[j] += (step(e) - rest(e)) / (0.5 * h * inverse_mass[j]);
      else
        p_[j] = (q_[j] - state.q[j]) / (0.5 * h * inverse_mass[j]);
    }
  }
  const double error = middle_residual(state, middle);
  return error < std::max(kNewtonGood, middle.noise);
}

bool Stepper::midpoint(State& state, const Instant& now, double h) {
  Middle middle;
  middle.instant = {now.time + 0.5 * h, now.middle, now.step};
  middle.h = h;
  if (!iterate_to_middle(state, middle) && !newton_to_middle(state, middle, false) &&
      !(system_.is_dissipative() && newton_to_middle(state, middle, true)))
    return false;
  system_.set_prescribed(middle.instant.time, q_, p_);
  for (std::size_t i = 0; i < n_; ++i) {
    state.q[i] = 2.0 * q_[i] - state.q[i];
    state.p[i] = 2.0 * p_[i] - state.p[i];
  }
  system_.set_prescribed(now.time + h, state.q, state.p);
  return true;
}

}  // namespace femflex::hamiltonian
