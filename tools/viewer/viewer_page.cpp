#include "viewer_page.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <span>

#include <fmt/format.h>

#include "femflex/diagnostics.h"
#include "femflex/errors.h"
#include "femflex/progress.h"

#include "pipeline/back_transform.h"
#include "pipeline/fe_report.h"
#include "pipeline/inputs.h"
#include "pipeline/table.h"
#include "report/html_report.h"
#include "viewer_html.h"

namespace femflex::viewer {
namespace {

using pipeline::Json;
using Faces = std::vector<std::vector<int>>;

constexpr Eigen::Index kMostFrames = 1500;  // of a playback: more is not seen and makes pages heavy

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

template <typename Number>
Json packed(const std::vector<Number>& values) {
  return base64(values.data(), values.size() * sizeof(Number));
}

// Corner faces of an element type, by the node numbers inside the element; lines have none.
const Faces& faces_of(const std::string& type, int nodes) {
  static const Faces none;
  static const Faces triangle = {{0, 1, 2}};
  static const Faces quad = {{0, 1, 2, 3}};
  static const Faces tetra = {{0, 1, 2}, {0, 1, 3}, {1, 2, 3}, {0, 2, 3}};
  static const Faces penta = {{0, 1, 2}, {3, 4, 5}, {0, 1, 4, 3}, {1, 2, 5, 4}, {0, 2, 5, 3}};
  static const Faces hexa = {
      {0, 1, 2, 3}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
  const auto has = [&](const char* part) { return type.find(part) != std::string::npos; };
  if (has("TETRA")) return tetra;
  if (has("PENTA")) return penta;
  if (has("HEXA")) return hexa;
  if (has("QUAD") || has("SHEAR")) return quad;
  if (has("TRIA")) return triangle;
  if (nodes == 3) return triangle;
  if (nodes == 4) return quad;
  return nodes == 8 ? hexa : none;
}

struct Mesh {
  std::vector<std::uint32_t> lines, triangles;
};

// Edges once; faces that two solids share are inside and left out.
Mesh mesh_of(const FlexBody& body) {
  Mesh out;
  std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
  std::map<std::vector<std::uint32_t>, std::pair<int, std::vector<std::uint32_t>>> faces;
  const auto edge = [&](std::uint32_t a, std::uint32_t b) {
    edges.insert({std::min(a, b), std::max(a, b)});
  };
  for (const ElementBlock& block : body.elements) {
    const auto count = static_cast<std::size_t>(std::max(1, block.nodes_per_element));
    const Faces& pattern = faces_of(block.type, block.nodes_per_element);
    for (std::size_t e = 0; (e + 1) * count <= block.connectivity.size(); ++e) {
      std::vector<std::uint32_t> at;
      for (std::size_t k = 0; k < count; ++k) {
        const Eigen::Index index = find_node(body, block.connectivity[e * count + k]);
        if (index < 0) break;
        at.push_back(static_cast<std::uint32_t>(index));
      }
      if (at.size() < count) continue;
      if (pattern.empty() && count >= 2) edge(at[0], at[1]);
      for (const std::vector<int>& face : pattern) {
        std::vector<std::uint32_t> corners;
        for (const int k : face)
          corners.push_back(at[static_cast<std::size_t>(k)]);
        std::vector<std::uint32_t> key = corners;
        std::sort(key.begin(), key.end());
        auto& entry = faces[key];
        ++entry.first;
        entry.second = corners;
      }
    }
  }
  for (const auto& [key, entry] : faces) {
    if (entry.first > 1) continue;
    const std::vector<std::uint32_t>& c = entry.second;
    for (std::size_t k = 0; k < c.size(); ++k)
      edge(c[k], c[(k + 1) % c.size()]);
    for (std::size_t k = 1; k + 1 < c.size(); ++k)
      out.triangles.insert(out.triangles.end(), {c[0], c[k], c[k + 1]});
  }
  // a body without elements: its nodes in the order of their numbers
  if (edges.empty()) {
    for (std::size_t i = 1; i < body.nodes.size() && body.nodes.size() <= 50; ++i)
      edge(static_cast<std::uint32_t>(i - 1), static_cast<std::uint32_t>(i));
  }
  for (const auto& [a, b] : edges)
    out.lines.insert(out.lines.end(), {a, b});
  return out;
}

Json body_json(const std::string& name, const FlexBody& body) {
  Json out = Json::object();
  out["name"] = name;
  std::vector<std::int64_t> ids;
  std::vector<float> rest;
  for (const BodyNode& node : body.nodes) {
    ids.push_back(node.id);
    for (Eigen::Index k = 0; k < 3; ++k)
      rest.push_back(static_cast<float>(node.position(k)));
  }
  const Mesh mesh = mesh_of(body);
  out["ids"] = ids;
  out["rest"] = packed(rest);
  out["lines"] = packed(mesh.lines);
  out["tris"] = packed(mesh.triangles);
  Json shapes = Json::list();
  Json modes = Json::list();
  std::vector<float> shape(rest.size());
  for (Eigen::Index j = 0; j < body.mode_count(); ++j) {
    for (std::size_t i = 0; i < body.nodes.size(); ++i) {
      for (std::size_t k = 0; k < 3; ++k)
        shape[3 * i + k] = static_cast<float>(body.shapes(static_cast<Eigen::Index>(6 * i + k), j));
    }
    shapes.push_back(packed(shape));
    const BodyMode& mode = body.modes[static_cast<std::size_t>(j)];
    Json item = Json::object();
    item["label"] =
        mode.sources.size() == 1 ? mode.sources.front() : std::string(name_of(mode.kind));
    item["hz"] = pipeline::readable(pipeline::frequency_hz(mode.eigenvalue), 4) + " Hz";
    modes.push_back(std::move(item));
  }
  out["shapes"] = std::move(shapes);
  out["modes"] = std::move(modes);
  return out;
}

// A rigid body without geometry shows as three short axes.
Json axes_json(const std::string& name, float length) {
  Json out = Json::object();
  out["name"] = name;
  out["ids"] = std::vector<std::int64_t>{0, 1, 2, 3};
  out["rest"] = packed(std::vector<float>{0, 0, 0, length, 0, 0, 0, length, 0, 0, 0, length});
  out["lines"] = packed(std::vector<std::uint32_t>{0, 1, 0, 2, 0, 3});
  out["tris"] = packed(std::vector<std::uint32_t>{});
  out["shapes"] = Json::list();
  out["modes"] = Json::list();
  return out;
}

std::string page(const std::string& title, const Json& data) {
  std::string text = kViewerHtml;
  const auto put = [&](const std::string& mark, const std::string& value) {
    std::size_t at = 0;
    while ((at = text.find(mark, at)) != std::string::npos) {
      text.replace(at, mark.size(), value);
      at += value.size();
    }
  };
  std::string json = data.dump_line();
  for (std::size_t at = 0; (at = json.find("</", at)) != std::string::npos; at += 3)
    json.replace(at, 2, "<\\/");
  put("@TITLE@", report::html_escaped(title));
  put("@DATA@", json);
  return text;
}

}  // namespace

std::string mode_page(const FlexBody& body) {
  Json data = Json::object();
  data["bodies"] = Json::list();
  data["bodies"].push_back(body_json(body.name.empty() ? "body" : body.name, body));
  return page(body.name.empty() ? "Body" : body.name, data);
}

std::string playback_page(const pipeline::ResultSeries& series,
                          const std::filesystem::path& result_file) {
  const Eigen::Index rows = series.time.size();
  if (rows == 0) throw UsageError("no-rows", "the result holds no row", {result_file.string()});
  const Eigen::Index stride = std::max<Eigen::Index>(1, (rows + kMostFrames - 1) / kMostFrames);
  std::vector<Eigen::Index> frames;
  for (Eigen::Index r = 0; r < rows; r += stride)
    frames.push_back(r);
  Json data = Json::object();
  std::vector<float> times;
  for (const Eigen::Index r : frames)
    times.push_back(static_cast<float>(series.time(r)));
  data["times"] = packed(times);
  Json bodies = Json::list();
  std::vector<std::string> names;
  for (const mbd_solver::Channel& channel : series.channels) {
    const std::size_t at = channel.name.find('/');
    const std::string name = channel.name.substr(0, at);
    const bool moves = channel.name == name + "/position/x" || channel.name == name + "/zeta/1";
    if (moves && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  for (const std::string& name : names) {
    const bool is_flexible = series.find(name + "/zeta/1") >= 0;
    Json body;
    Eigen::Index modes = 0;
    if (is_flexible) {
      Diagnostics ignored;
      const FlexBody flex = pipeline::load_body(
          pipeline::flex_file_of(series, result_file, name), std::nullopt, ignored, no_progress());
      body = body_json(name, flex);
      modes = flex.mode_count();
    } else {
      body = axes_json(name, 0.3F);
    }
    std::vector<float> zeta, motion;
    constexpr std::array<const char*, 7> kMotion = {"position/x",
                                                    "position/y",
                                                    "position/z",
                                                    "orientation/w",
                                                    "orientation/x",
                                                    "orientation/y",
                                                    "orientation/z"};
    for (const Eigen::Index r : frames) {
      for (Eigen::Index j = 0; j < modes; ++j) {
        const Eigen::Index column = series.find(fmt::format("{}/zeta/{}", name, j + 1));
        zeta.push_back(column < 0 ? 0.0F : static_cast<float>(series.values(r, column)));
      }
      for (std::size_t k = 0; k < kMotion.size(); ++k) {
        const Eigen::Index column = series.find(name + "/" + kMotion[k]);
        motion.push_back(column < 0 ? (k == 3 ? 1.0F : 0.0F)
                                    : static_cast<float>(series.values(r, column)));
      }
    }
    if (modes > 0) body["zeta"] = packed(zeta);
    body["motion"] = packed(motion);
    bodies.push_back(std::move(body));
  }
  if (names.empty())
    throw UsageError("nothing-to-show",
                     "the result holds no position, orientation or modal coordinates of a body",
                     {result_file.string()},
                     "leave \"outputs\" out of the system, or add BODY/position, BODY/orientation "
                     "and BODY/zeta");
  data["bodies"] = std::move(bodies);
  Json plots = Json::list();
  if (!series.channels.empty()) {
    Eigen::Index widest = 0;
    for (Eigen::Index c = 0; c < series.values.cols(); ++c) {
      const auto span = [&](Eigen::Index k) {
        return series.values.col(k).maxCoeff() - series.values.col(k).minCoeff();
      };
      if (span(c) > span(widest)) widest = c;
    }
    std::vector<float> values;
    for (const Eigen::Index r : frames)
      values.push_back(static_cast<float>(series.values(r, widest)));
    Json item = Json::object();
    item["name"] = series.channels[static_cast<std::size_t>(widest)].name;
    item["values"] = packed(values);
    plots.push_back(std::move(item));
  }
  data["plots"] = std::move(plots);
  return page(series.name.empty() ? "Simulation" : series.name, data);
}

}  // namespace femflex::viewer
