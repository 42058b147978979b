# Two FMUs on a stiff connection
#
#     /usr/bin/python3 examples/fmu/stiff_coupling.py FOLDER [FEMFLEX]
#
# Two masses, each with its own soft spring, are an FMU each. A connection of 1e6 N/m with a damper
# ties them: whoever couples the two computes its force from both ends. With steps of 5 ms, seven
# radians of the connection's own oscillation, a force that is held from step to step diverges, and so
# does one that is iterated by taking back the step and trying the force found. With the derivatives
# of the accelerations by the force, which the FMUs give, Newton's method finds the force that fits
# the end of the step. Truth: `femflex simulate` of both masses in one system.
#
# The interface Jacobian: a force held over a step h moves its mass by h^2/2 and changes its speed by
# h times da/df, so that the residual R(f) = f - k gap(f) - d rate(f) has the slope
# 1 + (k h^2/2 + d h) (da_1/df + da_2/df).

import ctypes as ct
import json
import subprocess
import sys
import xml.etree.ElementTree as tree
import zipfile
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
femflex = sys.argv[2] if len(sys.argv) > 2 else "femflex"
STIFFNESS, DAMPING, END = 1e6, 2e3, 1.0
MASSES = {"left": {"mass": 1.0, "spring": 400.0, "load": "20*sin(8*t)"},
          "right": {"mass": 2.0, "spring": 100.0, "load": "0"}}


# --- the models
def system(names):
    """Masses on a rail with a spring each; alone, a mass has the connection's force as an input."""
    out = {"bodies": {}, "joints": {}, "forces": {}, "outputs": [],
           "analyses": [{"type": "dynamic", "end": END, "step": 2e-4, "output_step": 5e-3}]}
    for name in names:
        given = MASSES[name]
        out["bodies"][name] = {"point": {"mass": given["mass"]}, "at": [0, 0, 0]}
        out["joints"]["rail_" + name] = {"type": "point-on-line", "a": "ground", "b": name,
                                         "axis": [1, 0, 0]}
        own = f"{given['load']} - {given['spring']}*[{name}/position/x]"
        tie = " + force"
        if len(names) > 1:
            sign = 1 if name == "left" else -1
            tie = (f" + {sign * STIFFNESS}*([right/position/x] - [left/position/x])"
                   f" + {sign * DAMPING}*([right/velocity/x] - [left/velocity/x])")
        out["forces"]["on_" + name] = {"type": "force", "on": name, "value": [own + tie, 0, 0]}
        out["outputs"] += [f"{name}/{each}/x" for each in ("position", "velocity", "acceleration")]
    if len(names) == 1:
        out["inputs"] = {"force": {"unit": "N"}}
    return out


def write(name, names):
    path = folder / f"{name}.json"
    path.write_text(json.dumps(system(names)))
    return path


for name in MASSES:
    subprocess.run([femflex, "export", write(name, [name]), "-o", folder / f"{name}.fmu"], check=True,
                   capture_output=True)
    with zipfile.ZipFile(folder / f"{name}.fmu") as archive:
        archive.extractall(folder / name)
subprocess.run([femflex, "simulate", write("both", list(MASSES)), "-o", folder / "both.h5", "--csv",
                folder / "both.csv"], check=True, capture_output=True)
rows = np.genfromtxt(folder / "both.csv", delimiter=",", skip_header=1)
with open(folder / "both.csv", encoding="utf-8") as file:
    column = [n for n, head in enumerate(file.readline().split(",")) if "left/position/x" in head][0]
truth = rows[:, column]


# --- a small importer of FMI 2.0
LOGGER = ct.CFUNCTYPE(None, ct.c_void_p, ct.c_char_p, ct.c_int, ct.c_char_p, ct.c_char_p)


class Callbacks(ct.Structure):
    _fields_ = [("log", LOGGER), ("allocate", ct.c_void_p), ("free", ct.c_void_p),
                ("finished", ct.c_void_p), ("environment", ct.c_void_p)]


