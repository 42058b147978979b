// The integrator generalised-alpha. It makes the steps of alpha_step.h one after the other, of
// given or of chosen length: halves a step that fails, passes jumps of loads, and ends a step where
// set-valued friction changes its mode. Equations: docs/theory/multibody.md.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>

#include "integrators/alpha_step.h"
#include "integrators/failure_reasons.h"
#include "integrators/integrator.h"
#include "integrators/kept_steps.h"
#include "integrators/stick_slip.h"

namespace femflex::mbd_solver {
namespace {

using Eigen::VectorXd;

// --- steps ---------------------------------------------------------------------------------------
// maximum number of halvings of a step for which Newton's method fails
constexpr int kMaxHalvings = 8;
// a load jumped if a correction exceeds those of the steps before by this factor
constexpr double kJumpFactor = 30.0;
constexpr double kMinJump = 1e-11;  // and also exceeds this round-off level

// --- steps of chosen length ----------------------------------------------------------------------
// share of the time below which the remainder of an interval is round-off
constexpr double kTimeRoundOff = 1e-13;
// largest deviation from a whole number of steps in an interval that counts as round-off
constexpr double kCountRoundOff = 1e-9;
// value of error / tolerance for a step that could not be solved
constexpr double kUnsolved = 1e10;
// the step is doubled if error / tolerance is below this; the error is proportional to h^3
constexpr double kDoubleBelow = 0.05;
constexpr int kMaxFailures = 60;  // maximum number of failures in a row; a step shrinks by 2^60

// --- transitions of set-valued friction ----------------------------------------------------------
// A part of a step below this share is extrapolated with the accelerations at its start, because
// solving such a short step would leave round-off of Phi / h^2 in the accelerations.
constexpr double kShortPart = 1e-3;
constexpr double kTransitionWidth = 1e-11;  // share of the step to which a transition is located
// share of the margin at the end of the step that counts as the transition
constexpr double kTransitionMargin = 1e-10;
constexpr int kMaxLocating = 60;
// maximum number of transitions per step and force; beyond it, the step is completed without
// further transitions, and a note reports chatter
constexpr int kMaxTransitions = 40;

/// A run by steps of generalised-alpha. docs/theory/multibody.md, eq. (21-28)
class GeneralisedAlpha final : public TimeIntegrator {
 public:
  GeneralisedAlpha(Engine& engine, const DynamicOptions& options)
      : engine_(engine),
        options_(options),
        stick_slip_(engine),
        step_(engine, options, stick_slip_),
        trial_(VectorXd::Zero(engine.model.nv)),
        trial_lambda_(VectorXd::Zero(engine.model.nl)),
        h_(options.step) {
    engine_.ws.grips = !stick_slip_.empty();
  }

  void start(State& state) override {
    if (engine_.model.angle_count > 0) {
      engine_.set_all(state);
      step_.find_turn_rates();
    }
    bool is_fresh = state.algorithmic_acceleration.size() != state.velocity.size();
    if (!stick_slip_.empty() && stick_slip_.is_fresh(state)) {
      engine_.ws.multipliers = state.multipliers;  // friction levels may depend on reactions
      if (!stick_slip_.choose(state, true, work_)) engine_.throw_failure();
      is_fresh = true;
    }
    if (is_fresh) {
      state.algorithmic_acceleration = state.acceleration;
      step_.start_acceleration(state, options_.step);
    }
    if (is_fresh || state.algorithmic_rates.size() != engine_.model.state_count) {
      engine_.set_all(state);
      state.force_state_rates = state.algorithmic_rates = engine_.ws.state_rates;
    }
    step_.restore(state);
    last_correction_ = step_.has_previous() ? state.memory.correction : 0.0;
    last_power_ = power(state);
    // a resumed run needs the stored power, which was computed with the loads of the last iterate
    if (step_.has_previous()) last_power_ = state.memory.power;
    if (follower_ != nullptr) follower_->start(state, is_fresh);
  }

  bool follow_steps(StepFollower& follower) override {
    follower_ = &follower;
    return true;
  }

  void keep_steps(KeptSteps& kept) override { kept_ = &kept; }

  bool advance(State& state, double t) override {
    if (options_.adaptive) return advance_adaptive(state, t);
    const double span = t - state.time;
    const auto count = static_cast<std::int64_t>(std::ceil(span / options_.step - kSameStepLength));
    const double from = state.time;
    const double h = span / static_cast<double>(std::max<std::int64_t>(count, 1));
    for (std::int64_t k = 1; k <= count; ++k) {
      check_for_stop();
      const double to = k == count ? t : from + static_cast<double>(k) * h;
      transitions_ = 0;
      if (!attempt(state, to, 0)) return false;
      if (kept_ != nullptr) kept_->add(state);
    }
    return true;
  }

