// Moves an assembled system to the chosen coordinates and rates of joints. Outside loops, one side
// of the joint is rotated or shifted. In loops, one constraint row is added per chosen coordinate,
// and the system is projected in small steps. Notation: q positions, v velocities, p_WP position of
// P in the world frame W, ws the workspace.
#include "integrators/chosen_starts.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include "femflex/errors.h"

#include "integrators/assembly.h"
#include "spatial/joint_kinds.h"
#include "spatial/rotation.h"

namespace femflex::mbd_solver {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

/// Longest step towards a chosen value, in rad or relative to the size of the system. Short enough
/// that a loop does not change to its other assembly configuration.
constexpr double kStartStep = 0.1;
/// Largest number of steps; a chosen value farther away is probably in a wrong unit.
constexpr double kMostStartSteps = 10000;
/// Maximum number of projection passes in each step; three to five are usual.
constexpr int kStartPasses = 50;
/// allowed error of a chosen value, in rad or relative to the size of the system
constexpr double kMissedStart = 1e-9;
/// [rad] or [m]: a chosen value is reached if the error is below this; relative if the value
/// exceeds 1
constexpr double kReachedStart = 1e-13;
/// allowed error of a chosen rate, relative to the fastest velocity
constexpr double kMissedStartRate = 1e-9;

/// Marks bodies: 1 if joints other than `cut` connect the body to `from`, else 0.
std::vector<char> side_of(const Model& model, int cut, int from) {
  std::vector<std::vector<int>> joints_at(model.bodies.size());
  for (std::size_t j = 0; j < model.joints.size(); ++j)
    for (const int leg : model.joints[j].legs)
      joints_at[static_cast<std::size_t>(model.markers[static_cast<std::size_t>(leg)].body)]
          .push_back(static_cast<int>(j));
  std::vector<char> reached(model.bodies.size(), 0);
  std::vector<int> open = {from};
  reached[static_cast<std::size_t>(from)] = 1;
  while (!open.empty()) {
    const auto body = static_cast<std::size_t>(open.back());
    open.pop_back();
    for (const int j : joints_at[body]) {
      if (j == cut) continue;
      for (const int leg : model.joints[static_cast<std::size_t>(j)].legs) {
        const int other = model.markers[static_cast<std::size_t>(leg)].body;
        if (std::exchange(reached[static_cast<std::size_t>(other)], 1) == 0) open.push_back(other);
      }
    }
  }
  return reached;
}

/// A coordinate of a joint and its chosen value or rate.
struct Target {
  int joint = 0;
  bool angle = false;
  double value = 0.0;
};

/// Returns the coordinate or its rate. An angle without counted turns is in [-pi, pi].
double read_coordinate(const Model& model, const Workspace& ws, int joint, bool angle, bool rate) {
  using What = Probe::What;
  const JointModel& j = model.joints[static_cast<std::size_t>(joint)];
  if (angle && !rate && j.turn < 0)
    return angle_of(ws.markers[static_cast<std::size_t>(j.legs[0])],
                    ws.markers[static_cast<std::size_t>(j.legs[1])]);
  const What what = angle ? (rate ? What::joint_angle_rate : What::joint_angle)
                          : (rate ? What::joint_displacement_rate : What::joint_displacement);
  return read(model, ws, {what, joint, 0});
}

class StartMover {
 public:
  StartMover(Engine& engine, const System& system, State& state)
      : engine_(engine), model_(engine.model), system_(system), state_(state) {}

  void apply() {
    before_ = state_.position;
    for (const ChosenStart& start : model_.starts)
      if (start.value) move_side(start);
    const std::vector<Target> values = targets(true);
    const bool all_reached = std::all_of(values.begin(), values.end(), [&](const Target& each) {
      return std::abs(each.value - coordinate(each.joint, each.angle)) <=
             kReachedStart * std::max(1.0, std::abs(each.value));
    });
    if (!all_reached) follow_loops(values);
    check_fixed();
    set_rates();
  }

