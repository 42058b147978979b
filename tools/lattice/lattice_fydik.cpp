// Reads FyDiK project files, NAME.model.fdk: XML with MODEL, SIMULATOR, MASSPOINT,
// TRANSLATIONALSPRING, ROTATIONALSPRING and INTERACTIONFUNCTION. Attributes in known files: type
// start exit (MODEL), time timeStep method timeSpeed fps timeBreak (SIMULATOR), index dampingCoef
// initMass initCoordX (MASSPOINT), index length massObject1Index massObject2Index (springs). The
// names of all other attributes are guesses by analogy, see docs/formats/lattice.md.
#include "lattice/lattice_fydik.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <set>
#include <unordered_map>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "document/nearest_name.h"
#include "lattice/lattice_doubts.h"
#include "lattice/lattice_fydik_names.h"
#include "lattice/lattice_values.h"

#if FEMFLEX_HAVE_PUGIXML
#include <pugixml.hpp>
#endif

namespace femflex::tools {

using namespace hamiltonian;

#if FEMFLEX_HAVE_PUGIXML

bool has_fydik() {
  return true;
}

namespace {

/// The values that an attribute may have, its default first.
using FydikWords = std::vector<std::string>;

class FydikReader {
 public:
  FydikReader(std::string_view text, const std::string& file) : text_(text), file_(file) {
    for (std::size_t at = 0; at < text.size(); ++at)
      if (text[at] == '\n') line_ends_.push_back(at);
  }

  FydikModel read() {
    const pugi::xml_parse_result parsed =
        document_.load_buffer(text_.data(), text_.size(), pugi::parse_full);
    if (!parsed)
      throw ParseError(
          "bad-xml", fmt::format("not XML: {}", parsed.description()), place(parsed.offset));
    check_names(document_, 0);
    const pugi::xml_node model = only("MODEL");
    if (!model) throw ParseError("no-model", "there is no MODEL element", {file_, 1});
    out_.source = std::string(text_);
    out_.name = model.attribute("name").as_string("Model");
    out_.lattice.name = out_.name;
    const std::string type = word(model, "type", {"2D", "1D", "3D"});
    out_.lattice.dimension = type[0] - '0';
    if (const pugi::xml_node node = only("SIMULATOR")) simulator(node);
    each(document_, "MASSPOINT", [&](pugi::xml_node n) { point(n); });
    each(document_, kFydikFunction, [&](pugi::xml_node n) { interaction(n); });
    each(document_, "TRANSLATIONALSPRING", [&](pugi::xml_node n) { spring(n); });
    each(document_, "ROTATIONALSPRING", [&](pugi::xml_node n) { hinge(n); });
    warn_of_missing();
    warn_of_unused();
    out_.lattice = make_lattice(std::move(out_.lattice));
    warn_of_doubts(out_.lattice, places_, out_.warnings);
    return std::move(out_);
  }

 private:
  /// The only element with this name; null if there is none.
  pugi::xml_node only(const char* name) {
    pugi::xml_node found;
    each(document_, name, [&](pugi::xml_node node) {
      if (found)
        fail(node,
             "defined-twice",
             fmt::format("defined twice, first in line {}", line_of(found)),
             "keep one of them");
      found = node;
    });
    return found;
  }
  template <typename Action>
  void each(const pugi::xml_node& parent, const char* name, Action action) {
    for (const pugi::xml_node& child : parent.children()) {
      if (std::string_view(child.name()) == name) action(child);
      if (child.type() == pugi::node_element) each(child, name, action);
    }
  }
  std::int64_t line_at(std::ptrdiff_t offset) const {
    const auto end =
        std::lower_bound(line_ends_.begin(),
                         line_ends_.end(),
                         static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, offset)));
    return end - line_ends_.begin() + 1;
  }
  std::int64_t line_of(const pugi::xml_node& node) const { return line_at(node.offset_debug()); }
  Where place(std::ptrdiff_t offset) const { return {file_, line_at(offset)}; }
  [[noreturn]] void fail(const pugi::xml_node& node,
                         const char* code,
                         const std::string& message,
                         std::string fix = {}) const {
    throw ParseError(code,
                     fmt::format("{}: {}", node.name(), message),
                     place(node.offset_debug()),
                     std::move(fix));
  }

