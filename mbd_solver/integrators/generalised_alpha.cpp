// The integrator generalised-alpha. A step extrapolates, corrects by Newton's method with a kept
// matrix, and is halved if Newton's method fails. Symbols: step h, positions q, velocities v,
// accelerations vdot, algorithmic accelerations a, multipliers lambda. Equations:
// docs/theory/multibody.md.
#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "integrators/alpha_rule.h"
#include "integrators/failure_reasons.h"
#include "integrators/integrator.h"
#include "integrators/kept_steps.h"
#include "integrators/stick_slip.h"
#include "spatial/rotation.h"
#include "spatial/spin.h"

namespace femflex::mbd_solver {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

// --- Newton's method -----------------------------------------------------------------------------
// Sizes of corrections are computed by Engine::size_of(): lengths relative to the system's size,
// angles in rad.
/// Lower limit of the next convergence rate relative to the last one, because a single good
/// correction does not prove that the kept matrix is good. CRDOWN of [Hindmarsh 2005].
constexpr double kRateMemory = 0.3;
/// A kept matrix is rebuilt if the convergence rate exceeds this. In a chain of bodies, a fifth
/// iteration costs more than a new matrix. Near round-off, corrections with a larger rate are
/// noise.
constexpr double kRebuildRate = 0.3;
/// The same limit at the end of a step that took more than one correction. If the rate is below the
/// limit, the matrix is kept: the next step then takes two iterations.
constexpr double kKeepRate = 0.05;
constexpr int kManyCorrections = 3;
/// Smallest rate assumed for a first correction: with a smaller one, the estimate of the remaining
/// error is meaningless.
constexpr double kMinExpectedRate = 1e-3;
// corrections below this that do not shrink are round-off of the solution
constexpr double kRoundOffSize = 1e-11;
constexpr double kLastBits = 4e-15;  // corrections below this are the last bits of q
// a multiple of the last bits, for a system far from the origin of W where they exceed
// kRoundOffSize
constexpr double kManyBits = 10.0;
// slowly shrinking corrections below this may be noise of a nearly singular G
constexpr double kMaxNoise = 1e-8;
constexpr double kPhiRoundOff = 1e-14;  // |Phi| / system size below this is round-off
// constraints contradict each other if |Phi| exceeds this after Newton's method has converged
constexpr double kContradiction = 1e-6;
constexpr double kVanishingRows = 1e-6;  // eps of eq. (28) at positions where rows vanish

// --- steps ---------------------------------------------------------------------------------------
// largest relative difference between steps that use the same matrix
constexpr double kSameStepLength = 1e-6;
// maximum number of halvings of a step for which Newton's method fails
constexpr int kMaxHalvings = 8;
// a load jumped if a correction exceeds those of the steps before by this factor
constexpr double kJumpFactor = 30.0;
constexpr double kMinJump = 1e-11;  // and also exceeds this round-off level
/// Limit of (omega h)^2 for modes that the small step at the start of a run resolves. Faster modes
/// start with their own acceleration.
constexpr double kResolved = 0.25;
// the extrapolation failed if the first acceleration exceeds the state's by this factor
constexpr double kMaxStartGrowth = 10.0;
constexpr double kMaxStartViolation = 1e-8;  // |Phi| above which the small step at the start of a
                                             // run is rejected

// --- steps of chosen length ----------------------------------------------------------------------
// share of the time below which the remainder of an interval is round-off
constexpr double kTimeRoundOff = 1e-13;
// largest deviation from a whole number of steps in an interval that counts as round-off
constexpr double kCountRoundOff = 1e-9;
// value of error / tolerance for a step that could not be solved
constexpr double kUnsolved = 1e10;
// the step is doubled if error / tolerance is below this; the error is proportional to h^3
constexpr double kDoubleBelow = 0.05;
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

constexpr int kMaxFailures = 60;  // maximum number of failures in a row; a step shrinks by 2^60

/// Lie-group generalised-alpha for the index-3 equations, with dynamic rows scaled by beta h^2. eq.
/// (21-23), [Chung 1993]; multipliers as in [Arnold 2007], rotations as in [Bruls 2010]. Within a
/// step, the angular velocity of a spinning body is expressed in axes that do not spin: the axes of
/// the body at the start of the step. eq. (26b)
class GeneralisedAlpha final : public TimeIntegrator {
 public:
  GeneralisedAlpha(Engine& engine, const DynamicOptions& options)
      : engine_(engine),
        options_(options),
        rule_(options.rho),
        stick_slip_(engine),
        spin_axes_(engine.model) {
    const Model& m = engine.model;
    for (VectorXd* x : {&dq_,
                        &predicted_,
                        &v_,
                        &vdot_,
                        &vdot_before_,
                        &a_,
                        &x_,
                        &vdot_start_,
                        &a_start_,
                        &placed_.v,
                        &placed_.vdot})
      x->setZero(m.nv);
    for (VectorXd* y : {&lambda_, &lambda_before_, &y_})
      y->setZero(m.nl);
    placed_.q = matrix_q_ = m.initial.position;
    matrix_v_ = m.initial.velocity;
    matrix_turns_ = m.initial.joint_angles;
    h_ = options.step;
    engine_.ws.grips = !stick_slip_.empty();
    trial_ = a_;
    trial_lambda_ = lambda_;
  }

