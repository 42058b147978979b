// Resolves channel names: the quantities that outputs and formulas may read.
#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "femflex/errors.h"
#include "femflex/mbd_solver/outputs.h"
#include "femflex/nearest_name.h"

#include "spatial/compiler.h"
#include "spatial/joint_kinds.h"

namespace femflex::mbd_solver {

Probe Compiler::probe(const std::string& name, const std::string& user) {
  OutputPlan plan;
  expand_for(user, name, plan);
  if (plan.probes.size() != 1)
    throw ModelError(
        "not-one-channel",
        fmt::format(
            "{}: '{}' names {} channels; a formula needs one", user, name, plan.probes.size()));
  if (plan.probes.front().is_known_at_rows_only())
    throw ModelError("rows-only",
                     fmt::format("{}: '{}' is known at the rows of a run only", user, name),
                     {},
                     "ask for it among the outputs");
  reads_blocks_ = reads_blocks_ || plan.probes.front().what == Probe::What::block_output;
  return plan.probes.front();
}

/// The text of a channel, split at its slashes, for example "body/place/quantity/component".
struct Compiler::ChannelSpec {
  std::string text;
  std::vector<std::string> parts;

  std::string part(std::size_t k) const { return k < parts.size() ? parts[k] : std::string(); }
};

namespace {

/// A quantity of one object that a channel may read, with its unit and components.
struct ChannelRow {
  Probe::What what = Probe::What::time;
  int index = 0;
  const char* unit = "";
  std::vector<std::string> components = {""};  // default: a scalar, that is, one unnamed component
};

std::vector<std::string> xyz() {
  return {"x", "y", "z"};
}

/// Adds all components of a row, or only the wanted one. Returns whether a component was added.
bool add_row(const std::string& name,
             const ChannelRow& row,
             const std::string& wanted,
             OutputPlan& plan) {
  bool any = false;
  for (std::size_t c = 0; c < row.components.size(); ++c) {
    const std::string& component = row.components[c];
    if (!wanted.empty() && wanted != component) continue;
    any = true;
    plan.channels.push_back({component.empty() ? name : name + "/" + component, row.unit});
    plan.probes.push_back({row.what, row.index, static_cast<int>(c)});
  }
  return any;
}

struct Quantity {
  const char* name;
  Probe::What what;
  const char* unit;
};

constexpr std::array<Quantity, 5> kEnergyQuantities = {
    {{"kinetic", Probe::What::kinetic_energy, "J"},
     {"potential", Probe::What::potential_energy, "J"},
     {"elastic", Probe::What::strain_energy, "J"},
     {"work", Probe::What::input_work, "J"},
     {"total", Probe::What::total_energy, "J"}}};

constexpr std::array<Quantity, 9> kPlaceQuantities = {
    {{"position", Probe::What::position, "m"},
     {"orientation", Probe::What::orientation, ""},
     {"velocity", Probe::What::velocity, "m/s"},
     {"angular_velocity", Probe::What::angular_velocity, "rad/s"},
     {"acceleration", Probe::What::acceleration, "m/s^2"},
     {"angular_acceleration", Probe::What::angular_acceleration, "rad/s^2"},
     {"displacement", Probe::What::displacement, "m"},
     {"rotation", Probe::What::rotation, "rad"},
     {"left_out", Probe::What::left_out, "m"}}};

constexpr std::array<Quantity, 6> kJointQuantities = {
    {{"angle", Probe::What::joint_angle, "rad"},
     {"angle_rate", Probe::What::joint_angle_rate, "rad/s"},
     {"angle_acceleration", Probe::What::joint_angle_acceleration, "rad/s^2"},
     {"displacement", Probe::What::joint_displacement, "m"},
     {"displacement_rate", Probe::What::joint_displacement_rate, "m/s"},
     {"displacement_acceleration", Probe::What::joint_displacement_acceleration, "m/s^2"}}};

constexpr std::array<Quantity, 8> kModalQuantities = {
    {{"zeta", Probe::What::zeta, ""},
     {"zeta_dot", Probe::What::zeta_dot, "1/s"},
     {"zeta_ddot", Probe::What::zeta_ddot, "1/s^2"},
     {"eta", Probe::What::eta, ""},
     {"eta_dot", Probe::What::eta_dot, "1/s"},
     {"left_out_zeta", Probe::What::left_out_zeta, ""},
     {"left_out_energy", Probe::What::left_out_energy, "J"},
     {"left_out_share", Probe::What::left_out_share, ""}}};

struct WheelQuantity {
  const char* name;
  RollingTyreLaw::Shown shown;
  const char* unit;
};

constexpr std::array<WheelQuantity, 10> kWheelQuantities = {
    {{"fx", RollingTyreLaw::Shown::fx, "N"},
     {"fy", RollingTyreLaw::Shown::fy, "N"},
     {"fz", RollingTyreLaw::Shown::fz, "N"},
     {"mx", RollingTyreLaw::Shown::mx, "N m"},
     {"my", RollingTyreLaw::Shown::my, "N m"},
     {"mz", RollingTyreLaw::Shown::mz, "N m"},
     {"kappa", RollingTyreLaw::Shown::kappa, ""},
     {"alpha", RollingTyreLaw::Shown::alpha, "rad"},
     {"camber", RollingTyreLaw::Shown::camber, "rad"},
     {"radius", RollingTyreLaw::Shown::radius, "m"}}};

template <std::size_t n>
const Quantity* find_quantity(const std::array<Quantity, n>& table, const std::string& name) {
  const auto found =
      std::find_if(table.begin(), table.end(), [&](const Quantity& q) { return name == q.name; });
  return found == table.end() ? nullptr : &*found;
}

}  // namespace

void Compiler::expand(const std::string& text, OutputPlan& plan) {
  ChannelSpec spec{text, {}};
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t slash = std::min(text.find('/', from), text.size());
    spec.parts.push_back(text.substr(from, slash - from));
    from = slash + 1;
  }
  std::vector<std::string>& parts = spec.parts;
  if (parts.size() > 1 && parts.back().empty())
    throw ModelError("unknown-channel",
                     fmt::format("'{}' names nothing after the '/'", text),
                     {},
                     fmt::format("write '{}' for all of its channels, or one of them",
                                 text.substr(0, text.size() - 1)));
  if (parts.size() > 1 && bodies_.contains(parts[0] + "/" + parts[1])) {
    parts[0] += "/" + parts[1];
    parts.erase(parts.begin() + 1);
  }
  bool known = false;
  if (parts[0] == "energy")
    known = expand_energy(spec, plan);
  else if (const auto input = inputs_.find(text); input != inputs_.end())
    known = add_row(
        text, {Probe::What::input, input->second, unit_of_input(input->second), {""}}, "", plan);
  else if (text == "constraint_violation")
    known = add_row(text, {Probe::What::constraint_violation, 0, ""}, "", plan);
  else if (const auto joint = joints_.find(parts[0]); joint != joints_.end())
    known = expand_joint(spec, joint->second, plan);
  else if (const auto force = forces_.find(parts[0]); force != forces_.end())
    known = expand_force(spec, force->second, plan);
  else if (const auto block = blocks_.find(parts[0]); block != blocks_.end())
    known = expand_block(spec, block->second, plan);
  else if (const auto body = bodies_.find(parts[0]); body != bodies_.end())
    known = expand_body(spec, body->second, plan);
  if (!known) throw unknown_channel(spec);
}

