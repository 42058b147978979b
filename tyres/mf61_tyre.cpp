// The tyre law Magic Formula 6.1, docs/theory/tyres.md eq. (30) to (56). Symbols of [Pacejka 2012]
// section 4.3.2 at zero turn slip (all zeta = 1): B stiffness, C shape, D peak, E curvature, K slip
// stiffness, SH and SV shifts; dfz and dpi relative changes of load and pressure.
#include "femflex/tyres/mf61_tyre.h"

#include <cmath>
#include <numbers>

#include "contact.h"
#include "laws.h"

namespace femflex::tyres {
namespace {

/// A_mu of (4.E8): the rate at which offsets vanish with the friction.
constexpr double kOffsetDecay = 10.0;

/// Inputs used in several equations, eq. (30) to (33).
struct Mf61Inputs {
  double kappa, alpha, gamma;  ///< alpha* = tan alpha, gamma* = sin gamma
  double Fz, dfz, dpi;
  double Fz0;                     ///< scaled nominal load [N]
  double mux, muy;                ///< lambda*_mu
  double mux_offset, muy_offset;  ///< lambda'_mu
  double cos_alpha;               ///< cos'alpha, including the direction of travel
  double direction;
};

double pressure_change(const Mf61Tyre& t, double pressure) {
  if (t.nompres <= 0.0) return 0.0;
  const double own = t.inflpres > 0.0 ? t.inflpres : t.nompres;
  return ((std::isnan(pressure) ? own : pressure) - t.nompres) / t.nompres;
}

double offset_scale(double mu) {
  return kOffsetDecay * mu / (1.0 + (kOffsetDecay - 1.0) * mu);
}

Mf61Inputs inputs_of(const Mf61Tyre& t, const Contact& at) {
  Mf61Inputs in{};
  in.kappa = at.kappa;
  in.alpha = std::tan(at.alpha);
  in.gamma = std::sin(at.gamma);
  in.Fz = at.Fz;
  in.Fz0 = t.lfzo * t.fnomin;
  in.dfz = (at.Fz - in.Fz0) / in.Fz0;
  in.dpi = pressure_change(t, at.pressure);
  const double Vs = std::abs(at.Vx) * std::sqrt(in.kappa * in.kappa + in.alpha * in.alpha);
  const double slower = 1.0 + t.lmuv * Vs / t.longvl;
  in.mux = t.lmux / slower;
  in.muy = t.lmuy / slower;
  in.mux_offset = offset_scale(in.mux);
  in.muy_offset = offset_scale(in.muy);
  in.direction = at.direction;
  in.cos_alpha = std::cos(at.alpha);
  return in;
}

/// Slip stiffness K_xkappa [N], eq. (37).
double longitudinal_stiffness(const Mf61Tyre& t, double Fz, double dfz, double dpi) {
  return Fz * (t.pkx1 + t.pkx2 * dfz) * std::exp(t.pkx3 * dfz) *
         (1.0 + t.ppx1 * dpi + t.ppx2 * dpi * dpi) * t.lkx;
}

/// Cornering stiffness K_yalpha [N/rad], < 0 in this frame, eq. (41).
double cornering_stiffness(const Mf61Tyre& t, const Mf61Inputs& in, double gamma) {
  const double at_peak = (t.pky2 + t.pky5 * gamma * gamma) * (1.0 + t.ppy2 * in.dpi);
  return t.pky1 * in.Fz0 * (1.0 + t.ppy1 * in.dpi) * (1.0 - t.pky3 * std::abs(gamma)) *
         std::sin(t.pky4 * std::atan(in.Fz / in.Fz0 / at_peak)) * t.lky;
}

/// F_x0, eq. (34) to (38).
double pure_longitudinal(const Mf61Tyre& t, const Mf61Inputs& in, double gamma, double Kx) {
  const double dpi = in.dpi;
  const double dfz = in.dfz;
  const double kappa_x = in.kappa + (t.phx1 + t.phx2 * dfz) * t.lhx;
  const double C = t.pcx1 * t.lcx;
  const double mu = (t.pdx1 + t.pdx2 * dfz) * (1.0 + t.ppx3 * dpi + t.ppx4 * dpi * dpi) *
                    (1.0 - t.pdx3 * gamma * gamma) * in.mux;
  const double D = mu * in.Fz;
  const double E = curvature((t.pex1 + t.pex2 * dfz + t.pex3 * dfz * dfz) *
                             (1.0 - t.pex4 * sign(kappa_x)) * t.lex);
  const double B = Kx / away_from_zero(C * D);
  const double SV =
      in.Fz * (t.pvx1 + t.pvx2 * dfz) * std::abs(in.direction) * t.lvx * in.mux_offset;
  return D * magic_sine(B * kappa_x, C, E) + SV;
}

struct PureLateral {
  double Fy0, mu, B, C, SH, SV, K;
};

/// F_y0 and its factors, eq. (39) to (45), at camber `gamma`. The aligning moment also needs them
/// at zero camber.
PureLateral pure_lateral(const Mf61Tyre& t, const Mf61Inputs& in, double gamma) {
  const double dfz = in.dfz;
  const double dpi = in.dpi;
  PureLateral y{};
  y.K = cornering_stiffness(t, in, gamma);
  const double Kgamma = in.Fz * (t.pky6 + t.pky7 * dfz) * (1.0 + t.ppy5 * dpi) * t.lkyc;
  const double SVgamma = in.Fz * (t.pvy3 + t.pvy4 * dfz) * gamma * t.lkyc * in.muy_offset;
  y.SH = (t.phy1 + t.phy2 * dfz) * t.lhy + (Kgamma * gamma - SVgamma) / away_from_zero(y.K);
  y.SV = in.Fz * (t.pvy1 + t.pvy2 * dfz) * t.lvy * in.muy_offset + SVgamma;
  const double alpha_y = in.alpha + y.SH;
  y.C = t.pcy1 * t.lcy;
  y.mu = (t.pdy1 + t.pdy2 * dfz) * (1.0 + t.ppy3 * dpi + t.ppy4 * dpi * dpi) *
         (1.0 - t.pdy3 * gamma * gamma) * in.muy;
  const double D = y.mu * in.Fz;
  const double E =
      curvature((t.pey1 + t.pey2 * dfz) *
                (1.0 + t.pey5 * gamma * gamma - (t.pey3 + t.pey4 * gamma) * sign(alpha_y)) * t.ley);
  y.B = y.K / away_from_zero(y.C * D);
  y.Fy0 = D * magic_sine(y.B * alpha_y, y.C, E) + y.SV;
  return y;
}

/// G_xalpha, eq. (46).
double longitudinal_weight(const Mf61Tyre& t, const Mf61Inputs& in) {
  const double B = (t.rbx1 + t.rbx3 * in.gamma * in.gamma) * cos_atan(t.rbx2 * in.kappa) * t.lxal;
  const double E = curvature(t.rex1 + t.rex2 * in.dfz);
  const double SH = t.rhx1;
  return magic_cosine(B * (in.alpha + SH), t.rcx1, E) / magic_cosine(B * SH, t.rcx1, E);
}

/// G_ykappa, eq. (47).
double lateral_weight(const Mf61Tyre& t, const Mf61Inputs& in, double gamma) {
  const double B =
      (t.rby1 + t.rby4 * gamma * gamma) * cos_atan(t.rby2 * (in.alpha - t.rby3)) * t.lyka;
  const double E = curvature(t.rey1 + t.rey2 * in.dfz);
  const double SH = t.rhy1 + t.rhy2 * in.dfz;
  return magic_cosine(B * (in.kappa + SH), t.rcy1, E) / magic_cosine(B * SH, t.rcy1, E);
}

/// S_Vykappa [N], eq. (48): side force due to ply steer under drive.
double drive_side_force(const Mf61Tyre& t, const Mf61Inputs& in, double mu) {
  const double D =
      mu * in.Fz * (t.rvy1 + t.rvy2 * in.dfz + t.rvy3 * in.gamma) * cos_atan(t.rvy4 * in.alpha);
  return D * std::sin(t.rvy5 * std::atan(t.rvy6 * in.kappa)) * t.lvyka;
}

/// Pneumatic trail t [m] at an equivalent slip, eq. (50).
double pneumatic_trail(const Mf61Tyre& t, const Mf61Inputs& in, double alpha_t, double alpha_eq) {
  const double dfz = in.dfz;
  const double gamma = in.gamma;
  const double B = (t.qbz1 + t.qbz2 * dfz + t.qbz3 * dfz * dfz) *
                   (1.0 + t.qbz4 * gamma + t.qbz5 * std::abs(gamma)) * t.lky / in.muy;
  const double D = in.Fz * (t.unloaded_radius / in.Fz0) * (t.qdz1 + t.qdz2 * dfz) *
                   (1.0 - t.ppz1 * in.dpi) * t.ltr * in.direction *
                   (1.0 + t.qdz3 * std::abs(gamma) + t.qdz4 * gamma * gamma);
  const double E = curvature((t.qez1 + t.qez2 * dfz + t.qez3 * dfz * dfz) *
                             (1.0 + (t.qez4 + t.qez5 * gamma) * (2.0 / std::numbers::pi) *
                                        std::atan(B * t.qcz1 * alpha_t)));
  return D * magic_cosine(B * alpha_eq, t.qcz1, E) * in.cos_alpha;
}

/// Residual moment M_zr [N m], eq. (51).
double residual_moment(const Mf61Tyre& t,
                       const Mf61Inputs& in,
                       const PureLateral& y,
                       double alpha_eq) {
  const double B = t.qbz9 * t.lky / in.muy + t.qbz10 * y.B * y.C;
  const double gamma = in.gamma;
  const double D =
      in.Fz * t.unloaded_radius *
      ((t.qdz6 + t.qdz7 * in.dfz) * t.lres + ((t.qdz8 + t.qdz9 * in.dfz) * (1.0 + t.ppz2 * in.dpi) +
                                              (t.qdz10 + t.qdz11 * in.dfz) * std::abs(gamma)) *
                                                 gamma * t.lkzc) *
      in.muy * in.direction * in.cos_alpha;
  return D * cos_atan(B * alpha_eq);
}

/// Slip angle with the same sliding as alpha and kappa combined, eq. (49).
double equivalent_slip(double alpha, double kappa, double stiffness_ratio) {
  const double x = stiffness_ratio * kappa;
  return std::sqrt(alpha * alpha + x * x) * (alpha < 0.0 ? -1.0 : 1.0);
}

/// M_z [N m], eq. (49) to (52).
double aligning_moment(const Mf61Tyre& t,
                       const Mf61Inputs& in,
                       const PureLateral& y,
                       double Kx,
                       const TyreForces& f,
                       bool combined) {
  const double dfz = in.dfz;
  const double K = away_from_zero(y.K);
  const double alpha_t = in.alpha + t.qhz1 + t.qhz2 * dfz + (t.qhz3 + t.qhz4 * dfz) * in.gamma;
  const double alpha_r = in.alpha + y.SH + y.SV / K;
  const double Fy_upright = in.gamma == 0.0 ? y.Fy0 : pure_lateral(t, in, 0.0).Fy0;
  if (!combined)
    return -pneumatic_trail(t, in, alpha_t, alpha_t) * Fy_upright +
           residual_moment(t, in, y, alpha_r);
  const double ratio = Kx / K;
  const double trail = pneumatic_trail(t, in, alpha_t, equivalent_slip(alpha_t, in.kappa, ratio));
  const double residual = residual_moment(t, in, y, equivalent_slip(alpha_r, in.kappa, ratio));
  const double s = t.unloaded_radius *
                   (t.ssz1 + t.ssz2 * f.fy / t.fnomin + (t.ssz3 + t.ssz4 * dfz) * in.gamma) * t.ls;
  return -trail * lateral_weight(t, in, 0.0) * Fy_upright + residual + s * f.fx;
}

/// M_x [N m], eq. (53). `gamma` is the camber angle, not its sine.
double overturning_moment(const Mf61Tyre& t, const Mf61Inputs& in, double gamma, double Fy) {
  const double load = in.Fz / t.fnomin;
  const double side = Fy / t.fnomin;
  const double squared = t.qsx6 * load * t.qsx6 * load;
  const double by_load = t.qsx1 * t.lvmx - t.qsx2 * gamma * (1.0 + t.ppmx1 * in.dpi) +
                         t.qsx3 * side +
                         t.qsx4 * std::cos(t.qsx5 * std::atan(squared)) *
                             std::sin(t.qsx7 * gamma + t.qsx8 * std::atan(t.qsx9 * side)) +
                         t.qsx10 * std::atan(t.qsx11 * load) * gamma;
  const double by_side =
      Fy * (t.qsx13 + t.qsx14 * std::abs(gamma)) - in.Fz * t.qsx12 * gamma * std::abs(gamma);
  return t.unloaded_radius * t.lmx * (in.Fz * by_load + by_side);
}

/// M_y [N m], eq. (54).
double rolling_moment(const Mf61Tyre& t, const Mf61Inputs& in, const Contact& at, double Fx) {
  const double load = in.Fz / t.fnomin;
  const double speed = std::abs(at.Vx / t.longvl);
  const double sum = t.qsy1 + t.qsy2 * Fx / t.fnomin + t.qsy3 * speed +
                     t.qsy4 * speed * speed * speed * speed +
                     (t.qsy5 + t.qsy6 * load) * at.gamma * at.gamma;
  return -t.unloaded_radius * t.fnomin * sum * std::pow(load, t.qsy7) *
         (t.qsy8 == 0.0 ? 1.0 : std::pow(1.0 + in.dpi, t.qsy8)) * t.lmy * in.direction;
}

/// eq. (56): the carcass bears the force of the contact patch, so sigma = K / c.
RelaxationLengths mf61_relaxation(const Mf61Tyre& t, double dfz, double dpi, double Kx, double Ky) {
  const double cx = t.longitudinal_stiffness * (1.0 + t.pcfx1 * dfz + t.pcfx2 * dfz * dfz) *
                    (1.0 + t.pcfx3 * dpi);
  const double cy =
      t.lateral_stiffness * (1.0 + t.pcfy1 * dfz + t.pcfy2 * dfz * dfz) * (1.0 + t.pcfy3 * dpi);
  return {cx > 0.0 ? std::abs(Kx) / cx : 0.0, cy > 0.0 ? std::abs(Ky) / cy : 0.0};
}

}  // namespace

RelaxationLengths law_relaxation(const Mf61Tyre& t, const Contact& at) {
  const Mf61Inputs in = inputs_of(t, at);
  return mf61_relaxation(t,
                         in.dfz,
                         in.dpi,
                         longitudinal_stiffness(t, in.Fz, in.dfz, in.dpi),
                         cornering_stiffness(t, in, in.gamma));
}

double law_radius(const Mf61Tyre& t, double Fz, double spin, double pressure) {
  const double v = t.unloaded_radius * spin / t.longvl;
  const double free = t.unloaded_radius * (t.qre0 + t.qv1 * v * v);
  const double Cz = t.vertical_stiffness * t.lcz * (1.0 + t.pfz1 * pressure_change(t, pressure));
  if (Cz <= 0.0) return free;
  const double load = Fz / t.fnomin;
  return free - t.fnomin / Cz * (t.dreff * std::atan(t.breff * load) + t.freff * load);
}

TyreForces law_forces(const Mf61Tyre& t, const Contact& at) {
  const Mf61Inputs in = inputs_of(t, at);
  const double Kx = longitudinal_stiffness(t, in.Fz, in.dfz, in.dpi);
  const PureLateral y = pure_lateral(t, in, in.gamma);
  TyreForces f;
  f.fx = pure_longitudinal(t, in, in.gamma, Kx);
  f.fy = y.Fy0;
  if (at.combined) {
    f.fx *= longitudinal_weight(t, in);
    f.fy = lateral_weight(t, in, in.gamma) * y.Fy0 + drive_side_force(t, in, y.mu);
  }
  f.mz = aligning_moment(t, in, y, Kx, f, at.combined);
  f.mx = overturning_moment(t, in, at.gamma, f.fy);
  f.my = rolling_moment(t, in, at, f.fx);
  f.effective_radius = law_radius(t, in.Fz, at.Vx / t.unloaded_radius, at.pressure);
  const RelaxationLengths sigma = mf61_relaxation(t, in.dfz, in.dpi, Kx, y.K);
  f.relaxation_x = sigma.x;
  f.relaxation_y = sigma.y;
  return f;
}

}  // namespace femflex::tyres