  void set_rates() {
    std::vector<Target> rates = targets(false);
    if (rates.empty()) return;
    refresh();
    if (!engine_.project_velocity(state_.velocity)) engine_.throw_failure();
    bool in_loop = false;
    for (const Target& each : rates)
      in_loop = !add_twist(each) || in_loop;
    if (!in_loop) return;
    add_kept(rates, false);
    State moved = state_;
    Model held = with_rows(rates, moved);
    Engine engine(held);
    engine.ws.set_memory(moved);
    engine.find_quasi_static(moved);
    engine.set_position(moved.time, moved.position);
    VectorXd wanted = VectorXd::Zero(held.nl);
    for (std::size_t k = 0; k < rates.size(); ++k)
      wanted(joint_of_row(held, k).l0) = rates[k].value;
    if (!engine.project_velocity(moved.velocity, &wanted)) engine.throw_failure();
    state_.velocity = moved.velocity;
    for (const Target& each : rates)
      check_rate(each);
    refresh();
    constraint_rates(model_, engine_.ws, false);
    VectorXd open = engine_.ws.phi_t;
    add_jacobian_times(model_, engine_.ws, state_.velocity, open);
    Eigen::Index row = 0;
    if (model_.nl > 0 &&
        open.cwiseAbs().maxCoeff(&row) >
            kMissedStartRate * std::max(1.0, state_.velocity.lpNorm<Eigen::Infinity>()))
      throw NumericalError(
          "velocities-contradict",
          fmt::format("initial rates of joints contradict each other: {} is missed by {:.3g}",
                      engine_.joint_name_of_row(row),
                      std::abs(open(row))),
          {},
          "give fewer rates in this loop");
  }

 private:
  void refresh() {
    engine_.ws.set_memory(state_);
    engine_.set_position(state_.time, state_.position);
    engine_.set_velocity(state_.velocity);
  }
  double coordinate(int joint, bool angle, bool rate = false) {
    refresh();
    return read_coordinate(model_, engine_.ws, joint, angle, rate);
  }
  bool is_held(std::size_t body) const {
    return static_cast<int>(body) == model_.ground() || system_.bodies[body].initial_fixed;
  }
  int body_at(int joint, std::size_t leg) const {
    return model_
        .markers[static_cast<std::size_t>(model_.joints[static_cast<std::size_t>(joint)].legs[leg])]
        .body;
  }

  /// The bodies that move with b (sign 1) or with a (sign -1); empty if the joint is in a loop, or
  /// both sides are held.
  std::pair<std::vector<char>, double> free_side(int joint) const {
    const int a = body_at(joint, 0), b = body_at(joint, 1);
    std::vector<char> side = side_of(model_, joint, b);
    if (side[static_cast<std::size_t>(a)] != 0) return {{}, 0.0};
    const auto holds = [&](const std::vector<char>& bodies) {
      for (std::size_t k = 0; k < bodies.size(); ++k)
        if (bodies[k] != 0 && is_held(k)) return true;
      return false;
    };
    if (!holds(side)) return {std::move(side), 1.0};
    side = side_of(model_, joint, a);
    if (!holds(side)) return {std::move(side), -1.0};
    return {{}, 0.0};  // what holds both sides closes a loop
  }

  /// Rotation about the axis [rad] and displacement along it [m] for a change of one coordinate;
  /// they are coupled in a screw joint.
  std::pair<double, double> turn_and_step(int joint, bool angle, double change) const {
    const double pitch = pitch_of(joint);
    if (angle) return {change, pitch * change / (2.0 * M_PI)};
    return {pitch != 0.0 ? change * 2.0 * M_PI / pitch : 0.0, change};
  }
  double pitch_of(int joint) const {
    const std::string& name = model_.joints[static_cast<std::size_t>(joint)].name;
    for (const Joint& each : system_.joints)
      if (each.name == name && each.type == JointType::screw) return each.pitch;
    return 0.0;
  }

