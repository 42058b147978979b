// A multibody system that runs on a live page: advances the system in time, draws it, and lets the
// user drag its bodies.
#include "live/live_system.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <optional>
#include <set>
#include <utility>
#include <variant>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include "femflex/channel.h"
#include "femflex/diagnostics.h"
#include "femflex/errors.h"
#include "femflex/mbd_solver/linearise.h"
#include "femflex/mbd_solver/stepping.h"
#include "femflex/progress.h"

#include "live/signs.h"
#include "live/system_drawing.h"
#include "system/scene.h"
#include "system/system_json.h"

namespace femflex::live {
namespace {

using mbd_solver::Integrator;
using mbd_solver::System;
using tools::Json;

constexpr double kPull = 2.0;          // [Hz] frequency of a body on the spring to the pointer
constexpr double kPullDamping = 0.3;   // damping ratio of that spring
constexpr int kMostLinearised = 120;   // largest number of velocity coordinates for a linearisation
                                       // during the run
constexpr int kMostAsked = 1500;       // largest number for a linearisation on request, which takes
                                       // some seconds
constexpr double kNoFrequency = 1e-6;  // relative to the highest frequency
constexpr const char* kHandName = "the pointer";

class SystemLiveState : public LiveState {
 public:
  SystemLiveState(mbd_solver::State now, std::size_t of_bodies)
      : state(std::move(now)), bodies(of_bodies) {}
  mbd_solver::State state;
  std::size_t bodies;
};

double mass_of(const mbd_solver::Body& body) {
  if (const auto* rigid = std::get_if<mbd_solver::RigidInertia>(&body.kind)) return rigid->mass;
  if (const auto* point = std::get_if<mbd_solver::PointMass>(&body.kind)) return point->mass;
  return std::get<mbd_solver::Flexible>(body.kind).body->invariants.mass;
}

class LiveSystem : public LiveModel {
 public:
  LiveSystem(const Json& json, const std::filesystem::path& folder, const LiveBodies& bodies) {
    tools::DocumentValue value{.json = json, .folder = folder};
    for (const auto& [name, body] : bodies)
      value.parts.emplace(name, body.get());
    tools::SystemDocument document = tools::read_system(&value, {}, diagnostics_, no_progress());
    system_ = std::move(document.system);
    for (const tools::Analysis& analysis : document.analyses) {
      if (analysis.type != tools::Analysis::Type::dynamic) continue;
      options_ = analysis.dynamic;
      break;
    }
    options_.start = 0.0;
    // the picture is drawn from the channels of the bodies' frames and modes
    for (const mbd_solver::Body& body : system_.bodies)
      flexible_.insert(body.name);
    system_ = tools::with_motion(std::move(system_), flexible_);
    if (!has_output("energy")) system_.outputs.emplace_back("energy");
    run_ = std::make_unique<mbd_solver::Stepping>(system_, options_, diagnostics_);
    sketch_ = draw_system(system_, tools::picture_of(system_, flexible_));
    find_columns();
  }

  const Drawing& drawing() const override { return sketch_.drawing; }
  void places(std::vector<float>& out) override {
    const std::vector<double>& row = run_->row();
    out.resize(3 * sketch_.drawing.vertices);
    poses_.resize(system_.bodies.size());
    for (std::size_t b = 0; b < poses_.size(); ++b)
      poses_[b] = pose(b, row);
    for (std::size_t i = 0; i < sketch_.vertices.size(); ++i) {
      const Eigen::Vector3d p = place(sketch_.vertices[i]);
      for (Eigen::Index axis = 0; axis < 3; ++axis)
        out[3 * i + static_cast<std::size_t>(axis)] = static_cast<float>(p(axis));
    }
    for (const SystemArrow& each : sketch_.arrows) {
      const Eigen::Vector3d force = force_of(each);
      largest_force_ = std::max(largest_force_, force.norm());
      put_places(
          arrow(place(each.foot), force, largest_force_, sketch_.drawing.size), each.vertex, out);
    }
  }
  void tensions(std::vector<std::int8_t>& out) override { out.clear(); }

  double time() const override { return run_->time(); }
  bool advance(std::int64_t steps) override {
    const double from = run_->time();
    return run_->advance(from + static_cast<double>(steps) * options_.step);
  }
  std::string failure() const override { return run_->failure(); }
  LiveEnergy energy() override {
    const mbd_solver::EnergyAccount now = run_->energy();
    return {now.kinetic, now.potential, now.work};
  }
  std::vector<LiveFrequency> frequencies(bool asked) override {
    std::vector<LiveFrequency> out;
    const mbd_solver::State now = run_->state();
    if (now.velocity.size() > (asked ? kMostAsked : kMostLinearised)) return out;
    Diagnostics ignored;
    try {
      for (const mbd_solver::SystemMode& mode : mbd_solver::linearise(system_, now, ignored).modes)
        if (!mode.is_free) out.push_back({mode.frequency_hz, mode.damping_ratio});
    } catch (const Error&) {
      // small motions are not defined where the joints lose rank
      if (asked) throw;
      return {};
    }
    // removes free motions, whose stiffness is round-off
    const double least = out.empty() ? 0.0 : kNoFrequency * out.back().hz;
    std::erase_if(out, [&](const LiveFrequency& each) { return each.hz < least; });
    return out;
  }