void Compiler::expand_for(const std::string& user, const std::string& text, OutputPlan& plan) {
  try {
    expand(text, plan);
  } catch (const ModelError& error) {
    throw ModelError(error.code(), fmt::format("{}: {}", user, error.message()), {}, error.fix());
  }
}

/// The whole name of a channel whose part `wrong` is none of `names`, with the most similar of them
/// in its place: `did you mean 'dms/zeta/1'?`. Where none is similar, all of them.
std::string Compiler::whole_name(const ChannelSpec& spec,
                                 std::size_t wrong,
                                 const std::vector<std::string>& names) {
  const std::string nearest = nearest_name(spec.part(wrong), names);
  if (nearest.empty()) return femflex::suggestion(spec.part(wrong), names);
  std::vector<std::string> parts = spec.parts;
  parts[wrong] = nearest;
  return fmt::format("did you mean '{}'?", fmt::join(parts, "/"));
}

ModelError Compiler::unknown_channel(const ChannelSpec& spec) const {
  const std::string& object = spec.parts[0];
  std::string message = fmt::format("'{}' is not a channel of this system", spec.text);
  const std::vector<std::string> objects = names_of_objects();
  if (std::find(objects.begin(), objects.end(), object) == objects.end()) {
    if (std::any_of(system_.forces.begin(), system_.forces.end(), [&](const Force& force) {
          return force.name == object;
        }))
      return {"force-order",
              message + fmt::format(": force '{}' is defined after what reads it", object),
              {},
              fmt::format("define '{}' before the force that reads it; inputs and motions read no "
                          "forces",
                          object)};
    // in a formula a name alone may be a parameter that is not defined
    std::string fix = femflex::suggestion(object, objects);
    if (spec.parts.size() == 1) fix += "; a parameter is defined in \"parameters\"";
    if (spec.parts.size() > 1)
      message += fmt::format(": no body, joint, motion, force or block is called '{}'", object);
    return {"unknown-channel", message, {}, fix};
  }
  const std::vector<std::string> quantities = names_of_quantities(object);
  std::size_t wrong = 1;  // the part that is wrong
  while (wrong + 1 < spec.parts.size() && wrong < 3 && is_place_of(object, spec.parts[wrong]))
    ++wrong;
  const std::string word = spec.part(wrong);
  if (std::find(quantities.begin(), quantities.end(), word) == quantities.end())
    return {"unknown-channel", message, {}, whole_name(spec, wrong, quantities)};
  const std::string component = spec.part(wrong + 1);
  if (component.empty())
    return {"unknown-channel", message, {}, fmt::format("'{}' has no {}", object, word)};
  return {"unknown-channel",
          fmt::format("{}: {} has no component '{}'", message, word, component),
          {},
          "components are x, y, z (orientation: w, x, y, z), or the numbers of modes and states "
          "from 1 on; scalars have none"};
}

