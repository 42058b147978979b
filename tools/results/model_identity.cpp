// Lists a model part by part: numbers if messages can show them, SHA-256 digests of matrices and
// shapes, and the texts of formulas.
#include "results/model_identity.h"

#include <string_view>
#include <variant>

#include <fmt/format.h>

#include "femflex/io/sha256.h"

namespace femflex::tools {
namespace {

namespace mbd = mbd_solver;

/// The entries of a matrix column by column.
template <class Matrix>
Json numbers(const Matrix& matrix) {
  Json out = Json::list();
  for (Eigen::Index c = 0; c < matrix.cols(); ++c)
    for (Eigen::Index r = 0; r < matrix.rows(); ++r)
      out.push_back(matrix(r, c));
  return out;
}

/// The SHA-256 of the entries of matrices.
std::string digest(std::initializer_list<const Eigen::MatrixXd*> matrices) {
  std::string bytes;
  for (const Eigen::MatrixXd* matrix : matrices)
    bytes.append(reinterpret_cast<const char*>(matrix->data()),
                 static_cast<std::size_t>(matrix->size()) * sizeof(double));
  return io::sha256_of(bytes);
}

/// A number, or the text of a formula.
Json value(const mbd::Value& value) {
  return value.is_number() ? Json(value.number()) : Json(value.text());
}

std::string formula_text(const std::optional<laws::Formula>& formula) {
  if (!formula) return {};
  std::string out = formula->text();
  for (const auto& [name, constant] : formula->constants())
    out += fmt::format(", {} = {}", name, constant);
  return out;
}

/// The points of a table; empty if there is none. Properties added in later versions, such as the
/// interpolation, are listed only if they are used, so that states of earlier versions still match.
Json table(const std::optional<mbd::Table>& table) {
  Json out = Json::list();
  if (!table) return out;
  if (table->interpolation == mbd::Table::Interpolation::akima) out.push_back("akima");
  for (const auto* side : {&table->x, &table->y})
    for (const double number : *side)
      out.push_back(number);
  return out;
}

Json body_identity(const mbd::Body& body) {
  Json out = Json::object();
  if (const auto* rigid = std::get_if<mbd::RigidInertia>(&body.kind)) {
    out["mass"] = rigid->mass;
    out["com"] = numbers(rigid->com);
    out["inertia"] = numbers(rigid->inertia);
  } else if (const auto* point = std::get_if<mbd::PointMass>(&body.kind)) {
    out["mass"] = point->mass;
  } else {
    const auto& flexible = std::get<mbd::Flexible>(body.kind);
    const FlexBody& flex = *flexible.body;
    out["mass"] = flex.invariants.mass;
    out["inertia"] = numbers(flex.invariants.inertia);
    out["modal_mass"] = digest({&flex.mass});
    out["modal_stiffness"] = digest({&flex.stiffness});
    out["shapes"] = digest({&flex.shapes});
    Json active = Json::list();
    for (const bool acts : mbd::acting_modes(flexible))
      active.push_back(acts ? 1.0 : 0.0);
    out["modes"] = std::move(active);
  }
  out["at"] = numbers(body.position);
  out["orientation"] = numbers(body.orientation);
  for (const auto& [name, marker] : body.markers)
    out["marker " + name] = numbers(marker.position);
  return out;
}

Json joint_identity(const mbd::Joint& joint) {
  Json out = Json::object();
  out["a"] = joint.a;
  out["b"] = joint.b;
  if (joint.at) out["at"] = numbers(*joint.at);
  if (joint.axis) out["axis"] = numbers(*joint.axis);
  if (joint.axis_b) out["axis_b"] = numbers(*joint.axis_b);
  if (joint.length) out["length"] = *joint.length;
  out["pitch"] = joint.pitch;
  out["ratio"] = joint.ratio;
  return out;
}

// The parameters of a force that set its stiffness; null for a force that only loads or damps.
Json force_identity(const mbd::ForceLaw& law) {
  Json out = Json::object();
  const auto put = [&](const mbd::Value& stiffness) { out["stiffness"] = value(stiffness); };
  if (const auto* spring = std::get_if<mbd::SpringDamper>(&law)) {
    put(spring->stiffness);
    out["quartic"] = spring->quartic;
    out["law"] = formula_text(spring->law);
    out["curve"] = table(spring->curve);
    if (spring->tension_only) out["tension_only"] = true;
    if (spring->length) out["length"] = *spring->length;
  } else if (const auto* torsion = std::get_if<mbd::TorsionalSpring>(&law)) {
    put(torsion->stiffness);
    out["free_angle"] = torsion->free_angle;
  } else if (const auto* hinge = std::get_if<mbd::Hinge>(&law)) {
    put(hinge->stiffness);
    out["curve"] = table(hinge->curve);
    if (hinge->moment) out["moment"] = formula_text(hinge->moment);
    if (hinge->free_angle) out["free_angle"] = *hinge->free_angle;
  } else if (const auto* bushing = std::get_if<mbd::Bushing>(&law)) {
    out["stiffness"] = numbers(bushing->stiffness);
    for (const mbd::MaxwellArm& arm : bushing->arms)
      out[fmt::format("arm of {} s", arm.time)] = numbers(arm.stiffness);
    for (std::size_t axis = 0; axis < bushing->curves.size(); ++axis) {
      if (bushing->curves[axis])
        out[fmt::format("curve {}", axis + 1)] = table(bushing->curves[axis]);
      if (const laws::RubberFriction& own = bushing->friction[axis]; own.level != 0.0)
        out[fmt::format("friction {}", axis + 1)] = std::vector<double>{own.level, own.half_way};
    }
  } else if (const auto* stop = std::get_if<mbd::BumpStop>(&law)) {
    put(stop->stiffness);
    out["min"] = stop->min;
    out["max"] = stop->max;
    if (stop->curve) out["curve"] = table(stop->curve);
  } else if (const auto* contact = std::get_if<mbd::Contact>(&law)) {
    put(contact->stiffness);
    out["exponent"] = contact->exponent;
  } else if (const auto* damper = std::get_if<mbd::MountedDamper>(&law)) {
    put(damper->stiffness);
    if (damper->length) out["length"] = *damper->length;
  } else if (const auto* bar = std::get_if<mbd::AntiRollBar>(&law)) {
    put(bar->stiffness);
  } else if (const auto* follow = std::get_if<mbd::FollowContact>(&law)) {
    put(follow->stiffness);
    out["exponent"] = follow->exponent;
  } else if (const auto* tyre = std::get_if<mbd::Tyre>(&law)) {
    put(tyre->stiffness);
    out["radius"] = tyre->radius;
  } else if (const auto* leaf = std::get_if<mbd::LeafSpring>(&law)) {
    out["loading"] = table(leaf->loading);
    out["unloading"] = table(leaf->unloading);
    out["decay"] = leaf->decay;
    if (leaf->length) out["length"] = *leaf->length;
  } else if (const auto* air = std::get_if<mbd::AirSpring>(&law)) {
    out["area"] = air->area;
    out["volume"] = air->volume;
    out["pressure"] = air->pressure;
    out["exponent"] = air->exponent;
    if (air->length) out["length"] = *air->length;
  } else if (const auto* wheel = std::get_if<mbd::RollingTyre>(&law)) {
    out["radius"] = wheel->tyre->unloaded_radius();
    out["force_per_metre"] = wheel->tyre->normal_force(1.0, 0.0);
  } else {
    return {};
  }
  return out;
}

/// The data that determine the positions of a block's values in a state. Parameters of the block
/// may differ between runs.
Json block_identity(const mbd::Block& block) {
  Json out = Json::object();
  out["law"] = static_cast<double>(block.law.index());
  out["states"] = static_cast<double>(mbd::state_count(block));
  if (const auto* sample = std::get_if<mbd::SampleBlock>(&block.law))
    out["delay"] = static_cast<double>(sample->delay);
  if (std::holds_alternative<mbd::GuestBlock>(block.law)) {
    Json& names = out["outputs"];
    names = Json::list();
    for (const std::string& name : block.output_names)
      names.push_back(name);
  }
  return out;
}

}  // namespace

Json model_identity(const mbd::System& system) {
  Json out = Json::object();
  for (const mbd::Body& body : system.bodies)
    out["body " + body.name] = body_identity(body);
  for (const mbd::Joint& joint : system.joints)
    out["joint " + joint.name] = joint_identity(joint);
  for (const mbd::Force& force : system.forces)
    if (Json identity = force_identity(force.law); identity.is_object())
      out["force " + force.name] = std::move(identity);
  for (const mbd::Block& block : system.blocks)
    out["block " + block.name] = block_identity(block);
  return out;
}

std::string identity_difference(const Json& stored, const Json& current) {
  for (const Json::Member& part : stored.members()) {
    const Json* current_part = current.find(part.key);
    if (current_part == nullptr) return part.key + " no longer exists";
    for (const Json::Member& member : part.value.members()) {
      const Json* value_now = current_part->find(member.key);
      const std::string before = member.value.dump_line();
      const std::string after = value_now == nullptr ? "not given" : value_now->dump_line();
      if (before == after) continue;
      const bool is_digest = member.key.starts_with("modal_") || member.key == "shapes";
      return is_digest ? fmt::format("{}: {} of its file differs", part.key, member.key)
                       : fmt::format("{}: {} is {}, was {}", part.key, member.key, after, before);
    }
    if (current_part->members().size() != part.value.members().size())
      return part.key + " has more properties than before";
  }
  for (const Json::Member& part : current.members())
    if (stored.find(part.key) == nullptr) return part.key + " did not exist";
  return {};
}

}  // namespace femflex::tools
