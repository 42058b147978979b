// Static equilibrium by Newton's method with saddle-free steps of limited length. Each step solves
// with the tangent stiffness in the free directions, closes the joints, and is halved until the
// state improves. Also series of equilibria. Equations: docs/theory/multibody.md.
#include "femflex/mbd_solver/statics.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Cholesky>
#include <fmt/format.h>

#include "femflex/dense.h"
#include "femflex/errors.h"
#include "femflex/mbd_solver/driven.h"

#include "integrators/assembly.h"
#include "integrators/chosen_starts.h"
#include "integrators/driven_start.h"
#include "integrators/free_stiffness.h"
#include "integrators/run_start.h"
#include "integrators/run_watch.h"
#include "integrators/static_balance.h"
#include "integrators/tangent.h"
#include "spatial/hinge.h"

namespace femflex::mbd_solver {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// initial limit of a Newton step, relative to the system's size or in rad
constexpr double kInitialStep = 0.3;
// the limit is doubled after this number of limited steps without a halving
constexpr int kGrowAfter = 8;
constexpr double kMaxCorrectionLeft =
    1e-9;  // Newton correction that a converged state may still need
// an unbalanced force below this share of the largest force is round-off. If it stays so for
// kRestingIterations iterations, the state has converged: the remaining moves are along directions
// with hardly any stiffness, for example the yaw of a trailer whose kingpin is nearly vertical
constexpr double kForceRoundOff = 1e-13;
constexpr int kRestingIterations = 50;
// unbalanced force, relative to the largest, that round-off of positions causes near the origin of
// W; farther away it is larger by Model::distance_noise()
constexpr double kPlaceRoundOff = 1e-14;
constexpr double kRoundOff = 1e-14;  // a smaller Newton correction is round-off
// maximum number of halvings of a correction that does not improve the state
constexpr int kMaxHalvingsOfStep = 12;
// maximum number of projection passes after a correction, and the |Phi| to reach
constexpr int kClosingPasses = 30;
constexpr double kClosedTo = 1e-13;
constexpr double kEnergyNoise = 1e-12;  // a drop below this share of the energy is round-off
// maximum number of assembly passes, and the |Phi| that may remain
constexpr int kStaticAssembly = 100;
constexpr double kMaxStaticGap = 1e-9;
// largest rotation of a body in a step [rad], so that the angle between two bodies is counted right
constexpr double kMaxBodyTurn = 1.5;
constexpr double kWeakSpring = 1e-6;  // scaled stiffness assumed in loaded directions without
                                      // stiffness

// Share of the load from which it acts along directions without stiffness. A smaller one may be of
// second order, as the weight of a wheel that is not yet at its height times its drive; if it is
// not, it becomes the whole load when all else is balanced.
constexpr double kActing = 0.3;

/// Newton's correction of a state. eq. (33)
struct Correction {
  FreeStiffness free;
  VectorXd dq;
  double size = 0.0;        // Engine::size_of(dq)
  double stiffness = 0.0;   // [J] largest diagonal entry times the square of its coordinate's unit
  bool is_positive = true;  // the stiffness is positive definite
  bool is_stable = true;
  bool is_unsupported = false;  // a load acts along a direction without stiffness
  Eigen::Index idle = 0;        // number of directions without stiffness and load; the state does
                                // not move along them
  VectorXd round_off;  // of the forces times the coordinates' units [J], due to that of positions
  Eigen::PartialPivLU<MatrixXd> factor;