std::vector<std::string> Compiler::names_of_objects() const {
  std::vector<std::string> out = {"energy", "constraint_violation"};
  for (const auto* names : {&bodies_, &joints_, &forces_, &blocks_, &inputs_})
    for (const auto& entry : *names)
      out.push_back(entry.first);
  return out;
}

bool Compiler::is_place_of(const std::string& object, const std::string& place) const {
  if (!bodies_.contains(object)) return false;
  if (!place.empty() && place.find_first_not_of("0123456789") == std::string::npos) return true;
  const auto index = static_cast<std::size_t>(bodies_.find(object)->second);
  const bool is_ground = index == system_.bodies.size();
  const auto& markers = is_ground ? system_.ground_markers : system_.bodies[index].markers;
  return markers.contains(place);
}

std::vector<std::string> Compiler::names_of_quantities(const std::string& object) const {
  std::vector<std::string> out;
  const auto add = [&](const auto& table) {
    for (const auto& row : table)
      out.emplace_back(row.name);
  };
  if (object == "energy") add(kEnergyQuantities);
  if (const auto joint = joints_.find(object); joint != joints_.end()) {
    if (model_.joints[static_cast<std::size_t>(joint->second)].is_motion)
      return {"multiplier", "torque", "force"};
    out = {"reaction", "reaction_torque"};
    add(kJointQuantities);
  }
  if (const auto force = forces_.find(object); force != forces_.end()) {
    out = {"force", "value", "length", "angle", "state"};
    if (std::holds_alternative<RollingTyreLaw>(
            model_.forces[static_cast<std::size_t>(force->second)].law))
      out.emplace_back("wheel");
  }
  if (const auto block = blocks_.find(object); block != blocks_.end()) {
    out = model_.network.blocks[static_cast<std::size_t>(block->second)].output_names;
    out.emplace_back("state");
  }
  const auto body = bodies_.find(object);
  if (body == bodies_.end()) return out;
  add(kPlaceQuantities);
  const auto index = static_cast<std::size_t>(body->second);
  if (model_.bodies[index].kind == BodyModel::Kind::flexible) add(kModalQuantities);
  const bool is_ground = index == system_.bodies.size();
  for (const auto& marker : is_ground ? system_.ground_markers : system_.bodies[index].markers)
    out.push_back(marker.first);
  if (!is_ground)
    for (const BodySensor& sensor : system_.bodies[index].sensors)
      out.push_back(sensor.name);
  return out;
}

