"""Magic Formula 6.1 equation by equation, in the order and letters of Pacejka 2012, section 4.3.2.

Turn slip is zero, so every zeta is 1. Readings where sources differ are those of
docs/theory/tyres.md. p is a dictionary of the names of a .tir file.
"""

from math import atan, cos, exp, pi, sin, sqrt, tan

EPSILON = 1e-6


def sgn(x):
    return (x > 0) - (x < 0)


def smooth_sign(speed, low):
    if abs(speed) >= low:
        return float(sgn(speed))
    r = speed / low
    return (3 * r - r**3) / 2


def guard(x):
    return x - EPSILON if x < 0 else x + EPSILON


def formula(trig, B, C, E, x):
    return trig(C * atan(B * x - E * (B * x - atan(B * x))))


class Wheel:
    """One operating point; every method is one numbered equation or a family of them."""

    def __init__(self, p, kappa, alpha, gamma, Fz, Vx, pressure, combined=True):
        g = p.get
        self.p = lambda name, default=0.0: g(name, default)
        self.kappa, self.Fz, self.Vx, self.combined = kappa, Fz, Vx, combined
        self.camber = gamma
        self.R0, self.Fz0 = g("UNLOADED_RADIUS"), g("FNOMIN")
        self.alpha_angle = alpha
        self.alpha_star = tan(alpha)  # 4.E3
        self.gamma_star = sin(gamma)  # 4.E4
        self.Fz0_prime = g("LFZO", 1.0) * self.Fz0  # 4.E1
        self.dfz = (Fz - self.Fz0_prime) / self.Fz0_prime  # 4.E2a
        p0 = g("NOMPRES", 0.0)
        own = g("INFLPRES", 0.0) or p0
        self.pressure = own if pressure is None else pressure
        self.dpi = (self.pressure - p0) / p0 if p0 else 0.0  # 4.E2b
        self.cos_prime = cos(alpha)  # size of 4.E6
        self.sign_V = smooth_sign(Vx, g("VXLOW", 1.0))
        Vs = sqrt((kappa * Vx) ** 2 + (Vx * tan(alpha)) ** 2)
        V0 = g("LONGVL", 16.7)
        A = 10.0
        star = lambda L: g(L, 1.0) / (1 + g("LMUV", 0.0) * Vs / V0)  # 4.E7
        prime = lambda s: A * s / (1 + (A - 1) * s)  # 4.E8
        self.mux_star, self.muy_star = star("LMUX"), star("LMUY")
        self.mux_prime, self.muy_prime = prime(self.mux_star), prime(self.muy_star)

    # longitudinal force, pure slip: 4.E9 to 4.E18
    def K_xkappa(self):
        p, d, q = self.p, self.dfz, self.dpi
        return (
            self.Fz * (p("PKX1") + p("PKX2") * d) * exp(p("PKX3") * d)
            * (1 + p("PPX1") * q + p("PPX2") * q**2) * p("LKX", 1)
        )

    def F_x0(self):
        p, d, q, g = self.p, self.dfz, self.dpi, self.camber
        SH = (p("PHX1") + p("PHX2") * d) * p("LHX", 1)
        x = self.kappa + SH
        C = p("PCX1") * p("LCX", 1)
        mu = (p("PDX1") + p("PDX2") * d) * (1 + p("PPX3") * q + p("PPX4") * q**2)
        mu *= (1 - p("PDX3") * self.gamma_star**2) * self.mux_star
        D = mu * self.Fz
        E = (p("PEX1") + p("PEX2") * d + p("PEX3") * d**2) * (1 - p("PEX4") * sgn(x)) * p("LEX", 1)
        B = self.K_xkappa() / guard(C * D)
        SV = self.Fz * (p("PVX1") + p("PVX2") * d) * abs(self.sign_V) * p("LVX", 1) * self.mux_prime
        return D * formula(sin, B, C, min(E, 1), x) + SV

    # lateral force, pure slip: 4.E19 to 4.E30
    def K_yalpha(self, g):
        p = self.p
        peak = (p("PKY2") + p("PKY5") * g**2) * (1 + p("PPY2") * self.dpi)
        return (
            p("PKY1") * self.Fz0_prime * (1 + p("PPY1") * self.dpi) * (1 - p("PKY3") * abs(g))
            * sin(p("PKY4", 2) * atan((self.Fz / self.Fz0_prime) / peak)) * p("LKY", 1)
        )

    def side(self, g):
        """F_y0, mu_y, B_y, C_y, S_Hy, S_Vy, K_yalpha at camber g."""
        p, d, q = self.p, self.dfz, self.dpi
        K = self.K_yalpha(g)
        S_Vyg = self.Fz * (p("PVY3") + p("PVY4") * d) * g * p("LKYC", 1) * self.muy_prime
        K_yg0 = self.Fz * (p("PKY6") + p("PKY7") * d) * (1 + p("PPY5") * q) * p("LKYC", 1)
        SH = (p("PHY1") + p("PHY2") * d) * p("LHY", 1) + (K_yg0 * g - S_Vyg) / guard(K)
        SV = self.Fz * (p("PVY1") + p("PVY2") * d) * p("LVY", 1) * self.muy_prime + S_Vyg
        x = self.alpha_star + SH
        C = p("PCY1") * p("LCY", 1)
        mu = (p("PDY1") + p("PDY2") * d) * (1 + p("PPY3") * q + p("PPY4") * q**2)
        mu *= (1 - p("PDY3") * g**2) * self.muy_star
        D = mu * self.Fz
        E = (p("PEY1") + p("PEY2") * d) * p("LEY", 1)
        E *= 1 + p("PEY5") * g**2 - (p("PEY3") + p("PEY4") * g) * sgn(x)
        B = K / guard(C * D)
        return D * formula(sin, B, C, min(E, 1), x) + SV, mu, B, C, SH, SV, K

    # combined slip: 4.E50 to 4.E67
    def G_xalpha(self):
        p = self.p
        B = (p("RBX1") + p("RBX3") * self.gamma_star**2) * cos(atan(p("RBX2") * self.kappa))
        B *= p("LXAL", 1)
        E = min(p("REX1") + p("REX2") * self.dfz, 1)
        f = lambda x: formula(cos, B, p("RCX1"), E, x)
        return f(self.alpha_star + p("RHX1")) / f(p("RHX1"))

    def G_ykappa(self, g):
        p = self.p
        B = (p("RBY1") + p("RBY4") * g**2) * p("LYKA", 1)
        B *= cos(atan(p("RBY2") * (self.alpha_star - p("RBY3"))))
        E = min(p("REY1") + p("REY2") * self.dfz, 1)
        SH = p("RHY1") + p("RHY2") * self.dfz
        f = lambda x: formula(cos, B, p("RCY1"), E, x)
        return f(self.kappa + SH) / f(SH)

    def S_Vykappa(self, mu):
        p = self.p
        D = mu * self.Fz * (p("RVY1") + p("RVY2") * self.dfz + p("RVY3") * self.gamma_star)
        D *= cos(atan(p("RVY4") * self.alpha_star))
        return D * sin(p("RVY5") * atan(p("RVY6") * self.kappa)) * p("LVYKA", 1)

    def F_x(self):
        return self.F_x0() * (self.G_xalpha() if self.combined else 1)

    def F_y(self):
        Fy0, mu = self.side(self.gamma_star)[:2]
        if not self.combined:
            return Fy0
        return self.G_ykappa(self.gamma_star) * Fy0 + self.S_Vykappa(mu)

    # aligning moment: 4.E31 to 4.E49, 4.E71 to 4.E78
    def M_z(self):
        p, d, q, g = self.p, self.dfz, self.dpi, self.gamma_star
        _, _, By, Cy, SHy, SVy, Ky = self.side(g)
        SHt = p("QHZ1") + p("QHZ2") * d + (p("QHZ3") + p("QHZ4") * d) * g
        a_t = self.alpha_star + SHt
        a_r = self.alpha_star + SHy + SVy / guard(Ky)
        t_eq, r_eq = a_t, a_r
        if self.combined:
            ratio2 = (self.K_xkappa() / guard(Ky)) ** 2
            t_eq = sqrt(a_t**2 + ratio2 * self.kappa**2) * (sgn(a_t) or 1)
            r_eq = sqrt(a_r**2 + ratio2 * self.kappa**2) * (sgn(a_r) or 1)
        Bt = (p("QBZ1") + p("QBZ2") * d + p("QBZ3") * d**2) * p("LKY", 1) / self.muy_star
        Bt *= 1 + p("QBZ4") * g + p("QBZ5") * abs(g)
        Ct = p("QCZ1")
        Dt0 = self.Fz * (self.R0 / self.Fz0_prime) * (p("QDZ1") + p("QDZ2") * d)
        Dt0 *= (1 - p("PPZ1") * q) * p("LTR", 1) * self.sign_V
        Dt = Dt0 * (1 + p("QDZ3") * abs(g) + p("QDZ4") * g**2)
        Et = p("QEZ1") + p("QEZ2") * d + p("QEZ3") * d**2
        Et *= 1 + (p("QEZ4") + p("QEZ5") * g) * 2 / pi * atan(Bt * Ct * a_t)
        trail = Dt * formula(cos, Bt, Ct, min(Et, 1), t_eq) * self.cos_prime
        Br = p("QBZ9") * p("LKY", 1) / self.muy_star + p("QBZ10") * By * Cy
        Dr = (p("QDZ6") + p("QDZ7") * d) * p("LRES", 1)
        Dr += (p("QDZ8") + p("QDZ9") * d) * (1 + p("PPZ2") * q) * g * p("LKZC", 1)
        Dr += (p("QDZ10") + p("QDZ11") * d) * g * abs(g) * p("LKZC", 1)
        Dr *= self.Fz * self.R0 * self.muy_star * self.sign_V * self.cos_prime
        M_zr = Dr * cos(atan(Br * r_eq))
        Fy_upright = self.side(0.0)[0]
        if not self.combined:
            return -trail * Fy_upright + M_zr
        lever = p("SSZ1") + p("SSZ2") * self.F_y() / self.Fz0 + (p("SSZ3") + p("SSZ4") * d) * g
        lever *= self.R0 * p("LS", 1)
        return -trail * self.G_ykappa(0.0) * Fy_upright + M_zr + lever * self.F_x()

    # overturning, 4.E69 with the terms 12 to 14 of the equation manual
    def M_x(self):
        p, g, Fy = self.p, self.camber, self.F_y()
        f, s = self.Fz / self.Fz0, Fy / self.Fz0
        inner = p("QSX1") * p("LVMX", 1) - p("QSX2") * g * (1 + p("PPMX1") * self.dpi) + p("QSX3") * s
        inner += (
            p("QSX4") * cos(p("QSX5") * atan((p("QSX6") * f) ** 2))
            * sin(p("QSX7") * g + p("QSX8") * atan(p("QSX9") * s))
        )
        inner += p("QSX10") * atan(p("QSX11") * f) * g
        M = self.R0 * self.Fz * p("LMX", 1) * inner
        extra = Fy * (p("QSX13") + p("QSX14") * abs(g)) - self.Fz * p("QSX12") * g * abs(g)
        return M + self.R0 * p("LMX", 1) * extra

    # rolling resistance, 4.E70
    def M_y(self):
        p, f, v = self.p, self.Fz / self.Fz0, self.Vx / self.p("LONGVL", 16.7)
        sum_ = p("QSY1") + p("QSY2") * self.F_x() / self.Fz0 + p("QSY3") * abs(v) + p("QSY4") * v**4
        sum_ += p("QSY5") * self.camber**2 + p("QSY6") * f * self.camber**2
        ratio = self.pressure / self.p("NOMPRES", 0) if self.p("NOMPRES", 0) else 1.0
        M = self.R0 * self.Fz0 * sum_ * f ** p("QSY7", 1) * ratio ** p("QSY8", 0) * p("LMY", 1)
        return -M * self.sign_V

    # Besselink 2010: free radius and carcass stiffness
    def R_e(self):
        p = self.p
        free = self.R0 * (p("QRE0", 1) + p("QV1") * (self.Vx / p("LONGVL", 16.7)) ** 2)
        Cz = p("VERTICAL_STIFFNESS") * p("LCZ", 1) * (1 + p("PFZ1") * self.dpi)
        if Cz <= 0:
            return free
        f = self.Fz / self.Fz0
        return free - self.Fz0 / Cz * (p("DREFF") * atan(p("BREFF") * f) + p("FREFF") * f)

    def sigma(self):
        p, d, q = self.p, self.dfz, self.dpi
        cx = p("LONGITUDINAL_STIFFNESS") * (1 + p("PCFX1") * d + p("PCFX2") * d**2)
        cy = p("LATERAL_STIFFNESS") * (1 + p("PCFY1") * d + p("PCFY2") * d**2)
        cx *= 1 + p("PCFX3") * q
        cy *= 1 + p("PCFY3") * q
        return (
            abs(self.K_xkappa()) / cx if cx > 0 else 0.0,
            abs(self.K_yalpha(self.gamma_star)) / cy if cy > 0 else 0.0,
        )

    def outputs(self):
        return [self.F_x(), self.F_y(), self.M_x(), self.M_y(), self.M_z(), self.R_e(), *self.sigma()]
