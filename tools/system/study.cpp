// Runs the reference and every variant and compares their channels; the x, y and z components of a
// point are compared as one vector.
#include "system/study.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/listed.h"

#include "results/channel_leaf.h"

namespace femflex::tools {
namespace {

struct Run {
  ResultSeries series;
  RunReport report;
  Eigen::Index modes = 0;
  RunPage page;
  ResultSeries unfiltered;  ///< only if there is a page
};

Run run_one(const DocumentInput& system,
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
  run.page = document.page;
  if (!run.page.is_empty()) run.unfiltered = run.series;
  if (options.below_hz > 0.0) low_pass(run.series, options.below_hz);
  return run;
}

// A result that is already stored.
Run finished_run(const std::filesystem::path& path, double below_hz) {
  Run run;
  run.series = read_results(path);
  if (!run.series.is_complete)
    throw UsageError("incomplete-result",
                     "the reference is a run that did not reach its end",
                     {path.string()},
                     "run it again");
  for (const auto& [name, text] : run.series.attributes)
    if (name == "modes") std::from_chars(text.data(), text.data() + text.size(), run.modes);
  run.unfiltered = run.series;
  if (below_hz > 0.0) low_pass(run.series, below_hz);
  return run;
}

/// The quantity of a channel with its unit: "acceleration [m/s^2]". Channels of one kind have one
/// scale of round-off.
std::string kind_of_channel(const ChannelDifference& channel) {
  auto [base, leaf] = split_leaf(channel.name);
  const bool is_component =
      leaf.find_first_not_of("0123456789") == std::string::npos ||
      (leaf.size() == 1 && std::string_view("wxyz").find(leaf.front()) != std::string_view::npos);
  if (is_component) leaf = split_leaf(base).leaf;
  return fmt::format("{} [{}]", leaf, channel.unit);
}

/// One flag per channel: whether it is round-off in both results, compared with the largest value
/// of its kind in either. Differences of such channels are noise.
std::vector<char> round_off_of(const ResultComparison& comparison) {
  constexpr double kRoundOffOfKind = 1e-9;
  const auto largest = [&](std::size_t c) {
    const auto column = static_cast<Eigen::Index>(c);
    return std::max(comparison.a.col(column).cwiseAbs().maxCoeff(),
                    comparison.b.col(column).cwiseAbs().maxCoeff());
  };
  std::map<std::string, double> scales;
  for (std::size_t c = 0; c < comparison.channels.size(); ++c) {
    double& scale = scales[kind_of_channel(comparison.channels[c])];
    scale = std::max(scale, largest(c));
  }
  std::vector<char> out;
  for (std::size_t c = 0; c < comparison.channels.size(); ++c) {
    const double scale = scales[kind_of_channel(comparison.channels[c])];
    const bool differs = comparison.channels[c].max > 0.0;
    out.push_back(differs && largest(c) <= kRoundOffOfKind * scale ? 1 : 0);
  }
  return out;
}

/// Largest |difference| over the largest value of the channel in the reference.
double peak_error_of(const ResultComparison& comparison, const std::vector<char>& is_round_off) {
  double out = 0.0;
  for (std::size_t c = 0; c < comparison.channels.size(); ++c) {
    const double difference = comparison.channels[c].max;
    if (is_round_off[c] != 0 || difference == 0.0) continue;
    const double largest = comparison.a.col(static_cast<Eigen::Index>(c)).cwiseAbs().maxCoeff();
    if (!(largest > 0.0)) return std::numeric_limits<double>::infinity();
    out = std::max(out, difference / largest);
  }
  return out;
}

/// Tells which channels do not count.
void warn_of_round_off(const std::set<std::string>& names, Diagnostics& diagnostics) {
  if (names.empty()) return;
  constexpr std::size_t kNamed = 4;
  const std::size_t count = names.size();
  diagnostics.warn("round-off-channels",
                   fmt::format("{} {} round-off in the reference and in the variants, and {} left "
                               "out of the errors: {}",
                               count,
                               count == 1 ? "channel is" : "channels are",
                               count == 1 ? "is" : "are",
                               listed(std::vector(names.begin(), names.end()), kNamed)));
}

// x, y and z of one quantity are one vector. Its error is the rms of |a - b| divided by the rms of
// |a|.
std::vector<StudyPoint> points_of(const ResultComparison& comparison,
                                  const std::vector<char>& is_round_off) {
  struct Sums {
    double difference = 0.0, size = 0.0;
  };
  std::vector<StudyPoint> points;
  std::vector<Sums> sums;
  for (std::size_t c = 0; c < comparison.channels.size(); ++c) {
    const ChannelDifference& each = comparison.channels[c];
    const auto [base, leaf] = split_leaf(each.name);
    const std::string name = leaf == "x" || leaf == "y" || leaf == "z" ? base : each.name;
    if (points.empty() || points.back().name != name) {
      points.push_back({name, 0.0});
      sums.emplace_back();
    }
    if (is_round_off[c] != 0) continue;
    const auto column = static_cast<Eigen::Index>(c);
    sums.back().difference += (comparison.a.col(column) - comparison.b.col(column)).squaredNorm();
    sums.back().size += comparison.a.col(column).squaredNorm();
  }
  for (std::size_t p = 0; p < points.size(); ++p) {
    if (sums[p].difference > 0.0)
      points[p].error = sums[p].size > 0.0 ? std::sqrt(sums[p].difference / sums[p].size)
                                           : std::numeric_limits<double>::infinity();
  }
  return points;
}

/// What the left-out modes of a run would add to a displacement, over the displacement with them:
/// the estimate of StudyPoint::error, which is also relative to the more complete run. The largest
/// one of the nodes whose displacements are compared, or of the worst nodes if none are.
std::optional<double> left_out_of(const RunReport& report, const std::vector<StudyPoint>& points) {
  std::optional<double> out, compared;
  const auto add = [](const mbd_solver::LeftOutReport::Node& node, std::optional<double>& to) {
    if (node.displacement > 0.0) to = std::max(to.value_or(0.0), node.left_out / node.displacement);
  };
  for (const mbd_solver::LeftOutReport& each : report.dynamic.left_out) {
    add(each.worst, out);
    for (const mbd_solver::LeftOutReport::Node& node : each.nodes) {
      const std::string name = fmt::format("{}/{}/displacement", each.body, node.node);
      if (std::any_of(points.begin(), points.end(), [&](const StudyPoint& point) {
            return point.name == name;
          }))
        add(node, compared);
    }
  }
  return compared ? compared : out;
}

}  // namespace

Study run_study(const DocumentInput& system,
                const StudyOptions& options,
                Diagnostics& diagnostics,
                Progress& progress) {
  Study study;
  study.options = options;
  std::error_code ignored;
  const bool is_file = std::filesystem::is_regular_file(options.reference, ignored);
  const Run reference = is_file
                            ? finished_run(options.reference, options.below_hz)
                            : run_one(system, options.reference, options, diagnostics, progress);
  if (is_file) study.options.reference = std::filesystem::path(options.reference).stem().string();
  study.name = reference.series.name;
  study.reference_cpu_seconds = reference.report.dynamic.cpu_seconds;
  study.reference_real_time_factor = reference.report.dynamic.real_time_factor;
  study.reference_modes = reference.modes;
  study.page = reference.page;
  std::set<std::string> round_off;
  for (const std::string& variant : options.variants) {
    Run run = run_one(system, variant, options, diagnostics, progress);
    if (study.page.is_empty()) study.page = run.page;
    StudyCase out;
    out.variant = variant;
    out.modes = run.modes;
    out.cpu_seconds = run.report.dynamic.cpu_seconds;
    out.real_time_factor = run.report.dynamic.real_time_factor;
    out.comparison = compare_results(reference.series, run.series, options.channels, options.limit);
    const std::vector<char> is_round_off = round_off_of(out.comparison);
    for (std::size_t c = 0; c < is_round_off.size(); ++c)
      if (is_round_off[c] != 0) out.round_off.push_back(out.comparison.channels[c].name);
    round_off.insert(out.round_off.begin(), out.round_off.end());
    out.points = points_of(out.comparison, is_round_off);
    out.left_out = left_out_of(run.report, out.points);
    for (const StudyPoint& point : out.points)
      out.error = std::max(out.error, point.error);
    out.peak_error = peak_error_of(out.comparison, is_round_off);
    out.figures = run.report.figures;
    out.series = std::move(run.unfiltered);
    study.cases.push_back(std::move(out));
    const StudyCase& last = study.cases.back();
    const StudyCase* best =
        study.best < 0 ? nullptr : &study.cases[static_cast<std::size_t>(study.best)];
    const bool is_better = best == nullptr || last.modes < best->modes ||
                           (last.modes == best->modes && last.error < best->error);
    if (last.error <= options.limit && is_better)
      study.best = static_cast<int>(study.cases.size()) - 1;
  }
  warn_of_round_off(round_off, diagnostics);
  if (!study.page.is_empty()) {
    study.reference_figures = figures_of(study.page, reference.unfiltered);
    study.reference_series = reference.unfiltered;
  }
  return study;
}

Json study_json(const Study& study, bool is_reproducible) {
  Json out = Json::object();
  out["reference"] = study.options.reference;
  out["reference_modes"] = study.reference_modes;
  out["reference_cpu_seconds"] = is_reproducible || !(study.reference_cpu_seconds > 0.0)
                                     ? Json()
                                     : Json(study.reference_cpu_seconds);
  if (!study.reference_figures.empty()) out["figures"] = figures_json(study.reference_figures);
  out["below_hz"] = study.options.below_hz > 0.0 ? Json(study.options.below_hz) : Json();
  out["limit"] = study.options.limit;
  Json cases = Json::list();
  for (const StudyCase& each : study.cases) {
    Json item = Json::object();
    item["variant"] = each.variant;
    item["modes"] = each.modes;
    item["error"] = each.error;
    item["peak_error"] = each.peak_error;
    item["round_off"] = each.round_off;
    if (each.left_out) item["left_out"] = *each.left_out;
    item["cpu_seconds"] = is_reproducible ? Json() : Json(each.cpu_seconds);
    item["real_time_factor"] = is_reproducible ? Json() : Json(each.real_time_factor);
    Json points = Json::list();
    for (const StudyPoint& point : each.points) {
      Json entry = Json::object();
      entry["name"] = point.name;
      entry["error"] = point.error;
      points.push_back(std::move(entry));
    }
    item["points"] = std::move(points);
    if (!each.figures.empty()) item["figures"] = figures_json(each.figures);
    item["channels"] = *comparison_json(each.comparison).find("channels");
    cases.push_back(std::move(item));
  }
  out["cases"] = std::move(cases);
  out["best"] =
      study.best < 0 ? Json() : Json(study.cases[static_cast<std::size_t>(study.best)].variant);
  out["verdict"] = study.best < 0 ? "fail" : "pass";
  return out;
}

TextTable study_figures(const Study& study) {
  std::vector<std::string> names = {study.options.reference};
  std::vector<std::vector<FigureValue>> figures = {study.reference_figures};
  for (const StudyCase& each : study.cases) {
    names.push_back(each.variant);
    figures.push_back(each.figures);
  }
  return figures_table(names, figures);
}

TextTable study_table(const Study& study, bool is_reproducible) {
  const bool has_estimates = std::any_of(
      study.cases.begin(), study.cases.end(), [](const StudyCase& each) { return each.left_out; });
  std::vector<std::string> heads = {
      "variant", "modes", "error", "peak error", "CPU s", "x real time"};
  if (has_estimates) heads.insert(heads.begin() + 4, "left out");
  TextTable table(heads);
  const auto add = [&](std::vector<std::string> row, const std::optional<double>& left_out) {
    if (has_estimates) row.insert(row.begin() + 4, left_out ? readable(*left_out, 3) : "-");
    table.add(row);
  };
  const bool hides_time = is_reproducible || !(study.reference_cpu_seconds > 0.0);
  add({study.options.reference,
       std::to_string(study.reference_modes),
       "0",
       "0",
       hides_time ? "-" : readable(study.reference_cpu_seconds, 3),
       hides_time ? "-" : readable(study.reference_real_time_factor, 3)},
      {});
  for (const StudyCase& each : study.cases)
    add({each.variant,
         std::to_string(each.modes),
         readable(each.error, 3),
         readable(each.peak_error, 3),
         is_reproducible ? "-" : readable(each.cpu_seconds, 3),
         is_reproducible ? "-" : readable(each.real_time_factor, 3)},
        each.left_out);
  return table;
}

}  // namespace femflex::tools
