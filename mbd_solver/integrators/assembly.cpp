// The steps of assembly: close joints, balance massless bodies, project velocities, find redundant
// constraints.
#include "integrators/assembly.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "integrators/chosen_starts.h"
#include "integrators/free_stiffness.h"
#include "integrators/quasi_static.h"
#include "integrators/tangent.h"

namespace femflex::mbd_solver {

using Eigen::VectorXd;

namespace {

// maximum number of passes; positions typed by hand may be far off, and a pass moves at most
// kMaxMove of the engine
constexpr int kAssemblyPasses = 100;
// a joint with |Phi| / system size above this does not close
constexpr double kMaxOpenJoint = 1e-9;
// [m], [rad] by which assembly may move a body with initial_fixed
constexpr double kFixedTolerance = 1e-9;
// [m], [rad], [m/s], [rad/s]; smaller changes are not reported
constexpr double kMinReported = 1e-6;
// allowed violation of joints and motions, relative to the fastest velocity
constexpr double kMaxRateViolation = 1e-6;
// [m/s], [rad/s]; a smaller violation is round-off of a system at rest, as of cos(pi/2) in a motion
constexpr double kRateAtRest = 1e-12;

}  // namespace

std::string BodyMove::size_text() const {
  return fmt::format("{:.3g} {}", size, is_turn ? "rad" : "m");
}

BodyMove move_of(const BodyModel& body, const VectorXd& from, const VectorXd& to) {
  const double step = (to.segment<3>(body.q0) - from.segment<3>(body.q0)).norm();
  const double turn = 2.0 * (to.segment<4>(body.q0 + 3) - from.segment<4>(body.q0 + 3)).norm();
  return {body.name, std::max(step, turn), turn > step};
}

BodyMove largest_move(const Model& model, const VectorXd& from, const VectorXd& to) {
  BodyMove largest;
  for (const BodyModel& body : model.bodies) {
    if (body.kind == BodyModel::Kind::ground) continue;
    BodyMove move = move_of(body, from, to);
    if (move.size > largest.size) largest = std::move(move);
  }
  return largest;
}

void require_fixed_bodies(const Model& model,
                          const System& system,
                          const VectorXd& from,
                          const VectorXd& to,
                          const char* cause) {
  for (std::size_t k = 0; k + 1 < model.bodies.size(); ++k) {
    if (!system.bodies[k].initial_fixed) continue;
    const BodyMove move = move_of(model.bodies[k], from, to);
    if (move.size > kFixedTolerance)
      throw ModelError("fixed-moved",
                       fmt::format("body {} must not move during assembly (initial_fixed), but {} "
                                   "{} it by {}",
                                   move.body,
                                   cause,
                                   move.is_turn ? "turn" : "move",
                                   move.size_text()),
                       {},
                       "let it move, or place the bodies so that its joints close");
  }
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
  if (!bodies.empty()) first += fmt::format(", or enable the disabled modes of {}", bodies);
  return first;
}

/// Names of the joints with redundant rows, one entry per row. Small pivots give the candidates; if
/// the rank of G with rows of unit length leaves another number, its rows are taken.
std::vector<std::string> redundant_joints(Engine& engine) {
  // maximum number of rows; the rank of larger matrices would take seconds
  constexpr Eigen::Index kMaxRankRows = 800;
  std::vector<std::string> names = engine.kkt.redundant_rows(engine.model);
  if (names.empty() || engine.model.nl > kMaxRankRows) return names;
  std::vector<Eigen::Index> rows =
      dependent_rows(scaled_rows(dense_jacobian(engine), units_of(engine.model)));
  std::erase_if(rows, [&](Eigen::Index row) { return engine.joint_of_row(row).grip >= 0; });
  if (rows.size() == names.size()) return names;
  names.clear();
  for (const Eigen::Index row : rows)
    names.push_back(engine.joint_name_of_row(row));
  return names;
}

/// Unit of a row of Phi: "m" for gaps, "rad" for angles between directions.
const char* unit_of_row(const Engine& engine, Eigen::Index row) {
  const JointModel& joint = engine.joint_of_row(row);
  const RowModel& equation = joint.rows[static_cast<std::size_t>(row - joint.l0)];
  const auto is_angle = [](const CoordinateTerm& term) { return term.angle; };
  switch (equation.kind) {
    case RowModel::Kind::along:
    case RowModel::Kind::distance:
      return "m";
    case RowModel::Kind::dot:
      return "rad";
    case RowModel::Kind::coordinate:
      break;
  }
  const auto angles = std::count_if(equation.terms.begin(), equation.terms.end(), is_angle);
  if (angles == 0) return "m";
  return angles == std::ssize(equation.terms) ? "rad" : "m or rad";
}

/// Adds a move to the report, and warns of it unless it is small.
void tell_move(const BodyMove& move,
               const char* reason,
               AssemblyReport& report,
               Diagnostics& diagnostics) {
  report.position_change = std::max(report.position_change, move.size);
  if (move.size > kMinReported)
    diagnostics.warn("assembly-moved",
                     fmt::format("assembly {} {} by {} {}",
                                 move.is_turn ? "turned" : "moved",
                                 move.body,
                                 move.size_text(),
                                 reason));
}

/// Moves massless bodies that are held by springs alone to the equilibrium of these springs.
/// @throws ModelError the springs do not determine their positions
void balance_massless(Engine& engine,
                      State& state,
                      AssemblyReport& report,
                      Diagnostics& diagnostics) {
  const Model& model = engine.model;
  if (!engine.find_quasi_static(state)) return;
  const std::string why = engine.failure();
  const VectorXd start = state.position;
  if (!settle_massless(engine, state)) throw ModelError("no-mass", why, {}, massless_remedy(model));
  engine.update_angles(state);
  engine.set_position(state.time, state.position);
  engine.set_velocity(state.velocity);
  tell_move(largest_move(model, start, state.position),
            "to where the springs of bodies without mass balance",
            report,
            diagnostics);
}

/// Moves bodies onto the joints.
/// @throws NumericalError  the joints do not close
/// @throws ModelError      a body with initial_fixed would move
void close_joints(Engine& engine,
                  const System& system,
                  State& state,
                  AssemblyReport& report,
                  Diagnostics& diagnostics) {
  const Model& model = engine.model;
  const VectorXd start = state.position;
  report.constraint_after = engine.project_position(state.time, state.position, kAssemblyPasses);
  if (!engine.is_closed(report.constraint_after, kMaxOpenJoint)) {
    if (!engine.kkt.failure().empty() && !std::isfinite(report.constraint_after))
      engine.throw_failure();
    Eigen::Index worst = 0;
    engine.ws.phi.cwiseAbs().maxCoeff(&worst);
    throw NumericalError(
        "does-not-close",
        fmt::format(
            "the joints do not close: {} stays open by {:.3g} {} (the largest gap at the start "
            "was {:.3g})",
            engine.joint_name_of_row(worst),
            report.constraint_after,
            unit_of_row(engine, worst),
            report.constraint_before),
        {},
        or_enable_modes(system, "check positions, axes and lengths in the initial state"));
  }
  require_fixed_bodies(model, system, start, state.position, "the joints");
  tell_move(largest_move(model, start, state.position), "to close the joints", report, diagnostics);
}

/// The largest change of a velocity coordinate, in words: "the angular velocity of body m by 0.2
/// rad/s".
std::string largest_change(const Model& model, const VectorXd& change) {
  Eigen::Index largest = 0;
  const double size = change.cwiseAbs().maxCoeff(&largest);
  for (const BodyModel& b : model.bodies) {
    const auto k = static_cast<int>(largest) - b.v0;
    if (b.kind == BodyModel::Kind::ground || k < 0 || k >= b.nr + b.n) continue;
    if (k >= b.nr)
      return fmt::format("the rate of mode {} of body {} by {:.3g} 1/s",
                         mode_number(model.flexes[static_cast<std::size_t>(b.flex)], k - b.nr),
                         b.name,
                         size);
    const bool is_angular = b.dof[static_cast<std::size_t>(k)] >= 3;
    return fmt::format("the {} of body {} by {:.3g} {}",
                       is_angular ? "angular velocity" : "velocity",
                       b.name,
                       size,
                       is_angular ? "rad/s" : "m/s");
  }
  return fmt::format("a velocity by {:.3g}", size);
}

/// Projects the velocities onto the constraints.
/// @throws NumericalError  joints and motions contradict each other
void match_velocities(Engine& engine,
                      const System& system,
                      State& state,
                      AssemblyReport& report,
                      Diagnostics& diagnostics) {
  const Model& model = engine.model;
  const VectorXd v0 = state.velocity;
  if (!engine.project_velocity(state.velocity)) engine.throw_failure();
  VectorXd violation = engine.ws.phi_t;
  add_jacobian_times(model, engine.ws, state.velocity, violation);
  Eigen::Index worst_row = 0;
  const double open = model.nl > 0 ? violation.cwiseAbs().maxCoeff(&worst_row) : 0.0;
  // the fastest velocity, given, prescribed or resulting: slow motions count as well as fast ones
  const double fastest = std::max({v0.lpNorm<Eigen::Infinity>(),
                                   state.velocity.lpNorm<Eigen::Infinity>(),
                                   engine.ws.phi_t.lpNorm<Eigen::Infinity>()});
  if (open > std::max(kMaxRateViolation * fastest, kRateAtRest)) {
    throw NumericalError(
        "velocities-contradict",
        fmt::format("joints and motions prescribe velocities that contradict each other: {} is "
                    "missed by {:.3g} {}/s",
                    engine.joint_name_of_row(worst_row),
                    open,
                    unit_of_row(engine, worst_row)),
        {},
        or_enable_modes(system, "remove one of the motions, or make them agree"));
  }
  const VectorXd change = state.velocity - v0;
  report.velocity_change = change.lpNorm<Eigen::Infinity>();
  if (report.velocity_change > kMinReported)
    diagnostics.warn(
        "assembly-moved",
        fmt::format("assembly changed {} to agree with the joints", largest_change(model, change)));
}

/// Counts DOFs and reports which rows are redundant.
void find_redundant(Engine& engine, AssemblyReport& report, Diagnostics& diagnostics) {
  const Model& model = engine.model;
  engine.kkt.set_substitute_mass(engine.is_quasi_static ? Engine::kSubstituteMass : 0.0);
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
                   fmt::format("{} redundant ({}): the motion is unique, the reactions of these "
                               "joints are not",
                               report.redundant.size() == 1
                                   ? "1 constraint row is"
                                   : fmt::format("{} constraint rows are", report.redundant.size()),
                               names));
}

}  // namespace

