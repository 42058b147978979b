// The HTML pages of `simulate`, `compare` and `study`. Those of bodies are in body_reports.cpp.
#include "reports.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "body/fe_report.h"
#include "document/json_text.h"
#include "html_report.h"
#include "page_plots.h"
#include "report_parts.h"
#include "results/channel_leaf.h"

namespace femflex::report {
namespace {

using tools::readable;
using tools::TextTable;

constexpr std::size_t kMaxPlots = 12;  // per page; the result file contains all channels

/// Channels shown in one plot: x, y and z of one place, or the coordinates of one body.
struct Group {
  std::string name;
  std::vector<std::size_t> members;
  std::vector<std::string> leaves;
};

std::vector<Group> groups_of(const std::vector<mbd_solver::Channel>& channels) {
  constexpr std::size_t kMaxCurves = 6;
  std::vector<Group> out;
  for (std::size_t c = 0; c < channels.size(); ++c) {
    const std::string& name = channels[c].name;
    const auto [base, leaf] = tools::split_leaf(name);
    const bool continues_group = !out.empty() && base.size() < name.size() &&
                                 out.back().name == base &&
                                 out.back().members.size() < kMaxCurves &&
                                 channels[out.back().members.front()].unit == channels[c].unit;
    if (!continues_group) out.push_back({base, {}, {}});
    out.back().members.push_back(c);
    out.back().leaves.push_back(leaf);
  }
  for (Group& group : out) {
    if (group.members.size() == 1) group.name = channels[group.members.front()].name;
  }
  return out;
}

// Plots every channel of A and B in one diagram, with the difference.
void overlay_plots(HtmlReport& page, const tools::ResultComparison& comparison) {
  // The channels with the largest differences come first, because they decide the verdict. Channels
  // that are round-off compared with others of the same unit come last.
  std::map<std::string, double> scale;  // by unit: largest norm of a channel
  const auto norm_of = [&](std::size_t i) {
    const auto column = static_cast<Eigen::Index>(i);
    return std::max(comparison.a.col(column).norm(), comparison.b.col(column).norm());
  };
  std::vector<std::size_t> order(comparison.channels.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    order[i] = i;
    double& largest = scale[comparison.channels[i].unit];
    largest = std::max(largest, norm_of(i));
  }
  constexpr double kRoundOff = 1e-9;
  const auto weight = [&](std::size_t i) {
    const tools::ChannelDifference& channel = comparison.channels[i];
    return norm_of(i) > kRoundOff * scale[channel.unit] ? channel.relative_rms : -1.0;
  };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t k) {
    return weight(i) > weight(k);
  });
  for (std::size_t i = 0; i < std::min(kMaxPlots, order.size()); ++i) {
    const auto column = static_cast<Eigen::Index>(order[i]);
    const tools::ChannelDifference& channel = comparison.channels[order[i]];
    Plot plot;
    plot.title = channel.name;
    plot.note = fmt::format("rms difference {} %, largest {}, correlation {}",
                            readable(100.0 * channel.relative_rms, 3),
                            readable(channel.max, 3),
                            readable(channel.correlation, 5));
    plot.x_label = "time [s]";
    plot.y_label = channel.unit;
    plot.curves.push_back({"A", comparison.time, comparison.a.col(column)});
    plot.curves.push_back({"B", comparison.time, comparison.b.col(column), true});
    page.plot(plot);
  }
  if (order.size() > kMaxPlots)
    page.paragraph(fmt::format("The {} channels that differ most; the table has all.", kMaxPlots));
}

/// The files from which a result was made, as stored in it; empty if there are none.
std::vector<Provenance::Source> sources_of(const tools::ResultSeries& series) {
  std::vector<Provenance::Source> out;
  const std::string text = series.attribute("sources");
  if (text.empty()) return out;
  const tools::Json list = tools::parse_json(text, "sources");
  for (const tools::Json& item : list.items()) {
    const tools::Json* file = item.find("file");
    const tools::Json* sha256 = item.find("sha256");
    if (file && sha256) out.push_back({file->text(), sha256->text()});
  }
  return out;
}

