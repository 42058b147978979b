# %% [markdown]
# # A mount tuned along its gradient
#
#     /usr/bin/python3 examples/python/tune_mount.py FOLDER
#
# A machine shakes at a low and a high frequency; its mount shall pass on as little force as
# possible. A study over the whole range finds where to begin; then each call gives the value and
# its derivatives by stiffness and damping.
# Truth: no run of the study is better, and the gradient vanishes where no bound is reached.

# %%
import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from scipy.optimize import minimize

import femflex as ff

folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
system = {
    "femflex": 1,
    "name": "machine",
    "parameters": {"k": 2e5, "c": 1e3},
    "bodies": {"machine": {"point": {"mass": 100}}},
    "joints": {"guide": {"type": "point-on-line", "a": "ground", "b": "machine", "axis": [0, 0, 1]}},
    "forces": {
        "mount": {"type": "spring-damper", "a": "ground/foot", "b": "machine",
                  "stiffness": "=k", "damping": "=c", "length": 1},
        "shake": {"type": "force", "on": "machine",
                  "value": [0, 0, "100*sin(30*t) + 400*sin(200*t)"]},
    },
    "ground": {"markers": {"foot": {"at": [0, 0, -1]}}},
    "analyses": [{"type": "dynamic", "end": 2, "step": 1e-3}],
}
measure = {"force": "rms:mount/value@0.5-2s"}
low, high = np.log([5e4, 100]), np.log([1e6, 2e4])


# %% Value and gradient by the logarithms of k and c
def force(x):
    k, c = np.exp(x)
    g = ff.study(system, gradient=True, vary=["k", "c"], measure=measure,
                 set={"parameters.k": k, "parameters.c": c}).gradient
    return g.values[0], g.slopes[0] * g.at


# %% A study of the whole range finds where to begin
study = ff.study(system, vary={"k": "log:5e4:1e6", "c": "log:100:2e4"}, sample="sobol:128",
                 measure=measure).table
first = np.argmin(study["force"])
begin = np.log([study["k"][first], study["c"][first]])
found = minimize(force, begin, jac=True, method="L-BFGS-B", bounds=list(zip(low, high)))
k, c = np.exp(found.x)
print(f"k {k:.4g} N/m, c {c:.4g} N s/m: {found.fun:.4g} N in {found.nfev} runs, "
      f"{study['force'].min():.4g} N in 128 runs of the study")
assert found.fun < study["force"].min()
inside = (found.x > low + 1e-6) & (found.x < high - 1e-6)
assert inside.any() and np.all(np.abs(found.jac[inside]) < 1e-3 * found.fun)

# %% The figure
fig, axes = plt.subplots(figsize=(7, 4.5), layout="constrained")
points = axes.scatter(study["k"], study["c"], c=study["force"], norm="log")
axes.scatter(k, c, marker="*", s=200, color="red", label="along the gradient")
axes.set(xscale="log", yscale="log", xlabel="stiffness [N/m]", ylabel="damping [N s/m]")
fig.colorbar(points, label="rms force on the ground [N]")
axes.legend()
fig.savefig(folder / "tune_mount.png", dpi=120)
print(folder / "tune_mount.png")
