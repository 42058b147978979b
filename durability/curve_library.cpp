// Computes curves of codes and textbooks from a class or a tensile strength.
#include "femflex/durability/curve_library.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/number.h"

namespace femflex::durability {
namespace {

constexpr double kMPa = 1e6;

[[noreturn]] void refuse(std::string_view family, std::string_view text, const std::string& range) {
  throw UsageError("no-such-curve",
                   text.empty() ? fmt::format("the curve {} of the library lacks its class", family)
                                : fmt::format("the library has no curve {}:{}", family, text),
                   {},
                   fmt::format("write {}:{}", family, range));
}

/// The number behind the colon, between two limits.
double number_of_class(std::string_view family, std::string_view text, double low, double high) {
  const std::optional<double> value = parse_real(text);
  if (!value || !(*value >= low) || !(*value <= high))
    refuse(family, text, fmt::format("NUMBER with {} to {} MPa", low, high));
  return *value;
}

/// A class of nominal stress: its range at 2e6 cycles, moved along the curve to the knee.
WoehlerCurve weld_class(double range, double slope, double knee_cycles) {
  constexpr double kCyclesOfClass = 2e6;
  WoehlerCurve out;
  out.slope = slope;
  out.knee_cycles = knee_cycles;
  out.knee = 0.5 * kMPa * range * std::pow(kCyclesOfClass / knee_cycles, 1.0 / slope);
  return out;
}

/// [IIW 2016]: m = 3, in parent metal (FAT 160) 5; knee at 1e7 cycles; 2 m - 1 below it.
LibraryCurve iiw(std::string_view text) {
  constexpr double kParentMetal = 160.0;
  const double range = number_of_class("iiw", text, 10.0, kParentMetal);
  LibraryCurve out{weld_class(range, range == kParentMetal ? 5.0 : 3.0, 1e7),
                   "Hobbacher, IIW-2259-15 (2016), chapter 3; 97.7 % survival, nominal stress"};
  out.curve.name = fmt::format("IIW FAT {}", range);
  return out;
}

/// [EN 1993-1-9]: m = 3 to 5e6 cycles, then 5, without the cut-off at 1e8.
LibraryCurve eurocode3(std::string_view text) {
  const double range = number_of_class("eurocode3", text, 10.0, 160.0);
  LibraryCurve out{weld_class(range, 3.0, 5e6),
                   "EN 1993-1-9:2005, 7.1; 95 % survival, nominal stress"};
  out.curve.name = fmt::format("Eurocode 3 category {}", range);
  return out;
}

/// [DNV C203]: log10 N = log10 a - 3 log10 S (range in MPa) up to 1e7 cycles, then slope 5.
LibraryCurve dnv(std::string_view text) {
  struct Class {
    std::string_view name;
    double log_a;
  };
  constexpr std::array<Class, 12> kClasses = {{{"C", 12.592},
                                               {"C1", 12.449},
                                               {"C2", 12.301},
                                               {"D", 12.164},
                                               {"E", 12.010},
                                               {"F", 11.855},
                                               {"F1", 11.699},
                                               {"F3", 11.546},
                                               {"G", 11.398},
                                               {"W1", 11.261},
                                               {"W2", 11.107},
                                               {"W3", 10.970}}};
  const auto found = std::find_if(
      kClasses.begin(), kClasses.end(), [&](const Class& each) { return each.name == text; });
  if (found == kClasses.end()) refuse("dnv", text, "C, C1, C2, D, E, F, F1, F3, G, W1, W2 or W3");
  LibraryCurve out{{}, "DNV-RP-C203, table 2-1, in air; 97.7 % survival, plates up to 25 mm"};
  out.curve.name = fmt::format("DNV {}", text);
  out.curve.slope = 3.0;
  out.curve.knee_cycles = 1e7;
  out.curve.knee = 0.5 * kMPa * std::pow(10.0, (found->log_a - 7.0) / 3.0);
  return out;
}

/// A group of materials of [FKM 2012]: fatigue strength by tensile strength, and mean stress
/// sensitivity M = a R_m / 1000 + b with R_m in MPa.
struct FkmGroup {
  std::string_view family;
  const char* name;
  double share;
  double a, b;
};
constexpr std::array<FkmGroup, 6> kFkmGroups = {
    {{"fkm-steel", "steel", 0.45, 0.35, -0.1},
     {"fkm-cast-steel", "cast steel", 0.34, 0.35, 0.05},
     {"fkm-nodular-iron", "GJS", 0.34, 0.35, 0.08},
     {"fkm-grey-iron", "GJL", 0.30, 0.0, 0.5},
     {"fkm-aluminium", "aluminium", 0.30, 1.0, -0.04},
     {"fkm-cast-aluminium", "cast aluminium", 0.30, 1.0, 0.2}}};

LibraryCurve fkm(const FkmGroup& group, std::string_view text) {
  const double strength = number_of_class(group.family, text, 100.0, 2000.0);
  LibraryCurve out{{},
                   "FKM guideline, 6th edition (2012), chapter 2; tension and compression, "
                   "polished and unnotched, 97.5 % survival"};
  out.curve.name = fmt::format("FKM {}, R_m {} MPa", group.name, strength);
  out.curve.slope = 5.0;
  out.curve.knee_cycles = 1e6;
  out.curve.knee = group.share * strength * kMPa;
  out.curve.mean = MeanStress::fkm;
  out.curve.sensitivity = std::max(0.0, group.a * strength / 1000.0 + group.b);
  return out;
}

/// [Budynas 2015]: half of the tensile strength at 1e6 cycles (700 MPa at most), nine tenths of it
/// at 1e3.
LibraryCurve textbook_steel(std::string_view text) {
  constexpr double kMostEndurance = 700.0;
  constexpr double kDecades = 3.0;  // from 1e3 to 1e6 cycles
  const double strength = number_of_class("textbook-steel", text, 300.0, 2000.0);
  const double endurance = std::min(0.5 * strength, kMostEndurance);
  LibraryCurve out{{},
                   "Budynas, Nisbett, Shigley's Mechanical Engineering Design, 10th edition, 6-7 "
                   "and 6-8, f = 0.9; rotating bending of a polished specimen, 50 % survival"};
  out.curve.name = fmt::format("textbook steel, R_m {} MPa", strength);
  out.curve.slope = kDecades / std::log10(0.9 * strength / endurance);
  out.curve.knee_cycles = 1e6;
  out.curve.knee = endurance * kMPa;
  out.curve.below = BelowKnee::original;
  out.curve.mean = MeanStress::goodman;
  out.curve.strength = strength * kMPa;
  return out;
}

}  // namespace

std::optional<LibraryCurve> library_curve(std::string_view name) {
  const std::size_t colon = std::min(name.find(':'), name.size());
  const std::string_view family = name.substr(0, colon);
  const std::string_view text = name.substr(std::min(colon + 1, name.size()));
  if (family == "iiw") return iiw(text);
  if (family == "eurocode3") return eurocode3(text);
  if (family == "dnv") return dnv(text);
  if (family == "textbook-steel") return textbook_steel(text);
  for (const FkmGroup& group : kFkmGroups)
    if (group.family == family) return fkm(group, text);
  return std::nullopt;
}

}  // namespace femflex::durability