/// Adds the figures and plots that the system file requests; the first run is the reference.
void asked_page(HtmlReport& page,
                const tools::RunPage& asked,
                const std::vector<NamedRun>& runs,
                const TextTable& figures) {
  page.heading("Figures");
  page.table(figures);
  page.heading("Curves");
  for (const Plot& plot : page_plots(asked, runs))
    page.plot(plot);
}

/// The same of a study, its reference first.
void asked_page_of_study(HtmlReport& page, const tools::Study& study) {
  std::vector<NamedRun> runs = {{study.options.reference, &study.reference_series}};
  for (const tools::StudyCase& each : study.cases)
    runs.push_back({each.variant, &each.series});
  asked_page(page, study.page, runs, tools::study_figures(study));
}

/// A title that differs between studies of one system: "Study of truck: shapes20, modes20 and 2
/// more against rich".
std::string study_title(const tools::Study& study) {
  constexpr std::size_t kMaxNames = 3;
  std::string variants;
  for (std::size_t i = 0; i < std::min(kMaxNames, study.cases.size()); ++i)
    variants += (i > 0 ? ", " : "") + study.cases[i].variant;
  if (study.cases.size() > kMaxNames)
    variants += fmt::format(" and {} more", study.cases.size() - kMaxNames);
  return fmt::format("Study of {}: {} against {}", study.name, variants, study.options.reference);
}

/// The name of a variant without the number at its end: "shapes" for "shapes20".
std::string method_of(const std::string& variant) {
  const std::size_t end = variant.find_last_not_of("0123456789");
  return end == std::string::npos ? variant : variant.substr(0, end + 1);
}

/// Error as a function of the number of modes: one line per method through its variants, ordered by
/// their numbers; a single variant gives a point.
std::vector<Curve> curves_by_method(const tools::Study& study) {
  std::map<std::string, std::vector<const tools::StudyCase*>> methods;
  std::vector<std::string> order;
  for (const tools::StudyCase& each : study.cases) {
    auto& members = methods[method_of(each.variant)];
    if (members.empty()) order.push_back(method_of(each.variant));
    members.push_back(&each);
  }
  std::vector<Curve> out;
  for (const std::string& method : order) {
    auto& members = methods[method];
    std::stable_sort(
        members.begin(), members.end(), [](const tools::StudyCase* a, const tools::StudyCase* b) {
          return a->modes < b->modes;
        });
    Curve curve;
    curve.has_markers = true;
    curve.is_joined = members.size() > 1;
    if (curve.is_joined) curve.name = method;
    curve.x.resize(static_cast<Eigen::Index>(members.size()));
    curve.y.resize(curve.x.size());
    for (std::size_t i = 0; i < members.size(); ++i) {
      curve.x(static_cast<Eigen::Index>(i)) = static_cast<double>(members[i]->modes);
      curve.y(static_cast<Eigen::Index>(i)) = members[i]->error;
      curve.labels.push_back(members[i]->variant);
    }
    out.push_back(std::move(curve));
  }
  return out;
}

}  // namespace