  void start(State& state) override {
    if (engine_.model.angle_count > 0) {
      engine_.set_all(state);
      find_turn_rates();
    }
    bool is_fresh = state.algorithmic_acceleration.size() != state.velocity.size();
    if (!stick_slip_.empty() && stick_slip_.is_fresh(state)) {
      engine_.ws.multipliers = state.multipliers;  // friction levels may depend on reactions
      if (!stick_slip_.choose(state, true, work_)) engine_.throw_failure();
      is_fresh = true;
    }
    if (is_fresh) {
      state.algorithmic_acceleration = state.acceleration;
      start_acceleration(state, options_.step);
    }
    if (is_fresh || state.algorithmic_rates.size() != engine_.model.state_count) {
      engine_.set_all(state);
      state.force_state_rates = state.algorithmic_rates = engine_.ws.state_rates;
    }
    has_previous_ = false;
    has_matrix_ = false;
    // a resumed run knows nothing of the steps before, except by the state
    rate_ = last_correction_ = 0.0;
    restore_memory(state);
    last_power_ = power(state);
    // a resumed run needs the stored power, which was computed with the loads of the last iterate
    if (has_previous_) last_power_ = state.memory.power;
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
    StepMemory& memory = state.memory;
    memory = {};
    if (has_previous_) {
      memory.step = last_h_;
      memory.acceleration_before = vdot_before_;
      memory.multipliers_before = lambda_before_;
      memory.correction = last_correction_;
      memory.power = last_power_;
    }
    if (!has_matrix_) return;
    memory.rate = rate_;
    memory.matrix_step = factored_h_;
    memory.matrix_time = matrix_time_;
    memory.matrix_position = matrix_q_;
    memory.matrix_velocity = matrix_v_;
    memory.matrix_turns = matrix_turns_;
    memory.matrix_states = matrix_states_;
  }

 private:
  // Restores the step memory, and rebuilds the kept matrix at the point where it was first built.
  // This costs one factorisation and gives the same bits.
  void restore_memory(const State& state) {
    const Model& m = engine_.model;
    const StepMemory& memory = state.memory;
    if (memory.step > 0.0 && memory.acceleration_before.size() == m.nv &&
        memory.multipliers_before.size() == m.nl) {
      has_previous_ = true;
      last_h_ = memory.step;
      vdot_before_ = memory.acceleration_before;
      lambda_before_ = memory.multipliers_before;
      last_correction_ = memory.correction;
    }
    if (!(memory.matrix_step > 0.0) || memory.matrix_position.size() != m.nq ||
        memory.matrix_velocity.size() != m.nv || memory.matrix_turns.size() != m.angle_count)
      return;
    // events discard the matrix, so the kept one was built after the last event
    engine_.ws.set_memory(state);
    engine_.ws.joint_angles = memory.matrix_turns;
    if (memory.matrix_states.size() == m.state_count)
      engine_.ws.state_constants = memory.matrix_states;
    engine_.ws.state_gain = state_gain(memory.matrix_step);
    engine_.set_position(memory.matrix_time, memory.matrix_position);
    engine_.set_velocity(memory.matrix_velocity);
    // computes the modal inertia at this position
    residual(m, engine_.ws, state.acceleration, nullptr);
    has_matrix_ = make_matrix(memory.matrix_step);
    rate_ = memory.rate;
    engine_.ws.state_gain = 0.0;
    engine_.ws.set_memory(state);
  }

