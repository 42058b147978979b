// Makes one time step of a Hamiltonian system by any of the integration methods with fixed steps
// (implicit midpoint: midpoint.cpp). docs/theory/hamiltonian.md §5
#include "integrators/stepper.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "femflex/laws/runge_kutta_tableaux.h"

#include "integrators/composition.h"

namespace femflex::hamiltonian {

Stepper::Stepper(const HamiltonianSystem& system, const RunOptions& options)
    : system_(system), options_(options), n_(system.dof_count()) {
  for (Vector* v : {&q_, &p_, &dq_, &dp_, &f_})
    v->resize(n_);
  std::size_t stages = 0;
  if (options.integrator == Integrator::runge_kutta_4) stages = 4;
  // the first steps of ab3 are Runge-Kutta steps with four stages
  if (options.integrator == Integrator::adams_bashforth_3) stages = 4;
  if (options.integrator == Integrator::dormand_prince) stages = 7;
  if (options.integrator == Integrator::leapfrog || options.integrator == Integrator::symplectic_4)
    stages = 1;
  kq_.assign(stages, Vector(n_));
  kp_.assign(stages, Vector(n_));
  driven_.assign(n_, false);
  if (!system_.has_motions()) return;
  Vector told(n_, std::numeric_limits<double>::quiet_NaN());
  Vector momenta = told;
  system_.set_prescribed(0.0, told, momenta);
  for (std::size_t i = 0; i < n_; ++i)
    driven_[i] = !std::isnan(told[i]);
}

void Stepper::unloaded_rates(const State& state,
                             const Instant& instant,
                             std::span<double> q,
                             std::span<double> p,
                             std::span<double> dq,
                             std::span<double> dp) {
  system_.set_prescribed(instant.time, q, p);
  system_.velocity(q, p, dq);
  system_.force(state.memory, q, p, dp);
  system_.add_dissipation(state.memory, q, p, dp);
}

void Stepper::rates(const State& state,
                    const Instant& instant,
                    std::span<double> q,
                    std::span<double> p,
                    std::span<double> dq,
                    std::span<double> dp) {
  unloaded_rates(state, instant, q, p, dq, dp);
  system_.add_load(instant, dp);
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

// In a multistep method, loads act by their impulse over the step (two Gauss points). Thus a load
// that switches between steps keeps its impulse, and a smooth load does not reduce the order.
void Stepper::add_load_impulse(State& state, double time, double h) {
  if (!system_.has_loads()) return;
  constexpr double kGauss = 0.21132486540518713;  // (1 - 1/sqrt(3)) / 2
  std::fill(f_.begin(), f_.end(), 0.0);
  system_.add_load({time + kGauss * h, time + 0.5 * h, state.step}, f_);
  system_.add_load({time + (1.0 - kGauss) * h, time + 0.5 * h, state.step}, f_);
  for (std::size_t i = 0; i < n_; ++i)
    state.p[i] += 0.5 * h * f_[i];
}

void Stepper::euler(State& state, const Instant& now, double h) {
  rates(state, now, state.q, state.p, dq_, dp_);
  for (std::size_t i = 0; i < n_; ++i) {
    state.q[i] += h * dq_[i];
    state.p[i] += h * dp_[i];
  }
}

void Stepper::semi_implicit(State& state, const Instant& now, double h) {
  rates(state, now, state.q, state.p, dq_, dp_);
  for (std::size_t i = 0; i < n_; ++i)
    state.p[i] += h * dp_[i];
  drift(state, h);
}

void Stepper::adams_bashforth(State& state, const Instant& now, double h, std::size_t order) {
  // earlier rates, newest first; what another method has left is older than they are
  const std::size_t known = std::min(state.history.size() / (2 * n_), order - 1);
  state.history.resize(2 * n_ * known);
  unloaded_rates(state, now, state.q, state.p, dq_, dp_);
  std::array<double, 3> c = {1.0, 0.0, 0.0};
  if (order == 2 && known >= 1) c = {1.5, -0.5, 0.0};
  if (order == 3 && known >= 2) c = {23.0 / 12.0, -16.0 / 12.0, 5.0 / 12.0};
  if (order == 3 && known < 2) {
    // the first steps are classical Runge-Kutta steps
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
    for (std::size_t k = 0; k < known; ++k) {
      sq += c[k + 1] * older[2 * n_ * k + i];
      sp += c[k + 1] * older[2 * n_ * k + n_ + i];
    }
    state.q[i] += h * sq;
    state.p[i] += h * sp;
  }
  add_load_impulse(state, now.time, h);
  if (known < order - 1) state.history.resize(2 * n_ * (known + 1));  // only in the first steps
  double* history = state.history.data();
  if (order == 3) std::copy_n(history, 2 * n_, history + 2 * n_);
  std::copy(dq_.begin(), dq_.end(), history);
  std::copy(dp_.begin(), dp_.end(), history + n_);
}

void Stepper::leapfrog(State& state, const Instant& now, double h) {
  Vector& f = kp_[0];  // force at the positions of the state, without loads
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
  system_.set_prescribed(now.time + h, state.q, state.p);
  system_.force(state.memory, state.q, state.p, f);
  force_known_ = true;
  half_kick(now.time + h);
  decay(state, 0.5 * h);
}

void Stepper::runge_kutta(State& state, const Instant& now, double h) {
  constexpr auto& kC = laws::kRungeKutta4.c;
  constexpr auto& kB = laws::kRungeKutta4.b;
  for (std::size_t s = 0; s < 4; ++s) {
    for (std::size_t i = 0; i < n_; ++i) {
      q_[i] = state.q[i] + (s == 0 ? 0.0 : kC[s] * h * kq_[s - 1][i]);
      p_[i] = state.p[i] + (s == 0 ? 0.0 : kC[s] * h * kp_[s - 1][i]);
    }
    rates(state, {now.time + kC[s] * h, now.middle, now.step}, q_, p_, kq_[s], kp_[s]);
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
    system_.set_prescribed(time, state.q, state.p);
    if (s < kKick.size()) kick(state, {time, now.middle, now.step}, kKick[s] * h);
  }
  decay(state, 0.5 * h);
}

bool Stepper::advance(State& state, double time, double h) {
  const Instant now{time, time + 0.5 * h, state.step};
  const bool is_multistep = options_.integrator == Integrator::adams_bashforth_2 ||
                            options_.integrator == Integrator::adams_bashforth_3;
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
      return false;  // the adaptive method has its own function
  }
  if (!is_multistep) state.history.clear();  // of another method, which may go on later
  system_.set_prescribed(time + h, state.q, state.p);
  ++state.step;
  if (system_.update_memory(state)) force_known_ = false;
  return true;
}

}  // namespace femflex::hamiltonian
