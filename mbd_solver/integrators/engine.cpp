// Accelerations and projections by solves with the matrix [M G'; G 0], and the steps of assembly:
// close joints, balance massless bodies, project velocities, find redundant constraints.
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

// temporary mass of a massless body, relative to its reference mass; so small that its effect on
// other bodies is round-off
constexpr double kSubstituteMass = 1e-6;

// --- projections: lengths relative to the system's size, or rad ----------------------------------
// longest move of one pass; Phi cannot be linearised for longer ones
constexpr double kMaxMove = 0.5;
// a pass with a shorter move ends the projection, because further passes would have no effect
constexpr double kNoMove = 1e-15;
constexpr double kOnConstraints = 1e-14;  // below this |Phi| is round-off
// the kept factor is good enough if each pass reduces |Phi| to this share or less
constexpr double kMinConvergence = 0.1;
constexpr int kNearbyPasses = 3;
// maximum number of passes; manually written positions may be far off, and a pass moves at most
// kMaxMove
constexpr int kAssemblyPasses = 100;

// --- consistent initial conditions ---------------------------------------------------------------
// a joint with |Phi| / system size above this does not close
constexpr double kMaxOpenJoint = 1e-9;
// [m], [rad] by which assembly may move a body with initial_fixed
constexpr double kFixedTolerance = 1e-9;
// [m], [rad], [m/s], [rad/s]; smaller changes are not reported
constexpr double kMinReported = 1e-6;
// allowed violation of joints and motions, relative to the fastest velocity
constexpr double kMaxRateViolation = 1e-6;

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

const JointModel& Engine::row_joint(Eigen::Index row) const {
  const auto has_row = [&](const JointModel& j) { return row >= j.l0 && row < j.l0 + j.m; };
  return *std::find_if(model.joints.begin(), model.joints.end(), has_row);
}

std::string Engine::failure() const {
  for (const MotionModel& motion : model.motions) {
    if (motion.value.is_constant() || motion.block_output >= 0) continue;
    const std::array<double, 3> jet = motion_jet(model, ws, motion);
    constexpr std::array<const char*, 3> kOrders = {"value", "rate", "acceleration"};
    for (std::size_t k = 0; k < jet.size(); ++k)
      if (!std::isfinite(jet[k]))
        return fmt::format(
            "motion {}: the {} of '{}' is not finite at t = {:.9g} s; give it one there, as t^2 "
            "has, or start later",
            motion.name,
            kOrders[k],
            motion.value.function->text(),
            ws.t);
  }
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
  if (!guests.failure().empty()) throw NumericalError("guest-failed", guests.failure());
  if (!kkt.failure().empty()) throw ModelError("no-mass", failure());
  throw ModelError("not-finite",
                   failure(),
                   {},
                   "look at its numbers and formulas: a division by zero, a root or logarithm of a "
                   "negative number, or a power too large gives such a value");
}

bool Engine::find_quasi_static(const State& state) {
  const auto is_massless = [](const BodyModel& b) { return b.massless; };
  is_quasi_static = false;
  if (std::none_of(model.bodies.begin(), model.bodies.end(), is_massless)) return false;
  set_position(state.time, state.position);
  set_velocity(state.velocity);
  residual(model, ws, zero_v, nullptr);
  is_quasi_static = !factor_mass();
  return is_quasi_static;
}

bool Engine::factor_mass(double strain) {
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
  if (!factor_mass()) return false;
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
  double before = largest_phi();
  f.setZero();
  for (int k = 0; k < iterations && before > limit; ++k) {
    residual(model, ws, zero_v, nullptr);  // modal inertia at this position
    if (!factor_mass(strain)) return before;
    f.setZero();
    c = -ws.phi;
    kkt.solve(model, ws, f, c, x, y);
    const double largest = size_of(x);
    if (!std::isfinite(largest)) return before;
    if (largest > kMaxMove) x *= kMaxMove / largest;
    const VectorXd from = q;
    move(model, from, x, q);
    set_position(t, q);
    before = largest_phi();
    if (largest < kNoMove) break;
  }
  return before;
}

bool Engine::project_velocity(VectorXd& v, const VectorXd* rates) {
  set_velocity(v);
  constraint_rates(model, ws, false);
  residual(model, ws, zero_v, nullptr);
  if (!factor_mass()) return false;
  for (int pass = 0; pass < 2; ++pass) {
    c = ws.phi_t;
    add_jacobian_times(model, ws, v, c);
    c = -c;
    if (rates != nullptr) c += *rates;
    f.setZero();
    kkt.solve(model, ws, f, c, x, y);
    v += x;
  }
  set_velocity(v);
  return v.allFinite();
}

