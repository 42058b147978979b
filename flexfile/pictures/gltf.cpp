// Writes glTF binary files of a body and its modes: a JSON description of the scene and one buffer
// with all numbers.
#include "pictures/gltf.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <numbers>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "bytes/json_text.h"
#include "bytes/text_sink.h"
#include "derive.h"
#include "pictures/picture.h"
#include "pictures/surface.h"

namespace femflex::flexfile {
namespace {

using Eigen::Index;

// numbers of the glTF specification: component types and buffer targets
constexpr int kFloat = 5126;
constexpr int kUnsigned = 5125;
constexpr int kArrayBuffer = 34962;
constexpr int kElementBuffer = 34963;

/// The binary chunk and the JSON lists that describe it.
class GltfBuffer {
 public:
  /// Adds numbers as an accessor (an array of glTF) and returns its number. `target` 0: no target.
  template <class T>
  std::size_t add(
      const std::vector<T>& values, int component, int per_element, int target, bool with_bounds) {
    const std::size_t offset = bytes_.size();
    bytes_.resize(offset + values.size() * sizeof(T));
    if (!values.empty())
      std::memcpy(bytes_.data() + offset, values.data(), values.size() * sizeof(T));
    while (bytes_.size() % 4 != 0)
      bytes_.push_back('\0');
    views_ += fmt::format("{}{{\"buffer\":0,\"byteOffset\":{},\"byteLength\":{}{}}}",
                          views_.empty() ? "" : ",",
                          offset,
                          values.size() * sizeof(T),
                          target == 0 ? "" : fmt::format(",\"target\":{}", target));
    std::string bounds;
    if (with_bounds) bounds = bounds_of(values, per_element);
    accessors_ +=
        fmt::format("{}{{\"bufferView\":{},\"componentType\":{},\"count\":{},\"type\":\"{}\"{}}}",
                    accessors_.empty() ? "" : ",",
                    count_,
                    component,
                    values.size() / static_cast<std::size_t>(per_element),
                    per_element == 3 ? "VEC3" : "SCALAR",
                    bounds);
    return count_++;
  }
  const std::string& bytes() const { return bytes_; }
  const std::string& views() const { return views_; }
  const std::string& accessors() const { return accessors_; }

 private:
  template <class T>
  static std::string bounds_of(const std::vector<T>& values, int per_element) {
    std::string low;
    std::string high;
    const auto step = static_cast<std::size_t>(per_element);
    for (std::size_t c = 0; c < step; ++c) {
      T lowest = values.empty() ? T{} : values[c];
      T highest = lowest;
      for (std::size_t k = c; k < values.size(); k += step) {
        lowest = std::min(lowest, values[k]);
        highest = std::max(highest, values[k]);
      }
      low += fmt::format("{}{:.9g}", c == 0 ? "" : ",", static_cast<double>(lowest));
      high += fmt::format("{}{:.9g}", c == 0 ? "" : ",", static_cast<double>(highest));
    }
    return fmt::format(",\"min\":[{}],\"max\":[{}]", low, high);
  }