  // --- names ---
  void check_names(const pugi::xml_node& parent, int depth) {
    for (const pugi::xml_node& child : parent.children()) {
      if (child.type() != pugi::node_element) continue;
      if (depth >= kDeepestFydik)
        fail(child, "too-deep", fmt::format("is nested more than {} elements deep", kDeepestFydik));
      if (const FydikElement* known = fydik_element(child.name()))
        check_attributes(child, *known);
      else
        check_unknown(child);
      check_names(child, depth + 1);
    }
  }
  /// Unknown elements are allowed, except those that name a force law, and those without elements
  /// of their own that look like a misspelling of a known one.
  void check_unknown(const pugi::xml_node& node) {
    const auto children = node.children();
    const bool is_container =
        std::any_of(children.begin(), children.end(), [](const pugi::xml_node& child) {
          return child.type() == pugi::node_element;
        });
    const std::string near = meant_element(node.name());
    if (!is_container && !near.empty())
      fail(node,
           "unknown-element",
           "is not an element of FyDiK",
           fmt::format("did you mean '{}'?", near));
    if (names_a_force_law(node.name())) refuse_law(node, "this element");
    if (!is_container) note_unused(node.name(), node);
  }
  void check_attributes(const pugi::xml_node& node, const FydikElement& known) {
    std::set<std::string_view> seen;
    for (const pugi::xml_attribute& attribute : node.attributes()) {
      const std::string_view name = attribute.name();
      if (!seen.insert(name).second)
        fail(node, "defined-twice", fmt::format("{} is given twice", name), "keep one of them");
      if (std::find(known.attributes.begin(), known.attributes.end(), name) !=
          known.attributes.end())
        continue;
      if (names_a_force_law(name)) {
        if (std::string_view(attribute.value()) == "linear") continue;
        refuse_law(node, fmt::format("attribute '{}'", name));
      }
      // "coordX", the current state, may be given next to "initCoordX"; so a similar name is no
      // misspelling if the similar attribute is given too
      const std::string near = meant_attribute(known, name);
      if (!near.empty() && !node.attribute(near.c_str()))
        fail(node,
             "unknown-attribute",
             fmt::format("unknown attribute '{}'", name),
             fmt::format("did you mean '{}'?", near));
      note_unused(fmt::format("{} {}", node.name(), name), node);
    }
  }
  [[noreturn]] void refuse_law(const pugi::xml_node& node, const std::string& what) const {
    fail(node,
         "unknown-function",
         fmt::format("{} seems to give a force law in a form that is not read", what),
         fmt::format("give an {} with points or an expression, and name its index by {}",
                     kFydikFunction,
                     kFydikFunctionIndex));
  }
  void note_unused(const std::string& what, const pugi::xml_node& node) {
    const auto [found, is_new] = unused_.insert({what, {line_of(node), 0}});
    ++found->second.second;
  }
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
  void warn_of_unused() {
    for (const auto& [what, where] : unused_)
      out_.warnings.warn("not-used",
                         fmt::format("'{}' is not known and not used{}", what, times(where.second)),
                         {file_, where.first});
    for (const auto& [what, where] : assumed_)
      out_.warnings.warn(
          "assumed", fmt::format("{}{}", what, times(where.second)), {file_, where.first});
  }
  static std::string times(int count) {
    return count > 1 ? fmt::format(" ({} times, first here)", count) : std::string();
  }

