// The integrator runge-kutta: the pair of orders 5 and 4 of Dormand and Prince with step control.
// x are local coordinates about the position at the start of the step: of all bodies, or of the
// joints of a tree of rigid bodies, see integrators/step_form.h. Equations:
// docs/theory/multibody.md.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "femflex/laws/runge_kutta_tableaux.h"

#include "integrators/alpha_rule.h"
#include "integrators/integrator.h"
#include "integrators/run_watch.h"
#include "integrators/step_form.h"

namespace femflex::mbd_solver {
namespace {

using Eigen::VectorXd;

constexpr auto& kPair = laws::kDormandPrince;

constexpr double kStepRoundOff = 1e-14;  // share of the time below which the remainder of an
                                         // interval is round-off
// share of the step; a shorter remainder is added to the last step
constexpr double kLastStep = 1e-12;

// --- step control of DOPRI5 [Hairer 1993], II.4, with its numbers and names ----------------------
// SAFE: the next step is this share of the step that would just meet the tolerance
constexpr double kSafety = 0.9;
constexpr double kDamping = 0.04;       // BETA: exponent of the previous error
constexpr double kExponent = 0.17;      // EXPO1 = 0.2 - 0.75 BETA, for an error of order 5
constexpr double kPlainExponent = 0.2;  // exponent after a failed step
constexpr double kMinFactor = 0.2, kMaxFactor = 10.0;  // FAC1, FAC2: limits of one change of the
                                                       // step
constexpr double kMinAfterFailure = 0.1;               // smallest factor after a failed step
// FACOLD: smallest previous error, so that an unnecessarily short step has no lasting effect
constexpr double kMinErrorBefore = 1e-4;
constexpr double kMinError = 1e-10;  // keeps the power finite if nothing moves

// --- no progress ---------------------------------------------------------------------------------
constexpr int kAttempts = 10000;  // number of attempts after which progress is checked
// smallest share of the run that kAttempts attempts must advance; otherwise it would take hours
constexpr double kProgress = 1e-5;
// the same limit if a force jumps with the state, because steps shrink at jumps
constexpr double kJumpProgress = 1e-2;

/// Largest angle [rad] that a body may turn in a step. Two bodies then turn relative to each other
/// by less than half a turn, 2 * 0.6 < pi, with a margin for a growing rate.
constexpr double kMaxTurn = 0.6;
constexpr double kMinTurnRate = 1e-12;  // [rad/s] keeps the step finite

class RungeKutta final : public TimeIntegrator {
 public:
  RungeKutta(Engine& engine, const DynamicOptions& options)
      : engine_(engine),
        options_(options),
        absolute_(make_absolute_form(engine, options)),
        tree_(make_tree_form(engine, options)),
        h_(options.step) {
    has_jumping_force_ = !jumping_force(engine.model).empty();
    z_ = error_z_ = engine.model.initial.force_states;
    for (VectorXd& rate : z_dot_)
      rate.setZero(engine.model.state_count);
    use(*absolute_);
  }

  void start(State& state) override {
    state.algorithmic_acceleration.resize(0);
    state.algorithmic_rates.resize(0);
    use(tree_ != nullptr && tree_->fits(state) ? *tree_ : *absolute_);
    failed_ = false;
    error_before_ = 1.0;
    // after an exchange the step starts anew, so that a resumed run takes the same steps
    if (!engine_.model.network.guests.empty()) h_ = options_.step;
    if (follower_ != nullptr) follower_->start(state, true);
  }

  bool follow_steps(StepFollower& follower) override {
    follower_ = &follower;
    return true;
  }

  bool repeat(State& state, double h, double t) override {
    use(*absolute_);  // derivatives by parameters are those of steps with constraints
    return std::isfinite(attempt(state, h)) && accept(state, t);
  }

  bool advance(State& state, double t) override {
    const bool reached = make_steps(state, t);
    if (!is_stepped_) return reached;
    is_stepped_ = false;
    if (form_->complete(state)) return reached;
    if (reached) reason_ = engine_.failure();
    return false;
  }

 private:
  /// Uses a form from now on.
  void use(StepForm& form) {
    form_ = &form;
    has_first_rates_ = false;
    const Eigen::Index n = form.size();
    if (x_.size() == n) return;
    for (std::size_t k = 0; k < 7; ++k) {
      x_dot_[k].setZero(n);
      v_dot_[k].setZero(n);
    }
    x_.setZero(n);
    v_.setZero(n);
    from_v_.setZero(n);
    error_.setZero(2 * n);
  }

