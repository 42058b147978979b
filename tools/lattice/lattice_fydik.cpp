// Reads FyDiK project files, NAME.model.fdk: XML with MODEL, SIMULATOR, MASSPOINT,
// TRANSLATIONALSPRING, ROTATIONALSPRING and INTERACTIONFUNCTION. Attributes in known files: type
// start exit (MODEL), time timeStep method timeSpeed fps timeBreak (SIMULATOR), index dampingCoef
// initMass initCoordX (MASSPOINT), index length massObject1Index massObject2Index (springs). The
// names of all other attributes are guesses by analogy, see docs/formats/lattice.md.
#include "lattice/lattice_fydik.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <unordered_map>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "lattice/lattice_doubts.h"
#include "lattice/lattice_fydik_names.h"
#include "lattice/lattice_fydik_xml.h"
#include "lattice/lattice_values.h"

namespace femflex::tools {

using namespace hamiltonian;

#if FEMFLEX_HAVE_PUGIXML

bool has_fydik() {
  return true;
}

namespace {

class FydikReader {
 public:
  FydikReader(std::string_view text, const std::string& file)
      : text_(text), file_(file), xml_(text, file) {}

  FydikModel read() {
    const pugi::xml_node model = xml_.only("MODEL");
    if (!model) throw ParseError("no-model", "there is no MODEL element", {file_, 1});
    out_.source = std::string(text_);
    out_.name = model.attribute("name").as_string("Model");
    out_.lattice.name = out_.name;
    const std::string type = xml_.word(model, "type", {"2D", "1D", "3D"});
    out_.lattice.dimension = type[0] - '0';
    if (const pugi::xml_node node = xml_.only("SIMULATOR")) simulator(node);
    xml_.each("MASSPOINT", [&](pugi::xml_node n) { point(n); });
    xml_.each(kFydikFunction, [&](pugi::xml_node n) { interaction(n); });
    xml_.each("TRANSLATIONALSPRING", [&](pugi::xml_node n) { spring(n); });
    xml_.each("ROTATIONALSPRING", [&](pugi::xml_node n) { hinge(n); });
    warn_of_missing();
    xml_.warn_of_unused(out_.warnings);
    out_.lattice = make_lattice(std::move(out_.lattice));
    warn_of_doubts(out_.lattice, places_, out_.warnings);
    return std::move(out_);
  }

 private:
  /// Warns of each axis along which no mass point has a coordinate, and of functions that no spring
  /// uses.
  void warn_of_missing() {
    for (std::size_t a = 0; a < static_cast<std::size_t>(out_.lattice.dimension); ++a) {
      const std::int64_t count = unplaced_[a].count;
      if (count > 0 && has_axis_[a])
        out_.warnings.warn("assumed",
                           fmt::format("{} MASSPOINT{} no {}: 0 m is taken (first: line {})",
                                       count,
                                       count == 1 ? " has" : "s have",
                                       kFydikPositions[a],
                                       unplaced_[a].first_line),
                           {file_, unplaced_[a].first_line});
      if (!out_.lattice.nodes.empty() && !has_axis_[a])
        out_.warnings.warn(
            "assumed",
            fmt::format("no MASSPOINT has {}: 0 m is taken for all of them", kFydikPositions[a]),
            {file_, 1});
    }
    for (const auto& [index, function] : functions_)
      if (!used_functions_.contains(index))
        out_.warnings.warn("not-used",
                           fmt::format("{} {} is named by no spring", kFydikFunction, index),
                           {file_, 1});
  }
  Damping damping(const pugi::xml_node& node) const {
    const Damping out{
        xml_.number(node, "dampingCoef", 0.0),
        xml_.number(node, "dampingCoef2", 0.0),
        xml_.number(node, "dampingCoef3", 0.0),
        xml_.word(node, "dampingType", {"constant", "proportional"}) == "proportional"};
    if (!node.attribute("dampingCoef") && !out.growth().is_none())
      xml_.fail(node,
                "missing-damping",
                "dampingCoef is missing",
                "give dampingCoef; dampingCoef2 and dampingCoef3 are factors of it");
    const std::string fault = lattice_values::damping_fault(out);
    if (!fault.empty()) xml_.fail(node, "negative-damping", fault);
    return out;
  }

