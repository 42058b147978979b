// Writes FyDiK project models, either into the XML from which they were read, or into a new file.
#include <cmath>
#include <cstdint>
#include <sstream>
#include <unordered_map>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "document/json.h"
#include "lattice/lattice_fydik.h"
#include "lattice/lattice_fydik_names.h"

#if FEMFLEX_HAVE_PUGIXML
#include <pugixml.hpp>
#endif

namespace femflex::tools {

#if FEMFLEX_HAVE_PUGIXML

namespace {

using namespace hamiltonian;

void set(pugi::xml_node node, const char* name, const std::string& value) {
  pugi::xml_attribute attribute = node.attribute(name);
  if (!attribute) attribute = node.append_attribute(name);
  attribute.set_value(value.c_str());
}

/// Sets an attribute unless it has this value already, or is missing and the value is its default.
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

/// The elements with the same name, in the order of the file, which is that of the lattice.
class FydikElements {
 public:
  FydikElements(const pugi::xml_node& root, pugi::xml_node parent, const char* name)
      : parent_(parent), name_(name) {
    gather(root, 0);
    for (const pugi::xml_node& node : found_)
      by_index_.insert({node.attribute("index").as_llong(), node});
  }
  /// Element k of the file; created with index k if the file has fewer.
  pugi::xml_node at(std::size_t k) {
    if (k < found_.size()) return found_[k];
    found_.push_back(append(static_cast<std::int64_t>(k)));
    return found_.back();
  }
  /// The element with this index, created if there is none.
  pugi::xml_node indexed(std::int64_t index) {
    const auto found = by_index_.find(index);
    if (found != by_index_.end()) return found->second;
    return by_index_[index] = append(index);
  }
  bool has_index(std::int64_t index) const { return by_index_.contains(index); }
  /// The index by which other elements refer to element k.
  double index_of(std::size_t k) {
    const pugi::xml_attribute index = at(k).attribute("index");
    return index ? index.as_double() : static_cast<double>(k);
  }

