// The HTML pages of `reduce` (modes, masses, damping) and of `validate` (reduced body compared with
// the full model). Declared in reports.h.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "body/fe_report.h"
#include "body/validation_report.h"
#include "html_report.h"
#include "report_parts.h"
#include "reports.h"

namespace femflex::report {
namespace {

using tools::readable;
using tools::TextTable;

/// Receptance (displacement per force) of the interface over frequency, for the full and the
/// reduced model, with the error.
void frequency_response(HtmlReport& page, const modal::Validation& validation) {
  if (validation.frf.empty()) return;
  page.heading("Frequency response at the interface");
  const auto points = static_cast<Eigen::Index>(validation.frf.size());
  Eigen::VectorXd hz(points), full(points), reduced(points), error(points);
  for (Eigen::Index i = 0; i < points; ++i) {
    const auto& each = validation.frf[static_cast<std::size_t>(i)];
    hz(i) = each.frequency_hz;
    full(i) = each.full;
    reduced(i) = each.reduced;
    error(i) = each.error;
  }
  Plot frf;
  frf.title = "Receptance of the interface";
  frf.x_label = "frequency [Hz]";
  frf.y_label = "norm, scaled by stiffness and mass";
  frf.is_log_y = true;
  frf.curves = {{"full", hz, full}, {"reduced", hz, reduced, true}};
  page.plot(frf);
  Plot errors;
  errors.title = "Error of the receptance";
  errors.note = fmt::format("at most {}", readable(validation.frf_error, 3));
  errors.x_label = "frequency [Hz]";
  errors.y_label = "relative";
  errors.is_log_y = true;
  errors.curves = {{"|reduced - full| / peak of |full| in the third octave", hz, error}};
  page.plot(errors);
}

/// Frequencies, their errors and the MAC matrix.
void agreement(HtmlReport& page, const modal::Validation& validation) {
  page.heading("Frequencies");
  page.table(tools::frequency_table(validation));
  const auto count = static_cast<Eigen::Index>(validation.frequencies.size());
  Curve error{"|frequency error| %", Eigen::VectorXd(count), Eigen::VectorXd(count), false, true};
  Curve mac_error{"1 - MAC", Eigen::VectorXd(count), Eigen::VectorXd(count), true, true};
  for (Eigen::Index i = 0; i < count; ++i) {
    const auto& each = validation.frequencies[static_cast<std::size_t>(i)];
    error.x(i) = each.full_hz;
    error.y(i) = std::abs(each.error_percent);
    mac_error.y(i) = 1.0 - each.mac;
  }
  mac_error.x = error.x;
  Plot plot;
  plot.title = "Frequency error and 1 - MAC by mode";
  plot.x_label = "full model [Hz]";
  plot.y_label = "%, 1";
  plot.is_log_y = true;
  plot.curves = {error, mac_error};
  if (count > 1) page.plot(plot);
  if (validation.mac.size() == 0) return;
  page.heading("MAC");
  page.heat_map(validation.mac, "mode of the full model", "mode of the body");
  page.paragraph(
      "Mass-weighted. A row with one dark square: the body has this mode. A row without: the mode "
      "is missing. Two half-dark squares: two modes of nearly equal frequency are mixed.");
}

}  // namespace

void write_reduce_report(const FlexBody& body,
                         const Eigen::MatrixXd& energy,
                         const tools::Json& document,
                         const PageOptions& options,
                         const std::filesystem::path& path) {
  HtmlReport page(fmt::format("Reduction of {}", body.name.empty() ? "a body" : body.name),
                  true,
                  fmt::format("{} modes kept, {} dropped; {} nodes, {} kg",
                              body.mode_count(),
                              body.rejected.size(),
                              body.node_count(),
                              readable(body.invariants.mass)));
  shape_gallery(page, body);
  page.heading("Modes");
  page.table(tools::body_mode_table(body));
  dropped_modes(page, body);
  mass_properties(page, body);
  effective_mass(page, body, energy);
  damping_table(page, body);
  true_damping_table(page, body);
  std::vector<std::pair<std::string, std::string>> used;
  if (const tools::Json* seconds = document.find("seconds")) {
    for (const tools::Json::Member& member : seconds->members())
      used.emplace_back(member.key + " s", readable(member.value.number(), 3));
  }
  resources(page, options, used);
  reproduce(page, options, body.provenance.sources);
  page.data("reduce", document);
  page.write(path);
}

void write_validate_report(const modal::Validation& validation,
                           const FlexBody& body,
                           const Eigen::MatrixXd& energy,
                           const tools::Json& document,
                           const PageOptions& options,
                           const std::filesystem::path& path) {
  std::string verdict = validation.pass ? "The reduced body represents the full model"
                                        : "The reduced body does not represent the full model: ";
  verdict += fmt::format("{}", fmt::join(validation.findings, "; "));
  HtmlReport page(fmt::format("Validation of {}", body.name.empty() ? "a body" : body.name),
                  validation.pass,
                  verdict);
  shape_gallery(page, body);
  agreement(page, validation);
  page.heading("Mass and zero modes");
  TextTable mass({"what", "full", "reduced"});
  mass.add({"mass kg", readable(validation.full_mass), readable(validation.reduced_mass)});
  const double turn = validation.full_inertia.trace();
  const double arm = tools::gyration_radius(validation.full_mass, validation.full_inertia);
  for (Eigen::Index i = 0; i < 3; ++i)
    mass.add({std::string("centre ") + "xyz"[i] + " m",
              tools::readable_beside(validation.full_centre(i), arm),
              tools::readable_beside(validation.reduced_centre(i), arm)});
  const char* names[] = {"Ixx", "Iyy", "Izz", "Ixy", "Iyz", "Ixz"};
  const std::vector<double> full = tools::inertia_entries(validation.full_inertia);
  const std::vector<double> reduced = tools::inertia_entries(validation.reduced_inertia);
  for (std::size_t i = 0; i < 6; ++i)
    mass.add({std::string(names[i]) + " kg m^2",
              tools::readable_beside(full[i], turn),
              tools::readable_beside(reduced[i], turn)});
  mass.add({"zero modes",
            std::to_string(validation.full_zero_modes),
            std::to_string(validation.reduced_zero_modes)});
  page.table(mass);
  if (validation.static_error >= 0.0) {
    page.heading("Static check");
    page.paragraph(
        fmt::format("Relative error of the responses to unit forces on the interface: {}.",
                    readable(validation.static_error, 3)));
  }
  frequency_response(page, validation);
  effective_mass(page, body, energy);
  damping_table(page, body);
  true_damping_table(page, body);
  dropped_modes(page, body);
  resources(page, options);
  reproduce(page, options, body.provenance.sources);
  page.data("validate", document);
  page.write(path);
}

}  // namespace femflex::report