  // --- values ---
  double number(const pugi::xml_node& node, const char* name, double fallback) const {
    const pugi::xml_attribute attribute = node.attribute(name);
    if (!attribute) return fallback;
    std::string_view text = attribute.value();
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    text = text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
    if (text.starts_with('+')) text.remove_prefix(1);
    double value = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
      fail(node, "bad-number", fmt::format("{}: '{}' is not a number", name, attribute.value()));
    return value;
  }
  double not_negative(const pugi::xml_node& node, const char* name, double fallback) const {
    const double value = number(node, name, fallback);
    if (value < 0.0)
      fail(node,
           "bad-number",
           fmt::format("{} is {}", name, value),
           "give a number that is not negative");
    return value;
  }
  /// A number that some FyDiK files omit. If it is missing, 1 is used and a warning is given.
  double or_one(const pugi::xml_node& node, const char* name, const char* unit) {
    if (node.attribute(name)) return number(node, name, 1.0);
    const auto [found, is_new] = assumed_.insert(
        {fmt::format("{} without {}: 1 {} is taken", node.name(), name, unit), {line_of(node), 0}});
    ++found->second.second;
    return 1.0;
  }
  int integer(const pugi::xml_node& node, const char* name, int fallback) const {
    const double value = number(node, name, fallback);
    if (value != std::floor(value) || std::abs(value) > 2e9)
      fail(node, "bad-number", fmt::format("{}: not a whole number", name));
    return static_cast<int>(value);
  }
  /// The attribute, which must be one of `words`; if it is missing, the first of them.
  std::string word(const pugi::xml_node& node, const char* name, const FydikWords& words) const {
    const pugi::xml_attribute attribute = node.attribute(name);
    if (!attribute) return words.front();
    if (std::find(words.begin(), words.end(), attribute.value()) == words.end())
      fail(node,
           "bad-value",
           fmt::format("{}: '{}' is not known", name, attribute.value()),
           suggestion(attribute.value(), words));
    return attribute.value();
  }
  bool flag(const pugi::xml_node& node, const char* name) const {
    const std::string value = word(node, name, {"false", "true", "0", "1"});
    return value == "true" || value == "1";
  }
  Damping damping(const pugi::xml_node& node) const {
    const Damping out{number(node, "dampingCoef", 0.0),
                      number(node, "dampingCoef2", 0.0),
                      number(node, "dampingCoef3", 0.0),
                      word(node, "dampingType", {"constant", "proportional"}) == "proportional"};
    if (!node.attribute("dampingCoef") && (out.c2 != 0.0 || out.c3 != 0.0))
      fail(node,
           "missing-damping",
           "dampingCoef is missing",
           "give dampingCoef; dampingCoef2 and dampingCoef3 are factors of it");
    const std::string fault = lattice_values::damping_fault(out);
    if (!fault.empty()) fail(node, "negative-damping", fault);
    return out;
  }

