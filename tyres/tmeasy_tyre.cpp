// The tyre law TMeasy [Rill 2020]: docs/theory/tyres.md, eq. (17) to (29). Symbols: s slip divided
// by its scale s^ (19), phi its direction; dF0 slope, sM and FM slip and force at the peak, sS and
// FS at sliding; L contact length, n trail.
#include <algorithm>
#include <array>
#include <cmath>

#include "femflex/tyres/simple_tyres.h"

#include "contact.h"
#include "laws.h"

namespace femflex::tyres {
namespace {

/// Line through the values at the payload and at twice the payload; q = Fz / FzN, eq. (17).
double by_line(const std::array<double, 2>& at, double q) {
  return at[0] + (at[1] - at[0]) * (q - 1.0);
}
/// Parabola through the same values and the origin, eq. (17).
double by_parabola(const std::array<double, 2>& at, double q) {
  return q * (2.0 * at[0] - 0.5 * at[1] - (at[0] - 0.5 * at[1]) * q);
}

/// A characteristic at one load.
struct TmeasyPoints {
  double dF0, sM, FM, sS, FS;
};
TmeasyPoints points_of(const TmeasyCurve& curve, double q) {
  return {by_parabola(curve.slope, q),
          by_line(curve.slip_peak, q),
          by_parabola(curve.force_peak, q),
          by_line(curve.slip_sliding, q),
          by_parabola(curve.force_sliding, q)};
}

/// F(s) / s [N], eq. (21), finite at s = 0.
double force_over_slip(const TmeasyPoints& p, double s) {
  if (s <= p.sM) {
    const double sigma = s / p.sM;
    return p.dF0 / (1.0 + sigma * (sigma + p.dF0 * p.sM / p.FM - 2.0));
  }
  if (s >= p.sS) return p.FS / s;
  const double sigma = (s - p.sM) / (p.sS - p.sM);
  return (p.FM - (p.FM - p.FS) * sigma * sigma * (3.0 - 2.0 * sigma)) / s;
}

/// The characteristic in the direction of a generalised slip, eq. (20).
TmeasyPoints points_along(const TmeasyPoints& x,
                          const TmeasyPoints& y,
                          double scale_x,
                          double scale_y,
                          double cosine,
                          double sine) {
  const auto joined = [&](double a, double b) { return std::hypot(a * cosine, b * sine); };
  return {joined(x.dF0 * scale_x, y.dF0 * scale_y),
          joined(x.sM / scale_x, y.sM / scale_y),
          joined(x.FM, y.FM),
          joined(x.sS / scale_x, y.sS / scale_y),
          joined(x.FS, y.FS)};
}

/// n / L relative to (n/L)0, eq. (25).
double relative_trail(double sy, double zero, double end) {
  const double w = zero / end;
  const double size = std::abs(sy);
  if (size >= end) return 0.0;
  if (size > zero) {
    const double rest = (end - size) / (end - zero);
    return -(1.0 - w) * (size - zero) / zero * rest * rest;
  }
  const double s = size / zero;
  return (1.0 - w) * (1.0 - s) + w * (1.0 - (3.0 - 2.0 * s) * s * s);
}

/// M_x [N m], eq. (27). The pressure is linear over the width; at large camber only a part of the
/// width is in contact.
double tipping_moment(const TmeasyTyre& t, double gamma, double Fz) {
  const double lean = std::tan(std::abs(gamma));
  const double cz = t.vertical_stiffness;
  if (Fz >= 0.5 * cz * t.width * lean) return -sign(gamma) * cz * t.width * t.width * lean / 12.0;
  const double base = std::sqrt(2.0 * Fz * t.width / (cz * lean));
  return -sign(gamma) * Fz * (0.5 * t.width - base / 3.0);
}

}  // namespace

/// Effective rolling radius, between the unloaded and the static radius, eq. (29).
double law_radius(const TmeasyTyre& t, double Fz, double /*spin*/, double /*pressure*/) {
  const double weight = by_line(t.radius_weight, Fz / t.payload);
  return t.unloaded_radius - (1.0 - weight) * Fz / t.vertical_stiffness;
}

TyreForces law_forces(const TmeasyTyre& t, const Contact& at) {
  const double q = at.Fz / t.payload;
  const TmeasyPoints x = points_of(t.x, q);
  const TmeasyPoints y = points_of(t.y, q);
  // eq. (18): slip velocities divided by the velocity of the tread
  const double V = std::abs(at.Vx);
  const double rolling = at.Vx + at.kappa * V;  // rD Omega
  const double transport = std::abs(rolling) + t.artificial_speed;
  const double sx = at.kappa * V / transport;
  const double sy = -V * std::tan(at.alpha) / transport;
  // eq. (19)
  const double sum_sM = x.sM + y.sM;
  const double sum_FM_dF0 = x.FM / x.dF0 + y.FM / y.dF0;
  const double scale_x = x.sM / sum_sM + x.FM / x.dF0 / sum_FM_dF0;
  const double scale_y = y.sM / sum_sM + y.FM / y.dF0 / sum_FM_dF0;
  const double sxN = sx / scale_x;
  const double syN = sy / scale_y;
  const double s = std::hypot(sxN, syN);
  const double cosine = s > 0.0 ? sxN / s : 1.0;
  const double sine = s > 0.0 ? syN / s : 0.0;
  const TmeasyPoints p = points_along(x, y, scale_x, scale_y, cosine, sine);
  // eq. (22) to (24): camber rotates the contact patch about its normal
  const double length = 2.0 * std::sqrt(t.unloaded_radius * at.Fz / t.vertical_stiffness);
  const double radius = law_radius(t, at.Fz, 0.0, at.pressure);
  const double turn = rolling / radius * std::sin(at.gamma) / transport;  // [1/m]
  const double bore_radius = (length + t.width) / 6.0;
  const double bore_slip = -bore_radius * turn;
  const double per_slip = force_over_slip(p, std::hypot(s, bore_slip));
  const double camber_slip = -0.5 * length * turn;

  TyreForces f;
  f.fx = per_slip * sxN;
  const double by_slip = per_slip * syN;
  f.fy = by_slip + per_slip / scale_y * camber_slip / 3.0;
  const double trail =
      length * by_line(t.trail, q) *
      relative_trail(sy, by_line(t.slip_trail_zero, q), by_line(t.slip_trail_end, q));
  f.mz = -trail * by_slip * at.direction + bore_radius * per_slip * bore_slip;
  f.mx = tipping_moment(t, at.gamma, at.Fz);
  f.my = -by_line(t.rolling_resistance, q) * at.Fz * t.unloaded_radius * at.direction;
  f.effective_radius = radius;
  // eq. (28)
  f.relaxation_x =
      t.longitudinal_stiffness > 0.0 ? per_slip / scale_x / t.longitudinal_stiffness : 0.0;
  f.relaxation_y = t.lateral_stiffness > 0.0 ? per_slip / scale_y / t.lateral_stiffness : 0.0;
  return f;
}

RelaxationLengths law_relaxation(const TmeasyTyre& t, const Contact& at) {
  const TyreForces f = law_forces(t, at);  // eq. (28) needs the forces
  return {f.relaxation_x, f.relaxation_y};
}

}  // namespace femflex::tyres
