// Moves each free coordinate and its rate a little to both sides. The one-sided slopes of a smooth
// law differ in proportion to the step, those of a knot differ by the same amount at any step, and
// at a jump they grow as the step shrinks.
#include "integrators/kinks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <variant>

#include <fmt/format.h>

#include "femflex/listed.h"

namespace femflex::mbd_solver {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// steps: relative to Model::unit_of() for coordinates; [1/s] in the same units for rates, and
// relative to the velocity over which friction changes
constexpr double kKinkStep = 1e-5;
constexpr double kKinkRate = 1e-4;
constexpr double kKinkFriction = 1e-3;
// with half the step the difference of the slopes of a smooth law halves, that of a knot stays and
// that of a jump doubles
constexpr double kKnot = 0.6, kLeap = 1.5;
// differences of slopes below these shares are small: of the slopes there, of the largest slope of
// the same force, and of the value itself for the change by one step
constexpr double kOfSlopes = 1e-3, kOfLargest = 1e-4, kOfValue = 1e-10;
// numbers that a force has in the list of values: the scalar one, the force and the torque on b
constexpr Index kOfForce = 7;
constexpr int kTranslationDofs = 3;

/// Whether a force may have knots, gaps or jumps, by its law, signals or blocks.
bool may_switch(const ForceModel& force) {
  bool out = force.follows_blocks;
  force.for_each_signal([&](const Signal& signal) { out = out || signal.follows_motion(); });
  if (out) return true;
  return std::visit([](const auto& law) { return law.may_switch(); }, force.law);
}

bool may_switch(const BlockModel& block) {
  if (const auto* pid = std::get_if<PidBlock>(&block.law))
    return std::isfinite(pid->min) || std::isfinite(pid->max);
  const bool is_smooth = std::holds_alternative<LinearBlock>(block.law) ||
                         std::holds_alternative<SampleBlock>(block.law) ||
                         std::holds_alternative<GuestBlock>(block.law);
  return !is_smooth || std::any_of(block.inputs.begin(), block.inputs.end(), [](const Signal& s) {
    return s.follows_motion();
  });
}

/// One coordinate or its rate.
struct Way {
  const BodyModel* body = nullptr;
  int place = 0;  // among the coordinates of the body
  bool is_rate = false;

  Index column() const { return body->v0 + place; }
  std::string text() const {
    constexpr const char* kAxes = "xyz";
    if (place >= body->nr)
      return fmt::format("mode {} of body {}", place - body->nr + 1, body->name);
    const int dof = body->dof[static_cast<std::size_t>(place)];
    return dof < kTranslationDofs
               ? fmt::format("{} of body {}", kAxes[dof], body->name)
               : fmt::format("the rotation of body {} about {}", body->name, kAxes[dof - 3]);
  }
  /// Unit of the slope of a value with this unit: "N/m", "N s/m".
  std::string unit_of_slope(const std::string& unit) const {
    const std::string time = is_rate ? " s" : "";
    if (place >= body->nr) return unit + time;
    const bool is_length = body->dof[static_cast<std::size_t>(place)] < kTranslationDofs;
    return fmt::format("{}{}/{}", unit, time, is_length ? "m" : "rad");
  }
};

/// Values of all forces and blocks at a state with one coordinate moved.
class Sides {
 public:
  Sides(Engine& engine, const State& state) : engine_(engine), at_(state) { base_ = values(at_); }

  const VectorXd& base() const { return base_; }

  VectorXd moved(const Way& way, double by) {
    State out = at_;
    if (way.is_rate) {
      out.velocity(way.column()) += by;
    } else {
      const VectorXd e = by * VectorXd::Unit(engine_.model.nv, way.column());
      move(engine_.model, at_.position, e, out.position);
    }
    return values(out);
  }

  double step(const Way& way) const {
    const double unit = engine_.model.unit_of(*way.body, way.place);
    return way.is_rate ? std::min(kKinkRate * unit, kKinkFriction * engine_.model.velocity_scale)
                       : kKinkStep * unit;
  }

 private:
  VectorXd values(const State& state) {
    const Model& model = engine_.model;
    Workspace& ws = engine_.ws;
    ws.set_memory(state);
    engine_.set_position(state.time, state.position);
    engine_.set_velocity(state.velocity);
    residual(model, ws, engine_.zero_v, nullptr);
    const auto forces = static_cast<Index>(model.forces.size());
    VectorXd out(kOfForce * forces + model.network.output_count);
    for (Index k = 0; k < forces; ++k) {
      const PairLoad& load = ws.loads[static_cast<std::size_t>(k)];
      out.segment<kOfForce>(kOfForce * k) << load.value, load.force_b, load.torque_b;
    }
    if (model.network.output_count > 0) out.tail(model.network.output_count) = ws.block_outputs;
    return out;
  }

