"""Shared by the tests of the Python package: where data is, and a small model with a known solution."""

import math
from pathlib import Path

import numpy as np
import pytest

import femflex as ff

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def dms_folder():
    """Files of the double mass-spring chain."""
    return ROOT / "data" / "double_mass_spring"


@pytest.fixture(scope="session")
def dms(dms_folder):
    """Two masses of 5 kg on springs of 20 and 10 N/m: omega^2 = 4 -+ 2 sqrt 2."""
    files = [dms_folder / name for name in ("dms.bdf", "dms.ou1.op4", "dms.op2")]
    return ff.import_(*files, units="m-kg-s", name="dms").model


@pytest.fixture(scope="session")
def eigenvalues():
    """Closed form of the chain's eigenvalues [rad^2/s^2]."""
    return np.array([4.0 - 2.0 * math.sqrt(2.0), 4.0 + 2.0 * math.sqrt(2.0)])


@pytest.fixture
def example():
    """A system of the examples, as a dict; its body file is put in by the test."""
    return {
        "femflex": 1,
        "name": "chain",
        "units": "m-kg-s",
        "bodies": {"dms": {"flex": None, "as": "flex", "at": [0, 0, 0]}},
        "joints": {"foot": {"type": "fixed", "a": "ground", "b": "dms"}},
        "forces": {"push": {"type": "force", "on": "dms/3", "value": [0, 0, 1]}},
        "analyses": [
            {"type": "dynamic", "end": 1, "integrator": "generalised-alpha", "rho": 1.0,
             "step": 0.01}
        ],
        "outputs": ["dms/zeta", "dms/3/displacement", "energy"],
    }
