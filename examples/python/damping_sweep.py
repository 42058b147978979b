# %% [markdown]
# # What damping does to a step response
#
#     /usr/bin/python3 examples/python/damping_sweep.py FOLDER
#
# One system, many damping ratios: the chain of two masses takes a step of 10 N at its end.
# Truth: the displacement overshoots less and less as damping grows, and always comes to rest at the
# static solution, F / k_1 + F / k_2 = 10/20 + 10/10 m.

# %%
import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

import femflex as ff

data = Path(__file__).resolve().parents[2] / "data" / "double_mass_spring"
folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")

# %% The body, and the system as a dict: it has the same members as a system file
model = ff.import_(
    *(data / name for name in ("dms.bdf", "dms.ou1.op4", "dms.op2")), units="m-kg-s", name="dms"
).model
body = ff.reduce(model, select="dynamic:1-2", orthogonalise=True, scale=True).body
system = {
    "femflex": 1,
    "name": "step",
    "units": "m-kg-s",
    "bodies": {"dms": {"flex": body}},
    "joints": {"wall": {"type": "fixed", "a": "ground", "b": "dms"}},
    "forces": {"step": {"type": "force", "on": "dms/3", "value": [0, 0, 10]}},
    "analyses": [{"type": "dynamic", "end": 60, "step": 0.01, "output_step": 0.02}],
    "outputs": ["dms/3/displacement"],
}

# %% The sweep, with one progress bar for all runs; Ctrl-C stops it at any time
ratios = np.array([0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4])
bar = ff.ProgressBar(after=0.0)
responses = []
for k, ratio in enumerate(ratios):
    bar("damping sweep", k, len(ratios), "runs")
    result = ff.simulate(system, set={"bodies.dms.damping": ratio}).result
    responses.append(result["dms/3/displacement/z"])
bar.close()
time = result.time

# %% Overshoot, and the displacement at the end
static = 10 / 20 + 10 / 10
overshoot = np.array([z.max() / static - 1 for z in responses])
for ratio, over, z in zip(ratios, overshoot, responses):
    print(f"ratio {ratio:5.3f}: overshoot {over:6.1%}, at the end {z[-1]:.4f} m")
assert np.all(np.diff(overshoot) < 0)
assert abs(responses[-1][-1] / static - 1) < 1e-4

# %% The figure
fig, (left, right) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
for ratio, z in zip(ratios[::2], responses[::2]):
    left.plot(time, z, label=f"ratio {ratio:g}")
left.axhline(static, color="grey", linestyle=":")
left.set(xlabel="t [s]", ylabel="z of node 3 [m]", title="step response")
left.legend()
right.semilogx(ratios, 100 * overshoot, marker="o")
right.set(xlabel="damping ratio of both modes", ylabel="overshoot [%]", title="overshoot")
fig.savefig(folder / "damping_sweep.png", dpi=120)
print(folder / "damping_sweep.png")