void write_simulate_report(const tools::RunReport& run,
                           const tools::ResultSeries& series,
                           const tools::Json& document,
                           const PageOptions& options,
                           const std::filesystem::path& path) {
  std::string verdict;
  if (run.has_static)
    verdict += fmt::format("{}in equilibrium after {} iterations{}",
                           verdict.empty() ? "" : "; ",
                           run.statics.iterations,
                           run.statics.stable ? "" : ", but not stable");
  if (!run.modes.empty())
    verdict += fmt::format("{}{} modes", verdict.empty() ? "" : "; ", run.modes.size());
  if (run.has_dynamic)
    verdict += fmt::format("{}ran to {} s in {} steps",
                           verdict.empty() ? "" : "; ",
                           readable(run.dynamic.end_time),
                           run.dynamic.steps);
  if (!verdict.empty()) verdict[0] = static_cast<char>(std::toupper(verdict[0]));
  const bool is_good = series.is_complete && !(run.has_static && !run.statics.stable);
  HtmlReport page(fmt::format("Simulation of {}", series.name), is_good, verdict);
  if (!run.modes.empty()) {
    page.heading("Modes of the assembled system");
    TextTable table({"mode", "Hz", "damping ratio", "real 1/s", "imaginary rad/s"});
    for (std::size_t i = 0; i < run.modes.size(); ++i)
      table.add({std::to_string(i + 1),
                 readable(run.modes[i].frequency_hz),
                 readable(run.modes[i].damping_ratio, 4),
                 readable(run.modes[i].eigenvalue.real(), 4),
                 readable(run.modes[i].eigenvalue.imag(), 6)});
    page.table(table);
  }
  if (!run.page.is_empty())
    asked_page(page, run.page, {{"", &series}}, tools::figures_table({"value"}, {run.figures}));
  page.heading("Histories");
  const std::vector<Group> groups = groups_of(series.channels);
  for (std::size_t g = 0; g < std::min(kMaxPlots, groups.size()); ++g) {
    Plot plot;
    plot.title = groups[g].name;
    plot.x_label = "time [s]";
    plot.y_label = series.channels[groups[g].members.front()].unit;
    for (std::size_t k = 0; k < groups[g].members.size(); ++k)
      plot.curves.push_back({groups[g].members.size() == 1 ? "" : groups[g].leaves[k],
                             series.time,
                             series.values.col(static_cast<Eigen::Index>(groups[g].members[k]))});
    page.plot(plot);
  }
  if (groups.size() > kMaxPlots)
    page.paragraph(
        fmt::format("{} more groups of channels are in the result.", groups.size() - kMaxPlots));
  std::vector<std::pair<std::string, std::string>> used;
  if (run.has_dynamic) {
    used = {{"steps", std::to_string(run.dynamic.steps)},
            {"rejected steps", std::to_string(run.dynamic.rejected_steps)},
            {"rows", std::to_string(run.rows)},
            {"energy drift", readable(run.dynamic.energy_drift, 3)},
            {"constraint violation", readable(run.dynamic.constraint_violation, 3)}};
    if (!options.is_reproducible) {
      used.emplace_back("processor time of the run s", readable(run.dynamic.cpu_seconds, 3));
      used.emplace_back("times real time", readable(run.dynamic.real_time_factor, 3));
    }
  }
  resources(page, options, used);
  reproduce(page, options, sources_of(series));
  page.data("simulate", document);
  page.write(path);
}

void write_compare_report(const tools::ResultComparison& comparison,
                          const tools::Json& document,
                          const PageOptions& options,
                          const std::filesystem::path& path) {
  double worst = 0.0;
  for (const tools::ChannelDifference& each : comparison.channels)
    worst = std::max(worst, each.relative_rms);
  HtmlReport page("Comparison of two results",
                  comparison.passes,
                  fmt::format("{}: largest relative rms difference {}, limit {}",
                              comparison.passes ? "The results agree" : "The results differ",
                              readable(worst, 3),
                              readable(comparison.tolerance, 3)));
  page.heading("Differences");
  page.table(tools::comparison_table(comparison));
  page.heading("Histories, A over B");
  overlay_plots(page, comparison);
  resources(page, options, {{"rows compared", std::to_string(comparison.time.size())}});
  reproduce(page, options);
  page.data("compare", document);
  page.write(path);
}

void write_compare_report(const tools::BodyComparison& comparison,
                          const tools::Json& document,
                          const PageOptions& options,
                          const std::filesystem::path& path) {
  HtmlReport page("Comparison of two bodies",
                  comparison.passes,
                  comparison.passes ? "The bodies agree"
                                    : fmt::format("The bodies differ by more than {}",
                                                  readable(comparison.tolerance, 3)));
  page.heading("Frequencies");
  page.table(tools::comparison_table(comparison));
  page.heading("MAC");
  page.heat_map(comparison.mac, "mode of A", "mode of B");
  page.paragraph(fmt::format("Relative difference of mass {}, of inertia {}; centres {} m apart.",
                             readable(comparison.mass_error, 3),
                             readable(comparison.inertia_error, 3),
                             readable(comparison.centre_error, 3)));
  page.heading("Other content of the bodies");
  page.table(tools::aspect_table(comparison));
  resources(page, options);
  reproduce(page, options);
  page.data("compare", document);
  page.write(path);
}