bool Compiler::expand_energy(const ChannelSpec& spec, OutputPlan& plan) const {
  bool any = false;
  for (const Quantity& q : kEnergyQuantities)
    if (spec.parts.size() == 1 || spec.parts[1] == q.name)
      any = add_row(fmt::format("energy/{}", q.name), {q.what, 0, q.unit}, spec.part(2), plan);
  return any;
}

bool Compiler::expand_joint(const ChannelSpec& spec, int index, OutputPlan& plan) {
  using What = Probe::What;
  const JointModel& j = model_.joints[static_cast<std::size_t>(index)];
  const std::string quantity =
      spec.part(1).empty() ? (j.is_motion ? "multiplier" : "reaction") : spec.part(1);
  const std::string name = spec.parts[0] + "/" + quantity;
  if (j.is_motion) {
    // the coordinate decides the unit; "force" and "torque" are other names of "multiplier"
    const std::vector<CoordinateTerm>& terms = j.rows.front().terms;
    const bool is_angle = !terms.empty() && terms.front().angle;
    if (quantity != "multiplier" && quantity != "torque" && quantity != "force") return false;
    return add_row(
        name, {What::motion_multiplier, index, is_angle ? "N m" : "N"}, spec.part(2), plan);
  }
  if (quantity == "reaction" || quantity == "reaction_torque") {
    if (!has_places(j.type)) return false;
    bool any = true;
    if (quantity == "reaction")
      any = add_row(name, {What::reaction_force, index, "N", xyz()}, spec.part(2), plan);
    if (quantity == "reaction_torque" || spec.parts.size() == 1)
      any = add_row(spec.parts[0] + "/reaction_torque",
                    {What::reaction_torque, index, "N m", xyz()},
                    spec.part(2),
                    plan);
    if (spec.parts.size() == 1) add_joint_coordinates(spec, index, plan);
    return any;
  }
  const Quantity* coordinate = find_quantity(kJointQuantities, quantity);
  if (coordinate == nullptr) return false;
  if (quantity.starts_with("angle")) track_angle(index, spec.text);
  return add_row(name, {coordinate->what, index, coordinate->unit}, spec.part(2), plan);
}

void Compiler::add_joint_coordinates(const ChannelSpec& spec, int index, OutputPlan& plan) {
  const JointType type = model_.joints[static_cast<std::size_t>(index)].type;
  const auto add = [&](const std::string& name) {
    const Quantity& q = *find_quantity(kJointQuantities, name);
    add_row(fmt::format("{}/{}", spec.text, name), {q.what, index, q.unit}, "", plan);
  };
  if (has_angle(type)) {
    track_angle(index, spec.text);
    add("angle");
    add("angle_rate");
  }
  if (has_displacement(type)) {
    add("displacement");
    add("displacement_rate");
  }
}

bool Compiler::expand_force(const ChannelSpec& spec, int index, OutputPlan& plan) const {
  using What = Probe::What;
  if (static_cast<std::size_t>(index) >=
      model_.forces.size())  // its name is known, its law not yet
    throw ModelError("force-loop",
                     fmt::format("'{}' reads a force that is itself being defined", spec.text),
                     {},
                     "read positions and velocities, or a lag block");
  const LawBase& law = model_.forces[static_cast<std::size_t>(index)].base();
  const std::string quantity = spec.part(1).empty() ? "force" : spec.part(1);
  const std::string name = spec.parts[0] + "/" + quantity;
  const char* length_unit = law.is_rotational ? "rad" : "m";
  if (quantity == "force") {
    if (!add_row(name, {What::force_vector, index, "N", xyz()}, spec.part(2), plan)) return false;
    if (law.shows_angle && spec.parts.size() == 1)
      add_row(spec.parts[0] + "/angle", {What::force_length, index, "rad"}, "", plan);
    return true;
  }
  if (std::holds_alternative<RollingTyreLaw>(model_.forces[static_cast<std::size_t>(index)].law) &&
      quantity == "wheel") {
    bool any = false;
    for (const auto& row : kWheelQuantities)
      if (spec.part(2).empty() || spec.part(2) == row.name) {
        plan.channels.push_back({fmt::format("{}/{}", name, row.name), row.unit});
        plan.probes.push_back({What::wheel, index, static_cast<int>(row.shown)});
        any = true;
      }
    return any;
  }
  if (quantity == "state" && law.state_count > 0) {
    std::vector<std::string> numbers;
    for (int k = 1; k <= law.state_count; ++k)
      numbers.push_back(std::to_string(k));
    return add_row(name, {What::force_state, index, "", std::move(numbers)}, spec.part(2), plan);
  }
  if (quantity == "value")
    return add_row(
        name, {What::force_value, index, law.is_rotational ? "N m" : "N"}, spec.part(2), plan);
  if (quantity == "length" || (quantity == "angle" && law.is_rotational))
    return add_row(name, {What::force_length, index, length_unit}, spec.part(2), plan);
  return false;
}

