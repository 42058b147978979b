// Accelerations and projections by solves with the matrix [M G'; G 0].
#include "integrators/engine.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/mbd_solver/simulate.h"

#include "integrators/chosen_starts.h"
#include "integrators/free_stiffness.h"
#include "integrators/quasi_static.h"
#include "integrators/tangent.h"
#include "spatial/blocks.h"
#include "spatial/rotation.h"

namespace femflex::mbd_solver {

using Eigen::Vector3d;
using Eigen::VectorXd;

namespace {

// --- projections: lengths relative to the system's size, or rad ----------------------------------
// largest move of one pass: Phi is linear only over short moves
constexpr double kMaxMove = 0.5;
// a pass with a shorter move ends the projection, because further passes would have no effect
constexpr double kSmallestMove = 1e-15;
constexpr double kNegligiblePhi = 1e-14;  // below this |Phi| is round-off
// the kept factor is good enough if each pass reduces |Phi| to this share or less
constexpr double kMinConvergence = 0.1;
constexpr int kNearbyPasses = 3;
constexpr int kVelocityPasses = 2;  // the second removes the effect of the regularisation

/// Text about the first motion whose value, rate or acceleration is not finite; empty if all are.
std::string not_finite_motion(const Model& model, const Workspace& ws) {
  for (const MotionModel& motion : model.motions) {
    if (motion.value.is_constant() || motion.block_output >= 0) continue;
    const std::array<double, 3> jet = motion_jet(model, ws, motion);
    constexpr std::array<const char*, 3> kOrders = {"value", "rate", "acceleration"};
    for (std::size_t k = 0; k < jet.size(); ++k)
      if (!std::isfinite(jet[k]))
        return fmt::format("motion {}: the {} of '{}' is not finite at t = {:.9g} s",
                           motion.name,
                           kOrders[k],
                           motion.value.function->text(),
                           ws.t);
  }
  return {};
}

}  // namespace

void Engine::set_position(double t, const VectorXd& q) {
  ws.t = t;
  ws.q = q;
  position_kinematics(model, ws);
  constraints(model, ws);
}

void Engine::set_velocity(const VectorXd& v) {
  ws.v = v;
  velocity_kinematics(model, ws);
}

const JointModel& Engine::joint_of_row(Eigen::Index row) const {
  const auto has_row = [&](const JointModel& j) { return row >= j.l0 && row < j.l0 + j.m; };
  return *std::find_if(model.joints.begin(), model.joints.end(), has_row);
}

std::string Engine::failure() const {
  if (const std::string motion = not_finite_motion(model, ws); !motion.empty()) return motion;
  if (!guests.failure().empty()) return guests.failure();
  if (!kkt.failure().empty()) return kkt.failure();
  for (const BlockModel& block : model.network.blocks)
    if (!ws.block_outputs.segment(block.output0, block.output_count).allFinite())
      return fmt::format("block {} is not finite at t = {:.9g} s", block.name, ws.t);
  for (std::size_t k = 0; k < model.forces.size(); ++k)
    if (!ws.loads[k].force_b.allFinite() || !ws.loads[k].torque_b.allFinite())
      return fmt::format("force {} is not finite at t = {:.9g} s", model.forces[k].name, ws.t);
  return fmt::format("the accelerations are not finite at t = {:.9g} s", ws.t);
}

void Engine::throw_failure() const {
  if (!not_finite_motion(model, ws).empty())
    throw ModelError("not-finite",
                     failure(),
                     {},
                     "use a function that is smooth there, such as t^2, or start later");
  if (!guests.failure().empty()) throw NumericalError("guest-failed", guests.failure());
  if (!kkt.failure().empty()) throw ModelError("no-mass", failure(), {}, massless_remedy(model));
  throw ModelError("not-finite",
                   failure(),
                   {},
                   "look at its numbers and formulas: a division by zero, a root or logarithm of a "
                   "negative number, or a power too large gives such a value");
}

std::string massless_remedy(const Model& model) {
  const auto may_be_point = [](const BodyModel& b) {
    return b.massless && b.kind != BodyModel::Kind::point;
  };
  return std::any_of(model.bodies.begin(), model.bodies.end(), may_be_point)
             ? "give it a mass and an inertia, hold it by a joint or a spring, or make it a point, "
               "which does not turn"
             : "give it a mass, or hold it by a joint or a spring";
}

bool Engine::find_quasi_static(const State& state) {
  const auto is_massless = [](const BodyModel& b) { return b.massless; };
  is_quasi_static = false;
  if (std::none_of(model.bodies.begin(), model.bodies.end(), is_massless)) return false;
  set_position(state.time, state.position);
  set_velocity(state.velocity);
  residual(model, ws, zero_v, nullptr);
  is_quasi_static = !factor_kkt();
  return is_quasi_static;
}

bool Engine::factor_kkt(double strain) {
  kkt.regularise(KktMatrix::kProjection);
  kkt.set_substitute_mass(is_quasi_static ? kSubstituteMass : 0.0);
  const bool factored = kkt.factor(model, ws, 0.0, strain);
  kkt.set_substitute_mass(0.0);
  kkt.regularise(KktMatrix::kRegularisation);
  return factored;
}

bool Engine::accelerations(VectorXd& a, VectorXd& lambda, double baumgarte, int refinements) {
  marker_bias(model, ws);
  constraint_rates(model, ws);
  if (baumgarte > 0.0) {
    c = ws.phi_t;
    add_jacobian_times(model, ws, ws.v, c);
    ws.bias += 2.0 * baumgarte * c + baumgarte * baumgarte * ws.phi;
  }
  residual(model, ws, zero_v, nullptr);
  if (!factor_kkt()) return false;
  f = -ws.force;
  c = -ws.bias;
  kkt.solve(model, ws, f, c, a, lambda);
  if (model.nl > 0) {
    const int passes = refinements < 2 && kkt.is_regular(model) ? refinements : 2;
    for (int pass = 0; pass < passes; ++pass) {  // removes the effect of the regularisation
      residual(model, ws, a, &lambda);
      f = -ws.force;
      c = -ws.bias;
      y.setZero();
      add_jacobian_times(model, ws, a, y);
      c -= y;
      kkt.solve(model, ws, f, c, x, y);
      a += x;
      lambda += y;
    }
  }
  return a.allFinite() && lambda.allFinite();
}

double Engine::project_position(
    double t, VectorXd& q, int iterations, double tolerance, double strain) {
  set_position(t, q);
  const double limit = phi_limit(tolerance);
  double open = largest_phi();
  f.setZero();
  for (int k = 0; k < iterations && open > limit; ++k) {
    residual(model, ws, zero_v, nullptr);  // modal inertia at this position
    if (!factor_kkt(strain)) return open;
    f.setZero();
    c = -ws.phi;
    kkt.solve(model, ws, f, c, x, y);
    const double largest = size_of(x);
    if (!std::isfinite(largest)) return open;
    if (largest > kMaxMove) x *= kMaxMove / largest;
    const VectorXd from = q;
    move(model, from, x, q);
    set_position(t, q);
    open = largest_phi();
    if (largest < kSmallestMove) break;
  }
  return open;
}

double Engine::correct_velocity(VectorXd& v, const VectorXd* rates) {
  c = ws.phi_t;
  add_jacobian_times(model, ws, v, c);
  c = -c;
  if (rates != nullptr) c += *rates;
  f.setZero();
  kkt.solve(model, ws, f, c, x, y);
  v += x;
  return x.lpNorm<Eigen::Infinity>();
}

bool Engine::project_velocity(VectorXd& v, const VectorXd* rates) {
  set_velocity(v);
  constraint_rates(model, ws, false);
  residual(model, ws, zero_v, nullptr);
  if (!factor_kkt()) return false;
  for (int pass = 0; pass < kVelocityPasses; ++pass)
    correct_velocity(v, rates);
  set_velocity(v);
  return v.allFinite();
}

bool Engine::project_nearby(double t, VectorXd& q, VectorXd& v, VectorXd& moved) {
  const double limit = phi_limit(kNegligiblePhi);
  moved.setZero(model.nv);
  q_kept = q;
  v_kept = v;
  double before = largest_phi();
  bool close = true;
  f.setZero();
  for (int k = 0; k < kNearbyPasses && before > limit && close; ++k) {
    c = -ws.phi;
    kkt.solve(model, ws, f, c, x, y);
    moved += x;
    move(model, ws.q, x, q);
    set_position(t, q);
    const double after = largest_phi();
    close = after < kMinConvergence * before || after <= limit;
    before = after;
  }
  close = close && before <= limit;
  if (close) {
    set_velocity(v);
    constraint_rates(model, ws, false);
    double first_correction = 0.0;
    for (int pass = 0; pass < kVelocityPasses; ++pass) {
      const double correction = correct_velocity(v, nullptr);
      if (pass == 0) first_correction = correction;
      close = std::isfinite(correction) &&
              (pass == 0 || correction <= kMinConvergence * first_correction + kNegligiblePhi);
    }
    set_velocity(v);
  }
  if (!close) {
    q = q_kept;
    v = v_kept;
  }
  return close;
}

bool Engine::update_memory(State& state) {
  if (!model.has_memory()) return false;
  update_joint_angles(model, ws, state.joint_angles);
  bool any = update_events(model, ws, state.events);
  if (model.network.has_events) {
    ws.state_constants = state.force_states;
    evaluate_blocks(model, ws);
    any = update_block_events(model, ws, state.events) || any;
  }
  ws.set_memory(state);
  return any;
}

bool Engine::take_samples(State& state) {
  if (!model.network.has_samples) return false;
  ws.set_memory(state);
  evaluate_blocks(model, ws);
  Eigen::VectorXd sampled = state.events;
  bool any = mbd_solver::take_samples(model, ws, state.time, sampled);
  if (!model.network.guests.empty() && guests.exchange(ws, state)) {
    any = true;
    for (const int k : model.network.guests) {
      const BlockModel& block = model.network.blocks[static_cast<std::size_t>(k)];
      sampled.segment(block.event0, block.event_count) =
          state.events.segment(block.event0, block.event_count);
    }
  }
  state.events = sampled;
  ws.set_memory(state);
  return any;
}

void Engine::update_angles(State& state) {
  if (!model.has_memory()) return;
  update_joint_angles(model, ws, state.joint_angles);
  ws.set_memory(state);
}

void Engine::set_all(const State& state) {
  if (model.has_memory()) ws.set_memory(state);
  ws.marker_count = model.markers.size();
  set_position(state.time, state.position);
  set_velocity(state.velocity);
  marker_bias(model, ws);
  ws.marker_count = model.acting_markers;
  constraint_rates(model, ws);
  ws.a = state.acceleration;
  ws.multipliers = state.multipliers;
  residual(model, ws, ws.a, nullptr);
}

double Engine::phi_limit(double tolerance) const {
  constexpr double kPhiBits = 16.0 * std::numeric_limits<double>::epsilon();
  return std::max(tolerance * std::max(1.0, model.local_length), kPhiBits * model.length_scale);
}

double Engine::size_of(const VectorXd& dq, std::string* who) const {
  double largest = 0.0;
  for (const BodyModel& b : model.bodies) {
    if (b.kind == BodyModel::Kind::ground) continue;
    for (int k = 0; k < b.nr + b.n; ++k) {
      const double size = std::abs(dq(b.v0 + k)) / model.unit_of(b, k);
      if (size > largest || !std::isfinite(size)) {
        largest = size;
        if (who != nullptr)
          *who = k < b.nr ? fmt::format("body {}", b.name)
                          : fmt::format("body {}, mode {}",
                                        b.name,
                                        mode_number(model.flexes[static_cast<std::size_t>(b.flex)],
                                                    k - b.nr));
        if (!std::isfinite(size)) return size;
      }
    }
  }
  return largest;
}

}  // namespace femflex::mbd_solver