  void move_side(const ChosenStart& start) {
    const auto [side, sign] = free_side(start.joint);
    if (side.empty()) return;
    const double change = *start.value - coordinate(start.joint, start.angle);
    const auto [turn, step] = turn_and_step(start.joint, start.angle, change);
    const JointModel& joint = model_.joints[static_cast<std::size_t>(start.joint)];
    const MarkerKinematics& A = engine_.ws.markers[static_cast<std::size_t>(joint.legs[0])];
    const Vector3d axis = A.R.col(2), centre = A.p;
    const Eigen::Quaterniond R(Eigen::AngleAxisd(sign * turn, axis));
    for (std::size_t k = 0; k + 1 < side.size(); ++k) {
      if (side[k] == 0) continue;
      const BodyModel& b = model_.bodies[k];
      auto p = state_.position.segment<3>(b.q0);
      double* q = state_.position.data() + b.q0;
      p = (centre + R * (Vector3d(p) - centre) + sign * step * axis).eval();
      set_attitude((R * attitude(q)).normalized(), q);
    }
    if (joint.turn >= 0) state_.joint_angles(joint.turn) += turn;
    refresh();
    engine_.update_angles(state_);
  }

  /// All chosen values, or all chosen rates.
  std::vector<Target> targets(bool values) const {
    std::vector<Target> out;
    for (const ChosenStart& start : model_.starts)
      if (const auto& chosen = values ? start.value : start.rate; chosen)
        out.push_back({start.joint, start.angle, *chosen});
    return out;
  }
  /// Adds the other joints outside loops with their present coordinates, so that projections do not
  /// change them.
  void add_kept(std::vector<Target>& out, bool values) {
    for (std::size_t j = 0; j < model_.joints.size(); ++j) {
      const JointModel& joint = model_.joints[j];
      const auto index = static_cast<int>(j);
      if (joint.is_motion || joint.legs.size() != 2) continue;
      const bool turns = has_angle(joint.type);
      // the angle of a screw stands for its displacement, too
      const bool slides = has_displacement(joint.type) && joint.type != JointType::screw;
      if ((!turns && !slides) || free_side(index).first.empty()) continue;
      for (const bool angle : {true, false}) {
        if (!(angle ? turns : slides)) continue;
        const bool is_chosen = std::any_of(out.begin(), out.end(), [&](const Target& each) {
          return each.joint == index && (each.angle == angle || joint.type == JointType::screw);
        });
        if (!is_chosen) out.push_back({index, angle, coordinate(index, angle, !values)});
      }
    }
  }

  /// Returns the model with one additional row per target; appends the angles of these rows to
  /// `state`.
  Model with_rows(const std::vector<Target>& targets, State& state) {
    Model out = model_;
    int node = 0;
    for (const JointModel& j : model_.joints)
      node = std::max(node, j.node + 1);
    for (const BodyModel& b : model_.bodies)
      node = std::max(node, b.node + 2);
    for (const Target& target : targets) {
      const JointModel& held = model_.joints[static_cast<std::size_t>(target.joint)];
      JointModel row_of;
      row_of.name = held.name;
      row_of.type = held.type;
      row_of.is_motion = true;
      row_of.legs = {held.legs[0], held.legs[1]};
      CoordinateTerm term;
      term.angle = target.angle;
      term.b = 1;
      if (target.angle) {
        row_of.turn = term.turn = out.angle_count++;
        state.joint_angles.conservativeResize(out.angle_count);
        state.joint_angles(term.turn) = coordinate(target.joint, true);
      }
      RowModel row;
      row.kind = RowModel::Kind::coordinate;
      row.terms = {term};
      row_of.rows = {row};
      number_joint(out, row_of, node++);
      out.joints.push_back(std::move(row_of));
    }
    out.initial.joint_angles.setZero(out.angle_count);
    return out;
  }
  /// The joint of with_rows() for target k.
  JointModel& joint_of_row(Model& held, std::size_t k) const {
    return held.joints[model_.joints.size() + k];
  }

