"""Builds the wheel of the Python package with CMake: the hooks of PEP 517, from the standard library alone.

    pip install .                                        builds in build/wheel, kept for the next time
    pip wheel . -C build-dir=FOLDER                      builds in another folder

The wheel is for the interpreter that runs pip, and holds the libraries that the package needs except those of
the C and C++ runtime.
"""

import base64
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
# of the system: the C library, and the runtime of C++ that other packages share with ours
SYSTEM = re.compile(r"(linux-vdso|ld-linux|lib(c|m|dl|rt|pthread|util|gcc_s|stdc\+\+|resolv))\b")


def version():
    text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    return re.search(r"project\(femflex\s+VERSION\s+([0-9.]+)", text).group(1)


def run(*command):
    environment = dict(os.environ)
    # what the build of the program has compiled comes out of the compiler cache
    environment.setdefault("CCACHE_BASEDIR", str(ROOT))
    environment.setdefault("CCACHE_NOHASHDIR", "1")
    environment.setdefault("CCACHE_SLOPPINESS", "time_macros")
    print("+", *command, flush=True)
    subprocess.run(command, check=True, env=environment, cwd=ROOT)


def build(folder):
    """Compiles the package for this interpreter; gives its folder."""
    for tool in ("cmake", "ninja"):
        if not shutil.which(tool):
            sys.exit(f"femflex: {tool} is missing; 'make setup-program' installs what the build needs")
    run(
        "cmake", "--preset", "release", "-B", str(folder), "-DFEMFLEX_BUILD_TESTS=OFF",
        f"-DFEMFLEX_PYTHON={sys.executable}", "-DFEMFLEX_WHEEL=ON", "-UPython_*", "-U_Python_*",
    )  # fmt: skip
    targets = subprocess.run(["ninja", "-C", str(folder), "-t", "targets", "all"], capture_output=True, text=True, check=True)
    if "femflex_python_stubs:" not in targets.stdout:
        sys.exit(f"femflex: the headers of {sys.executable} or pybind11 are missing (Debian: python3-dev, pybind11-dev)")
    jobs = os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL") or str(os.cpu_count() or 1)
    run("cmake", "--build", str(folder), "--parallel", jobs, "--target", "femflex_python_stubs")
    return folder / "python" / "femflex"


def libraries(module):
    """(name, path) of the shared libraries that go into the wheel."""
    listed = subprocess.run(["ldd", str(module)], capture_output=True, text=True, check=True).stdout
    found = re.findall(r"^\s*(\S+) => (/\S+)", listed, re.M)
    missing = re.findall(r"^\s*(\S+) => not found", listed, re.M)
    if missing:
        sys.exit(f"femflex: not found: {', '.join(missing)}")
    return [(name, pathlib.Path(path)) for name, path in found if not SYSTEM.match(name)]


def tag():
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    return f"{python}-{python}-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"


def metadata():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    return (
        f"Metadata-Version: 2.1\nName: femflex\nVersion: {version()}\n"
        "Summary: Flexible bodies from finite-element models, and their motion\n"
        "License: MIT\nRequires-Python: >=3.9\nProvides-Extra: arrays\n"
        "Requires-Dist: numpy; extra == 'arrays'\nRequires-Dist: scipy; extra == 'arrays'\n"
        f"Description-Content-Type: text/markdown\n\n{readme}"
    )


def described():
    """The files of the folder dist-info but RECORD, by name."""
    return {
        "METADATA": metadata().encode(),
        "WHEEL": f"Wheel-Version: 1.0\nGenerator: femflex\nRoot-Is-Purelib: false\nTag: {tag()}\n".encode(),
        "LICENSE": (ROOT / "LICENSE").read_bytes(),
    }


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    """Without it pip would compile to learn the name, and call that "Preparing metadata"."""
    name = f"femflex-{version()}.dist-info"
    folder = pathlib.Path(metadata_directory) / name
    folder.mkdir()
    for file, text in described().items():
        (folder / file).write_bytes(text)
    return name


class Wheel:
    """A wheel that is written file by file, with its RECORD at the end."""

    def __init__(self, path):
        self.zip = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED)
        self.record = []

    def add(self, name, data, is_program=False):
        entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
        entry.compress_type = zipfile.ZIP_DEFLATED
        entry.external_attr = (0o755 if is_program else 0o644) << 16
        self.zip.writestr(entry, data)
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        self.record.append(f"{name},sha256={digest},{len(data)}")

    def close(self, info):
        self.zip.writestr(f"{info}/RECORD", "\n".join([*self.record, f"{info}/RECORD,,", ""]))
        self.zip.close()


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    folder = pathlib.Path((config_settings or {}).get("build-dir", ROOT / "build" / "wheel")).resolve()
    package = build(folder)
    name = f"femflex-{version()}-{tag()}.whl"
    info = f"femflex-{version()}.dist-info"
    wheel = Wheel(pathlib.Path(wheel_directory) / name)
    module = package / f"_core{sysconfig.get_config_var('EXT_SUFFIX')}"
    if not module.exists():
        module = next(package.glob(f"_core.cpython-{sys.version_info.major}{sys.version_info.minor}-*.so"))
    for path in sorted(package.iterdir()):
        if path.suffix in (".py", ".pyi", ".typed"):
            wheel.add(f"femflex/{path.name}", path.read_bytes())
    wheel.add(f"femflex/{module.name}", module.read_bytes(), is_program=True)
    for library, path in libraries(module):
        wheel.add(f"femflex/lib/{library}", path.read_bytes(), is_program=True)
    for name_of_text, text in described().items():
        wheel.add(f"{info}/{name_of_text}", text)
    wheel.close(info)
    return name


def build_sdist(sdist_directory, config_settings=None):
    """What git knows of the tree."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    base = f"femflex-{version()}"
    with tarfile.open(pathlib.Path(sdist_directory) / f"{base}.tar.gz", "w:gz") as archive:
        for name in listed.splitlines():
            archive.add(ROOT / name, f"{base}/{name}")
    return f"{base}.tar.gz"
