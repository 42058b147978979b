#include <array>
#include <charconv>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "spatial/compiler.h"
#include "spatial/road.h"

namespace femflex::mbd_solver {

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
    return {"unknown-channel", fmt::format("'{}' is not a channel of this system", spec)};
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
                     fmt::format("'{}' is not a channel: {}", spec, error.message()));
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