  // Builds the iteration matrix at the position and velocity of the workspace. Returns false if it
  // cannot be factored.
  bool make_matrix(double h) {
    const double beta_prime = rule_.beta_prime(h);
    const double gamma_prime = rule_.gamma_prime(h);
    matrix_time_ = engine_.ws.t;
    matrix_q_ = engine_.ws.q;
    matrix_v_ = engine_.ws.v;
    matrix_turns_ = engine_.ws.joint_angles;
    matrix_states_ = engine_.ws.state_constants;
    factored_h_ = h;
    if (!engine_.kkt.factor(
            engine_.model, engine_.ws, gamma_prime / beta_prime, 1.0 / beta_prime, h))
      return false;
    find_self_loads();
    return true;
  }

  // --- axes that do not spin ---------------------------------------------------------------------
  /// Begins a step at a state: finds the bodies that spin, and expresses the accelerations at the
  /// start of the step in axes that do not spin.
  void begin(const State& state, double step) {
    spin_axes_.find(state.velocity, step, spins_);
    start_in_still_axes(spins_, state, vdot_start_, a_start_);
  }

  /// Finds the rates of the counted angles of joints at the state of the workspace.
  void find_turn_rates() {
    turn_rates_.setZero(engine_.model.angle_count);
    for (const JointModel& joint : engine_.model.joints) {
      if (joint.turn < 0) continue;
      const MarkerKinematics& a = engine_.ws.markers[static_cast<std::size_t>(joint.legs[0])];
      const MarkerKinematics& b = engine_.ws.markers[static_cast<std::size_t>(joint.legs[1])];
      turn_rates_(joint.turn) = a.R.col(2).dot(b.w - a.w);
    }
  }

  /// Counts angles at a time h after the state from those that the rates lead to: a body on an axle
  /// may turn by more than half a turn in a step.
  void expect_turns(const State& state, double h) {
    if (turn_rates_.size() > 0) engine_.ws.joint_angles = state.joint_angles + h * turn_rates_;
  }

  /// Sets placed_ from dq_, v_ and vdot_.
  void place(const State& state) {
    placed_.v = v_;
    placed_.vdot = vdot_;
    place_step(engine_.model, state, dq_, spins_, placed_);
  }

  // Power of all forces without a potential [W].
  double power(const State& state) {
    engine_.set_all(state);
    return input_power(engine_.model, engine_.ws);
  }

  // Sets the first algorithmic acceleration to vdot at t0 + h (alpha_m - alpha_f), computed by a
  // small step of the index-1 form. Then lambda is accurate to second order from the first step on.
  // Modes that are too fast for the small step keep vdot of t0.
  void start_acceleration(State& state, double step) {
    const Model& m = engine_.model;
    // t0 + h (alpha_m - alpha_f) is before t0. If loads or friction may jump at t0, the
    // acceleration is computed at the same distance after t0 and mirrored.
    const bool is_mirrored =
        engine_.ws.grips || !m.network.blocks.empty() || state.time > options_.start;
    const double h = (is_mirrored ? -1.0 : 1.0) * step * (rule_.alpha_m - rule_.alpha_f);
    if (h == 0.0) return;
    begin(state, step);
    dq_ = h * state.velocity + 0.5 * h * h * vdot_start_;
    v_ = state.velocity + h * vdot_start_;
    place(state);
    if (m.network.state_count > 0) engine_.set_all(state);
    engine_.ws.set_memory(state);
    expect_turns(state, h);
    if (m.network.state_count > 0) engine_.ws.state_constants += h * engine_.ws.state_rates;
    if (m.nl > 0 && engine_.project_position(state.time + h, placed_.q, 5) > kMaxStartViolation)
      return;
    engine_.set_position(state.time + h, placed_.q);
    if (!engine_.project_velocity(placed_.v)) return;
    VectorXd lambda = state.multipliers;
    if (!engine_.accelerations(a_, lambda)) return;
    for (const Spin& spin : spins_)
      if (spin.at >= 0) {
        const Vector3d then = a_.segment<3>(spin.at) + spin.drift(placed_.v.segment<3>(spin.at));
        a_.segment<3>(spin.at) =
            spin.from_body(then) - spin.drift(state.velocity.segment<3>(spin.at));
      }
    if (is_mirrored) a_ = 2.0 * state.acceleration - a_;
    for (const BodyModel& b : m.bodies) {
      for (int c = 0; c < b.nr; ++c)
        state.algorithmic_acceleration(b.v0 + c) = a_(b.v0 + c);
      for (int c = 0; c < b.n; ++c) {
        const FlexModel& f = m.flexes[static_cast<std::size_t>(b.flex)];
        const Eigen::Index i = b.v0 + b.nr + c;
        if (f.k_diagonal(c) * step * step < kResolved * f.m_diagonal(c))
          state.algorithmic_acceleration(i) = a_(i);
      }
    }
    const double change =
        engine_.size_of(VectorXd(state.algorithmic_acceleration - state.acceleration));
    const double size = engine_.size_of(state.acceleration);
    if (!std::isfinite(change) || change > kMaxStartGrowth * size)
      state.algorithmic_acceleration = state.acceleration;
  }