std::string study_verdict(const tools::Study& study) {
  const double percent = 100.0 * study.options.limit;
  const std::string band = study.options.below_hz > 0.0
                               ? fmt::format(" below {} Hz", readable(study.options.below_hz))
                               : std::string();
  if (study.best < 0)
    return fmt::format(
        "No variant stays within {} % of {}{}", readable(percent), study.options.reference, band);
  const tools::StudyCase& best = study.cases[static_cast<std::size_t>(study.best)];
  std::string why;
  const tools::StudyCase* next = nullptr;  // the variant with the largest number of modes below
                                           // that of `best`
  for (const tools::StudyCase& each : study.cases)
    if (each.modes < best.modes && (next == nullptr || each.modes > next->modes)) next = &each;
  if (next != nullptr && !next->points.empty()) {
    const auto worst = std::max_element(
        next->points.begin(),
        next->points.end(),
        [](const tools::StudyPoint& a, const tools::StudyPoint& b) { return a.error < b.error; });
    why = fmt::format("; {} ({} modes) misses {} by {} %",
                      next->variant,
                      next->modes,
                      worst->name,
                      readable(100.0 * worst->error, 3));
  }
  return fmt::format("{} is enough: {} modes stay within {} % rms of {} ({} modes){}{}",
                     best.variant,
                     best.modes,
                     readable(100.0 * best.error, 3),
                     study.options.reference,
                     study.reference_modes,
                     band,
                     why);
}

void write_study_report(const tools::Study& study,
                        const tools::Json& document,
                        bool is_reproducible,
                        const std::string& call,
                        const std::filesystem::path& path) {
  HtmlReport page(study_title(study), study.best >= 0, study_verdict(study));
  page.heading("Variants against " + study.options.reference);
  page.table(tools::study_table(study, is_reproducible));
  page.paragraph(
      "error: rms of the difference over rms of the reference, the three directions of a point "
      "taken as one vector, at the worst point; peak error: largest difference over the largest "
      "value of its channel. Channels that are round-off in both results do not count.");
  if (!study.page.is_empty()) asked_page_of_study(page, study);
  Plot errors;
  errors.title = "Error against number of modes";
  errors.x_label = "modes";
  errors.y_label = "relative rms";
  errors.is_log_y = true;
  errors.curves = curves_by_method(study);
  if (study.cases.size() > 1) page.plot(errors);
  page.heading("Point by point");
  std::vector<std::string> heads{"point"};
  for (const tools::StudyCase& each : study.cases)
    heads.push_back(each.variant);
  TextTable points(heads);
  for (std::size_t p = 0; !study.cases.empty() && p < study.cases.front().points.size(); ++p) {
    std::vector<std::string> row{study.cases.front().points[p].name};
    for (const tools::StudyCase& each : study.cases)
      row.push_back(p < each.points.size() ? readable(each.points[p].error, 3) : "-");
    points.add(row);
  }
  page.table(points);
  page.heading("Channel by channel");
  heads.front() = "channel";
  TextTable table(heads);
  for (std::size_t c = 0;
       !study.cases.empty() && c < study.cases.front().comparison.channels.size();
       ++c) {
    std::vector<std::string> row{study.cases.front().comparison.channels[c].name};
    for (const tools::StudyCase& each : study.cases)
      row.push_back(c < each.comparison.channels.size()
                        ? readable(each.comparison.channels[c].relative_rms, 3)
                        : "-");
    table.add(row);
  }
  page.table(table);
  page.heading("Histories");
  const std::size_t shown =
      study.cases.empty()
          ? 0
          : std::min<std::size_t>(6, study.cases.front().comparison.channels.size());
  for (std::size_t c = 0; c < shown; ++c) {
    const auto column = static_cast<Eigen::Index>(c);
    const tools::ResultComparison& first = study.cases.front().comparison;
    Plot plot;
    plot.title = first.channels[c].name;
    plot.x_label = "time [s]";
    plot.y_label = first.channels[c].unit;
    plot.curves.push_back({study.options.reference, first.time, first.a.col(column)});
    const std::size_t best =
        study.best < 0 ? study.cases.size() - 1 : static_cast<std::size_t>(study.best);
    plot.curves.push_back(
        {study.cases[best].variant, first.time, study.cases[best].comparison.b.col(column), true});
    if (best != 0)
      plot.curves.push_back({study.cases.front().variant, first.time, first.b.col(column), true});
    page.plot(plot);
  }
  reproduce(page, {call, is_reproducible});
  page.data("study", document);
  page.write(path);
}

}  // namespace femflex::report
