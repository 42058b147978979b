// Writes a lattice as JSON (docs/formats/lattice.md). Members with default values are omitted, and
// numbers read back exactly.
#include <cmath>
#include <limits>

#include "lattice/lattice_json.h"
#include "lattice/lattice_values.h"

namespace femflex::tools {
namespace {

using namespace hamiltonian;

Json vector_json(const Eigen::Vector3d& v, int dimension) {
  Json out = Json::list();
  for (int i = 0; i < dimension; ++i)
    out.push_back(v(i));
  return out;
}

Json function_json(const Function& f) {
  if (!f.expression.empty()) return f.expression;
  if (f.arguments.empty()) return f.constant;
  Json out = Json::list();
  for (std::size_t i = 0; i < f.arguments.size(); ++i) {
    Json pair = Json::list();
    pair.push_back(f.arguments[i]);
    pair.push_back(f.values[i]);
    out.push_back(pair);
  }
  return out;
}

Json law_damping_json(const Damping& d) {
  if (d.growth().is_none() && !d.per_mass) return d.c;
  Json out = Json::object();
  out["c"] = d.c;
  out["c2"] = d.c2;
  out["c3"] = d.c3;
  out["per_mass"] = d.per_mass;
  return out;
}

Json spring_json(const Lattice& lattice, const Spring& s) {
  Json out = Json::object();
  out["i"] = lattice.nodes[static_cast<std::size_t>(s.a)].id;
  out["j"] = lattice.nodes[static_cast<std::size_t>(s.b)].id;
  if (s.law == SpringLaw::table || s.law == SpringLaw::expression)
    out["force"] = function_json(lattice.functions[static_cast<std::size_t>(s.force)]);
  else
    out["k"] = s.stiffness;
  if (s.law == SpringLaw::linear)
    out["law"] = std::string(lattice_values::kSpringLaws.name_of(s.law));
  if (s.reference == Reference::current)
    out["d"] = "current";
  else
    out["d"] = s.rest_length;
  if (s.tension_only) out["tension_only"] = true;
  if (std::isfinite(s.break_force)) out["break_force"] = s.break_force;
  if (std::isfinite(s.break_elongation)) out["break_elongation"] = s.break_elongation;
  if (std::isfinite(s.break_stress)) out["break_stress"] = s.break_stress;
  if (s.damping.is_active()) out["damping"] = law_damping_json(s.damping);
  if (s.area > 0.0) out["area"] = s.area;
  if (s.modulus > 0.0) out["modulus"] = s.modulus;
  if (s.density > 0.0) out["density"] = s.density;
  return out;
}

Json node_json(const Lattice& lattice, const LatticeNode& n) {
  Json out = Json::object();
  out["id"] = n.id;
  out["x"] = vector_json(n.position, lattice.dimension);
  if (!n.velocity.isZero(0.0)) out["v"] = vector_json(n.velocity, lattice.dimension);
  out["mass"] = n.mass;
  Json fixed = Json::list();
  for (int axis = 0; axis < lattice.dimension; ++axis)
    if (n.fixed[static_cast<std::size_t>(axis)]) fixed.push_back(axis);
  if (!fixed.items().empty()) out["fixed"] = fixed;
  if (n.damping.is_active()) out["damping"] = law_damping_json(n.damping);
  return out;
}

Json hinge_json(const RotationalSpring& h) {
  Json hinge = Json::object();
  hinge["a"] = h.a + 1;
  hinge["b"] = h.b + 1;
  if (h.moment.is_constant())
    hinge["k"] = h.stiffness;
  else
    hinge["moment"] = function_json(h.moment);
  if (h.reference == Reference::current)
    hinge["angle"] = "current";
  else
    hinge["angle"] = h.angle;
  if (h.turns != 0) hinge["turns"] = h.turns;
  if (h.damping.is_active()) hinge["damping"] = law_damping_json(h.damping);
  if (h.mass > 0.0) hinge["mass"] = h.mass;
  if (h.section_modulus > 0.0) hinge["section_modulus"] = h.section_modulus;
  return hinge;
}

std::int64_t id_of(const Lattice& lattice, std::int32_t node) {
  return lattice.nodes[static_cast<std::size_t>(node)].id;
}

Json load_json(const Lattice& lattice, const Load& l) {
  Json load = Json::object();
  load["node"] = id_of(lattice, l.node);
  load["force"] = vector_json(l.force, lattice.dimension);
  if (!(l.history == Function{})) load["history"] = function_json(l.history);
  if (std::isfinite(l.from) && std::isfinite(l.until))
    load["t"] = std::vector<double>{l.from, l.until};
  if (l.until_step != std::numeric_limits<std::int64_t>::max()) load["steps"] = l.until_step;
  return load;
}

Json motion_json(const Lattice& lattice, const PrescribedMotion& m) {
  Json motion = Json::object();
  motion["node"] = id_of(lattice, m.node);
  motion["axis"] = static_cast<int>(m.axis);
  motion["displacement"] = function_json(m.displacement);
  return motion;
}

Json hub_json(const Lattice& lattice) {
  Json hub = Json::object();
  hub["k"] = lattice.hub->stiffness;
  hub["x"] = vector_json(lattice.hub->position, lattice.dimension);
  if (lattice.hub->rest_length) hub["d"] = *lattice.hub->rest_length;
  if (lattice.hub->law == SpringLaw::linear) hub["law"] = "linear";
  return hub;
}

Json ports_json(const Lattice& lattice, const std::vector<Port>& ports) {
  Json out = Json::list();
  for (const Port& port : ports) {
    Json each = Json::object();
    if (port.node < 0)
      each["node"] = "R";
    else
      each["node"] = id_of(lattice, port.node);
    each["in"] = std::string(lattice_values::kCausalities.name_of(port.causality));
    out.push_back(each);
  }
  return out;
}

}  // namespace

Json lattice_json(const LatticeDocument& document) {
  const Lattice& lattice = document.lattice;
  Json out = Json::object();
  out["femflex"] = 1;
  if (!lattice.name.empty()) out["name"] = lattice.name;
  for (const auto& [key, remark] : document.remarks)
    out[key] = remark;
  out["dimension"] = lattice.dimension;
  out["gravity"] = vector_json(lattice.gravity, lattice.dimension);
  out["friction_c"] = lattice.friction;
  if (lattice.step > 0.0) out["step"] = lattice.step;
  if (!document.integrator.empty()) out["integrator"] = document.integrator;
  if (document.start_time != 0.0) out["start_time"] = document.start_time;
  if (document.end > 0.0) out["end"] = document.end;
  if (document.output_step > 0.0) out["output_step"] = document.output_step;
  if (lattice.start_at_equilibrium) out["start"] = "equilibrium";
  const auto put = [&](const char* key, const auto& list, auto each, bool always) {
    Json items = Json::list();
    for (const auto& item : list)
      items.push_back(each(item));
    if (always || !list.empty()) out[key] = items;
  };
  put(
      "nodes", lattice.nodes, [&](const auto& n) { return node_json(lattice, n); }, true);
  put(
      "springs", lattice.springs, [&](const auto& s) { return spring_json(lattice, s); }, true);
  put("rotational_springs", lattice.hinges, hinge_json, false);
  put(
      "loads", lattice.loads, [&](const auto& l) { return load_json(lattice, l); }, false);
  put(
      "motions", lattice.motions, [&](const auto& m) { return motion_json(lattice, m); }, false);
  if (lattice.hub) out["R"] = hub_json(lattice);
  if (!document.ports.empty()) out["ports"] = ports_json(lattice, document.ports);
  return out;
}

Json lattice_json(const Lattice& lattice) {
  LatticeDocument document;
  document.lattice = lattice;
  return lattice_json(document);
}

}  // namespace femflex::tools