  /// One step to t. If Newton's method fails with a kept matrix, the step is repeated with a new
  /// matrix in every iteration; if that fails too, the step is halved. Thus the run can pass
  /// positions where constraints lose rank.
  bool attempt(State& state, double t, int depth) {
    const double h = t - state.time;
    bool solved = step(state, h, t);
    if (solved && has_previous_ && correction_jumped()) solved = step_across(state, h, t);
    if (!solved) {
      has_previous_ = false;
      full_newton_ = true;
      solved = step(state, h, t);
      full_newton_ = false;
    }
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
    has_previous_ = false;
    return attempt(state, state.time + 0.5 * h, depth + 1) && attempt(state, t, depth + 1);
  }

  /// Whether set-valued friction changes its mode within the step that was solved.
  bool has_transition(const State& state) {
    if (stick_slip_.empty()) return false;
    set_solved(state);
    if (!stick_slip_.check(lambda_)) return false;
    if (transitions_ < kMaxTransitions * stick_slip_.count()) return true;
    if (note_.empty()) note_ = chatter(stick_slip_.violated(), transitions_, engine_.ws.t);
    return false;
  }

  /// Sets the workspace to the end of the solved step, after the last correction.
  void set_solved(const State& state) {
    place(state);
    engine_.set_position(engine_.ws.t, placed_.q);
    engine_.set_velocity(placed_.v);
  }

  /// Solves the part of a step of length `whole` that ends at t.
  bool solve_part(const State& state, double h, double t, double whole) {
    if (h > kShortPart * whole) return step(state, h, t);
    begin(state, h);
    expect_turns(state, h);
    vdot_ = vdot_start_;
    a_ = vdot_;
    lambda_ = state.multipliers;
    v_ = state.velocity + h * vdot_;
    dq_ = h * state.velocity + 0.5 * h * h * vdot_;
    engine_.ws.state_gain = 0.0;
    engine_.ws.state_constants = state.force_states + h * state.force_state_rates;
    place(state);
    engine_.set_position(t, placed_.q);
    engine_.set_velocity(placed_.v);
    residual(engine_.model, engine_.ws, placed_.vdot, &lambda_);
    return true;
  }

  /// The margin of friction at the share x of a step; -1 if that part cannot be solved. Multipliers
  /// come from the index-1 form, which has no round-off of Phi / h^2.
  double margin_at(const State& state, double x, double h) {
    if (!solve_part(state, x * h, state.time + x * h, h)) return -1.0;
    set_solved(state);
    if (!stick_slip_.needs_multipliers()) return stick_slip_.margin(lambda_);
    engine_.ws.state_gain = 0.0;
    engine_.ws.state_constants = engine_.ws.states;
    has_matrix_ = false;
    trial_lambda_ = lambda_;
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
    has_previous_ = false;
    has_matrix_ = false;
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
    start_acceleration(state, step);
    engine_.set_all(state);
    state.force_state_rates = state.algorithmic_rates = engine_.ws.state_rates;
    last_power_ = input_power(engine_.model, engine_.ws);
    has_previous_ = false;
    has_matrix_ = false;
    knows_redundant_ = false;
    return true;
  }

