// Lists boxes, bars, joints, springs and wheels as JSON. Adds the channels of body motion to the
// outputs of a run, thinned to what a viewer can show.
#include "system/scene.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include "femflex/channel.h"
#include "femflex/dense.h"
#include "femflex/mbd_solver/joint_types.h"
#include "femflex/mbd_solver/outputs.h"
#include "femflex/text.h"

namespace femflex::tools {
namespace {

using mbd_solver::Body;
using mbd_solver::Flexible;
using mbd_solver::Marker;
using mbd_solver::RigidInertia;
using mbd_solver::System;

constexpr double kCornerOfCube = 0.577;  // 1/sqrt 3: half edge of a cube inscribed in a unit sphere
constexpr double kCountable = 1e15;  // a larger number of expected rows results from a step near 0
constexpr double kMostMotionRows = 1500.0;  // largest number of rows for playback
// largest number of modes of a body whose modal coordinates are recorded for the picture only
constexpr Eigen::Index kMostModes = 300;
// largest number of nodes of a recorded body without a file
constexpr Eigen::Index kMostNodes = 1500;
constexpr double kMostMotionNumbers = 4e6;  // largest number of numbers in the recorded motion
constexpr double kPlaceTolerance = 1e-9;    // [m] places closer together than this are the same
                                            // place

Json quaternion_json(const Eigen::Matrix3d& R) {
  const Eigen::Quaterniond q(R);
  return std::vector<double>{q.w(), q.x(), q.y(), q.z()};
}

// A place on a body: its position in the body's frame, and the node that it follows, if any.
struct Place {
  const Body* body = nullptr;  // null: ground
  Eigen::Vector3d at = Eigen::Vector3d::Zero();
  std::optional<std::int64_t> node;  // if given, `at` is the offset from this node
  bool is_whole_body = false;

  Eigen::Vector3d in_body() const {
    if (!node) return at;
    const FlexBody& flex = *std::get<Flexible>(body->kind).body;
    const Eigen::Index index = find_node(flex, *node);
    return index < 0 ? at : flex.nodes[static_cast<std::size_t>(index)].position + at;
  }
  Eigen::Vector3d in_world() const {
    return body ? Eigen::Vector3d(body->position + body->orientation * in_body()) : at;
  }
  void move_to(const Eigen::Vector3d& world) {
    if (!body) {
      at = world;
      return;
    }
    const Eigen::Vector3d wanted = body->orientation.transpose() * (world - body->position);
    at = node ? Eigen::Vector3d(wanted - (in_body() - at)) : wanted;
  }
};

Place drawn_place(const System& system, const std::string& name) {
  Place out;
  // a mass of a lattice is a body with a slash in its name: "net/12"
  out.body = system.find_body(name);
  std::string rest;
  if (const std::size_t slash = name.find('/'); !out.body && slash != std::string::npos) {
    rest = name.substr(slash + 1);
    out.body = system.find_body(name.substr(0, slash));
  }
  out.is_whole_body = rest.empty();
  const auto& markers = out.body ? out.body->markers : system.ground_markers;
  if (const auto found = markers.find(rest); found != markers.end()) {
    out.at = found->second.position;
    out.node = found->second.node;
  } else if (out.body && std::holds_alternative<Flexible>(out.body->kind) && !rest.empty() &&
             rest.size() < 18 && std::all_of(rest.begin(), rest.end(), is_digit)) {
    out.node = std::stoll(rest);
  }
  return out;
}

Json place_json(const Place& place) {
  Json out = Json::object();
  out["body"] = place.body ? place.body->name : std::string("ground");
  out["at"] = Json::list_of(place.at);
  if (place.node) out["node"] = *place.node;
  return out;
}

// The box of uniform density with this mass and inertia; null if mass or extent are zero.
Json box_json(const RigidInertia& inertia) {
  if (!(inertia.mass > 0.0)) return {};
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> axes(inertia.inertia);
  const Eigen::Vector3d& J = axes.eigenvalues();
  Eigen::Matrix3d R = axes.eigenvectors();
  if (R.determinant() < 0.0) R.col(0) = -R.col(0);
  Eigen::Vector3d size;
  for (Eigen::Index k = 0; k < 3; ++k)
    size(k) = std::sqrt(std::max(0.0, 6.0 * (J.sum() - 2.0 * J(k)) / inertia.mass));
  if (!(size.maxCoeff() > 0.0)) return {};
  Json out = Json::object();
  out["centre"] = Json::list_of(inertia.com);
  out["size"] = Json::list_of(size);
  out["turn"] = quaternion_json(R);
  return out;
}

bool has_few_nodes(const Flexible& flexible) {
  return flexible.body->node_count() <= kMostNodes;
}

// Nodes and elements of a body without a file.
Json mesh_json(const FlexBody& body) {
  std::vector<std::int64_t> ids;
  std::vector<double> rest;
  for (const BodyNode& node : body.nodes) {
    ids.push_back(node.id);
    rest.insert(rest.end(), node.position.begin(), node.position.end());
  }
  Json out = Json::object();
  out["ids"] = ids;
  out["rest"] = rest;
  out["elements"] = Json::list();
  for (const ElementBlock& block : body.elements) {
    Json item = Json::object();
    item["type"] = block.type;
    item["nodes_per_element"] = block.nodes_per_element;
    item["connectivity"] = block.connectivity;
    out["elements"].push_back(std::move(item));
  }
  return out;
}

// Bars that represent a body: one bar between two places where something is attached; for another
// number of places, bars from the mass centre to each.
Json bars_json(const Eigen::Vector3d& com, const std::vector<Eigen::Vector3d>& places) {
  Json out = Json::list();
  const auto bar = [&](const Eigen::Vector3d& p, const Eigen::Vector3d& q) {
    if ((p - q).norm() < kPlaceTolerance) return;
    Json ends = Json::list();
    ends.push_back(Json::list_of(p));
    ends.push_back(Json::list_of(q));
    out.push_back(std::move(ends));
  };
  if (places.size() == 2)
    bar(places[0], places[1]);
  else
    for (const Eigen::Vector3d& place : places)
      bar(com, place);
  return out;
}

// Collects the parts of the picture, and the places where they are attached to bodies.
class Painter {
 public:
  Painter(const System& system, const std::set<std::string>& with_file)
      : system_(system), with_file_(with_file) {}

