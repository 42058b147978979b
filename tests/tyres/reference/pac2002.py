"""Magic Formula 5.2 as PAC2002 has it, equation by equation in the letters of the Adams/Tire help.

Turn slip is zero. Readings where sources differ are those of docs/theory/tyres.md.
"""

from math import atan, copysign, cos, exp, pi, sin, sqrt, tan

from magic_formula_61 import formula, guard, sgn, smooth_sign


def scaled(p):
    """Coefficients by name, 0 where absent, scaling factors 1."""
    def get(name):
        default = 1.0 if name[0] == "L" and not name.startswith("LATERAL") else 0.0
        return p.get(name, default)

    return get


def outputs(p, kappa, alpha, gamma, Fz, Vx, pressure, combined=True):
    c = scaled(p)
    V0 = p.get("LONGVL", 16.7)
    R0, Fz0 = c("UNLOADED_RADIUS"), c("FNOMIN")
    d = (Fz - Fz0 * c("LFZO")) / (Fz0 * c("LFZO"))
    way = smooth_sign(Vx, p.get("VXLOW", 1.0))

    # longitudinal force, pure slip
    gx = gamma * c("LGAX")
    SHx = (c("PHX1") + c("PHX2") * d) * c("LHX")
    kx = kappa + SHx
    Cx = c("PCX1") * c("LCX")
    mux = (c("PDX1") + c("PDX2") * d) * (1 - c("PDX3") * gx**2) * c("LMUX")
    Dx = mux * Fz
    Ex = (c("PEX1") + c("PEX2") * d + c("PEX3") * d * d) * (1 - c("PEX4") * sgn(kx)) * c("LEX")
    Kx = Fz * (c("PKX1") + c("PKX2") * d) * exp(c("PKX3") * d) * c("LKX")
    Bx = Kx / guard(Cx * Dx)
    SVx = Fz * (c("PVX1") + c("PVX2") * d) * c("LVX") * c("LMUX") * abs(way)
    Fx0 = Dx * formula(sin, Bx, Cx, min(1, Ex), kx) + SVx

    # lateral force, pure slip
    gy = gamma * c("LGAY")
    SHy = (c("PHY1") + c("PHY2") * d) * c("LHY") + c("PHY3") * gy
    ay = alpha + SHy
    Cy = c("PCY1") * c("LCY")
    muy = (c("PDY1") + c("PDY2") * d) * (1 - c("PDY3") * gy**2) * c("LMUY")
    Dy = muy * Fz
    Ey = (c("PEY1") + c("PEY2") * d) * (1 - (c("PEY3") + c("PEY4") * gy) * sgn(ay)) * c("LEY")
    Ky0 = c("PKY1") * Fz0 * sin(2 * atan(Fz / (c("PKY2") * Fz0 * c("LFZO")))) * c("LFZO") * c("LKY")
    Ky = Ky0 * (1 - c("PKY3") * abs(gy))
    By = Ky / guard(Cy * Dy)
    SVy = Fz * ((c("PVY1") + c("PVY2") * d) * c("LVY") + (c("PVY3") + c("PVY4") * d) * gy) * c("LMUY")
    Fy0 = Dy * formula(sin, By, Cy, min(1, Ey), ay) + SVy

    # combined slip
    Fx, Fy, SVyk = Fx0, Fy0, 0.0
    if combined:
        B = c("RBX1") * cos(atan(c("RBX2") * kappa)) * c("LXAL")
        E = min(1, c("REX1") + c("REX2") * d)
        Dxa = Fx0 / formula(cos, B, c("RCX1"), E, c("RHX1"))
        Fx = Dxa * formula(cos, B, c("RCX1"), E, alpha + c("RHX1"))
        B = c("RBY1") * cos(atan(c("RBY2") * (alpha - c("RBY3")))) * c("LYKA")
        E = min(1, c("REY1") + c("REY2") * d)
        SHyk = c("RHY1") + c("RHY2") * d
        Dyk = Fy0 / formula(cos, B, c("RCY1"), E, SHyk)
        DVyk = muy * Fz * (c("RVY1") + c("RVY2") * d + c("RVY3") * gamma) * cos(atan(c("RVY4") * alpha))
        SVyk = DVyk * sin(c("RVY5") * atan(c("RVY6") * kappa)) * c("LVYKA")
        Fy = Dyk * formula(cos, B, c("RCY1"), E, kappa + SHyk) + SVyk

    # aligning moment
    gz = gamma * c("LGAZ")
    at = alpha + c("QHZ1") + c("QHZ2") * d + (c("QHZ3") + c("QHZ4") * d) * gz
    ar = alpha + SHy + SVy / guard(Ky)
    at_eq, ar_eq = at, ar
    if combined:
        k2 = (Kx / guard(Ky)) ** 2 * kappa**2
        at_eq = copysign(atan(sqrt(tan(at) ** 2 + k2)), at)
        ar_eq = copysign(atan(sqrt(tan(ar) ** 2 + k2)), ar)
    Bt = (c("QBZ1") + c("QBZ2") * d + c("QBZ3") * d**2) * (1 + c("QBZ4") * gz + c("QBZ5") * abs(gz))
    Bt *= c("LKY") / c("LMUY")
    Ct = c("QCZ1")
    Dt = Fz * (c("QDZ1") + c("QDZ2") * d) * (1 + c("QDZ3") * gz + c("QDZ4") * gz**2) * R0 / Fz0
    Dt *= c("LTR") * way
    Et = c("QEZ1") + c("QEZ2") * d + c("QEZ3") * d**2
    Et *= 1 + (c("QEZ4") + c("QEZ5") * gz) * (2 / pi) * atan(Bt * Ct * at)
    t = Dt * formula(cos, Bt, Ct, min(1, Et), at_eq) * cos(alpha)
    Br = c("QBZ9") * c("LKY") / c("LMUY") + c("QBZ10") * By * Cy
    Dr = Fz * R0 * c("LMUY") * way
    Dr *= (c("QDZ6") + c("QDZ7") * d) * c("LRES") + (c("QDZ8") + c("QDZ9") * d) * gz
    Mzr = Dr * cos(atan(Br * ar_eq)) * cos(alpha)
    Mz = -t * (Fy - SVyk) + Mzr
    if combined:
        s = c("SSZ1") + c("SSZ2") * Fy / Fz0 + (c("SSZ3") + c("SSZ4") * d) * gamma
        Mz += s * R0 * c("LS") * Fx

    # overturning and rolling resistance
    Mx = R0 * Fz * (c("QSX1") * c("LVMX") + (-c("QSX2") * gamma + c("QSX3") * Fy / Fz0) * c("LMX"))
    if c("QSY1") == 0 and c("QSY2") == 0:
        My = R0 * (SVx + Kx * SHx) * c("LMY")
    else:
        v = Vx / V0
        My = c("QSY1") + c("QSY2") * Fx / Fz0 + c("QSY3") * abs(v) + c("QSY4") * v**4
        My *= -R0 * Fz * c("LMY") * way

    # effective radius, with deflections over the one at nominal load; relaxation lengths
    Re = R0 * (1 + c("QV1") * (Vx / V0) ** 2)
    Cz = c("VERTICAL_STIFFNESS") * c("LCZ")
    if Cz > 0:
        rho_0, rho_d = Fz0 / Cz, (Fz / Cz) / (Fz0 / Cz)
        Re -= rho_0 * (c("DREFF") * atan(c("BREFF") * rho_d) + c("FREFF") * rho_d)
    sk = Fz * (c("PTX1") + c("PTX2") * d) * exp(-c("PTX3") * d) * (R0 / Fz0) * c("LSGKP")
    sa = c("PTY1") * sin(2 * atan(Fz / (p.get("PTY2", 1.0) * Fz0 * c("LFZO"))))
    sa *= (1 - c("PKY3") * abs(gy)) * R0 * c("LFZO") * c("LSGAL")
    return [Fx, Fy, Mx, My, Mz, Re, abs(sk), abs(sa)]
