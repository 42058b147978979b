// The methods of docs/theory/hamiltonian.md §5, one step each.
#include "integrators/stepper.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <Eigen/Core>
#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>

#include "integrators/composition.h"

namespace femflex::hamiltonian {

Stepper::Stepper(const HamiltonianSystem& system, const RunOptions& options)
    : system_(system), options_(options), n_(system.dof_count()) {
  for (Vector* v : {&q_, &p_, &dq_, &dp_, &f_})
    v->resize(n_);
  std::size_t stages = 0;
  if (options.integrator == Integrator::runge_kutta_4) stages = 4;
  if (options.integrator == Integrator::adams_bashforth_3) stages = 4;  // its start
  if (options.integrator == Integrator::dormand_prince) stages = 7;
  if (options.integrator == Integrator::leapfrog || options.integrator == Integrator::symplectic_4)
    stages = 1;
  kq_.assign(stages, Vector(n_));
  kp_.assign(stages, Vector(n_));
  driven_.assign(n_, false);
  if (!system.has_motions()) return;
  Vector told(n_, std::numeric_limits<double>::quiet_NaN());
  Vector momenta = told;
  system.impose(0.0, told, momenta);
  for (std::size_t i = 0; i < n_; ++i)
    driven_[i] = !std::isnan(told[i]);
}

void Stepper::rates(const State& state,
                    const Instant& instant,
                    std::span<double> q,
                    std::span<double> p,
                    std::span<double> dq,
                    std::span<double> dp,
                    bool with_loads) {
  system_.impose(instant.time, q, p);
  system_.velocity(q, p, dq);
  system_.force(state.memory, q, p, dp);
  system_.add_dissipation(state.memory, q, p, dp);
  if (with_loads) system_.add_load(instant, dp);
}

void Stepper::drift(State& state, double tau) {
  system_.velocity(state.q, state.p, dq_);
  for (std::size_t i = 0; i < n_; ++i)
    state.q[i] += tau * dq_[i];
}

void Stepper::kick(State& state, const Instant& instant, double tau) {
  system_.force(state.memory, state.q, state.p, f_);
  system_.add_load(instant, f_);
  for (std::size_t i = 0; i < n_; ++i)
    state.p[i] += tau * f_[i];
}

void Stepper::decay(State& state, double tau) {
  if (!system_.is_dissipative() || system_.decay(tau, state.p)) return;
  // the explicit midpoint rule keeps the order of the symmetric splitting
  std::fill(dp_.begin(), dp_.end(), 0.0);
  system_.add_dissipation(state.memory, state.q, state.p, dp_);
  for (std::size_t i = 0; i < n_; ++i)
    p_[i] = state.p[i] + 0.5 * tau * dp_[i];
  std::fill(dp_.begin(), dp_.end(), 0.0);
  system_.add_dissipation(state.memory, state.q, p_, dp_);
  for (std::size_t i = 0; i < n_; ++i)
    state.p[i] += tau * dp_[i];
}

// Loads of a multistep method act as their impulse over the step (two Gauss points), so that one
// that switches between steps keeps its impulse and a smooth one keeps the order.
void Stepper::add_load_impulse(State& state, double time, double h) {
  if (!system_.has_loads()) return;
  constexpr double kGauss = 0.21132486540518713;
  std::fill(f_.begin(), f_.end(), 0.0);
  system_.add_load({time + kGauss * h, time + 0.5 * h, state.step}, f_);
  system_.add_load({time + (1.0 - kGauss) * h, time + 0.5 * h, state.step}, f_);
  for (std::size_t i = 0; i < n_; ++i)
    state.p[i] += 0.5 * h * f_[i];
}

void Stepper::euler(State& state, const Instant& now, double h) {
  rates(state, now, state.q, state.p, dq_, dp_, true);
  for (std::size_t i = 0; i < n_; ++i) {
    state.q[i] += h * dq_[i];
    state.p[i] += h * dp_[i];
  }
}

void Stepper::semi_implicit(State& state, const Instant& now, double h) {
  rates(state, now, state.q, state.p, dq_, dp_, true);
  for (std::size_t i = 0; i < n_; ++i)
    state.p[i] += h * dp_[i];
  drift(state, h);
}

void Stepper::adams_bashforth(State& state, const Instant& now, double h, std::size_t order) {
  const std::size_t known = state.history.size() / (2 * n_);  // earlier rates, newest first
  rates(state, now, state.q, state.p, dq_, dp_, false);
  std::array<double, 3> c = {1.0, 0.0, 0.0};
  if (order == 2 && known >= 1) c = {1.5, -0.5, 0.0};
  if (order == 3 && known >= 2) c = {23.0 / 12.0, -16.0 / 12.0, 5.0 / 12.0};
  if (order == 3 && known < 2) {
    // start by classical Runge-Kutta steps
    Vector& q = kq_[3];
    Vector& p = kp_[3];
    q = dq_;
    p = dp_;
    state.history.insert(state.history.begin(), p.begin(), p.end());
    state.history.insert(state.history.begin(), q.begin(), q.end());
    runge_kutta(state, now, h);
    return;
  }
  const double* older = state.history.data();
  for (std::size_t i = 0; i < n_; ++i) {
    double sq = c[0] * dq_[i];
    double sp = c[0] * dp_[i];
    for (std::size_t k = 0; k < std::min(known, order - 1); ++k) {
      sq += c[k + 1] * older[2 * n_ * k + i];
      sp += c[k + 1] * older[2 * n_ * k + n_ + i];
    }
    state.q[i] += h * sq;
    state.p[i] += h * sp;
  }
  add_load_impulse(state, now.time, h);
  if (known < order - 1) state.history.resize(2 * n_ * (known + 1));  // the first steps alone
  double* history = state.history.data();
  if (order == 3) std::copy_n(history, 2 * n_, history + 2 * n_);
  std::copy(dq_.begin(), dq_.end(), history);
  std::copy(dp_.begin(), dp_.end(), history + n_);
}

void Stepper::leapfrog(State& state, const Instant& now, double h) {
  Vector& f = kp_[0];  // force at the state's positions, loads left out
  if (!force_known_) system_.force(state.memory, state.q, state.p, f);
  decay(state, 0.5 * h);
  const auto half_kick = [&](double time) {
    f_ = f;
    system_.add_load({time, now.middle, now.step}, f_);
    for (std::size_t i = 0; i < n_; ++i)
      state.p[i] += 0.5 * h * f_[i];
  };
  half_kick(now.time);
  drift(state, h);
  system_.impose(now.time + h, state.q, state.p);
  system_.force(state.memory, state.q, state.p, f);
  force_known_ = true;
  half_kick(now.time + h);
  decay(state, 0.5 * h);
}

void Stepper::runge_kutta(State& state, const Instant& now, double h) {
  constexpr std::array kC = {0.0, 0.5, 0.5, 1.0};
  constexpr std::array kB = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};
  for (std::size_t s = 0; s < 4; ++s) {
    for (std::size_t i = 0; i < n_; ++i) {
      q_[i] = state.q[i] + (s == 0 ? 0.0 : kC[s] * h * kq_[s - 1][i]);
      p_[i] = state.p[i] + (s == 0 ? 0.0 : kC[s] * h * kp_[s - 1][i]);
    }
    rates(state, {now.time + kC[s] * h, now.middle, now.step}, q_, p_, kq_[s], kp_[s], true);
  }
  for (std::size_t i = 0; i < n_; ++i) {
    for (std::size_t s = 0; s < 4; ++s) {
      state.q[i] += h * kB[s] * kq_[s][i];
      state.p[i] += h * kB[s] * kp_[s][i];
    }
  }
}