  Json paint() {
    Json out = Json::object();
    out["planar"] = system_.planar;
    Json joints = Json::list();
    Json links = Json::list();
    for (const mbd_solver::Joint& joint : system_.joints) {
      if (!has_places(joint.type)) continue;
      (joint.type == mbd_solver::JointType::distance ? links : joints).push_back(joint_json(joint));
    }
    for (const mbd_solver::Force& force : system_.forces)
      std::visit([&](const auto& law) { add(force.name, law); }, force.law);
    Json bodies = Json::object();
    for (const Body& body : system_.bodies)
      bodies[body.name] = body_json(body);
    out["scale"] = low_.x() <= high_.x() ? std::max(1e-6, (high_ - low_).norm()) : 1.0;
    out["bodies"] = std::move(bodies);
    out["joints"] = std::move(joints);
    out["links"] = std::move(links);
    out["springs"] = std::move(springs_);
    out["bushings"] = std::move(bushings_);
    out["wheels"] = std::move(wheels_);
    return out;
  }

 private:
  void hold(const Place& place) {
    grow(place.in_world());
    if (!place.body) return;
    std::vector<Eigen::Vector3d>& places = places_[place.body->name];
    const Eigen::Vector3d p = place.in_body();
    const bool is_new = std::none_of(places.begin(), places.end(), [&](const Eigen::Vector3d& q) {
      return (p - q).norm() < kPlaceTolerance;
    });
    if (is_new) places.push_back(p);
  }
  void grow(const Eigen::Vector3d& p) {
    low_ = low_.cwiseMin(p);
    high_ = high_.cwiseMax(p);
  }

  std::pair<Place, Place> ends(const std::string& a,
                               const std::string& b,
                               const std::optional<Eigen::Vector3d>& at) {
    std::pair<Place, Place> out{drawn_place(system_, a), drawn_place(system_, b)};
    if (at) {
      out.first.move_to(*at);
      out.second.move_to(*at);
    } else if (out.first.is_whole_body && !out.second.is_whole_body) {
      out.first.move_to(out.second.in_world());
    } else if (out.second.is_whole_body && !out.first.is_whole_body) {
      out.second.move_to(out.first.in_world());
    }
    hold(out.first);
    hold(out.second);
    return out;
  }

