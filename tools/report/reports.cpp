#include "reports.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "femflex/modal/correlation.h"

#include "html_report.h"
#include "pipeline/fe_report.h"

namespace femflex::report {
namespace {

using pipeline::readable;
using pipeline::Table;

constexpr std::size_t kMostPlots = 12;

void mass_properties(HtmlReport& page, const FlexBody& body) {
  const Eigen::Vector3d centre = body.centre_of_mass();
  const std::vector<double> inertia = pipeline::six_of(body.invariants.inertia);
  page.heading("Mass");
  Table table({"mass kg", "x m", "y m", "z m", "Ixx", "Iyy", "Izz", "Ixy", "Iyz", "Ixz"});
  std::vector<std::string> row{readable(body.invariants.mass),
                               readable(centre.x()),
                               readable(centre.y()),
                               readable(centre.z())};
  for (const double value : inertia)
    row.push_back(readable(value));
  table.add(row);
  page.table(table);
  page.paragraph("Centre in the body frame, inertia about its origin, tensor signs, kg m^2.");
}

// What a damping ratio means: cycles until a free vibration has halved, time until then.
void damping_table(HtmlReport& page, const FlexBody& body) {
  const bool any = std::any_of(body.modes.begin(), body.modes.end(), [](const BodyMode& m) {
    return m.damping_ratio > 0.0;
  });
  if (!any) return;
  page.heading("Damping and what it means");
  Table table({"mode", "Hz", "ratio", "cycles to half", "seconds to half", "peak over static"});
  for (std::size_t i = 0; i < body.modes.size(); ++i) {
    const double beta = body.modes[i].damping_ratio;
    const double hz = pipeline::frequency_hz(body.modes[i].eigenvalue);
    if (!(beta > 0.0)) continue;
    const double cycles =
        beta < 1.0 ? std::log(2.0) * std::sqrt(1.0 - beta * beta) / (2.0 * 3.141592653589793 * beta)
                   : 0.0;
    table.add({std::to_string(i + 1),
               readable(hz),
               readable(beta, 3),
               readable(cycles, 3),
               hz > 0.0 ? readable(std::log(2.0) / (beta * 2.0 * 3.141592653589793 * hz), 3) : "-",
               readable(1.0 / (2.0 * beta), 3)});
  }
  page.table(table);
}

void effective_mass(HtmlReport& page, const FlexBody& body) {
  const modal::EffectiveMass effective = modal::effective_mass(body);
  page.heading("Effective mass");
  Table table({"mode", "x kg", "y kg", "z kg", "rx kg m^2", "ry kg m^2", "rz kg m^2"});
  for (Eigen::Index i = 0; i < effective.effective_mass.rows(); ++i) {
    std::vector<std::string> row{std::to_string(i + 1)};
    for (Eigen::Index c = 0; c < 6; ++c)
      row.push_back(readable(effective.effective_mass(i, c), 4));
    table.add(row);
  }
  page.table(table);
}

void reproduce(HtmlReport& page, const std::string& call) {
  page.heading("To make this page again");
  page.commands("femflex " + call);
}

// Every channel of A over B, in groups of one plot each.
void overlay_plots(HtmlReport& page, const pipeline::ResultComparison& comparison) {
  for (std::size_t i = 0; i < std::min(kMostPlots, comparison.channels.size()); ++i) {
    const auto column = static_cast<Eigen::Index>(i);
    Plot plot;
    plot.title = comparison.channels[i].name;
    plot.x_label = "time [s]";
    plot.y_label = comparison.channels[i].unit;
    plot.curves.push_back({"A", comparison.time, comparison.a.col(column)});
    plot.curves.push_back({"B", comparison.time, comparison.b.col(column), true});
    page.plot(plot);
  }
}

}  // namespace

void write_reduce_report(const FlexBody& body,
                         const pipeline::Json& document,
                         const std::string& call,
                         const std::filesystem::path& path) {
  HtmlReport page(fmt::format("Reduction of {}", body.name.empty() ? "a body" : body.name),
                  true,
                  fmt::format("{} modes kept, {} dropped; {} nodes, {} kg",
                              body.mode_count(),
                              body.rejected.size(),
                              body.node_count(),
                              readable(body.invariants.mass)));
  page.heading("Modes");
  page.table(pipeline::body_mode_table(body));
  if (!body.rejected.empty()) {
    page.heading("Dropped modes and why");
    Table table({"source", "why", "eigenvalue", "repeats"});
    for (const RejectedMode& mode : body.rejected) {
      const char* why = mode.reason == RejectionReason::below_limit   ? "eigenvalue below the limit"
                        : mode.reason == RejectionReason::above_limit ? "eigenvalue above the limit"
                        : mode.reason == RejectionReason::rigid       ? "rigid body motion"
                                                                      : "repeats others";
      std::string repeats;
      for (const std::string& each : mode.repeats)
        repeats += (repeats.empty() ? "" : " ") + each;
      table.add({mode.source, why, readable(mode.eigenvalue), repeats});
    }
    page.table(table);
  }
  mass_properties(page, body);
  effective_mass(page, body);
  damping_table(page, body);
  reproduce(page, call);
  page.data("reduce", document);
  page.write(path);
}

void write_validate_report(const modal::Validation& validation,
                           const FlexBody& body,
                           const pipeline::Json& document,
                           const std::string& call,
                           const std::filesystem::path& path) {
  std::string verdict = validation.pass ? "The reduced body stands for the full model"
                                        : "The reduced body does not stand for the full model:";
  for (const std::string& finding : validation.findings)
    verdict += " " + finding + ";";
  HtmlReport page(fmt::format("Validation of {}", body.name.empty() ? "a body" : body.name),
                  validation.pass,
                  verdict);
  page.heading("Frequencies");
  page.table(pipeline::frequency_table(validation));
  Plot macs;
  macs.title = "MAC and frequency error by mode";
  macs.x_label = "full model [Hz]";
  macs.y_label = "|error| %, 1 - MAC";
  macs.is_log_y = true;
  Curve error{"|frequency error| %", {}, {}, false, true};
  Curve mac{"1 - MAC", {}, {}, true, true};
  const auto count = static_cast<Eigen::Index>(validation.frequencies.size());
  error.x.resize(count);
  error.y.resize(count);
  mac.y.resize(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const auto& each = validation.frequencies[static_cast<std::size_t>(i)];
    error.x(i) = each.full_hz;
    error.y(i) = std::abs(each.error_percent);
    mac.y(i) = 1.0 - each.mac;
  }
  mac.x = error.x;
  macs.curves = {error, mac};
  if (count > 1) page.plot(macs);
  page.heading("Mass and zero modes");
  Table mass({"", "full", "reduced"});
  mass.add({"mass kg", readable(validation.full_mass), readable(validation.reduced_mass)});
  for (Eigen::Index i = 0; i < 3; ++i)
    mass.add({std::string("centre ") + "xyz"[i] + " m",
              readable(validation.full_centre(i)),
              readable(validation.reduced_centre(i))});
  const char* names[] = {"Ixx", "Iyy", "Izz", "Ixy", "Iyz", "Ixz"};
  const std::vector<double> full = pipeline::six_of(validation.full_inertia);
  const std::vector<double> reduced = pipeline::six_of(validation.reduced_inertia);
  for (std::size_t i = 0; i < 6; ++i)
    mass.add({std::string(names[i]) + " kg m^2", readable(full[i]), readable(reduced[i])});
  mass.add({"zero modes",
            std::to_string(validation.full_zero_modes),
            std::to_string(validation.reduced_zero_modes)});
  page.table(mass);
  if (validation.static_error >= 0.0) {
    page.heading("Static check");
    page.paragraph(fmt::format("Relative error of the answers to unit forces on the interface: {}.",
                               readable(validation.static_error, 3)));
  }
  if (!validation.frf.empty()) {
    page.heading("Frequency response at the interface");
    const auto points = static_cast<Eigen::Index>(validation.frf.size());
    Eigen::VectorXd hz(points), f(points), r(points), e(points);
    for (Eigen::Index i = 0; i < points; ++i) {
      const auto& each = validation.frf[static_cast<std::size_t>(i)];
      hz(i) = each.frequency_hz;
      f(i) = each.full;
      r(i) = each.reduced;
      e(i) = each.error;
    }
    Plot frf;
    frf.title = "Receptance of the interface";
    frf.x_label = "frequency [Hz]";
    frf.y_label = "norm [m/N]";
    frf.is_log_y = true;
    frf.curves = {{"full", hz, f}, {"reduced", hz, r, true}};
    page.plot(frf);
    Plot errors;
    errors.title = "Relative error";
    errors.x_label = "frequency [Hz]";
    errors.y_label = "error";
    errors.is_log_y = true;
    errors.curves = {{"|reduced - full| / |full|", hz, e}};
    page.plot(errors);
  }
  effective_mass(page, body);
  damping_table(page, body);
  reproduce(page, call);
  page.data("validate", document);
  page.write(path);
}

void write_simulate_report(const pipeline::RunReport& run,
                           const pipeline::ResultSeries& series,
                           const pipeline::Json& document,
                           const std::string& call,
                           const std::filesystem::path& path) {
  HtmlReport page(
      fmt::format("Simulation of {}", series.name),
      true,
      fmt::format("Ran to {} s in {} steps", readable(run.dynamic.end_time), run.dynamic.steps));
  page.heading("Run");
  page.commands(pipeline::run_text(run));
  page.heading("Histories");
  for (std::size_t i = 0; i < std::min(kMostPlots, series.channels.size()); ++i) {
    Plot plot;
    plot.title = series.channels[i].name;
    plot.x_label = "time [s]";
    plot.y_label = series.channels[i].unit;
    plot.curves.push_back(
        {series.channels[i].name, series.time, series.values.col(static_cast<Eigen::Index>(i))});
    page.plot(plot);
  }
  if (series.channels.size() > kMostPlots)
    page.paragraph(fmt::format("{} more channels are in the result file.",
                               series.channels.size() - kMostPlots));
  reproduce(page, call);
  page.data("simulate", document);
  page.write(path);
}

void write_compare_report(const pipeline::ResultComparison& comparison,
                          const pipeline::Json& document,
                          const std::string& call,
                          const std::filesystem::path& path) {
  double worst = 0.0;
  for (const pipeline::ChannelDifference& each : comparison.channels)
    worst = std::max(worst, each.relative_rms);
  HtmlReport page("Comparison of two results",
                  comparison.passes,
                  fmt::format("Largest relative rms difference {}, limit {}",
                              readable(worst, 3),
                              readable(comparison.tolerance, 3)));
  page.heading("Differences");
  page.table(pipeline::comparison_table(comparison));
  page.heading("Histories");
  overlay_plots(page, comparison);
  reproduce(page, call);
  page.data("compare", document);
  page.write(path);
}

void write_compare_report(const pipeline::BodyComparison& comparison,
                          const pipeline::Json& document,
                          const std::string& call,
                          const std::filesystem::path& path) {
  HtmlReport page("Comparison of two bodies",
                  comparison.passes,
                  comparison.passes ? "The bodies agree"
                                    : fmt::format("The bodies differ by more than {}",
                                                  readable(comparison.tolerance, 3)));
  page.heading("Frequencies");
  page.table(pipeline::comparison_table(comparison));
  page.heading("MAC");
  page.heat_map(comparison.mac, "modes of A", "modes of B");
  page.paragraph(fmt::format("Relative difference of mass {}, of inertia {}; centres {} m apart.",
                             readable(comparison.mass_error, 3),
                             readable(comparison.inertia_error, 3),
                             readable(comparison.centre_error, 3)));
  reproduce(page, call);
  page.data("compare", document);
  page.write(path);
}

std::string study_verdict(const pipeline::Study& study) {
  const double percent = 100.0 * study.options.limit;
  const std::string band = study.options.below_hz > 0.0
                               ? fmt::format(" below {} Hz", readable(study.options.below_hz))
                               : std::string();
  if (study.best < 0)
    return fmt::format(
        "No variant stays within {} % of {}{}", readable(percent), study.options.reference, band);
  const pipeline::StudyCase& best = study.cases[static_cast<std::size_t>(study.best)];
  std::string why;
  const pipeline::StudyCase* next = nullptr;  // the richest of those with fewer modes
  for (const pipeline::StudyCase& each : study.cases)
    if (each.modes < best.modes && (next == nullptr || each.modes > next->modes)) next = &each;
  if (next != nullptr && !next->points.empty()) {
    const auto worst =
        std::max_element(next->points.begin(),
                         next->points.end(),
                         [](const pipeline::StudyPoint& a, const pipeline::StudyPoint& b) {
                           return a.error < b.error;
                         });
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

void write_study_report(const pipeline::Study& study,
                        const pipeline::Json& document,
                        bool is_reproducible,
                        const std::string& call,
                        const std::filesystem::path& path) {
  HtmlReport page(fmt::format("Study of {}", study.name), study.best >= 0, study_verdict(study));
  page.heading("Variants against " + study.options.reference);
  page.table(pipeline::study_table(study, is_reproducible));
  page.paragraph(
      "error: rms of the difference over rms of the reference, the three directions of a point "
      "taken as one vector, at the worst point; peak error: largest difference over the largest "
      "value of its channel.");
  Plot errors;
  errors.title = "Error against number of modes";
  errors.x_label = "modes";
  errors.y_label = "relative rms";
  errors.is_log_y = true;
  Curve curve{
      "error", Eigen::VectorXd(static_cast<Eigen::Index>(study.cases.size())), {}, false, true};
  curve.y.resize(curve.x.size());
  for (std::size_t i = 0; i < study.cases.size(); ++i) {
    curve.x(static_cast<Eigen::Index>(i)) = static_cast<double>(study.cases[i].modes);
    curve.y(static_cast<Eigen::Index>(i)) = study.cases[i].error;
  }
  errors.curves.push_back(curve);
  if (study.cases.size() > 1) page.plot(errors);
  page.heading("Point by point");
  std::vector<std::string> heads{"point"};
  for (const pipeline::StudyCase& each : study.cases)
    heads.push_back(each.variant);
  Table points(heads);
  for (std::size_t p = 0; !study.cases.empty() && p < study.cases.front().points.size(); ++p) {
    std::vector<std::string> row{study.cases.front().points[p].name};
    for (const pipeline::StudyCase& each : study.cases)
      row.push_back(p < each.points.size() ? readable(each.points[p].error, 3) : "-");
    points.add(row);
  }
  page.table(points);
  page.heading("Channel by channel");
  heads.front() = "channel";
  Table table(heads);
  for (std::size_t c = 0;
       !study.cases.empty() && c < study.cases.front().comparison.channels.size();
       ++c) {
    std::vector<std::string> row{study.cases.front().comparison.channels[c].name};
    for (const pipeline::StudyCase& each : study.cases)
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
    const pipeline::ResultComparison& first = study.cases.front().comparison;
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
  reproduce(page, call);
  page.data("study", document);
  page.write(path);
}

}  // namespace femflex::report