  /// False with tyres, because a linearisation would generate their road, kilometres long, again.
  bool is_quick_to_linearise() const override {
    return std::none_of(system_.forces.begin(), system_.forces.end(), [](const auto& force) {
      return std::holds_alternative<mbd_solver::Tyre>(force.law);
    });
  }

  LiveStepping stepping() const override {
    return {std::string(name_of(options_.integrator)),
            {"generalised-alpha", "runge-kutta", "bdf"},
            options_.step,
            // generalised-alpha is stable with any step; the others choose the step by the error
            std::numeric_limits<double>::infinity()};
  }
  void look_at_stability() override {}
  void set_stepping(const std::string& integrator, double step) override {
    mbd_solver::DynamicOptions options = options_;
    options.integrator = mbd_solver::parse_integrator(integrator);
    if (step > 0.0) options.step = step;
    options.min_step = std::min(options.min_step, options.step);
    go_on(system_, options, fresh(run_->state()));
    options_ = options;
    if (hand_) tie(hand_->at);
  }

  void grab(std::size_t vertex, const Eigen::Vector3d& pointer) override {
    if (vertex >= sketch_.vertices.size() || sketch_.vertices[vertex].body < 0)
      throw UsageError("held", "nothing moves this place");
    hand_ = Hand{vertex, pointer};
    tie(pointer);
  }
  void drag(const Eigen::Vector3d& pointer) override {
    if (!hand_) return;
    hand_->at = pointer;
    run_->move_end_b(kHandName, pointer);
  }
  void release() override {
    if (!hand_) return;
    hand_.reset();
    go_on(system_, options_, fresh(run_->state()));
  }
  bool cut(const std::string& /*path*/) override { return false; }

  std::unique_ptr<LiveState> state() const override {
    return std::make_unique<SystemLiveState>(run_->state(), system_.bodies.size());
  }
  bool take_over(const LiveState& other) override {
    const auto* kept = dynamic_cast<const SystemLiveState*>(&other);
    const mbd_solver::State mine = run_->state();
    if (kept == nullptr || kept->bodies != system_.bodies.size() ||
        kept->state.position.size() != mine.position.size() ||
        kept->state.velocity.size() != mine.velocity.size() ||
        kept->state.multipliers.size() != mine.multipliers.size() ||
        kept->state.joint_angles.size() != mine.joint_angles.size())
      return false;
    hand_.reset();
    mbd_solver::State now = fresh(kept->state);
    // an edit has added or removed springs, so no spring is broken
    if (now.events.size() != mine.events.size()) now.events = mine.events;
    // an edit has added or removed forces with states
    if (now.force_states.size() != mine.force_states.size()) now.force_states = mine.force_states;
    go_on(system_, options_, std::move(now));
    return true;
  }

  const std::vector<mbd_solver::Channel>& channels() const override { return channels_; }
  std::vector<double> values() override { return run_->row(); }
  std::pair<std::string, std::string> picture() const override {
    return {"picture", tools::picture_of(system_, {}).dump_line()};
  }

 private:
  struct Hand {
    std::size_t vertex = 0;
    Eigen::Vector3d at = Eigen::Vector3d::Zero();
  };
  struct Columns {  // columns of a body's frame and modes in a row; -1: absent
    std::array<Eigen::Index, 3> position{-1, -1, -1};
    std::array<Eigen::Index, 4> orientation{-1, -1, -1, -1};
    std::vector<Eigen::Index> zeta;
  };
  struct Pose {
    Eigen::Vector3d p_WB;
    Eigen::Matrix3d R_WB;
    Eigen::VectorXd zeta;
  };

  bool has_output(const char* name) const {
    return system_.outputs.empty() ||
           std::find(system_.outputs.begin(), system_.outputs.end(), name) != system_.outputs.end();
  }

  /// The state without step memory, for a changed system.
  static mbd_solver::State fresh(mbd_solver::State state) {
    state.algorithmic_acceleration.resize(0);
    state.memory = {};
    return state;
  }
  void go_on(const System& system, mbd_solver::DynamicOptions options, mbd_solver::State state) {
    state.work = 0.0;
    options.restart = std::move(state);
    Diagnostics ignored;
    run_ = std::make_unique<mbd_solver::Stepping>(system, options, ignored);
  }

