"""Installing puts the package where Debian's python3 looks for it."""

import os
import site
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.parametrize("prefix", ["/usr/local", "/usr"])
def test_the_package_lands_on_the_path_of_python(prefix, tmp_path):
    # truth: the folders that the interpreter searches
    build = os.environ.get("FEMFLEX_BUILD")
    if not build:
        pytest.skip("FEMFLEX_BUILD does not name the build folder")
    if not Path("/etc/debian_version").exists():
        pytest.skip("the folders are Debian's")
    subprocess.run(
        ["cmake", f"-DCMAKE_INSTALL_PREFIX={prefix}", "-P", f"{build}/python/cmake_install.cmake"],
        check=True, capture_output=True, env={**os.environ, "DESTDIR": str(tmp_path)})
    (found,) = tmp_path.rglob("femflex/__init__.py")
    folder = found.parent.parent
    assert "/" + str(folder.relative_to(tmp_path)) in site.getsitepackages()
    done = subprocess.run(
        [sys.executable, "-B", "-c", "import femflex; print(femflex.__file__)"],
        capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(folder)}, cwd=tmp_path)
    assert done.stdout.strip() == str(found), done.stderr
    assert (folder / "femflex" / "py.typed").exists()