  void simulator(const pugi::xml_node& node) {
    out_.time = xml_.number(node, "time", 0.0);
    out_.time_step = xml_.number(node, "timeStep", out_.time_step);
    if (!(out_.time_step > 0.0))
      xml_.fail(
          node, "bad-number", fmt::format("timeStep is {}", out_.time_step), "give a step above 0");
    if (node.attribute("timeStep")) out_.lattice.step = out_.time_step;
    out_.method = xml_.integer(node, "method", 2);
    if (out_.method < 0 || out_.method > 2)
      xml_.fail(node,
                "bad-number",
                fmt::format("method is {}", out_.method),
                "0 explicit Euler, 1 semi-implicit Euler, 2 Runge-Kutta 4");
    out_.time_break = xml_.not_negative(node, "timeBreak", 0.0);
    if (out_.time_break > 0.0 && out_.time_break <= out_.time)
      xml_.fail(node,
                "bad-end",
                fmt::format("timeBreak {} is not after time {}", out_.time_break, out_.time),
                "give a later timeBreak, or 0 for none");
    const double speed = xml_.not_negative(node, "timeSpeed", 1.0);
    if (speed > 0.0) out_.time_speed = speed;
    const double frames = xml_.not_negative(node, "fps", 0.0);
    if (frames > 0.0) out_.frame_step = out_.time_speed / frames;
  }
  void point(const pugi::xml_node& node) {
    LatticeNode out;
    if (!node.attribute("index"))
      xml_.fail(node, "missing-index", "index is missing", "number the mass points, from 0");
    const int index = xml_.integer(node, "index", 0);
    const auto [known, is_new] =
        points_.insert({index, static_cast<std::int32_t>(out_.lattice.nodes.size())});
    if (!is_new) xml_.fail(node, "repeated-node", fmt::format("index {} is defined twice", index));
    out.id = index;
    out.mass = xml_.or_one(node, "initMass", "kg");
    if (out.mass < 0.0) xml_.fail(node, "bad-mass", fmt::format("initMass is {}", out.mass));
    Load load;
    for (std::size_t a = 0; a < 3; ++a) {
      const auto axis = static_cast<Eigen::Index>(a);
      out.position(axis) = xml_.number(node, kFydikPositions[a], 0.0);
      if (node.attribute(kFydikPositions[a]))
        has_axis_[a] = true;
      else if (unplaced_[a].count++ == 0)
        unplaced_[a].first_line = xml_.line_of(node);
      out.velocity(axis) = xml_.number(node, kFydikVelocities[a], 0.0);
      load.force(axis) = xml_.number(node, kFydikForces[a], 0.0);
      const bool is_fixed = xml_.flag(node, kFydikFixed[a]);
      if (axis < out_.lattice.dimension) {
        out.fixed[a] = is_fixed;
      } else if (out.position(axis) != 0.0 || out.velocity(axis) != 0.0 ||
                 load.force(axis) != 0.0) {
        xml_.fail(node,
                  "bad-dimension",
                  fmt::format("{} in a model of type {}D", "XYZ"[a], out_.lattice.dimension),
                  "give MODEL another type");
      }
    }
    out.damping = damping(node);
    load.node = static_cast<std::int32_t>(out_.lattice.nodes.size());
    if (!load.force.isZero(0.0)) out_.lattice.loads.push_back(load);
    out_.lattice.nodes.push_back(out);
  }
  std::int32_t reference(const pugi::xml_node& node,
                         const char* name,
                         const std::unordered_map<int, std::int32_t>& among) const {
    const auto found = among.find(xml_.integer(node, name, -1));
    if (found == among.end())
      xml_.fail(node,
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
    if (out.a == out.b)
      xml_.fail(
          node,
          "spring-on-one-node",
          fmt::format("both ends are mass point {}", node.attribute("massObject1Index").value()));
    out.law = SpringLaw::linear;
    out.area = xml_.not_negative(node, "area", 0.0);
    out.modulus = xml_.not_negative(node, "modulus", 0.0);
    out.density = xml_.not_negative(node, "density", 0.0);
    if (const Function* law = function_of(node, FunctionPlace::spring_force)) {
      if (node.attribute("modulus"))
        xml_.fail(node,
                  "contradiction",
                  fmt::format("both modulus and {} are given", kFydikFunctionIndex),
                  "keep one of them");
      out.law = law->expression.empty() ? SpringLaw::table : SpringLaw::expression;
      out.force = static_cast<std::int32_t>(out_.lattice.functions.size());
      out_.lattice.functions.push_back(*law);
    } else if (node.attribute("stiffness") || !(out.area * out.modulus > 0.0)) {
      out.stiffness = xml_.or_one(node, "stiffness", "N/m");
    }
    if (node.attribute("length"))
      out.rest_length = xml_.not_negative(node, "length", 0.0);
    else
      out.reference = Reference::initial;
    out.damping = damping(node);
    const auto count = static_cast<std::int32_t>(out_.lattice.springs.size());
    const int index = xml_.integer(node, "index", count);
    if (!springs_.insert({index, count}).second)
      xml_.fail(node, "repeated-spring", fmt::format("index {} is defined twice", index));
    if (node.attribute("turns")) turns_[count] = xml_.integer(node, "turns", 0);
    out_.lattice.springs.push_back(out);
    places_.springs.push_back(xml_.line_of(node));
  }
  void hinge(const pugi::xml_node& node) {
    RotationalSpring out;
    out.a = reference(node, "translationalSpring1Index", springs_);
    out.b = reference(node, "translationalSpring2Index", springs_);
    if (const std::string fault = hinge_fault(out_.lattice, out.a, out.b); !fault.empty())
      xml_.fail(node, "bad-hinge", fault);
    if (const Function* law = function_of(node, FunctionPlace::hinge_moment))
      out.moment = *law;
    else
      out.stiffness = xml_.or_one(node, "stiffness", "N m/rad");
    out.mass = xml_.not_negative(node, "mass", 0.0);
    out.section_modulus = xml_.not_negative(node, "sectionModulus", 0.0);
    if (node.attribute("angle"))
      out.angle = xml_.number(node, "angle", 0.0);
    else
      out.reference = Reference::initial;
    out.turns = hinge_turns(node, out);
    out.damping = damping(node);
    if (out.damping.per_mass)
      xml_.fail(node,
                "bad-damping",
                "dampingType 'proportional' multiplies by a mass, and a rate of angle has none",
                "give dampingCoef in N m s");
    out_.lattice.hinges.push_back(out);
    places_.hinges.push_back(xml_.line_of(node));
  }

  /// The turns of a hinge: its own attribute, or the turns that follow from the angle counters n of
  /// its springs, phi = (phi_b + 2 pi n_b) - (phi_a + 2 pi n_a) with angles between -pi and pi.
  int hinge_turns(const pugi::xml_node& node, const RotationalSpring& hinge) const {
    const auto first = turns_.find(hinge.a), second = turns_.find(hinge.b);
    if (first == turns_.end() && second == turns_.end()) return xml_.integer(node, "turns", 0);
    if (node.attribute("turns"))
      xml_.fail(node,
                "contradiction",
                "turns are given here and at its springs",
                "keep those of the springs or those of the rotational spring");
    if (out_.lattice.dimension != 2)
      xml_.fail(node, "bad-dimension", "its springs count turns, which only exist in the plane");
    const auto angle = [&](std::int32_t s) {
      const Spring& spring = out_.lattice.springs[static_cast<std::size_t>(s)];
      const Eigen::Vector3d line = out_.lattice.nodes[static_cast<std::size_t>(spring.b)].position -
                                   out_.lattice.nodes[static_cast<std::size_t>(spring.a)].position;
      return std::atan2(line.y(), line.x());
    };
    // the difference of two such angles is outside -pi to pi by at most one turn
    const double difference = angle(hinge.b) - angle(hinge.a);
    const int over = difference > M_PI ? 1 : difference <= -M_PI ? -1 : 0;
    const int of_a = first == turns_.end() ? 0 : first->second;
    const int of_b = second == turns_.end() ? 0 : second->second;
    return of_b - of_a + over;
  }

  void interaction(const pugi::xml_node& node) {
    if (!node.attribute("index"))
      xml_.fail(node, "missing-index", "index is missing", "springs name it");
    Function out;
    out.expression = node.attribute("expression").as_string();
    for (const pugi::xml_node& child : node.children(kFydikFunctionPoint)) {
      for (const char* key : {"x", "y"})
        if (!child.attribute(key))
          xml_.fail(child, "missing-value", fmt::format("{} is missing", key));
      out.arguments.push_back(xml_.number(child, "x", 0.0));
      out.values.push_back(xml_.number(child, "y", 0.0));
    }
    if (out.is_constant() || (!out.expression.empty() && !out.arguments.empty()))
      xml_.fail(node,
                "no-function",
                "gives no function, or two",
                fmt::format("give an expression of e (elongation or angle), or two or more {}",
                            kFydikFunctionPoint));
    if (out.arguments.size() == 1)
      xml_.fail(node, "no-function", "one point makes no function", "give two or more");
    const int index = xml_.integer(node, "index", 0);
    if (!functions_.insert({index, std::move(out)}).second)
      xml_.fail(node, "repeated-function", fmt::format("index {} is defined twice", index));
  }
  /// The function to which a spring refers; null if there is none.
  const Function* function_of(const pugi::xml_node& node, FunctionPlace place) {
    if (!node.attribute(kFydikFunctionIndex)) return nullptr;
    const auto found = functions_.find(xml_.integer(node, kFydikFunctionIndex, 0));
    used_functions_.insert(xml_.integer(node, kFydikFunctionIndex, 0));
    if (found == functions_.end())
      xml_.fail(node,
                "unknown-reference",
                fmt::format("{}: there is no {} {}",
                            kFydikFunctionIndex,
                            kFydikFunction,
                            node.attribute(kFydikFunctionIndex).value()));
    if (node.attribute("stiffness"))
      xml_.fail(node,
                "contradiction",
                fmt::format("both stiffness and {} are given", kFydikFunctionIndex),
                "keep one of them");
    try {
      check_function(found->second, place);
    } catch (const ModelError& error) {
      xml_.fail(node, "bad-function", error.message(), error.fix());
    }
    return &found->second;
  }

  std::string_view text_;
  const std::string& file_;
  FydikXml xml_;
  FydikModel out_;
  LatticePlaces places_{file_, {}, {}};
  std::unordered_map<int, std::int32_t> points_, springs_;
  std::unordered_map<std::int32_t, int> turns_;  // angle counters of springs
  std::map<int, Function> functions_;
  std::set<int> used_functions_;
  std::array<bool, 3> has_axis_ = {false, false, false};  // some point has this coordinate
  struct Unplaced {
    std::int64_t count = 0, first_line = 0;
  };
  std::array<Unplaced, 3> unplaced_;  // points without this coordinate
};

}  // namespace

FydikModel parse_fydik(std::string_view text, const std::string& file) {
  return FydikReader(text, file).read();
}

#else

bool has_fydik() {
  return false;
}

FydikModel parse_fydik(std::string_view /*text*/, const std::string& /*file*/) {
  throw no_xml_reader_error();
}

#endif

}  // namespace femflex::tools
