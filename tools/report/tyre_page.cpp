// Draws the usual curves of a tyre from evaluations of its law.
#include "report/tyre_page.h"

#include <array>
#include <functional>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "femflex/unit_constants.h"

#include "document/table.h"
#include "report/html_report.h"

namespace femflex::report {
namespace {

using tyres::TyreForces;
using tyres::TyreState;

constexpr Eigen::Index kPoints = 161;  // per curve
/// Loads of the curves, relative to the nominal load.
constexpr std::array kLoadShares = {0.25, 0.5, 1.0, 1.5};
/// Camber angles of the camber curves [deg].
constexpr std::array kCambers = {-5.0, 0.0, 5.0};
/// Slip angles of the combined curves [deg].
constexpr std::array kCombinedAngles = {0.0, 2.0, 4.0, 8.0};

/// The varied input of a curve, its range, and the plotted output.
struct Sweep {
  double low = 0.0, high = 0.0;
  double TyreState::*input = nullptr;
  double factor = 1.0;  // converts values on the axis to values of the state
  double TyreForces::*output = nullptr;
};

Curve swept_curve(const tyres::Tyre& tyre, TyreState at, const Sweep& sweep, std::string name) {
  Curve out;
  out.name = std::move(name);
  out.x.setLinSpaced(kPoints, sweep.low, sweep.high);
  out.y.resize(kPoints);
  for (Eigen::Index k = 0; k < kPoints; ++k) {
    at.*sweep.input = sweep.factor * out.x(k);
    out.y(k) = tyres::forces(tyre, at).*sweep.output;
  }
  return out;
}

Plot over_loads(const verbs::TyreOutcome& outcome,
                const TyreState& base,
                const Sweep& sweep,
                const std::array<std::string, 3>& texts) {
  Plot plot{.title = texts[0], .x_label = texts[1], .y_label = texts[2], .curves = {}};
  for (const double share : kLoadShares) {
    TyreState at = base;
    at.load = share * outcome.nominal_load;
    plot.curves.push_back(
        swept_curve(outcome.read.tyre, at, sweep, fmt::format("{:.3g} kN", 1e-3 * at.load)));
  }
  return plot;
}

/// Lateral force Fy as a function of longitudinal force Fx at given slip angles, for slip kappa
/// from -1 to 1: half of the friction ellipse.
Plot combined_slip(const verbs::TyreOutcome& outcome, const TyreState& base) {
  Plot plot{.title = "Combined slip, kappa from -1 to 1",
            .x_label = "Fx [N]",
            .y_label = "Fy [N]",
            .curves = {}};
  for (const double angle : kCombinedAngles) {
    TyreState at = base;
    at.alpha = angle * kDegree;
    const Sweep x{.low = -1.0, .high = 1.0, .input = &TyreState::kappa, .output = &TyreForces::fx};
    Sweep y = x;
    y.output = &TyreForces::fy;
    Curve curve = swept_curve(outcome.read.tyre, at, x, fmt::format("alpha = {:.0f} deg", angle));
    const Curve side = swept_curve(outcome.read.tyre, at, y, "");
    curve.x = curve.y;
    curve.y = side.y;
    plot.curves.push_back(std::move(curve));
  }
  return plot;
}

Plot camber_curves(const verbs::TyreOutcome& outcome, const TyreState& base) {
  Plot plot{.title = "Camber", .x_label = "alpha [deg]", .y_label = "Fy [N]", .curves = {}};
  for (const double gamma : kCambers) {
    TyreState at = base;
    at.gamma = gamma * kDegree;
    plot.curves.push_back(swept_curve(outcome.read.tyre,
                                      at,
                                      {-12.0, 12.0, &TyreState::alpha, kDegree, &TyreForces::fy},
                                      fmt::format("gamma = {:.0f} deg", gamma)));
  }
  return plot;
}

Plot over_load(const verbs::TyreOutcome& outcome, const TyreState& base) {
  Plot plot{.title = "Over the load", .x_label = "load [N]", .y_label = "m", .curves = {}};
  const double high = 2.0 * outcome.nominal_load;
  const auto add = [&](double TyreForces::*output, const char* name) {
    plot.curves.push_back(swept_curve(
        outcome.read.tyre, base, {0.02 * high, high, &TyreState::load, 1.0, output}, name));
  };
  add(&TyreForces::effective_radius, "effective radius");
  add(&TyreForces::relaxation_x, "relaxation length, longitudinal");
  add(&TyreForces::relaxation_y, "relaxation length, lateral");
  return plot;
}

}  // namespace

void write_tyre_page(const verbs::TyreOutcome& outcome,
                     const verbs::TyreRequest& request,
                     const PageOptions& options,
                     const std::filesystem::path& path) {
  const std::vector<std::string>& missing = outcome.read.missing;
  HtmlReport page("Tyre " + request.file.filename().string(),
                  missing.empty(),
                  missing.empty() ? "the file has all coefficients of its law"
                                  : fmt::format("the file lacks {} coefficients, taken as 0: {}",
                                                missing.size(),
                                                fmt::join(missing, ", ")));
  page.paragraph(
      fmt::format("Law {}, nominal load {:.6g} N, speed {:.4g} m/s, {} side. Frame: x "
                  "forward, y to the left, z upwards; forces of the road on the wheel.",
                  tyres::law_name(outcome.read.tyre.law),
                  outcome.nominal_load,
                  request.speed,
                  request.is_right ? "right" : "left"));
  if (!outcome.read.unused.empty())
    page.paragraph(fmt::format("Not used: {}.", fmt::join(outcome.read.unused, ", ")));
  TyreState base;
  base.load = outcome.nominal_load;
  base.speed = request.speed;
  base.side = request.is_right ? tyres::Side::right : tyres::Side::left;
  const Sweep kappa{
      .low = -1.0, .high = 1.0, .input = &TyreState::kappa, .output = &TyreForces::fx};
  const Sweep fy{-15.0, 15.0, &TyreState::alpha, kDegree, &TyreForces::fy};
  Sweep mz = fy, mx = fy;
  mz.output = &TyreForces::mz;
  mx.output = &TyreForces::mx;
  page.heading("Pure slip");
  page.plot(over_loads(outcome, base, kappa, {"Longitudinal force", "kappa", "Fx [N]"}));
  page.plot(over_loads(outcome, base, fy, {"Lateral force", "alpha [deg]", "Fy [N]"}));
  page.plot(over_loads(outcome, base, mz, {"Aligning moment", "alpha [deg]", "Mz [N m]"}));
  page.plot(over_loads(outcome, base, mx, {"Overturning moment", "alpha [deg]", "Mx [N m]"}));
  page.heading("Combined slip and camber");
  page.plot(combined_slip(outcome, base));
  page.plot(camber_curves(outcome, base));
  page.heading("Radius and lag");
  page.plot(over_load(outcome, base));
  resources(page, options);
  reproduce(page, options);
  page.write(path);
}

}  // namespace femflex::report
