// The tyre law Magic Formula 5.2 in the form of PAC2002, docs/theory/tyres.md eq. (60) to (80), at
// zero turn slip. Symbols of [Adams PAC2002]: B stiffness, C shape, D peak, E curvature, K slip
// stiffness, SH and SV shifts; dfz relative change of load. The law uses the slip angle instead of
// its tangent.
#include "femflex/tyres/pac2002_tyre.h"

#include <cmath>
#include <numbers>

#include "contact.h"
#include "laws.h"

namespace femflex::tyres {
namespace {

/// The lateral force and its factors, eq. (65) to (69).
struct Pac2002Lateral {
  double Fy0, mu, B, C, SH, SV, K;
};

struct Pac2002Inputs {
  double Fz, Fz0, dfz;  ///< Fz0 is scaled
};

/// Slip stiffness K_x [N], eq. (63).
double pac2002_slip_stiffness(const Pac2002Tyre& t, const Pac2002Inputs& in) {
  return in.Fz * (t.pkx1 + t.pkx2 * in.dfz) * std::exp(t.pkx3 * in.dfz) * t.lkx;
}

/// S_Hx, eq. (64); the next function computes S_Vx [N].
double pac2002_shift_x(const Pac2002Tyre& t, const Pac2002Inputs& in) {
  return (t.phx1 + t.phx2 * in.dfz) * t.lhx;
}
double pac2002_offset_x(const Pac2002Tyre& t, const Pac2002Inputs& in, const Contact& at) {
  return in.Fz * (t.pvx1 + t.pvx2 * in.dfz) * t.lvx * t.lmux * std::abs(at.direction);
}

/// F_x0, eq. (61) to (64).
double pac2002_longitudinal(const Pac2002Tyre& t,
                            const Pac2002Inputs& in,
                            const Contact& at,
                            double Kx) {
  const double dfz = in.dfz;
  const double gamma_x = at.gamma * t.lgax;
  const double kappa_x = at.kappa + pac2002_shift_x(t, in);
  const double C = t.pcx1 * t.lcx;
  const double D = (t.pdx1 + t.pdx2 * dfz) * (1.0 - t.pdx3 * gamma_x * gamma_x) * t.lmux * in.Fz;
  const double E = curvature((t.pex1 + t.pex2 * dfz + t.pex3 * dfz * dfz) *
                             (1.0 - t.pex4 * sign(kappa_x)) * t.lex);
  const double B = Kx / away_from_zero(C * D);
  return D * magic_sine(B * kappa_x, C, E) + pac2002_offset_x(t, in, at);
}

Pac2002Lateral pac2002_lateral(const Pac2002Tyre& t, const Pac2002Inputs& in, const Contact& at) {
  const double dfz = in.dfz;
  const double gamma = at.gamma * t.lgay;
  Pac2002Lateral y{};
  y.K = t.pky1 * t.fnomin * std::sin(2.0 * std::atan(in.Fz / (t.pky2 * in.Fz0))) * t.lfzo * t.lky *
        (1.0 - t.pky3 * std::abs(gamma));
  y.SH = (t.phy1 + t.phy2 * dfz) * t.lhy + t.phy3 * gamma;
  y.SV = in.Fz * ((t.pvy1 + t.pvy2 * dfz) * t.lvy + (t.pvy3 + t.pvy4 * dfz) * gamma) * t.lmuy;
  const double alpha_y = at.alpha + y.SH;
  y.C = t.pcy1 * t.lcy;
  y.mu = (t.pdy1 + t.pdy2 * dfz) * (1.0 - t.pdy3 * gamma * gamma) * t.lmuy;
  const double D = y.mu * in.Fz;
  const double E = curvature((t.pey1 + t.pey2 * dfz) *
                             (1.0 - (t.pey3 + t.pey4 * gamma) * sign(alpha_y)) * t.ley);
  y.B = y.K / away_from_zero(y.C * D);
  y.Fy0 = D * magic_sine(y.B * alpha_y, y.C, E) + y.SV;
  return y;
}

/// G_xalpha, eq. (70).
double pac2002_weight_x(const Pac2002Tyre& t, const Pac2002Inputs& in, const Contact& at) {
  const double B = t.rbx1 * cos_atan(t.rbx2 * at.kappa) * t.lxal;
  const double E = curvature(t.rex1 + t.rex2 * in.dfz);
  return magic_cosine(B * (at.alpha + t.rhx1), t.rcx1, E) / magic_cosine(B * t.rhx1, t.rcx1, E);
}

/// G_ykappa, eq. (71).
double pac2002_weight_y(const Pac2002Tyre& t, const Pac2002Inputs& in, const Contact& at) {
  const double B = t.rby1 * cos_atan(t.rby2 * (at.alpha - t.rby3)) * t.lyka;
  const double E = curvature(t.rey1 + t.rey2 * in.dfz);
  const double SH = t.rhy1 + t.rhy2 * in.dfz;
  return magic_cosine(B * (at.kappa + SH), t.rcy1, E) / magic_cosine(B * SH, t.rcy1, E);
}

/// S_Vykappa [N], eq. (72).
double pac2002_drive_side_force(const Pac2002Tyre& t,
                                const Pac2002Inputs& in,
                                const Contact& at,
                                double mu) {
  const double D =
      mu * in.Fz * (t.rvy1 + t.rvy2 * in.dfz + t.rvy3 * at.gamma) * cos_atan(t.rvy4 * at.alpha);
  return D * std::sin(t.rvy5 * std::atan(t.rvy6 * at.kappa)) * t.lvyka;
}

/// Pneumatic trail [m], eq. (74).
double pac2002_trail(const Pac2002Tyre& t,
                     const Pac2002Inputs& in,
                     const Contact& at,
                     double alpha_t,
                     double alpha_eq) {
  const double dfz = in.dfz;
  const double gamma = at.gamma * t.lgaz;
  const double B = (t.qbz1 + t.qbz2 * dfz + t.qbz3 * dfz * dfz) *
                   (1.0 + t.qbz4 * gamma + t.qbz5 * std::abs(gamma)) * t.lky / t.lmuy;
  const double D = in.Fz * (t.qdz1 + t.qdz2 * dfz) *
                   (1.0 + t.qdz3 * gamma + t.qdz4 * gamma * gamma) *
                   (t.unloaded_radius / t.fnomin) * t.ltr * at.direction;
  const double E = curvature((t.qez1 + t.qez2 * dfz + t.qez3 * dfz * dfz) *
                             (1.0 + (t.qez4 + t.qez5 * gamma) * (2.0 / std::numbers::pi) *
                                        std::atan(B * t.qcz1 * alpha_t)));
  return D * magic_cosine(B * alpha_eq, t.qcz1, E) * std::cos(at.alpha);
}

/// Residual moment [N m], eq. (75).
double pac2002_residual(const Pac2002Tyre& t,
                        const Pac2002Inputs& in,
                        const Contact& at,
                        const Pac2002Lateral& y,
                        double alpha_eq) {
  const double gamma = at.gamma * t.lgaz;
  const double B = t.qbz9 * t.lky / t.lmuy + t.qbz10 * y.B * y.C;
  const double D = in.Fz *
                   ((t.qdz6 + t.qdz7 * in.dfz) * t.lres + (t.qdz8 + t.qdz9 * in.dfz) * gamma) *
                   t.unloaded_radius * t.lmuy * at.direction;
  return D * cos_atan(B * alpha_eq) * std::cos(at.alpha);
}

/// Angle with the same sliding as alpha and kappa combined, eq. (73).
double pac2002_equivalent(double alpha, double kappa, double stiffness_ratio) {
  const double tangent = std::tan(alpha);
  const double x = stiffness_ratio * kappa;
  return std::atan(std::sqrt(tangent * tangent + x * x)) * (alpha < 0.0 ? -1.0 : 1.0);
}

/// The forces in the plane of the road, and what they were computed from.
struct Pac2002Plane {
  Pac2002Lateral y;
  double Kx = 0.0;                // slip stiffness
  double drive_side_force = 0.0;  // part of Fy due to longitudinal slip
  double Fx = 0.0, Fy = 0.0;
};

/// M_z [N m], eq. (73) to (76).
double pac2002_aligning(const Pac2002Tyre& t,
                        const Pac2002Inputs& in,
                        const Contact& at,
                        const Pac2002Plane& plane) {
  const Pac2002Lateral& y = plane.y;
  const double dfz = in.dfz;
  const double K = away_from_zero(y.K);
  const double gamma = at.gamma * t.lgaz;
  const double alpha_t = at.alpha + t.qhz1 + t.qhz2 * dfz + (t.qhz3 + t.qhz4 * dfz) * gamma;
  const double alpha_r = at.alpha + y.SH + y.SV / K;
  if (!at.combined)
    return -pac2002_trail(t, in, at, alpha_t, alpha_t) * y.Fy0 +
           pac2002_residual(t, in, at, y, alpha_r);
  const double trail =
      pac2002_trail(t, in, at, alpha_t, pac2002_equivalent(alpha_t, at.kappa, plane.Kx / K));
  const double residual =
      pac2002_residual(t, in, at, y, pac2002_equivalent(alpha_r, at.kappa, plane.Kx / K));
  const double s = t.unloaded_radius *
                   (t.ssz1 + t.ssz2 * plane.Fy / t.fnomin + (t.ssz3 + t.ssz4 * dfz) * at.gamma) *
                   t.ls;
  return -trail * (plane.Fy - plane.drive_side_force) + residual + s * plane.Fx;
}

/// M_y [N m], eq. (78). If QSY1 and QSY2 are zero, it is the drag of the freely rolling wheel.
double pac2002_rolling(
    const Pac2002Tyre& t, const Pac2002Inputs& in, const Contact& at, double Kx, double Fx) {
  const double R0 = t.unloaded_radius;
  if (t.qsy1 == 0.0 && t.qsy2 == 0.0)
    return R0 * (pac2002_offset_x(t, in, at) + Kx * pac2002_shift_x(t, in)) * t.lmy;
  const double speed = std::abs(at.Vx / t.longvl);
  return -R0 * in.Fz *
         (t.qsy1 + t.qsy2 * Fx / t.fnomin + t.qsy3 * speed +
          t.qsy4 * speed * speed * speed * speed) *
         t.lmy * at.direction;
}

}  // namespace

double law_radius(const Pac2002Tyre& t, double Fz, double spin, double /*pressure*/) {
  const double v = t.unloaded_radius * spin / t.longvl;
  const double free = t.unloaded_radius * (1.0 + t.qv1 * v * v);
  const double Cz = t.vertical_stiffness * t.lcz;
  if (Cz <= 0.0) return free;
  const double load = Fz / t.fnomin;  // deflection relative to that at the nominal load
  return free - t.fnomin / Cz * (t.dreff * std::atan(t.breff * load) + t.freff * load);
}

// eq. (80)
RelaxationLengths law_relaxation(const Pac2002Tyre& t, const Contact& at) {
  const double scaled = t.fnomin * t.lfzo;
  const double dfz = (at.Fz - scaled) / scaled;
  return {std::abs(at.Fz * (t.ptx1 + t.ptx2 * dfz) * std::exp(-t.ptx3 * dfz) *
                   (t.unloaded_radius / t.fnomin) * t.lsgkp),
          std::abs(t.pty1 * std::sin(2.0 * std::atan(at.Fz / (t.pty2 * scaled))) *
                   (1.0 - t.pky3 * std::abs(at.gamma * t.lgay)) * t.unloaded_radius * t.lfzo *
                   t.lsgal)};
}

TyreForces law_forces(const Pac2002Tyre& t, const Contact& at) {
  const double scaled = t.fnomin * t.lfzo;
  const Pac2002Inputs in{at.Fz, scaled, (at.Fz - scaled) / scaled};
  const double Kx = pac2002_slip_stiffness(t, in);
  const Pac2002Lateral y = pac2002_lateral(t, in, at);
  TyreForces f;
  f.fx = pac2002_longitudinal(t, in, at, Kx);
  f.fy = y.Fy0;
  double drive_side_force = 0.0;
  if (at.combined) {
    drive_side_force = pac2002_drive_side_force(t, in, at, y.mu);
    f.fx *= pac2002_weight_x(t, in, at);
    f.fy = pac2002_weight_y(t, in, at) * y.Fy0 + drive_side_force;
  }
  f.mz = pac2002_aligning(t, in, at, {y, Kx, drive_side_force, f.fx, f.fy});
  // eq. (77)
  f.mx = t.unloaded_radius * in.Fz *
         (t.qsx1 * t.lvmx + (t.qsx3 * f.fy / t.fnomin - t.qsx2 * at.gamma) * t.lmx);
  f.my = pac2002_rolling(t, in, at, Kx, f.fx);
  f.effective_radius = law_radius(t, in.Fz, at.Vx / t.unloaded_radius, at.pressure);
  const RelaxationLengths sigma = law_relaxation(t, at);
  f.relaxation_x = sigma.x;
  f.relaxation_y = sigma.y;
  return f;
}

}  // namespace femflex::tyres
