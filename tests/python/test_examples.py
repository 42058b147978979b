"""The examples run unchanged and write their figures."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "python"


@pytest.mark.parametrize("name", ["convert", "reduced_versus_full", "damping_sweep", "robust_damper",
                                  "comfort_effects", "fit_bushing", "tune_mount"])
def test_the_example_runs_and_leaves_a_picture(name, tmp_path):
    # truth: the claims that each script asserts; a picture that is not blank
    done = subprocess.run([sys.executable, "-B", EXAMPLES / f"{name}.py", tmp_path],
                          capture_output=True, text=True, env=dict(os.environ))
    assert done.returncode == 0, done.stderr
    picture = tmp_path / f"{name}.png"
    assert str(picture) in done.stdout
    import matplotlib.image

    pixels = matplotlib.image.imread(picture)
    assert pixels.shape[0] > 300 and pixels.std() > 0.05