void forget_steps(State& state) {
  state.memory = {};
  state.algorithmic_acceleration.resize(0);
  state.force_state_rates.resize(0);
  state.algorithmic_rates.resize(0);
}

void set_in_motion(Engine& engine,
                   const System& system,
                   RestartVelocity velocity,
                   State& state,
                   AssemblyReport& report,
                   Diagnostics& diagnostics) {
  const Model& model = engine.model;
  forget_steps(state);
  const bool is_given = velocity == RestartVelocity::of_system;
  if (is_given) state.velocity = model.initial.velocity;
  const bool is_driven =
      std::any_of(model.motions.begin(), model.motions.end(), [](const MotionModel& motion) {
        return motion.input >= 0 || !motion.value.is_constant();
      });
  if (!is_driven && state.velocity.isZero(0.0) && (!is_given || model.starts.empty())) return;
  engine.set_position(state.time, state.position);
  engine.set_velocity(state.velocity);
  if (is_given) apply_chosen_rates(engine, system, state);
  Diagnostics silent;  // motions set in motion what is at rest
  match_velocities(engine, system, state, report, is_given ? diagnostics : silent);
  if (!engine.accelerations(state.acceleration, state.multipliers)) engine.throw_failure();
}

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
  close_joints(engine, system, state, report, diagnostics);
  engine.update_angles(state);
  apply_chosen_starts(engine, system, state);
  engine.set_position(state.time, state.position);
  if (!engine.is_closed(engine.largest_phi(), kMaxOpenJoint))
    throw NumericalError(
        "start-not-reached",
        fmt::format("the initial values of joints open joints by {:.3g}", engine.largest_phi()),
        {},
        "choose the value of another joint, or let the bodies it would move move");
  balance_massless(engine, state, report, diagnostics);
  match_velocities(engine, system, state, report, diagnostics);
  find_redundant(engine, report, diagnostics);
  if (!engine.accelerations(state.acceleration, state.multipliers)) engine.throw_failure();
  return state;
}

}  // namespace femflex::mbd_solver
