# %% [markdown]
# # How many modes does a chassis need?
#
#     /usr/bin/python3 examples/python/reduced_versus_full.py FOLDER
#
# A ladder frame is reduced by Craig-Chang (free normal modes and residual attachment modes) with
# more and more normal modes, and each body is compared with the full FE model: free frequencies,
# MAC, and the frequency response at the interface. Truth: the full model.

# %%
import sys
import warnings
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

import femflex as ff

data = Path(__file__).resolve().parents[2] / "data" / "chassis"
folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
warnings.simplefilter("ignore", ff.FemflexWarning)  # warns of DOFs without mass each time

# %%
model = ff.import_(
    data / "framec.bdf",
    data / "framec_kgg_mgg_ascii.op4",
    interface="1-8,51",
    units="m-kg-s",
    name="chassis",
).model
print(model)

# %% Reduce and validate
counts = [10, 15, 20, 40]
checks = {}
for normal in counts:
    body = ff.reduce(
        model, method="craig-chang", normal=normal, damping=0.02
    ).body
    checks[normal] = ff.validate(body, against=model, modes=10, band="0-60Hz")
    worst = np.max(np.abs(checks[normal].column("frequencies", "error_percent")))
    mac = np.min(checks[normal].column("frequencies", "mac"))
    frf = checks[normal]["frf_error"]["max_relative"]
    print(f"{normal:3d} normal modes: worst frequency {worst:.3g} %, worst MAC {mac:.5f}, FRF {frf:.2g}")

# %% The figure
fig, (left, right) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
for normal, check in checks.items():
    left.semilogy(
        check.column("frequencies", "full_hz"),
        np.maximum(np.abs(check.column("frequencies", "error_percent")), 1e-6),  # above round-off
        marker="o",
        label=f"{normal} normal modes",
    )
left.set(xlabel="frequency of the full model [Hz]", ylabel="error [%]", title="free frequencies")
left.axhline(1.0, color="grey", linestyle=":", label="limit of validate")
left.legend()
right.loglog(counts, [checks[n]["frf_error"]["max_relative"] for n in counts], marker="o")
right.axhline(0.05, color="grey", linestyle=":")
right.set_xticks(counts, counts)
right.minorticks_off()
right.set(xlabel="normal modes", ylabel="largest relative error", title="interface FRF, 0 to 60 Hz")
fig.savefig(folder / "reduced_versus_full.png", dpi=120)

# more modes make a better body, and twenty pass every limit
errors = [checks[n]["frf_error"]["max_relative"] for n in counts]
assert errors == sorted(errors, reverse=True)
assert not checks[15].passed and checks[20].passed
print(folder / "reduced_versus_full.png")
