#include <array>
#include <charconv>
#include <cmath>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "spatial/compiler.h"
#include "spatial/road.h"

namespace femflex::mbd_solver {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

void check_number(double value, const std::string& user, const char* what) {
  if (!std::isfinite(value))
    throw ModelError("not-finite", fmt::format("{}: {} is not finite", user, what));
}

}  // namespace

void Compiler::add_force(const Force& force) {
  const std::string user = fmt::format("force {}", force.name);
  if (force.name.empty() || bodies_.contains(force.name) || joints_.contains(force.name) ||
      !forces_.emplace(force.name, static_cast<int>(model_.forces.size())).second)
    throw ModelError("name-twice",
                     fmt::format("'{}' cannot name a force, or names two things", force.name));
  ForceModel f;
  f.name = force.name;
  const auto two_places = [&](const std::string& a, const std::string& b) {
    f.a = place(a, user);
    f.b = place(b, user);
    return (initial_frame(f.b).p - initial_frame(f.a).p).norm();
  };
  const auto vector = [&](const Value3& value) {
    for (std::size_t c = 0; c < 3; ++c)
      f.vector[c] = signal(value[c], user);
  };
  struct Visitor {
    Compiler& self;
    ForceModel& f;
    const std::string& user;
    const decltype(two_places)& places;
    const decltype(vector)& take_vector;

    void operator()(const PointForce& law) const {
      f.kind = ForceModel::Kind::point_force;
      one_sided(law.on, law.value, law.in_body_frame, law.reaction_on);
    }
    void operator()(const PointTorque& law) const {
      f.kind = ForceModel::Kind::point_torque;
      one_sided(law.on, law.value, law.in_body_frame, law.reaction_on);
    }
    void one_sided(const std::string& on,
                   const Value3& value,
                   bool in_body,
                   const std::string& other) const {
      f.b = self.place(on, user);
      f.in_body_frame = in_body;
      take_vector(value);
      if (!other.empty()) f.a = self.marker_at(self.place(other, user), self.initial_frame(f.b));
      for (const Signal& s : f.vector)
        f.stiff = f.stiff || !s.only_time();
    }
    void operator()(const SpringDamper& law) const {
      f.kind = ForceModel::Kind::spring_damper;
      const double initial = places(law.a, law.b);
      f.length = law.length ? *law.length : initial;
      check_number(f.length, user, "the free length");
      f.stiffness = self.signal(law.stiffness, user);
      f.damping = self.signal(law.damping, user);
      f.value = self.signal(law.force, user);
      check_number(law.quartic, user, "the quartic stiffness");
      f.quartic = law.quartic;
      f.tension_only = law.tension_only;
      if (law.curve) f.curve = curve_of(*law.curve, user);
      if (!law.law.empty()) f.law.emplace(law.law, std::vector<std::string>{"e", "L", "d"});
      f.growth = law.growth;
      if (law.damper_curve) f.damper_curve = curve_of(*law.damper_curve, user);
      if (!(law.break_force > 0.0) || std::isnan(law.break_elongation))
        throw ModelError("break", fmt::format("{}: a limit that no spring can meet", user));
      f.break_force = law.break_force;
      f.break_elongation = law.break_elongation;
      if (std::isfinite(f.break_force) || std::isfinite(f.break_elongation))
        f.broken = self.model_.turns++;
      f.stiff = true;
    }
    void operator()(const TorsionalSpring& law) const {
      f.kind = ForceModel::Kind::torsional;
      f.joint = self.joint_index(law.joint, user);
      self.track_angle(f.joint, user);
      f.a = self.model_.joints[static_cast<std::size_t>(f.joint)].legs[0];
      f.b = self.model_.joints[static_cast<std::size_t>(f.joint)].legs[1];
      f.stiffness = self.signal(law.stiffness, user);
      f.damping = self.signal(law.damping, user);
      f.value = self.signal(law.torque, user);
      f.length = law.free_angle;
      check_number(f.length, user, "the free angle");
      f.stiff = true;
    }
    void operator()(const Hinge& law) const { self.add_hinge(law, user, f); }
    void operator()(const Bushing& law) const {
      f.kind = ForceModel::Kind::bushing;
      const int a = self.place(law.a, user), b = self.place(law.b, user);
      WorldFrame frame = self.initial_frame(b);
      if (law.at) frame.p = *law.at;
      frame.R = law.axes;
      f.a = self.marker_at(a, frame);
      f.b = self.marker_at(b, frame);
      f.K = law.stiffness;
      f.C = law.damping;
      f.preload = law.preload;
      self.check_finite(f.K, user + ": stiffness");
      self.check_finite(f.C, user + ": damping");
      self.check_finite(f.preload, user + ": preload");
      f.stiff = true;
    }
    void operator()(const BumpStop& law) const {
      f.kind = ForceModel::Kind::bump_stop;
      places(law.a, law.b);
      f.min = law.min;
      f.max = law.max;
      if (!(law.min <= law.max))
        throw ModelError("bump-stop",
                         fmt::format("{}: min {} m lies above max {} m", user, law.min, law.max));
      f.stiffness.number = law.stiffness;
      f.damping.number = law.damping;
      check_number(law.stiffness + law.damping, user, "stiffness or damping");
      f.stiff = true;
    }
    void operator()(const Contact& law) const {
      f.kind = ForceModel::Kind::contact;
      f.b = self.place(law.on, user);
      const int plane = self.place(law.plane, user);
      WorldFrame frame = self.initial_frame(plane);
      if (law.normal) frame.R = frame_about(*law.normal);
      f.a = self.marker_at(plane, frame);
      f.stiffness.number = law.stiffness;
      f.damping.number = law.damping;
      f.exponent = law.exponent;
      check_number(law.stiffness + law.damping + law.exponent, user, "a number");
      f.stiff = true;
    }
    void operator()(const Tyre& law) const {
      f.kind = ForceModel::Kind::tyre;
      f.b = self.place(law.on, user);
      f.radius = law.radius;
      f.stiffness.number = law.stiffness;
      f.damping.number = law.damping;
      f.lifts_off = law.lifts_off;
      f.speed = law.speed;
      check_number(law.radius + law.stiffness + law.damping + law.speed, user, "a number");
      if (law.road.kind == Road::Kind::plane) f.road_height = self.signal(law.road.height, user);
      if (law.road.kind != Road::Kind::plane) f.road = self.profile(law.road, user);
      f.stiff = true;
    }
    void operator()(const ModalForce& law) const {
      f.kind = ForceModel::Kind::modal;
      f.body = self.body_index(law.body, user);
      const BodyModel& b = self.model_.bodies[static_cast<std::size_t>(f.body)];
      if (b.kind != BodyModel::Kind::flexible)
        throw ModelError("not-flexible", fmt::format("{}: {} has no modes", user, law.body));
      const FlexModel& flex = self.model_.flexes[static_cast<std::size_t>(b.flex)];
      if (law.load.size() != flex.X.rows())
        throw ModelError("mode-count",
                         fmt::format("{}: a load on {} modes, {} has {}",
                                     user,
                                     law.load.size(),
                                     law.body,
                                     flex.X.rows()));
      self.check_finite(law.load, user + ": load");
      f.load = flex.X.transpose() * law.load;
      f.value = self.signal(law.value, user);
    }
  };
  std::visit(Visitor{*this, f, user, two_places, vector}, force.law);
  std::vector<int> held = f.ends;
  held.insert(held.end(), {f.a, f.b});
  if (f.stiff)  // stiffness on nodes couples the modes
    for (const int m : held)
      if (m >= 0 && model_.markers[static_cast<std::size_t>(m)].on_node)
        model_.bodies[static_cast<std::size_t>(model_.markers[static_cast<std::size_t>(m)].body)]
            .dense_modes = true;
  model_.forces.push_back(std::move(f));
}

