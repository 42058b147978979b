// Checks the document against its schema, then reads it section by section. Bodies, forces and
// lattices have their own files (system_bodies.cpp, system_forces.cpp, system_lattice.cpp).
#include "system/system_json.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/mbd_solver/joint_types.h"
#include "femflex/mbd_solver/outputs.h"

#include "document/nearest_name.h"
#include "document/schema.h"
#include "system/fmu_block.h"
#include "system/loaded_system.h"
#include "system/node_lists.h"
#include "system/system_lattice.h"
#include "system/system_reader.h"
#include "system/system_road.h"

namespace femflex::tools {
namespace {

// Adds the node that a name refers to: "chassis/2101/position" to node 2101 of "chassis".
void note_node(std::string_view name, NamedNodes& nodes) {
  const std::size_t slash = name.find('/');
  if (slash == std::string_view::npos) return;
  std::int64_t node = 0;
  const char* const name_end = name.data() + name.size();
  const auto [end, fault] = std::from_chars(name.data() + slash + 1, name_end, node);
  if (fault == std::errc() && (end == name_end || *end == '/'))
    nodes[std::string(name.substr(0, slash))].insert(node);
}

// Collects nodes from texts, which are names, or formulas with names in brackets.
void collect_nodes(const Json& value, NamedNodes& nodes) {
  if (value.is_list()) {
    for (const Json& item : value.items())
      collect_nodes(item, nodes);
  } else if (value.is_object()) {
    for (const Json::Member& member : value.members()) {
      if (member.key == "node" && member.value.is_number()) continue;
      collect_nodes(member.value, nodes);
    }
  } else if (value.is_text()) {
    const std::string_view text = value.text();
    note_node(text, nodes);
    std::size_t open = text.find('[');
    while (open != std::string_view::npos) {
      const std::size_t close = text.find(']', open);
      if (close == std::string_view::npos) return;
      note_node(text.substr(open + 1, close - open - 1), nodes);
      open = text.find('[', close);
    }
  }
}

// Collects the nodes to which markers are fixed.
void collect_marker_nodes(const Json& bodies, const SystemReader& in, NamedNodes& nodes) {
  for (const Json::Member& body : bodies.members()) {
    const Json* markers = body.value.find("markers");
    if (markers == nullptr || !markers->is_object()) continue;
    for (const Json::Member& marker : markers->members()) {
      const Json* node = marker.value.find("node");
      if (node != nullptr) nodes[body.key].insert(in.whole(*node, 0));
    }
  }
}

// The integer at `key`, at least 1; `fallback` if the key is missing.
int analysis_count(ObjectReader& reader,
                   const SystemReader& in,
                   std::string_view key,
                   int fallback) {
  constexpr std::int64_t kMost = 1'000'000'000;
  const Json* found = reader.find(key);
  return found == nullptr ? fallback : static_cast<int>(in.whole(*found, 1, kMost));
}

/// @throws ParseError  a time step is not above 0
void need_step(ObjectReader& reader, std::string_view key, double step) {
  if (!(step > 0.0))
    reader.need(key).fail(
        "bad-option", fmt::format("{} is {} s", key, step), "give a time above 0");
}

/// @throws ParseError  the end is not after the start
void need_duration(const ObjectReader& reader, const mbd_solver::DynamicOptions& options) {
  if (!(options.end > options.start))
    reader.value().fail(
        "no-time",
        fmt::format("the analysis ends at {} s and starts at {} s", options.end, options.start),
        "set \"end\"");
}

mbd_solver::DynamicOptions read_dynamic(ObjectReader& reader, const SystemReader& in) {
  mbd_solver::DynamicOptions out;
  out.start = in.number(reader, "start", out.start, in.time());
  out.end = in.number(reader, "end", out.end, in.time());
  out.step = in.number(reader, "step", out.step, in.time());
  out.output_step = in.number(reader, "output_step", out.output_step, in.time());
  out.rho = in.number(reader, "rho", out.rho);
  if (const Json* name = reader.find("integrator"); name != nullptr)
    out.integrator = mbd_solver::parse_integrator(choice(*name, mbd_solver::integrator_names()));
  out.adaptive = reader.boolean("adaptive", out.adaptive);
  out.max_step = in.number(reader, "max_step", out.max_step, in.time());
  out.min_step = in.number(reader, "min_step", out.min_step, in.time());
  out.relative_tolerance = in.number(reader, "relative_tolerance", out.relative_tolerance);
  out.absolute_tolerance = in.number(reader, "absolute_tolerance", out.absolute_tolerance);
  out.newton_tolerance = in.number(reader, "newton_tolerance", out.newton_tolerance);
  out.max_order = analysis_count(reader, in, "max_order", out.max_order);
  out.baumgarte = in.number(reader, "baumgarte", out.baumgarte, 1.0 / in.time());
  out.assemble = reader.boolean("assemble", out.assemble);
  need_step(reader, "step", out.step);
  need_duration(reader, out);
  return out;
}

// Rows where no step is asked for.
constexpr double kDrivenRows = 100.0;

/// @param begins  [s] where the analysis before it ends, or 0
mbd_solver::DynamicOptions read_driven(ObjectReader& reader,
                                       const SystemReader& in,
                                       double begins,
                                       bool is_first) {
  mbd_solver::DynamicOptions out;
  out.start = in.number(reader, "start", begins, in.time());
  if (!is_first && out.start != begins)
    reader.need("start").fail(
        "no-time",
        fmt::format(
            "the analysis starts at {} s, but the one before it ends at {} s", out.start, begins),
        "leave \"start\" out: each analysis goes on where the one before it ended");
  out.end = in.number(reader, "end", out.end, in.time());
  need_duration(reader, out);
  out.output_step =
      in.number(reader, "output_step", (out.end - out.start) / kDrivenRows, in.time());
  need_step(reader, "output_step", out.output_step);
  return out;
}

void read_equilibrium(ObjectReader& reader,
                      const Json& value,
                      const SystemReader& in,
                      mbd_solver::StaticOptions& out) {
  out.tolerance = in.number(reader, "tolerance", out.tolerance);
  if (!(out.tolerance > 0.0))
    value.fail(
        "bad-option", fmt::format("a tolerance of {}", out.tolerance), "give a number above 0");
  out.max_iterations = analysis_count(reader, in, "max_iterations", out.max_iterations);
}

/// @param before  the one before it that goes over time, or null
Analysis read_analysis(const Json& value, const SystemReader& in, const Analysis* before) {
  ObjectReader reader(value, "analysis");
  Analysis out;
  const std::string type =
      choice(reader.need("type"), {"static", "modal", "dynamic", "kinematics", "quasi-static"});
  if (type == "dynamic") {
    out.type = Analysis::Type::dynamic;
    out.dynamic = read_dynamic(reader, in);
    out.keep_states = reader.boolean("keep_states", false);
  } else if (type == "static") {
    out.type = Analysis::Type::static_;
    out.statics.time = in.number(reader, "time", 0.0, in.time());
    read_equilibrium(reader, value, in, out.statics);
    out.statics.assemble = reader.boolean("assemble", true);
  } else if (type == "kinematics" || type == "quasi-static") {
    const bool is_kinematic = type == "kinematics";
    out.type = is_kinematic ? Analysis::Type::kinematic : Analysis::Type::quasi_static;
    out.dynamic =
        read_driven(reader, in, before != nullptr ? before->dynamic.end : 0.0, before == nullptr);
    if (!is_kinematic) read_equilibrium(reader, value, in, out.statics);
  } else {
    out.type = Analysis::Type::modal;
    if (const Json* limit = reader.find("up_to"); limit != nullptr)
      out.up_to_hz = in.with_unit(*limit, "Hz");
  }
  reader.finish();
  return out;
}

/// Reads the analyses. Each starts where the one before it ended.
std::vector<Analysis> read_analyses(const Json& list, const SystemReader& in) {
  std::vector<Analysis> out;
  for (const Json& value : list.items()) {
    const auto before = std::find_if(out.rbegin(), out.rend(), goes_over_time);
    Analysis next = read_analysis(value, in, before != out.rend() ? &*before : nullptr);
    if (next.type == Analysis::Type::dynamic && before != out.rend() &&
        !(next.dynamic.end > before->dynamic.end))
      value.fail("no-time",
                 fmt::format("the analysis ends at {} s, but the one before it goes to {} s",
                             next.dynamic.end,
                             before->dynamic.end),
                 "\"end\" is a time, not a length: set a later one");
    out.push_back(std::move(next));
  }
  return out;
}

// Checks that a place exists: "ground", "body", "body/marker" or "body/node".
void check_place(const mbd_solver::System& system, const Json& entry, const char* key) {
  const Json* place = entry.find(key);
  if (place == nullptr || !place->is_text()) return;
  const std::string name = place->text().substr(0, place->text().find('/'));
  if (name == "ground" || system.find_body(name) != nullptr) return;
  std::vector<std::string> names{"ground"};
  for (const mbd_solver::Body& body : system.bodies) {
    names.push_back(body.name.substr(0, body.name.find('/')));
    if (names.back() != name) continue;  // the body is not a mass of a lattice named `name`
    if (system.find_body(place->text()) != nullptr) return;
    place->fail("no-such-node",
                fmt::format("'{}' is not a node of the lattice '{}'", place->text(), name),
                fmt::format("a node is called '{}/NUMBER'", name));
  }
  place->fail("no-such-body", fmt::format("no body '{}'", name), suggestion(name, names));
}

// The default outputs of a system with lattices: of the masses of a lattice position and velocity
// alone, and no reactions of the joints that hold them.
std::vector<std::string> outputs_with_lattices(const mbd_solver::System& system) {
  std::vector<std::string> out;
  for (const std::string& name : default_outputs(system)) {
    if (name.find(".held_") != std::string::npos) continue;
    if (system.find_body(name) == nullptr || name.find('/') == std::string::npos)
      out.push_back(name);
    else
      out.insert(out.end(), {name + "/position", name + "/velocity"});
  }
  return out;
}

const std::vector<Json::Member>& members_of(const Json* value) {
  static const std::vector<Json::Member> none;
  return value == nullptr ? none : value->members();
}

/// Reads bodies and lattices. Returns the names of the lattices.
std::set<std::string, std::less<>> read_bodies(const Json& bodies,
                                               NamedNodes& nodes,
                                               mbd_solver::System& system,
                                               SystemReader& in) {
  std::set<std::string, std::less<>> lattices;
  for (const Json::Member& body : bodies.members()) {
    if (body.key.find('/') != std::string::npos || body.key == "ground")
      throw ParseError(
          "body-name", fmt::format("'{}' cannot be the name of a body", body.key), body.where);
    if (body.value.is_object() && body.value.find("lattice") != nullptr) {
      lattices.insert(body.key);
      add_lattice(body.key, body.value, nodes[body.key], system, in);
    } else {
      system.bodies.push_back(read_body_entry(body.key, body.value, nodes[body.key], in));
    }
  }
  return lattices;
}

/// Reads an entry of "inputs": a value, or an object with value, unit, limits and description.
mbd_solver::Input read_input(const Json::Member& member, const SystemReader& in) {
  mbd_solver::Input out;
  out.name = member.key;
  if (in.has_parameter(member.key))
    throw ParseError("input",
                     fmt::format("'{}' names an input and a parameter", member.key),
                     member.where,
                     "rename one of them: formulas take a name for the parameter");
  if (!member.value.is_object()) {
    out.value = in.value(member.value);
    return out;
  }
  ObjectReader reader(member.value, fmt::format("input '{}'", member.key));
  out.unit = reader.text("unit", "");
  out.description = reader.text("description", "");
  out.value = in.value(reader, "value", 0.0);
  out.is_parameter = reader.boolean("parameter", false);
  out.min = in.maybe(reader, "min");
  out.max = in.maybe(reader, "max");
  reader.finish();
  if (out.is_parameter && !out.value.is_number())
    member.value.fail("input",
                      fmt::format("input '{}': the value of a parameter changes", out.name),
                      "give a number, or leave \"parameter\" out");
  if (out.min && out.max && *out.min > *out.max)
    member.value.fail("input", fmt::format("input '{}': min is above max", out.name));
  return out;
}

/// Adds the channels listed in `outputs`; the name of a lattice selects all its moving nodes.
void read_outputs(const Json& outputs,
                  const std::set<std::string, std::less<>>& lattices,
                  mbd_solver::System& system) {
  for (const Json& output : outputs.items()) {
    if (!lattices.contains(output.text())) {
      system.outputs.push_back(output.text());
      continue;
    }
    for (const mbd_solver::Body& body : system.bodies)
      if (body.name.starts_with(output.text() + "/"))
        for (const char* what : {"/position", "/velocity"})
          system.outputs.push_back(body.name + what);
  }
}

/// Gear ratios between a turning and a sliding joint are per unit of length of the document: makes
/// them per metre.
/// @param length  the document's unit of length [m]
void convert_gear_ratios(mbd_solver::System& system, double length) {
  const auto unit_of = [&](const std::string& joint) {
    const auto found = std::find_if(
        system.joints.begin(), system.joints.end(), [&](const mbd_solver::Joint& each) {
          return each.name == joint;
        });
    return found != system.joints.end() && only_slides(found->type) ? length : 1.0;
  };
  for (mbd_solver::Joint& gear : system.joints) {
    if (gear.type != mbd_solver::JointType::gear) continue;
    gear.ratio *= unit_of(gear.joint_a) / unit_of(gear.joint_b);
    if (!gear.joint_c.empty()) gear.ratio_c *= unit_of(gear.joint_a) / unit_of(gear.joint_c);
  }
}

/// The sections of a system document that list its objects; null where a section is missing.
struct SystemSections {
  const Json& bodies;
  const Json* joints;
  const Json* motions;
  const Json* forces;
  const Json* blocks;
  const Json* inputs;
  const Json* outputs;
  const Json* gravity;
};

/// Reads the objects in the order in which they refer to each other.
void read_objects(const SystemSections& sections,
                  const SystemRoad& road,
                  SystemReader& in,
                  mbd_solver::System& system) {
  const Json listed =
      sections.forces != nullptr ? with_nodes_written_out(*sections.forces) : Json();
  const Json* forces = sections.forces != nullptr ? &listed : nullptr;
  NamedNodes nodes;
  for (const Json* part : {sections.joints,
                           sections.motions,
                           forces,
                           sections.blocks,
                           sections.inputs,
                           sections.outputs,
                           sections.gravity}) {
    if (part != nullptr) collect_nodes(*part, nodes);
  }
  collect_marker_nodes(sections.bodies, in, nodes);
  const std::set<std::string, std::less<>> lattices =
      read_bodies(sections.bodies, nodes, system, in);
  for (const Json::Member& joint : members_of(sections.joints)) {
    for (const char* key : {"a", "b"})
      check_place(system, joint.value, key);
    system.joints.push_back(read_joint(joint.key, joint.value, in));
  }
  convert_gear_ratios(system, in.length());
  for (const std::string& name : lattices)
    check_hub(name, *sections.bodies.find(name), system);
  for (const Json::Member& motion : members_of(sections.motions)) {
    check_place(system, motion.value, "on");
    system.motions.push_back(read_motion(motion.key, motion.value, in));
  }
  for (const Json::Member& force : members_of(forces)) {
    for (const char* key : {"a", "b", "on", "plane", "sphere", "cylinder"})
      check_place(system, force.value, key);
    system.forces.push_back(read_force(force.key, force.value, road, system, in));
  }
  for (const Json::Member& block : members_of(sections.blocks))
    system.blocks.push_back(read_block(block.key, block.value, in));
  for (const Json::Member& given : members_of(sections.inputs))
    system.inputs.push_back(read_input(given, in));
  if (sections.outputs != nullptr) read_outputs(*sections.outputs, lattices, system);
  if (sections.outputs == nullptr && !lattices.empty())
    system.outputs = outputs_with_lattices(system);
}

}  // namespace

SystemDocument read_system(const DocumentInput& input,
                           const DocumentOptions& options,
                           Diagnostics& diagnostics,
                           Progress& progress) {
  return read_loaded_system(
      load_document(input, options), input, options, nullptr, diagnostics, progress);
}

SystemDocument read_loaded_system(const Json& document,
                                  const DocumentInput& input,
                                  const DocumentOptions& options,
                                  ReadCache* cache,
                                  Diagnostics& diagnostics,
                                  Progress& progress) {
  ObjectReader reader(document, "system");
  for (const char* known : {"$schema", "units", "parameters", "limits", "variants"})
    static_cast<void>(reader.find(known));
  if (const Json* version = reader.find("femflex"); version != nullptr && version->number() != 1)
    version->fail(
        "version", "a system file of another version", "this program reads \"femflex\": 1");
  check_against(system_schema(), document, "system");  // before any file that it refers to is
                                                       // opened
  const auto* path = std::get_if<std::filesystem::path>(&input);
  SystemReader in(
      document,
      path != nullptr ? path->parent_path() : std::get<const DocumentValue*>(input)->folder,
      diagnostics,
      progress,
      cache);
  if (path == nullptr) in.add_parts(std::get<const DocumentValue*>(input)->parts);
  for (const DocumentChange& change : options.sets)
    in.add_parts(change.parts);
  SystemDocument out;
  mbd_solver::System& system = out.system;
  system.name = reader.text("name", path != nullptr ? path->stem().string() : "system");
  static_cast<void>(reader.find("planar"));
  system.planar = in.planar();
  if (const Json* gravity = reader.find("gravity"); gravity != nullptr)
    system.gravity = in.value3(*gravity, in.length() / (in.time() * in.time()));
  SystemRoad road;
  if (const Json* value = reader.find("road"); value != nullptr) road = SystemRoad(*value, in);
  if (const Json* ground = reader.find("ground"); ground != nullptr) {
    ObjectReader inner(*ground, "ground");
    if (const Json* markers = inner.find("markers"); markers != nullptr)
      system.ground_markers = read_markers(*markers, in);
    inner.finish();
  }
  const SystemSections sections{reader.need("bodies"),
                                reader.find("joints"),
                                reader.find("motions"),
                                reader.find("forces"),
                                reader.find("blocks"),
                                reader.find("inputs"),
                                reader.find("outputs"),
                                reader.find("gravity")};
  const Json* analyses = reader.find("analyses");
  const Json* page = reader.find("page");
  reader.finish();  // before bodies are read, which takes long
  read_objects(sections, road, in, system);
  road.tell_if_unused(system, in.diagnostics());
  check_guest_units(system);
  if (analyses != nullptr) out.analyses = read_analyses(*analyses, in);
  if (page != nullptr) out.page = read_run_page(*page, system.outputs);
  out.sources = in.sources();
  out.files = in.files();
  if (path != nullptr) out.files.push_back(*path);
  out.flex_files = in.flex_files();
  return out;
}

}  // namespace femflex::tools
