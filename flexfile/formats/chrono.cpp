// Matrix Market, coordinate real symmetric: the lower triangle, 1-based, column by column, with 17
// digits. The JSON file: "nodes": [{"id", "position"}], "modes", "stiffness", "mass", "damping".
#include "formats/chrono.h"

#include <string>
#include <string_view>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "bytes/json_text.h"
#include "bytes/text_sink.h"

namespace femflex::flexfile {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

void write_matrix_market(const MatrixXd& matrix,
                         std::string_view what,
                         const std::filesystem::path& path) {
  Index count = 0;
  for (Index j = 0; j < matrix.cols(); ++j)
    for (Index i = j; i < matrix.rows(); ++i)
      count += matrix(i, j) != 0.0 ? 1 : 0;
  TextSink out(path);
  out.put(fmt::format("%%MatrixMarket matrix coordinate real symmetric\n% {}, SI\n{} {} {}\n",
                      what,
                      matrix.rows(),
                      matrix.cols(),
                      count));
  for (Index j = 0; j < matrix.cols(); ++j)
    for (Index i = j; i < matrix.rows(); ++i)
      if (matrix(i, j) != 0.0) out.put(fmt::format("{} {} {:.16e}\n", i + 1, j + 1, matrix(i, j)));
  out.commit();
}

}  // namespace

void write_chrono(const FlexBody& body, const std::filesystem::path& path, FrameMotion frame) {
  const Superelement element = superelement_of(body, frame);
  std::string nodes;
  for (const SuperelementNode& each : element.nodes) {
    if (each.components != 6)
      throw ModelError("interface",
                       fmt::format("node {} has no rotations, and a boundary node of Chrono has "
                                   "six DOFs",
                                   each.node.id),
                       {path.string()},
                       "attach the part by a spider (import --spider)");
    const Eigen::Vector3d& p = each.node.position;
    nodes += fmt::format("{}    {{ \"id\": {}, \"position\": [{:.17g}, {:.17g}, {:.17g}] }}",
                         nodes.empty() ? "" : ",\n",
                         each.node.id,
                         p.x(),
                         p.y(),
                         p.z());
  }
  std::string stem = path.stem().string();
  constexpr std::string_view kFirstEnding = ".chrono";
  if (stem.ends_with(kFirstEnding)) stem.resize(stem.size() - kFirstEnding.size());
  const auto beside = [&](std::string_view ending) {
    return path.parent_path() / (stem + std::string(ending));
  };
  write_matrix_market(element.stiffness, "stiffness", beside("_K.mtx"));
  write_matrix_market(element.mass, "mass", beside("_M.mtx"));
  const bool is_damped = !element.damping.isZero(0.0);
  if (is_damped) write_matrix_market(element.damping, "damping", beside("_R.mtx"));
  TextSink out(path);
  out.put(
      fmt::format("{{\n  \"nodes\": [\n{}\n  ],\n  \"modes\": {},\n"
                  "  \"stiffness\": {},\n  \"mass\": {}{}\n}}\n",
                  nodes,
                  element.omega_squared.size(),
                  json_text(stem + "_K.mtx"),
                  json_text(stem + "_M.mtx"),
                  is_damped ? ",\n  \"damping\": " + json_text(stem + "_R.mtx") : ""));
  out.commit();
}

}  // namespace femflex::flexfile
