// Woehler (S-N) curves, mean stress rules, and the linear damage sum of Palmgren and Miner.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "femflex/durability/rainflow.h"

namespace femflex::durability {

/// Continuation of a curve to amplitudes below its knee.
enum class BelowKnee : std::uint8_t {
  original,    ///< no damage
  elementary,  ///< the same slope k as above the knee
  haibach,     ///< slope 2 k - 1
};
/// Reads "original", "elementary" or "haibach".
/// @throws UsageError  the name is none of these
BelowKnee parse_below_knee(std::string_view name);
std::vector<std::string> below_knee_names();

/// Rules that convert a cycle with amplitude S_a and mean S_m to an equivalent amplitude at mean 0.
/// R_m is the tensile strength, M the mean stress sensitivity.
enum class MeanStress : std::uint8_t {
  none,
  goodman,  ///< S_a / (1 - S_m / R_m); a negative mean has no effect
  gerber,   ///< S_a / (1 - (S_m / R_m)^2); a negative mean has no effect
  /// FKM guideline, by the stress ratio R (minimum / maximum):
  ///    S_a (1 - M)                                  for R > 1
  ///    S_a + M S_m                                  for R <= 0
  ///    (1 + M) (S_a + M S_m / 3) / (1 + M / 3)      for 0 < R < 0.5
  ///    3 S_a (1 + M)^2 / (3 + M)                    for R >= 0.5
  fkm,
};
/// Reads "none", "goodman", "gerber" or "fkm".
/// @throws UsageError  the name is none of these
MeanStress parse_mean_stress(std::string_view name);
std::vector<std::string> mean_stress_names();

/// A curve N = knee_cycles (S / knee)^-slope for stress amplitudes S at mean 0.
struct WoehlerCurve {
  std::string name;
  double slope = 0.0;        ///< k
  double knee = 0.0;         ///< stress amplitude at the knee [Pa]
  double knee_cycles = 0.0;  ///< number of cycles N at the knee
  BelowKnee below = BelowKnee::haibach;
  MeanStress mean = MeanStress::none;
  double strength = 0.0;     ///< R_m of the rules goodman and gerber [Pa]
  double sensitivity = 0.0;  ///< M of the rule fkm
};

/// @throws ModelError  slope, knee or knee_cycles is not positive, or the mean stress rule lacks a
/// parameter
void check_curve(const WoehlerCurve& curve);

/// Amplitude at mean 0 that does the same damage; infinite if the maximum stress reaches R_m in the
/// rules goodman and gerber.
double equivalent_amplitude(double amplitude, double mean, const WoehlerCurve& curve);

/// Number of cycles to failure at an amplitude with mean 0; infinite if there is no damage.
double cycles_to_failure(double amplitude, const WoehlerCurve& curve);

/// Strengths of parts scatter log-normally. The strength that a share `wanted` of all parts
/// survives divided by the one that a share `of_curve` survives.
/// @param scatter  strength with 10 % survival divided by that with 90 %
/// @throws ModelError  a share is not between 0 and 1, or the scatter is below 1
double survival_factor(double of_curve, double wanted, double scatter);

/// Sum of count / N over all cycles. Failure is expected at 1.
double damage_of(std::span<const Cycle> cycles, const WoehlerCurve& curve);

}  // namespace femflex::durability