  /// Whether Newton's method moved much farther than in earlier steps. Possible causes: a
  /// discontinuous load, or a position where G loses rank and multipliers of vanishing rows are
  /// noise.
  bool correction_jumped() {
    x_ = dq_ - predicted_;
    correction_ = engine_.size_of(x_);
    const bool has_jumped = engine_.model.nl > 0 && last_correction_ > 0.0 &&
                            correction_ > kJumpFactor * last_correction_ && correction_ > kMinJump;
    if (!has_jumped) last_correction_ = std::max(correction_, 0.5 * last_correction_);
    return has_jumped;
  }

  /// Repeats the step with a regularisation eps that keeps the multipliers of vanishing rows at
  /// their extrapolated values. eq. (28). The solution of a regular system is not changed.
  bool step_across(const State& state, double h, double t) {
    full_newton_ = true;
    engine_.kkt.regularise(kVanishingRows);
    const bool solved = step(state, h, t);
    engine_.kkt.regularise(KktMatrix::kRegularisation);
    full_newton_ = false;
    has_matrix_ = false;
    return solved;
  }

  /// Finds self-equilibrated loads n of redundant joints, G' n = 0: a unit right-hand side on a
  /// redundant row gives n / eps. Such loads cause no motion, but would accumulate round-off.
  void find_self_loads() {
    const Model& m = engine_.model;
    if (!knows_redundant_) {
      redundant_ = engine_.kkt.repeated_rows(m);
      self_loads_.assign(redundant_.size(), VectorXd::Zero(m.nl));
      knows_redundant_ = true;
    }
    if (full_newton_) return;  // near a singular position vanishing rows look redundant
    for (std::size_t k = 0; k < redundant_.size(); ++k) {
      engine_.f.setZero();
      engine_.c.setZero();
      engine_.c(redundant_[k]) = 1.0;
      engine_.kkt.solve(m, engine_.ws, engine_.f, engine_.c, x_, y_);
      for (std::size_t i = 0; i < k; ++i)
        y_ -= self_loads_[i] * self_loads_[i].dot(y_);
      const double size = y_.norm();
      self_loads_[k] = y_ * (std::isfinite(size) && size > 0.0 ? 1.0 / size : 0.0);
    }
  }

  /// Extrapolates accelerations and multipliers, and computes displacements and velocities from
  /// them.
  void predict(const State& state, double h) {
    begin(state, h);
    expect_turns(state, h);
    const VectorXd& a0 = a_start_;
    const VectorXd& vdot0 = vdot_start_;
    if (has_previous_ && std::abs(h - last_h_) < kSameStepLength * h) {
      vdot_ = 2.0 * vdot0 - vdot_before_;
      lambda_ = 2.0 * state.multipliers - lambda_before_;
    } else {
      vdot_ = vdot0;
      lambda_ = state.multipliers;
    }
    a_ = rule_.algorithmic(vdot_, vdot0, a0);
    dq_ = h * state.velocity + (h * h * (0.5 - rule_.beta)) * a0 + rule_.beta * h * h * a_;
    v_ = state.velocity + (h * (1.0 - rule_.gamma)) * a0 + (h * rule_.gamma) * a_;
    predicted_ = dq_;
    // the rule for the force states z at the end of the step as a function of their rates, eq. (42)
    engine_.ws.state_gain = state_gain(h);
    if (engine_.model.state_count == 0) return;
    rule_.state_constants(state, h, engine_.ws.state_constants);
  }

  /// dz1 / dz1' of the rule for force states in a step h. eq. (42), [Jansen 2000]
  double state_gain(double h) const {
    return engine_.model.state_count == 0 ? 0.0 : rule_.state_gain(h);
  }

