"""Runs a test file with pytest; reports what is missing and then exits with 77 (skipped)."""

import importlib.util
import sys

for module, package in (
    ("pytest", "python3-pytest"),
    ("numpy", "python3-numpy"),
    ("scipy", "python3-scipy"),
    ("matplotlib", "python3-matplotlib"),
):
    if importlib.util.find_spec(module) is None:
        print(f"skipped: {package} is not installed")
        sys.exit(77)

import pytest  # noqa: E402

sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", *sys.argv[1:]]))