  Json joint_json(const mbd_solver::Joint& joint) {
    const bool is_far = joint.type == mbd_solver::JointType::distance && !joint.at;
    const auto [a, b] = is_far ? two_places(joint.a, joint.b) : ends(joint.a, joint.b, joint.at);
    Json out = Json::object();
    out["name"] = joint.name;
    out["type"] = std::string(name_of(joint.type));
    out["a"] = place_json(a);
    out["b"] = place_json(b);
    const Eigen::Vector3d axis = joint.axis.value_or(Eigen::Vector3d::UnitZ());
    out["axis"] = Json::list_of(
        a.body && joint.axis ? Eigen::Vector3d(a.body->orientation.transpose() * axis) : axis);
    return out;
  }
  std::pair<Place, Place> two_places(const std::string& a, const std::string& b) {
    std::pair<Place, Place> out{drawn_place(system_, a), drawn_place(system_, b)};
    hold(out.first);
    hold(out.second);
    return out;
  }

  void add(const std::string& name, const mbd_solver::SpringDamper& law) {
    const auto [a, b] = two_places(law.a, law.b);
    Json out = Json::object();
    out["name"] = name;
    out["a"] = place_json(a);
    out["b"] = place_json(b);
    if (law.stiffness.is_number()) out["stiffness"] = law.stiffness.number();
    out["length"] = law.length.value_or((a.in_world() - b.in_world()).norm());
    springs_.push_back(std::move(out));
  }
  void add(const std::string& name, const mbd_solver::Bushing& law) {
    const auto [a, b] = ends(law.a, law.b, law.at);
    Json out = Json::object();
    out["name"] = name;
    out["a"] = place_json(a);
    out["b"] = place_json(b);
    bushings_.push_back(std::move(out));
  }
  void add(const std::string& name, const mbd_solver::Tyre& law) {
    const Place on = drawn_place(system_, law.on);
    hold(on);
    Json out = Json::object();
    out["name"] = name;
    out["on"] = place_json(on);
    out["radius"] = law.radius;
    wheels_.push_back(std::move(out));
  }
  void add(const std::string& name, const mbd_solver::RollingTyre& law) {
    const Place on = drawn_place(system_, law.on);
    hold(on);
    Json out = Json::object();
    out["name"] = name;
    out["on"] = place_json(on);
    out["radius"] = law.tyre->unloaded_radius();
    wheels_.push_back(std::move(out));
  }
  template <typename Other>
  void add(const std::string& /*name*/, const Other& /*law*/) {}

  Json body_json(const Body& body) {
    grow(body.position);
    Json out = Json::object();
    out["at"] = Json::list_of(body.position);
    out["turn"] = quaternion_json(body.orientation);
    if (const auto* flexible = std::get_if<Flexible>(&body.kind)) {
      for (const BodyNode& node : flexible->body->nodes)
        grow(body.position + body.orientation * node.position);
      if (!with_file_.contains(body.name) && has_few_nodes(*flexible))
        out["mesh"] = mesh_json(*flexible->body);
      return out;
    }
    const auto* rigid = std::get_if<RigidInertia>(&body.kind);
    const Eigen::Vector3d com = rigid ? rigid->com : Eigen::Vector3d(Eigen::Vector3d::Zero());
    std::vector<Eigen::Vector3d> places = places_[body.name];
    for (const auto& [name, marker] : body.markers) {
      const Eigen::Vector3d& position = marker.position;
      const bool is_new = std::none_of(places.begin(), places.end(), [&](const auto& q) {
        return (position - q).norm() < kPlaceTolerance;
      });
      if (is_new) places.push_back(position);
    }
    for (const Eigen::Vector3d& place : places)
      grow(body.position + body.orientation * place);
    Json bars = bars_json(com, places);
    Json box = rigid ? box_json(*rigid) : Json();
    if (!box.is_null()) {
      const double reach = 0.5 * std::sqrt(6.0 * rigid->inertia.trace() / rigid->mass);
      for (const double sign : {-1.0, 1.0})
        grow(body.position + body.orientation * com +
             Eigen::Vector3d::Constant(kCornerOfCube * sign * reach));
    }
    // a link of a planar mechanism is drawn as a bar, a body in space as a box with bars
    if (!box.is_null() && !(system_.planar && !bars.items().empty())) out["box"] = std::move(box);
    out["bars"] = std::move(bars);
    return out;
  }

