"""femflex: flexible bodies from finite-element models, and their motion.

Every verb of the command line is a function with the same options:

    import femflex as ff
    model = ff.import_("dms.bdf", "dms.ou1.op4", "dms.op2", units="m-kg-s").model
    body = ff.reduce(model, select="dynamic:1-2", orthogonalise=True, scale=True).body
    body.write("dms.flex")
    result = ff.simulate("push.json").result
    result["dms/3/displacement/z"]

Inputs are paths, or values made by earlier calls; results are numpy arrays and scipy.sparse
matrices. Long calls let other Python threads run and stop at Ctrl-C.
"""

import json
import os
import tempfile

try:
    from . import _core
except ImportError as error:
    import glob
    import sys

    built = ", ".join(os.path.basename(f) for f in glob.glob(os.path.join(os.path.dirname(__file__), "_core.*.so")))
    raise ImportError(
        f"femflex is not built for Python {sys.version_info.major}.{sys.version_info.minor} ({sys.executable}): "
        f"its folder holds {built or 'no compiled part'}; build it for this interpreter: "
        "python -m pip install PATH-OF-THE-SOURCES"
    ) from error
from . import _arrays, _display, _html
from ._core import (
    Contents,
    FeModel,
    FlexBody,
    ModeSet,
    Result,
    __version__,
    body_formats,
    format_number_list,
    mac,
    parse_number_list,
    unit_factors,
    unit_names,
)
from ._errors import (
    Cancelled,
    FemflexError,
    FemflexWarning,
    ModelError,
    NumericalError,
    ParseError,
    UsageError,
)
from ._progress import ProgressBar, sink_of
from ._report import Report
from ._study import Gradient, Table
from ._verbs import FUNCTIONS as _FUNCTIONS

Error = FemflexError

mac = _arrays.guarded(mac)
_arrays.guard(FeModel, FlexBody, Result, ModeSet, Contents)

Result.to_dataframe = _display.frame_of_result
Result.plot = _display.plot_of_result
FlexBody.to_dataframe = _display.frame_of_body


def _shown(kind, words):
    """Sets how a class is printed: with figures from arrays, without numpy by its name alone."""

    def text(value):
        try:
            return f"<femflex.{kind.__name__} '{value.name}': {words(value)}>"
        except UsageError:
            return f"<femflex.{kind.__name__} '{value.name}'>"

    kind.__repr__ = text


def _shown_as_table(kind, table):
    """The same for notebooks, which print the text where there is no table."""

    def text(value):
        try:
            return table(value)
        except UsageError:
            return None

    kind._repr_html_ = text


_shown_as_table(FeModel, _html.of_model)
_shown_as_table(FlexBody, _html.of_body)
_shown_as_table(Result, _html.of_result)
_shown(
    FeModel,
    lambda m: (
        f"{len(m.node_ids)} nodes, {len(m.dof_nodes)} dofs, {len(m.modes)} modes, "
        f"{m.units or 'units not known'}"
    ),
)
_shown(FlexBody, lambda b: f"{len(b.node_ids)} nodes, {len(b)} modes, {b.total_mass:.6g} kg")
_shown(Result, lambda r: f"{len(r.time)} rows, {len(r)} channels")


def read_model(path, *, units=None, progress=None):
    """Reads a native FE model (.fe.h5), or one file of an FE code."""
    return _core.read_model(os.fspath(path), units or "", sink_of(progress))


def read_body(path, *, units=None, progress=None):
    """Reads a flexible body of any format, in SI; `units` are those of a file that gives none."""
    return _core.read_body(os.fspath(path), units or "", sink_of(progress))


def read_result(path):
    """Reads a result (.h5), or a table of numbers with one header line of names (.csv)."""
    return _core.read_result(os.fspath(path))


def read_contents(path, *, format=None, progress=None):
    """Reads one file of an FE code in its own terms: matrices, shapes, grids as arrays."""
    return _core.read_contents(os.fspath(path), format or "", sink_of(progress))


def show(*values, flex=None, height=520):
    """The 3D page of one or two bodies, FE models or result files; notebooks show it inside a cell.

    flex    body files of a result, where those that it names are not there any more
    height  of the frame in the notebook [px]
    """
    return _display.page_of(_FUNCTIONS["view"], values, flex=flex, height=height)


def polynomial(lattice, *, dimension=None):
    """The Hamiltonian of a lattice or of a polynomial's file as its three arrays.

    The dict is a model for `lattice()`: `polynomial` holds `coefficients`, `variables_per_term`
    and `variables` (numbers of states from 0), `start` the start states in blocks of `dimension`
    positions and as many momenta.
    """
    with tempfile.TemporaryDirectory(prefix="femflex-") as folder:
        path = os.path.join(folder, "H.json")
        _FUNCTIONS["lattice"](lattice, to_polynomial=path, dimension=dimension)
        with open(path, encoding="utf-8") as text:
            out = json.load(text)
    np = _arrays.numpy("the polynomial")
    arrays = out["polynomial"]
    arrays["coefficients"] = np.array(arrays["coefficients"], dtype=float)
    for name in ("variables_per_term", "variables"):
        arrays[name] = np.array(arrays[name], dtype=np.int32)
    if "start" in out:
        out["start"] = np.array(out["start"], dtype=float)
    return out


def read_matrices(path):
    """Matrices of a file by name: numpy where stored dense, scipy csc where sparse."""
    return read_contents(path).matrices


def write_op4(path, matrices, *, ascii=False):
    """Writes a dict of matrices as NASTRAN OUTPUT4, whole or not at all."""
    _arrays.guarded(_core.write_op4)(os.fspath(path), matrices, ascii)


globals().update(_FUNCTIONS)

__all__ = sorted(
    [
        "Cancelled",
        "Contents",
        "Error",
        "FeModel",
        "FemflexError",
        "FemflexWarning",
        "FlexBody",
        "Gradient",
        "ModeSet",
        "ModelError",
        "NumericalError",
        "ParseError",
        "ProgressBar",
        "Report",
        "Result",
        "Table",
        "UsageError",
        "__version__",
        "body_formats",
        "format_number_list",
        "mac",
        "parse_number_list",
        "polynomial",
        "read_body",
        "read_contents",
        "read_matrices",
        "read_model",
        "read_result",
        "show",
        "unit_factors",
        "unit_names",
        "write_op4",
        *_FUNCTIONS,
    ]
)


def __dir__():
    return __all__