class Fmu:
    """An instance of an unpacked FMU for co-simulation."""

    def __init__(self, place):
        root = tree.parse(place / "modelDescription.xml").getroot()
        self.reference = {each.get("name"): int(each.get("valueReference"))
                          for each in root.iter("ScalarVariable")}
        name = root.find("CoSimulation").get("modelIdentifier")
        self.library = ct.CDLL(str(place / "binaries" / "linux64" / f"{name}.so"))
        self.log = LOGGER(lambda env, who, status, kind, text: print(text.decode()))
        self.callbacks = Callbacks(log=self.log)
        self.library.fmi2Instantiate.restype = ct.c_void_p
        self.c = ct.c_void_p(self.library.fmi2Instantiate(
            place.stem.encode(), 1, root.get("guid").encode(), (place / "resources").as_uri().encode(),
            ct.byref(self.callbacks), 0, 0))
        self.state = ct.c_void_p()
        self.call("SetupExperiment", 0, ct.c_double(0), ct.c_double(0), 0, ct.c_double(0))
        self.call("EnterInitializationMode")
        self.call("ExitInitializationMode")

    def call(self, name, *given):
        status = self.library["fmi2" + name](self.c, *given)
        assert status == 0, f"{name}: status {status}"

    def vr(self, name):
        return (ct.c_uint * 1)(self.reference[name])

    def get(self, name):
        value = (ct.c_double * 1)()
        self.call("GetReal", self.vr(name), ct.c_size_t(1), value)
        return value[0]

    def set(self, name, number):
        self.call("SetReal", self.vr(name), ct.c_size_t(1), (ct.c_double * 1)(number))

    def slope(self, of, by):
        value = (ct.c_double * 1)()
        self.call("GetDirectionalDerivative", self.vr(of), ct.c_size_t(1), self.vr(by), ct.c_size_t(1),
                  (ct.c_double * 1)(1.0), value)
        return value[0]

    def mark(self):
        self.call("GetFMUstate", ct.byref(self.state))

    def go_back(self):
        self.call("SetFMUstate", self.state)

    def step(self, time, length):
        self.call("DoStep", ct.c_double(time), ct.c_double(length), 1)


# --- three ways to couple
def coupled(way, h, tolerance=1e-6, most=8):
    """Places of the left mass, and how far the force was off in each pass of the first steps."""
    masses = {name: Fmu(folder / name) for name in MASSES}
    force, places, passes = 0.0, [0.0], []
    for n in range(round(END / h)):
        for mass in masses.values():
            mass.mark()
        slope = sum(mass.slope(f"{name}/acceleration/x", "force") for name, mass in masses.items())
        jacobian = 1.0 + (STIFFNESS * h * h / 2 + DAMPING * h) * slope
        for k in range(most if way != "plain" else 1):
            if k > 0:
                for mass in masses.values():
                    mass.go_back()
            masses["left"].set("force", force)
            masses["right"].set("force", -force)
            for mass in masses.values():
                mass.step(n * h, h)
            gap, rate = (masses["right"].get(f"right/{each}/x") - masses["left"].get(f"left/{each}/x")
                         for each in ("position", "velocity"))
            wanted = STIFFNESS * gap + DAMPING * rate
            off = force - wanted
            if n == 20:
                passes.append(abs(off))
            if way != "plain" and abs(off) < tolerance * (1.0 + abs(force)):
                break
            force = force - off / jacobian if way == "newton" else wanted
            if not abs(force) < 1e9:  # diverged
                return np.array(places), passes
        places.append(masses["left"].get("left/position/x"))
    return np.array(places), passes


def error_of(h):
    found, passes = coupled("newton", h)
    every = round(5e-3 / h)
    return np.abs(found[::every] - truth).max() / np.abs(truth).max(), found, passes


plain, _ = coupled("plain", 5e-3)
iterated, _ = coupled("iterated", 5e-3)
error, found, passes = error_of(5e-3)
half, _, _ = error_of(2.5e-3)
size = np.abs(truth).max()
print(f"plain exchange: {np.abs(plain).max() / size:.3g} times the truth after {len(plain) - 1} steps")
print(f"iterated: diverged in step {len(iterated)}")
print(f"with derivatives: off by {error:.2g} of the largest place at 5 ms, {half:.2g} at 2.5 ms; "
      f"{len(passes)} passes a step")
assert len(plain) < len(truth) or np.abs(plain).max() > 10 * size
assert len(iterated) < len(truth) or np.abs(iterated).max() > 10 * size
assert error < 1e-3 and half < error and len(passes) <= 5

# --- the figure
fig, axes = plt.subplots(figsize=(7, 4.5), layout="constrained")
time = np.arange(len(truth)) * 5e-3
axes.plot(time, 1e3 * truth, color="grey", linewidth=4, alpha=0.5, label="one system")
axes.plot(time, 1e3 * found, label="two FMUs, directional derivatives")
axes.plot(np.arange(len(plain)) * 5e-3, 1e3 * plain, "--", label="two FMUs, plain exchange")
axes.set(xlabel="time [s]", ylabel="place of the left mass [mm]", ylim=(-2e3 * size, 2e3 * size))
axes.legend()
fig.savefig(folder / "stiff_coupling.png", dpi=120)
print(folder / "stiff_coupling.png")
