// Solves the linearised equations of each step for one parameter. The derivative along the tangent
// and the direct derivative by the parameter are one central difference between the changed
// systems. Rows of Phi use G instead, because the step divides their round-off by h^2.
#include "integrators/parameter_tangent.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "integrators/integrator.h"
#include "integrators/run_start.h"
#include "integrators/switches.h"
#include "spatial/rotation.h"

namespace femflex::mbd_solver {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

// --- iteration, as Newton's method of AlphaStep --------------------------------------------------
/// Allowed error of tangents of accelerations, relative to their recent size.
constexpr double kTangentTolerance = 1e-10;
constexpr double kScaleMemory = 0.9;  // share of the recent size that is kept for the next step
/// Allowed error if corrections no longer shrink, because of round-off of forces divided by the
/// change of the parameter.
constexpr double kTangentNoise = 1e-6;
/// Tangents are not resolved further if the tangent of accelerations times the change is less than
/// this share of the accelerations.
constexpr double kFaintTangent = 1e-7;
/// Corrections times the change below this are round-off of positions.
constexpr double kTangentBits = 1e-15;
constexpr int kMaxTangentPasses = 20;

/// Longest move along the tangent, relative to the size of the system or in rad. Third-order terms
/// of the differences are then 1e-8.
constexpr double kLongestMove = 3e-4;
/// The same where steps are repeated and project onto constraints. A move along the tangent leaves
/// Phi by its square, which every step removes again, and the third-order part of that adds up from
/// step to step: a four-bar linkage lost 6e-6 of a derivative in 200 steps with moves of 3e-4.
constexpr double kLongestProjectedMove = 3e-6;
constexpr double kShortening = 0.1;
/// Two switch times are the same if they differ by less than this share of the time.
constexpr double kSameSwitch = 1e-12;

/// Rotation, in the turned axes, by which exp(theta) changes if theta changes by `step`.
Vector3d right_tangent(const Vector3d& theta, const Vector3d& step) {
  const RotationSeries s(theta.squaredNorm());
  const Vector3d first = theta.cross(step);
  return step - s.c1 * first + s.c2 * theta.cross(first);
}

bool wants_work(const Model& model) {
  return std::any_of(
      model.outputs.probes.begin(), model.outputs.probes.end(), [](const Probe& probe) {
        return probe.what == Probe::What::input_work || probe.what == Probe::What::total_energy;
      });
}

const Spin* spin_of(const std::vector<Spin>& spins, int body) {
  for (const Spin& spin : spins)
    if (spin.body == body && spin.at >= 0) return &spin;
  return nullptr;
}

/// Residual of the equations at the end of a step from a state, for given accelerations and
/// multipliers.
void take_residual(Engine& engine,
                   const SolvedStep& step,
                   const State& from,
                   const PlacedStep& at_end,
                   const VectorXd& multipliers) {
  Workspace& ws = engine.ws;
  ws.set_memory(from);
  ws.joint_angles = step.turns;
  ws.multipliers = from.multipliers;
  ws.a = from.acceleration;
  if (engine.model.state_count > 0) {
    ws.state_gain = step.rule.state_gain(step.h);
    step.rule.state_constants(from, step.h, ws.state_constants);
  }
  engine.set_position(step.t, at_end.q);
  engine.set_velocity(at_end.v);
  residual(engine.model, ws, at_end.vdot, &multipliers);
}

double power_of(const Model& model, Workspace& ws, const VectorXd& lambda) {
  ws.multipliers = lambda;
  if (!model.motions.empty()) constraint_rates(model, ws, false);
  return input_power(model, ws);
}

}  // namespace

// --- the run itself ------------------------------------------------------------------------------

bool StepCentre::set(const SolvedStep& step) {
  spins = step.spins;
  placed.q.resize(engine.model.nq);
  placed.v = step.v;
  placed.vdot = step.vdot;
  place_step(engine.model, step.from, step.dq, spins, placed);
  take_residual(engine, step, step.from, placed, step.lambda);
  is_fresh = false;
  if (std::abs(step.h - matrix_step) > kSameStepLength * step.h || rate > kKeepRate)
    return make_matrix(step);
  return true;
}