  VectorXd along(const Balance& at) const { return free.B.transpose() * at.unbalanced; }
};

/// Changes K to derivatives of torques in axes that do not turn with the bodies. In body axes an
/// unbalanced torque would change with the rotation, and a torque about an axis without any load
/// would seem to depend on the motion. In equilibrium there is no difference; the symmetric part of
/// K never changes.
void hold_axes_of_torques(Engine& engine, const State& state, MatrixXd& K) {
  residual(engine.model, engine.ws, state.acceleration, &state.multipliers);
  for (const BodyModel& b : engine.model.bodies) {
    constexpr int kAllRigid = 6;
    if (b.nr != kAllRigid) continue;
    const Eigen::Vector3d torque = engine.ws.force.segment<3>(b.v0 + 3);
    K.block<3, 3>(b.v0 + 3, b.v0 + 3) -= cross_matrix(torque);
  }
}

/// Directions along which no motion causes a load, as columns in coordinates divided by their
/// units. They matter if the stiffness is not symmetric, as for wheels on a rough road: its
/// symmetric part would show these directions as unstable.
/// @param tolerance  largest load [J] along a direction of unit length that counts as zero
MatrixXd idle_directions(const VectorXd& load, double tolerance, const FreeStiffness& free) {
  if (!is_one_sided(free.S, free.noise)) return {};
  const VectorXd sizes = free.B.colwise().norm().transpose();
  const MatrixXd W = unresisted(free.S, sizes, free.noise).directions;
  const VectorXd along = W.transpose() * load;
  if (along.size() == 0 || along.norm() <= kActing * load.norm() ||
      along.norm() <= tolerance * (sizes.asDiagonal() * W).norm())
    return free.B * W;
  // the load acts along one combination of them, as for a vehicle in the air; the others are idle
  const Eigen::HouseholderQR<MatrixXd> qr{MatrixXd(along)};
  const MatrixXd Q = qr.householderQ() * MatrixXd::Identity(along.size(), along.size());
  return free.B * (W * Q.rightCols(along.size() - 1));
}

Correction correction(Engine& engine, const State& state, const Balance& now, double tolerance) {
  Correction c;
  MatrixXd K = tangent(engine, state, false).K;
  add_stiffness_of_states(engine, state, K);
  hold_axes_of_torques(engine, state, K);
  c.free = free_stiffness(engine.model, now.G, K);
  const MatrixXd held = idle_directions(c.along(now), tolerance * now.scale, c.free);
  c.idle = held.cols();
  if (c.idle > 0) c.free = free_stiffness(engine.model, now.G, K, held);
  if (K.rows() > 0)
    c.stiffness = K.diagonal().cwiseAbs().cwiseProduct(c.free.units.cwiseAbs2()).maxCoeff();
  c.round_off = std::numeric_limits<double>::epsilon() * c.free.noise *
                c.free.units.cwiseProduct(K.cwiseAbs() * c.free.units);
  const MatrixXd& S = c.free.S;
  const MatrixXd symmetric = 0.5 * (S + S.transpose());
  const double none = c.free.no_stiffness();
  const MatrixXd margin = none * MatrixXd::Identity(S.rows(), S.cols());
  c.is_positive = Eigen::LLT<MatrixXd>(symmetric - margin).info() == Eigen::Success;
  VectorXd y = c.along(now);
  if (c.is_positive) {
    c.factor.compute(S);
    y = -c.factor.solve(y);
    // the saddle-free step moves away from an unstable state, but not along directions without
    // stiffness
  } else {
    const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(symmetric);
    c.is_stable = eigen.eigenvalues()(0) > -none;
    VectorXd part = eigen.eigenvectors().transpose() * y;
    for (Eigen::Index k = 0; k < part.size(); ++k) {
      const double stiffness = std::abs(eigen.eigenvalues()(k));
      if (stiffness > none) {
        part(k) /= -stiffness;
        continue;
      }
      const VectorXd way = c.free.B * eigen.eigenvectors().col(k);
      const bool is_loaded = std::abs(part(k)) > std::max(tolerance * now.scale * way.norm(),
                                                          way.cwiseAbs().dot(c.round_off));
      c.is_unsupported = c.is_unsupported || is_loaded;
      if (!is_loaded) ++c.idle;
      part(k) = is_loaded ? -part(k) / kWeakSpring : 0.0;
    }
    y = eigen.eigenvectors() * part;
  }
  c.dq = c.free.units.cwiseProduct(c.free.B * y);
  c.size = engine.size_of(c.dq);
  return c;
}

/// Potential energy, including that of constant loads.
double potential(const Engine& engine) {
  const Energy e = energy(engine.model, engine.ws);
  double sum = e.gravity + e.strain + e.stored;
  for (std::size_t k = 0; k < engine.model.forces.size(); ++k) {
    const ForceModel& f = engine.model.forces[k];
    if (f.is_dead_load())
      sum -=
          engine.ws.loads[k].force_b.dot(engine.ws.markers[static_cast<std::size_t>(f.base().b)].p);
  }
  return sum;
}

/// Moves the state by the correction, or by the fraction of it that reduces the unbalanced force,
/// the energy or the next correction. Returns whether the correction was shortened.
bool step(Engine& engine, double time, Correction& next, State& state, Balance& now) {
  const Model& model = engine.model;
  engine.set_all(state);
  const double energy_before = potential(engine);
  const double rest_before = now.unbalanced.norm();
  const double correction_before =
      next.is_positive ? next.factor.solve(next.along(now)).norm() : 0.0;
  State trial = state;
  for (int halving = 0; halving < kMaxHalvingsOfStep; ++halving) {
    trial = state;
    move(model, state.position, next.dq, trial.position);
    // gaps of second order after large rotations are closed by moving bodies; deforming them would
    // spoil the step
    engine.project_position(time, trial.position, kClosingPasses, kClosedTo, 1.0);
    if (model.has_memory()) {
      engine.ws.set_memory(state);
      engine.update_angles(trial);
    }
    const Balance next_balance = balance_at_rest(engine, trial);
    const double drop = energy_before - potential(engine);
    const bool helps = next_balance.unbalanced.norm() < rest_before ||
                       drop > kEnergyNoise * std::abs(energy_before) ||
                       (next.is_positive &&
                        next.factor.solve(next.along(next_balance)).norm() < correction_before);
    if (helps || halving == kMaxHalvingsOfStep - 1) {
      now = next_balance;
      state = trial;
      return halving > 0;
    }
    next.dq *= 0.5;
  }
  return true;
}

/// Shortens a correction to `max_step` and to kMaxBodyTurn of each body. Returns whether it did.
bool cut(const Model& model, double max_step, Correction& next) {
  double turn = 0.0;
  for (const BodyModel& b : model.bodies) {
    double square = 0.0;
    for (int c = 0; c < b.nr; ++c)
      if (b.dof[static_cast<std::size_t>(c)] >= 3) square += next.dq(b.v0 + c) * next.dq(b.v0 + c);
    turn = std::max(turn, std::sqrt(square));
  }
  const double share = std::min(max_step / next.size, kMaxBodyTurn / turn);
  if (!(share < 1.0)) return false;
  next.dq *= share;
  return true;
}

/// Warns of hinges whose moment has no direction where statics begins, and lets them fold to one
/// side.
void choose_sides(Engine& engine, Diagnostics& diagnostics) {
  engine.ws.picks_sides = true;
  std::string names;
  for (const ForceModel& force : engine.model.forces)
    if (const auto* hinge = std::get_if<HingeLaw>(&force.law);
        hinge != nullptr && has_no_direction(*hinge, lines_of(*hinge, engine.ws.markers)))
      names += (names.empty() ? "" : ", ") + force.name;
  if (!names.empty())
    diagnostics.warn("hinge-direction",
                     fmt::format("{}: the lines of a hinge that does not rest straight or folded "
                                 "are so, and its moment has no direction there: it is moved to "
                                 "one of many sides; place its nodes off the line to choose one",
                                 names));
}

/// Closes the joints of a state.
/// @throws NumericalError  they do not close
void close_joints_at_rest(Engine& engine, State& state, AssemblyReport& report) {
  engine.ws.set_memory(state);
  engine.set_position(state.time, state.position);
  report.constraint_before = engine.largest_phi();
  const double open = engine.project_position(state.time, state.position, kStaticAssembly);
  report.constraint_after = engine.largest_phi();
  if (!engine.is_closed(open, kMaxStaticGap))
    throw NumericalError(
        "does-not-close",
        fmt::format("the joints do not close: {:.3g} stays open", report.constraint_after),
        {},
        "check positions, axes and lengths in the initial state");
  engine.update_angles(state);
}

/// Runs Newton iterations from `state`. Returns the last correction.
Correction iterate(Engine& engine,
                   const StaticOptions& options,
                   State& state,
                   StaticSummary& summary,
                   Progress& progress) {
  progress.begin("equilibrium", options.max_iterations, "iterations");
  Balance now = balance_at_rest(engine, state);
  Correction next;
  const double tolerance =
      std::max(options.tolerance, kPlaceRoundOff * engine.model.distance_noise());
  double max_step = kInitialStep;
  int short_steps = 0, resting = 0;
  for (; summary.iterations < options.max_iterations; ++summary.iterations) {
    progress.step(summary.iterations);
    const double largest = now.unbalanced.size() > 0 ? now.unbalanced.cwiseAbs().maxCoeff() : 0.0;
    const double share = largest / now.scale;
    summary.residual = share;
    if (!std::isfinite(share)) break;
    next = correction(engine, state, now, tolerance);
    // without loads all forces are round-off, and their ratio would say nothing
    summary.residual = largest / std::max(now.scale, kMaxCorrectionLeft * next.stiffness);
    summary.unbalanced = largest / engine.model.length_scale;
    summary.stable = next.is_stable;
    summary.idle_directions = next.idle;
    const bool is_round_off = (now.unbalanced.cwiseAbs().array() <= next.round_off.array()).all();
    resting = share < kForceRoundOff || is_round_off ? resting + 1 : 0;
    const bool is_balanced = (share < tolerance || is_round_off) &&
                             (next.size < kMaxCorrectionLeft || resting >= kRestingIterations);
    if (is_balanced || (next.is_positive && next.size < kRoundOff)) {
      engine.set_all(state);
      if (!update_events(engine.model, engine.ws, state.events)) {
        summary.converged = true;
        break;
      }
      engine.ws.set_memory(state);  // broken springs have no force from now on
      now = balance_at_rest(engine, state);
      continue;
    }
    const bool is_cut = cut(engine.model, max_step, next);
    const bool was_halved = step(engine, options.time, next, state, now);
    short_steps = is_cut && !was_halved ? short_steps + 1 : 0;
    max_step = short_steps > kGrowAfter ? 2.0 * max_step : kInitialStep;
  }
  progress.end();
  return next;
}

/// Warns that statics omits set-valued friction, with which a whole range of positions is in
/// equilibrium.
void warn_of_friction(const Model& model, Diagnostics& diagnostics) {
  for (const ForceModel& force : model.forces) {
    if (force.base().grip < 0) continue;
    diagnostics.warn(
        "friction-left-out",
        fmt::format("force {}{}: statics leaves set-valued friction out and finds the equilibrium "
                    "without it; to see where friction holds, simulate until it sticks",
                    force.name,
                    model.grip_count > 1 ? fmt::format(" and {} more", model.grip_count - 1) : ""));
    return;
  }
}

void warn_of_broken(const State& before,
                    const State& after,
                    const std::string& when,
                    Diagnostics& diagnostics) {
  const double count = (after.events - before.events).sum();
  if (count > 0.0)
    diagnostics.warn(
        "broken-springs",
        fmt::format("{} {} broke {}", count, count == 1.0 ? "spring" : "springs", when));
}

/// Whether the joints hold fewer directions at a state than near it, as at a dead centre.
bool is_singular(Engine& engine, const State& state, const Correction& next) {
  // rows whose pivots are below this depend on each other nearly, as they do near a dead centre
  constexpr double kNearlyDependent = 1e-4;
  constexpr double kAside = 0.02;  // relative to the system's size, or rad
  const VectorXd units = units_of(engine.model);
  engine.set_position(state.time, state.position);
  const Eigen::Index here = rank_of(scaled_rows(dense_jacobian(engine), units), kNearlyDependent);
  VectorXd aside = next.free.B * VectorXd::LinSpaced(next.free.B.cols(), 1.0, 2.0);
  const double length = aside.cwiseAbs().size() > 0 ? aside.cwiseAbs().maxCoeff() : 0.0;
  if (!(length > 0.0)) return false;
  VectorXd position = state.position;
  move(engine.model,
       state.position,
       VectorXd(kAside / length * units.cwiseProduct(aside)),
       position);
  engine.project_position(state.time, position, kClosingPasses, kClosedTo);
  return rank_of(scaled_rows(dense_jacobian(engine), units), kNearlyDependent) > here;
}

std::string why_not_balanced(Engine& engine,
                             const State& state,
                             const Correction& next,
                             const StaticSummary& summary) {
  std::string who;
  if (next.dq.size() > 0) engine.size_of(next.dq, &who);
  return fmt::format(
      "no equilibrium within {} iterations; unbalanced force {:.3g} N, {:.3g} of the largest{}{}",
      summary.iterations,
      summary.unbalanced,
      summary.residual,
      who.empty()           ? std::string()
      : next.is_unsupported ? fmt::format("; nothing resists the loads that move {}", who)
                            : fmt::format("; {} is farthest from equilibrium", who),
      is_singular(engine, state, next) ? "; the joints are at or near a dead centre, where the way "
                                         "on is not unique: start off it"
                                       : "");
}

}  // namespace

