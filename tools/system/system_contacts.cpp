// Reads contacts and loads that move along a path, from a system file.
#include <array>
#include <cmath>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/skin.h"

#include "document/nearest_name.h"
#include "system/force_input.h"

namespace femflex::tools {
namespace {

using namespace mbd_solver;  // the names below are types of the solver

std::vector<std::string> read_path(const Json& value) {
  std::vector<std::string> path;
  for (const Json& place : value.items())
    path.push_back(place.text());
  if (path.size() < 2)
    value.fail("path",
               fmt::format("a path of {} places; expected two or more", path.size()),
               "list them in their order, as [\"rail/1-21\"]");
  return path;
}

/// Adds the triangles of a face with three or four places.
void add_face(const Json& face, std::vector<std::array<std::string, 3>>& faces) {
  const std::vector<Json>& corners = face.items();
  if (corners.size() != 3 && corners.size() != 4)
    face.fail("wrong-size", fmt::format("a face of {} places; expected 3 or 4", corners.size()));
  for (std::size_t k = 2; k < corners.size(); ++k)
    faces.push_back({corners[0].text(), corners[k - 1].text(), corners[k].text()});
}

/// Triangles of the outer faces of a flexible body.
std::vector<std::array<std::string, 3>> skin_faces(const Json& value, const System& system) {
  ObjectReader reader(value, "faces");
  const Json& name = reader.need("body");
  reader.finish();
  const Body* body = system.find_body(name.text());
  if (body == nullptr) name.fail("no-such-body", fmt::format("no body '{}'", name.text()));
  const auto* flexible = std::get_if<Flexible>(&body->kind);
  if (flexible == nullptr)
    name.fail("faces",
              fmt::format("'{}' is not a flexible body and has no faces", name.text()),
              "list faces of markers, or take a plane, a sphere or a cylinder");
  const FlexBody& flex = *flexible->body;
  std::vector<std::array<std::string, 3>> faces;
  for (const std::array<std::int32_t, 4>& corners : skin_of(flex).faces) {
    std::array<std::string, 4> places;
    for (std::size_t k = 0; k < 4; ++k)
      if (corners[k] >= 0)
        places[k] =
            fmt::format("{}/{}", name.text(), flex.nodes[static_cast<std::size_t>(corners[k])].id);
    faces.push_back({places[0], places[1], places[2]});
    if (corners[3] >= 0) faces.push_back({places[0], places[2], places[3]});
  }
  if (faces.empty())
    name.fail("faces", fmt::format("the elements of '{}' have no faces", name.text()));
  return faces;
}

/// Stiffness k, damping c and exponent e of k d^e + c d^e d': k is a force per length^e, and c a
/// force times time per length^(e+1).
template <class AnyContact>
void read_contact_law(ObjectReader& reader, const SystemReader& in, AnyContact& out) {
  out.exponent = in.number(reader, "exponent", 1.0);
  const double unit = in.force() / std::pow(in.length(), out.exponent);
  out.stiffness = in.number(reader.need("stiffness"), unit);
  out.damping = in.number(reader, "damping", 0.0, unit * in.time() / in.length());
}

ForceLaw read_follow_contact(const ForceInput& input) {
  const auto& [reader, value, road, system, in] = input;
  FollowContact out;
  out.on = reader.need("on").text();
  out.radius = in.number(reader, "radius", 0.0, in.length());
  if (const Json* path = reader.find("path"); path != nullptr) {
    out.path = read_path(*path);
    if (const auto up = in.maybe_vector(reader, "up"); up) out.up = *up;
  } else {
    const Json& faces = reader.need("faces");
    if (faces.is_object())
      out.faces = skin_faces(faces, system);
    else
      for (const Json& face : faces.items())
        add_face(face, out.faces);
    out.thickness = in.number(reader, "thickness", 0.0, in.length());
  }
  read_contact_law(reader, in, out);
  if (const Json* friction = reader.find("friction"); friction != nullptr)
    out.friction = read_contact_friction(*friction, in);
  return out;
}

}  // namespace

ForceLaw read_contact(const ForceInput& input) {
  const auto& [reader, value, road, system, in] = input;
  if (value.find("path") != nullptr || value.find("faces") != nullptr)
    return read_follow_contact(input);
  Contact out;
  out.on = reader.need("on").text();
  out.radius = in.number(reader, "radius", 0.0, in.length());
  out.sphere = reader.text("sphere", "");
  out.sphere_radius = in.number(reader, "sphere_radius", 0.0, in.length());
  out.cylinder = reader.text("cylinder", "");
  if (!out.cylinder.empty()) {
    out.cylinder_radius = in.number(reader.need("cylinder_radius"), in.length());
    out.is_inside = reader.boolean("inside", false);
    out.axis = in.maybe_vector(reader, "axis");
  }
  out.plane = reader.text("plane", "ground");
  out.normal = in.maybe_vector(reader, "normal");
  read_contact_law(reader, in, out);
  if (const Json* friction = reader.find("friction"); friction != nullptr)
    out.friction = read_contact_friction(*friction, in);
  return out;
}

ForceLaw read_moving_load(const ForceInput& input) {
  const auto& [reader, value, road, system, in] = input;
  MovingLoad out;
  out.path = read_path(reader.need("path"));
  out.position = in.value(reader.need("position"), in.length());
  out.value = in.value3(reader.need("value"), in.force());
  return out;
}

}  // namespace femflex::tools