void Stepper::composition(State& state, const Instant& now, double h) {
  constexpr auto& kDrift = Composition::kDrift;
  constexpr auto& kKick = Composition::kKick;
  decay(state, 0.5 * h);
  double time = now.time;
  for (std::size_t s = 0; s < kDrift.size(); ++s) {
    drift(state, kDrift[s] * h);
    time += kDrift[s] * h;
    system_.impose(time, state.q, state.p);
    if (s < kKick.size()) kick(state, {time, now.middle, now.step}, kKick[s] * h);
  }
  decay(state, 0.5 * h);
}

bool Stepper::midpoint(State& state, const Instant& now, double h) {
  // Unknown: the state at the middle, q_ and p_.
  double largest_mass = 0.0;  // known where Newton asks
  const Instant middle{now.time + 0.5 * h, now.middle, now.step};
  q_ = state.q;
  p_ = state.p;
  double noise = 0.0;  // of the scaled residual, by round-off of positions in p = 2 m (q_ - q) / h
  const auto residual = [&] {  // of q_ - q - h/2 q', p_ - p - h/2 p', scaled
    rates(state, middle, q_, p_, dq_, dp_, true);
    double worst = 0.0;
    double size_q = 0.0;
    double size_p = 0.0;
    double worst_p = 0.0;
    for (std::size_t i = 0; i < n_; ++i) {
      if (driven_[i]) continue;
      worst = std::max(worst, std::abs(state.q[i] + 0.5 * h * dq_[i] - q_[i]));
      worst_p = std::max(worst_p, std::abs(state.p[i] + 0.5 * h * dp_[i] - p_[i]));
      size_q = std::max(size_q, std::abs(q_[i]));
      size_p = std::max(size_p, std::max(std::abs(p_[i]), std::abs(0.5 * h * dp_[i])));
    }
    noise = size_p > 0.0 ? 1e-15 * size_q * largest_mass / (0.5 * h * size_p) : 0.0;
    const double a = size_q > 0.0 ? worst / size_q : worst;
    const double b = size_p > 0.0 ? worst_p / size_p : worst_p;
    return std::isfinite(a + b) ? std::max(a, b) : HUGE_VAL;
  };
  const auto finish = [&] {
    system_.impose(middle.time, q_, p_);
    for (std::size_t i = 0; i < n_; ++i) {
      state.q[i] = 2.0 * q_[i] - state.q[i];
      state.p[i] = 2.0 * p_[i] - state.p[i];
    }
    system_.impose(now.time + h, state.q, state.p);
    return true;
  };
  constexpr double kEnough = 4e-16;
  // Errors of q and p take turns, each (omega h / 2)^2 times its last one: every other compares.
  double last = HUGE_VAL;
  double before_last = HUGE_VAL;
  for (int i = 0; i < 60; ++i) {
    const double error = residual();
    if (error <= kEnough || (error < 1e-14 && error >= 0.5 * before_last)) return finish();
    if (i > 8 && error > 0.7 * before_last) break;  // stiff: Newton below
    before_last = last;
    last = error;
    for (std::size_t k = 0; k < n_; ++k) {
      q_[k] = state.q[k] + 0.5 * h * dq_[k];
      p_[k] = state.p[k] + 0.5 * h * dp_[k];
    }
  }
  SparseMatrix k;
  std::vector<double> inverse_mass;
  q_ = state.q;
  p_ = state.p;
  if (!system_.tangent(state.memory, q_, k, inverse_mass)) return false;
  for (const double inverse : inverse_mass)
    if (inverse > 0.0) largest_mass = std::max(largest_mass, 1.0 / inverse);
  // Newton in dq:  (1 + h^2/4 M^-1 K) dq = rq + h/2 M^-1 rp, symmetric after scaling with M^1/2.
  const auto n = static_cast<Eigen::Index>(n_);
  Eigen::SimplicialLDLT<SparseMatrix> factor;
  last = HUGE_VAL;
  for (int i = 0; i < 40; ++i) {
    const double error = residual();
    if (error <= kEnough || (error < std::max(1e-13, noise) && error >= 0.5 * last))
      return finish();
    if (error == HUGE_VAL) return false;
    last = error;
    system_.tangent(state.memory, q_, k, inverse_mass);
    k *= 0.25 * h * h;
    Eigen::VectorXd right(n);
    SparseMatrix mass(n, n);
    mass.reserve(Eigen::VectorXi::Constant(n, 1));
    for (std::size_t j = 0; j < n_; ++j) {
      const auto e = static_cast<Eigen::Index>(j);
      const double m = inverse_mass[j] > 0.0 ? 1.0 / inverse_mass[j] : 1.0;
      mass.insert(e, e) = m;
      const double rq = state.q[j] + 0.5 * h * dq_[j] - q_[j];
      const double rp = state.p[j] + 0.5 * h * dp_[j] - p_[j];
      right(e) = inverse_mass[j] > 0.0 ? m * rq + 0.5 * h * rp : 0.0;
    }
    k += mass;
    factor.compute(k);
    if (factor.info() != Eigen::Success) return false;
    const Eigen::VectorXd step = factor.solve(right);
    for (std::size_t j = 0; j < n_; ++j) {
      if (inverse_mass[j] == 0.0) continue;
      q_[j] += step(static_cast<Eigen::Index>(j));
      p_[j] = (q_[j] - state.q[j]) / (0.5 * h * inverse_mass[j]);
    }
  }
  return residual() < std::max(1e-11, noise) && finish();
}

bool Stepper::advance(State& state, double time, double h) {
  const Instant now{time, time + 0.5 * h, state.step};
  switch (options_.integrator) {
    case Integrator::euler:
      euler(state, now, h);
      break;
    case Integrator::semi_implicit_euler:
      semi_implicit(state, now, h);
      break;
    case Integrator::adams_bashforth_2:
      adams_bashforth(state, now, h, 2);
      break;
    case Integrator::adams_bashforth_3:
      adams_bashforth(state, now, h, 3);
      break;
    case Integrator::leapfrog:
      leapfrog(state, now, h);
      break;
    case Integrator::runge_kutta_4:
      runge_kutta(state, now, h);
      break;
    case Integrator::symplectic_4:
      composition(state, now, h);
      break;
    case Integrator::implicit_midpoint:
      if (!midpoint(state, now, h)) return false;
      break;
    case Integrator::dormand_prince:
      return false;  // has its own entry
  }
  system_.impose(time + h, state.q, state.p);
  ++state.step;
  if (system_.remember(state)) force_known_ = false;
  return true;
}

}  // namespace femflex::hamiltonian