  /// Solves one step by Newton's method with the kept matrix, or with a new one in every iteration.
  bool step(const State& state, double h, double t) {
    const Model& m = engine_.model;
    const double beta_prime = rule_.beta_prime(h);
    const double gamma_prime = rule_.gamma_prime(h);
    predict(state, h);
    double before = 0.0;
    double rate = 0.0;
    if (std::abs(h - factored_h_) > kSameStepLength * h) has_matrix_ = false;
    for (int k = 0; k < options_.max_newton; ++k) {
      ++iterations_;
      place(state);
      engine_.set_position(t, placed_.q);
      engine_.set_velocity(placed_.v);
      residual(m, engine_.ws, placed_.vdot, &lambda_);
      if (!has_matrix_ || full_newton_) {
        if (!make_matrix(h)) {
          reason_ = engine_.kkt.failure();
          return false;
        }
        has_matrix_ = true;
        rate_ = 0.0;
        // with a new matrix in each iteration, sizes of successive iterations are comparable
        if (!full_newton_) before = 0.0;
      }
      engine_.f = engine_.ws.force * (-1.0 / beta_prime);
      engine_.c = -engine_.ws.phi;
      engine_.kkt.solve(m, engine_.ws, engine_.f, engine_.c, x_, y_);
      for (const Spin& spin : spins_)
        if (spin.at >= 0) x_.segment<3>(spin.at) = spin.from_body(x_.segment<3>(spin.at));
      dq_ += x_;
      v_ += gamma_prime * x_;
      vdot_ += beta_prime * x_;
      lambda_ += beta_prime * y_;
      const double size = engine_.size_of(x_);
      if (!std::isfinite(size)) break;
      if (k > 0 && before > 0.0) {
        rate = size / before;
        rate_ = std::max(rate, kRateMemory * rate_);
      }
      if (has_converged(k, size, rate, h)) return finish(k, t);
      if (k > 0 && rate > kRebuildRate) has_matrix_ = false;
      before = size;
    }
    reason_ = newton_failure(
        engine_, x_, t, h, likely_cause(engine_.model, options_, state, !stick_slip_.empty()));
    has_matrix_ = false;
    return false;
  }

  /// Whether correction k was the last one: either the correction is round-off, or the remaining
  /// error size * rate / (1 - rate) [Hairer 1996, IV.8] is below the tolerance of accelerations (an
  /// error d of q gives d / h^2).
  bool has_converged(int k, double size, double rate, double h) const {
    const double expected = k > 0 ? rate : (rate_ > 0.0 ? std::max(rate_, kMinExpectedRate) : 1.0);
    const double left = expected < 1.0 ? size * expected / (1.0 - expected) : size;
    if (left < options_.newton_tolerance * h * h) return true;
    if (k == 0) return false;
    const double last_bits = kLastBits * engine_.model.distance_noise();
    const double round_off = std::max(kRoundOffSize, kManyBits * last_bits);
    if (size < last_bits || (size < round_off && rate > kRebuildRate)) return true;
    // near a position where G loses rank, Newton's method with a new matrix in every iteration
    // leaves only round-off of Phi; this changes q by round-off divided by the smallest singular
    // value
    return full_newton_ && k > 1 && rate > kRebuildRate && size < kMaxNoise &&
           engine_.largest_phi() < kPhiRoundOff * engine_.model.length_scale;
  }

  /// Ends a step after its last correction, number k. Returns false if constraints are still
  /// violated.
  bool finish(int k, double t) {
    if (engine_.largest_phi() > kContradiction * std::max(1.0, engine_.model.length_scale) &&
        !stick_slip_.is_overloaded(lambda_)) {
      has_matrix_ = false;
      reason_ = contradiction(engine_, t);
      return false;
    }
    if (rate_ > kKeepRate || k >= kManyCorrections) has_matrix_ = false;
    for (const VectorXd& self_load : self_loads_)
      lambda_ -= self_load * self_load.dot(lambda_);
    return true;
  }

