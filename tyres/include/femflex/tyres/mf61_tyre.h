// Mf61Tyre: coefficients of the tyre law Magic Formula 6.1, named as in `.tir` files but in lower
// case. Equations: docs/theory/tyres.md, (30) to (56), from [Besselink 2010] and [Pacejka 2012].
#pragma once

namespace femflex::tyres {

/// Magic Formula 6.1 with inflation pressure. Coefficients without a unit refer to slip angles in
/// radians and to slip as a ratio. Defaults: scaling factors 1, coefficients 0, exponents and
/// shapes of a neutral tyre.
struct Mf61Tyre {
  double fnomin = 0.0;           ///< Fz0 [N]
  double unloaded_radius = 0.0;  ///< R0 [m]
  double nompres = 0.0;          ///< pi0 [Pa]; 0: not in the file
  double inflpres = 0.0;         ///< inflation pressure of the tyre in the file [Pa]; 0: nominal
  double longvl = 16.7;          ///< V0 [m/s]
  double vertical_stiffness = 0.0, longitudinal_stiffness = 0.0,
         lateral_stiffness = 0.0;  ///< [N/m]
  double qre0 = 1.0, qv1 = 0.0, breff = 0.0, dreff = 0.0, freff = 0.0, pfz1 = 0.0;
  double pcfx1 = 0.0, pcfx2 = 0.0, pcfx3 = 0.0, pcfy1 = 0.0, pcfy2 = 0.0, pcfy3 = 0.0;
  // scaling
  double lfzo = 1.0, lcx = 1.0, lmux = 1.0, lex = 1.0, lkx = 1.0, lhx = 1.0, lvx = 1.0;
  double lcy = 1.0, lmuy = 1.0, ley = 1.0, lky = 1.0, lhy = 1.0, lvy = 1.0, lkyc = 1.0, lkzc = 1.0;
  double ltr = 1.0, lres = 1.0, lxal = 1.0, lyka = 1.0, lvyka = 1.0, ls = 1.0, lmuv = 0.0;
  double lmx = 1.0, lvmx = 1.0, lmy = 1.0, lcz = 1.0;
  // longitudinal
  double pcx1 = 0.0, pdx1 = 0.0, pdx2 = 0.0, pdx3 = 0.0, pex1 = 0.0, pex2 = 0.0, pex3 = 0.0;
  double pex4 = 0.0, pkx1 = 0.0, pkx2 = 0.0, pkx3 = 0.0, phx1 = 0.0, phx2 = 0.0;
  double pvx1 = 0.0, pvx2 = 0.0, ppx1 = 0.0, ppx2 = 0.0, ppx3 = 0.0, ppx4 = 0.0;
  double rbx1 = 0.0, rbx2 = 0.0, rbx3 = 0.0, rcx1 = 0.0, rex1 = 0.0, rex2 = 0.0, rhx1 = 0.0;
  // overturning
  double qsx1 = 0.0, qsx2 = 0.0, qsx3 = 0.0, qsx4 = 0.0, qsx5 = 0.0, qsx6 = 0.0, qsx7 = 0.0;
  double qsx8 = 0.0, qsx9 = 0.0, qsx10 = 0.0, qsx11 = 0.0, qsx12 = 0.0, qsx13 = 0.0, qsx14 = 0.0;
  double ppmx1 = 0.0;
  // lateral
  double pcy1 = 0.0, pdy1 = 0.0, pdy2 = 0.0, pdy3 = 0.0, pey1 = 0.0, pey2 = 0.0, pey3 = 0.0;
  double pey4 = 0.0, pey5 = 0.0, pky1 = 0.0, pky2 = 0.0, pky3 = 0.0, pky4 = 2.0, pky5 = 0.0;
  double pky6 = 0.0, pky7 = 0.0, phy1 = 0.0, phy2 = 0.0, pvy1 = 0.0, pvy2 = 0.0, pvy3 = 0.0;
  double pvy4 = 0.0, ppy1 = 0.0, ppy2 = 0.0, ppy3 = 0.0, ppy4 = 0.0, ppy5 = 0.0;
  double rby1 = 0.0, rby2 = 0.0, rby3 = 0.0, rby4 = 0.0, rcy1 = 0.0, rey1 = 0.0, rey2 = 0.0;
  double rhy1 = 0.0, rhy2 = 0.0, rvy1 = 0.0, rvy2 = 0.0, rvy3 = 0.0, rvy4 = 0.0, rvy5 = 0.0;
  double rvy6 = 0.0;
  // rolling resistance
  double qsy1 = 0.0, qsy2 = 0.0, qsy3 = 0.0, qsy4 = 0.0, qsy5 = 0.0, qsy6 = 0.0, qsy7 = 1.0;
  double qsy8 = 0.0;
  // aligning
  double qbz1 = 0.0, qbz2 = 0.0, qbz3 = 0.0, qbz4 = 0.0, qbz5 = 0.0, qbz9 = 0.0, qbz10 = 0.0;
  double qcz1 = 0.0, qdz1 = 0.0, qdz2 = 0.0, qdz3 = 0.0, qdz4 = 0.0, qdz6 = 0.0, qdz7 = 0.0;
  double qdz8 = 0.0, qdz9 = 0.0, qdz10 = 0.0, qdz11 = 0.0, qez1 = 0.0, qez2 = 0.0, qez3 = 0.0;
  double qez4 = 0.0, qez5 = 0.0, qhz1 = 0.0, qhz2 = 0.0, qhz3 = 0.0, qhz4 = 0.0;
  double ssz1 = 0.0, ssz2 = 0.0, ssz3 = 0.0, ssz4 = 0.0, ppz1 = 0.0, ppz2 = 0.0;
};

}  // namespace femflex::tyres
