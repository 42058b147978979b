// Takes the outer faces of the elements from skin_of(), adds each edge once, and encodes arrays as
// base64.
#include "view_data.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "femflex/frequency.h"
#include "femflex/skin.h"

#include "body/fe_report.h"

namespace femflex::viewer {
namespace {

using tools::Json;
using Face = std::array<std::uint32_t, 4>;  // a triangle repeats its last corner

std::string base64(const void* data, std::size_t size) {
  constexpr const char* kLetters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const auto* bytes = static_cast<const unsigned char*>(data);
  std::string out;
  out.reserve((size + 2) / 3 * 4);
  for (std::size_t i = 0; i < size; i += 3) {
    const unsigned b1 = i + 1 < size ? bytes[i + 1] : 0U;
    const unsigned b2 = i + 2 < size ? bytes[i + 2] : 0U;
    const unsigned word = (static_cast<unsigned>(bytes[i]) << 16U) | (b1 << 8U) | b2;
    out += kLetters[(word >> 18U) & 63U];
    out += kLetters[(word >> 12U) & 63U];
    out += i + 1 < size ? kLetters[(word >> 6U) & 63U] : '=';
    out += i + 2 < size ? kLetters[word & 63U] : '=';
  }
  return out;
}

struct Edges {
  std::vector<std::uint64_t> keys;
  void add(std::uint32_t a, std::uint32_t b) {
    if (a == b) return;
    keys.push_back((static_cast<std::uint64_t>(std::min(a, b)) << 32U) | std::max(a, b));
  }
  // two nodes per line, without repetition
  std::vector<std::uint32_t> pairs() {
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    std::vector<std::uint32_t> out;
    for (const std::uint64_t key : keys)
      out.insert(out.end(),
                 {static_cast<std::uint32_t>(key >> 32U), static_cast<std::uint32_t>(key)});
    return out;
  }
};

}  // namespace

Json Blobs::add_bytes(const void* data, std::size_t size, const char* type) {
  Json out = Json::object();
  out["blob"] = static_cast<std::int64_t>(texts_.size());
  out["type"] = type;
  texts_.push_back(base64(data, size));
  return out;
}

Json Blobs::add(const std::vector<float>& values) {
  return add_bytes(values.data(), values.size() * sizeof(float), "f32");
}
Json Blobs::add(const std::vector<double>& values) {
  return add_bytes(values.data(), values.size() * sizeof(double), "f64");
}
Json Blobs::add(const std::vector<std::uint32_t>& values) {
  return add_bytes(values.data(), values.size() * sizeof(std::uint32_t), "u32");
}
Json Blobs::add(const std::vector<std::uint8_t>& values) {
  return add_bytes(values.data(), values.size(), "u8");
}

std::string Blobs::html() const {
  std::string out;
  for (std::size_t i = 0; i < texts_.size(); ++i)
    out += fmt::format("<script type=\"text/plain\" id=\"blob-{}\">{}</script>\n", i, texts_[i]);
  return out;
}

Mesh mesh_of(const FlexBody& body) {
  Mesh out;
  Edges edges;
  Edges beams;
  const auto index = [](std::int32_t node) { return static_cast<std::uint32_t>(node); };
  const Skin skin = skin_of(body);
  for (const auto& [a, b] : skin.lines)
    beams.add(index(a), index(b));
  std::vector<std::pair<Face, Face>> faces;  // each face with sorted corners, and with its original
                                             // corners
  for (const std::array<std::int32_t, 4>& nodes : skin.faces) {
    const Face face{
        index(nodes[0]), index(nodes[1]), index(nodes[2]), index(nodes[nodes[3] < 0 ? 2 : 3])};
    Face key = face;
    std::sort(key.begin(), key.end());
    faces.emplace_back(key, face);
  }
  std::sort(faces.begin(), faces.end());
  for (const auto& [key, c] : faces) {
    for (std::size_t k = 0; k < 4; ++k)
      edges.add(c[k], c[(k + 1) % 4]);
    out.triangles.insert(out.triangles.end(), {c[0], c[1], c[2]});
    if (c[3] != c[2]) out.triangles.insert(out.triangles.end(), {c[0], c[2], c[3]});
  }
  // a small body without elements: lines between its nodes in the order of their numbers
  if (edges.keys.empty() && beams.keys.empty() && body.nodes.size() <= 50) {
    for (std::size_t i = 1; i < body.nodes.size(); ++i)
      beams.add(static_cast<std::uint32_t>(i - 1), static_cast<std::uint32_t>(i));
  }
  out.lines = edges.pairs();
  out.beams = beams.pairs();
  return out;
}

Json body_json(const std::string& name, const FlexBody& body, Blobs& blobs) {
  Json out = Json::object();
  out["name"] = name;
  std::vector<double> ids;  // numbers of nodes, exact up to 2^53
  std::vector<float> rest;
  for (const BodyNode& node : body.nodes) {
    ids.push_back(static_cast<double>(node.id));
    for (Eigen::Index k = 0; k < 3; ++k)
      rest.push_back(static_cast<float>(node.position(k)));
  }
  const Mesh mesh = mesh_of(body);
  out["ids"] = blobs.add(ids);
  out["rest"] = blobs.add(rest);
  out["lines"] = blobs.add(mesh.lines);
  out["beams"] = blobs.add(mesh.beams);
  out["tris"] = blobs.add(mesh.triangles);
  Json shapes = Json::list();
  Json modes = Json::list();
  std::vector<float> shape(rest.size());
  for (Eigen::Index j = 0; j < body.mode_count(); ++j) {
    for (std::size_t i = 0; i < body.nodes.size(); ++i) {
      for (std::size_t k = 0; k < 3; ++k)
        shape[3 * i + k] = static_cast<float>(body.shapes(static_cast<Eigen::Index>(6 * i + k), j));
    }
    shapes.push_back(blobs.add(shape));
    const BodyMode& mode = body.modes[static_cast<std::size_t>(j)];
    Json item = Json::object();
    item["label"] =
        mode.sources.size() == 1 ? mode.sources.front() : std::string(name_of(mode.kind));
    item["kind"] = std::string(name_of(mode.kind));
    item["hz"] = Json::finite_or_null(frequency_hz(mode.eigenvalue));
    item["damping"] = Json::finite_or_null(mode.damping_ratio);
    modes.push_back(std::move(item));
  }
  out["shapes"] = std::move(shapes);
  out["modes"] = std::move(modes);
  return out;
}

}  // namespace femflex::viewer