  /// Writes a solved step to the state and adds its work.
  void accept(State& state, double h, double t) {
    const Model& m = engine_.model;
    vdot_before_ = vdot_start_;
    lambda_before_ = state.multipliers;
    has_previous_ = true;
    last_h_ = h;
    if (follower_ != nullptr)
      follower_->follow({state,
                         h,
                         t,
                         rule_,
                         dq_,
                         v_,
                         vdot_,
                         lambda_,
                         spins_,
                         self_loads_,
                         engine_.ws.joint_angles});
    state.algorithmic_acceleration = rule_.algorithmic(vdot_, vdot_start_, a_start_);
    place(state);
    for (const Spin& spin : spins_) {
      if (spin.at < 0) continue;
      auto a = state.algorithmic_acceleration.segment<3>(spin.at);
      a = spin.to_body(a - spin.drift(v_.segment<3>(spin.at)));
      vdot_before_.segment<3>(spin.at) = spin.to_body(vdot_before_.segment<3>(spin.at));
    }
    state.position = placed_.q;
    state.velocity = placed_.v;
    state.acceleration = placed_.vdot;
    state.multipliers = lambda_;
    state.time = t;
    rule_.state_rates(state, engine_.ws.state_rates, state.algorithmic_rates);
    state.force_states = engine_.ws.states;
    state.force_state_rates = engine_.ws.state_rates;
    engine_.ws.state_gain = 0.0;
    if (turn_rates_.size() > 0) {
      state.joint_angles = engine_.ws.joint_angles;
      find_turn_rates();
    }
    if (engine_.update_memory(state)) has_matrix_ = false;
    engine_.ws.multipliers = lambda_;
    // uses loads and rates from before the last correction; the difference is negligible
    if (!m.motions.empty()) constraint_rates(m, engine_.ws, false);
    const double power = input_power(m, engine_.ws);
    work_ += 0.5 * h * (last_power_ + power);
    last_power_ = power;
    ++steps_;
  }

  /// Advances to t with steps chosen by the local error of q, h^2 |beta - 1/6| |a1 - a0|
  /// [Zienkiewicz 1991], with a0 and a1 the accelerations at both ends of the step.
  bool advance_adaptive(State& state, double t) {
    const double tiny = kTimeRoundOff * std::max(1.0, std::abs(t));
    int failures = 0;
    while (t - state.time > tiny) {
      check_for_stop();
      const double left = t - state.time;
      const auto pieces = std::max(1.0, std::ceil(left / h_ - kCountRoundOff));
      const double h = left / pieces;
      const double to = pieces <= 1.0 ? t : state.time + h;
      const bool solved = step(state, h, to);
      double ratio = kUnsolved;
      if (solved) {
        x_ = rule_.algorithmic(vdot_, vdot_start_, a_start_) - a_start_;
        x_ *= h * h * std::abs(rule_.beta - 1.0 / 6.0);
        ratio = engine_.size_of(x_) /
                std::max(options_.relative_tolerance, options_.absolute_tolerance);
      }
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
      has_matrix_ = false;
      has_previous_ = false;
      h_ = 0.5 * h;
      if (++failures > kMaxFailures || h_ < options_.min_step) {
        if (reason_.empty()) reason_ = short_step(engine_, x_, options_.min_step, state.time);
        return false;
      }
    }
    return true;
  }

  Engine& engine_;
  const DynamicOptions& options_;
  const AlphaRule rule_;
  StepFollower* follower_ = nullptr;
  KeptSteps* kept_ = nullptr;
  StickSlip stick_slip_;
  SpinAxes spin_axes_;
  std::vector<Spin> spins_;        // in the present step, computed from its last iterate
  VectorXd turn_rates_;            // rates of State::joint_angles; empty if no angle is counted
  VectorXd vdot_start_, a_start_;  // accelerations at the start of the step, in axes that do not
                                   // spin
  PlacedStep placed_;              // positions, velocities and accelerations that follow from dq_,
                                   // v_ and vdot_
  int transitions_ = 0;            // number of transitions within the present step
  VectorXd trial_, trial_lambda_;  // accelerations and multipliers while a transition is located
  double h_ = 0.0, last_h_ = 0.0, factored_h_ = 0.0, rate_ = 0.0, last_power_ = 0.0;
  bool has_matrix_ = false, has_previous_ = false, full_newton_ = false;
  double matrix_time_ = 0.0;
  VectorXd matrix_q_, matrix_v_, matrix_turns_,
      matrix_states_;  // point at which the kept matrix was built
  bool knows_redundant_ = false;
  std::vector<int> redundant_;  // redundant rows of Phi, found with the first matrix
  std::vector<VectorXd>
      self_loads_;  // loads that cancel each other, orthonormal, one per redundant row
  double correction_ = 0.0, last_correction_ = 0.0;
  VectorXd dq_, predicted_, v_, vdot_, vdot_before_, a_, x_, lambda_, lambda_before_, y_;
};

}  // namespace

std::unique_ptr<TimeIntegrator> make_generalised_alpha(Engine& engine,
                                                       const DynamicOptions& options) {
  return std::make_unique<GeneralisedAlpha>(engine, options);
}

}  // namespace femflex::mbd_solver