// "block"; "block/2" or "block/OUTPUT" if it has several outputs; "block/state/1"
bool Compiler::expand_block(const ChannelSpec& spec, int index, OutputPlan& plan) const {
  using What = Probe::What;
  const BlockModel& block = model_.network.blocks[static_cast<std::size_t>(index)];
  if (!block.output_names.empty()) {
    bool any = false;
    for (std::size_t k = 0; k < block.output_names.size(); ++k) {
      const std::string name = block.name + "/" + block.output_names[k];
      if (spec.parts.size() > 1 && spec.text != name) continue;
      plan.channels.push_back({name, block.output_units[k]});
      plan.probes.push_back({What::block_output, block.output0 + static_cast<int>(k), 0});
      any = true;
    }
    if (any) return true;
  }
  if (spec.part(1) == "state") {
    std::vector<std::string> numbers;
    for (int k = 1; k <= block.state_count; ++k)
      numbers.push_back(std::to_string(k));
    return add_row(
        block.name + "/state", {What::block_state, index, "", numbers}, spec.part(2), plan);
  }
  bool any = false;
  for (int k = 0; k < block.output_count; ++k) {
    const std::string number = block.output_count > 1 ? std::to_string(k + 1) : "";
    if (!spec.part(1).empty() && spec.part(1) != number) continue;
    plan.channels.push_back({number.empty() ? block.name : block.name + "/" + number, block.unit});
    plan.probes.push_back({What::block_output, block.output0 + k, 0});
    any = true;
  }
  return any;
}

bool Compiler::expand_body(const ChannelSpec& spec, int index, OutputPlan& plan) {
  const BodyModel& body = model_.bodies[static_cast<std::size_t>(index)];
  if (spec.parts.size() == 1) {
    const bool has_rotation = body.kind != BodyModel::Kind::point;
    expand(spec.text + "/position", plan);
    if (has_rotation) expand(spec.text + "/orientation", plan);
    expand(spec.text + "/velocity", plan);
    if (has_rotation) expand(spec.text + "/angular_velocity", plan);
    if (body.kind == BodyModel::Kind::flexible) {
      expand(spec.text + "/zeta", plan);
      if (model_.flexes[static_cast<std::size_t>(body.flex)].body->back)
        expand(spec.text + "/eta", plan);
    }
    expand_sensors(spec, index, plan);
    return true;
  }
  if (expand_sensors(spec, index, plan)) return true;
  if (find_quantity(kModalQuantities, spec.parts[1]) != nullptr)
    return expand_modes(spec, index, plan);
  return expand_place(spec, body, plan);
}

