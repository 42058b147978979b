# %% [markdown]
# # A NASTRAN set becomes body files
#
#     /usr/bin/python3 examples/python/convert.py FOLDER
#
# Deck, matrices and modes of a chain of two masses are gathered into one FE model, reduced, and
# written as body files of several formats. Truth: two masses of 5 kg on springs of 20 and 10 N/m
# have omega^2 = 4 -+ 2 sqrt 2.

# %%
import math
import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

import femflex as ff

data = Path(__file__).resolve().parents[2] / "data" / "double_mass_spring"
folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")

# %% What is in the files
for name in ("dms.bdf", "dms.ou1.op4", "dms.op2"):
    file = ff.info(data / name)["files"][0]
    print(f"{name}: {file['format']}, {len(file['matrices'])} matrices, {len(file['modes'])} mode tables")

# %% One model out of three files; the import checks that they fit each other
files = [data / name for name in ("dms.bdf", "dms.ou1.op4", "dms.op2")]
report = ff.import_(*files, units="m-kg-s", name="dms")
for proof in report["proofs"]:
    print(f"{proof['name']}: {proof['value']:.2g} (limit {proof['limit']:.2g})")
model = report.model

# %% Reduce to its two modes, with 2 % damping
body = ff.reduce(
    model, select="dynamic:1-2", orthogonalise=True, scale=True, damping=0.02, name="dms"
).body
expected = np.sqrt([4 - 2 * math.sqrt(2), 4 + 2 * math.sqrt(2)]) / (2 * math.pi)
print("frequencies [Hz]", body.frequencies_hz, "closed form", expected)
assert np.allclose(body.frequencies_hz, expected, rtol=1e-5)

# %% Write every format, read each back, compare
for ending in (".fbm", ".flex", ".SID_FEM", ".fem"):
    path = folder / f"dms{ending}"
    body.write(path)
    print(f"{path.name}: {path.stat().st_size} bytes,", ff.compare(body, path, tol=1e-5)["verdict"])

# %% The two shapes
fig, axes = plt.subplots(figsize=(6, 3.5), layout="constrained")
for mode in range(len(body)):
    axes.plot(
        [body.shapes_at(node)[2, mode] for node in body.node_ids],
        marker="o",
        label=f"{body.frequencies_hz[mode]:.3f} Hz",
    )
axes.set(xlabel="node", ylabel="z [1/sqrt(kg)]", title="mode shapes of the chain")
axes.set_xticks(range(len(body.node_ids)), body.node_ids)
axes.legend()
fig.savefig(folder / "convert.png", dpi=120)
print(folder / "convert.png")
