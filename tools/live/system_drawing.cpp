// Computes the lines and triangles that a live page draws of a multibody system.
#include "live/system_drawing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <variant>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include "live/signs.h"
#include "system/scene.h"
#include "viewer/view_data.h"

namespace femflex::live {

using mbd_solver::Flexible;
using mbd_solver::System;
using tools::Json;

namespace {

constexpr int kSpokes = 24;  // number of sides of the polygon drawn for a wheel

Eigen::Vector3d vector_of(const Json& list) {
  const std::vector<Json>& items = list.items();
  return {items[0].number(), items[1].number(), items[2].number()};
}
Eigen::Matrix3d rotation_of(const Json& quaternion) {
  const std::vector<Json>& q = quaternion.items();
  return Eigen::Quaterniond(q[0].number(), q[1].number(), q[2].number(), q[3].number())
      .toRotationMatrix();
}

class Artist {
 public:
  Artist(const System& system, const Json& picture) : system_(system), picture_(picture) {}

  SystemSketch draw() {
    for (std::size_t b = 0; b < system_.bodies.size(); ++b)
      draw_body(static_cast<int>(b));
    for (const char* kind : {"joints", "links"})
      for (const Json& joint : picture_.find(kind)->items())
        draw_between("joint", "joints/", joint);
    for (const char* kind : {"springs", "bushings"})
      for (const Json& force : picture_.find(kind)->items())
        draw_between("force", "forces/", force);
    for (const Json& wheel : picture_.find("wheels")->items())
      draw_wheel(wheel);
    Drawing& drawing = out_.drawing;
    drawing.vertices = out_.vertices.size();
    drawing.is_planar = system_.planar;
    drawing.size = picture_.find("scale")->number();
    drawing.grips = drawing.vertices;
    drawing.first_sign_line = drawing.item_of_line.size();
    for (std::size_t f = 0; f < system_.forces.size() && out_.arrows.size() < kMostSigns; ++f)
      draw_arrow(f);
    return std::move(out_);
  }

 private:
  std::int32_t item(std::string name, std::string path, std::string place = {}) {
    out_.drawing.items.push_back({std::move(name), std::move(path), std::move(place)});
    return static_cast<std::int32_t>(out_.drawing.items.size()) - 1;
  }
  std::uint32_t vertex(const SystemVertex& v, std::int32_t item) {
    out_.vertices.push_back(v);
    out_.drawing.item_of_vertex.push_back(item);
    return static_cast<std::uint32_t>(out_.vertices.size()) - 1;
  }
  void point(std::uint32_t v, bool held) {
    out_.drawing.points.push_back(v);
    out_.drawing.held.push_back(held ? 1 : 0);
  }
  void line(std::uint32_t a, std::uint32_t b, std::int32_t item) {
    out_.drawing.lines.insert(out_.drawing.lines.end(), {a, b});
    out_.drawing.item_of_line.push_back(item);
  }

  int body_of(const std::string& name) const {
    const auto found = std::find_if(system_.bodies.begin(),
                                    system_.bodies.end(),
                                    [&](const auto& body) { return body.name == name; });
    return found == system_.bodies.end() ? -1 : static_cast<int>(found - system_.bodies.begin());
  }

  void draw_body(int b) {
    const mbd_solver::Body& body = system_.bodies[static_cast<std::size_t>(b)];
    // a mass of a lattice has a name like "net/12" and is defined in another file
    const std::string path =
        body.name.find('/') == std::string::npos ? "bodies/" + body.name : std::string();
    const std::int32_t own = item("body " + body.name, path, body.name);
    if (const auto* flexible = std::get_if<Flexible>(&body.kind)) {
      draw_mesh(b, *flexible->body, path, own);
      return;
    }
    const Json* drawn = picture_.find("bodies")->find(body.name);
    const auto* rigid = std::get_if<mbd_solver::RigidInertia>(&body.kind);
    point(vertex({b, -1, rigid ? rigid->com : Eigen::Vector3d(Eigen::Vector3d::Zero())}, own),
          false);
    if (drawn == nullptr) return;
    if (const Json* box = drawn->find("box")) draw_box(b, *box, own);
    if (const Json* bars = drawn->find("bars")) {
      for (const Json& bar : bars->items()) {
        const std::uint32_t p = vertex({b, -1, vector_of(bar.items()[0])}, own);
        const std::uint32_t q = vertex({b, -1, vector_of(bar.items()[1])}, own);
        line(p, q, own);
      }
    }
  }

