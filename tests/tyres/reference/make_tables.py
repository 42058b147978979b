"""Writes the tables beside it: cases_*.csv (state, forces) and groups_*.csv (values set in a group).

    python3 tests/tyres/reference/make_tables.py

A group `only_*` acts alone: the rows `only` set every free coefficient of the sample file to zero,
then the rows of the group give those of the group back. The group `all` leaves the file as it is; `scaling_*` changes one scaling factor with all else on.
"""

import csv
import os
import random
from math import pi

import magic_formula_61
import pac2002
import simple_laws
import tir

HERE = os.path.dirname(os.path.abspath(__file__))
DATA = os.path.join(HERE, "..", "..", "..", "data", "tyres", "valid")
HEAD = "group,kappa,alpha,gamma,load,speed,pressure,right,fx,fy,mx,my,mz,re,sx,sy".split(",")

BASE = "PCX1 PDX1 PKX1 PCY1 PDY1 PKY1 PKY2 PKY4 QBZ1 QCZ1 QDZ1 PTY2".split()
SHAPES = {"RBX": ["RCX1"], "RBY": ["RCY1"], "REX": ["RBX1", "RCX1"], "REY": ["RBY1", "RCY1"],
          "RHX": ["RBX1", "RCX1"], "RHY": ["RBY1", "RCY1"], "SSZ": [], "PPMX": ["QSX2"],
          "PPY": ["PKY6"], "PPZ": ["QDZ8"], "PFZ": ["VERTICAL_STIFFNESS", "DREFF", "BREFF"],
          "PCFX": ["LONGITUDINAL_STIFFNESS"], "PCFY": ["LATERAL_STIFFNESS"],
          "DREFF": ["VERTICAL_STIFFNESS", "BREFF"], "FREFF": ["VERTICAL_STIFFNESS"]}
KEPT = "FNOMIN UNLOADED_RADIUS WIDTH LONGVL VXLOW USE_MODE FITTYP INFLPRES NOMPRES QRE0".split()


def prefix(name):
    return name.rstrip("0123456789")


def limits(p):
    return {"kappa": (p.get("KPUMIN"), p.get("KPUMAX")), "alpha": (p.get("ALPMIN"), p.get("ALPMAX")),
            "gamma": (p.get("CAMMIN"), p.get("CAMMAX")), "load": (p.get("FZMIN"), p.get("FZMAX")),
            "pressure": (p.get("PRESMIN"), p.get("PRESMAX"))}


def clamp(value, ends):
    low, high = ends
    if value is None:
        return None
    value = value if low is None else max(value, low)
    return value if high is None else min(value, high)


def evaluate(law, p, state, ranges):
    """Ranges, side and small loads as docs/theory/tyres.md says, then the law."""
    kappa, alpha, gamma, load, speed, pressure, right = state
    alpha = max(-pi / 2, min(pi / 2, alpha))
    kappa, alpha = clamp(kappa, ranges["kappa"]), clamp(alpha, ranges["alpha"])
    gamma, Fz = clamp(gamma, ranges["gamma"]), clamp(load, ranges["load"])
    pressure = clamp(pressure, ranges["pressure"])
    mirror = -1 if right else 1
    out = law(p, kappa, mirror * alpha, mirror * gamma, Fz, speed, pressure)
    for i in (1, 2, 4):
        out[i] *= mirror
    if load < Fz:
        out[:5] = [x * load / Fz for x in out[:5]]
    return out


def states(rng, count, load, pressures):
    for _ in range(count):
        yield (rng.uniform(-1, 1) * rng.choice((0.05, 0.3, 1.0)),
               rng.uniform(-1, 1) * rng.choice((0.04, 0.2, 1.2)),
               rng.uniform(-0.2, 0.2), load * rng.uniform(0.2, 1.9),
               rng.choice((16.7, 30.0, 5.0, -8.0, 0.4)),
               rng.choice(pressures), rng.random() < 0.25)


def edges(load, p0):
    """Still wheel, sideways, locked, spinning, out of range, nearly lifted."""
    half = pi / 2
    return [(0, 0, 0, load, 10, p0, False), (-1, 0.1, 0.02, load, 10, p0, False),
            (1.5, -0.1, 0.02, load, 10, p0, True), (0.1, 1.5, 0.01, load, 5, p0, False),
            (0.1, half, 0.01, load, 5, p0, False), (5.0, 0.1, 0.6, load, 5, p0, False),
            (0.02, 0.03, 0.01, 3 * load, 5, p0, False), (0.02, 0.03, 0.01, 1e-3 * load, 5, p0, False),
            (0.02, 0.03, 0.01, 1e-8 * load, 5, p0, True), (0.02, 0.03, -0.01, load, 0.0, p0, False)]