  void store(State& state) const override {
    state.memory = {};
    step_.store(state.memory);
    if (!step_.has_previous()) return;
    state.memory.correction = last_correction_;
    state.memory.power = last_power_;
  }

 private:
  /// Notes what the step says of itself, whether it was solved or not.
  bool noted(bool solved) {
    iterations_ = step_.iterations();
    if (!solved) reason_ = step_.reason();
    return solved;
  }

  /// Power of all forces without a potential [W].
  double power(const State& state) {
    engine_.set_all(state);
    return input_power(engine_.model, engine_.ws);
  }

  /// One step to t. If Newton's method fails with a kept matrix, the step is repeated with a new
  /// matrix in every iteration; if that fails too, the step is halved. Thus the run can pass
  /// positions where constraints lose rank.
  bool attempt(State& state, double t, int depth) {
    const double h = t - state.time;
    bool solved = noted(step_.solve(state, h, t));
    if (solved && step_.has_previous() && correction_jumped())
      solved = noted(step_.solve_across(state, h, t));
    if (!solved) solved = noted(step_.solve_anew(state, h, t));
    if (solved) {
      reason_.clear();
      if (has_transition(state)) return cross(state, h, t, depth);
      accept(state, h, t);
      if (!stick_slip_.empty()) stick_slip_.follow(state);
      return true;
    }
    engine_.ws.state_gain = 0.0;
    if (depth >= kMaxHalvings || 0.5 * h < options_.min_step) return false;
    ++rejected_;
    step_.forget_previous();
    return attempt(state, state.time + 0.5 * h, depth + 1) && attempt(state, t, depth + 1);
  }

  /// Whether Newton's method moved much farther than in earlier steps. Possible causes: a
  /// discontinuous load, or a position where G loses rank and multipliers of vanishing rows are
  /// noise.
  bool correction_jumped() {
    const double correction = step_.moved();
    const bool has_jumped = engine_.model.nl > 0 && last_correction_ > 0.0 &&
                            correction > kJumpFactor * last_correction_ && correction > kMinJump;
    if (!has_jumped) last_correction_ = std::max(correction, 0.5 * last_correction_);
    return has_jumped;
  }

  /// Writes a solved step to the state and adds its work.
  void accept(State& state, double h, double t) {
    if (follower_ != nullptr) follower_->follow(step_.solved(state, h, t));
    step_.write(state, h, t);
    const Model& m = engine_.model;
    // uses loads and rates from before the last correction; the difference is negligible
    if (!m.motions.empty()) constraint_rates(m, engine_.ws, false);
    const double power = input_power(m, engine_.ws);
    work_ += 0.5 * h * (last_power_ + power);
    last_power_ = power;
    ++steps_;
  }

  /// Advances to t with steps chosen by their local error.
  bool advance_adaptive(State& state, double t) {
    const double tiny = kTimeRoundOff * std::max(1.0, std::abs(t));
    int failures = 0;
    while (t - state.time > tiny) {
      check_for_stop();
      const double left = t - state.time;
      const auto pieces = std::max(1.0, std::ceil(left / h_ - kCountRoundOff));
      const double h = left / pieces;
      const double to = pieces <= 1.0 ? t : state.time + h;
      const bool solved = noted(step_.solve(state, h, to));
      double ratio = kUnsolved;
      if (solved)
        ratio = step_.local_error(h) /
                std::max(options_.relative_tolerance, options_.absolute_tolerance);
      if (solved && ratio <= 1.0) {
        transitions_ = 0;
        if (has_transition(state)) {
          if (!cross(state, h, to, 0)) return false;
        } else {
          accept(state, h, to);
          if (!stick_slip_.empty()) stick_slip_.follow(state);
        }
        if (kept_ != nullptr) kept_->add(state);
        failures = 0;
        reason_.clear();
        if (ratio < kDoubleBelow)
          h_ = std::min({2.0 * h, options_.max_step > 0.0 ? options_.max_step : 1e300, 2.0 * h_});
        continue;
      }
      ++rejected_;
      engine_.ws.state_gain = 0.0;
      step_.forget_matrix();
      step_.forget_previous();
      h_ = 0.5 * h;
      if (++failures > kMaxFailures || h_ < options_.min_step) {
        if (reason_.empty())
          reason_ = short_step(engine_, step_.change(), options_.min_step, state.time);
        return false;
      }
    }
    return true;
  }

  // --- transitions of set-valued friction --------------------------------------------------------

  /// Whether set-valued friction changes its mode within the step that was solved.
  bool has_transition(const State& state) {
    if (stick_slip_.empty()) return false;
    step_.set_workspace(state);
    if (!stick_slip_.check(step_.multipliers())) return false;
    if (transitions_ < kMaxTransitions * stick_slip_.count()) return true;
    if (note_.empty()) note_ = chatter(stick_slip_.violated(), transitions_, engine_.ws.t);
    return false;
  }