StaticSummary solve_statics(const System& system,
                            const StaticOptions& options,
                            ResultSink& sink,
                            Diagnostics& diagnostics,
                            Progress& progress) {
  Model model = compile(system, diagnostics);
  Engine engine(model);
  StaticSummary summary;
  warn_of_friction(model, diagnostics);
  if (options.from) model.initial = resumed_state(engine, *options.from);
  State state = model.initial;
  forget_steps(state);
  state.time = options.time;
  if (options.assemble) {
    close_joints_at_rest(engine, state, summary.assembly);
    if (!options.from) apply_chosen_starts(engine, system, state);
  }
  engine.ws.state_gain = kRestingTime;
  engine.ws.roads_stand = true;
  engine.set_position(state.time, state.position);
  choose_sides(engine, diagnostics);
  const Correction last = iterate(engine, options, state, summary, progress);
  state.force_states = engine.ws.states;
  state.velocity.setZero();
  engine.ws.state_gain = 0.0;
  warn_of_broken(model.initial, state, "on the way to the equilibrium", diagnostics);
  if (!summary.converged) summary.reason = why_not_balanced(engine, state, last, summary);
  if (const std::string warning = large_deformation_warning(model, state);
      summary.converged && !warning.empty())
    diagnostics.warn("large-deformation", warning);
  engine.set_all(state);
  sink.begin(model.outputs.channels);
  std::vector<double> row(model.outputs.probes.size());
  read_row(model, engine.ws, row);
  sink.append(state.time, row);
  summary.state = std::move(state);
  return summary;
}

