// FyDiK project model, NAME.model.fdk: XML with MODEL, SIMULATOR, MASSPOINT, TRANSLATIONALSPRING
// and ROTATIONALSPRING. Known names: name type start exit | time timeStep method timeSpeed fps
// timeBreak | index dampingCoef initMass initCoordX | index length massObject1Index
// massObject2Index. Names that no document gives go by analogy: docs/formats/lattice.md.
#include "lattice_fydik.h"

#include <array>
#include <charconv>
#include <cmath>
#include <sstream>
#include <unordered_map>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "json.h"

#if FEMFLEX_HAVE_PUGIXML
#include <pugixml.hpp>
#endif

namespace femflex::pipeline {

using namespace hamiltonian;

std::string fydik_integrator(int method) {
  constexpr std::array<const char*, 3> kNames = {"euler", "semi-implicit-euler", "rk4"};
  return kNames[static_cast<std::size_t>(method)];
}

#if FEMFLEX_HAVE_PUGIXML

bool has_fydik() {
  return true;
}

namespace {

class Reader {
 public:
  Reader(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  FydikModel read() {
    const pugi::xml_parse_result parsed = document_.load_buffer(text_.data(), text_.size());
    if (!parsed)
      throw ParseError(
          "bad-xml", fmt::format("not XML: {}", parsed.description()), place(parsed.offset));
    const pugi::xml_node model = find(document_, "MODEL");
    if (!model) throw ParseError("no-model", "there is no MODEL element", {file_, 1});
    out_.source = std::string(text_);
    out_.name = model.attribute("name").as_string("Model");
    out_.lattice.name = out_.name;
    const std::string type = model.attribute("type").as_string("2D");
    out_.lattice.dimension = type == "1D" ? 1 : type == "3D" ? 3 : 2;
    if (const pugi::xml_node simulator = find(document_, "SIMULATOR")) {
      out_.time = number(simulator, "time", 0.0);
      out_.time_step = number(simulator, "timeStep", 0.001);
      out_.method = integer(simulator, "method", 2);
      if (out_.method < 0 || out_.method > 2)
        throw ParseError(
            "bad-number", "SIMULATOR: method is not 0, 1 or 2", place(simulator.offset_debug()));
    }
    each(document_, "MASSPOINT", [&](pugi::xml_node n) { point(n); });
    each(document_, "TRANSLATIONALSPRING", [&](pugi::xml_node n) { spring(n); });
    each(document_, "ROTATIONALSPRING", [&](pugi::xml_node n) { hinge(n); });
    out_.lattice.step = out_.time_step;
    out_.lattice = make_lattice(std::move(out_.lattice));
    return std::move(out_);
  }

 private:
  static pugi::xml_node find(const pugi::xml_node& root, const char* name) {
    return root.find_node(
        [name](const pugi::xml_node& n) { return std::string_view(n.name()) == name; });
  }
  template <typename Action>
  void each(const pugi::xml_node& parent, const char* name, Action action) {
    for (const pugi::xml_node& child : parent.children()) {
      if (std::string_view(child.name()) == name) action(child);
      if (child.type() == pugi::node_element && ++depth_ < 200) {
        each(child, name, action);
      }
      if (child.type() == pugi::node_element) --depth_;
    }
  }
  Where place(std::ptrdiff_t offset) const {
    Where where{file_, 1};
    for (std::ptrdiff_t i = 0; i < offset && i < static_cast<std::ptrdiff_t>(text_.size()); ++i)
      where.line += text_[static_cast<std::size_t>(i)] == '\n';
    return where;
  }
  double number(const pugi::xml_node& node, const char* name, double fallback) const {
    const pugi::xml_attribute attribute = node.attribute(name);
    if (!attribute) return fallback;
    const std::string_view text = attribute.value();
    double value = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
      throw ParseError("bad-number",
                       fmt::format("{}: {}: '{}' is not a number", node.name(), name, text),
                       place(node.offset_debug()));
    return value;
  }
  int integer(const pugi::xml_node& node, const char* name, int fallback) const {
    const double value = number(node, name, fallback);
    if (value != std::floor(value) || std::abs(value) > 2e9)
      throw ParseError("bad-number",
                       fmt::format("{}: {}: not a whole number", node.name(), name),
                       place(node.offset_debug()));
    return static_cast<int>(value);
  }
  static bool flag(const pugi::xml_node& node, const char* name) {
    return node.attribute(name).as_bool(false);
  }
  Damping damping(const pugi::xml_node& node) const {
    return {number(node, "dampingCoef", 0.0),
            number(node, "dampingCoef2", 0.0),
            number(node, "dampingCoef3", 0.0),
            std::string_view(node.attribute("dampingType").value()) == "proportional"};
  }
  void point(const pugi::xml_node& node) {
    LatticeNode out;
    const int index = integer(node, "index", static_cast<int>(out_.lattice.nodes.size()));
    if (!points_.insert({index, static_cast<std::int32_t>(out_.lattice.nodes.size())}).second)
      throw ParseError("repeated-node",
                       fmt::format("MASSPOINT {} stands twice", index),
                       place(node.offset_debug()));
    out.id = index;
    out.mass = number(node, "initMass", 1.0);
    constexpr std::array<const char*, 3> kX = {"initCoordX", "initCoordY", "initCoordZ"};
    constexpr std::array<const char*, 3> kV = {"initVelocityX", "initVelocityY", "initVelocityZ"};
    constexpr std::array<const char*, 3> kF = {"fixedX", "fixedY", "fixedZ"};
    constexpr std::array<const char*, 3> kP = {"forceX", "forceY", "forceZ"};
    Load load;
    for (int axis = 0; axis < out_.lattice.dimension; ++axis) {
      const auto a = static_cast<std::size_t>(axis);
      out.position(axis) = number(node, kX[a], 0.0);
      out.velocity(axis) = number(node, kV[a], 0.0);
      out.fixed[a] = flag(node, kF[a]);
      load.force(axis) = number(node, kP[a], 0.0);
    }
    out.damping = damping(node);
    load.node = static_cast<std::int32_t>(out_.lattice.nodes.size());
    if (!load.force.isZero(0.0)) out_.lattice.loads.push_back(load);
    out_.lattice.nodes.push_back(out);
  }
  std::int32_t reference(const pugi::xml_node& node,
                         const char* name,
                         const std::unordered_map<int, std::int32_t>& among) const {
    const auto found = among.find(integer(node, name, -1));
    if (found == among.end())
      throw ParseError("unknown-reference",
                       fmt::format("{}: {}: no such object", node.name(), name),
                       place(node.offset_debug()));
    return found->second;
  }
  void spring(const pugi::xml_node& node) {
    Spring out;
    out.a = reference(node, "massObject1Index", points_);
    out.b = reference(node, "massObject2Index", points_);
    out.law = SpringLaw::linear;
    out.area = number(node, "area", 0.0);
    out.modulus = number(node, "modulus", 0.0);
    out.density = number(node, "density", 0.0);
    out.stiffness = number(node, "stiffness", out.area * out.modulus > 0.0 ? 0.0 : 1.0);
    if (node.attribute("length"))
      out.rest_length = number(node, "length", 0.0);
    else
      out.reference = Reference::initial;
    out.damping = damping(node);
    springs_[integer(node, "index", static_cast<int>(out_.lattice.springs.size()))] =
        static_cast<std::int32_t>(out_.lattice.springs.size());
    out_.lattice.springs.push_back(out);
  }
  void hinge(const pugi::xml_node& node) {
    RotationalSpring out;
    out.a = reference(node, "translationalSpring1Index", springs_);
    out.b = reference(node, "translationalSpring2Index", springs_);
    out.stiffness = number(node, "stiffness", 1.0);
    if (node.attribute("angle"))
      out.angle = number(node, "angle", 0.0);
    else
      out.reference = Reference::initial;
    out.turns = integer(node, "turns", 0);
    out.damping = damping(node);
    out_.lattice.hinges.push_back(out);
  }

  std::string_view text_;
  const std::string& file_;
  pugi::xml_document document_;
  FydikModel out_;
  std::unordered_map<int, std::int32_t> points_, springs_;
  int depth_ = 0;
};

pugi::xml_node child(pugi::xml_node parent, const char* name) {
  pugi::xml_node found = parent.child(name);
  return found ? found : parent.append_child(name);
}

/// Element `name` with this index below `parent`, made where there is none.
pugi::xml_node indexed(pugi::xml_node root,
                       pugi::xml_node parent,
                       const char* name,
                       std::int64_t index) {
  const std::string text = std::to_string(index);
  pugi::xml_node found = root.find_node([&](const pugi::xml_node& n) {
    return std::string_view(n.name()) == name && text == n.attribute("index").value();
  });
  if (found) return found;
  found = parent.append_child(name);
  found.append_attribute("index").set_value(text.c_str());
  return found;
}

void set(pugi::xml_node node, const char* name, const std::string& value) {
  pugi::xml_attribute attribute = node.attribute(name);
  if (!attribute) attribute = node.append_attribute(name);
  attribute.set_value(value.c_str());
}

/// Numbers equal to what stands there, or to a default that nobody wrote, are left alone.
void set(pugi::xml_node node, const char* name, double value, double fallback) {
  const pugi::xml_attribute attribute = node.attribute(name);
  if (attribute ? attribute.as_double() == value : value == fallback) return;
  set(node, name, shortest(value));
}

void set(pugi::xml_node node, const Damping& damping) {
  set(node, "dampingCoef", damping.c, 0.0);
  set(node, "dampingCoef2", damping.c2, 0.0);
  set(node, "dampingCoef3", damping.c3, 0.0);
  if (damping.per_mass) set(node, "dampingType", std::string("proportional"));
}

}  // namespace

FydikModel parse_fydik(std::string_view text, const std::string& file) {
  return Reader(text, file).read();
}

std::string print_fydik(const FydikModel& model) {
  pugi::xml_document document;
  if (!model.source.empty()) (void)document.load_buffer(model.source.data(), model.source.size());
  pugi::xml_node root = document.find_node(
      [](const pugi::xml_node& n) { return std::string_view(n.name()) == "MODEL"; });
  if (!root) {
    pugi::xml_node declaration = document.append_child(pugi::node_declaration);
    declaration.append_attribute("version") = "1.0";
    declaration.append_attribute("encoding") = "UTF-8";
    root = document.append_child("MODEL");
    set(root, "name", model.name);
    set(root, "start", std::string("false"));
    set(root, "exit", std::string("false"));
  }
  const Lattice& lattice = model.lattice;
  set(root, "type", fmt::format("{}D", lattice.dimension));
  pugi::xml_node simulator = document.find_node(
      [](const pugi::xml_node& n) { return std::string_view(n.name()) == "SIMULATOR"; });
  if (!simulator) simulator = child(root, "SIMULATOR");
  set(simulator, "time", model.time, -1.0);
  set(simulator, "timeStep", model.time_step, -1.0);
  set(simulator, "method", model.method, -1.0);
  constexpr std::array<const char*, 3> kX = {"initCoordX", "initCoordY", "initCoordZ"};
  constexpr std::array<const char*, 3> kV = {"initVelocityX", "initVelocityY", "initVelocityZ"};
  constexpr std::array<const char*, 3> kF = {"fixedX", "fixedY", "fixedZ"};
  constexpr std::array<const char*, 3> kP = {"forceX", "forceY", "forceZ"};
  for (const LatticeNode& n : lattice.nodes) {
    const pugi::xml_node point = indexed(document, root, "MASSPOINT", n.id);
    set(point, "initMass", n.mass, 1.0);
    for (int axis = 0; axis < lattice.dimension; ++axis) {
      const auto a = static_cast<std::size_t>(axis);
      set(point, kX[a], n.position(axis), 0.0);
      set(point, kV[a], n.velocity(axis), 0.0);
      if (n.fixed[a] || point.attribute(kF[a])) set(point, kF[a], n.fixed[a] ? "true" : "false");
    }
    set(point, n.damping);
  }
  for (const Load& load : lattice.loads) {
    if (!load.history.is_constant())
      throw ModelError("no-fydik", "a load that changes with time has no place in a FyDiK model");
    const pugi::xml_node point =
        indexed(document, root, "MASSPOINT", lattice.nodes[static_cast<std::size_t>(load.node)].id);
    for (int axis = 0; axis < lattice.dimension; ++axis)
      set(point, kP[static_cast<std::size_t>(axis)], load.force(axis) * load.history.constant, 0.0);
  }
  std::int64_t index = 0;
  for (const Spring& s : lattice.springs) {
    if (s.law != SpringLaw::linear)
      throw ModelError("no-fydik",
                       "only linear springs have a place in a FyDiK model",
                       {},
                       "write the lattice as JSON");
    const pugi::xml_node spring = indexed(document, root, "TRANSLATIONALSPRING", index++);
    set(spring, "length", s.rest_length, -1.0);
    set(spring,
        "massObject1Index",
        static_cast<double>(lattice.nodes[static_cast<std::size_t>(s.a)].id),
        -1.0);
    set(spring,
        "massObject2Index",
        static_cast<double>(lattice.nodes[static_cast<std::size_t>(s.b)].id),
        -1.0);
    set(spring, "stiffness", s.stiffness, 1.0);
    set(spring, "area", s.area, 0.0);
    set(spring, "modulus", s.modulus, 0.0);
    set(spring, "density", s.density, 0.0);
    set(spring, s.damping);
  }
  index = 0;
  for (const RotationalSpring& h : lattice.hinges) {
    const pugi::xml_node hinge = indexed(document, root, "ROTATIONALSPRING", index++);
    set(hinge, "translationalSpring1Index", h.a, -1.0);
    set(hinge, "translationalSpring2Index", h.b, -1.0);
    set(hinge, "stiffness", h.stiffness, 1.0);
    set(hinge, "angle", h.angle, HUGE_VAL);
    set(hinge, "turns", h.turns, 0.0);
    set(hinge, h.damping);
  }
  std::ostringstream text;
  document.save(text, "  ");
  return text.str();
}

#else

bool has_fydik() {
  return false;
}

namespace {
[[noreturn]] void missing() {
  throw UsageError("no-xml",
                   "this build reads and writes no FyDiK files",
                   {},
                   "install libpugixml-dev and build again");
}
}  // namespace

FydikModel parse_fydik(std::string_view /*text*/, const std::string& /*file*/) {
  missing();
}
std::string print_fydik(const FydikModel& /*model*/) {
  missing();
}

#endif

}  // namespace femflex::pipeline
