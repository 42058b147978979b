// One step of generalised-alpha: Newton's method with a kept matrix, axes that do not spin, and
// loads of redundant joints. Symbols: step h, positions q, velocities v, accelerations vdot,
// algorithmic accelerations a, multipliers lambda. Equations: docs/theory/multibody.md.
#include "integrators/alpha_step.h"

#include <algorithm>
#include <cmath>

#include "integrators/failure_reasons.h"
#include "integrators/stick_slip.h"
#include "spatial/forces/coordinate.h"

namespace femflex::mbd_solver {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

// --- Newton's method -----------------------------------------------------------------------------
// Sizes of corrections are computed by Engine::size_of(): lengths relative to the system's size,
// angles in rad.
constexpr int kManyCorrections = 3;  // the matrix is rebuilt after a step that took more
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

// --- the start of a run --------------------------------------------------------------------------
/// Limit of (omega h)^2 for modes that the small step at the start of a run resolves. Faster modes
/// start with their own acceleration.
constexpr double kResolved = 0.25;
// the extrapolation failed if the first acceleration exceeds the state's by this factor
constexpr double kMaxStartGrowth = 10.0;
constexpr double kMaxStartViolation = 1e-8;  // |Phi| above which the small step at the start of a
                                             // run is rejected

}  // namespace

AlphaStep::AlphaStep(Engine& engine, const DynamicOptions& options, const StickSlip& stick_slip)
    : engine_(engine),
      options_(options),
      stick_slip_(stick_slip),
      rule_(options.rho),
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
}

// --- what a paused run keeps ---------------------------------------------------------------------

void AlphaStep::restore(const State& state) {
  has_previous_ = false;
  has_matrix_ = false;
  rate_ = 0.0;  // a resumed run knows nothing of the steps before, except by the state
  const Model& m = engine_.model;
  const StepMemory& memory = state.memory;
  if (memory.step > 0.0 && memory.acceleration_before.size() == m.nv &&
      memory.multipliers_before.size() == m.nl) {
    has_previous_ = true;
    last_h_ = memory.step;
    vdot_before_ = memory.acceleration_before;
    lambda_before_ = memory.multipliers_before;
  }
  restore_matrix(state);
}