  // --- elements ---
  void simulator(const pugi::xml_node& node) {
    out_.time = number(node, "time", 0.0);
    out_.time_step = number(node, "timeStep", out_.time_step);
    if (!(out_.time_step > 0.0))
      fail(
          node, "bad-number", fmt::format("timeStep is {}", out_.time_step), "give a step above 0");
    if (node.attribute("timeStep")) out_.lattice.step = out_.time_step;
    out_.method = integer(node, "method", 2);
    if (out_.method < 0 || out_.method > 2)
      fail(node,
           "bad-number",
           fmt::format("method is {}", out_.method),
           "0 explicit Euler, 1 semi-implicit Euler, 2 Runge-Kutta 4");
    out_.time_break = not_negative(node, "timeBreak", 0.0);
    if (out_.time_break > 0.0 && out_.time_break <= out_.time)
      fail(node,
           "bad-end",
           fmt::format("timeBreak {} is not after time {}", out_.time_break, out_.time),
           "give a later timeBreak, or 0 for none");
    const double speed = not_negative(node, "timeSpeed", 1.0);
    if (speed > 0.0) out_.time_speed = speed;
    const double frames = not_negative(node, "fps", 0.0);
    if (frames > 0.0) out_.frame_step = out_.time_speed / frames;
  }
  void point(const pugi::xml_node& node) {
    LatticeNode out;
    if (!node.attribute("index"))
      fail(node, "missing-index", "index is missing", "number the mass points, from 0");
    const int index = integer(node, "index", 0);
    const auto [known, is_new] =
        points_.insert({index, static_cast<std::int32_t>(out_.lattice.nodes.size())});
    if (!is_new) fail(node, "repeated-node", fmt::format("index {} is defined twice", index));
    out.id = index;
    out.mass = or_one(node, "initMass", "kg");
    if (out.mass < 0.0) fail(node, "bad-mass", fmt::format("initMass is {}", out.mass));
    Load load;
    for (std::size_t a = 0; a < 3; ++a) {
      const auto axis = static_cast<Eigen::Index>(a);
      out.position(axis) = number(node, kFydikPositions[a], 0.0);
      if (node.attribute(kFydikPositions[a]))
        has_axis_[a] = true;
      else if (unplaced_[a].count++ == 0)
        unplaced_[a].first_line = line_of(node);
      out.velocity(axis) = number(node, kFydikVelocities[a], 0.0);
      load.force(axis) = number(node, kFydikForces[a], 0.0);
      const bool is_fixed = flag(node, kFydikFixed[a]);
      if (axis < out_.lattice.dimension) {
        out.fixed[a] = is_fixed;
      } else if (out.position(axis) != 0.0 || out.velocity(axis) != 0.0 ||
                 load.force(axis) != 0.0) {
        fail(node,
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
    if (out.a == out.b)
      fail(node,
           "spring-on-one-node",
           fmt::format("both ends are mass point {}", node.attribute("massObject1Index").value()));
    out.law = SpringLaw::linear;
    out.area = not_negative(node, "area", 0.0);
    out.modulus = not_negative(node, "modulus", 0.0);
    out.density = not_negative(node, "density", 0.0);
    if (const Function* law = function_of(node, FunctionPlace::spring_force)) {
      if (node.attribute("modulus"))
        fail(node,
             "contradiction",
             fmt::format("both modulus and {} are given", kFydikFunctionIndex),
             "keep one of them");
      out.law = law->expression.empty() ? SpringLaw::table : SpringLaw::expression;
      out.force = static_cast<std::int32_t>(out_.lattice.functions.size());
      out_.lattice.functions.push_back(*law);
    } else if (node.attribute("stiffness") || !(out.area * out.modulus > 0.0)) {
      out.stiffness = or_one(node, "stiffness", "N/m");
    }
    if (node.attribute("length"))
      out.rest_length = not_negative(node, "length", 0.0);
    else
      out.reference = Reference::initial;
    out.damping = damping(node);
    const auto count = static_cast<std::int32_t>(out_.lattice.springs.size());
    const int index = integer(node, "index", count);
    if (!springs_.insert({index, count}).second)
      fail(node, "repeated-spring", fmt::format("index {} is defined twice", index));
    if (node.attribute("turns")) turns_[count] = integer(node, "turns", 0);
    out_.lattice.springs.push_back(out);
    places_.springs.push_back(line_of(node));
  }
  void hinge(const pugi::xml_node& node) {
    RotationalSpring out;
    out.a = reference(node, "translationalSpring1Index", springs_);
    out.b = reference(node, "translationalSpring2Index", springs_);
    if (const std::string fault = hinge_fault(out_.lattice, out.a, out.b); !fault.empty())
      fail(node, "bad-hinge", fault);
    if (const Function* law = function_of(node, FunctionPlace::hinge_moment))
      out.moment = *law;
    else
      out.stiffness = or_one(node, "stiffness", "N m/rad");
    out.mass = not_negative(node, "mass", 0.0);
    out.section_modulus = not_negative(node, "sectionModulus", 0.0);
    if (node.attribute("angle"))
      out.angle = number(node, "angle", 0.0);
    else
      out.reference = Reference::initial;
    out.turns = hinge_turns(node, out);
    out.damping = damping(node);
    if (out.damping.per_mass)
      fail(node,
           "bad-damping",
           "dampingType 'proportional' multiplies by a mass, and a rate of angle has none",
           "give dampingCoef in N m s");
    out_.lattice.hinges.push_back(out);
    places_.hinges.push_back(line_of(node));
  }

  /// The turns of a hinge: its own attribute, or the turns that follow from the angle counters n of
  /// its springs, phi = (phi_b + 2 pi n_b) - (phi_a + 2 pi n_a) with angles between -pi and pi.
  int hinge_turns(const pugi::xml_node& node, const RotationalSpring& hinge) const {
    const auto first = turns_.find(hinge.a), second = turns_.find(hinge.b);
    if (first == turns_.end() && second == turns_.end()) return integer(node, "turns", 0);
    if (node.attribute("turns"))
      fail(node,
           "contradiction",
           "turns are given here and at its springs",
           "keep those of the springs or those of the rotational spring");
    if (out_.lattice.dimension != 2)
      fail(node, "bad-dimension", "its springs count turns, which only exist in the plane");
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

  // --- interaction functions ---
  void interaction(const pugi::xml_node& node) {
    if (!node.attribute("index"))
      fail(node, "missing-index", "index is missing", "springs name it");
    Function out;
    out.expression = node.attribute("expression").as_string();
    for (const pugi::xml_node& child : node.children(kFydikFunctionPoint)) {
      for (const char* key : {"x", "y"})
        if (!child.attribute(key)) fail(child, "missing-value", fmt::format("{} is missing", key));
      out.arguments.push_back(number(child, "x", 0.0));
      out.values.push_back(number(child, "y", 0.0));
    }
    if (out.is_constant() || (!out.expression.empty() && !out.arguments.empty()))
      fail(node,
           "no-function",
           "gives no function, or two",
           fmt::format("give an expression of e (elongation or angle), or two or more {}",
                       kFydikFunctionPoint));
    if (out.arguments.size() == 1)
      fail(node, "no-function", "one point makes no function", "give two or more");
    const int index = integer(node, "index", 0);
    if (!functions_.insert({index, std::move(out)}).second)
      fail(node, "repeated-function", fmt::format("index {} is defined twice", index));
  }
  /// The function to which a spring refers; null if there is none.
  const Function* function_of(const pugi::xml_node& node, FunctionPlace place) {
    if (!node.attribute(kFydikFunctionIndex)) return nullptr;
    const auto found = functions_.find(integer(node, kFydikFunctionIndex, 0));
    used_functions_.insert(integer(node, kFydikFunctionIndex, 0));
    if (found == functions_.end())
      fail(node,
           "unknown-reference",
           fmt::format("{}: there is no {} {}",
                       kFydikFunctionIndex,
                       kFydikFunction,
                       node.attribute(kFydikFunctionIndex).value()));
    if (node.attribute("stiffness"))
      fail(node,
           "contradiction",
           fmt::format("both stiffness and {} are given", kFydikFunctionIndex),
           "keep one of them");
    try {
      check_function(found->second, place);
    } catch (const ModelError& error) {
      fail(node, "bad-function", error.message(), error.fix());
    }
    return &found->second;
  }

  /// For each text, the line of its first occurrence and the number of occurrences.
  using Tally = std::map<std::string, std::pair<std::int64_t, int>>;
  std::string_view text_;
  const std::string& file_;
  std::vector<std::size_t> line_ends_;
  pugi::xml_document document_;
  FydikModel out_;
  LatticePlaces places_{file_, {}, {}};
  Tally unused_, assumed_;
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
  throw no_fydik();
}

#endif

}  // namespace femflex::tools
