// Checks a lattice part by part, and computes rest lengths, reference angles, section stiffnesses
// and nodal masses.
#include "femflex/hamiltonian/lattice.h"

#include <cmath>
#include <string>
#include <unordered_map>

#include "femflex/laws/spring.h"

#include "lattice_system/lattice_hinge.h"

namespace femflex::hamiltonian {
namespace {

[[noreturn]] void fail(const std::string& code, const std::string& message, std::string fix = {}) {
  throw ModelError(code, message, {}, std::move(fix));
}

std::string name_of(const Lattice& lattice, const RotationalSpring& hinge) {
  return "rotational spring " + std::to_string(&hinge - lattice.hinges.data() + 1);
}

void check_damping(const Damping& damping, const std::string& what) {
  if (!std::isfinite(damping.c) || !std::isfinite(damping.c2) || !std::isfinite(damping.c3))
    fail("not-finite", what + ": damping is not a finite number");
  if (damping.c < 0.0) fail("negative-damping", what + ": damping c is negative");
}

void check_nodes(const Lattice& lattice) {
  if (lattice.dimension < 1 || lattice.dimension > 3)
    fail("bad-dimension",
         "dimension " + std::to_string(lattice.dimension) + ", expected 1, 2 or 3");
  if (lattice.nodes.empty()) fail("no-nodes", "the lattice has no nodes");
  if (!lattice.gravity.allFinite()) fail("not-finite", "gravity is not finite");
  if (!std::isfinite(lattice.friction) || lattice.friction < 0.0)
    fail("bad-friction", "friction must be finite and not negative");
  std::unordered_map<std::int64_t, int> seen;
  seen.reserve(lattice.nodes.size());
  for (const LatticeNode& node : lattice.nodes) {
    const std::string what = "node " + std::to_string(node.id);
    if (seen[node.id]++ != 0) fail("repeated-node", what + " appears twice");
    if (!node.position.allFinite() || !node.velocity.allFinite())
      fail("not-finite", what + ": position or velocity is not finite");
    if (!std::isfinite(node.mass) || node.mass < 0.0)
      fail("bad-mass", what + ": mass " + std::to_string(node.mass) + "; expected 0 or more");
    check_damping(node.damping, what);
    for (int axis = lattice.dimension; axis < 3; ++axis) {
      if (node.position(axis) != 0.0 || node.velocity(axis) != 0.0)
        fail("bad-dimension",
             what + " has a coordinate beyond dimension " + std::to_string(lattice.dimension));
    }
  }
}

void check_index(std::int32_t index, std::size_t count, const std::string& what) {
  if (index < 0 || static_cast<std::size_t>(index) >= count)
    fail("unknown-reference", what + ": no such item (index " + std::to_string(index) + ")");
}

void complete_spring(const Lattice& lattice, Spring& spring) {
  const std::size_t count = lattice.nodes.size();
  check_index(spring.a, count, "spring");
  check_index(spring.b, count, "spring");
  if (spring.a == spring.b)
    fail("spring-on-one-node",
         name_of(lattice, spring) + ": both ends are node " +
             std::to_string(lattice.nodes[static_cast<std::size_t>(spring.a)].id));
  const auto what = [&] { return name_of(lattice, spring); };
  if (spring.reference == Reference::initial)
    spring.rest_length = (lattice.nodes[static_cast<std::size_t>(spring.b)].position -
                          lattice.nodes[static_cast<std::size_t>(spring.a)].position)
                             .norm();
  if (spring.reference != Reference::current &&
      (!std::isfinite(spring.rest_length) || spring.rest_length < 0.0))
    fail("bad-rest-length", what() + ": rest length must be finite and not negative");
  if (!(spring.area >= 0.0 && spring.modulus >= 0.0 && spring.density >= 0.0) ||
      !std::isfinite(spring.area + spring.modulus + spring.density))
    fail("bad-section", what() + ": area, modulus and density must be finite and not negative");
  if (spring.density > 0.0 && spring.area <= 0.0)
    fail("bad-section", what() + ": a density needs a section area");
  if (std::isfinite(spring.break_stress) && spring.area <= 0.0)
    fail("bad-section", what() + ": a limit of stress needs a section area");
  if (spring.law == SpringLaw::linear && spring.stiffness == 0.0 && spring.area > 0.0 &&
      spring.rest_length > 0.0)
    spring.stiffness = laws::axial_stiffness(spring.modulus, spring.area, spring.rest_length);
  if (!std::isfinite(spring.stiffness)) fail("not-finite", what() + ": stiffness is not finite");
  if (spring.law == SpringLaw::table || spring.law == SpringLaw::expression) {
    check_index(spring.force, lattice.functions.size(), "force of " + what());
    if (lattice.functions[static_cast<std::size_t>(spring.force)].is_constant())
      fail("no-force", what() + ": a table or expression spring needs a force");
  }
  if (spring.damping.is_active()) check_damping(spring.damping, what());
}

void complete_hinge(const Lattice& lattice, RotationalSpring& hinge) {
  const std::string what = name_of(lattice, hinge);
  check_index(hinge.a, lattice.springs.size(), what);
  check_index(hinge.b, lattice.springs.size(), what);
  if (hinge.a == hinge.b)
    fail("hinge-on-one-spring",
         what + " needs two springs, both are spring " + std::to_string(hinge.a + 1));
  if (lattice.dimension == 1) fail("bad-dimension", "rotational springs need 2 or 3 dimensions");
  if (lattice.dimension != 2 && hinge.turns != 0)
    fail(
        "bad-turns",
        what + " has " + std::to_string(hinge.turns) + " turns, which angles in space do not count",
        "leave out the turns, or give the lattice 2 dimensions");
  if (!std::isfinite(hinge.stiffness)) fail("not-finite", what + ": stiffness is not finite");
  check_damping(hinge.damping, what);
  if (hinge.reference == Reference::initial)
    hinge.angle = principal_angle(lattice, hinge) + full_turns(hinge.turns);
  if (!std::isfinite(hinge.angle)) fail("not-finite", what + ": angle is not finite");
  if (!std::isfinite(hinge.mass) || hinge.mass < 0.0)
    fail("bad-mass", what + ": the mass must not be negative");
  if (hinge.mass > 0.0 && hinge_node(lattice, hinge) < 0)
    fail("bad-mass", what + ": its springs share no node that could carry its mass");
  if (!std::isfinite(hinge.section_modulus) || hinge.section_modulus < 0.0)
    fail("bad-section", what + ": the section modulus must not be negative");
}

}  // namespace

std::string name_of(const Lattice& lattice, const Spring& spring) {
  return "spring " + std::to_string(&spring - lattice.springs.data() + 1) + " (" +
         std::to_string(lattice.nodes[static_cast<std::size_t>(spring.a)].id) + "-" +
         std::to_string(lattice.nodes[static_cast<std::size_t>(spring.b)].id) + ")";
}

Lattice make_lattice(Lattice lattice) {
  check_nodes(lattice);
  for (Spring& spring : lattice.springs)
    complete_spring(lattice, spring);
  for (RotationalSpring& hinge : lattice.hinges)
    complete_hinge(lattice, hinge);
  for (const Load& load : lattice.loads) {
    check_index(load.node, lattice.nodes.size(), "load");
    if (!load.force.allFinite()) fail("not-finite", "load: force is not finite");
  }
  std::vector<std::array<bool, 3>> held(lattice.nodes.size());
  for (std::size_t i = 0; i < held.size(); ++i)
    held[i] = lattice.nodes[i].fixed;
  for (const PrescribedMotion& motion : lattice.motions) {
    check_index(motion.node, lattice.nodes.size(), "motion");
    if (motion.axis < 0 || motion.axis >= lattice.dimension)
      fail("bad-axis", "motion: axis " + std::to_string(motion.axis) + " beyond the dimension");
    auto& is_prescribed =
        held[static_cast<std::size_t>(motion.node)][static_cast<std::size_t>(motion.axis)];
    if (is_prescribed)
      fail("held-twice",
           "motion " + std::to_string(&motion - lattice.motions.data() + 1) + ": axis " +
               std::string(1, "xyz"[motion.axis]) + " of node " +
               std::to_string(lattice.nodes[static_cast<std::size_t>(motion.node)].id) +
               " is fixed or moved already");
    is_prescribed = true;
  }
  const std::vector<double> masses = nodal_masses(lattice);
  for (std::size_t i = 0; i < held.size(); ++i) {
    for (int axis = 0; axis < lattice.dimension; ++axis) {
      if (!held[i][static_cast<std::size_t>(axis)] && masses[i] <= 0.0)
        fail("no-mass",
             "node " + std::to_string(lattice.nodes[i].id) + " is free but has no mass",
             "give it a mass, or fix its DOFs");
    }
  }
  if (lattice.hub && (!std::isfinite(lattice.hub->stiffness) || lattice.hub->stiffness <= 0.0))
    fail("bad-hub", "R: the stiffness must be positive");
  return lattice;
}

std::int32_t hinge_node(const Lattice& lattice, const RotationalSpring& hinge) {
  const Spring& first = lattice.springs[static_cast<std::size_t>(hinge.a)];
  const Spring& second = lattice.springs[static_cast<std::size_t>(hinge.b)];
  for (const std::int32_t node : {first.b, first.a})
    if (node == second.a || node == second.b) return node;
  return -1;
}

std::vector<double> nodal_masses(const Lattice& lattice) {
  std::vector<double> masses;
  masses.reserve(lattice.nodes.size());
  for (const LatticeNode& node : lattice.nodes)
    masses.push_back(node.mass);
  for (const Spring& spring : lattice.springs) {
    if (spring.density == 0.0) continue;
    // The mass of a spring whose rest length is still undefined follows from its start length.
    const double length = spring.reference == Reference::current
                              ? (lattice.nodes[static_cast<std::size_t>(spring.b)].position -
                                 lattice.nodes[static_cast<std::size_t>(spring.a)].position)
                                    .norm()
                              : spring.rest_length;
    const double half = 0.5 * spring.density * spring.area * length;
    masses[static_cast<std::size_t>(spring.a)] += half;
    masses[static_cast<std::size_t>(spring.b)] += half;
  }
  for (const RotationalSpring& hinge : lattice.hinges)
    if (hinge.mass > 0.0)
      masses[static_cast<std::size_t>(hinge_node(lattice, hinge))] += hinge.mass;
  return masses;
}

std::int32_t find_node(const Lattice& lattice, std::int64_t id) {
  for (std::size_t i = 0; i < lattice.nodes.size(); ++i) {
    if (lattice.nodes[i].id == id) return static_cast<std::int32_t>(i);
  }
  return -1;
}

}  // namespace femflex::hamiltonian
