# %% [markdown]
# # A damper that is good for every load
#
#     /usr/bin/python3 examples/python/robust_damper.py FOLDER
#
# The truck of `femflex new truck` drives over a rough road. Stiffness of the tyres and speed are not
# known; the damping is to be chosen so that comfort is good in nearly all cases.
# Truth: too little damping lets the chassis bounce, too much passes the road on, so the best choice
# lies between the ends of the range.

# %%
import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

import femflex as ff

folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
ff.new("truck", output=folder / "truck.json")

# %% Every damping meets the same cases, so that differences are those of the damping
random = np.random.default_rng(1)
dampings = np.geomspace(5e2, 5e4, 9)
cases = {"k": random.uniform(1.5e5, 3e5, 16), "speed": random.uniform(8, 20, 16)}
c, case = (grid.ravel() for grid in np.meshgrid(dampings, np.arange(16), indexing="ij"))
table = {"c": c, **{name: values[case] for name, values in cases.items()}}

# %% All runs in one call
study = ff.study(
    folder / "truck.json",
    table=table,
    measure={"comfort": "rms:chassis/701/acceleration/z@0.5-40Hz@0.3-1.5s"},
    end=1.5,
)
comfort = study.table["comfort"].reshape(len(dampings), 16)
bad_case = np.quantile(comfort, 0.9, axis=1)
best = int(np.argmin(bad_case))
print(f"damping {dampings[best]:.0f} N s/m: {bad_case[best]:.2f} m/s2 in nine of ten cases")
assert 0 < best < len(dampings) - 1

# %% The figure
fig, axes = plt.subplots(figsize=(7, 4.5), layout="constrained")
axes.loglog(dampings, comfort, color="lightgrey")
axes.loglog(dampings, bad_case, marker="o", label="not exceeded in nine of ten cases")
axes.axvline(dampings[best], color="grey", linestyle=":")
axes.set(xlabel="damping of a tyre [N s/m]", ylabel="rms acceleration [m/s2]")
axes.legend()
fig.savefig(folder / "robust_damper.png", dpi=120)
print(folder / "robust_damper.png")
