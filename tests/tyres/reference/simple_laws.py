"""Linear law, Fiala as in Adams, TMeasy as in Rill 2020, from their published piecewise formulas."""

from math import atan2, cos, hypot, pi, sin, sqrt, tan

from magic_formula_61 import sgn, smooth_sign


def linear(p, kappa, alpha, gamma, Fz, Vx):
    q = Fz / p["FNOMIN"]
    by_angle = -p["CALPHA"] * alpha * q
    way = smooth_sign(Vx, 1.0)
    return [
        p["CSLIP"] * kappa * q,
        by_angle + p["CGAMMA"] * gamma * q,
        0.0,
        -p["ROLLING_RESISTANCE"] * Fz * way,
        -p["TRAIL"] * by_angle * way,
        p["UNLOADED_RADIUS"] - Fz / p["VERTICAL_STIFFNESS"] / 3,
        p["RELAX_LENGTH_X"],
        p["RELAX_LENGTH_Y"],
    ]


def fiala(file, kappa, alpha, gamma, Fz, Vx):
    p = dict(file)  # the file is in mm, kN and degrees
    for name in ("UNLOADED_RADIUS", "WIDTH", "ROLLING_RESISTANCE", "RELAX_LENGTH_X", "RELAX_LENGTH_Y"):
        p[name] *= 1e-3
    p["VERTICAL_STIFFNESS"] *= 1e6
    p["CSLIP"] *= 1e3
    p["CALPHA"] *= 1e3 * 180 / pi
    way = smooth_sign(Vx, 1.0)
    S = min(hypot(kappa, tan(alpha)), 1.0)
    U = p["UMAX"] + (p["UMIN"] - p["UMAX"]) * S
    S_critical = abs(U * Fz / (2 * p["CSLIP"]))
    if abs(kappa) < S_critical:
        Fx = p["CSLIP"] * kappa
    else:
        Fx1 = U * Fz
        Fx2 = abs((U * Fz) ** 2 / (4 * kappa * p["CSLIP"]))
        Fx = sgn(kappa) * (Fx1 - Fx2)
    if p["CALPHA"] * abs(tan(alpha)) <= 3 * U * Fz:
        H = 1 - p["CALPHA"] * abs(tan(alpha)) / (3 * U * Fz)
        Fy = -U * Fz * (1 - H**3) * sgn(alpha)
        Mz = U * Fz * p["WIDTH"] * (1 - H) * H**3 * sgn(alpha) * way
    else:
        Fy, Mz = -U * Fz * sgn(alpha), 0.0
    My = -p["ROLLING_RESISTANCE"] * Fz * way
    Re = p["UNLOADED_RADIUS"] - Fz / p["VERTICAL_STIFFNESS"] / 3
    return [Fx, Fy, 0.0, My, Mz, Re, p["RELAX_LENGTH_X"], p["RELAX_LENGTH_Y"]]


def tmeasy(p, kappa, alpha, gamma, Fz, Vx):
    q = Fz / p["PAYLOAD"]

    def parabola(stem):
        one, two = p[stem + "_N"], p[stem + "_2N"]
        return q * (2 * one - two / 2 - (one - two / 2) * q)

    def line(stem):
        one, two = p[stem + "_N"], p[stem + "_2N"]
        return one + (two - one) * (q - 1)

    r0, b, cz = p["UNLOADED_RADIUS"], p["WIDTH"], p["VERTICAL_STIFFNESS"]
    deflection = Fz / cz
    static = r0 - deflection
    rD = line("LAMBDA") * r0 + (1 - line("LAMBDA")) * static
    rD_Omega = Vx + kappa * abs(Vx)
    vN = 0.01
    sx = -(Vx - rD_Omega) / (abs(rD_Omega) + vN)
    sy = -abs(Vx) * tan(alpha) / (abs(rD_Omega) + vN)
    dx, sxM, FxM, sxS, FxS = parabola("DFX0"), line("SXM"), parabola("FXM"), line("SXS"), parabola("FXS")
    dy, syM, FyM, syS, FyS = parabola("DFY0"), line("SYM"), parabola("FYM"), line("SYS"), parabola("FYS")
    hx = sxM / (sxM + syM) + (FxM / dx) / (FxM / dx + FyM / dy)
    hy = syM / (sxM + syM) + (FyM / dy) / (FxM / dx + FyM / dy)
    phi = atan2(sy / hy, sx / hx)
    d = hypot(dx * hx * cos(phi), dy * hy * sin(phi))
    sM = hypot(sxM / hx * cos(phi), syM / hy * sin(phi))
    FM = hypot(FxM * cos(phi), FyM * sin(phi))
    sS = hypot(sxS / hx * cos(phi), syS / hy * sin(phi))
    FS = hypot(FxS * cos(phi), FyS * sin(phi))

    L = sqrt(8 * r0 * deflection / 2)
    RB = (L / 2 + b / 2) / 2 * 2 / 3
    Omega_n = rD_Omega / rD * sin(gamma)
    sB = -RB * Omega_n / (abs(rD_Omega) + vN)
    s = sqrt((sx / hx) ** 2 + (sy / hy) ** 2 + sB**2)
    if s == 0:
        F_per_s = d
    elif s <= sM:
        sigma = s / sM
        F_per_s = sM * d * sigma / (1 + sigma * (sigma + d * sM / FM - 2)) / s
    elif s < sS:
        sigma = (s - sM) / (sS - sM)
        F_per_s = (FM - (FM - FS) * sigma**2 * (3 - 2 * sigma)) / s
    else:
        F_per_s = FS / s
    Fx = F_per_s * sx / hx
    Fy_slip = F_per_s * sy / hy
    s_camber = -L / 2 * Omega_n / (abs(rD_Omega) + vN)
    Fy = Fy_slip + F_per_s / hy / 3 * s_camber

    s0, sE, a = line("SY0"), line("SYE"), abs(sy)
    w = s0 / sE
    if a <= s0:
        lever = (1 - w) * (1 - a / s0) + w * (1 - (3 - 2 * a / s0) * (a / s0) ** 2)
    elif a <= sE:
        lever = -(1 - w) * (a - s0) / s0 * ((sE - a) / (sE - s0)) ** 2
    else:
        lever = 0.0
    way = smooth_sign(Vx, 1.0)
    Mz = -L * line("NL0") * lever * Fy_slip * way + RB * F_per_s * sB

    # pressure falls linearly over the width b and ends where the tread lifts
    lean = tan(abs(gamma))
    if deflection >= b / 2 * lean:
        Mx = cz * b**2 / 12 * lean
    else:
        pressed = sqrt(2 * Fz / (cz / b * lean))
        Mx = Fz * (b / 2 - pressed / 3)
    return [
        Fx,
        Fy,
        -sgn(gamma) * Mx,
        -line("RR") * Fz * r0 * way,
        Mz,
        rD,
        F_per_s / hx / p["LONGITUDINAL_STIFFNESS"],
        F_per_s / hy / p["LATERAL_STIFFNESS"],
    ]
