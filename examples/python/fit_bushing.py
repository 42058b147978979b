# %% [markdown]
# # Stiffness and damping of a bushing from a measured history
#
#     /usr/bin/python3 examples/python/fit_bushing.py FOLDER
#
# A block of 100 kg on a bushing is pushed; its acceleration was measured. A study over the whole
# range finds where to begin, least squares of scipy do the rest.
# Truth: the history was made with known numbers and noise of 1 %; they are found within 1 %.

# %%
import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from scipy.optimize import least_squares

import femflex as ff

folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
CHANNEL = "block/acceleration/z"
system = {
    "femflex": 1,
    "name": "block",
    "parameters": {"k": 1e5, "c": 1e3},
    "bodies": {"block": {"point": {"mass": 100}}},
    "joints": {"guide": {"type": "point-on-line", "a": "ground", "b": "block", "axis": [0, 0, 1]}},
    "forces": {
        "bushing": {"type": "spring-damper", "a": "ground/foot", "b": "block",
                    "stiffness": "=k", "damping": "=c", "length": 1},
        "push": {"type": "force", "on": "block", "value": [0, 0, "500*step(t, 0.05)"]},
    },
    "ground": {"markers": {"foot": {"at": [0, 0, -1]}}},
    "analyses": [{"type": "dynamic", "end": 1, "step": 1e-3, "output_step": 2e-3}],
    "outputs": ["block/acceleration"],
}


def history(k, c):
    return ff.simulate(system, set={"parameters.k": k, "parameters.c": c}).result[CHANNEL]


# %% What was measured
true = np.array([2.37e5, 860.0])
clean = history(*true)
random = np.random.default_rng(2)
measured = clean + 0.01 * np.abs(clean).max() * random.standard_normal(clean.shape)

# %% Where to begin: the run of a study whose frequency and rms are nearest to the measured ones
study = ff.study(
    system,
    vary={"k": "log:2e4:1e6", "c": "log:100:5000"},
    sample="sobol:128",
    measure={"rms": f"rms:{CHANNEL}", "hz": f"frequency:{CHANNEL}"},
)
lines = np.abs(np.fft.rfft(measured))
hz = np.fft.rfftfreq(len(measured), 2e-3)[np.argmax(lines[1:]) + 1]
distance = np.abs(np.log(study.table["rms"] / np.sqrt(np.mean(measured**2))))
distance += np.abs(study.table["hz"] - hz) / hz
first = study.table.array(["k", "c"])[np.argmin(distance)]

# %% Least squares in the logarithms
fit = least_squares(lambda x: history(*np.exp(x)) - measured, np.log(first), diff_step=1e-4)
found = np.exp(fit.x)
print(f"k {found[0]:.4g} N/m, c {found[1]:.4g} N s/m, begun at {first[0]:.3g}, {first[1]:.3g}")
assert np.allclose(found, true, rtol=0.01)

# %% The figure
time = np.linspace(0, 1, len(measured))
fig, axes = plt.subplots(figsize=(7, 4), layout="constrained")
axes.plot(time, measured, color="lightgrey", label="measured")
axes.plot(time, history(*first), linestyle=":", label="best of the study")
axes.plot(time, history(*found), label="fitted")
axes.set(xlabel="t [s]", ylabel="acceleration [m/s2]")
axes.legend()
fig.savefig(folder / "fit_bushing.png", dpi=120)
print(folder / "fit_bushing.png")
