#include "study.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "femflex/errors.h"

namespace femflex::pipeline {
namespace {

Eigen::Index acting_modes(const mbd_solver::System& system) {
  Eigen::Index count = 0;
  for (const mbd_solver::Body& body : system.bodies) {
    const auto* flexible = std::get_if<mbd_solver::Flexible>(&body.kind);
    if (flexible == nullptr) continue;
    if (flexible->enabled) {
      count += std::count(flexible->enabled->begin(), flexible->enabled->end(), true);
    } else {
      for (const BodyMode& mode : flexible->body->modes)
        count += mode.enabled ? 1 : 0;
    }
  }
  return count;
}

struct Run {
  ResultSeries series;
  RunReport report;
  Eigen::Index modes = 0;
};

Run run_one(const std::filesystem::path& system,
            const std::string& variant,
            const StudyOptions& options,
            Diagnostics& diagnostics,
            Progress& progress) {
  DocumentOptions document_options = options.document;
  document_options.variant = variant;
  const SystemDocument document = read_any_system(system, document_options, diagnostics, progress);
  const std::filesystem::path output = options.folder / (variant + ".h5");
  Run run;
  run.modes = acting_modes(document.system);
  run.report =
      run_system(document, options.overrides, output, "study " + variant, diagnostics, progress);
  run.series = read_results(output);
  if (options.below_hz > 0.0) low_pass(run.series, options.below_hz);
  return run;
}

}  // namespace

Study run_study(const std::filesystem::path& system,
                const StudyOptions& options,
                Diagnostics& diagnostics,
                Progress& progress) {
  Study study;
  study.options = options;
  const Run reference = run_one(system, options.reference, options, diagnostics, progress);
  study.name = reference.series.name;
  study.reference_cpu_seconds = reference.report.dynamic.cpu_seconds;
  study.reference_modes = reference.modes;
  for (const std::string& variant : options.variants) {
    const Run run = run_one(system, variant, options, diagnostics, progress);
    StudyCase out;
    out.variant = variant;
    out.modes = run.modes;
    out.cpu_seconds = run.report.dynamic.cpu_seconds;
    out.real_time_factor = run.report.dynamic.real_time_factor;
    out.comparison = compare_results(reference.series, run.series, options.channels, options.limit);
    for (std::size_t c = 0; c < out.comparison.channels.size(); ++c) {
      const ChannelDifference& each = out.comparison.channels[c];
      out.error = std::max(out.error, each.relative_rms);
      const double largest =
          out.comparison.a.col(static_cast<Eigen::Index>(c)).cwiseAbs().maxCoeff();
      if (largest > 0.0) out.peak_error = std::max(out.peak_error, each.max / largest);
    }
    study.cases.push_back(std::move(out));
    const StudyCase& last = study.cases.back();
    const bool is_fewer =
        study.best < 0 || last.modes < study.cases[static_cast<std::size_t>(study.best)].modes;
    if (last.error <= options.limit && is_fewer)
      study.best = static_cast<int>(study.cases.size()) - 1;
  }
  return study;
}

Json study_json(const Study& study, bool is_reproducible) {
  Json out = Json::object();
  out["reference"] = study.options.reference;
  out["reference_modes"] = study.reference_modes;
  out["reference_cpu_seconds"] = is_reproducible ? Json() : Json(study.reference_cpu_seconds);
  out["below_hz"] = study.options.below_hz > 0.0 ? Json(study.options.below_hz) : Json();
  out["limit"] = study.options.limit;
  Json cases = Json::list();
  for (const StudyCase& each : study.cases) {
    Json item = Json::object();
    item["variant"] = each.variant;
    item["modes"] = each.modes;
    item["error"] = each.error;
    item["peak_error"] = each.peak_error;
    item["cpu_seconds"] = is_reproducible ? Json() : Json(each.cpu_seconds);
    item["real_time_factor"] = is_reproducible ? Json() : Json(each.real_time_factor);
    item["channels"] = *comparison_json(each.comparison).find("channels");
    cases.push_back(std::move(item));
  }
  out["cases"] = std::move(cases);
  out["best"] =
      study.best < 0 ? Json() : Json(study.cases[static_cast<std::size_t>(study.best)].variant);
  out["verdict"] = study.best < 0 ? "fail" : "pass";
  return out;
}

Table study_table(const Study& study, bool is_reproducible) {
  Table table({"variant", "modes", "error", "peak error", "CPU s", "x real time"});
  table.add({study.options.reference,
             std::to_string(study.reference_modes),
             "0",
             "0",
             is_reproducible ? "-" : readable(study.reference_cpu_seconds, 3),
             "-"});
  for (const StudyCase& each : study.cases)
    table.add({each.variant,
               std::to_string(each.modes),
               readable(each.error, 3),
               readable(each.peak_error, 3),
               is_reproducible ? "-" : readable(each.cpu_seconds, 3),
               is_reproducible ? "-" : readable(each.real_time_factor, 3)});
  return table;
}

}  // namespace femflex::pipeline