bool Compiler::expand_modes(const ChannelSpec& spec, int index, OutputPlan& plan) const {
  const BodyModel& body = model_.bodies[static_cast<std::size_t>(index)];
  const Quantity& q = *find_quantity(kModalQuantities, spec.parts[1]);
  if (body.kind != BodyModel::Kind::flexible)
    throw ModelError(
        "unknown-channel",
        fmt::format("'{}': body {} is not flexible and has no modes", spec.text, spec.parts[0]),
        {},
        "take the channel out of the outputs of this variant");
  const FlexModel& f = model_.flexes[static_cast<std::size_t>(body.flex)];
  if (q.what == Probe::What::left_out_energy || q.what == Probe::What::left_out_share)
    return add_row(spec.parts[0] + "/" + spec.parts[1], {q.what, index, q.unit}, "", plan);
  Eigen::Index count = f.X.rows();
  if (q.what == Probe::What::eta || q.what == Probe::What::eta_dot) {
    if (!f.body->back)
      throw ModelError(
          "no-back-transformation",
          fmt::format("'{}': {} does not hold the back transformation to the chosen modes",
                      spec.text,
                      body.name));
    count = f.body->back->V.rows();
  }
  std::vector<std::string> numbers;
  for (Eigen::Index k = 1; k <= count; ++k)
    numbers.push_back(std::to_string(k));
  return add_row(spec.parts[0] + "/" + spec.parts[1],
                 {q.what, index, q.unit, std::move(numbers)},
                 spec.part(2),
                 plan);
}

// body, body/sensor, body/sensor/quantity, body/sensor/quantity/component
bool Compiler::expand_sensors(const ChannelSpec& spec, int index, OutputPlan& plan) const {
  if (index >= static_cast<int>(system_.bodies.size())) return false;  // the ground
  bool any = false;
  int row = 0;
  for (const BodySensor& sensor : system_.bodies[static_cast<std::size_t>(index)].sensors) {
    const bool is_meant = (spec.part(1).empty() || spec.part(1) == sensor.name) &&
                          (spec.part(2).empty() || spec.part(2) == sensor.quantity);
    for (int k = 1; k <= static_cast<int>(sensor.rows.rows()); ++k, ++row) {
      if (!is_meant || (!spec.part(3).empty() && spec.part(3) != std::to_string(k))) continue;
      plan.channels.push_back(
          {fmt::format("{}/{}/{}/{}", spec.parts[0], sensor.name, sensor.quantity, k),
           sensor.unit});
      plan.probes.push_back({Probe::What::sensor, index, row});
      any = true;
    }
  }
  return any;
}

// body/quantity, body/place, body/place/quantity
bool Compiler::expand_place(const ChannelSpec& spec, const BodyModel& body, OutputPlan& plan) {
  std::size_t at = 1;
  std::string name = spec.parts[0];
  if (find_quantity(kPlaceQuantities, spec.parts[1]) == nullptr) {
    name += "/" + spec.parts[1];
    at = 2;
  }
  const BodyModel::Kind kind = body.kind;
  int marker = -1;
  try {
    marker = place(name, name);
  } catch (const ModelError& error) {
    if (error.code() == "unknown-marker") return false;
    throw ModelError("unknown-channel",
                     fmt::format("'{}' is not a channel: {}", spec.text, error.message()),
                     {},
                     error.fix());
  }
  const std::string quantity = spec.part(at).empty() ? "position" : spec.part(at);
  const Quantity* q = find_quantity(kPlaceQuantities, quantity);
  if (q == nullptr) return false;
  // a rigid body that replaces a flexible one keeps its channels; their values are zero
  const bool is_local = q->what == Probe::What::displacement || q->what == Probe::What::rotation ||
                        q->what == Probe::What::left_out;
  if (is_local && kind != BodyModel::Kind::flexible && kind != BodyModel::Kind::rigid) return false;
  const bool is_quaternion = q->what == Probe::What::orientation;
  return add_row(name + "/" + quantity,
                 {q->what,
                  marker,
                  q->unit,
                  is_quaternion ? std::vector<std::string>{"w", "x", "y", "z"} : xyz()},
                 spec.part(at + 1),
                 plan);
}

void Compiler::add_outputs() {
  const std::vector<std::string> outputs =
      system_.outputs.empty() ? default_outputs(system_) : system_.outputs;
  std::set<std::string> names;
  for (const std::string& spec : outputs) {
    OutputPlan plan;
    expand_for("outputs", spec, plan);
    for (std::size_t k = 0; k < plan.channels.size(); ++k) {
      if (!names.insert(plan.channels[k].name).second) continue;
      model_.outputs.channels.push_back(plan.channels[k]);
      model_.outputs.probes.push_back(plan.probes[k]);
    }
  }
}

}  // namespace femflex::mbd_solver
