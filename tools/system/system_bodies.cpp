// Reads "bodies" of a system file: rigid bodies, point masses, flexible bodies and full FE models.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/frequency.h"
#include "femflex/mbd_solver/inertia.h"
#include "femflex/modal/compute_modes.h"
#include "femflex/modal/damping.h"
#include "femflex/modal/reduce.h"
#include "femflex/modal/selection.h"
#include "femflex/number_list.h"

#include "body/fe_report.h"
#include "body/inputs.h"
#include "document/placed_at.h"
#include "system/system_reader.h"

namespace femflex::tools {
namespace {

using mbd_solver::Marker;

Eigen::Matrix3d tensor_of(const Json& value, const SystemReader& in) {
  if (in.planar() && !value.is_list())
    return Eigen::Matrix3d::Identity() * in.number(value, in.inertia());
  const std::vector<double> six = in.numbers(value, in.inertia());
  if (six.size() != 6 && six.size() != 3)
    value.fail("wrong-size",
               fmt::format("{} numbers where xx yy zz xy yz xz was expected", six.size()));
  Eigen::Matrix3d J = Eigen::Vector3d(six[0], six[1], six[2]).asDiagonal();
  if (six.size() == 6) {
    J(0, 1) = J(1, 0) = six[3];
    J(1, 2) = J(2, 1) = six[4];
    J(0, 2) = J(2, 0) = six[5];
  }
  return J;
}

Eigen::Matrix3d inertia_of(const Json& value, const SystemReader& in) {
  const Eigen::Matrix3d J = tensor_of(value, in);
  const mbd_solver::InertiaFault fault = mbd_solver::inertia_fault(J, in.planar());
  if (fault.kind != mbd_solver::InertiaFault::Kind::none)
    value.fail("no-inertia",
               fault.text,
               in.planar() ? std::string()
                           : "each must be positive and none larger than the sum of the other two");
  return J;
}

mbd_solver::RigidInertia read_rigid(const Json& value,
                                    const std::string& name,
                                    const SystemReader& in) {
  ObjectReader reader(value, fmt::format("body '{}': rigid", name));
  mbd_solver::RigidInertia out;
  out.mass = in.number(reader.need("mass"), in.mass());
  if (const auto com = in.maybe_vector(reader, "com", in.length()); com) out.com = *com;
  if (const Json* inertia = reader.find("inertia"); inertia != nullptr)
    out.inertia = inertia_of(*inertia, in);
  reader.finish();
  if (out.mass < 0.0) value.find("mass")->fail("no-mass", "a mass must not be negative");
  return out;
}

mbd_solver::InvariantSet read_invariants(const Json& value, const SystemReader& in) {
  using mbd_solver::InvariantSet;
  if (value.is_list()) {
    InvariantSet set;
    set.on.fill(false);
    for (const Json& item : value.items()) {
      const auto number = whole_number(in.number(item), 1, 9);
      if (!number) item.fail("unknown-choice", "invariants are numbered 1 to 9");
      set.on[static_cast<std::size_t>(*number) - 1] = true;
    }
    return set;
  }
  const std::string& name = choice(value, {"full", "partial", "constant", "off"});
  if (name == "full") return InvariantSet::full();
  if (name == "partial") return InvariantSet::partial();
  return name == "constant" ? InvariantSet::constant() : InvariantSet::off();
}

// Rejects damping ratios below 0 or above 1 (critical damping); 35 probably means 35 %, which is
// 0.35.
void check_damping_ratios(const Json& value, const std::vector<double>& ratios) {
  for (const double ratio : ratios)
    if (ratio < 0.0 || ratio > 1.0)
      value.fail(
          "damping",
          fmt::format("a damping ratio of {}: expected 0 to 1, where 1 is critical damping", ratio),
          (ratio > 1.0 && ratio <= 100.0
               ? fmt::format("for {:.6g} per cent write {:.6g}; ", ratio, ratio / 100.0)
               : std::string()) +
              "more than critical damping goes into a damping matrix or \"rayleigh\"");
}

mbd_solver::Damping read_damping(const Json& value, const FlexBody& body, const SystemReader& in) {
  using mbd_solver::Damping;
  Damping out;
  if (value.is_object()) {
    ObjectReader reader(value, "damping");
    const Json* rayleigh = reader.find("rayleigh");
    const Json* ratios = reader.find("ratios");
    const Json* true_modes = reader.find("true_modes");
    reader.finish();
    if (rayleigh != nullptr) {
      const std::vector<double> two = in.numbers(*rayleigh);
      if (two.size() != 2)
        rayleigh->fail("wrong-size", "rayleigh damping is [a, c]: b = a m + c k");
      out.kind = Damping::Kind::rayleigh;
      out.rayleigh_mass = two[0] / in.time();
      out.rayleigh_stiffness = two[1] * in.time();
    } else if (true_modes != nullptr || ratios != nullptr) {
      out.kind = true_modes != nullptr ? Damping::Kind::true_modes : Damping::Kind::ratios;
      out.ratios = in.numbers(true_modes != nullptr ? *true_modes : *ratios);
      check_damping_ratios(value, out.ratios);
    } else {
      value.fail("missing-key", "damping: no ratios, true_modes or rayleigh");
    }
    return out;
  }
  if (value.is_list()) {
    out.kind = Damping::Kind::ratios;
    out.ratios = in.numbers(value);
    check_damping_ratios(value, out.ratios);
    return out;
  }
  if (value.is_number() || value.text().starts_with('=')) {
    out.kind = Damping::Kind::ratios;
    out.ratios = {in.number(value)};
    check_damping_ratios(value, out.ratios);
    return out;
  }
  placed_at(value, [&] {
    const modal::DampingRule rule = modal::parse_damping(value.text());
    using Kind = modal::DampingRule::Kind;
    if (rule.kind == Kind::none) out.kind = Damping::Kind::none;
    if (rule.kind == Kind::adams) out.kind = Damping::Kind::adams;
    if (rule.kind == Kind::matrix) out.kind = Damping::Kind::body;
    if (rule.kind == Kind::true_modes) {
      out.kind = Damping::Kind::true_modes;
      out.ratios = {rule.ratio};
    }
    if (rule.kind == Kind::uniform || rule.kind == Kind::per_mode) {
      out.kind = Damping::Kind::ratios;
      FlexBody copy;
      copy.modes.resize(body.modes.size());
      modal::apply_damping(copy, rule);
      for (const BodyMode& mode : copy.modes)
        out.ratios.push_back(std::isnan(mode.damping_ratio) ? 0.0 : mode.damping_ratio);
    }
  });
  return out;
}

// Indices of the modes that a text selects. "static" selects all modes of the kind static.
// "dynamic:7-12" selects the modes of the body that were made from the dynamic modes 7 to 12.
std::vector<std::size_t> modes_of_kinds(const FlexBody& body, const Json& list) {
  const std::vector<modal::ModeSelection> selection = modal::parse_selection(list.text());
  std::vector<std::size_t> found;
  if (selection.empty())  // "all"
    for (std::size_t i = 0; i < body.modes.size(); ++i)
      found.push_back(i);
  for (const modal::ModeSelection& wanted : selection) {
    const auto take = [&](const std::string& source) {
      const std::size_t before = found.size();
      for (std::size_t i = 0; i < body.modes.size(); ++i) {
        const BodyMode& mode = body.modes[i];
        const bool made_of_it =
            std::find(mode.sources.begin(), mode.sources.end(), source) != mode.sources.end();
        if (source.empty() ? mode.kind == wanted.kind : made_of_it) found.push_back(i);
      }
      if (found.size() == before)
        list.fail("no-such-mode",
                  source.empty()
                      ? fmt::format("the body has no mode of kind {}", name_of(wanted.kind))
                      : fmt::format("no mode of the body is made of {}", source));
    };
    if (wanted.numbers.empty()) take({});
    for (const std::int64_t number : wanted.numbers)
      take(fmt::format("{}:{}", name_of(wanted.kind), number));
  }
  return found;
}

// Reads "modes": which modes are enabled. "enable" disables all others, then "disable" and "below"
// disable further ones.
std::vector<bool> read_enabled(const Json& value, const FlexBody& body, const SystemReader& in) {
  ObjectReader reader(value, "modes");
  const auto count = static_cast<std::int64_t>(body.modes.size());
  std::vector<bool> on;
  for (const BodyMode& mode : body.modes)
    on.push_back(mode.enabled);
  const auto set = [&](const Json& list, bool state) {
    placed_at(list, [&] {
      const std::string text =
          list.is_number() ? fmt::format("{}", list.number()) : std::string(list.text());
      if (!text.empty() && std::isalpha(static_cast<unsigned char>(text.front()))) {
        for (const std::size_t i : modes_of_kinds(body, list))
          on[i] = state;
        return;
      }
      for (const std::int64_t number : parse_number_list(text)) {
        if (number < 1 || number > count)
          list.fail("no-such-mode", fmt::format("mode {} where the body has {}", number, count));
        on[static_cast<std::size_t>(number - 1)] = state;
      }
    });
  };
  const Json* enable = reader.find("enable");
  const Json* disable = reader.find("disable");
  const Json* below = reader.find("below");
  reader.finish();
  if (enable != nullptr) {
    std::fill(on.begin(), on.end(), false);
    set(*enable, true);
  }
  if (disable != nullptr) set(*disable, false);
  if (below != nullptr) {
    const double limit = in.with_unit(*below, "Hz");
    for (std::size_t i = 0; i < on.size(); ++i) {
      if (frequency_hz(body.modes[i].eigenvalue) > limit) on[i] = false;
    }
  }
  return on;
}

// A body with all normal modes of the model except rigid ones, so that every DOF with mass is
// represented.
FlexBody full_body(FeModel model, const SystemReader& in) {
  modal::ModeRequest request;
  request.all = true;
  model.modes = modal::compute_modes(model, request, in.diagnostics(), in.progress()).modes;
  modal::ReduceOptions options;
  options.rigid_modes = modal::RigidModes::drop;
  options.reject_above = std::numeric_limits<double>::infinity();  // rejects no mode
  return modal::reduce(model, options, in.diagnostics(), in.progress());
}

/// The FE model for body `owner`.
FeModel read_full_model(const Json& name, const std::string& owner, SystemReader& in) {
  if (const auto* value = in.part<FeModel>(name)) return *value;
  const bool is_body = in.part<FlexBody>(name) != nullptr;
  const std::filesystem::path path = is_body ? std::filesystem::path() : in.file(name);
  if (is_body || kind_of(path) == FileKind::body)
    name.fail("no-model",
              fmt::format("body '{}': \"as\": \"full\" needs the FE model", owner),
              "add \"model\": \"NAME.fe.h5\"");
  return load_model(path, std::nullopt, in.diagnostics(), in.progress());
}

/// The body with the natural frequency of mode i multiplied by the factor s_i: k_ij becomes
/// s_i s_j k_ij. The last factor also applies to all further modes.
std::shared_ptr<const FlexBody> retuned(const FlexBody& body, const Json& value, SystemReader& in) {
  const std::vector<double> factors =
      value.is_list() ? in.numbers(value) : std::vector<double>{in.number(value)};
  for (const double each : factors)
    if (!(each > 0.0) || !std::isfinite(each))
      value.fail("frequency-factor", "a factor of a natural frequency must be above 0");
  if (factors.empty()) value.fail("frequency-factor", "there is no factor");
  if (static_cast<Eigen::Index>(factors.size()) > body.mode_count())
    value.fail(
        "wrong-size",
        fmt::format("{} factors where the body has {} modes", factors.size(), body.mode_count()));
  Eigen::VectorXd s = Eigen::VectorXd::Constant(body.mode_count(), factors.back());
  for (std::size_t i = 0; i < factors.size(); ++i)
    s(static_cast<Eigen::Index>(i)) = factors[i];
  auto out = std::make_shared<FlexBody>(body);
  out->stiffness = s.asDiagonal() * body.stiffness * s.asDiagonal();
  return out;
}

// Reads a body with "flex". "as" decides what becomes of it: a reduced body, a rigid body with its
// mass properties, or a body with all modes of its FE model.
void read_flexible(mbd_solver::Body& out,
                   ObjectReader& reader,
                   const std::set<std::int64_t>& nodes,
                   SystemReader& in) {
  const Json& name = reader.need("flex");
  const Json* as = reader.find("as");
  const Json* model = reader.find("model");
  const std::string kind = as == nullptr ? "flex" : choice(*as, {"flex", "rigid", "full"});
  const Json* damping = reader.find("damping");
  const Json* factor = reader.find("frequency_factor");
  const Json* modes = reader.find("modes");
  const Json* invariants = reader.find("invariants");
  const Json* geometric = reader.find("geometric_stiffness");
  const Json* zeta = reader.find("zeta");
  const Json* zeta_dot = reader.find("zeta_dot");
  const Json* gauges = reader.find("gauges");

  std::shared_ptr<const FlexBody> found;
  std::shared_ptr<const FeModel> full_model;
  GaugeBody gauge_body;
  gauge_body.model_name = model;
  if (kind == "full") {
    const Json& source = model != nullptr ? *model : name;
    const auto read = [&]() { return read_full_model(source, out.name, in); };
    if (gauges != nullptr)
      full_model = read_once<FeModel>(in.cache(), "model " + source.text(), read);
    gauge_body.model = full_model.get();
    found = read_once<FlexBody>(in.cache(), "full " + source.text(), [&]() {
      return full_body(full_model != nullptr ? *full_model : read(), in);
    });
  } else if (const auto* value = in.part<FlexBody>(name)) {
    found = read_once<FlexBody>(in.cache(), "value " + name.text(), [&]() { return *value; });
  } else {
    const std::filesystem::path path = in.file(name);
    found = read_once<FlexBody>(in.cache(), "body " + path.string(), [&]() {
      return load_body(path, std::nullopt, in.diagnostics(), in.progress());
    });
    gauge_body.folder = path.parent_path();
    if (kind == "flex") in.note_flex_file(out.name, path);
  }
  const FlexBody& body = *found;
  if (kind != "rigid") gauge_body.body = &body;
  if (gauges != nullptr) out.sensors = read_gauge_sensors(*gauges, gauge_body, in);
  if (kind == "rigid") {
    mbd_solver::RigidInertia rigid;
    rigid.mass = body.invariants.mass;
    rigid.com = body.centre_of_mass();
    const Eigen::Matrix3d tilde = cross_matrix(rigid.com);
    rigid.inertia = body.invariants.inertia - rigid.mass * tilde.transpose() * tilde;
    out.kind = rigid;
    for (const std::int64_t id : nodes) {
      const Eigen::Index index = find_node(body, id);
      if (index < 0) continue;
      Marker& marker = out.markers[std::to_string(id)];
      marker.position = body.nodes[static_cast<std::size_t>(index)].position;
      marker.has_axes = false;  // as the node of the flexible body
    }
    return;
  }
  mbd_solver::Flexible flexible;
  if (damping != nullptr) flexible.damping = read_damping(*damping, body, in);
  // "modes" refers to modes of the reduced body, which the full body does not have
  if (modes != nullptr && kind != "full") flexible.enabled = read_enabled(*modes, body, in);
  if (invariants != nullptr) flexible.invariants = read_invariants(*invariants, in);
  if (geometric != nullptr) flexible.geometric_stiffness = geometric->boolean();
  const auto initial = [&](const Json* value, std::optional<Eigen::VectorXd>& target) {
    if (value == nullptr || kind == "full") return;
    const std::vector<double> numbers = in.numbers(*value);
    if (static_cast<Eigen::Index>(numbers.size()) != body.mode_count())
      value->fail(
          "wrong-size",
          fmt::format("{} numbers where the body has {} modes", numbers.size(), body.mode_count()));
    target = Eigen::Map<const Eigen::VectorXd>(numbers.data(),
                                               static_cast<Eigen::Index>(numbers.size()));
  };
  // these, too, refer to the modes of the reduced body; a full body starts undeformed
  initial(zeta, flexible.zeta);
  initial(zeta_dot, flexible.zeta_dot);
  flexible.body = factor == nullptr ? std::move(found) : retuned(body, *factor, in);
  out.kind = std::move(flexible);
}

}  // namespace

std::map<std::string, Marker> read_markers(const Json& value, SystemReader& in) {
  std::map<std::string, Marker> out;
  for (const Json::Member& member : value.members()) {
    ObjectReader reader(member.value, fmt::format("marker '{}'", member.key));
    Marker marker;
    if (const auto at = in.maybe_vector(reader, "at", in.length()); at) marker.position = *at;
    if (const Json* orientation = reader.find("orientation"); orientation != nullptr)
      marker.orientation = in.orientation(*orientation);
    if (const Json* node = reader.find("node"); node != nullptr) marker.node = in.whole(*node, 0);
    reader.finish();
    out.emplace(member.key, marker);
  }
  return out;
}

mbd_solver::Body read_body_entry(const std::string& name,
                                 const Json& value,
                                 const std::set<std::int64_t>& nodes,
                                 SystemReader& in) {
  ObjectReader reader(value, fmt::format("body '{}'", name));
  mbd_solver::Body out;
  out.name = name;
  if (const Json* rigid = reader.find("rigid"); rigid != nullptr) {
    out.kind = read_rigid(*rigid, name, in);
  } else if (const Json* point = reader.find("point"); point != nullptr) {
    ObjectReader inner(*point, fmt::format("body '{}': point", name));
    out.kind = mbd_solver::PointMass{in.number(inner.need("mass"), in.mass())};
    inner.finish();
  } else {
    read_flexible(out, reader, nodes, in);
  }
  if (const auto at = in.maybe_vector(reader, "at", in.length()); at) out.position = *at;
  if (const Json* orientation = reader.find("orientation"); orientation != nullptr)
    out.orientation = in.orientation(*orientation);
  if (const auto v = in.maybe_vector(reader, "velocity", in.velocity()); v) out.velocity = *v;
  if (const auto w = in.maybe_vector(reader, "angular_velocity", 1.0 / in.time()); w)
    out.angular_velocity = *w;
  out.initial_fixed = reader.boolean("initial_fixed", false);
  if (const Json* markers = reader.find("markers"); markers != nullptr) {
    for (auto& [key, marker] : read_markers(*markers, in)) {
      // a rigid body has no nodes: a marker on a node becomes a marker at the node's position
      if (marker.node && std::holds_alternative<mbd_solver::RigidInertia>(out.kind)) {
        const auto at = out.markers.find(std::to_string(*marker.node));
        if (at == out.markers.end())
          markers->find(key)->find("node")->fail(
              "unknown-node", fmt::format("body '{}' has no node {}", name, *marker.node));
        marker.position += at->second.position;
        marker.node.reset();
      }
      out.markers[key] = marker;
    }
  }
  reader.finish();
  return out;
}

}  // namespace femflex::tools
