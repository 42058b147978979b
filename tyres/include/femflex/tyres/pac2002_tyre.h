// Pac2002Tyre: coefficients of the tyre law Magic Formula 5.2 (PAC2002), named as in `.tir` files
// but in lower case. Equations: docs/theory/tyres.md, (60) to (80), from [Adams PAC2002] and
// [Pacejka 2002].
#pragma once

namespace femflex::tyres {

/// Magic Formula 5.2 in the form of PAC2002. Coefficients without a unit refer to slip angles in
/// radians and to slip as a ratio. Defaults: scaling factors 1, coefficients 0.
struct Pac2002Tyre {
  double fnomin = 0.0;              ///< Fz0 [N]
  double unloaded_radius = 0.0;     ///< R0 [m]
  double longvl = 16.7;             ///< V0 [m/s]
  double vertical_stiffness = 0.0;  ///< [N/m]
  double qv1 = 0.0, breff = 0.0, dreff = 0.0, freff = 0.0;
  // scaling
  double lfzo = 1.0, lcz = 1.0, lcx = 1.0, lmux = 1.0, lex = 1.0, lkx = 1.0, lhx = 1.0, lvx = 1.0;
  double lgax = 1.0, lcy = 1.0, lmuy = 1.0, ley = 1.0, lky = 1.0, lhy = 1.0, lvy = 1.0, lgay = 1.0;
  double ltr = 1.0, lres = 1.0, lgaz = 1.0, lxal = 1.0, lyka = 1.0, lvyka = 1.0, ls = 1.0;
  double lsgkp = 1.0, lsgal = 1.0, lmx = 1.0, lvmx = 1.0, lmy = 1.0;
  // longitudinal
  double pcx1 = 0.0, pdx1 = 0.0, pdx2 = 0.0, pdx3 = 0.0, pex1 = 0.0, pex2 = 0.0, pex3 = 0.0;
  double pex4 = 0.0, pkx1 = 0.0, pkx2 = 0.0, pkx3 = 0.0, phx1 = 0.0, phx2 = 0.0;
  double pvx1 = 0.0, pvx2 = 0.0;
  double rbx1 = 0.0, rbx2 = 0.0, rcx1 = 0.0, rex1 = 0.0, rex2 = 0.0, rhx1 = 0.0;
  double ptx1 = 0.0, ptx2 = 0.0, ptx3 = 0.0;
  // overturning
  double qsx1 = 0.0, qsx2 = 0.0, qsx3 = 0.0;
  // lateral
  double pcy1 = 0.0, pdy1 = 0.0, pdy2 = 0.0, pdy3 = 0.0, pey1 = 0.0, pey2 = 0.0, pey3 = 0.0;
  double pey4 = 0.0, pky1 = 0.0, pky2 = 0.0, pky3 = 0.0, phy1 = 0.0, phy2 = 0.0, phy3 = 0.0;
  double pvy1 = 0.0, pvy2 = 0.0, pvy3 = 0.0, pvy4 = 0.0;
  double rby1 = 0.0, rby2 = 0.0, rby3 = 0.0, rcy1 = 0.0, rey1 = 0.0, rey2 = 0.0, rhy1 = 0.0;
  double rhy2 = 0.0, rvy1 = 0.0, rvy2 = 0.0, rvy3 = 0.0, rvy4 = 0.0, rvy5 = 0.0, rvy6 = 0.0;
  double pty1 = 0.0, pty2 = 1.0;
  // rolling resistance
  double qsy1 = 0.0, qsy2 = 0.0, qsy3 = 0.0, qsy4 = 0.0;
  // aligning
  double qbz1 = 0.0, qbz2 = 0.0, qbz3 = 0.0, qbz4 = 0.0, qbz5 = 0.0, qbz9 = 0.0, qbz10 = 0.0;
  double qcz1 = 0.0, qdz1 = 0.0, qdz2 = 0.0, qdz3 = 0.0, qdz4 = 0.0, qdz6 = 0.0, qdz7 = 0.0;
  double qdz8 = 0.0, qdz9 = 0.0, qez1 = 0.0, qez2 = 0.0, qez3 = 0.0, qez4 = 0.0, qez5 = 0.0;
  double qhz1 = 0.0, qhz2 = 0.0, qhz3 = 0.0, qhz4 = 0.0;
  double ssz1 = 0.0, ssz2 = 0.0, ssz3 = 0.0, ssz4 = 0.0;
};

}  // namespace femflex::tyres