  std::string bytes_, views_, accessors_;
  std::size_t count_ = 0;
};

/// All indices in one list.
template <std::size_t N>
std::vector<std::uint32_t> flat(const std::vector<std::array<std::int32_t, N>>& items) {
  std::vector<std::uint32_t> out;
  out.reserve(N * items.size());
  for (const auto& item : items)
    for (const std::int32_t k : item)
      out.push_back(static_cast<std::uint32_t>(k));
  return out;
}

std::string little_endian(std::uint64_t value) {
  std::string out(4, '\0');
  for (std::size_t k = 0; k < 4; ++k)
    out[k] = static_cast<char>((value >> (8 * k)) & 0xffU);
  return out;
}

/// JSON of one looping animation per mode with the weight sin(2 pi t) during one second.
std::string animations(const FlexBody& body, GltfBuffer& buffer) {
  constexpr std::size_t kKeyFrames = 17;
  const auto n = static_cast<std::size_t>(body.mode_count());
  std::vector<float> times;
  for (std::size_t k = 0; k < kKeyFrames; ++k)
    times.push_back(static_cast<float>(k) / static_cast<float>(kKeyFrames - 1));
  const std::size_t input = buffer.add(times, kFloat, 1, 0, true);
  std::string list;
  for (std::size_t mode = 0; mode < n; ++mode) {
    std::vector<float> weights(kKeyFrames * n, 0.0F);
    for (std::size_t k = 0; k < kKeyFrames; ++k)
      weights[k * n + mode] = static_cast<float>(
          std::sin(2.0 * std::numbers::pi * static_cast<double>(k) / (kKeyFrames - 1)));
    const std::size_t output = buffer.add(weights, kFloat, 1, 0, false);
    list += fmt::format(
        "{}{{\"name\":{},\"samplers\":[{{\"input\":{},\"output\":{},\"interpolation\":\"LINEAR\"}}]"
        ","
        "\"channels\":[{{\"sampler\":0,\"target\":{{\"node\":1,\"path\":\"weights\"}}}}]}}",
        list.empty() ? "" : ",",
        json_text(mode_name(body, static_cast<Index>(mode))),
        input,
        output);
  }
  return list;
}

}  // namespace

void write_gltf(const FlexBody& body, const std::filesystem::path& path, double amplitude) {
  if (body.nodes.empty())
    throw ModelError("no-nodes", "the body has no nodes to draw", {path.string()});
  const Surface surface = surface_of(body);
  const Index n = body.mode_count();
  GltfBuffer buffer;
  std::vector<float> points;
  for (const BodyNode& node : body.nodes)
    for (Index c = 0; c < 3; ++c)
      points.push_back(static_cast<float>(node.position(c)));
  const std::size_t position = buffer.add(points, kFloat, 3, kArrayBuffer, true);
  std::string targets;
  std::string weights;
  std::string names;
  for (Index mode = 0; mode < n; ++mode) {
    const double factor = picture_scale(body, mode, amplitude);
    std::vector<float> shape;
    for (Index k = 0; k < body.node_count(); ++k)
      for (Index c = 0; c < 3; ++c)
        shape.push_back(static_cast<float>(factor * body.shapes(6 * k + c, mode)));
    const char* comma = mode == 0 ? "" : ",";
    targets += fmt::format(
        "{}{{\"POSITION\":{}}}", comma, buffer.add(shape, kFloat, 3, kArrayBuffer, true));
    weights += fmt::format("{}0", comma);
    names += comma + json_text(mode_name(body, mode));
  }
  std::string primitives;
  const auto primitive = [&](int kind, const std::vector<std::uint32_t>& indices) {
    const std::string index =
        indices.empty() ? ""
                        : fmt::format(",\"indices\":{}",
                                      buffer.add(indices, kUnsigned, 1, kElementBuffer, false));
    primitives += fmt::format("{}{{\"mode\":{},\"attributes\":{{\"POSITION\":{}}}{}{}}}",
                              primitives.empty() ? "" : ",",
                              kind,
                              position,
                              index,
                              n == 0 ? "" : fmt::format(",\"targets\":[{}]", targets));
  };
  if (!surface.triangles.empty()) primitive(4, flat(surface.triangles));
  if (!surface.lines.empty()) primitive(1, flat(surface.lines));
  if (primitives.empty()) primitive(0, {});
  const std::string animation_list = n == 0 ? "" : animations(body, buffer);
  std::string json = fmt::format(
      "{{\"asset\":{{\"version\":\"2.0\",\"generator\":\"femflex\"}},\"scene\":0,"
      "\"scenes\":[{{\"nodes\":[0]}}],"
      "\"nodes\":[{{\"name\":\"z up\",\"rotation\":[-0.70710678,0,0,0.70710678],\"children\":[1]}},"
      "{{\"name\":{},\"mesh\":0}}],\"meshes\":[{{\"primitives\":[{}]{}}}],"
      "\"buffers\":[{{\"byteLength\":{}}}],\"bufferViews\":[{}],\"accessors\":[{}]{}}}",
      json_text(body.name),
      primitives,
      n == 0 ? ""
             : fmt::format(",\"weights\":[{}],\"extras\":{{\"targetNames\":[{}]}}", weights, names),
      buffer.bytes().size(),
      buffer.views(),
      buffer.accessors(),
      animation_list.empty() ? "" : fmt::format(",\"animations\":[{}]", animation_list));
  while (json.size() % 4 != 0)
    json.push_back(' ');
  const std::uint64_t total = 12 + 8 + json.size() + 8 + buffer.bytes().size();
  if (total > 0xffffffffULL)
    throw ModelError("too-large",
                     "a .glb file cannot exceed 4 GiB",
                     {path.string()},
                     "write fewer modes or nodes");
  TextSink out(path);
  out.put("glTF");
  out.put(little_endian(2) + little_endian(total));
  out.put(little_endian(json.size()) + "JSON" + json);
  out.put(little_endian(buffer.bytes().size()) + std::string("BIN\0", 4));
  out.put(buffer.bytes());
  out.commit();
}

}  // namespace femflex::flexfile
