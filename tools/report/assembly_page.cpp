// Draws the page from the JSON document of `assemble` or `ask`. Notation: s is a pole, H a
// frequency response.
#include "report/assembly_page.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <utility>

#include <Eigen/Core>
#include <fmt/format.h>

#include "document/table.h"
#include "report/html_report.h"

namespace femflex::report {
namespace {

using tools::Json;
using tools::readable;
using tools::TextTable;

constexpr double kDegrees = 180.0 / std::numbers::pi;

Eigen::VectorXd vector_of(const Json& list) {
  Eigen::VectorXd out(static_cast<Eigen::Index>(list.items().size()));
  for (Eigen::Index k = 0; k < out.size(); ++k) {
    const Json& value = list.items()[static_cast<std::size_t>(k)];
    out(k) = value.is_number() ? value.number() : std::nan("");
  }
  return out;
}

std::complex<double> complex_of(const Json& pair) {
  return {pair.items()[0].number(), pair.items()[1].number()};
}

void pole_rows(HtmlReport& page, const Json& document) {
  constexpr std::size_t kMaxRows = 100;
  page.heading("Poles");
  TextTable table({"real 1/s", "imaginary rad/s", "Hz", "damping ratio"});
  std::size_t rows = 0;
  for (const Json& item : document.find("poles")->items()) {
    const std::complex<double> s = complex_of(item);
    if (s.imag() < 0.0 || ++rows > kMaxRows) continue;
    const double size = std::abs(s);
    table.add({readable(s.real()),
               readable(s.imag()),
               readable(size / (2.0 * std::numbers::pi)),
               size > 0.0 ? readable(-s.real() / size, 3) : "-"});
  }
  page.table(table);
  if (rows > kMaxRows)
    page.paragraph(fmt::format("The table shows the first {} of {} poles.", kMaxRows, rows));
  page.paragraph("Of each conjugate pair the table shows the pole with positive imaginary part.");
}

/// Draws magnitude and phase over frequency.
void bode(HtmlReport& page, const Json& frf) {
  page.heading("Frequency response");
  Plot magnitude{.title = "Magnitude", .x_label = "frequency [Hz]", .y_label = "m/N", .curves = {}};
  Plot phase{.title = "Phase", .x_label = "frequency [Hz]", .y_label = "deg", .curves = {}};
  magnitude.is_log_x = magnitude.is_log_y = phase.is_log_x = true;
  const Eigen::VectorXd hz = vector_of(*frf.find("hz"));
  for (const Json::Member& way : frf.members()) {
    if (way.key == "hz") continue;
    Curve size{way.key, hz, Eigen::VectorXd(hz.size())};
    Curve angle = size;
    double turns = 0.0;
    for (Eigen::Index k = 0; k < hz.size(); ++k) {
      const std::complex<double> H = complex_of(way.value.items()[static_cast<std::size_t>(k)]);
      size.y(k) = std::abs(H);
      angle.y(k) = std::arg(H) * kDegrees + turns;
      // std::arg() jumps by 360 degrees; adding whole turns makes the phase continuous
      if (k == 0 || std::abs(angle.y(k) - angle.y(k - 1)) < 180.0) continue;
      const double jump = angle.y(k) > angle.y(k - 1) ? -360.0 : 360.0;
      turns += jump;
      angle.y(k) += jump;
    }
    magnitude.curves.push_back(std::move(size));
    phase.curves.push_back(std::move(angle));
  }
  page.plot(magnitude);
  page.plot(phase);
  page.paragraph(
      "Displacement per unit force, from port -> to port. A way that starts at a prescribed motion "
      "or "
      "ends in a reaction has other units.");
}

void over_time(HtmlReport& page, const Json& document, const char* key, const char* heading) {
  const Json* responses = document.find(key);
  if (responses == nullptr) return;
  page.heading(heading);
  Plot plot{.title = heading, .x_label = "time [s]", .y_label = "m; reactions in N", .curves = {}};
  const Eigen::VectorXd time = vector_of(*responses->find("time"));
  for (const Json::Member& way : responses->members())
    if (way.key != "time") plot.curves.push_back({way.key, time, vector_of(way.value)});
  page.plot(plot);
}

}  // namespace

void write_assembly_page(const Json& document,
                         const std::string& source,
                         const PageOptions& options,
                         const std::filesystem::path& path) {
  const std::string& part = document.find("part")->text();
  const auto& poles = document.find("poles")->items();
  double max_real = 0.0;
  double max_magnitude = 0.0;
  for (const Json& item : poles) {
    max_real = std::max(max_real, complex_of(item).real());
    max_magnitude = std::max(max_magnitude, std::abs(complex_of(item)));
  }
  constexpr double kRoundOff = 1e-6;  // a real part, relative to the largest pole, that counts as
                                      // zero
  const bool is_stable = max_real <= kRoundOff * max_magnitude;
  HtmlReport page("Part " + part,
                  is_stable,
                  poles.empty() ? "no pole was computed"
                  : is_stable   ? "stable"
                                : "unstable: a pole lies in the right half-plane");
  page.paragraph(fmt::format("From {}; {} ports, {} inner coordinates, order {}.",
                             source,
                             document.find("ports")->items().size(),
                             document.find("inner")->number(),
                             document.find("order")->number()));
  if (const Json* frf = document.find("frf")) bode(page, *frf);
  over_time(page, document, "step", "Step response");
  over_time(page, document, "impulse", "Impulse response");
  over_time(page, document, "simulate", "Response to the given input");
  pole_rows(page, document);
  resources(page, options);
  reproduce(page, options);
  page.write(path);
}

}  // namespace femflex::report
