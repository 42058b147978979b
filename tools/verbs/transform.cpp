// Selects shapes, modes and nodes of a body, then mirrors, rotates and shifts it, in this order.
#include "verbs/transform.h"

#include <utility>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/flexfile/flexfile.h"
#include "femflex/flexfile/transform.h"

#include "body/body_from_runs.h"

namespace femflex::verbs {
namespace {

/// The body after the requested mirroring, rotation and displacement, in this order.
FlexBody moved(FlexBody body, const TransformRequest& request, Diagnostics& diagnostics) {
  const Eigen::Vector3d no_shift = Eigen::Vector3d::Zero();
  if (request.mirror_normal)
    body = flexfile::transformed(
        body, flexfile::mirror(*request.mirror_normal), no_shift, diagnostics);
  if (request.rotation)
    body = flexfile::transformed(body, *request.rotation, no_shift, diagnostics);
  if (request.shift)
    body = flexfile::transformed(body, Eigen::Matrix3d::Identity(), *request.shift, diagnostics);
  return body;
}

}  // namespace

TransformOutcome transform(const TransformRequest& request,
                           Diagnostics& diagnostics,
                           Progress& progress) {
  // an unknown format throws here, before anything is computed; write_body() determines the format
  // again
  for (const std::filesystem::path& output : request.outputs)
    static_cast<void>(flexfile::format_for_writing(output, {}));
  TransformOutcome out;
  FlexBody body = load(request.body, request.units, diagnostics, progress).take();
  if (!request.runs.empty()) {
    const auto* file = std::get_if<std::filesystem::path>(&request.body);
    if (file == nullptr)
      throw UsageError("usage",
                       "--run needs the body as a file: results refer to a body by its file",
                       {name_of(request.body)},
                       "name the body file that was simulated");
    tools::RunModes found =
        tools::body_from_runs(body, *file, request.runs, request.keep, request.below_hz);
    body = std::move(found.body);
    out.seen_in = std::move(found.seen_in);
    out.kept_share = found.kept_share;
  }
  if (request.modes) {
    std::vector<Eigen::Index> modes;
    for (const std::int64_t number : *request.modes)
      modes.push_back(static_cast<Eigen::Index>(number - 1));
    body = flexfile::with_modes(body, modes);
  }
  if (request.nodes) {
    const std::size_t before = body.interface_nodes.size();
    body = flexfile::with_nodes(body, *request.nodes);
    if (const std::size_t lost = before - body.interface_nodes.size(); lost > 0)
      diagnostics.warn("interface-lost",
                       fmt::format("--nodes leaves out {} of {} interface nodes, which joints "
                                   "and forces of a system are attached to",
                                   lost,
                                   before));
  }
  out.body = moved(std::move(body), request, diagnostics);
  if (request.name) out.body.name = *request.name;
  for (const std::filesystem::path& output : request.outputs)
    flexfile::write_body(out.body, output, {}, diagnostics, progress);
  return out;
}

}  // namespace femflex::verbs