laws::Curve curve_of(const Table& table, const std::string& user) {
  const bool is_akima = table.interpolation == Table::Interpolation::akima;
  return {table.x,
          table.y,
          is_akima ? laws::Curve::Kind::akima : laws::Curve::Kind::linear,
          laws::Curve::Beyond::extrapolate,
          user};
}

std::shared_ptr<const laws::Curve> Compiler::profile(const Road& road, const std::string& user) {
  if (road.kind == Road::Kind::profile)
    return std::make_shared<laws::Curve>(curve_of(road.profile, user));
  std::shared_ptr<const laws::Curve>& made = made_roads_[{road.iso_class, road.seed, road.length}];
  if (!made)
    made = std::make_shared<laws::Curve>(
        curve_of(iso8608_profile(road.iso_class, road.seed, road.length), user));
  return made;
}

Signal Compiler::signal(const Value& value, const std::string& user) {
  Signal s;
  s.number = value.number;
  if (value.is_number()) {
    check_number(value.number, user, "a value");
    return s;
  }
  std::vector<std::string> variables = {"t"};
  s.probes.push_back({});
  for (const std::string& name : laws::Formula::names_in(value.expression)) {
    if (name == "t") continue;
    variables.push_back(name);
    s.probes.push_back(probe(name, user));
  }
  s.formula.emplace(value.expression, std::move(variables));
  return s;
}

