// The checks of RunWatch. Before the run: step length against modes, rows and motions. During the
// run: deformation, speed of motions and the energy balance.
#include "integrators/run_watch.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <variant>

#include <fmt/format.h>

#include "integrators/switches.h"
#include "spatial/rotation.h"

namespace femflex::mbd_solver {
namespace {

using Eigen::Index;

// largest acceptable energy drift, relative to the run's largest energy; steps of adequate length
// stay below it
constexpr double kDrift = 0.02;
constexpr double kFewSteps = 2.0;  // steps per period of a mode; with fewer, the mode is not
                                   // resolved
// largest displacement that linear shapes can describe, relative to the body's size
constexpr double kLinear = 0.1;
// largest change of a motion in one step, in rad or relative to the system's size
constexpr double kMaxMotionStep = 0.5;
// [rad] between the sides of a bushing, from which half a turn is near
constexpr double kNearHalfTurn = 2.8;
// largest relative difference of steps that count as equal
constexpr double kSameStep = 1e-6;

bool is_steady(const Signal& signal) {
  return signal.is_constant();
}

/// Whether kinetic energy, potential energy and recorded work must balance. They do not if
/// stiffness or gravity changes with time, springs break, or a body omits terms of its energy.
bool has_energy_balance(const Model& model) {
  return std::all_of(model.gravity.begin(), model.gravity.end(), is_steady) &&
         std::all_of(model.bodies.begin(),
                     model.bodies.end(),
                     [](const BodyModel& b) { return b.keeps_energy; }) &&
         std::all_of(model.forces.begin(), model.forces.end(), [](const ForceModel& f) {
           return f.has_energy_balance();
         });
}

double interval_of(const DynamicOptions& o) {
  return o.output_step > 0.0 ? o.output_step : o.step;
}

/// Length of the actual step: fixed steps are shortened to end on output rows.
double step_taken(const DynamicOptions& o) {
  const double span = std::min(interval_of(o), o.end - o.start);
  return span / std::max(1.0, std::ceil(span / o.step - kSameStep));
}

bool has_fixed_steps(const DynamicOptions& o) {
  return o.integrator == Integrator::generalised_alpha && !o.adaptive;
}

/// Finds the nodes of a body that move farthest, one per mode. Returns the size of the body, or 0
/// if it has no extent.
double farthest_places(const FlexBody& body, std::set<Index>& places) {
  Eigen::Vector3d low = Eigen::Vector3d::Constant(1e300), high = -low;
  for (const auto& node : body.nodes) {
    low = low.cwiseMin(node.position);
    high = high.cwiseMax(node.position);
  }
  for (Index mode = 0; mode < body.shapes.cols(); ++mode) {
    Index best = -1;
    double largest = 0.0;
    for (Index node = 0; node < body.node_count(); ++node)
      if (const double size = body.shapes.col(mode).segment<3>(6 * node).squaredNorm();
          size > largest) {
        largest = size;
        best = node;
      }
    if (best >= 0) places.insert(best);
  }
  return body.nodes.empty() ? 0.0 : (high - low).norm();
}

}  // namespace

RunWatch::RunWatch(const Model& model, const DynamicOptions& options, Diagnostics& diagnostics)
    : model_(model),
      options_(options),
      diagnostics_(diagnostics),
      has_left_road_(model.forces.size(), 0),
      has_wrapped_(model.forces.size(), 0),
      is_fast_reported_(model.motions.size(), 0) {
  for (std::size_t k = 0; k < model.bodies.size(); ++k)
    if (model.bodies[k].n > 0) watch_body(static_cast<int>(k));
  if (has_fixed_steps(options)) {
    check_modes();
    check_rows();
  }
  check_motions();
  check_jumps();
  check_friction_forms();
  check_histories();
}

// Warns once for each measured history that does not cover the whole run, so that its end value is
// used.
void RunWatch::check_histories() {
  std::set<std::string> told;
  const auto check = [&](const Signal& signal) {
    if (signal.is_constant() || signal.function->source.empty()) return;
    const auto [first, last] = signal.function->range();
    const bool begins_late = first > options_.start, ends_early = last < options_.end;
    if ((!begins_late && !ends_early) || !told.insert(signal.function->source).second) return;
    diagnostics_.warn("history-range",
                      fmt::format("{} covers {:.6g} s to {:.6g} s of a run from {:.6g} s to {:.6g} "
                                  "s: {} its end value holds",
                                  signal.function->source,
                                  first,
                                  last,
                                  options_.start,
                                  options_.end,
                                  begins_late && ends_early ? "before and after"
                                  : begins_late             ? "before that"
                                                            : "after that"));
  };
  for (const MotionModel& motion : model_.motions)
    check(motion.value);
  for (const ForceModel& force : model_.forces)
    force.for_each_signal(check);
  for (const Signal& part : model_.gravity)
    check(part);
  for (const InputModel& input : model_.inputs)
    check(input.value);
  for (const BlockModel& block : model_.network.blocks)
    for (const Signal& input : block.inputs)
      check(input);
}

// Warns if an integrator other than generalised-alpha is used with set-valued friction: it
// regularises the friction, so contacts creep instead of sticking.
void RunWatch::check_friction_forms() {
  if (options_.integrator == Integrator::generalised_alpha || model_.grip_count == 0) return;
  const auto is_set_valued = [](const ForceModel& force) { return force.base().grip >= 0; };
  const auto first = std::find_if(model_.forces.begin(), model_.forces.end(), is_set_valued);
  diagnostics_.warn(
      "friction-regularised",
      fmt::format(
          "force {}{}: {} takes set-valued friction in its regularised form, which creeps "
          "under load by up to a few transition velocities; generalised-alpha lets it stick",
          first->name,
          model_.grip_count > 1 ? fmt::format(" and {} more", model_.grip_count - 1) : "",
          name_of(options_.integrator)));
}

void RunWatch::watch_body(int body) {
  const BodyModel& b = model_.bodies[static_cast<std::size_t>(body)];
  const FlexModel& f = model_.flexes[static_cast<std::size_t>(b.flex)];
  std::set<Index> places;
  WatchedBody watched;
  watched.body = body;
  watched.size = farthest_places(*f.body, places);
  if (!(watched.size > 0.0)) return;
  watched.shapes.resize(3 * static_cast<Index>(places.size()), b.n);
  for (const Index node : places) {
    watched.shapes.middleRows(3 * static_cast<Index>(watched.nodes.size()), 3) =
        f.body->shapes.middleRows(6 * node, 3) * f.X;
    watched.nodes.push_back(f.body->nodes[static_cast<std::size_t>(node)].id);
  }
  watched_.push_back(std::move(watched));
}

void RunWatch::check_modes() {
  const double step = step_taken(options_);
  const double fastest_seen = 2.0 * std::numbers::pi / (kFewSteps * step);  // [rad/s]
  double fastest = 0.0;
  std::string who;
  int count = 0;
  for (const BodyModel& b : model_.bodies)
    for (int j = 0; j < b.n; ++j) {
      const FlexModel& f = model_.flexes[static_cast<std::size_t>(b.flex)];
      const double omega = std::sqrt(std::max(0.0, f.k_diagonal(j) / f.m_diagonal(j)));
      if (!(omega > fastest_seen) || !std::isfinite(omega)) continue;
      ++count;
      if (omega <= fastest) continue;
      fastest = omega;
      who = fmt::format("mode {} of body {}", mode_number(f, j), b.name);
    }
  if (count == 0) return;
  diagnostics_.warn(
      "step-coarse",
      fmt::format(
          "{} of the enabled modes have fewer than {} steps per period, the fastest ({}, {:.4g} "
          "Hz) {:.2g}: with steps of {:.3g} s generalised-alpha {}; if their vibration matters "
          "take steps of {:.2g} s, otherwise \"modes\": {{ \"below\": \"{:.3g} "
          "Hz\" }} leaves them out",
          count,
          kFewSteps,
          who,
          fastest / (2.0 * std::numbers::pi),
          2.0 * std::numbers::pi / (fastest * step),
          step,
          options_.rho < 1.0 ? "damps them and follows their loads statically"
                             : "moves them at a wrong frequency (rho is 1)",
          2.0 * std::numbers::pi / (10.0 * fastest),
          1.0 / (kFewSteps * step)));
}

void RunWatch::check_rows() {
  const double span = options_.end - options_.start;
  const double taken = step_taken(options_);
  if (std::abs(taken - options_.step) <= kSameStep * options_.step) return;
  if (options_.step > span)
    return diagnostics_.warn("step-rows",
                             fmt::format("the run of {:.6g} s is shorter than its step of {:.6g} "
                                         "s: steps of {:.6g} s are taken",
                                         span,
                                         options_.step,
                                         taken));
  diagnostics_.warn("step-rows",
                    fmt::format("rows every {:.6g} s are not a multiple of the step of {:.6g} s: "
                                "steps of {:.6g} s are taken",
                                interval_of(options_),
                                options_.step,
                                taken));
}

void RunWatch::check_motions() {
  for (const MotionModel& motion : model_.motions) {
    if (motion.block_output >= 0) continue;
    const Signal& signal = motion.input < 0
                               ? motion.value
                               : model_.inputs[static_cast<std::size_t>(motion.input)].value;
    if (signal.is_constant()) continue;
    const Value& f = *signal.function;
    for (const double time : f.switch_times(options_.start, options_.end)) {
      const SwitchSides sides = sides_of(f, time);
      if (!sides.is_jump()) continue;
      diagnostics_.warn("motion-jumps",
                        fmt::format("motion {} jumps from {:.6g} to {:.6g} at t = {:.6g} s: bodies "
                                    "are moved there at once, which makes the energy meaningless; "
                                    "spread the jump over some time, for example by a cosine",
                                    motion.name,
                                    sides.before,
                                    sides.after,
                                    time));
      break;
    }
  }
}

void RunWatch::check_jumps() {
  const std::string jump = jumping_force(model_);
  if (jump.empty()) return;
  suspicion_ = jump +
               ", and integrators stick or chatter there; write tanh(v/v0) for sign(v), with v0 a "
               "hundredth of the speeds that count";
  diagnostics_.warn("force-jumps", suspicion_);
}

// Warns once for each wheel that has left its road, or whose centre is below it.
void RunWatch::check_wheels(const Workspace& ws) {
  for (std::size_t k = 0; k < model_.forces.size(); ++k) {
    const auto* wheel = std::get_if<RollingTyreLaw>(&model_.forces[k].law);
    if (wheel == nullptr || has_left_road_[k] != 0) continue;
    const Eigen::Vector3d& p = ws.markers[static_cast<std::size_t>(wheel->b)].p;
    if (const double radius = wheel->shown(ws, RollingTyreLaw::Shown::radius); radius < 0.0) {
      has_left_road_[k] = 1;
      diagnostics_.warn(
          "wheel-below-road",
          fmt::format(
              "tyre {}: the centre of its wheel is {:.3g} m below the road at t = {:.6g} s: "
              "it began there, or its load or speed is too much for the tyre's stiffness",
              model_.forces[k].name,
              -radius,
              ws.t));
      continue;
    }
    if (wheel->road->covers(p.x(), p.y())) continue;
    has_left_road_[k] = 1;
    diagnostics_.warn(
        "road-end",
        fmt::format("tyre {} is at x = {:.6g} m, y = {:.6g} m at t = {:.6g} s, beyond "
                    "its road: the heights of its edge go on there",
                    model_.forces[k].name,
                    p.x(),
                    p.y(),
                    ws.t));
  }
}

// Warns once for each bushing whose moment jumps soon, at half a turn.
void RunWatch::check_bushings(const Workspace& ws) {
  for (std::size_t k = 0; k < model_.forces.size(); ++k) {
    const auto* bushing = std::get_if<BushingLaw>(&model_.forces[k].law);
    if (bushing == nullptr || has_wrapped_[k] != 0 || !bushing->has_elastic_moment()) continue;
    const MarkerKinematics& a = ws.markers[static_cast<std::size_t>(bushing->a)];
    const MarkerKinematics& b = ws.markers[static_cast<std::size_t>(bushing->b)];
    const double angle = log_rotation(a.R.transpose() * b.R).norm();
    if (!(angle > kNearHalfTurn)) continue;
    has_wrapped_[k] = 1;
    diagnostics_.warn(
        "bushing-turns",
        fmt::format("force {}: its sides are turned by {:.3g} rad at t = {:.6g} s; at half a turn "
                    "its moment changes sign: a revolute joint with a torsional-spring counts "
                    "turns",
                    model_.forces[k].name,
                    angle,
                    ws.t));
  }
}

void RunWatch::check(const Engine& engine) {
  const Workspace& ws = engine.ws;
  check_wheels(ws);
  check_bushings(ws);
  for (WatchedBody& watched : watched_) {
    if (watched.is_reported) continue;
    const BodyModel& b = model_.bodies[static_cast<std::size_t>(watched.body)];
    const Eigen::VectorXd u = watched.shapes * ws.q.segment(b.q0 + 7, b.n);
    for (std::size_t k = 0; k < watched.nodes.size() && !watched.is_reported; ++k) {
      const double size = u.segment<3>(3 * static_cast<Index>(k)).norm();
      if (!(size > kLinear * watched.size)) continue;
      watched.is_reported = true;
      diagnostics_.warn(
          "large-deformation",
          fmt::format("body {} bends by {:.3g} m at node {}, {:.0f} % of its size, at t = {:.6g} "
                      "s: its modes are linear; beyond {:.0f} % divide it into several bodies",
                      b.name,
                      size,
                      watched.nodes[k],
                      100.0 * size / watched.size,
                      ws.t,
                      100.0 * kLinear));
    }
  }
  if (!has_fixed_steps(options_)) return;
  for (std::size_t k = 0; k < model_.motions.size(); ++k) {
    const JointModel& joint = model_.joints[static_cast<std::size_t>(model_.motions[k].joint)];
    const std::vector<CoordinateTerm>& terms = joint.rows.front().terms;
    const bool is_angle = !terms.empty() && terms.front().angle;
    const double motion_step = std::abs(ws.phi_t(joint.l0)) * step_taken(options_);
    if (is_fast_reported_[k] != 0 ||
        !(motion_step > kMaxMotionStep * (is_angle ? 1.0 : model_.local_length)))
      continue;
    is_fast_reported_[k] = 1;
    diagnostics_.warn("motion-fast",
                      fmt::format("motion {} moves by {:.3g} {} in one step at t = {:.6g} s: take "
                                  "steps of {:.2g} s",
                                  joint.name,
                                  motion_step,
                                  is_angle ? "rad" : "m",
                                  ws.t,
                                  0.1 * kMaxMotionStep * step_taken(options_) / motion_step));
  }
}

void RunWatch::end(const SimulationSummary& summary, double drift, double size) {
  // share of the largest energies; a smaller drift is round-off of their sum
  constexpr double kCancelling = 1e-9;
  if (!(summary.energy_drift > kDrift) || !(drift > kCancelling * size) ||
      !has_energy_balance(model_))
    return;
  diagnostics_.warn(
      "energy-drift",
      fmt::format("the energy drifts by {:.3g} % of its largest value: loads, dampers and motions "
                  "do not account for it, so the results are not reliable; {}",
                  100.0 * summary.energy_drift,
                  has_fixed_steps(options_)
                      ? fmt::format("try a step of {:.2g} s", 0.1 * step_taken(options_))
                      : fmt::format("try a relative_tolerance of {:.0e}",
                                    0.01 * options_.relative_tolerance)));
}

std::string jumping_force(const Model& model) {
  for (const ForceModel& force : model.forces) {
    std::string jump;
    force.for_each_signal([&](const Signal& signal) {
      if (jump.empty() && !signal.is_constant()) jump = signal.function->state_jump();
    });
    if (!jump.empty()) return fmt::format("force {} jumps where {} turns", force.name, jump);
  }
  return {};
}

std::string vanished_friction(const Model& model, const Workspace& ws) {
  // [m], [rad] bristles that slide with a smaller deflection are too stiff for any step
  constexpr double kLeastBend = 1e-9;
  for (const ForceModel& force : model.forces) {
    const auto* friction = std::get_if<FrictionLaw>(&force.law);
    if (friction == nullptr || friction->state_count == 0 || friction->sliding.is_constant())
      continue;
    const double level = value_of(model, ws, friction->sliding);
    if (level < kLeastBend * friction->bristles.stiffness)
      return fmt::format(
          "force {}: at t = {:.9g} s its friction level {} is {:.3g}, too small for "
          "bristles",
          force.name,
          ws.t,
          friction->sliding.function->text(),
          level);
  }
  return {};
}

std::string large_deformation_warning(const Model& model, const State& state) {
  Diagnostics found;
  DynamicOptions options;
  // any adaptive integrator; its steps are not checked
  options.integrator = Integrator::runge_kutta;
  options.start = options.end = state.time;
  RunWatch watch(model, options, found);
  Engine engine(model);
  engine.set_all(state);
  watch.check(engine);
  for (const Warning& warning : found.warnings())
    if (warning.code == "large-deformation") return warning.message;
  return {};
}

}  // namespace femflex::mbd_solver
