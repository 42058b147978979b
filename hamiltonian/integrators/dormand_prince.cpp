// Makes time steps of adaptive length with Dormand and Prince's Runge-Kutta pair of orders 5 and 4,
// and ends a step where a spring breaks.
#include <algorithm>
#include <cmath>
#include <limits>

#include "femflex/laws/runge_kutta_tableaux.h"
#include "femflex/laws/step_control.h"

#include "integrators/stepper.h"

namespace femflex::hamiltonian {
namespace {

constexpr auto& kPair = laws::kDormandPrince;

constexpr double kAfterOverflow = 0.1;  // factor of the step after a stage has overflowed

// The time at which a spring breaks is searched for at kPartsOfStep points of the step, then
// located by regula falsi [Dowell 1971] to a tolerance of kBreakTolerance times the relative
// tolerance times the step. A new point keeps kMinEndDistance times that tolerance from both ends.
constexpr int kPartsOfStep = 8;
constexpr double kBreakTolerance = 1e-3;
constexpr double kMinEndDistance = 0.4;
constexpr int kMaxFalsi = 100;

}  // namespace

// Tries a step of length h. Leaves the new state in q_ and p_; returns error / tolerance.
double Stepper::dormand_prince_try(State& state, double h) {
  const double middle = state.time + 0.5 * h;
  for (std::size_t s = 0; s < 7; ++s) {
    for (std::size_t i = 0; i < n_; ++i) {
      double sq = 0.0;
      double sp = 0.0;
      for (std::size_t r = 0; r < s; ++r) {
        sq += kPair.a[s][r] * kq_[r][i];
        sp += kPair.a[s][r] * kp_[r][i];
      }
      q_[i] = state.q[i] + h * sq;
      p_[i] = state.p[i] + h * sp;
    }
    rates(state, {state.time + kPair.c[s] * h, middle, state.step}, q_, p_, kq_[s], kp_[s]);
  }
  double size_q = 0.0;
  double size_p = 0.0;
  for (std::size_t i = 0; i < n_; ++i) {
    size_q = std::max(size_q, std::abs(q_[i]));
    size_p = std::max(size_p, std::abs(p_[i]));
  }
  double worst = 0.0;
  for (std::size_t i = 0; i < n_; ++i) {
    double eq = 0.0;
    double ep = 0.0;
    for (std::size_t r = 0; r < 7; ++r) {
      eq += kPair.error[r] * kq_[r][i];
      ep += kPair.error[r] * kp_[r][i];
    }
    worst = std::max(
        worst,
        std::abs(h * eq) / (options_.absolute_tolerance + options_.relative_tolerance * size_q));
    worst = std::max(
        worst,
        std::abs(h * ep) / (options_.absolute_tolerance + options_.relative_tolerance * size_p));
    if (!std::isfinite(eq + ep)) return HUGE_VAL;
  }
  return worst;
}

void Stepper::accept(State& state, double h) {
  state.q = q_;
  state.p = p_;
  state.history.clear();  // of another method, which may go on later
  state.time += h;
  system_.set_prescribed(state.time, state.q, state.p);
  ++state.step;
  // a method of equal steps that goes on later counts its own from here
  if (state.step_length > 0.0)
    state.step_base = state.time - static_cast<double>(state.step) * state.step_length;
  (void)system_.update_memory(state);
}

// Searches a step for the first time at which a spring breaks, repeats the step to just after that
// time, and returns its length; h if no spring breaks. The search uses the cubic through positions
// and velocities at both ends; trial steps confirm the result.
double Stepper::step_to_break(State& state, double h) {
  const auto margin_at = [&](double part) {
    const double r = 1.0 - part;
    for (std::size_t i = 0; i < n_; ++i)
      dq_[i] = r * r * (1.0 + 2.0 * part) * state.q[i] + part * part * (1.0 + 2.0 * r) * q_[i] +
               h * part * r * (r * kq_[0][i] - part * kq_[6][i]);
    return system_.break_margin(state.memory, dq_);
  };
  // times since the start of the step: at long_side a spring is broken, at short_side none is
  double long_side = 0.0;
  double short_side = 0.0;
  for (int i = 1; i <= kPartsOfStep && long_side == 0.0; ++i) {
    const double margin = i == kPartsOfStep ? system_.break_margin(state.memory, q_)
                                            : margin_at(double(i) / kPartsOfStep);
    if (margin < 0.0)
      long_side = h * i / kPartsOfStep;
    else
      short_side = h * i / kPartsOfStep;
  }
  if (long_side == 0.0) return h;
  const auto margin_after = [&](double time) {
    (void)dormand_prince_try(state, time);
    return system_.break_margin(state.memory, q_);
  };
  double beyond = margin_after(long_side);
  if (!(beyond < 0.0)) return long_side;  // the cubic was wrong: continue from here
  double before = short_side > 0.0 ? margin_after(short_side) : -1.0;
  if (before < 0.0) {
    if (short_side > 0.0) {
      long_side = short_side;
      beyond = before;
    }
    short_side = 0.0;
    before = system_.break_margin(state.memory, state.q);
  }
  const double tolerance =
      std::max(kBreakTolerance * options_.relative_tolerance * h,
               4.0 * std::numeric_limits<double>::epsilon() * std::max(std::abs(state.time), h));
  // regula falsi with halved ends (Illinois)
  int same = 0;
  for (int i = 0; i < kMaxFalsi && long_side - short_side > tolerance; ++i) {
    const double span = long_side - short_side;
    double part = before / (before - beyond);
    if (!(part > 0.0 && part < 1.0)) part = 0.5;
    const double time =
        short_side +
        std::clamp(part * span, kMinEndDistance * tolerance, span - kMinEndDistance * tolerance);
    const double margin = margin_after(time);
    if (margin < 0.0) {
      long_side = time;
      beyond = margin;
      if (same < 0) before *= 0.5;
      same = -1;
    } else {
      short_side = time;
      before = margin;
      if (same > 0) beyond *= 0.5;
      same = 1;
    }
  }
  (void)dormand_prince_try(state, long_side);
  return long_side;
}

double Stepper::advance_adaptively(State& state, double most, std::int64_t& rejected) {
  const bool can_break = system_.can_break();
  double h = std::min(state.last_step > 0.0 ? state.last_step : most, most);
  while (true) {
    if (state.time + h == state.time) return 0.0;
    const double error = dormand_prince_try(state, h);
    const double factor = error == HUGE_VAL ? kAfterOverflow : laws::next_step_factor(error);
    if (error <= 1.0) {
      // a step cut short by an output does not make the controller reduce later steps
      state.last_step = h < most ? h * factor : std::max(state.last_step, h * factor);
      const double taken = can_break ? step_to_break(state, h) : h;
      accept(state, taken);
      return taken;
    }
    ++rejected;
    h *= factor;
    state.last_step = h;
  }
}

}  // namespace femflex::hamiltonian