  void follow_loops(std::vector<Target> values) {
    add_kept(values, true);
    State moved = state_;
    Model held = with_rows(values, moved);
    Engine engine(held);
    engine.ws.set_memory(moved);
    engine.find_quasi_static(moved);
    std::vector<double> from;
    double longest = 0.0;
    for (const Target& each : values) {
      from.push_back(coordinate(each.joint, each.angle));
      longest = std::max(
          longest, std::abs(each.value - from.back()) / (each.angle ? 1.0 : model_.local_length));
    }
    if (longest > kStartStep * kMostStartSteps) fail_value(values, engine, moved);
    const int steps = std::max(1, static_cast<int>(std::ceil(longest / kStartStep)));
    for (int step = 1; step <= steps; ++step) {
      const double share = static_cast<double>(step) / steps;
      for (std::size_t k = 0; k < values.size(); ++k)
        joint_of_row(held, k).rows.front().constant =
            step == steps ? -values[k].value : -from[k] - share * (values[k].value - from[k]);
      const double open = engine.project_position(moved.time, moved.position, kStartPasses);
      if (!engine.is_closed(open, kMissedStart)) fail_value(values, engine, moved);
      engine.update_angles(moved);
    }
    state_.position = moved.position;
    state_.joint_angles = moved.joint_angles.head(model_.angle_count);
    refresh();
  }
  [[noreturn]] void fail_value(const std::vector<Target>& values, Engine& engine, State& moved) {
    // the message names the joint with the largest error
    engine.set_position(moved.time, moved.position);
    const Target* worst = &values.front();
    double missed = -1.0, reached = 0.0;
    for (const Target& each : values) {
      const double now = read_coordinate(engine.model, engine.ws, each.joint, each.angle, false);
      if (std::abs(each.value - now) <= missed) continue;
      missed = std::abs(each.value - now);
      worst = &each;
      reached = now;
    }
    throw NumericalError(
        "start-not-reached",
        fmt::format("joint {}: the initial {} of {:.9g} {} cannot be reached: the loop that it is "
                    "in closes no further than near {:.4g}",
                    model_.joints[static_cast<std::size_t>(worst->joint)].name,
                    worst->angle ? "angle" : "displacement",
                    worst->value,
                    worst->angle ? "rad" : "m",
                    reached),
        {},
        "choose a value nearer to the places of the bodies, or fewer values in this loop");
  }

  void check_fixed() const {
    require_fixed_bodies(model_, system_, before_, state_.position, "the initial values of joints");
  }

  /// Adds the twist to one side of the joint that gives its chosen rate. Returns false in a loop.
  bool add_twist(const Target& rate) {
    const auto [side, sign] = free_side(rate.joint);
    if (side.empty()) return false;
    const double change = rate.value - coordinate(rate.joint, rate.angle, true);
    const auto [turn, step] = turn_and_step(rate.joint, rate.angle, change);
    const JointModel& joint = model_.joints[static_cast<std::size_t>(rate.joint)];
    const MarkerKinematics& A = engine_.ws.markers[static_cast<std::size_t>(joint.legs[0])];
    const Vector3d axis = A.R.col(2), spin = sign * turn * axis;
    for (std::size_t k = 0; k + 1 < side.size(); ++k) {
      if (side[k] == 0) continue;
      const BodyModel& b = model_.bodies[k];
      const BodyKinematics& body = engine_.ws.bodies[k];
      Vector6d twist;
      twist << spin.cross(body.p - A.p) + sign * step * axis, body.R.transpose() * spin;
      double* v = state_.velocity.data() + b.v0;
      set_rigid_components(b, rigid_components(b, v) + twist, v);
    }
    return true;
  }
  void check_rate(const Target& rate) {
    const double now = coordinate(rate.joint, rate.angle, true);
    if (std::abs(now - rate.value) <=
        kMissedStartRate * std::max(1.0, state_.velocity.lpNorm<Eigen::Infinity>()))
      return;
    throw NumericalError(
        "velocities-contradict",
        fmt::format("joint {}: the initial {} of {:.9g} {} is impossible in this position or "
                    "contradicts another; {:.6g} would be left",
                    model_.joints[static_cast<std::size_t>(rate.joint)].name,
                    rate.angle ? "angle_rate" : "displacement_rate",
                    rate.value,
                    rate.angle ? "rad/s" : "m/s",
                    now),
        {},
        "give the rate of another joint, or fewer rates in this loop");
  }

  Engine& engine_;
  const Model& model_;
  const System& system_;
  State& state_;
  VectorXd before_;
};

}  // namespace

void apply_chosen_starts(Engine& engine, const System& system, State& state) {
  if (!engine.model.starts.empty()) StartMover(engine, system, state).apply();
}

void apply_chosen_rates(Engine& engine, const System& system, State& state) {
  if (!engine.model.starts.empty()) StartMover(engine, system, state).set_rates();
}

}  // namespace femflex::mbd_solver