 private:
  // collects elements in the same order and to the same depth as the reader
  void gather(const pugi::xml_node& parent, int depth) {
    for (const pugi::xml_node& child : parent.children()) {
      if (std::string_view(child.name()) == name_) found_.push_back(child);
      if (child.type() == pugi::node_element && depth < kDeepestFydik) gather(child, depth + 1);
    }
  }
  pugi::xml_node append(std::int64_t index) {
    pugi::xml_node made = parent_.append_child(name_.c_str());
    made.append_attribute("index").set_value(std::to_string(index).c_str());
    return made;
  }
  pugi::xml_node parent_;
  std::string name_;
  std::vector<pugi::xml_node> found_;
  std::unordered_map<std::int64_t, pugi::xml_node> by_index_;
};

/// Sum of the constant loads of each node.
std::vector<Eigen::Vector3d> constant_loads(const Lattice& lattice) {
  std::vector<Eigen::Vector3d> out(lattice.nodes.size(), Eigen::Vector3d::Zero());
  for (const Load& load : lattice.loads) {
    if (!load.history.is_constant())
      throw ModelError("no-fydik",
                       "a load that changes with time has no place in a FyDiK model",
                       {},
                       "write the lattice as JSON");
    out[static_cast<std::size_t>(load.node)] += load.force * load.history.constant;
  }
  return out;
}

/// @param names_axes  true: writes all coordinates of all points, also zeros, because a reader
/// warns of coordinates that it has to assume
void write_nodes(const Lattice& lattice, FydikElements points, bool names_axes) {
  const std::vector<Eigen::Vector3d> forces = constant_loads(lattice);
  for (std::size_t i = 0; i < lattice.nodes.size(); ++i) {
    const LatticeNode& n = lattice.nodes[i];
    const pugi::xml_node point = points.indexed(n.id);
    set(point, "initMass", n.mass, -1.0);
    for (int axis = 0; axis < lattice.dimension; ++axis) {
      const auto a = static_cast<std::size_t>(axis);
      set(point, kFydikPositions[a], n.position(axis), names_axes ? HUGE_VAL : 0.0);
      set(point, kFydikVelocities[a], n.velocity(axis), 0.0);
      if (n.fixed[a] || point.attribute(kFydikFixed[a]))
        set(point, kFydikFixed[a], n.fixed[a] ? "true" : "false");
      set(point, kFydikForces[a], forces[i](axis), 0.0);
    }
    set(point, n.damping);
  }
}

/// Refers to the function by its index. Adds the function to the document, unless the element
/// already refers to one of the file.
void write_function(const Function& function, pugi::xml_node user, FydikElements& functions) {
  if (user.attribute(kFydikFunctionIndex)) return;
  user.remove_attribute("stiffness");
  std::size_t index = 0;
  while (functions.has_index(static_cast<std::int64_t>(index)))
    ++index;
  pugi::xml_node made = functions.indexed(static_cast<std::int64_t>(index));
  if (!function.expression.empty()) set(made, "expression", function.expression);
  for (std::size_t i = 0; i < function.arguments.size(); ++i) {
    pugi::xml_node point = made.append_child(kFydikFunctionPoint);
    set(point, "x", shortest(function.arguments[i]));
    set(point, "y", shortest(function.values[i]));
  }
  set(user, kFydikFunctionIndex, std::to_string(index));
}

void write_spring(const Lattice& lattice,
                  const Spring& s,
                  pugi::xml_node spring,
                  FydikElements& functions) {
  if (s.law == SpringLaw::quartic)
    throw ModelError("no-fydik",
                     "quartic springs have no place in a FyDiK model",
                     {},
                     "write the lattice as JSON");
  const auto id = [&](std::int32_t node) {
    return static_cast<double>(lattice.nodes[static_cast<std::size_t>(node)].id);
  };
  if (s.reference != Reference::current) set(spring, "length", s.rest_length, -1.0);
  set(spring, "massObject1Index", id(s.a), -1.0);
  set(spring, "massObject2Index", id(s.b), -1.0);
  if (s.law == SpringLaw::linear)
    set(spring, "stiffness", s.stiffness, HUGE_VAL);
  else
    write_function(lattice.functions[static_cast<std::size_t>(s.force)], spring, functions);
  spring.remove_attribute("turns");  // the turns are written with the hinges
  set(spring, "area", s.area, 0.0);
  set(spring, "modulus", s.modulus, 0.0);
  set(spring, "density", s.density, 0.0);
  set(spring, s.damping);
}

void write_hinge(const RotationalSpring& h,
                 FydikElements& springs,
                 pugi::xml_node hinge,
                 FydikElements& functions) {
  const auto index = [&](std::int32_t s) { return springs.index_of(static_cast<std::size_t>(s)); };
  set(hinge, "translationalSpring1Index", index(h.a), -1.0);
  set(hinge, "translationalSpring2Index", index(h.b), -1.0);
  if (h.moment.is_constant())
    set(hinge, "stiffness", h.stiffness, HUGE_VAL);
  else
    write_function(h.moment, hinge, functions);
  set(hinge, "mass", h.mass, 0.0);
  set(hinge, "sectionModulus", h.section_modulus, 0.0);
  if (h.reference != Reference::current) set(hinge, "angle", h.angle, HUGE_VAL);
  set(hinge, "turns", h.turns, 0.0);
  set(hinge, h.damping);
}

}  // namespace

std::string print_fydik(const FydikModel& model) {
  pugi::xml_document document;
  if (!model.source.empty())
    (void)document.load_buffer(model.source.data(), model.source.size(), pugi::parse_full);
  const auto find = [&](const char* name) {
    return document.find_node(
        [name](const pugi::xml_node& n) { return std::string_view(n.name()) == name; });
  };
  pugi::xml_node root = find("MODEL");
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
  pugi::xml_node simulator = find("SIMULATOR");
  if (!simulator) simulator = root.append_child("SIMULATOR");
  set(simulator, "time", model.time, -1.0);
  set(simulator, "timeStep", model.time_step, -1.0);
  set(simulator, "method", model.method, -1.0);
  set(simulator, "timeBreak", model.time_break, 0.0);
  write_nodes(lattice, FydikElements(document, root, "MASSPOINT"), model.source.empty());
  FydikElements functions(document, root, kFydikFunction);
  FydikElements springs(document, root, "TRANSLATIONALSPRING");
  for (std::size_t i = 0; i < lattice.springs.size(); ++i)
    write_spring(lattice, lattice.springs[i], springs.at(i), functions);
  FydikElements hinges(document, root, "ROTATIONALSPRING");
  for (std::size_t i = 0; i < lattice.hinges.size(); ++i)
    write_hinge(lattice.hinges[i], springs, hinges.at(i), functions);
  std::ostringstream text;
  document.save(text, "  ");
  return text.str();
}

#else

std::string print_fydik(const FydikModel& /*model*/) {
  throw no_xml_reader_error();
}

#endif

}  // namespace femflex::tools
