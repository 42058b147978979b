// Converts a "lattice" body of a system file to point masses and springs.
#include "system/system_lattice.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "femflex/laws/curve.h"
#include "femflex/laws/formula.h"

#include "lattice/run_lattice.h"

namespace femflex::tools {
namespace {

using hamiltonian::Lattice;
using hamiltonian::LatticeNode;
using mbd_solver::Value;

constexpr const char* kRemedy = "run it with 'femflex lattice', or take its K and M with --to-fe";

/// Converts a function of t to a Value.
Value value_of(const hamiltonian::Function& function) {
  const std::vector<double>& x = function.arguments;
  if (!function.expression.empty()) return laws::Formula(function.expression, {"t"});
  if (x.empty()) return function.constant;
  if (x.size() == 1) return function.values.front();
  using Curve = laws::Curve;
  return Curve(x, function.values, Curve::Kind::linear, Curve::Beyond::hold, "a function of t");
}

struct Builder {
  const std::string& name;
  const Json& value;
  const Lattice& lattice;
  mbd_solver::System& system;
  Eigen::Vector3d at = Eigen::Vector3d::Zero();
  Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
  Eigen::Vector3d v = Eigen::Vector3d::Zero(), w = Eigen::Vector3d::Zero();
  std::vector<double> masses = hamiltonian::nodal_masses(lattice);  // [kg]
  // name of the place of each node
  std::vector<std::string> places;