bool StepCentre::make_matrix(const SolvedStep& step) {
  const double beta_prime = step.rule.beta_prime(step.h);
  const double gamma_prime = step.rule.gamma_prime(step.h);
  rate = 0.0;
  is_fresh = true;
  matrix_step = step.h;
  return engine.kkt.factor(
      engine.model, engine.ws, gamma_prime / beta_prime, 1.0 / beta_prime, step.h);
}

// --- the changed systems -------------------------------------------------------------------------

ParameterTangent::Side::Side(ChangedSystem given_system, const DynamicOptions& given)
    : changed(std::move(given_system)), options(given) {
  Diagnostics said_before;  // discarded, because the unchanged system gives the same warnings
  model = std::make_unique<Model>(compile(changed.system, said_before));
  engine = std::make_unique<Engine>(*model);
  options.restart = changed.restart;
}

ParameterTangent::ParameterTangent(const TangentParameter& parameter,
                                   const Model& model,
                                   const DynamicOptions& options)
    : parameter_(parameter), model_(model), options_(options), change_(parameter.change) {
  make_sides(true);
  for (VectorXd* x : {&dq_, &v_, &vdot_, &a_, &sigma_, &x_, &shift_, &vdot_start_, &a_start_})
    x->setZero(model.nv);
  for (VectorXd* y : {&lambda_, &y_, &phi_slope_})
    y->setZero(model.nl);
}

void ParameterTangent::make_sides(bool is_first) {
  sides_.clear();
  for (const double sign : {1.0, -1.0}) {
    sides_.push_back(std::make_unique<Side>(parameter_.at(sign * change_, is_first), options_));
    Side& side = *sides_.back();
    const Model& m = *side.model;
    if (m.nq != model_.nq || m.nv != model_.nv || m.nl != model_.nl ||
        m.state_count != model_.state_count || m.angle_count != model_.angle_count ||
        m.event_count != model_.event_count ||
        m.outputs.channels.size() != model_.outputs.channels.size())
      throw ModelError("gradient",
                       fmt::format("parameter {}: a small change of it gives a system of other "
                                   "DOFs, joints or channels",
                                   parameter_.name),
                       {},
                       "choose one that changes numbers alone");
    side.state = m.initial;
    side.placed.q = m.initial.position;
    side.engine->is_quasi_static = !sides_.empty() && sides_.front()->engine->is_quasi_static;
  }
}

std::optional<double> ParameterTangent::moving_switch() const {
  const Switches above(*sides_[0]->model, options_.start, options_.end, LoadSwitches::all);
  const Switches below(*sides_[1]->model, options_.start, options_.end, LoadSwitches::all);
  const std::size_t count = std::min(above.times().size(), below.times().size());
  for (std::size_t k = 0; k < count; ++k) {
    const double one = above.times()[k], other = below.times()[k];
    if (std::abs(one - other) > kSameSwitch * std::max(1.0, std::abs(one)))
      return std::min(one, other);
  }
  if (above.times().size() == below.times().size()) return std::nullopt;
  return count > 0 ? above.times()[count - 1] : options_.start;
}

void ParameterTangent::start() {
  for (const std::unique_ptr<Side>& side : sides_) {
    AssemblyReport report;
    Diagnostics said_before;
    side->state =
        first_state(*side->engine, side->changed.system, side->options, report, said_before);
    integrator_of(*side).start(side->state);
  }
  take_tangent();
  tangent_.work = (0.5 / change_) * (sides_[0]->state.work - sides_[1]->state.work);
  has_before_ = false;
  scale_ = 0.0;
  if (!wants_work(model_)) return;
  double power[2] = {};
  for (std::size_t s = 0; s < 2; ++s) {
    sides_[s]->engine->set_all(sides_[s]->state);
    power[s] = input_power(*sides_[s]->model, sides_[s]->engine->ws);
  }
  last_power_ = (0.5 / change_) * (power[0] - power[1]);
}

TimeIntegrator& ParameterTangent::integrator_of(Side& side) {
  if (!side.integrator) side.integrator = make_integrator(*side.engine, side.options);
  return *side.integrator;
}

