// Set-valued friction in a run: margins of sticking and sliding, and the choice of modes. First all
// forces at rest stick; then the most overloaded one slides, until every force is within its limit.
#include "integrators/stick_slip.h"

#include <algorithm>
#include <cmath>
#include <variant>

namespace femflex::mbd_solver {
namespace {

using Eigen::Vector2d;
using Eigen::VectorXd;

// relative excess over the limit of a sticking force that counts as round-off of multipliers
constexpr double kLimitShare = 1e-9;
// largest sliding rate that counts as rest, in rad/s or relative to the size of the system per
// second
constexpr double kStill = 1e-11;
// a force changes its mode if its margin, relative to the margin at the end of the step, is below
// this
constexpr double kDue = 1e-6;
// a contact whose sliding velocity reverses continues to slide if its velocity perpendicular to the
// old direction is more than this share of its speed
constexpr double kStopShare = 1e-2;

}  // namespace

StickSlip::StickSlip(Engine& engine) : engine_(engine) {
  for (std::size_t k = 0; k < engine.model.forces.size(); ++k) {
    const LawBase& law = engine.model.forces[k].base();
    if (law.grip < 0) continue;
    const JointModel& joint = engine.model.joints[static_cast<std::size_t>(law.grip_joint)];
    Element element;
    element.force = static_cast<int>(k);
    element.entry = law.grip;
    element.row = joint.l0;
    element.count = joint.m;
    grips_.push_back(element);
  }
}

GripSense StickSlip::sense(const Element& element) const {
  return std::visit(
      [&](const auto& law) {
        if constexpr (requires { law.sense(engine_.model, engine_.ws); })
          return law.sense(engine_.model, engine_.ws);
        else
          return GripSense{};
      },
      engine_.model.forces[static_cast<std::size_t>(element.force)].law);
}

bool StickSlip::is_fresh(const State& state) const {
  return std::any_of(grips_.begin(), grips_.end(), [&](const Element& element) {
    return grip_of(state.events, element.entry) == Grip::unknown;
  });
}

Vector2d StickSlip::load_of(const Element& element, const VectorXd& lambda) const {
  return {lambda(element.row), element.count > 1 ? lambda(element.row + 1) : 0.0};
}

double StickSlip::margin_of(const Element& element,
                            const GripSense& now,
                            const VectorXd& lambda) const {
  const VectorXd& events = engine_.ws.events;
  switch (grip_of(events, element.entry)) {
    case Grip::sticking:
      return now.limit + kLimitShare * std::abs(now.limit) - load_of(element, lambda).norm();
    case Grip::sliding: {
      if (!(now.normal > 0.0)) return 1.0;  // follow() marks the contact as open
      const double back = element.count > 1 ? events(element.entry + 2) * now.rate.y() : 0.0;
      return events(element.entry + 1) * now.rate.x() + back +
             kStill * std::max(1.0, engine_.model.length_scale);
    }
    default:
      return -now.normal;
  }
}

bool StickSlip::check(const VectorXd& lambda) {
  bool any = false;
  needs_multipliers_ = false;
  for (Element& element : grips_) {
    element.margin_at_end = margin_of(element, sense(element), lambda);
    element.is_violated = element.margin_at_end < 0.0;
    any = any || element.is_violated;
    needs_multipliers_ =
        needs_multipliers_ ||
        (element.is_violated && grip_of(engine_.ws.events, element.entry) == Grip::sticking);
  }
  return any;
}

double StickSlip::margin(const VectorXd& lambda) const {
  double least = 1.0;
  for (const Element& element : grips_)
    if (element.is_violated)
      least = std::min(least, margin_of(element, sense(element), lambda) / -element.margin_at_end);
  return least;
}

std::string StickSlip::violated() const {
  for (const Element& element : grips_)
    if (element.is_violated)
      return engine_.model.forces[static_cast<std::size_t>(element.force)].name;
  return {};
}

bool StickSlip::is_overloaded(const VectorXd& lambda) const {
  return std::any_of(grips_.begin(), grips_.end(), [&](const Element& element) {
    return grip_of(engine_.ws.events, element.entry) == Grip::sticking &&
           margin_of(element, sense(element), lambda) < 0.0;
  });
}

void StickSlip::set(State& state, const Element& element, Grip grip, const Vector2d& values) const {
  state.events(element.entry) = static_cast<double>(grip);
  state.events(element.entry + 1) = values.x();
  if (element.count > 1) state.events(element.entry + 2) = values.y();
}

// First choice of the modes that change: forces that stop sliding stick; overloaded forces slide
// along their load.
void StickSlip::first_guess(State& state, bool is_first) {
  const double still = kStill * std::max(1.0, engine_.model.length_scale);
  for (Element& element : grips_) {
    const GripSense now = sense(element);
    const double speed = now.rate.norm();
    const Grip before = grip_of(state.events, element.entry);
    element.is_due =
        is_first || (element.is_violated &&
                     margin_of(element, now, state.multipliers) < kDue * -element.margin_at_end);
    if (!element.is_due) continue;
    if (!is_first && before == Grip::sticking) {
      const Vector2d load = load_of(element, state.multipliers);
      set(state, element, Grip::sliding, load.normalized());
      continue;
    }
    const bool stops = !is_first && before == Grip::sliding &&
                       (element.count == 1 || speed <= kStopShare * element.speed);
    if (is_first && !(now.normal > 0.0))
      set(state, element, Grip::open, Vector2d::Zero());
    else if (stops || speed <= still)
      set(state, element, Grip::sticking, now.held);
    else
      set(state, element, Grip::sliding, now.rate.normalized());
  }
}

/// Computes accelerations and multipliers with the modes of the state. If `stops`, first changes
/// the velocities so that sticking forces have no sliding rate.
bool StickSlip::solve(State& state, bool stops, double& work) {
  engine_.ws.set_memory(state);
  engine_.ws.state_gain = 0.0;
  engine_.set_position(state.time, state.position);
  engine_.set_velocity(state.velocity);
  if (stops) {
    const double kinetic = energy(engine_.model, engine_.ws).kinetic;
    if (!engine_.project_velocity(state.velocity)) return false;
    work += energy(engine_.model, engine_.ws).kinetic - kinetic;
  }
  return engine_.accelerations(state.acceleration, state.multipliers);
}

/// Lets the most overloaded force slide. Returns whether there was one.
bool StickSlip::correct(State& state) {
  Element* worst = nullptr;
  double largest = 1.0 + kLimitShare;
  for (Element& element : grips_) {
    if (grip_of(state.events, element.entry) != Grip::sticking) continue;
    const GripSense now = sense(element);
    const double load = load_of(element, state.multipliers).norm();
    const double ratio = load == 0.0 ? 0.0 : load / std::max(now.limit, 0.0);
    if (!(ratio > largest)) continue;
    largest = ratio;
    worst = &element;
  }
  if (worst != nullptr) {
    worst->is_due = true;
    set(state, *worst, Grip::sliding, load_of(*worst, state.multipliers).normalized());
    return true;
  }
  return false;
}

bool StickSlip::choose(State& state, bool is_first, double& work) {
  engine_.ws.set_memory(state);
  engine_.set_position(state.time, state.position);
  engine_.set_velocity(state.velocity);
  // the multipliers of a step contain round-off of Phi / h^2, so they are recomputed
  if (!is_first && needs_multipliers_ && !solve(state, false, work)) return false;
  first_guess(state, is_first);
  if (!solve(state, true, work)) return false;
  for (std::size_t pass = 0; pass < grips_.size() && correct(state); ++pass)
    if (!solve(state, false, work)) return false;
  follow(state);
  return true;
}

void StickSlip::follow(State& state) {
  engine_.ws.set_memory(state);
  engine_.set_position(state.time, state.position);
  engine_.set_velocity(state.velocity);
  for (Element& element : grips_) {
    element.is_violated = false;
    const GripSense now = sense(element);
    element.speed = now.rate.norm();
    if (grip_of(state.events, element.entry) != Grip::sliding) continue;
    // a force along one direction keeps its sign; one that gave way to no load has none yet
    if (element.count == 1 && state.events(element.entry + 1) != 0.0) continue;
    if (element.count > 1 && !(now.normal > 0.0))
      set(state, element, Grip::open, Vector2d::Zero());
    else if (element.speed > kStill * std::max(1.0, engine_.model.length_scale))
      set(state, element, Grip::sliding, now.rate.normalized());
  }
  engine_.ws.set_memory(state);
}

}  // namespace femflex::mbd_solver