/// Rebuilds the kept matrix at the point where it was first built. This costs one factorisation and
/// gives the same bits.
void AlphaStep::restore_matrix(const State& state) {
  const Model& m = engine_.model;
  const StepMemory& memory = state.memory;
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

void AlphaStep::store(StepMemory& memory) const {
  if (has_previous_) {
    memory.step = last_h_;
    memory.acceleration_before = vdot_before_;
    memory.multipliers_before = lambda_before_;
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

// --- axes that do not spin, and angles that are counted
// --------------------------------------------

// --- axes that do not spin ---------------------------------------------------------------------
/// Begins a step at a state: finds the bodies that spin, and expresses the accelerations at the
/// start of the step in axes that do not spin.
void AlphaStep::begin(const State& state, double step) {
  spin_axes_.find(state.velocity, step, spins_);
  start_in_still_axes(spins_, state, vdot_start_, a_start_);
}

void AlphaStep::find_turn_rates() {
  turn_rates_.setZero(engine_.model.angle_count);
  for (const JointModel& joint : engine_.model.joints) {
    if (joint.turn < 0) continue;
    const MarkerKinematics& a = engine_.ws.markers[static_cast<std::size_t>(joint.legs[0])];
    const MarkerKinematics& b = engine_.ws.markers[static_cast<std::size_t>(joint.legs[1])];
    turn_rates_(joint.turn) = coordinate_now(ForceCoordinate::angle, a, b).rate;
  }
}

/// Counts angles at a time h after the state from those that the rates lead to: a body on an axle
/// may turn by more than half a turn in a step.
void AlphaStep::expect_turns(const State& state, double h) {
  if (turn_rates_.size() > 0) engine_.ws.joint_angles = state.joint_angles + h * turn_rates_;
}

/// Sets placed_ from dq_, v_ and vdot_.
void AlphaStep::place(const State& state) {
  placed_.v = v_;
  placed_.vdot = vdot_;
  place_step(engine_.model, state, dq_, spins_, placed_);
}

void AlphaStep::start_acceleration(State& state, double step) {
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

// --- Newton's method -----------------------------------------------------------------------------

// Builds the iteration matrix at the position and velocity of the workspace. Returns false if it
// cannot be factored.
bool AlphaStep::make_matrix(double h) {
  const double beta_prime = rule_.beta_prime(h);
  const double gamma_prime = rule_.gamma_prime(h);
  matrix_time_ = engine_.ws.t;
  matrix_q_ = engine_.ws.q;
  matrix_v_ = engine_.ws.v;
  matrix_turns_ = engine_.ws.joint_angles;
  matrix_states_ = engine_.ws.state_constants;
  factored_h_ = h;
  if (!engine_.kkt.factor(engine_.model, engine_.ws, gamma_prime / beta_prime, 1.0 / beta_prime, h))
    return false;
  find_self_loads();
  return true;
}

/// Finds self-equilibrated loads n of redundant joints, G' n = 0: a unit right-hand side on a
/// redundant row gives n / eps. Such loads cause no motion, but would accumulate round-off.
void AlphaStep::find_self_loads() {
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

void AlphaStep::predict(const State& state, double h) {
  begin(state, h);
  expect_turns(state, h);
  const StepBefore before{vdot_before_, lambda_before_};
  const bool is_even = has_previous_ && std::abs(h - last_h_) < kSameStepLength * h;
  rule_.predict(h,
                {state.velocity, vdot_start_, a_start_, state.multipliers},
                is_even ? &before : nullptr,
                unknowns());
  predicted_ = dq_;
  // the rule for the force states z at the end of the step as a function of their rates, eq. (42)
  engine_.ws.state_gain = state_gain(h);
  if (engine_.model.state_count == 0) return;
  rule_.state_constants(state, h, engine_.ws.state_constants);
}

/// dz1 / dz1' of the rule for force states in a step h. eq. (42), [Jansen 2000]
double AlphaStep::state_gain(double h) const {
  return engine_.model.state_count == 0 ? 0.0 : rule_.state_gain(h);
}

bool AlphaStep::solve(const State& state, double h, double t) {
  const Model& m = engine_.model;
  const double beta_prime = rule_.beta_prime(h);
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
    turn_to_still_axes(spins_, x_);
    rule_.correct(h, x_, y_, unknowns());
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
/// error is below the tolerance of accelerations (an error d of q gives d / h^2).
bool AlphaStep::has_converged(int k, double size, double rate, double h) const {
  if (remaining_error(size, k == 0, rate, rate_) < options_.newton_tolerance * h * h) return true;
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
bool AlphaStep::finish(int k, double t) {
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

// --- other ways to solve, and the solution -------------------------------------------------------

bool AlphaStep::solve_anew(const State& state, double h, double t) {
  has_previous_ = false;
  full_newton_ = true;
  const bool solved = solve(state, h, t);
  full_newton_ = false;
  return solved;
}

bool AlphaStep::solve_across(const State& state, double h, double t) {
  full_newton_ = true;
  engine_.kkt.regularise(kVanishingRows);
  const bool solved = solve(state, h, t);
  engine_.kkt.regularise(KktMatrix::kRegularisation);
  full_newton_ = false;
  has_matrix_ = false;
  return solved;
}

void AlphaStep::extrapolate(const State& state, double h, double t) {
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
}

void AlphaStep::set_workspace(const State& state) {
  place(state);
  engine_.set_position(engine_.ws.t, placed_.q);
  engine_.set_velocity(placed_.v);
}

SolvedStep AlphaStep::solved(const State& state, double h, double t) const {
  return {
      state, h, t, rule_, dq_, v_, vdot_, lambda_, spins_, self_loads_, engine_.ws.joint_angles};
}

double AlphaStep::moved() {
  x_ = dq_ - predicted_;
  return engine_.size_of(x_);
}

double AlphaStep::local_error(double h) {
  x_ = rule_.algorithmic(vdot_, vdot_start_, a_start_) - a_start_;
  x_ *= h * h * std::abs(rule_.beta - 1.0 / 6.0);
  return engine_.size_of(x_);
}

void AlphaStep::write(State& state, double h, double t) {
  vdot_before_ = vdot_start_;
  lambda_before_ = state.multipliers;
  has_previous_ = true;
  last_h_ = h;
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
}

}  // namespace femflex::mbd_solver