  bool make_steps(State& state, double t) {
    const double tiny = kStepRoundOff * std::max(1.0, std::abs(t));
    while (t - state.time > tiny) {
      check_for_stop();
      double h = std::min(h_, t - state.time);
      if (options_.max_step > 0.0) h = std::min(h, options_.max_step);
      if (engine_.model.watches_steps()) h = std::min(h, max_step_for_angles(state));
      const bool last = h >= (t - state.time) * (1.0 - kLastStep);
      const double h_wanted = h_;
      if (makes_no_progress(state)) return false;
      const double ratio = attempt(state, h);
      const bool is_accurate = ratio <= 1.0;
      if (follower_ != nullptr) followed_from_ = state;
      if (is_accurate && accept(state, last ? t : state.time + h)) {
        ++steps_;
        if (follower_ != nullptr) follower_->follow_explicit(followed_from_, state, h);
        // also uses the previous error, because a rejected step costs more than a shorter one
        const double error = std::max(ratio, kMinError);
        double factor = kSafety * std::pow(error, -kExponent) * std::pow(error_before_, kDamping);
        factor = std::clamp(factor, kMinFactor, failed_ ? 1.0 : kMaxFactor);
        error_before_ = std::max(error, kMinErrorBefore);
        failed_ = false;
        h_ = last && h < h_wanted ? std::max(h_wanted, h * factor) : h * factor;
        continue;
      }
      ++rejected_;
      failed_ = true;
      h_ = h *
           (std::isfinite(ratio) && !is_accurate
                ? std::clamp(kSafety * std::pow(ratio, -kPlainExponent), kMinAfterFailure, kSafety)
                : kMinAfterFailure);
      if (h_ < options_.min_step) {
        explain_short_step(state, h, is_accurate);
        return false;
      }
    }
    return true;
  }

  /// Sets the reason of a failure because steps became too short: constraints stay violated, or the
  /// error is too large.
  void explain_short_step(const State& state, double h, bool is_violated) {
    const std::string detail = engine_.kkt.failure().empty() ? "" : "; " + engine_.kkt.failure();
    if (is_violated) {
      reason_ =
          fmt::format("the joints and motions allow no step of {:.3g} s at t = {:.9g} s: {}{}",
                      options_.min_step,
                      state.time,
                      form_->explain_refusal(),
                      detail);
      return;
    }
    const Eigen::Index n = form_->size();
    const std::string who = form_->fastest(error_.head(n) + h * error_.tail(n));
    reason_ = fmt::format("the step fell below {:.3g} s at t = {:.9g} s because of {}{}",
                          options_.min_step,
                          state.time,
                          who.empty() ? "the forces" : who,
                          detail);
  }

  /// Whether the last kAttempts attempts hardly advanced the time.
  bool makes_no_progress(const State& state) {
    if (++attempts_ < kAttempts) return false;
    const double share = has_jumping_force_ ? kJumpProgress : kProgress;
    const bool is_stuck = state.time - time_before_ < share * (options_.end - options_.start);
    attempts_ = 0;
    time_before_ = state.time;
    if (!is_stuck) return false;
    std::string who;
    engine_.size_of(state.acceleration, &who);
    reason_ = fmt::format("the steps have shrunk to {:.3g} s at t = {:.9g} s{}{}",
                          h_,
                          state.time,
                          who.empty() ? "" : "; fastest: ",
                          who);
    return true;
  }

  /// Longest step in which turns can be counted and events are detected.
  double max_step_for_angles(const State& state) const {
    double rate = 0.0, growth = 0.0;
    for (const BodyModel& b : engine_.model.bodies)
      for (int c = 0; c < b.nr; ++c) {
        if (b.dof[static_cast<std::size_t>(c)] < 3) continue;
        rate = std::max(rate, std::abs(state.velocity(b.v0 + c)));
        growth = std::max(growth, std::abs(state.acceleration(b.v0 + c)));
      }
    return kMaxTurn / std::max({rate, std::sqrt(growth), kMinTurnRate});
  }

  bool rates(const State& state, double t, std::size_t k) {
    ++iterations_;
    engine_.ws.state_constants = z_;
    if (!form_->rates(state, t, x_, v_, x_dot_[k], v_dot_[k])) return false;
    z_dot_[k] = engine_.ws.state_rates;
    power_[k] = input_power(engine_.model, engine_.ws);
    return true;
  }