bool ParameterTangent::restart(const State& state, bool is_fresh) {
  move_sides(state);
  for (const std::unique_ptr<Side>& side : sides_) {
    Engine& engine = *side->engine;
    State& s = side->state;
    engine.ws.set_memory(s);
    if (is_fresh) {  // as class Switches does at a jump
      s.algorithmic_acceleration.resize(0);
      s.memory = {};
    }
    engine.set_position(s.time, s.position);
    if (!engine.project_velocity(s.velocity) ||
        !engine.accelerations(s.acceleration, s.multipliers))
      return false;
    integrator_of(*side).start(s);
  }
  take_tangent();
  has_before_ = false;
  return true;
}

void ParameterTangent::take_tangent() {
  const State& above = sides_[0]->state;
  const State& below = sides_[1]->state;
  const double scale = 0.5 / change_;
  tangent_.velocity = scale * (above.velocity - below.velocity);
  tangent_.acceleration = scale * (above.acceleration - below.acceleration);
  tangent_.algorithmic_acceleration =
      scale * (above.algorithmic_acceleration - below.algorithmic_acceleration);
  tangent_.multipliers = scale * (above.multipliers - below.multipliers);
  tangent_.force_states = scale * (above.force_states - below.force_states);
  tangent_.force_state_rates = scale * (above.force_state_rates - below.force_state_rates);
  tangent_.algorithmic_rates = scale * (above.algorithmic_rates - below.algorithmic_rates);
  tangent_.position.setZero(model_.nv);
  for (std::size_t k = 0; k + 1 < model_.bodies.size(); ++k) {
    const BodyModel& b = model_.bodies[k];
    Vector6d step;
    step << above.position.segment<3>(b.q0) - below.position.segment<3>(b.q0),
        log_quaternion(attitude(below.position.data() + b.q0).conjugate() *
                       attitude(above.position.data() + b.q0));
    set_rigid_components(b, scale * step, tangent_.position.data() + b.v0);
    for (int c = 0; c < b.n; ++c)
      tangent_.position(b.v0 + b.nr + c) =
          scale * (above.position(b.q0 + 7 + c) - below.position(b.q0 + 7 + c));
  }
}

void ParameterTangent::move_sides(const State& state) {
  double amount = change_;
  for (const std::unique_ptr<Side>& each : sides_) {
    State& moved = each->state;
    moved.time = state.time;
    shift_ = amount * tangent_.position;
    moved.position.resize(state.position.size());
    move(model_, state.position, shift_, moved.position);
    moved.velocity = state.velocity + amount * tangent_.velocity;
    moved.acceleration = state.acceleration + amount * tangent_.acceleration;
    moved.algorithmic_acceleration =
        state.algorithmic_acceleration + amount * tangent_.algorithmic_acceleration;
    moved.multipliers = state.multipliers + amount * tangent_.multipliers;
    moved.force_states = state.force_states + amount * tangent_.force_states;
    moved.force_state_rates = state.force_state_rates + amount * tangent_.force_state_rates;
    moved.algorithmic_rates = state.algorithmic_rates + amount * tangent_.algorithmic_rates;
    moved.joint_angles = state.joint_angles;
    moved.events = state.events;
    moved.work = state.work + amount * tangent_.work;
    amount = -amount;
  }
}

// --- a step --------------------------------------------------------------------------------------

void ParameterTangent::predict(const SolvedStep& step) {
  move_sides(step.from);
  for (const std::unique_ptr<Side>& side : sides_) {
    side->spins = step.spins;
    start_in_still_axes(side->spins, side->state, side->vdot_start, side->a_start);
  }
  vdot_start_ = tangent_.acceleration;
  a_start_ = tangent_.algorithmic_acceleration;
  const double scale = 0.5 / change_;
  for (const Spin& spin : step.spins) {
    if (spin.at < 0) continue;
    const auto difference = [&](VectorXd Side::*member) -> Vector3d {
      return scale * (((*sides_[0]).*member).segment<3>(spin.at) -
                      ((*sides_[1]).*member).segment<3>(spin.at));
    };
    vdot_start_.segment<3>(spin.at) = difference(&Side::vdot_start);
    a_start_.segment<3>(spin.at) = difference(&Side::a_start);
  }
  const StepBefore before{vdot_before_, lambda_before_};
  const bool is_even = has_before_ && std::abs(step.h - last_h_) < kSameStepLength * step.h;
  step.rule.predict(step.h,
                    {tangent_.velocity, vdot_start_, a_start_, tangent_.multipliers},
                    is_even ? &before : nullptr,
                    unknowns());
}