  [[noreturn]] void refuse(const std::string& what) const {
    value.find("lattice")->fail(
        "lattice", fmt::format("body '{}': {} cannot be part of a system", name, what), kRemedy);
  }
  std::array<bool, 3> held(const LatticeNode& node) const;
  void add_node(std::size_t index, bool is_named);
  void add_springs();
  void add_hinges();
  void add_hub();
  void add_damping(std::size_t index);
  void add_loads();
  void add_motions();
};

// The axes along which a node is fixed. In a planar system the axis along the world's z is not
// fixed, because nothing moves along it.
std::array<bool, 3> Builder::held(const LatticeNode& node) const {
  std::array<bool, 3> out = node.fixed;
  for (int axis = 0; axis < 3; ++axis) {
    const auto k = static_cast<std::size_t>(axis);
    if (axis >= lattice.dimension) out[k] = true;
    if (system.planar && std::abs(R(2, axis)) > 0.5) out[k] = false;
  }
  return out;
}

void Builder::add_node(std::size_t index, bool is_named) {
  const LatticeNode& node = lattice.nodes[index];
  const std::string place = fmt::format("{}/{}", name, node.id);
  const Eigen::Vector3d r = R * node.position;
  const std::array<bool, 3> fixed = held(node);
  const int free =
      static_cast<int>(std::count(fixed.begin(), fixed.end(), false)) - (system.planar ? 1 : 0);
  if (free == 0 && !is_named) {
    system.ground_markers[place].position = at + r;
    places.push_back("ground/" + place);
    return;
  }
  mbd_solver::Body body;
  body.name = place;
  body.kind = mbd_solver::PointMass{masses[index]};
  body.position = at + r;
  for (int axis = 0; axis < 3; ++axis) {
    if (!fixed[static_cast<std::size_t>(axis)])
      body.velocity += R.col(axis) * (node.velocity(axis) + R.col(axis).dot(v + w.cross(r)));
  }
  system.bodies.push_back(body);
  places.push_back(place);
  for (int axis = 0; axis < 3; ++axis) {
    if (!fixed[static_cast<std::size_t>(axis)]) continue;
    mbd_solver::Joint joint;
    joint.name = fmt::format("{}.{}.held_{}", name, node.id, "xyz"[axis]);
    joint.type = mbd_solver::JointType::point_on_plane;
    joint.a = "ground";
    joint.b = place;
    joint.at = body.position;
    joint.axis = R.col(axis);
    system.joints.push_back(joint);
  }
}

void Builder::add_springs() {
  for (std::size_t i = 0; i < lattice.springs.size(); ++i) {
    const hamiltonian::Spring& spring = lattice.springs[i];
    const std::string& a = places[static_cast<std::size_t>(spring.a)];
    const std::string& b = places[static_cast<std::size_t>(spring.b)];
    if (a.starts_with("ground/") && b.starts_with("ground/")) continue;
    mbd_solver::SpringDamper law;
    law.a = a;
    law.b = b;
    law.length = spring.reference == hamiltonian::Reference::value
                     ? spring.rest_length
                     : (lattice.nodes[static_cast<std::size_t>(spring.a)].position -
                        lattice.nodes[static_cast<std::size_t>(spring.b)].position)
                           .norm();
    law.tension_only = spring.tension_only;
    const auto mass = [&](std::int32_t node) { return masses[static_cast<std::size_t>(node)]; };
    law.damping = spring.damping.linear(0.5 * (mass(spring.a) + mass(spring.b)));
    law.growth = spring.damping.growth();
    law.break_elongation = spring.break_elongation;
    law.break_force = spring.break_force;
    if (spring.area > 0.0)
      law.break_force = std::min(law.break_force, spring.break_stress * spring.area);
    if (spring.law == hamiltonian::SpringLaw::quartic) {
      law.quartic = spring.stiffness;
    } else if (spring.law == hamiltonian::SpringLaw::linear) {
      law.stiffness = spring.stiffness;
    } else if (spring.law == hamiltonian::SpringLaw::expression) {
      law.law = laws::Formula(lattice.functions[static_cast<std::size_t>(spring.force)].expression,
                              {"e", "L", "d"});
    } else {
      const auto& table = lattice.functions[static_cast<std::size_t>(spring.force)];
      law.curve = mbd_solver::Table{table.arguments, table.values};
    }
    system.forces.push_back({fmt::format("{}.spring_{}", name, i + 1), law});
  }
}

// Adds the hinges. In a planar lattice their angles are counted about the normal of its plane.
void Builder::add_hinges() {
  for (std::size_t i = 0; i < lattice.hinges.size(); ++i) {
    const hamiltonian::RotationalSpring& hinge = lattice.hinges[i];
    const hamiltonian::Spring& a = lattice.springs[static_cast<std::size_t>(hinge.a)];
    const hamiltonian::Spring& b = lattice.springs[static_cast<std::size_t>(hinge.b)];
    mbd_solver::Hinge law;
    const std::array<std::int32_t, 4> nodes = {a.a, a.b, b.a, b.b};
    bool moves = false;
    for (std::size_t k = 0; k < 4; ++k) {
      law.ends[k] = places[static_cast<std::size_t>(nodes[k])];
      moves = moves || !law.ends[k].starts_with("ground/");
    }
    if (!moves) continue;
    if (lattice.dimension == 2) law.axis = R.col(2);
    law.turns = hinge.turns;
    if (hinge.reference != hamiltonian::Reference::current) law.free_angle = hinge.angle;
    law.damping = hinge.damping.c;
    law.growth = hinge.damping.growth();
    if (hinge.moment.is_constant())
      law.stiffness = hinge.stiffness;
    else if (hinge.moment.expression.empty())
      law.curve = mbd_solver::Table{hinge.moment.arguments, hinge.moment.values};
    else
      law.moment = laws::Formula(hinge.moment.expression, {"e"});
    system.forces.push_back({fmt::format("{}.hinge_{}", name, i + 1), law});
  }
}

// Adds the massless point R (the hub), which moves with the body to which a joint connects it.
void Builder::add_hub() {
  if (!lattice.hub) return;
  const hamiltonian::Hub& hub = *lattice.hub;
  const Eigen::Vector3d r = R * hub.position;
  mbd_solver::Body body;
  body.name = name + "/R";
  body.kind = mbd_solver::PointMass{0.0};
  body.position = at + r;
  body.velocity = v + w.cross(r);
  system.bodies.push_back(body);
  for (std::size_t i = 0; i < lattice.nodes.size(); ++i) {
    mbd_solver::SpringDamper law;
    law.a = body.name;
    law.b = places[i];
    law.length = hub.rest_length.value_or((lattice.nodes[i].position - hub.position).norm());
    if (hub.law == hamiltonian::SpringLaw::quartic)
      law.quartic = hub.stiffness;
    else
      law.stiffness = hub.stiffness;
    system.forces.push_back({fmt::format("{}.R.spring_{}", name, lattice.nodes[i].id), law});
  }
}

void Builder::add_damping(std::size_t index) {
  const LatticeNode& node = lattice.nodes[index];
  const double own = node.damping.linear(masses[index]);
  const bool grows = own != 0.0 && !node.damping.growth().is_none();
  const double c = grows ? lattice.friction : lattice.friction + own;
  if (places[index].starts_with("ground/")) return;
  if (c != 0.0) {
    mbd_solver::Bushing law;
    law.a = "ground";
    law.b = places[index];
    law.at = at + R * node.position;
    law.damping.diagonal().head<3>().setConstant(c);
    system.forces.push_back({fmt::format("{}.{}.friction", name, node.id), law});
  }
  if (grows)
    system.forces.push_back({fmt::format("{}.{}.damping", name, node.id),
                             mbd_solver::Drag{places[index], own, node.damping.growth()}});
}

void Builder::add_loads() {
  for (std::size_t i = 0; i < lattice.loads.size(); ++i) {
    const hamiltonian::Load& load = lattice.loads[i];
    if (load.until_step != std::numeric_limits<std::int64_t>::max())
      refuse(fmt::format("load {}, which ends at a step (give the time, \"t\"),", i + 1));
    const std::string& on = places[static_cast<std::size_t>(load.node)];
    if (on.starts_with("ground/")) continue;
    mbd_solver::PointForce law;
    law.on = on;
    const Eigen::Vector3d f = R * load.force;
    Value history = value_of(load.history);
    history.from = load.from;
    history.until = load.until;
    for (std::size_t c = 0; c < 3; ++c) {
      history.factor = f(static_cast<Eigen::Index>(c));
      if (history.factor != 0.0) law.value[c] = history;
    }
    system.forces.push_back({fmt::format("{}.load_{}", name, i + 1), law});
  }
}

void Builder::add_motions() {
  if (lattice.motions.empty()) return;
  const hamiltonian::State begin = hamiltonian::LatticeSystem(lattice).start();
  for (std::size_t i = 0; i < lattice.motions.size(); ++i) {
    const hamiltonian::PrescribedMotion& motion = lattice.motions[i];
    if (!R.isIdentity(1e-12)) refuse(fmt::format("motion {} along axes that are turned", i + 1));
    using Coordinate = mbd_solver::Motion::Coordinate;
    constexpr std::array<Coordinate, 3> kAxes = {Coordinate::x, Coordinate::y, Coordinate::z};
    mbd_solver::Motion out;
    out.name = fmt::format("{}.motion_{}", name, i + 1);
    out.coordinate = kAxes[static_cast<std::size_t>(motion.axis)];
    out.on = places[static_cast<std::size_t>(motion.node)];
    if (out.on.starts_with("ground/")) refuse(fmt::format("motion {} of a held node", i + 1));
    const auto node = static_cast<std::size_t>(motion.node);
    const std::size_t dof =
        node * static_cast<std::size_t>(lattice.dimension) + static_cast<std::size_t>(motion.axis);
    for (mbd_solver::Body& body : system.bodies)
      if (body.name == out.on && masses[node] > 0.0)
        body.velocity(motion.axis) = begin.p[dof] / masses[node];
    const double start = at(motion.axis) +
                         lattice.nodes[static_cast<std::size_t>(motion.node)].position(motion.axis);
    out.value = value_of(motion.displacement);
    out.value.offset = start;
    system.motions.push_back(out);
  }
}

}  // namespace

void add_lattice(const std::string& name,
                 const Json& value,
                 const std::set<std::int64_t>& nodes,
                 mbd_solver::System& system,
                 SystemReader& in) {
  ObjectReader reader(value, fmt::format("body '{}'", name));
  const Json& file = reader.need("lattice");
  const std::filesystem::path path = in.file(file);
  const auto held = read_once<AnyLattice>(
      in.cache(), "lattice " + path.string(), [&]() { return read_any_lattice(path, {}); });
  const AnyLattice& any = *held;
  for (const Warning& warning : any.document.warnings.warnings())
    in.diagnostics().warn(warning.code, warning.message, warning.where);
  if (any.polynomial)
    file.fail("lattice",
              fmt::format("body '{}': a polynomial has no nodes to attach to", name),
              "give the lattice as JSON, K/D matrix or FyDiK model");
  const Lattice& lattice = any.document.lattice;
  Builder build{name, value, lattice, system};
  if (const auto at = in.maybe_vector(reader, "at", in.length()); at) build.at = *at;
  if (const Json* turn = reader.find("orientation"); turn != nullptr)
    build.R = in.orientation(*turn);
  if (const auto v = in.maybe_vector(reader, "velocity", in.velocity()); v) build.v = *v;
  if (const auto w = in.maybe_vector(reader, "angular_velocity", 1.0 / in.time()); w) build.w = *w;
  reader.finish();
  if (lattice.start_at_equilibrium)
    build.refuse("a lattice that starts at its own equilibrium (add a static analysis instead)");
  for (const std::int64_t node : nodes) {
    if (hamiltonian::find_node(lattice, node) < 0)
      file.fail("no-such-node", fmt::format("lattice '{}' has no node {}", name, node));
  }
  Eigen::Vector3d gravity;
  for (std::size_t c = 0; c < 3; ++c)
    gravity(static_cast<Eigen::Index>(c)) =
        system.gravity[c].is_number() ? system.gravity[c].number() : 0.0;
  if (!lattice.gravity.isZero(0.0) &&
      (build.R * lattice.gravity - gravity).norm() > 1e-9 * lattice.gravity.norm())
    in.diagnostics().warn(
        "gravity",
        fmt::format("body '{}': the system's gravity counts, not the lattice's own", name));
  std::set<std::int32_t> moved;
  for (const hamiltonian::PrescribedMotion& motion : lattice.motions)
    moved.insert(motion.node);
  for (std::size_t i = 0; i < lattice.nodes.size(); ++i) {
    build.add_node(i, nodes.contains(lattice.nodes[i].id) || moved.contains(static_cast<int>(i)));
    build.add_damping(i);
  }
  build.add_springs();
  build.add_hinges();
  build.add_hub();
  build.add_loads();
  build.add_motions();
}

void check_hub(const std::string& name, const Json& value, const mbd_solver::System& system) {
  const std::string hub = name + "/R";
  if (system.find_body(hub) == nullptr) return;
  for (const mbd_solver::Joint& joint : system.joints)
    if (joint.type == mbd_solver::JointType::spherical && (joint.a == hub || joint.b == hub))
      return;
  value.find("lattice")->fail(
      "lattice",
      fmt::format("body '{}': nothing ties the hub R of its lattice, which has no mass", name),
      fmt::format("tie it to a body or the ground by a spherical joint on '{}'", hub));
}

}  // namespace femflex::tools