Probe Compiler::probe(const std::string& name, const std::string& user) {
  std::vector<Channel> channels;
  std::vector<Probe> probes;
  try {
    expand(name, channels, probes);
  } catch (const ModelError& error) {
    throw ModelError(error.code(), fmt::format("{}: {}", user, error.message()));
  }
  if (probes.size() != 1)
    throw ModelError(
        "not-one-channel",
        fmt::format(
            "{}: '{}' stands for {} channels; a formula needs one", user, name, probes.size()));
  return probes.front();
}

void Compiler::expand(const std::string& spec,
                      std::vector<Channel>& channels,
                      std::vector<Probe>& probes) {
  std::vector<std::string> parts;
  for (std::size_t from = 0; from <= spec.size();) {
    const std::size_t slash = std::min(spec.find('/', from), spec.size());
    parts.push_back(spec.substr(from, slash - from));
    from = slash + 1;
  }
  if (parts.size() > 1 && bodies_.contains(parts[0] + "/" + parts[1])) {
    parts[0] += "/" + parts[1];
    parts.erase(parts.begin() + 1);
  }
  using What = Probe::What;
  const auto unknown = [&]() -> ModelError {
    return {"unknown-channel", fmt::format("'{}' is no channel of this system", spec)};
  };
  const auto emit = [&](const std::string& base,
                        What what,
                        int index,
                        const std::vector<std::string>& components,
                        const std::string& unit,
                        const std::string& wanted) {
    bool any = false;
    for (std::size_t c = 0; c < components.size(); ++c) {
      if (!wanted.empty() && wanted != components[c]) continue;
      any = true;
      channels.push_back({components[c].empty() ? base : base + "/" + components[c], unit});
      probes.push_back({what, index, static_cast<int>(c)});
    }
    if (!any) throw unknown();
  };
  const std::vector<std::string> xyz = {"x", "y", "z"}, one = {""};
  const auto part = [&](std::size_t k) { return k < parts.size() ? parts[k] : std::string(); };
  if (parts[0] == "energy") {
    for (const auto& [name, what] :
         std::initializer_list<std::pair<const char*, What>>{{"kinetic", What::kinetic_energy},
                                                             {"potential", What::potential_energy},
                                                             {"elastic", What::strain_energy},
                                                             {"work", What::input_work},
                                                             {"total", What::total_energy}})
      if (parts.size() == 1 || parts[1] == name)
        emit("energy/" + std::string(name), what, 0, one, "J", "");
    if (probes.empty()) throw unknown();
    return;
  }
  if (spec == "constraint_violation") return emit(spec, What::constraint_violation, 0, one, "", "");
  if (const auto joint = joints_.find(parts[0]); joint != joints_.end()) {
    const int index = joint->second;
    const JointModel& j = model_.joints[static_cast<std::size_t>(index)];
    const std::string quantity =
        part(1).empty() ? (j.is_motion ? "multiplier" : "reaction") : part(1);
    const std::string base = parts[0] + "/" + quantity;
    if ((quantity == "reaction" || quantity == "reaction_torque") && !j.is_motion &&
        j.type != JointType::gear) {
      if (quantity == "reaction") emit(base, What::reaction_force, index, xyz, "N", part(2));
      if (quantity == "reaction_torque" || parts.size() == 1)
        emit(parts[0] + "/reaction_torque", What::reaction_torque, index, xyz, "N m", part(2));
      return;
    }
    if ((quantity == "angle" || quantity == "angle_rate") && !j.is_motion) {
      track_angle(index, spec);
      return emit(base,
                  quantity == "angle" ? What::joint_angle : What::joint_angle_rate,
                  index,
                  one,
                  quantity == "angle" ? "rad" : "rad/s",
                  "");
    }
    if ((quantity == "displacement" || quantity == "displacement_rate") && !j.is_motion)
      return emit(
          base,
          quantity == "displacement" ? What::joint_displacement : What::joint_displacement_rate,
          index,
          one,
          quantity == "displacement" ? "m" : "m/s",
          "");
    if (quantity == "multiplier" || quantity == "torque" || quantity == "force") {
      // an angle is held by a torque, however the channel is named
      const std::vector<CoordinateTerm>& terms = j.rows.front().terms;
      const bool turns =
          quantity == "torque" || (j.is_motion && !terms.empty() && terms.front().angle);
      return emit(base, What::motion_multiplier, index, one, turns ? "N m" : "N", "");
    }
    throw unknown();
  }
  if (const auto force = forces_.find(parts[0]); force != forces_.end()) {
    const std::string quantity = part(1).empty() ? "force" : part(1);
    const std::string base = parts[0] + "/" + quantity;
    const ForceModel::Kind kind = model_.forces[static_cast<std::size_t>(force->second)].kind;
    const bool is_hinge = kind == ForceModel::Kind::hinge;
    const bool turns = is_hinge || kind == ForceModel::Kind::torsional;
    if (quantity == "force") {
      emit(base, What::force_vector, force->second, xyz, "N", part(2));
      if (is_hinge && parts.size() == 1)
        emit(parts[0] + "/angle", What::force_length, force->second, one, "rad", "");
      return;
    }
    if (quantity == "value")
      return emit(base, What::force_value, force->second, one, turns ? "N m" : "N", "");
    if (quantity == "angle" && turns)
      return emit(base, What::force_length, force->second, one, "rad", "");
    if (quantity == "length")
      return emit(base, What::force_length, force->second, one, turns ? "rad" : "m", "");
    throw unknown();
  }
  const auto found = bodies_.find(parts[0]);
  if (found == bodies_.end()) throw unknown();
  const BodyModel& body = model_.bodies[static_cast<std::size_t>(found->second)];
  struct Quantity {
    const char* name;
    What what;
    const char* unit;
  };
  static constexpr std::array<Quantity, 8> kPlace = {
      {{"position", What::position, "m"},
       {"orientation", What::orientation, ""},
       {"velocity", What::velocity, "m/s"},
       {"angular_velocity", What::angular_velocity, "rad/s"},
       {"acceleration", What::acceleration, "m/s^2"},
       {"angular_acceleration", What::angular_acceleration, "rad/s^2"},
       {"displacement", What::displacement, "m"},
       {"rotation", What::rotation, "rad"}}};
  static constexpr std::array<Quantity, 5> kModal = {{{"zeta", What::zeta, ""},
                                                      {"zeta_dot", What::zeta_dot, "1/s"},
                                                      {"zeta_ddot", What::zeta_ddot, "1/s^2"},
                                                      {"eta", What::eta, ""},
                                                      {"eta_dot", What::eta_dot, "1/s"}}};
  if (parts.size() == 1) {
    expand(spec + "/position", channels, probes);
    if (body.kind != BodyModel::Kind::point) expand(spec + "/orientation", channels, probes);
    expand(spec + "/velocity", channels, probes);
    if (body.kind != BodyModel::Kind::point) expand(spec + "/angular_velocity", channels, probes);
    if (body.kind == BodyModel::Kind::flexible) {
      expand(spec + "/zeta", channels, probes);
      if (model_.flexes[static_cast<std::size_t>(body.flex)].body->back)
        expand(spec + "/eta", channels, probes);
    }
    return;
  }
  for (const Quantity& q : kModal) {
    if (parts[1] != q.name) continue;
    if (body.kind != BodyModel::Kind::flexible)
      throw ModelError(
          "unknown-channel",
          fmt::format("'{}': body {} is not flexible and has no modes", spec, parts[0]),
          {},
          "take the channel out of the outputs of this variant");
    const FlexModel& f = model_.flexes[static_cast<std::size_t>(body.flex)];
    Eigen::Index count = f.X.rows();
    if (q.what == What::eta || q.what == What::eta_dot) {
      if (!f.body->back)
        throw ModelError(
            "no-back-transformation",
            fmt::format(
                "'{}': {} does not hold the way back to the chosen modes", spec, body.name));
      count = f.body->back->V.rows();
    }
    std::vector<std::string> names;
    for (Eigen::Index k = 1; k <= count; ++k)
      names.push_back(std::to_string(k));
    return emit(parts[0] + "/" + parts[1], q.what, found->second, names, q.unit, part(2));
  }
  // body/quantity, body/place, body/place/quantity
  std::size_t at = 1;
  std::string place_name = parts[0];
  const auto is_quantity = [&](const std::string& name) {
    for (const Quantity& q : kPlace)
      if (name == q.name) return true;
    return false;
  };
  if (!is_quantity(parts[1])) {
    place_name += "/" + parts[1];
    at = 2;
  }
  int marker = -1;
  try {
    marker = place(place_name, "outputs");
  } catch (const ModelError& error) {
    throw ModelError("unknown-channel",
                     fmt::format("'{}' is no channel: {}", spec, error.message()));
  }
  const std::string quantity = part(at).empty() ? "position" : part(at);
  for (const Quantity& q : kPlace) {
    if (quantity != q.name) continue;
    const bool local = q.what == What::displacement || q.what == What::rotation;
    // a rigid body keeps the channels of the flexible one that it stands for: they are zero
    if (local && body.kind != BodyModel::Kind::flexible && body.kind != BodyModel::Kind::rigid)
      throw unknown();
    return emit(place_name + "/" + quantity,
                q.what,
                marker,
                q.what == What::orientation ? std::vector<std::string>{"w", "x", "y", "z"} : xyz,
                q.unit,
                part(at + 1));
  }
  throw unknown();
}

void Compiler::add_outputs() {
  std::vector<std::string> outputs = system_.outputs;
  if (outputs.empty()) {
    for (const Body& body : system_.bodies)
      outputs.push_back(body.name);
    for (const Joint& joint : system_.joints)
      if (joint.type != JointType::gear) outputs.push_back(joint.name);
    for (const Motion& motion : system_.motions)
      outputs.push_back(motion.name);
    outputs.emplace_back("energy");
  }
  std::set<std::string> names;
  for (const std::string& spec : outputs) {
    std::vector<Channel> channels;
    std::vector<Probe> probes;
    expand(spec, channels, probes);
    for (std::size_t k = 0; k < channels.size(); ++k) {
      if (!names.insert(channels[k].name).second) continue;
      model_.outputs.channels.push_back(channels[k]);
      model_.outputs.probes.push_back(probes[k]);
    }
  }
}

}  // namespace femflex::mbd_solver