bool Engine::project_nearby(double t, VectorXd& q, VectorXd& v, VectorXd& moved) {
  const double limit = phi_limit(kOnConstraints);
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
    double first = 0.0;
    for (int pass = 0; pass < 2; ++pass) {
      c = ws.phi_t;
      add_jacobian_times(model, ws, v, c);
      c = -c;
      kkt.solve(model, ws, f, c, x, y);
      v += x;
      const double size = x.lpNorm<Eigen::Infinity>();
      if (pass == 0) first = size;
      close =
          std::isfinite(size) && (pass == 0 || size <= kMinConvergence * first + kOnConstraints);
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

namespace {

/// Returns the remedy `first`; if bodies have disabled modes, adds the remedy to enable them.
std::string or_enable_modes(const System& system, std::string first) {
  std::string bodies;
  for (const Body& body : system.bodies) {
    const auto* flexible = std::get_if<Flexible>(&body.kind);
    if (flexible == nullptr) continue;
    if (acting_mode_count(body) < flexible->body->mode_count())
      bodies += fmt::format("{}{}", bodies.empty() ? "" : ", ", body.name);
  }
  if (!bodies.empty())
    first += fmt::format("; disabled modes of {} could give way: enable them", bodies);
  return first;
}

/// Names of the joints with redundant rows, one entry per row. Small pivots give the candidates;
/// the rank of G with rows of unit length decides.
std::vector<std::string> redundant_joints(Engine& engine) {
  // maximum number of rows; the rank of larger matrices would take seconds
  constexpr Eigen::Index kMaxRankRows = 800;
  std::vector<std::string> names = engine.kkt.redundant_rows(engine.model);
  if (names.empty() || engine.model.nl > kMaxRankRows) return names;
  std::vector<Eigen::Index> rows =
      dependent_rows(scaled_rows(dense_jacobian(engine), units_of(engine.model)));
  std::erase_if(rows, [&](Eigen::Index row) { return engine.row_joint(row).grip >= 0; });
  if (rows.size() == names.size()) return names;
  names.clear();
  for (const Eigen::Index row : rows)
    names.push_back(engine.joint_of(row));
  return names;
}

/// Moves massless bodies that only springs position to where these springs balance.
/// @throws ModelError the springs do not determine their positions
void balance_massless(Engine& engine,
                      State& state,
                      AssemblyReport& report,
                      Diagnostics& diagnostics) {
  const Model& model = engine.model;
  if (!engine.find_quasi_static(state)) return;
  const std::string why = engine.failure();
  double moved = 0.0;
  if (!settle_massless(engine, state, moved))
    throw ModelError("no-mass",
                     why,
                     {},
                     "give it a mass (and inertia), hold it by a joint or a spring, or make it a "
                     "point, which does not turn");
  engine.update_angles(state);
  engine.set_position(state.time, state.position);
  engine.set_velocity(state.velocity);
  report.position_change = std::max(report.position_change, moved * model.local_length);
  if (moved > kMinReported)
    diagnostics.warn("assembly-moved",
                     fmt::format("bodies without mass were moved by {:.3g} m in all to where their "
                                 "springs balance",
                                 moved * model.local_length));
}

/// Moves bodies onto the joints.
/// @throws NumericalError  the joints do not close, or a body with initial_fixed would move
void close_joints(Engine& engine, const System& system, State& state, AssemblyReport& report) {
  const Model& model = engine.model;
  const VectorXd start = state.position;
  report.constraint_after = engine.project_position(state.time, state.position, kAssemblyPasses);
  if (!(report.constraint_after < kMaxOpenJoint * std::max(1.0, model.length_scale))) {
    if (!engine.kkt.failure().empty() && !std::isfinite(report.constraint_after))
      engine.throw_failure();
    Eigen::Index worst = 0;
    engine.ws.phi.cwiseAbs().maxCoeff(&worst);
    throw NumericalError(
        "does-not-close",
        fmt::format("the joints do not close: {} stays open by {:.3g} (was {:.3g} at the start)",
                    engine.joint_of(worst),
                    report.constraint_after,
                    report.constraint_before),
        {},
        or_enable_modes(system, "check positions, axes and lengths in the initial state"));
  }
  for (std::size_t k = 0; k + 1 < model.bodies.size(); ++k) {
    const BodyModel& b = model.bodies[k];
    const double step = (state.position.segment<3>(b.q0) - start.segment<3>(b.q0)).norm();
    const double turn =
        2.0 * (state.position.segment<4>(b.q0 + 3) - start.segment<4>(b.q0 + 3)).norm();
    const double moved = std::max(step, turn);
    if (moved > report.position_change) {
      report.position_change = moved;
      report.moved_body = b.name;
    }
    if (moved > kFixedTolerance && system.bodies[k].initial_fixed)
      throw NumericalError(
          "fixed-moved",
          fmt::format("body {} must not move during assembly, but the joints move it by {:.3g}",
                      b.name,
                      moved));
  }
}

/// Projects the velocities onto the constraints.
/// @throws NumericalError  joints and motions contradict each other
void match_velocities(Engine& engine, const System& system, State& state, AssemblyReport& report) {
  const Model& model = engine.model;
  const VectorXd v0 = state.velocity;
  if (!engine.project_velocity(state.velocity)) engine.throw_failure();
  engine.c = engine.ws.phi_t;
  add_jacobian_times(model, engine.ws, state.velocity, engine.c);
  Eigen::Index worst_row = 0;
  const double open = model.nl > 0 ? engine.c.cwiseAbs().maxCoeff(&worst_row) : 0.0;
  if (open > kMaxRateViolation * std::max(1.0, state.velocity.lpNorm<Eigen::Infinity>())) {
    throw NumericalError(
        "velocities-contradict",
        fmt::format("joints and motions prescribe velocities that contradict each other: {} is "
                    "missed by {:.3g}",
                    engine.joint_of(worst_row),
                    open),
        {},
        or_enable_modes(system, "take one of the motions away, or make them agree"));
  }
  report.velocity_change = model.nv > 0 ? (state.velocity - v0).cwiseAbs().maxCoeff() : 0.0;
}

/// Counts DOFs and reports which rows are redundant.
void find_redundant(Engine& engine, AssemblyReport& report, Diagnostics& diagnostics) {
  const Model& model = engine.model;
  engine.kkt.set_substitute_mass(engine.is_quasi_static ? kSubstituteMass : 0.0);
  const bool factored = engine.kkt.factor(model, engine.ws, 0.0, 0.0);
  engine.kkt.set_substitute_mass(0.0);
  if (!factored)  // not caused by redundant rows: eps gives them a small pivot
    engine.throw_failure();
  report.redundant = redundant_joints(engine);
  int rows_of_friction = 0;
  for (const JointModel& j : model.joints)
    rows_of_friction += j.grip >= 0 ? j.m : 0;
  report.degrees_of_freedom =
      model.nv - model.nl + rows_of_friction + static_cast<int>(report.redundant.size());
  if (report.redundant.empty()) return;
  std::string names;
  for (auto at = report.redundant.begin(); at != report.redundant.end();) {
    const auto next =
        std::find_if(at, report.redundant.end(), [&](const auto& n) { return n != *at; });
    names += (names.empty() ? "" : ", ") + *at;
    if (next - at > 1) names += fmt::format(" {} times", next - at);
    at = next;
  }
  diagnostics.warn("redundant-constraints",
                   fmt::format("{} constraint rows are redundant ({}): the motion is unique, the "
                               "reactions of these joints are one choice of many",
                               report.redundant.size(),
                               names));
}

}  // namespace

State assemble(Engine& engine,
               const System& system,
               double t,
               AssemblyReport& report,
               Diagnostics& diagnostics) {
  State state = engine.model.initial;
  state.time = t;
  engine.ws.set_memory(state);
  engine.set_position(t, state.position);
  engine.set_velocity(state.velocity);
  report.constraint_before = engine.largest_phi();
  close_joints(engine, system, state, report);
  if (report.position_change > kMinReported)
    diagnostics.warn("assembly-moved",
                     fmt::format("assembly moved {} by {:.3g} to close the joints",
                                 report.moved_body,
                                 report.position_change));
  engine.update_angles(state);
  apply_chosen_starts(engine, system, state);
  balance_massless(engine, state, report, diagnostics);
  match_velocities(engine, system, state, report);
  if (report.velocity_change > kMinReported)
    diagnostics.warn("assembly-moved",
                     fmt::format("assembly changed a velocity by {:.3g} to agree with the joints",
                                 report.velocity_change));
  find_redundant(engine, report, diagnostics);
  if (!engine.accelerations(state.acceleration, state.multipliers)) engine.throw_failure();
  return state;
}

}  // namespace femflex::mbd_solver
