// Reads one spring or rotational spring and rejects contradicting members. Symbols as in the file:
// k stiffness, d rest length, E modulus, A area, e elongation, F force.
#include "lattice/lattice_json_springs.h"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "document/json_numbers.h"
#include "document/json_text.h"
#include "lattice/lattice_values.h"

namespace femflex::tools {

using namespace hamiltonian;
using namespace lattice_values;

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr std::int32_t kMostTurns = 1'000'000;

/// Reads the "force" of a spring. It defines the law, so neither `k` nor another law may be given.
void own_force(const Json& force, const Json* law, const Json* k, Spring& out, Function& function) {
  function = lattice_values::function(force, FunctionPlace::spring_force);
  if (function.is_constant())
    force.fail("bad-force",
               "spring: 'force' is a number",
               "give a table [[e, F], ...] or an expression of e, L, d");
  if (k != nullptr)
    k->fail("contradiction", "spring: both 'k' and 'force' are given", "keep one of them");
  out.law = function.expression.empty() ? SpringLaw::table : SpringLaw::expression;
  if (law != nullptr && choice(*law, kSpringLaws) != out.law)
    law->fail("contradiction",
              fmt::format("spring: both law '{}' and 'force' are given", law->text()),
              "keep one of them");
}

/// Reads k, or the values from which it is computed.
void stiffness(ObjectReader& in, const Json* k, const Json* modulus, Spring& out) {
  const Json& value = in.value();
  if (k != nullptr) {
    out.stiffness = finite(*k);
    // make_lattice() takes a stiffness of 0 for one that is not given
    if (out.stiffness == 0.0 && out.law == SpringLaw::linear && out.area > 0.0 && out.modulus > 0.0)
      k->fail("contradiction",
              "spring: 'k' is 0, but 'area' and 'modulus' give k = E A / d",
              "leave out 'k', or 'modulus'");
    return;
  }
  if (out.law == SpringLaw::linear && out.area > 0.0) {
    if (modulus == nullptr)
      value.fail(
          "missing-key", "spring: 'modulus' is missing for k = E A / d", "add it, or give k");
    return;  // make_lattice() computes k, because d is known there
  }
  if (out.law == SpringLaw::table || out.law == SpringLaw::expression)
    value.fail("missing-key",
               fmt::format("spring: 'force' is missing for law '{}'", kSpringLaws.name_of(out.law)),
               "add it");
  if (out.area > 0.0 || modulus != nullptr)
    value.fail("missing-key",
               "spring: 'k' is missing",
               R"(add it, or "law": "linear" with area and modulus)");
  (void)in.need("k");
}

}  // namespace

Spring read_spring(const Json& value,
                   const IndexOf& node,
                   std::vector<Function>& functions,
                   const Json*& id) {
  ObjectReader in(value, "spring");
  in.declare_keys({"id",
                   "i",
                   "j",
                   "law",
                   "force",
                   "k",
                   "area",
                   "modulus",
                   "density",
                   "d",
                   "damping",
                   "tension_only",
                   "break_force",
                   "break_elongation",
                   "break_stress"});
  Spring out;
  id = in.find("id");
  out.a = node(in.need("i"));
  out.b = node(in.need("j"));
  if (out.a == out.b)
    value.fail("spring-on-one-node",
               fmt::format("spring: both ends are node {}", in.need("j").number()));
  const Json* law = in.find("law");
  const Json* force = in.find("force");
  const Json* k = in.find("k");
  const Json* modulus = in.find("modulus");
  if (law != nullptr) out.law = choice(*law, kSpringLaws);
  out.area = not_negative_or(in, "area", 0.0);
  out.modulus = not_negative_or(in, "modulus", 0.0);
  out.density = not_negative_or(in, "density", 0.0);
  if (force != nullptr) {
    Function function;
    own_force(*force, law, k, out, function);
    out.force = static_cast<std::int32_t>(functions.size());
    functions.push_back(std::move(function));
  } else {
    stiffness(in, k, modulus, out);
  }
  const Json* d = in.find("d");
  out.reference = d == nullptr   ? Reference::initial
                  : d->is_text() ? choice(*d, kReferences)
                                 : Reference::value;
  if (out.reference == Reference::value) out.rest_length = not_negative_or(in, "d", 0.0);
  if (k == nullptr && out.law == SpringLaw::linear && d != nullptr &&
      (out.reference == Reference::current || out.rest_length == 0.0))
    d->fail("contradiction",
            fmt::format("spring: k = E A / d needs a length, d is {}",
                        d->is_text() ? "not known before the run" : "0"),
            "give k");
  out.tension_only = in.boolean("tension_only", false);
  const auto limit = [&](const char* key) {
    const Json* given = in.find(key);
    return given == nullptr ? kInfinite : positive(*given, key);
  };
  out.break_force = limit("break_force");
  out.break_elongation = limit("break_elongation");
  out.break_stress = limit("break_stress");
  if (out.area == 0.0 && std::isfinite(out.break_stress))
    in.need("break_stress")
        .fail("bad-section", "spring: a limit of stress needs a section area", "add \"area\"");
  if (const Json* c = in.find("damping")) out.damping = damping(*c);
  in.finish();
  return out;
}

RotationalSpring read_hinge(const Json& value, const IndexOf& spring) {
  ObjectReader in(value, "rotational spring");
  in.declare_keys(
      {"a", "b", "k", "moment", "angle", "turns", "damping", "mass", "section_modulus"});
  RotationalSpring out;
  out.a = spring(in.need("a"));
  out.b = spring(in.need("b"));
  if (out.a == out.b)
    value.fail("hinge-on-one-spring",
               fmt::format("rotational spring: both springs are spring {}", in.need("b").number()),
               "name two springs");
  const Json* k = in.find("k");
  if (const Json* moment = in.find("moment")) {
    out.moment = function(*moment, FunctionPlace::hinge_moment);
    if (out.moment.is_constant())
      moment->fail("bad-moment",
                   "rotational spring: 'moment' is a number",
                   "give a table [[e, M], ...] or an expression of e");
    if (k != nullptr)
      k->fail("contradiction",
              "rotational spring: both 'k' and 'moment' are given",
              "keep one of them");
  } else {
    out.stiffness = finite(in.need("k"));
  }
  if (const Json* angle = in.find("angle")) {
    if (angle->is_text())
      out.reference = choice(*angle, kReferences);
    else
      out.angle = finite(*angle);
  }
  if (const Json* turns = in.find("turns"))
    out.turns = whole<std::int32_t>(*turns, -kMostTurns, kMostTurns);
  if (const Json* c = in.find("damping")) {
    out.damping = damping(*c);
    if (out.damping.per_mass)
      c->fail("bad-damping",
              "rotational spring: 'per_mass' multiplies by a mass, and a rate of angle has none",
              "give c in N m s");
  }
  out.mass = not_negative_or(in, "mass", 0.0);
  out.section_modulus = not_negative_or(in, "section_modulus", 0.0);
  in.finish();
  return out;
}

}  // namespace femflex::tools
