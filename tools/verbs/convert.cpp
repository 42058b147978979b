// Checks the output format first, so that a wrong name is reported before the body is read. Results
// are passed to write_motion_series().
#include "verbs/convert.h"

#include <string_view>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "body/inputs.h"
#include "body/superelement_matrices.h"
#include "viewer/motion_series.h"

namespace femflex::verbs {
namespace {

/// The path if the input is a result; null if it is a body or unknown.
const std::filesystem::path* result_of(const ConvertRequest& request) {
  const auto* path = std::get_if<std::filesystem::path>(&request.body);
  return path && tools::kind_of(*path) == tools::FileKind::result ? path : nullptr;
}

ConvertOutcome convert_motion(const std::filesystem::path& result,
                              const ConvertRequest& request,
                              Diagnostics& diagnostics,
                              Progress& progress) {
  if (request.output.extension() != ".pvd")
    throw UsageError("format",
                     "a result becomes a series for ParaView (.pvd)",
                     {request.output.string()},
                     "name the output MOTION.pvd; 'femflex simulate --csv' writes tables");
  if (request.max_frames < 1)
    throw UsageError(
        "usage", "--frames: at least one instant is needed", {}, "give a whole number from 1 on");
  viewer::MotionSeries written =
      viewer::write_motion_series(tools::read_results(result, diagnostics),
                                  {result, request.flex},
                                  request.output,
                                  request.max_frames,
                                  progress);
  return {std::move(written.mesh), written.frames};
}

/// Warns of options that mean nothing for this output.
void warn_of_idle_options(const ConvertRequest& request,
                          const flexfile::Format& format,
                          Diagnostics& diagnostics) {
  const auto warn = [&](const char* option, const char* what) {
    diagnostics.warn("no-effect",
                     fmt::format("{} has no effect: it belongs to {}", option, what),
                     {request.output.string()});
  };
  if (request.max_frames != ConvertRequest{}.max_frames) warn("--frames", "results");
  if (request.mat73 && request.output.extension() != ".mat") warn("--mat73", "files .mat");
  if (request.options.deflate != 0 && format.name != "fbm") warn("--deflate", "files .fbm");
  if (!request.options.sidecar && format.name != "flex") warn("--no-sidecar", "FLEX files");
  if (request.options.mbdyn_invariants && format.name != "mbdyn")
    warn("--mbdyn-invariants", "files of MBDyn (.fem)");
  if (request.options.frame == flexfile::FrameMotion::held &&
      format.use != flexfile::FormatUse::superelement)
    warn("--hold-frame", "superelements (.mat, .op4, .pch, .inp, .dat, .ftl, .chrono.json)");
}

}  // namespace

ConvertOutcome convert(const ConvertRequest& request,
                       Diagnostics& diagnostics,
                       Progress& progress) {
  if (const std::filesystem::path* result = result_of(request))
    return convert_motion(*result, request, diagnostics, progress);
  if (request.options.format.empty() && tools::is_superelement_matrix_file(request.output)) {
    const flexfile::Format matrices{.name = "matrices", .use = flexfile::FormatUse::superelement};
    warn_of_idle_options(request, matrices, diagnostics);
    ConvertOutcome out{load(request.body, request.units, diagnostics, progress).take(), 0};
    const auto level = request.mat73 ? tools::MatLevel::level_73 : tools::MatLevel::by_size;
    flexfile::warn_of_supports(out.body, request.options.frame, request.output, diagnostics);
    tools::write_matrices_of_superelement(
        out.body, request.output, level, request.options.frame, diagnostics);
    return out;
  }
  // throws for an unknown format; write_body() finds the format again
  const auto format = flexfile::format_for_writing(request.output, request.options);
  warn_of_idle_options(request, format, diagnostics);
  ConvertOutcome out{load(request.body, request.units, diagnostics, progress).take(), 0};
  flexfile::write_body(out.body, request.output, request.options, diagnostics, progress);
  return out;
}

}  // namespace femflex::verbs