  /// Adds a spring from the grabbed place to the pointer.
  void tie(const Eigen::Vector3d& pointer) {
    const SystemVertex& vertex = sketch_.vertices[hand_->vertex];
    System system = system_;
    mbd_solver::Body& body = system.bodies[static_cast<std::size_t>(vertex.body)];
    mbd_solver::Marker marker;
    marker.position = vertex.at;
    if (vertex.node >= 0) {
      const auto& flexible = std::get<mbd_solver::Flexible>(body.kind);
      marker.node = flexible.body->nodes[static_cast<std::size_t>(vertex.node)].id;
      marker.position.setZero();
    }
    body.markers[kHandName] = marker;
    system.ground_markers[kHandName].position = pointer;
    const double omega = 2.0 * std::numbers::pi * kPull;
    const double mass = std::max(mass_of(body), std::numeric_limits<double>::min());
    mbd_solver::SpringDamper spring;
    spring.a = body.name + "/" + kHandName;
    spring.b = std::string("ground/") + kHandName;
    spring.stiffness = mass * omega * omega;
    spring.damping = 2.0 * kPullDamping * mass * omega;
    spring.length = 0.0;
    system.forces.push_back({kHandName, spring});
    go_on(system, options_, fresh(run_->state()));
  }

  void find_columns() {
    std::map<std::string, Eigen::Index, std::less<>> column;
    channels_ = run_->channels();
    for (std::size_t c = 0; c < channels_.size(); ++c)
      column.emplace(channels_[c].name, static_cast<Eigen::Index>(c));
    const auto of = [&](const std::string& name) {
      const auto found = column.find(name);
      return found == column.end() ? Eigen::Index{-1} : found->second;
    };
    for (const mbd_solver::Body& body : system_.bodies) {
      Columns& own = columns_.emplace_back();
      for (std::size_t k = 0; k < 3; ++k)
        own.position[k] = of(fmt::format("{}/position/{}", body.name, "xyz"[k]));
      for (std::size_t k = 0; k < 4; ++k)
        own.orientation[k] = of(fmt::format("{}/orientation/{}", body.name, "wxyz"[k]));
      const auto* flexible = std::get_if<mbd_solver::Flexible>(&body.kind);
      if (flexible == nullptr) continue;
      for (Eigen::Index j = 0; j < flexible->body->mode_count(); ++j)
        own.zeta.push_back(of(fmt::format("{}/zeta/{}", body.name, j + 1)));
    }
  }

  Pose pose(std::size_t b, const std::vector<double>& row) const {
    const Columns& own = columns_[b];
    const mbd_solver::Body& body = system_.bodies[b];
    const auto at = [&](Eigen::Index c, double fallback) {
      return c < 0 ? fallback : row[static_cast<std::size_t>(c)];
    };
    Pose out;
    for (std::size_t k = 0; k < 3; ++k)
      out.p_WB(static_cast<Eigen::Index>(k)) =
          at(own.position[k], body.position(static_cast<Eigen::Index>(k)));
    out.R_WB = body.orientation;
    if (own.orientation[0] >= 0)
      out.R_WB = Eigen::Quaterniond(at(own.orientation[0], 1.0),
                                    at(own.orientation[1], 0.0),
                                    at(own.orientation[2], 0.0),
                                    at(own.orientation[3], 0.0))
                     .normalized()
                     .toRotationMatrix();
    out.zeta.resize(static_cast<Eigen::Index>(own.zeta.size()));
    for (std::size_t j = 0; j < own.zeta.size(); ++j)
      out.zeta(static_cast<Eigen::Index>(j)) = at(own.zeta[j], 0.0);
    return out;
  }

  Eigen::Vector3d place(const SystemVertex& vertex) const {
    if (vertex.body < 0) return vertex.at;
    const auto b = static_cast<std::size_t>(vertex.body);
    Eigen::Vector3d p_BP = vertex.at;
    if (vertex.node >= 0 && poses_[b].zeta.size() > 0)
      p_BP += node_displacement(*std::get<mbd_solver::Flexible>(system_.bodies[b].kind).body,
                                vertex.node,
                                poses_[b].zeta);
    return poses_[b].p_WB + poses_[b].R_WB * p_BP;
  }

  /// The force of an arrow in W [N]; components that do not depend on time alone count as 0.
  Eigen::Vector3d force_of(const SystemArrow& arrow) const {
    const auto& law = std::get<mbd_solver::PointForce>(system_.forces[arrow.force].law);
    Eigen::Vector3d out = Eigen::Vector3d::Zero();
    for (std::size_t k = 0; k < 3; ++k)
      if (law.value[k].variables().size() == 1)
        out(static_cast<Eigen::Index>(k)) = law.value[k].with_rate(run_->time()).value;
    if (!law.in_body_frame || arrow.foot.body < 0) return out;
    return poses_[static_cast<std::size_t>(arrow.foot.body)].R_WB * out;
  }

  Diagnostics diagnostics_;
  System system_;
  mbd_solver::DynamicOptions options_;
  std::set<std::string> flexible_;
  std::unique_ptr<mbd_solver::Stepping> run_;
  SystemSketch sketch_;
  std::vector<mbd_solver::Channel> channels_;
  std::vector<Columns> columns_;
  std::vector<Pose> poses_;
  std::optional<Hand> hand_;
  double largest_force_ = 0.0;  // [N] largest force of the arrows so far
};

}  // namespace

std::unique_ptr<LiveModel> live_system(const Json& document,
                                       const std::filesystem::path& folder,
                                       const LiveBodies& bodies) {
  return std::make_unique<LiveSystem>(document, folder, bodies);
}

}  // namespace femflex::live
