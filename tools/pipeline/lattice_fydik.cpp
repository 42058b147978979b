// FyDiK project model, NAME.model.fdk: XML with MODEL, SIMULATOR, MASSPOINT, TRANSLATIONALSPRING
// and ROTATIONALSPRING. Known names: name type start exit | time timeStep method timeSpeed fps
// timeBreak | index dampingCoef initMass initCoordX | index length massObject1Index
// massObject2Index. Names that no document gives go by analogy: docs/formats/lattice.md.
#include "lattice_fydik.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <unordered_map>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "json.h"
#include "lattice_values.h"

#if FEMFLEX_HAVE_PUGIXML
#include <pugixml.hpp>
#endif

namespace femflex::pipeline {

using namespace hamiltonian;

namespace {
constexpr std::array<std::string_view, 3> kMethods = {"euler", "semi-implicit-euler", "rk4"};
}  // namespace

std::string fydik_integrator(int method) {
  return std::string(kMethods[static_cast<std::size_t>(method)]);
}

std::optional<int> fydik_method(std::string_view integrator) {
  const auto found = std::find(kMethods.begin(), kMethods.end(), integrator);
  if (found == kMethods.end()) return std::nullopt;
  return static_cast<int>(found - kMethods.begin());
}

UsageError no_fydik() {
  return {"no-xml",
          "this build reads and writes no FyDiK files",
          {},
          "install libpugixml-dev and build again"};
}

#if FEMFLEX_HAVE_PUGIXML

bool has_fydik() {
  return true;
}

namespace {

constexpr int kDeepest = 200;  // nesting; a deeper file is an attack, not a model

class Reader {
 public:
  Reader(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  FydikModel read() {
    const pugi::xml_parse_result parsed =
        document_.load_buffer(text_.data(), text_.size(), pugi::parse_full);
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
      if (!(out_.time_step > 0.0))
        fail(simulator,
             "bad-number",
             fmt::format("timeStep is {}", out_.time_step),
             "give a step above 0");
      out_.method = integer(simulator, "method", 2);
      if (out_.method < 0 || out_.method > 2)
        fail(simulator,
             "bad-number",
             fmt::format("method is {}", out_.method),
             "0 explicit Euler, 1 semi-implicit Euler, 2 Runge-Kutta 4");
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
  void each(const pugi::xml_node& parent, const char* name, Action action, int depth = 0) {
    for (const pugi::xml_node& child : parent.children()) {
      if (std::string_view(child.name()) == name) action(child);
      if (child.type() == pugi::node_element && depth < kDeepest)
        each(child, name, action, depth + 1);
    }
  }
  Where place(std::ptrdiff_t offset) const {
    Where where{file_, 1};
    for (std::ptrdiff_t i = 0; i < offset && i < static_cast<std::ptrdiff_t>(text_.size()); ++i)
      where.line += text_[static_cast<std::size_t>(i)] == '\n';
    return where;
  }
  [[noreturn]] void fail(const pugi::xml_node& node,
                         const char* code,
                         const std::string& message,
                         std::string fix = {}) const {
    throw ParseError(code,
                     fmt::format("{}: {}", node.name(), message),
                     place(node.offset_debug()),
                     std::move(fix));
  }
  double number(const pugi::xml_node& node, const char* name, double fallback) const {
    const pugi::xml_attribute attribute = node.attribute(name);
    if (!attribute) return fallback;
    const std::string_view text = attribute.value();
    double value = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
      fail(node, "bad-number", fmt::format("{}: '{}' is not a number", name, text));
    return value;
  }
  int integer(const pugi::xml_node& node, const char* name, int fallback) const {
    const double value = number(node, name, fallback);
    if (value != std::floor(value) || std::abs(value) > 2e9)
      fail(node, "bad-number", fmt::format("{}: not a whole number", name));
    return static_cast<int>(value);
  }
  static bool flag(const pugi::xml_node& node, const char* name) {
    return node.attribute(name).as_bool(false);
  }
  Damping damping(const pugi::xml_node& node) const {
    const Damping out{number(node, "dampingCoef", 0.0),
                      number(node, "dampingCoef2", 0.0),
                      number(node, "dampingCoef3", 0.0),
                      std::string_view(node.attribute("dampingType").value()) == "proportional"};
    const std::string fault = lattice_values::damping_fault(out);
    if (!fault.empty()) fail(node, "negative-damping", fault);
    return out;
  }
  void point(const pugi::xml_node& node) {
    LatticeNode out;
    if (!node.attribute("index"))
      fail(node, "missing-index", "index is missing", "number the mass points, from 0");
    const int index = integer(node, "index", 0);
    if (!points_.insert({index, static_cast<std::int32_t>(out_.lattice.nodes.size())}).second)
      fail(node, "repeated-node", fmt::format("index {} stands twice", index));
    out.id = index;
    out.mass = number(node, "initMass", 1.0);
    if (out.mass < 0.0) fail(node, "bad-mass", fmt::format("initMass is {}", out.mass));
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
      fail(node,
           "unknown-reference",
           node.attribute(name)
               ? fmt::format("{}: there is no object {}", name, node.attribute(name).value())
               : fmt::format("{} is missing", name));
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
    const auto count = static_cast<std::int32_t>(out_.lattice.springs.size());
    const int index = integer(node, "index", count);
    if (!springs_.insert({index, count}).second)
      fail(node, "repeated-spring", fmt::format("index {} stands twice", index));
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
};

}  // namespace

FydikModel parse_fydik(std::string_view text, const std::string& file) {
  return Reader(text, file).read();
}

#else

bool has_fydik() {
  return false;
}

FydikModel parse_fydik(std::string_view /*text*/, const std::string& /*file*/) {
  throw no_fydik();
}

#endif

}  // namespace femflex::pipeline