void ParameterTangent::place_side(const SolvedStep& step, Side& side, double amount) const {
  side.dq = step.dq + amount * dq_;
  side.v = step.v + amount * v_;
  side.vdot = step.vdot + amount * vdot_;
  side.placed.v = side.v;
  side.placed.vdot = side.vdot;
  place_step(*side.model, side.state, side.dq, side.spins, side.placed);
}

void ParameterTangent::evaluate(const SolvedStep& step, Side& side, double amount) {
  place_side(step, side, amount);
  side.lambda = step.lambda + amount * lambda_;
  take_residual(*side.engine, step, side.state, side.placed, side.lambda);
}

void ParameterTangent::position_tangent(const SolvedStep& step, VectorXd& out) const {
  out = tangent_.position + dq_;
  for (std::size_t k = 0; k + 1 < model_.bodies.size(); ++k) {
    const BodyModel& b = model_.bodies[k];
    const auto angles = [&](const VectorXd& x) -> Vector3d {
      return rigid_components(b, x.data() + b.v0).tail<3>();
    };
    const Vector3d theta = angles(step.dq), d_theta = angles(dq_);
    const Vector3d at_start = angles(tangent_.position);
    Vector3d turn;
    if (const Spin* spin = spin_of(step.spins, static_cast<int>(k))) {
      const double about = theta.dot(spin->axis), d_about = d_theta.dot(spin->axis);
      const Vector3d across = theta - about * spin->axis;
      turn = right_tangent(across, d_theta - d_about * spin->axis) +
             exp_quaternion(-across) * at_start;
      turn = exp_quaternion(-about * spin->axis) * turn + d_about * spin->axis;
    } else {
      turn = right_tangent(theta, d_theta) + exp_quaternion(-theta) * at_start;
    }
    Vector6d all = rigid_components(b, out.data() + b.v0);
    all.tail<3>() = turn;
    set_rigid_components(b, all, out.data() + b.v0);
  }
}

bool ParameterTangent::follow(const SolvedStep& step, StepCentre& centre) {
  const double beta_prime = step.rule.beta_prime(step.h);
  const double scale = 0.5 / change_;
  predict(step);
  if (model_.nl > 0) {
    for (const std::unique_ptr<Side>& side : sides_)
      side->engine->set_position(step.t, centre.placed.q);
    phi_slope_ = scale * (sides_[0]->engine->ws.phi - sides_[1]->engine->ws.phi);
  }
  Engine& engine = centre.engine;
  scale_ = std::max({kScaleMemory * scale_,
                     engine.size_of(vdot_),
                     kFaintTangent * engine.size_of(step.vdot) / parameter_.change});
  double before = 0.0;
  for (int k = 0; k < kMaxTangentPasses; ++k) {
    ++iterations_;
    evaluate(step, *sides_[0], change_);
    evaluate(step, *sides_[1], -change_);
    engine.f = (-scale / beta_prime) * (sides_[0]->engine->ws.force - sides_[1]->engine->ws.force);
    engine.c = -phi_slope_;
    if (model_.nl > 0) {
      position_tangent(step, sigma_);
      y_.setZero();
      add_jacobian_times(model_, engine.ws, sigma_, y_);
      engine.c -= y_;
    }
    engine.kkt.solve(model_, engine.ws, engine.f, engine.c, x_, y_);
    turn_to_still_axes(centre.spins, x_);
    step.rule.correct(step.h, x_, y_, unknowns());
    const double size = beta_prime * engine.size_of(x_);
    if (!std::isfinite(size)) return false;
    scale_ = std::max(scale_, engine.size_of(vdot_));
    const double rate = before > 0.0 ? size / before : 0.0;
    if (before > 0.0 && size > kTangentNoise * scale_)
      centre.rate = std::max(rate, kRateMemory * centre.rate);
    const double left = remaining_error(size, !(before > 0.0), rate, centre.rate);
    if (left <= kTangentTolerance * scale_ ||
        (rate > kRebuildRate &&
         (size <= kTangentNoise * scale_ || size <= beta_prime * kTangentBits / change_))) {
      finish(step, centre);
      return true;
    }
    before = size;
    if (rate > kRebuildRate && !centre.is_fresh) {
      if (!centre.make_matrix(step)) return false;
      before = 0.0;
    }
  }
  return false;
}