  Engine& engine_;
  State at_;
  VectorXd base_;
};

/// Coordinates and rates of the bodies on which laws with knots act.
std::vector<Way> ways_of(const Model& model, const MatrixXd& N) {
  std::vector<char> is_meant(model.bodies.size(), 0);
  bool all = std::any_of(model.network.blocks.begin(),
                         model.network.blocks.end(),
                         [](const BlockModel& block) { return may_switch(block); });
  for (const ForceModel& force : model.forces) {
    if (!may_switch(force)) continue;
    all = all || force.follows_blocks || force.markers().empty();
    force.for_each_signal([&](const Signal& signal) { all = all || signal.follows_motion(); });
    for (const int marker : force.markers())
      is_meant[static_cast<std::size_t>(model.markers[static_cast<std::size_t>(marker)].body)] = 1;
  }
  constexpr double kHeld = 1e-9;  // a coordinate that moves less than this share is held
  std::vector<Way> out;
  const VectorXd free = N.cols() > 0 ? VectorXd(N.rowwise().norm()) : VectorXd::Zero(model.nv);
  for (std::size_t k = 0; k < model.bodies.size(); ++k)
    for (int c = 0; (all || is_meant[k] != 0) && c < model.bodies[k].nr + model.bodies[k].n; ++c)
      if (const Index j = model.bodies[k].v0 + c; free(j) > kHeld * free.maxCoeff())
        for (const bool is_rate : {false, true})
          out.push_back({&model.bodies[k], c, is_rate});
  return out;
}

/// A value whose one-sided slopes differ.
struct Found {
  Way way;
  double difference = 0.0, before = 0.0, after = 0.0, jump = 0.0;
};

/// The largest difference of slopes of each value that is a knot or a jump, without its rivals.
class Search {
 public:
  explicit Search(Index values)
      : found(static_cast<std::size_t>(values)),
        largest_{VectorXd::Zero(values), VectorXd::Zero(values)} {}

  void look(const Way& way, Sides& sides) {
    const double h = sides.step(way);
    const VectorXd& f = sides.base();
    const VectorXd up = sides.moved(way, h), down = sides.moved(way, -h);
    VectorXd& largest = largest_[way.is_rate ? 1 : 0];
    largest = largest.cwiseMax((up - f).cwiseAbs() / h).cwiseMax((f - down).cwiseAbs() / h);
    VectorXd half_up, half_down;
    for (Index k = 0; k < f.size(); ++k) {
      const double after = (up(k) - f(k)) / h, before = (f(k) - down(k)) / h;
      const double difference = std::abs(after - before);
      if (!(difference > kOfSlopes * (std::abs(after) + std::abs(before))) ||
          difference * h <= kOfValue * std::abs(f(k)))
        continue;
      if (half_up.size() == 0) {
        half_up = sides.moved(way, 0.5 * h);
        half_down = sides.moved(way, -0.5 * h);
      }
      const double closer = std::abs(half_up(k) - 2.0 * f(k) + half_down(k)) / (0.5 * h);
      Found& best = found[static_cast<std::size_t>(k)];
      if (closer < kKnot * difference || difference <= best.difference) continue;
      const double jump = std::abs(up(k) - f(k)) + std::abs(f(k) - down(k));
      best = {way, difference, before, after, closer > kLeap * difference ? jump : 0.0};
    }
  }

  /// Whether a value has a knot that is not round-off of its slopes elsewhere.
  bool is_kink(Index value) const {
    const Found& best = found[static_cast<std::size_t>(value)];
    return best.difference > kOfLargest * largest_[best.way.is_rate ? 1 : 0](value);
  }

  std::vector<Found> found;

 private:
  std::array<VectorXd, 2> largest_;  // slopes by coordinates and by rates
};

Kink kink_of(const Found& found, std::string name, const std::string& unit) {
  return {std::move(name),
          found.way.text(),
          found.before,
          found.after,
          found.jump,
          found.jump != 0.0 ? unit : found.way.unit_of_slope(unit)};
}

}  // namespace

std::vector<Kink> kinks_at(Engine& engine, const State& state, const MatrixXd& N) {
  const Model& model = engine.model;
  const std::vector<Way> ways = ways_of(model, N);
  if (ways.empty()) return {};
  Sides sides(engine, state);
  Search search(sides.base().size());
  for (const Way& way : ways)
    search.look(way, sides);
  engine.set_all(state);
  std::vector<Kink> out;
  for (std::size_t k = 0; k < model.forces.size(); ++k) {
    if (!may_switch(model.forces[k])) continue;
    const Index first = kOfForce * static_cast<Index>(k);
    for (Index c = 0; c < kOfForce; ++c) {
      if (!search.is_kink(first + c)) continue;
      const bool is_moment = c > 3 || (c == 0 && model.forces[k].base().is_rotational);
      out.push_back(kink_of(search.found[static_cast<std::size_t>(first + c)],
                            "force " + model.forces[k].name,
                            is_moment ? "N m" : "N"));
      break;
    }
  }
  const Index blocks = kOfForce * static_cast<Index>(model.forces.size());
  for (const BlockModel& block : model.network.blocks)
    for (int c = 0; c < block.output_count; ++c)
      if (const Index value = blocks + block.output0 + c; search.is_kink(value)) {
        out.push_back(kink_of(search.found[static_cast<std::size_t>(value)],
                              "block " + block.name,
                              block.unit.empty() ? "1" : block.unit));
        break;
      }
  return out;
}

std::string text_of(const std::vector<Kink>& kinks) {
  constexpr std::size_t kNamed = 3;
  std::vector<std::string> texts;
  for (const Kink& each : kinks) {
    if (each.jump != 0.0)
      texts.push_back(fmt::format(
          "{} jumps by {:.4g} {} with {}", each.name, std::abs(each.jump), each.unit, each.along));
    else
      texts.push_back(fmt::format("{} has the slopes {:.4g} and {:.4g} {} on the two sides of {}",
                                  each.name,
                                  each.before,
                                  each.after,
                                  each.unit,
                                  each.along));
  }
  return listed(texts, kNamed, "; ", "; ");
}

}  // namespace femflex::mbd_solver