  /// Solves the part of a step of length `whole` that ends at t.
  bool solve_part(const State& state, double h, double t, double whole) {
    if (h > kShortPart * whole) return noted(step_.solve(state, h, t));
    step_.extrapolate(state, h, t);
    return true;
  }

  /// The margin of friction at the share x of a step; -1 if that part cannot be solved. Multipliers
  /// come from the index-1 form, which has no round-off of Phi / h^2.
  double margin_at(const State& state, double x, double h) {
    if (!solve_part(state, x * h, state.time + x * h, h)) return -1.0;
    step_.set_workspace(state);
    if (!stick_slip_.needs_multipliers()) return stick_slip_.margin(step_.multipliers());
    engine_.ws.state_gain = 0.0;
    engine_.ws.state_constants = engine_.ws.states;
    step_.forget_matrix();
    trial_lambda_ = step_.multipliers();
    if (!engine_.accelerations(trial_, trial_lambda_)) return -1.0;
    return stick_slip_.margin(trial_lambda_);
  }

  /// Finds the share of the step just after the first change of a friction mode; empty if no mode
  /// changes. Uses the Illinois variant of regula falsi, with a bisection in every fourth pass.
  std::optional<double> locate(const State& state, double h) {
    double high = 1.0, f_high = margin_at(state, 1.0, h);
    if (f_high >= 0.0) return std::nullopt;
    double low = 0.0, f_low = margin_at(state, 0.0, h);
    if (f_low <= 0.0) return 0.0;
    int side = 0;
    for (int k = 0; k < kMaxLocating && high - low > kTransitionWidth; ++k) {
      constexpr int kBisectEvery = 4;
      double x = k % kBisectEvery == kBisectEvery - 1
                     ? 0.5 * (low + high)
                     : low + (high - low) * f_low / (f_low - f_high);
      if (!(x > low && x < high)) x = 0.5 * (low + high);
      const double f = margin_at(state, x, h);
      if (f <= 0.0) {
        high = x;
        f_high = f;
        if (side == 1) f_low *= 0.5;
        side = 1;
        if (f > -kTransitionMargin) break;
      } else {
        low = x;
        f_low = f;
        if (side == -1) f_high *= 0.5;
        side = -1;
      }
    }
    return high;
  }

  /// Ends a step where friction changes its mode, and continues from there to t.
  bool cross(State& state, double h, double t, int depth) {
    ++transitions_;
    const std::optional<double> found = locate(state, h);
    const double x = found.value_or(1.0);
    const double end = x < 1.0 ? state.time + x * h : t;
    step_.forget_previous();
    step_.forget_matrix();
    if (x > 0.0) {
      if (!solve_part(state, x * h, end, h)) return false;
      accept(state, x * h, end);
    }
    if (!found) {  // the limit was exceeded only by round-off of the step's multipliers
      stick_slip_.follow(state);
      return true;
    }
    if (!change_modes(state, t)) return false;
    const double left = t - state.time;
    if (!(left > 0.0)) return true;
    if (left > kShortPart * h) return attempt(state, t, depth);
    if (!solve_part(state, left, t, h)) return false;
    accept(state, left, t);
    return change_modes(state, t + h);
  }

  /// Chooses new modes and computes the accelerations with which the next step starts.
  bool change_modes(State& state, double next) {
    engine_.ws.multipliers = state.multipliers;
    if (!stick_slip_.choose(state, false, work_)) {
      reason_ = engine_.failure();
      return false;
    }
    const double step = next > state.time ? next - state.time : options_.step;
    state.algorithmic_acceleration = state.acceleration;
    step_.start_acceleration(state, step);
    engine_.set_all(state);
    state.force_state_rates = state.algorithmic_rates = engine_.ws.state_rates;
    last_power_ = input_power(engine_.model, engine_.ws);
    step_.forget_previous();
    step_.forget_matrix();
    step_.forget_redundant_rows();
    return true;
  }

  Engine& engine_;
  const DynamicOptions& options_;
  StepFollower* follower_ = nullptr;
  KeptSteps* kept_ = nullptr;
  StickSlip stick_slip_;
  AlphaStep step_;
  int transitions_ = 0;            // number of transitions within the present step
  VectorXd trial_, trial_lambda_;  // accelerations and multipliers while a transition is located
  double h_ = 0.0;                 // of chosen steps
  double last_power_ = 0.0, last_correction_ = 0.0;
};

}  // namespace

std::unique_ptr<TimeIntegrator> make_generalised_alpha(Engine& engine,
                                                       const DynamicOptions& options) {
  return std::make_unique<GeneralisedAlpha>(engine, options);
}

}  // namespace femflex::mbd_solver
