# %% [markdown]
# # Which parameters decide about comfort
#
#     /usr/bin/python3 examples/python/comfort_effects.py FOLDER
#
# Main and total effects (indices of Sobol') of stiffness, damping and speed on the acceleration of
# the chassis, from the design of Saltelli. The runs go through a `concurrent.futures` executor:
# any other, of mpi4py or Dask, would do.
# Truth: main effects add up to no more than 1, and no total effect is below its main effect, both
# within the errors of the estimates.

# %%
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

import femflex as ff

folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
ff.new("truck", output=folder / "truck.json")

# %% The study in four parts
with ProcessPoolExecutor(2) as executor:
    study = ff.study(
        folder / "truck.json",
        vary={"k": (1e5, 3e5), "c": "log:2e3:3e4", "speed": (8, 20)},
        sample="saltelli:64",
        measure={"comfort": "rms:chassis/701/acceleration/z@0.5-40Hz"},
        end=1.0,
        executor=executor,
        shards=4,
    )
assert len(study.table) == 64 * 5

# %% Effects with their errors
effects = study["measures"][0]["effects"]
names = [effect["parameter"] for effect in effects]
main, main_error, total, total_error = (
    np.array([effect[key] for effect in effects])
    for key in ("main", "main_error", "total", "total_error")
)
for row in zip(names, main, main_error, total, total_error):
    print("{}: main {:.2f} +- {:.2f}, total {:.2f} +- {:.2f}".format(*row))
assert main.sum() < 1 + 3 * np.linalg.norm(main_error)
assert np.all(total > main - 3 * np.hypot(main_error, total_error))

# %% The figure
fig, axes = plt.subplots(figsize=(7, 4), layout="constrained")
place = np.arange(len(names))
axes.bar(place - 0.2, main, 0.4, yerr=main_error, capsize=4, label="main effect")
axes.bar(place + 0.2, total, 0.4, yerr=total_error, capsize=4, label="total effect")
axes.set_xticks(place, names)
axes.set(ylabel="share of the variance of comfort")
axes.legend()
fig.savefig(folder / "comfort_effects.png", dpi=120)
print(folder / "comfort_effects.png")