def number(x):
    return "" if x is None else "%.17g" % x


def table(name, groups, law, nominal, pressures, seed):
    rng = random.Random(seed)
    with open(os.path.join(HERE, f"cases_{name}.csv"), "w", newline="") as out:
        write = csv.writer(out, lineterminator="\n")
        write.writerow(HEAD)
        for group, (p, count) in groups.items():
            ranges = limits(p)
            if name == "tmeasy":
                ranges["load"] = (None, 2 * p["PAYLOAD"])
            points = list(states(rng, count, nominal, pressures))
            if group == "all":
                points += edges(nominal, pressures[0])
            for state in points:
                result = evaluate(law, p, state, ranges)
                write.writerow([group, *(number(x) for x in state[:6]), int(state[6]),
                                *(number(x) for x in result)])


def magic_groups(file):
    """{group: (values, number of states)} and the rows of the file of groups."""
    p = tir.load(os.path.join(DATA, file))
    numbers = [n for n, v in p.items() if isinstance(v, float)]
    scales = [n for n in numbers if n[0] == "L" and n[-1] != "S" and len(n) <= 5 or n == "LS"]
    scales += ["LRES"] if "LRES" not in scales else []
    ranges = [n for n in numbers if n.endswith(("MIN", "MAX"))]
    free = [n for n in numbers if n not in BASE + KEPT + scales + ranges]
    groups, rows = {"all": (p, 60)}, []
    rows += [("only", n, 0.0) for n in free]
    for stem in sorted({prefix(n) for n in free} | {prefix(n) for n in BASE if n in p}):
        alone = dict(p)
        for n in free:
            if prefix(n) == stem or n in SHAPES.get(stem, []):
                rows.append((f"only_{stem}", n, p[n]))
            else:
                alone[n] = 0.0
        groups[f"only_{stem}"] = (alone, 6)
    for i, n in enumerate(scales):
        value = 0.05 if n == "LMUV" else 0.83 + 0.02 * (i % 20)
        groups[f"scaling_{n}"] = ({**p, n: value}, 4)
        rows.append((f"scaling_{n}", n, value))
    every = {n: 0.03 if n == "LMUV" else 0.9 + 0.01 * (i % 25) for i, n in enumerate(scales)}
    groups["scaling_all"] = ({**p, **every}, 20)
    rows += [("scaling_all", n, v) for n, v in every.items()]
    groups["uncombined"] = ({**p, "USE_MODE": 3.0}, 20)
    rows.append(("uncombined", "USE_MODE", 3.0))
    return groups, rows


def write_groups(name, rows):
    with open(os.path.join(HERE, f"groups_{name}.csv"), "w", newline="") as out:
        write = csv.writer(out, lineterminator="\n")
        write.writerow(["group", "name", "value"])
        write.writerows((g, n, number(v)) for g, n, v in rows)


def main():
    def combined(p):
        return p.get("USE_MODE", 4.0) % 10 >= 4

    def mf61(p, *state):
        return magic_formula_61.Wheel(p, *state, combined=combined(p)).outputs()

    def mf52(p, *state):
        return pac2002.outputs(p, *state, combined=combined(p))

    groups, rows = magic_groups("car_mf61.tir")
    write_groups("mf61", rows)
    table("mf61", groups, mf61, 4000.0, (None, 190000.0, 250000.0), 61)
    groups, rows = magic_groups("truck_pac2002.tir")
    write_groups("pac2002", rows)
    table("pac2002", groups, mf52, 32000.0, (None,), 52)
    for name, file, law, load in (("linear", "trailer_linear.tir", simple_laws.linear, 25000.0),
                                  ("fiala", "truck_fiala.tir", simple_laws.fiala, 32000.0),
                                  ("tmeasy", "truck_tmeasy.tir", simple_laws.tmeasy, 32000.0)):
        p = tir.load(os.path.join(DATA, file))
        call = lambda p, k, a, g, Fz, V, _, law=law: law(p, k, a, g, Fz, V)
        table(name, {"all": (p, 80)}, call, load, (None,), 7)


if __name__ == "__main__":
    main()
