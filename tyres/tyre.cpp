// Evaluates a tyre: clamps inputs to its ranges, calls the law, and mirrors inputs and forces if
// the tyre is not mounted on the measured side. docs/theory/tyres.md, eq. (7) to (9).
#include "femflex/tyres/tyre.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <string_view>
#include <variant>

#include "contact.h"
#include "laws.h"

namespace femflex::tyres {
namespace {

double clamped(double value, const Range& range, std::uint8_t bit, std::uint8_t& outside) {
  const double inside = std::min(std::max(value, range.low), range.high);
  if (inside != value) outside = static_cast<std::uint8_t>(outside | bit);
  return inside;
}

/// Up to 90 degrees, at which the wheel slides sideways.
constexpr Range kEverySlipAngle = {-0.5 * std::numbers::pi, 0.5 * std::numbers::pi};

Contact contact_of(const Tyre& tyre, const TyreState& state, std::uint8_t& outside) {
  const TyreRanges& ranges = tyre.ranges;
  Contact at;
  at.kappa = clamped(state.kappa, ranges.kappa, kKappaOutside, outside);
  at.alpha = clamped(state.alpha, kEverySlipAngle, kAlphaOutside, outside);
  at.alpha = clamped(at.alpha, ranges.alpha, kAlphaOutside, outside);
  at.gamma = clamped(state.gamma, ranges.gamma, kGammaOutside, outside);
  at.Fz = clamped(state.load, ranges.load, kLoadOutside, outside);
  at.pressure = state.pressure;
  if (!std::isnan(state.pressure))
    at.pressure = clamped(state.pressure, ranges.pressure, kPressureOutside, outside);
  at.Vx = state.speed;
  at.direction = direction_of_travel(state.speed, tyre.low_speed);
  at.combined = tyre.is_combined;
  return at;
}

void scale(TyreForces& f, double factor) {
  f.fx *= factor;
  f.fy *= factor;
  f.mx *= factor;
  f.my *= factor;
  f.mz *= factor;
}

template <typename Law>
Law without_sides(Law t) {
  t.rhx1 = 0.0;
  t.qsx1 = 0.0;
  t.pey3 = 0.0;
  t.phy1 = t.phy2 = 0.0;
  t.pvy1 = t.pvy2 = 0.0;
  t.rby3 = 0.0;
  t.rvy1 = t.rvy2 = 0.0;
  t.qbz4 = 0.0;
  t.qdz6 = t.qdz7 = 0.0;
  t.qez4 = 0.0;
  t.qhz1 = t.qhz2 = 0.0;
  t.ssz1 = 0.0;
  return t;
}

}  // namespace

std::string_view law_name(const TyreLaw& law) {
  constexpr std::array<std::string_view, std::variant_size_v<TyreLaw>> kNames = {
      "linear", "fiala", "tmeasy", "pac2002", "mf61"};
  return kNames[law.index()];
}

Pac2002Tyre symmetric_part(Pac2002Tyre tyre) {
  tyre.qdz3 = 0.0;  // here QDZ3 multiplies the camber; in the Magic Formula 6.1 it multiplies its
                    // absolute value
  return without_sides(tyre);
}
Mf61Tyre symmetric_part(Mf61Tyre tyre) {
  return without_sides(tyre);
}

TyreForces mirrored(const TyreForces& forces) {
  TyreForces f = forces;
  f.fy = -f.fy;
  f.mx = -f.mx;
  f.mz = -f.mz;
  return f;
}

double effective_radius(const Tyre& tyre, double load, double spin, double pressure) {
  std::uint8_t outside = 0;
  const double Fz = std::min(std::max(load, 0.0), tyre.ranges.load.high);
  const double p = std::isnan(pressure)
                       ? pressure
                       : clamped(pressure, tyre.ranges.pressure, kPressureOutside, outside);
  return std::visit([&](const auto& law) { return law_radius(law, Fz, spin, p); }, tyre.law);
}

TyreForces forces(const Tyre& tyre, const TyreState& state) {
  if (!(state.load > 0.0)) {
    TyreForces none;
    none.effective_radius = effective_radius(tyre, 0.0, 0.0, state.pressure);
    return none;
  }
  std::uint8_t outside = 0;
  Contact at = contact_of(tyre, state, outside);
  const bool is_mirrored = state.side != tyre.side;
  if (is_mirrored) {
    at.alpha = -at.alpha;
    at.gamma = -at.gamma;
  }
  TyreForces f = std::visit([&](const auto& law) { return law_forces(law, at); }, tyre.law);
  if (is_mirrored) f = mirrored(f);
  if (state.load < at.Fz) scale(f, state.load / at.Fz);
  if (!tyre.has_longitudinal) f.fx = f.my = 0.0;
  if (!tyre.has_lateral) f.fy = f.mx = f.mz = 0.0;
  f.outside = outside;
  return f;
}

RelaxationLengths relaxation_lengths(const Tyre& tyre, const TyreState& state) {
  if (!(state.load > 0.0)) return {};
  TyreState still = state;
  still.kappa = still.alpha = 0.0;
  std::uint8_t outside = 0;
  Contact at = contact_of(tyre, still, outside);
  if (state.side != tyre.side) {
    at.alpha = -at.alpha;
    at.gamma = -at.gamma;
  }
  return std::visit([&](const auto& law) { return law_relaxation(law, at); }, tyre.law);
}

double nominal_load(const Tyre& tyre) {
  const double own = std::visit(
      [](const auto& law) {
        if constexpr (requires { law.fnomin; })
          return law.fnomin;
        else if constexpr (requires { law.payload; })
          return law.payload;
        else
          return 0.0;
      },
      tyre.law);
  if (own > 0.0) return own;
  constexpr double kFallback = 5000.0;  // [N] load on the wheel of a car
  return std::isfinite(tyre.ranges.load.high) ? 0.5 * tyre.ranges.load.high : kFallback;
}

}  // namespace femflex::tyres