void ParameterTangent::finish(const SolvedStep& step, const StepCentre& centre) {
  const double scale = 0.5 / change_;
  a_ = step.rule.algorithmic(vdot_, vdot_start_, a_start_);
  vdot_before_ = vdot_start_;
  lambda_before_ = tangent_.multipliers;
  position_tangent(step, sigma_);
  for (const Spin& spin : centre.spins) {
    if (spin.at < 0) continue;
    Vector3d v[2], vdot[2], a[2];
    for (std::size_t s = 0; s < 2; ++s) {
      Side& side = *sides_[s];
      place_side(step, side, s == 0 ? change_ : -change_);
      v[s] = side.placed.v.segment<3>(spin.at);
      vdot[s] = side.placed.vdot.segment<3>(spin.at);
      const Vector3d w = side.v.segment<3>(spin.at);
      const Vector3d still =
          step.rule.algorithmic(side.vdot, side.vdot_start, side.a_start).segment(spin.at, 3);
      a[s] = spin_of(side.spins, spin.body)->to_body(still - spin.drift(w));
    }
    v_.segment<3>(spin.at) = scale * (v[0] - v[1]);
    vdot_.segment<3>(spin.at) = scale * (vdot[0] - vdot[1]);
    a_.segment<3>(spin.at) = scale * (a[0] - a[1]);
    vdot_before_.segment<3>(spin.at) = spin.to_body(vdot_before_.segment<3>(spin.at));
  }
  if (model_.state_count > 0) {
    const Workspace& above = sides_[0]->engine->ws;
    const Workspace& below = sides_[1]->engine->ws;
    const VectorXd rates = scale * (above.state_rates - below.state_rates);
    State from;
    from.force_state_rates = tangent_.force_state_rates;
    from.algorithmic_rates = tangent_.algorithmic_rates;
    step.rule.state_rates(from, rates, tangent_.algorithmic_rates);
    tangent_.force_states = scale * (above.states - below.states);
    tangent_.force_state_rates = rates;
  }
  if (wants_work(model_)) {
    const double power =
        scale * (power_of(*sides_[0]->model, sides_[0]->engine->ws, sides_[0]->lambda) -
                 power_of(*sides_[1]->model, sides_[1]->engine->ws, sides_[1]->lambda));
    tangent_.work += 0.5 * step.h * (last_power_ + power);
    last_power_ = power;
  }
  tangent_.position = sigma_;
  tangent_.velocity = v_;
  tangent_.acceleration = vdot_;
  tangent_.algorithmic_acceleration = a_;
  for (const VectorXd& self_load : step.self_loads)
    lambda_ -= self_load * self_load.dot(lambda_);
  tangent_.multipliers = lambda_;
  has_before_ = true;
  last_h_ = step.h;
  for (const std::unique_ptr<Side>& side : sides_)
    side->engine->ws.state_gain = 0.0;
}

bool ParameterTangent::repeat(const State& from, double h, double t) {
  ++iterations_;
  move_sides(from);
  for (const std::unique_ptr<Side>& side : sides_) {
    TimeIntegrator& integrator = integrator_of(*side);
    integrator.set_work(0.0);
    if (!integrator.repeat(side->state, h, t)) return false;
  }
  take_tangent();
  tangent_.work +=
      (0.5 / change_) * (sides_[0]->integrator->work() - sides_[1]->integrator->work());
  if (model_.nl > 0) shorten(kLongestProjectedMove, *sides_.front()->engine);
  return true;
}

void ParameterTangent::adapt(const Engine& engine) {
  shorten(kLongestMove, engine);
}

void ParameterTangent::shorten(double longest, const Engine& engine) {
  if (!(change_ * engine.size_of(tangent_.position) > longest)) return;
  change_ *= kShortening;
  make_sides(false);
}

void ParameterTangent::read_outputs(const State& state, Eigen::Ref<VectorXd> slopes) {
  move_sides(state);
  for (const std::unique_ptr<Side>& side : sides_) {
    side->engine->set_all(side->state);
    side->engine->ws.work = side->state.work;
  }
  slopes = (0.5 / change_) * (read_row(*sides_[0]->model, sides_[0]->engine->ws) -
                              read_row(*sides_[1]->model, sides_[1]->engine->ws));
}

}  // namespace femflex::mbd_solver
