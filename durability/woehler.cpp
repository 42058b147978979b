// Woehler curves with their continuation below the knee; mean stress rules; damage sum.
#include "femflex/durability/woehler.h"

#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/name_table.h"
#include "femflex/normal_quantile.h"

namespace femflex::durability {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

constexpr auto kBelowKnee = name_table<BelowKnee>({{BelowKnee::original, "original"},
                                                   {BelowKnee::elementary, "elementary"},
                                                   {BelowKnee::haibach, "haibach"}});
constexpr auto kMeanStress = name_table<MeanStress>({{MeanStress::none, "none"},
                                                     {MeanStress::goodman, "goodman"},
                                                     {MeanStress::gerber, "gerber"},
                                                     {MeanStress::fkm, "fkm"}});

double fkm_amplitude(double amplitude, double mean, double M) {
  if (mean < -amplitude) return amplitude * (1.0 - M);
  if (mean <= amplitude) return amplitude + M * mean;
  const double third = M / 3.0;
  const double limited = std::min(mean, 3.0 * amplitude);  // the limit is R = 0.5
  return (1.0 + M) * (amplitude + third * limited) / (1.0 + third);
}

}  // namespace

BelowKnee parse_below_knee(std::string_view name) {
  return kBelowKnee.parse(name, "usage", "a continuation below the knee");
}

std::vector<std::string> below_knee_names() {
  return kBelowKnee.names();
}

MeanStress parse_mean_stress(std::string_view name) {
  return kMeanStress.parse(name, "usage", "a rule for the mean stress");
}

std::vector<std::string> mean_stress_names() {
  return kMeanStress.names();
}

void check_curve(const WoehlerCurve& curve) {
  const auto refuse = [&](const std::string& what) {
    throw ModelError("bad-curve",
                     fmt::format("curve '{}': {}", curve.name, what),
                     {},
                     "see docs/formats/woehler.md");
  };
  const auto is_positive = [](double value) { return std::isfinite(value) && value > 0.0; };
  if (!is_positive(curve.slope)) refuse(fmt::format("slope {} is not above 0", curve.slope));
  if (curve.below == BelowKnee::haibach && curve.slope < 1.0)
    refuse(fmt::format("slope {}: haibach's slope 2 k - 1 below the knee needs one of at least 1",
                       curve.slope));
  if (!is_positive(curve.knee)) refuse(fmt::format("knee {} Pa is not above 0", curve.knee));
  if (!is_positive(curve.knee_cycles))
    refuse(fmt::format("{} cycles at the knee are not above 0", curve.knee_cycles));
  const bool needs_strength = curve.mean == MeanStress::goodman || curve.mean == MeanStress::gerber;
  if (needs_strength && !is_positive(curve.strength))
    refuse("goodman and gerber need a tensile strength above 0");
  if (curve.mean == MeanStress::fkm && !(curve.sensitivity >= 0.0 && curve.sensitivity < 1.0))
    refuse(fmt::format("mean stress sensitivity {} is not from 0 to below 1", curve.sensitivity));
}

double equivalent_amplitude(double amplitude, double mean, const WoehlerCurve& curve) {
  if (curve.mean == MeanStress::fkm) return fkm_amplitude(amplitude, mean, curve.sensitivity);
  if (curve.mean == MeanStress::none || mean <= 0.0) return amplitude;
  const double share = mean / curve.strength;
  const double rest = 1.0 - (curve.mean == MeanStress::goodman ? share : share * share);
  if (rest > 0.0) return amplitude / rest;
  return amplitude > 0.0 ? kInfinite : 0.0;
}

double cycles_to_failure(double amplitude, const WoehlerCurve& curve) {
  if (amplitude <= 0.0) return kInfinite;
  double slope = curve.slope;
  if (amplitude < curve.knee) {
    if (curve.below == BelowKnee::original) return kInfinite;
    if (curve.below == BelowKnee::haibach) slope = 2.0 * slope - 1.0;
  }
  return curve.knee_cycles * std::pow(amplitude / curve.knee, -slope);
}

double survival_factor(double of_curve, double wanted, double scatter) {
  for (const double share : {of_curve, wanted})
    if (!(share > 0.0 && share < 1.0))
      throw ModelError("bad-curve",
                       fmt::format("a survival of {}: expected between 0 and 1", share),
                       {},
                       "write 0.975 for 97.5 %");
  if (!(scatter >= 1.0) || !std::isfinite(scatter))
    throw ModelError("bad-curve",
                     fmt::format("a scatter of {}: expected 1 or more", scatter),
                     {},
                     "it is the strength with 10 % survival divided by that with 90 %");
  const double decades = std::log10(scatter) / (2.0 * normal_quantile(0.9));  // standard deviation
  return std::pow(10.0, decades * (normal_quantile(of_curve) - normal_quantile(wanted)));
}

double damage_of(std::span<const Cycle> cycles, const WoehlerCurve& curve) {
  double damage = 0.0;
  for (const Cycle& cycle : cycles)
    damage += cycle.count /
              cycles_to_failure(equivalent_amplitude(0.5 * cycle.range, cycle.mean, curve), curve);
  return damage;
}

}  // namespace femflex::durability