namespace {

/// The equilibrium at state.time, near the state. @throws NumericalError  there is none
void rest_at(Engine& engine, const StaticOptions& options, State& state, DrivenSummary& driven) {
  StaticSummary summary;
  Progress silent;
  close_joints_at_rest(engine, state, summary.assembly);
  engine.ws.state_gain = kRestingTime;
  const Correction last = iterate(engine, options, state, summary, silent);
  state.force_states = engine.ws.states;
  state.velocity.setZero();
  engine.ws.state_gain = 0.0;
  driven.iterations += summary.iterations;
  if (!summary.converged)
    throw NumericalError(
        "no-equilibrium",
        fmt::format("quasi-static: at t = {:.9g} s {}",
                    state.time,
                    why_not_balanced(engine, state, last, summary)),
        {},
        "take a shorter output_step, or a slow dynamic analysis if it snaps through");
}

/// Moves the initial state to the chosen coordinates of joints.
void start_series(Engine& engine, const System& system, double time, State& state) {
  if (engine.model.starts.empty()) return;
  AssemblyReport report;
  state.time = time;
  close_joints_at_rest(engine, state, report);
  apply_chosen_starts(engine, system, state);
  state.velocity.setZero();
}

}  // namespace

DrivenSummary run_quasi_statics(const System& system,
                                const DrivenOptions& options,
                                const StaticOptions& statics,
                                ResultSink& sink,
                                Diagnostics& diagnostics,
                                Progress& progress) {
  Model model = compile(system, diagnostics);
  Engine engine(model);
  check_driven_options(model, options, "quasi-static", diagnostics);
  warn_of_friction(model, diagnostics);
  engine.ws.roads_stand = true;
  DrivenSummary driven;
  if (options.from) {
    model.initial = resumed_state(engine, *options.from);
    forget_steps(model.initial);
  } else {
    start_series(engine, system, options.start, model.initial);
  }
  engine.set_position(options.start, model.initial.position);
  choose_sides(engine, diagnostics);
  engine.ws.work = model.initial.work;
  std::string deformation;
  State state = model.initial;
  const auto rest = [&](double t) {
    model.initial = state;  // the path of force states begins where the row before has ended
    state.time = t;
    StaticOptions here = statics;
    here.time = t;
    rest_at(engine, here, state, driven);
    warn_of_broken(model.initial, state, fmt::format("before t = {:.9g} s", t), diagnostics);
    if (deformation.empty()) deformation = large_deformation_warning(model, state);
  };
  progress.begin("equilibria", options.end - options.start, "s");
  drive_rows(engine, state, rest, {options, sink, driven, progress});
  progress.end();
  if (!deformation.empty()) diagnostics.warn("large-deformation", deformation);
  driven.final_state = std::move(state);
  return driven;
}

}  // namespace femflex::mbd_solver
