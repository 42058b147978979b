"""The wheel of the build backend, and the package where numpy is missing."""

import base64
import hashlib
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import femflex as ff

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "data" / "double_mass_spring"
WITHOUT_NUMPY = "import sys; sys.modules['numpy'] = None; sys.modules['scipy'] = None; import femflex as ff\n"


def run(lines, **environment):
    return subprocess.run(
        [sys.executable, "-B", "-c", lines], capture_output=True, text=True, cwd=DATA, env={**os.environ, **environment}
    )


@pytest.fixture
def wheel(tmp_path, monkeypatch):
    """A wheel of the package that is under test, without the libraries."""
    monkeypatch.syspath_prepend(ROOT / "python" / "backend")
    import femflex_build

    monkeypatch.setattr(femflex_build, "build", lambda folder: Path(ff.__file__).parent)
    monkeypatch.setattr(femflex_build, "libraries", lambda module: [])
    return tmp_path / femflex_build.build_wheel(tmp_path)


def test_the_record_holds_the_digest_of_every_file(wheel):
    # truth: sha256 of what is in the archive
    with zipfile.ZipFile(wheel) as archive:
        (record,) = [name for name in archive.namelist() if name.endswith("/RECORD")]
        lines = dict(line.split(",", 1) for line in archive.read(record).decode().splitlines())
        assert set(lines) == set(archive.namelist())
        for name, line in lines.items():
            if name == record:
                continue
            digest, size = line.split(",")
            data = archive.read(name)
            wanted = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            assert (digest, int(size)) == (f"sha256={wanted}", len(data)), name


def test_pip_installs_it_and_it_imports(wheel, tmp_path):
    folder = tmp_path / "site"
    done = subprocess.run(
        [sys.executable, "-m", "pip", "install", "-q", "--no-index", "--no-deps", "--target", str(folder), str(wheel)],
        capture_output=True, text=True,
    )  # fmt: skip
    if "No module named pip" in done.stderr:
        pytest.skip("python3-pip is not installed")
    assert done.returncode == 0, done.stderr
    shown = run("import femflex; print(femflex.__file__)", PYTHONPATH=str(folder))
    assert shown.stdout.strip() == str(folder / "femflex" / "__init__.py"), shown.stderr


def test_verbs_run_without_numpy():
    done = run(
        WITHOUT_NUMPY + "model = ff.import_('dms.bdf', 'dms.ou1.op4', 'dms.op2', units='m-kg-s', quiet=True).model\n"
        "body = ff.reduce(model, select='dynamic:1-2', orthogonalise=True, scale=True).body\n"
        "print(body, body.total_mass)\n"
    )
    # truth: the mass of the chain
    assert done.stdout.endswith("10.0\n"), done.stderr


@pytest.mark.parametrize(
    "lines",
    [
        "ff.read_matrices('dms.ou1.op4')",
        "ff.import_('dms.bdf', 'dms.ou1.op4', units='m-kg-s', quiet=True).model.stiffness",
        "ff.import_('dms.bdf', 'dms.ou1.op4', units='m-kg-s', quiet=True).model.node_ids",
        "ff.mac([[1.0]], [[1.0]])",
        "ff.Result([0.0, 1.0], {'a': [1.0, 2.0]})",
    ],
)
def test_an_array_without_numpy_says_what_to_install(lines):
    done = run(WITHOUT_NUMPY + lines)
    assert done.returncode != 0
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith("femflex._errors.UsageError"), last
    assert "pip install numpy scipy" in last
    assert "is not installed" in last


def test_a_numpy_that_the_build_does_not_know_is_refused():
    # truth: numpy 2 moved the item size of array types, which pybind11 follows from 2.12 on
    from femflex._arrays import unfit

    assert unfit(1, False) == unfit(0, False) == unfit(2, True) == ""
    assert "numpy<2" in unfit(2, False)
    assert isinstance(ff._core.serves_numpy_2, bool)


def test_another_interpreter_is_told_so(tmp_path):
    package = tmp_path / "femflex"
    package.mkdir()
    for file in Path(ff.__file__).parent.glob("*.py"):
        (package / file.name).write_text(file.read_text(encoding="utf-8"), encoding="utf-8")
    (package / "_core.cpython-39-x86_64-linux-gnu.so").write_bytes(b"")
    done = run("import femflex", PYTHONPATH=str(tmp_path))
    assert f"femflex is not built for Python {sys.version_info.major}.{sys.version_info.minor}" in done.stderr
    assert "_core.cpython-39-x86_64-linux-gnu.so" in done.stderr