  const System& system_;
  const std::set<std::string>& with_file_;
  std::map<std::string, std::vector<Eigen::Vector3d>> places_;
  Json springs_ = Json::list(), bushings_ = Json::list(), wheels_ = Json::list();
  Eigen::Vector3d low_ = Eigen::Vector3d::Constant(1e300);
  Eigen::Vector3d high_ = Eigen::Vector3d::Constant(-1e300);
};

}  // namespace

Json scene_place(const System& system, const std::string& name) {
  return place_json(drawn_place(system, name));
}

Json picture_of(const System& system, const std::set<std::string>& with_file) {
  return Painter(system, with_file).paint();
}

System with_motion(System system, const std::set<std::string>& with_file) {
  const bool is_all =
      system.outputs.empty();  // then the outputs already contain frames and modal coordinates
  std::vector<std::string> more;
  for (const Body& body : system.bodies) {
    if (!is_all) {
      more.push_back(body.name + "/position");
      if (!std::holds_alternative<mbd_solver::PointMass>(body.kind))
        more.push_back(body.name + "/orientation");
    }
    const auto* flexible = std::get_if<Flexible>(&body.kind);
    if (!flexible || flexible->body->mode_count() == 0) continue;
    if (!with_file.contains(body.name)) {
      if (has_few_nodes(*flexible)) {
        for (const BodyNode& node : flexible->body->nodes)
          more.push_back(to_text({body.name, std::to_string(node.id), "displacement", ""}));
      }
    } else if (!is_all && flexible->body->mode_count() <= kMostModes) {
      more.push_back(channel_text(body.name, "zeta"));
    }
  }
  if (is_all && !more.empty()) system.outputs = default_outputs(system);
  system.outputs.insert(system.outputs.end(), more.begin(), more.end());
  return system;
}

PictureSink::PictureSink(ResultRows& rows, const System& system, double expected_rows)
    : kept_(rows), outputs_(system.outputs), expected_rows_(expected_rows) {
  for (const Body& body : system.bodies)
    bodies_.insert(body.name);
}

// Whether a channel describes the motion of a body, such as "cab/position/x", "net/12/position/x",
// "chassis/zeta/3", "chassis/51/displacement/x".
bool PictureSink::is_motion(const std::string& channel) const {
  const ChannelName name = parse_channel(channel);
  if (name.component.empty()) return false;
  if (name.quantity == "displacement") return true;
  return (name.quantity == "position" || name.quantity == "orientation" ||
          name.quantity == "zeta") &&
         bodies_.contains(name.owner());
}

// Whether the outputs select a channel. The name of a body selects its frame, modal coordinates and
// gauges; a place ("chassis/2101") selects its position; any other name selects the channels that
// begin with it.
bool PictureSink::is_asked(const std::string& channel) const {
  // the default outputs contain no displacements
  if (outputs_.empty()) return channel.find("/displacement/") == std::string::npos;
  const bool is_strain = parse_channel(channel).quantity == "strain";
  return std::any_of(outputs_.begin(), outputs_.end(), [&](const std::string& each) {
    if (channel.rfind(each, 0) != 0) return false;
    const std::string_view rest = std::string_view(channel).substr(each.size());
    if (!rest.empty() && rest.front() != '/') return false;
    if (is_strain) return true;
    const auto depth = std::count(rest.begin(), rest.end(), '/');
    if (bodies_.contains(each)) return depth == 2;
    const bool is_place = depth == 2 && each.find('/') != std::string::npos;
    return !is_place || rest.rfind("/position/", 0) == 0;
  });
}

void PictureSink::begin(std::span<const mbd_solver::Channel> channels) {
  std::vector<mbd_solver::Channel> asked;
  std::vector<std::string> motion;
  bool all_asked = true;
  for (std::size_t c = 0; c < channels.size(); ++c) {
    const std::string& name = channels[c].name;
    const bool is_wanted = is_asked(name);
    if (is_wanted) {
      asked.push_back(channels[c]);
      asked_.push_back(c);
    }
    if (!is_motion(name)) continue;
    motion.push_back(name);
    motion_.push_back(c);
    all_asked = all_asked && is_wanted;
  }
  kept_.begin(asked);
  if (all_asked) motion_.clear();
  if (motion_.empty()) return;
  kept_.begin_picture(motion);
  const double most =
      std::min(kMostMotionRows, kMostMotionNumbers / static_cast<double>(motion_.size()));
  if (expected_rows_ > most && expected_rows_ < kCountable)
    stride_ = static_cast<std::int64_t>(std::ceil(expected_rows_ / most));
}

void PictureSink::append(double t, std::span<const double> values) {
  const auto take = [&](const std::vector<std::size_t>& columns) {
    row_.clear();
    for (const std::size_t c : columns)
      row_.push_back(values[c]);
  };
  take(asked_);
  kept_.append(t, row_);
  if (!motion_.empty() && rows_ % stride_ == 0) {
    take(motion_);
    kept_.append_picture(t, row_);
  }
  ++rows_;
}

}  // namespace femflex::tools
