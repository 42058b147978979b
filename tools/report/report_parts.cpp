// Each function adds one section (heading, table, explanation) to a page, or nothing if the body
// has no such data.
#include "report_parts.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/resource.h>

#include "femflex/damping.h"
#include "femflex/frequency.h"
#include "femflex/modal/correlation.h"
#include "femflex/modal/damping.h"

#include "body/fe_report.h"
#include "shape_pictures.h"

namespace femflex::report {

using tools::readable;
using tools::TextTable;

void shape_gallery(HtmlReport& page, const FlexBody& body) {
  constexpr Eigen::Index kShown = 6;
  const std::string pictures = svg_of_shapes(body, kShown);
  if (pictures.empty()) return;
  page.heading("First shapes");
  page.picture(pictures, "the first shapes of the body, deformed over undeformed");
  page.paragraph(
      "Blue over the undeformed mesh, displacements enlarged. The page of femflex view shows all "
      "of "
      "them moving.");
}

void mass_properties(HtmlReport& page, const FlexBody& body) {
  const Eigen::Vector3d centre = body.centre_of_mass();
  page.heading("Mass");
  TextTable table(
      {"mass kg", "x m", "y m", "z m", "Ixx kg m^2", "Iyy", "Izz", "Ixy", "Iyz", "Ixz"});
  const double turn = body.invariants.inertia.trace();
  const double arm = tools::gyration_radius(body.invariants.mass, body.invariants.inertia);
  std::vector<std::string> row{readable(body.invariants.mass)};
  for (const double value : centre)
    row.push_back(tools::readable_beside(value, arm));
  for (const double value : tools::inertia_entries(body.invariants.inertia))
    row.push_back(tools::readable_beside(value, turn));
  table.add(row);
  page.table(table);
  page.paragraph("Centre in the body frame, inertia about its origin, tensor signs, kg m^2.");
}

void damping_table(HtmlReport& page, const FlexBody& body) {
  const bool is_damped = std::any_of(body.modes.begin(), body.modes.end(), [](const BodyMode& m) {
    return m.damping_ratio > 0.0;
  });
  if (!is_damped) return;
  page.heading("Damping and what it means");
  TextTable table({"mode", "Hz", "ratio", "cycles to half", "seconds to half", "peak over static"});
  for (std::size_t i = 0; i < body.modes.size(); ++i) {
    const double ratio = body.modes[i].damping_ratio;
    const double hz = frequency_hz(body.modes[i].eigenvalue);
    if (!(ratio > 0.0)) continue;
    const double decay = 2.0 * std::numbers::pi * ratio;
    const bool oscillates = ratio < 1.0;
    table.add({std::to_string(i + 1),
               readable(hz),
               readable(ratio, 3),
               oscillates ? readable(std::log(2.0) * std::sqrt(1.0 - ratio * ratio) / decay, 3)
                          : "does not oscillate",
               hz > 0.0 ? readable(std::log(2.0) / (decay * hz), 3) : "-",
               ratio < std::numbers::sqrt2 / 2.0
                   ? readable(1.0 / (2.0 * ratio * std::sqrt(1.0 - ratio * ratio)), 3)
                   : "no peak"});
  }
  page.table(table);
  page.paragraph(
      "The ratio is that of b = 2 ratio sqrt(k m) in each modal coordinate. A free vibration of "
      "the "
      "mode falls to half its amplitude in the given cycles and seconds. Peak over static is the "
      "largest response to a harmonic force, over all frequencies, divided by the static one.");
}

void true_damping_table(HtmlReport& page, const FlexBody& body) {
  if (body.mode_count() == 0 || damping_matrix(body).isZero(0.0)) return;
  page.heading("Damping of the true modes");
  page.table(tools::eigenmode_damping_table(body));
  page.paragraph(fmt::format(
      "The eigenmodes of the reduced body, and what its damping amounts to for them: the "
      "diagonal of the damping alone. Shapes that are not orthogonal share every "
      "eigenmode, so ratios set on shapes are other ratios here, and the damping couples "
      "the eigenmodes (largest coupling {}). --damping true:RATIO puts a ratio on the "
      "eigenmodes themselves.",
      readable(modal::true_damping(body).coupling, 3)));
  const Eigen::VectorXcd poles = modal::damped_poles(body);
  if (poles.size() == 0) return;
  page.heading("Damped poles");
  page.table(tools::pole_table(poles));
  page.paragraph(
      "The motions in which the body decays while its frame is held, as linearise gives them: with "
      "damping that couples the eigenmodes these are not the ratios above.");
}

void effective_mass(HtmlReport& page, const FlexBody& body, const Eigen::MatrixXd& energy) {
  if (body.mode_count() == 0) return;
  page.heading("Effective mass");
  const modal::EffectiveMass effective = modal::effective_mass(body);
  constexpr double kNone = 1e-10;  // share of the body below which all modes together have none
  if ((effective.set_sum.array().abs() <= kNone * effective.total.array().abs()).all()) {
    page.paragraph(
        "None: the body was free when its modes were computed, and its elastic modes exert no "
        "force on a moving base.");
  } else {
    page.table(tools::effective_mass_table(body));
    page.paragraph(
        "The share of the body's mass that each mode contributes to the force on a moving base, "
        "about the origin of the body frame.");
  }
  page.heading("Kinetic energy");
  page.table(tools::kinetic_energy_table(body, energy));
  page.paragraph("Shares of the nodes by the mass matrix of the model.");
}

void dropped_modes(HtmlReport& page, const FlexBody& body) {
  if (body.rejected.empty()) return;
  page.heading("Dropped modes and why");
  TextTable table({"source", "why", "eigenvalue", "Hz", "repeats"});
  for (const RejectedMode& mode : body.rejected) {
    const char* why = mode.reason == RejectionReason::below_limit   ? "eigenvalue below the limit"
                      : mode.reason == RejectionReason::above_limit ? "eigenvalue above the limit"
                      : mode.reason == RejectionReason::rigid       ? "rigid body motion"
                                                                    : "repeats others";
    table.add({mode.source,
               why,
               readable(mode.eigenvalue),
               readable(frequency_hz(mode.eigenvalue), 4),
               fmt::format("{}", fmt::join(mode.repeats, " "))});
  }
  page.table(table);
}

void resources(HtmlReport& page,
               const PageOptions& options,
               const std::vector<std::pair<std::string, std::string>>& more) {
  if (options.is_reproducible && more.empty()) return;
  page.heading("Resources used");
  TextTable table({"what", "value"});
  for (const auto& [name, value] : more)
    table.add({name, value});
  rusage used{};
  if (!options.is_reproducible && getrusage(RUSAGE_SELF, &used) == 0) {
    const auto seconds = [](const timeval& t) {
      return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
    };
    table.add({"processor time s", readable(seconds(used.ru_utime) + seconds(used.ru_stime), 3)});
    table.add({"largest memory MB", readable(static_cast<double>(used.ru_maxrss) / 1024.0, 3)});
  }
  page.table(table);
}

void reproduce(HtmlReport& page,
               const PageOptions& options,
               const std::vector<Provenance::Source>& sources) {
  page.heading("To make this page again");
  if (!sources.empty()) {
    TextTable table({"file", "sha256"});
    std::set<std::pair<std::string, std::string>> told;  // a file of several bodies is one row
    for (const Provenance::Source& source : sources)
      if (told.emplace(source.file, source.sha256).second) table.add({source.file, source.sha256});
    page.table(table);
  }
  page.commands(options.call);
}

}  // namespace femflex::report