  void draw_mesh(int b, const FlexBody& flex, const std::string& path, std::int32_t own) {
    const viewer::Mesh mesh = viewer::mesh_of(flex);
    const auto first = static_cast<std::uint32_t>(out_.vertices.size());
    const std::string& name = system_.bodies[static_cast<std::size_t>(b)].name;
    for (std::size_t n = 0; n < flex.nodes.size(); ++n) {
      const std::string place = fmt::format("{}/{}", name, flex.nodes[n].id);
      const std::int32_t node =
          item(fmt::format("node {} of {}", flex.nodes[n].id, name), path, place);
      vertex({b, static_cast<Eigen::Index>(n), flex.nodes[n].position}, node);
    }
    for (const std::vector<std::uint32_t>* lines : {&mesh.lines, &mesh.beams})
      for (std::size_t k = 0; k + 1 < lines->size(); k += 2)
        line(first + (*lines)[k], first + (*lines)[k + 1], own);
    for (const std::uint32_t corner : mesh.triangles)
      out_.drawing.triangles.push_back(first + corner);
    if (mesh.lines.empty() && mesh.beams.empty())
      for (std::size_t n = 0; n < flex.nodes.size(); ++n)
        point(first + static_cast<std::uint32_t>(n), false);
  }

  void draw_box(int b, const Json& box, std::int32_t own) {
    const Eigen::Vector3d centre = vector_of(*box.find("centre"));
    const Eigen::Vector3d half = 0.5 * vector_of(*box.find("size"));
    const Eigen::Matrix3d R = rotation_of(*box.find("turn"));
    std::array<std::uint32_t, 8> corner{};
    for (unsigned k = 0; k < 8; ++k) {
      const Eigen::Vector3d sign(
          (k & 1U) != 0U ? 1.0 : -1.0, (k & 2U) != 0U ? 1.0 : -1.0, (k & 4U) != 0U ? 1.0 : -1.0);
      corner[k] = vertex({b, -1, centre + R * sign.cwiseProduct(half)}, own);
    }
    for (unsigned k = 0; k < 8; ++k)
      for (unsigned bit = 1; bit < 8; bit <<= 1U)
        if ((k & bit) == 0U) line(corner[k], corner[k | bit], own);
  }

  /// The vertex for a place of the picture, { "body", "at", "node" }.
  SystemVertex vertex_at(const Json& place) const {
    const int b = body_of(place.find("body")->text());
    const Eigen::Vector3d at = vector_of(*place.find("at"));
    const Json* node = place.find("node");
    if (b < 0 || node == nullptr) return {b, -1, at};
    const FlexBody& flex =
        *std::get<Flexible>(system_.bodies[static_cast<std::size_t>(b)].kind).body;
    const Eigen::Index index = find_node(flex, static_cast<std::int64_t>(node->number()));
    if (index < 0) return {b, -1, at};
    return {b, index, flex.nodes[static_cast<std::size_t>(index)].position + at};
  }
  std::uint32_t place(const Json& place, std::int32_t own) { return vertex(vertex_at(place), own); }

  void draw_arrow(std::size_t force) {
    const mbd_solver::Force& each = system_.forces[force];
    const auto* law = std::get_if<mbd_solver::PointForce>(&each.law);
    if (law == nullptr) return;
    const std::int32_t own = item("force " + each.name, "forces/" + each.name);
    out_.arrows.push_back(
        {add_arrow(out_.drawing, own), vertex_at(tools::scene_place(system_, law->on)), force});
  }

  void draw_between(const char* kind, const char* list, const Json& element) {
    const std::string& name = element.find("name")->text();
    const std::int32_t own = item(fmt::format("{} {}", kind, name), list + name);
    const std::uint32_t a = place(*element.find("a"), own);
    const std::uint32_t b = place(*element.find("b"), own);
    line(a, b, own);
    const bool held = out_.vertices[a].body < 0 || out_.vertices[b].body < 0;
    point(a, held);
  }

  void draw_wheel(const Json& wheel) {
    const std::string& name = wheel.find("name")->text();
    const std::int32_t own = item("force " + name, "forces/" + name);
    const SystemVertex centre = out_.vertices[place(*wheel.find("on"), own)];
    const double radius = wheel.find("radius")->number();
    const auto first = static_cast<std::uint32_t>(out_.vertices.size());
    for (int k = 0; k < kSpokes; ++k) {
      const double angle = 2.0 * std::numbers::pi * k / kSpokes;
      SystemVertex rim = centre;
      // in the plane perpendicular to the body's y axis, because the wheel rolls along x
      rim.at += radius * Eigen::Vector3d(std::cos(angle), 0.0, std::sin(angle));
      vertex(rim, own);
    }
    for (std::uint32_t k = 0; k < kSpokes; ++k)
      line(first + k, first + (k + 1) % kSpokes, own);
  }

  const System& system_;
  const Json& picture_;
  SystemSketch out_;
};

}  // namespace

SystemSketch draw_system(const System& system, const Json& picture) {
  return Artist(system, picture).draw();
}

Eigen::Vector3d node_displacement(const FlexBody& body,
                                  Eigen::Index node,
                                  const Eigen::VectorXd& zeta) {
  return body.shapes.middleRows<3>(6 * node) * zeta;
}

}  // namespace femflex::live
