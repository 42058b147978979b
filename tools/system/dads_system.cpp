// Converts the records of a DADS input (bodies, joints, brackets, forces) to those of a system.
#include "system/dads_system.h"

#include <memory>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/flexfile/dads_input.h"
#include "femflex/frequency.h"
#include "femflex/io/sha256.h"

#include "body/fe_report.h"

namespace femflex::tools {
namespace {

using flexfile::DadsBody;
using flexfile::DadsBracket;
using flexfile::DadsFlexible;

// Angles of the file are about z, x, z in turn, the convention DADS calls EULER.
Eigen::Matrix3d orientation_of(const DadsBody& body) {
  return (Eigen::AngleAxisd(body.orientation(0), Eigen::Vector3d::UnitZ()) *
          Eigen::AngleAxisd(body.orientation(1), Eigen::Vector3d::UnitX()) *
          Eigen::AngleAxisd(body.orientation(2), Eigen::Vector3d::UnitZ()))
      .toRotationMatrix();
}

mbd_solver::Body rigid_or_flexible(const DadsBody& body, const DadsFlexible* flexible) {
  mbd_solver::Body out;
  out.name = body.name;
  out.position = body.position;
  out.orientation = orientation_of(body);
  out.velocity = body.velocity;
  out.angular_velocity = body.spin;
  if (flexible == nullptr) {
    mbd_solver::RigidInertia rigid;
    rigid.mass = body.mass;
    const Eigen::Vector3d& p = body.products;
    rigid.inertia << body.inertia(0), p(0), p(2), p(0), body.inertia(1), p(1), p(2), p(1),
        body.inertia(2);
    out.kind = rigid;
    return out;
  }
  mbd_solver::Flexible kind;
  kind.body = std::make_shared<const FlexBody>(flexible->flex);
  if (!flexible->damping_ratio.empty()) {
    kind.damping.kind = mbd_solver::Damping::Kind::ratios;
    kind.damping.ratios = flexible->damping_ratio;
  }
  out.kind = std::move(kind);
  return out;
}

// Adds a marker at the place where one side of a bracket is attached; returns the name of the
// place.
std::string bracket_place(mbd_solver::System& system,
                          const flexfile::DadsInput& input,
                          const DadsBracket& bracket,
                          bool is_i) {
  const std::string& name = is_i ? bracket.body_i : bracket.body_j;
  const std::int64_t node = is_i ? bracket.node_i : bracket.node_j;
  const auto& triad = is_i ? bracket.triad_i : bracket.triad_j;
  mbd_solver::Marker marker;
  marker.position = triad[0];
  const Eigen::Vector3d z = (triad[1] - triad[0]).normalized();
  const Eigen::Vector3d y = z.cross(triad[2] - triad[0]).normalized();
  marker.orientation.col(0) = y.cross(z);
  marker.orientation.col(1) = y;
  marker.orientation.col(2) = z;
  if (!marker.orientation.allFinite())
    throw ModelError("bracket",
                     fmt::format("bracket '{}': its points lie on one line", bracket.name));
  if (node > 0) marker.node = node;
  const std::string key = bracket.name + (is_i ? "_i" : "_j");
  for (const DadsBody& body : input.bodies) {
    if (body.name != name) continue;
    if (body.is_ground) {
      system.ground_markers[key] = marker;
      return "ground/" + key;
    }
    for (mbd_solver::Body& each : system.bodies) {
      if (each.name == name) each.markers[key] = marker;
    }
    return name + "/" + key;
  }
  throw ModelError("bracket", fmt::format("bracket '{}': no body '{}'", bracket.name, name));
}

}  // namespace

SystemDocument read_dads_system(const std::filesystem::path& path, Diagnostics& diagnostics) {
  const flexfile::DadsInput input = flexfile::read_dads_input(path, diagnostics);
  SystemDocument out;
  mbd_solver::System& system = out.system;
  system.name = path.stem().string();
  const Eigen::Vector3d g = input.gravity * input.gravity_direction;
  system.gravity = {mbd_solver::Value(g.x()), mbd_solver::Value(g.y()), mbd_solver::Value(g.z())};
  for (const DadsBody& body : input.bodies) {
    if (body.is_ground) continue;
    const DadsFlexible* flexible = nullptr;
    for (const DadsFlexible& each : input.flexible) {
      if (each.body == body.name) flexible = &each;
    }
    system.bodies.push_back(rigid_or_flexible(body, flexible));
  }
  for (const DadsBracket& bracket : input.brackets) {
    mbd_solver::Joint joint;
    joint.name = bracket.name;
    joint.type = mbd_solver::JointType::fixed;
    joint.a = bracket_place(system, input, bracket, true);
    joint.b = bracket_place(system, input, bracket, false);
    system.joints.push_back(joint);
  }
  for (const DadsFlexible& flexible : input.flexible) {
    for (const flexfile::DadsNodeForce& force : flexible.forces) {
      mbd_solver::PointForce law;
      law.on = fmt::format("{}/{}", flexible.body, force.node);
      law.value = {mbd_solver::Value(force.force.x()),
                   mbd_solver::Value(force.force.y()),
                   mbd_solver::Value(force.force.z())};
      law.in_body_frame = true;
      system.forces.push_back({fmt::format("{}_{}", flexible.name, force.node), law});
    }
  }
  Analysis analysis;
  analysis.dynamic.start = input.start;
  analysis.dynamic.end = input.end;
  analysis.dynamic.output_step = input.print_step;
  analysis.dynamic.integrator = mbd_solver::Integrator::runge_kutta;
  // tighter than in the file, whose tolerances are for an implicit integrator
  analysis.dynamic.relative_tolerance = 1e-11;
  analysis.dynamic.absolute_tolerance = 1e-13;
  analysis.dynamic.max_step = input.max_step;
  out.analyses.push_back(analysis);
  out.sources.push_back({path.filename().string(), io::sha256_of_file(path)});
  out.files.push_back(path);
  return out;
}

Json describe_dads(const std::filesystem::path& path, Diagnostics& diagnostics) {
  const flexfile::DadsInput input = flexfile::read_dads_input(path, diagnostics);
  Json out = Json::object();
  out["format"] = "formatted DADS input";
  out["encoding"] = "ascii";
  out["endian"] = Json();
  out["units"] = input.units == "SI" ? "m-kg-s" : input.units;
  std::string title;
  for (const std::string& line : input.title)
    title += (title.empty() ? "" : " / ") + line;
  out["title"] = title;
  out["analysis"] = input.analysis;
  // adding 0 converts -0 (no gravity in a downward direction) to 0
  const Eigen::Vector3d gravity = input.gravity * input.gravity_direction + Eigen::Vector3d::Zero();
  out["gravity"] = Json::list_of(gravity);
  out["start_time"] = input.start;
  out["end_time"] = input.end;
  out["print_step"] = input.print_step;
  out["bodies"] = input.bodies.size();
  out["joints"] = input.brackets.size();
  std::size_t forces = 0;
  Json flexible = Json::list();
  Json modes = Json::list();
  for (const DadsFlexible& each : input.flexible) {
    forces += each.forces.size();
    Json item = Json::object();
    item["name"] = each.name;
    item["body"] = each.body;
    item["nodes"] = each.flex.node_count();
    item["modes"] = each.flex.mode_count();
    item["mass"] = each.flex.invariants.mass;
    item["damping_ratios"] = each.damping_ratio;
    flexible.push_back(std::move(item));
    Json group = Json::object();
    std::vector<double> eigenvalues, frequencies;
    for (const BodyMode& mode : each.flex.modes) {
      eigenvalues.push_back(mode.eigenvalue);
      frequencies.push_back(frequency_hz(mode.eigenvalue));
    }
    group["source"] = each.name;
    group["kind"] = "normal";
    group["subcase"] = 1;
    group["count"] = each.flex.mode_count();
    group["nodes"] = each.flex.node_count();
    group["frequencies_hz"] = frequencies;
    group["eigenvalues"] = eigenvalues;
    modes.push_back(std::move(group));
  }
  out["forces"] = forces;
  out["flexible"] = std::move(flexible);
  out["modes"] = std::move(modes);
  out["unread"] = Json::list();
  return out;
}

}  // namespace femflex::tools
