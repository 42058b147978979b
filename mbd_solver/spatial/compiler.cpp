// The main part of Compiler: the order of compilation, names of objects, inputs and forces, and the
// numbers of all unknowns. Bodies, joints, blocks, channels and values are compiled in
// compile_*.cpp.
#include "spatial/compiler.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <utility>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/nearest_name.h"

#include "spatial/joint_kinds.h"
#include "spatial/lengths.h"
#include "spatial/light_bodies.h"

namespace femflex::mbd_solver {

using Eigen::Matrix3d;
using Eigen::Vector3d;

Matrix3d frame_about(const Vector3d& axis) {
  const Vector3d z = axis.normalized();
  Vector3d x, y;
  // |z| of an axis above which X of W replaces Z as reference direction
  constexpr double kNearlyVertical = 0.999;
  if (std::abs(z.z()) > kNearlyVertical) {
    x = (Vector3d::UnitX() - z.x() * z).normalized();
    y = z.cross(x);
  } else {
    y = (Vector3d::UnitZ() - z.z() * z).normalized();
    x = y.cross(z);
  }
  Matrix3d R;
  R << x, y, z;
  return R;
}

Compiler::Compiler(const System& system, Diagnostics& diagnostics)
    : system_(system), diagnostics_(diagnostics) {}

Model Compiler::compile() {
  model_.planar = system_.planar;
  add_inputs();
  add_bodies();
  declare_blocks();
  for (const Joint& joint : system_.joints)
    joint.type == JointType::gear ? void() : add_joint(joint);
  for (const Joint& joint : system_.joints)
    if (joint.type == JointType::gear) add_gear(joint);
  for (const Motion& motion : system_.motions)
    add_motion(motion);
  for (const Joint& joint : system_.joints)
    add_starts(joint);
  for (const Force& force : system_.forces)
    add_force(force);
  for (std::size_t c = 0; c < 3; ++c)
    model_.gravity[c] = signal(system_.gravity[c], "gravity");
  warn_out_of_plane({&model_.gravity[2]}, "gravity");
  compile_blocks();
  model_.acting_markers = model_.markers.size();
  find_stiffening_inputs();
  add_outputs();
  finish();
  return std::move(model_);
}

void Compiler::check_name(const std::string& name, const std::string& kind) const {
  const auto refuse = [&](const std::string& why) {
    throw ModelError(
        kind + "-name",
        fmt::format("'{}' cannot name {} {}: {}", name, kind == "input" ? "an" : "a", kind, why));
  };
  if (name.empty()) refuse("a name is not empty");
  for (const char* reserved : {"t", "ground", "energy", "constraint_violation"})
    if (name == reserved) refuse("this name is reserved");
  const auto slashes = std::count(name.begin(), name.end(), '/');
  const bool is_outside = name.front() == '/' || name.back() == '/';
  if (kind == "body" && (is_outside || slashes > 1)) refuse("it has at most one '/', inside");
  if (kind == "input" && is_outside) refuse("it has no '/' at its ends");
  if (kind != "body" && kind != "input" && slashes > 0) refuse("it has no '/'");
  const std::initializer_list<std::pair<const char*, const decltype(bodies_)*>> all = {
      {"body", &bodies_},
      {"joint", &joints_},
      {"force", &forces_},
      {"block", &blocks_},
      {"input", &inputs_}};
  for (const auto& [other, names] : all) {
    if (!names->contains(name)) continue;
    if (kind == other)
      throw ModelError(
          "name-twice",
          fmt::format("two {} are called '{}'", kind == "body" ? "bodies" : kind + "s", name));
    refuse(fmt::format("{} {} has this name",
                       names == &inputs_ ? "an" : "a",
                       names == &joints_ ? "joint or motion" : other));
  }
}

void Compiler::add_inputs() {
  for (const Input& input : system_.inputs) {
    const std::string user = fmt::format("input {}", input.name);
    check_name(input.name, "input");
    inputs_.emplace(input.name, static_cast<int>(model_.inputs.size()));
    InputModel out;
    out.name = input.name;
    out.unit = input.unit;
    out.value = signal(input.value, user);  // a value that reads an earlier input is rejected below
    if (!out.value.only_time())
      throw ModelError("input-value", fmt::format("{}: its value reads more than t", user));
    model_.inputs.push_back(std::move(out));
  }
}

void Compiler::find_stiffening_inputs() {
  for (const ForceModel& force : model_.forces) {
    if (!force.base().is_stiff) continue;
    force.for_each_signal([&](const Signal& signal) {
      for (const Probe& probe : signal.probes)
        if (probe.what == Probe::What::input)
          model_.inputs[static_cast<std::size_t>(probe.index)].stiffens = true;
    });
  }
}

void Compiler::add_force(const Force& force) {
  const std::string user = fmt::format("force {}", force.name);
  check_name(force.name, "force");
  forces_.emplace(force.name, static_cast<int>(model_.forces.size()));
  ForceModel f;
  f.name = force.name;
  reads_blocks_ = false;
  std::visit([&](const auto& law) { f.law = compile_law(law, user, *this); }, force.law);
  check_force_probes(f, user);
  std::visit(
      [&](auto& law) {
        law.state0 = model_.state_count;
        model_.state_count += law.state_count;
      },
      f.law);
  f.follows_blocks = reads_blocks_;
  if (f.base().is_stiff)  // a stiff force on a node couples the modes
    for (const int m : f.markers())
      if (model_.markers[static_cast<std::size_t>(m)].on_node)
        model_.bodies[static_cast<std::size_t>(model_.markers[static_cast<std::size_t>(m)].body)]
            .dense_modes = true;
  model_.forces.push_back(std::move(f));
}

void Compiler::require_in_plane(const Eigen::Vector3d& direction,
                                const std::string& what,
                                const std::string& remedy) const {
  if (!model_.planar || !is_off_plane(direction)) return;
  throw ModelError("out-of-plane",
                   fmt::format("{} is not in the x-y plane of a planar system", what),
                   {},
                   remedy);
}

void Compiler::warn_out_of_plane(std::initializer_list<const Signal*> components,
                                 const std::string& what) {
  const bool acts = std::any_of(components.begin(), components.end(), [](const Signal* each) {
    return !each->is_constant() || each->number != 0.0;
  });
  if (model_.planar && acts)
    warn("out-of-plane",
         fmt::format("{} has a part out of the x-y plane of a planar system, which moves nothing",
                     what));
}

void Compiler::require_rotation(int marker, const std::string& what) const {
  if (body_of(model_, marker).kind != BodyModel::Kind::point) return;
  throw ModelError("point-turns",
                   fmt::format("{}, and a point mass has no rotations", what),
                   {},
                   "act on its position alone, or give the body an inertia");
}

void Compiler::check_force_probes(const ForceModel& force, const std::string& user) {
  force.for_each_signal([&](const Signal& signal) {
    for (std::size_t p = 1; p < signal.probes.size(); ++p) {
      const Probe& probe = signal.probes[p];
      const bool is_work = probe.what == Probe::What::input_work;
      if (!is_work && !probe.is_acceleration()) continue;
      throw ModelError(
          "algebraic-loop",
          fmt::format("{}: '{}' {}",
                      user,
                      signal.function->variables()[p],
                      is_work ? "is summed at the output rows, after the forces"
                              : "follows from the forces, so a force cannot read it"),
          {},
          "read positions, velocities or other energies; an added mass belongs to the body's mass");
    }
  });
}

int Compiler::body_index(std::string_view name, const std::string& user) const {
  const auto it = bodies_.find(name);
  if (it == bodies_.end())
    throw ModelError("unknown-body",
                     fmt::format("{}: there is no body called '{}'", user, name),
                     {},
                     suggestion(name, keys_of(bodies_)));
  return it->second;
}

int Compiler::joint_index(const std::string& name, const std::string& user) const {
  const auto it = joints_.find(name);
  if (it == joints_.end())
    throw ModelError("unknown-joint",
                     fmt::format("{}: there is no joint called '{}'", user, name),
                     {},
                     suggestion(name, keys_of(joints_)));
  return it->second;
}

int Compiler::track_angle(int joint, const std::string& user) {
  JointModel& j = model_.joints[static_cast<std::size_t>(joint)];
  if (!has_angle(j.type))
    throw ModelError(
        "no-angle",
        fmt::format("{}: joint {} is {} and has no angle", user, j.name, name_of(j.type)));
  if (j.turn < 0) j.turn = model_.angle_count++;
  return j.turn;
}

CoordinateTerm Compiler::coordinate_term(int joint, bool angle, const std::string& user) {
  CoordinateTerm term;
  term.angle = angle;
  if (angle) {
    term.turn = track_angle(joint, user);
    return term;
  }
  const JointModel& j = model_.joints[static_cast<std::size_t>(joint)];
  if (!has_displacement(j.type))
    throw ModelError(
        "no-displacement",
        fmt::format("{}: joint {} is {} and has no displacement", user, j.name, name_of(j.type)));
  return term;
}

void number_joint(Model& model, JointModel& joint, int node) {
  joint.node = node;
  joint.m = static_cast<int>(joint.rows.size());
  joint.l0 = model.nl;
  model.nl += joint.m;
  for (const int leg : joint.legs) {
    const BodyModel& b = body_of(model, leg);
    joint.g.push_back(static_cast<int>(model.g_size));
    model.g_size += static_cast<std::size_t>(joint.m) * static_cast<std::size_t>(b.nr + b.n);
  }
}

void Compiler::finish() {
  Model& m = model_;
  // numbers the nodes of BlockFactor; the modes of a body come before its frame
  int node = 0;
  for (BodyModel& b : m.bodies) {
    if (b.kind == BodyModel::Kind::ground) continue;
    b.node = node;
    node += b.n > 0 ? 2 : 1;
  }
  for (JointModel& j : m.joints)
    number_joint(m, j, node++);
  find_lengths(m);
  mark_light_bodies(m);
  m.initial.acceleration.setZero(m.nv);
  m.initial.multipliers.setZero(m.nl);
  m.initial.joint_angles.setZero(m.angle_count);
  m.initial.events.setZero(m.event_count);
  m.initial.force_states.setZero(m.state_count);
  m.initial.force_state_rates.setZero(m.state_count);
  m.state_unit.setOnes(m.state_count);
  for (const ForceModel& f : m.forces) {
    const LawBase& law = f.base();
    if (law.turn >= 0) m.initial.joint_angles(law.turn) = law.first_angle;
    m.state_unit.segment(law.state0, law.state_count).setConstant(law.state_unit);
    for (std::size_t k = 0; k < law.first_states.size(); ++k)
      m.initial.force_states(law.state0 + static_cast<Eigen::Index>(k)) = law.first_states[k];
  }
  set_first_blocks();
}

Model compile(const System& system, Diagnostics& diagnostics) {
  return Compiler(system, diagnostics).compile();
}

}  // namespace femflex::mbd_solver