  /// Size of a change of force states, relative to the tolerances.
  double state_size(const State& state, const VectorXd& change) const {
    double ratio = 0.0;
    for (Eigen::Index k = 0; k < change.size(); ++k) {
      const double unit = engine_.model.state_unit(k);
      const double size = std::max(std::abs(state.force_states(k)), std::abs(z_(k))) / unit;
      ratio = std::max(ratio, std::abs(change(k)) / unit / allowed(size));
    }
    return ratio;
  }
  double allowed(double size) const {
    return options_.absolute_tolerance + options_.relative_tolerance * size;
  }

  /// Makes a trial step. Returns error / tolerance, or infinity or NaN if a stage fails.
  double attempt(const State& state, double h) {
    const Eigen::Index n = form_->size();
    form_->begin(state, from_v_);
    for (std::size_t k = has_first_rates_ ? 1 : 0; k < 7; ++k) {
      x_.setZero();
      v_ = from_v_;
      z_ = state.force_states;
      for (std::size_t j = 0; j < k; ++j) {
        if (kPair.a[k][j] == 0.0) continue;
        z_ += h * kPair.a[k][j] * z_dot_[j];
        x_ += h * kPair.a[k][j] * x_dot_[j];
        v_ += h * kPair.a[k][j] * v_dot_[j];
      }
      if (!rates(state, state.time + kPair.c[k] * h, k)) {
        error_.setZero();
        return std::numeric_limits<double>::infinity();
      }
      has_first_rates_ = true;
    }
    error_.setZero();
    error_z_.setZero();
    for (std::size_t k = 0; k < 7; ++k) {
      error_z_ += h * kPair.error[k] * z_dot_[k];
      error_.head(n) += h * kPair.error[k] * x_dot_[k];
      error_.tail(n) += h * kPair.error[k] * v_dot_[k];
    }
    const double ratio = std::max(form_->error_size(state, x_, v_, error_.head(n), error_.tail(n)),
                                  state_size(state, error_z_));
    h_used_ = h;
    return std::isfinite(ratio) ? ratio : std::numeric_limits<double>::infinity();
  }

  /// Ends a step. Returns false, with the state unchanged, if the form refuses the new point.
  bool accept(State& state, double t) {
    // the last stage is at the new point: x_ and v_ are the fifth-order solution
    const StepForm::End end = form_->end(state, t, x_, v_, v_dot_[6]);
    if (end == StepForm::End::refused) return false;
    is_stepped_ = true;
    state.force_states = z_;
    for (std::size_t k = 0; k < 6; ++k)
      work_ += h_used_ * kPair.a[6][k] * power_[k];
    state.time = t;
    has_first_rates_ = end == StepForm::End::kept;
    if (engine_.update_memory(state)) has_first_rates_ = false;
    if (has_first_rates_) {  // the last stage is the first of the next step
      x_dot_[0] = v_;
      v_dot_[0] = v_dot_[6];
      z_dot_[0] = z_dot_[6];
      power_[0] = power_[6];
    }
    return true;
  }

  Engine& engine_;
  const DynamicOptions& options_;
  std::unique_ptr<StepForm> absolute_, tree_;  // tree_: null if the model is not a tree
  StepForm* form_ = nullptr;                   // one of these
  StepFollower* follower_ = nullptr;
  State followed_from_;  // the start of the step that is passed to the follower
  double h_, h_used_ = 0.0, error_before_ = 1.0;
  bool has_first_rates_ = false;    // the rates of stage 0 are those of the state
  bool failed_ = false;             // true if the last attempt failed
  bool has_jumping_force_ = false;  // true if a force jumps with the state
  int attempts_ = 0;                // number of attempts since time_before_
  double time_before_ = -1e300;
  bool is_stepped_ = false;  // true: the form has not completed the state since its last step
  std::array<VectorXd, 7> x_dot_, v_dot_, z_dot_;
  std::array<double, 7> power_{};
  VectorXd z_, error_z_;  // force states, their error
  VectorXd x_, v_, from_v_, error_;
};

}  // namespace

std::unique_ptr<TimeIntegrator> make_runge_kutta(Engine& engine, const DynamicOptions& options) {
  return std::make_unique<RungeKutta>(engine, options);
}

}  // namespace femflex::mbd_solver
