"""numpy and scipy, imported where an array is needed and not before."""

import functools
import importlib.util
import sys

from ._errors import UsageError

FIX = "install both: python -m pip install numpy scipy (Debian: python3-numpy python3-scipy)"


def numpy(what):
    """The module numpy; `what` is the array that needs it."""
    try:
        import numpy as module
    except ImportError as error:
        raise missing(what, error) from error
    return module


def missing(what, error):
    name = getattr(error, "name", None) or "numpy"
    text = f"{what} is an array, and {name.split('.')[0]} is not installed for {sys.executable}; {FIX}"
    return UsageError(text, code="no-numpy", message=text, fix=FIX)


def _installed_major():
    """The first number of numpy's version, found without importing it; 0 where there is none."""
    import importlib.metadata

    try:
        return int(importlib.metadata.version("numpy").split(".")[0])
    except (importlib.metadata.PackageNotFoundError, ValueError):
        return 0


def unfit(major, serves_numpy_2):
    """Why this version of numpy would give wrong numbers with this build; empty: it is right."""
    if major < 2 or serves_numpy_2:
        return ""
    return (
        f"this build of femflex was made with a pybind11 before 2.12, which does not know the arrays of numpy {major}; "
        "install numpy below 2 (python -m pip install 'numpy<2'), or build femflex with a newer pybind11"
    )


def _reason():
    from . import _core

    return unfit(_installed_major(), _core.serves_numpy_2)


def frame_of(columns, index, name):
    """A pandas DataFrame of columns, with a named index."""
    try:
        import pandas
    except ImportError as error:
        text = f"a DataFrame needs pandas, which is not installed for {sys.executable}; python -m pip install pandas (Debian: python3-pandas)"
        raise UsageError(text, code="no-pandas", message=text, fix="install pandas") from error
    frame = pandas.DataFrame(columns, index=index)
    frame.index.name = name
    return frame


def is_array(value):
    """Whether a value is an array of numpy; without numpy loaded there are none."""
    module = sys.modules.get("numpy")
    return module is not None and isinstance(value, module.ndarray)


def is_scalar(value):
    """Whether a value is a number of numpy."""
    module = sys.modules.get("numpy")
    return module is not None and isinstance(value, module.generic)


def _guarded(what, function):
    reason = _reason()

    @functools.wraps(function, assigned=("__name__", "__doc__"))
    def call(*arguments, **options):
        if reason:
            raise UsageError(reason, code="numpy-2", message=reason, fix="install numpy below 2")
        try:
            return function(*arguments, **options)
        except ImportError as error:
            raise missing(what, error) from error

    return call


def is_complete():
    """Whether numpy and scipy are there, in versions that this build serves."""
    return all(importlib.util.find_spec(name) for name in ("numpy", "scipy")) and not _reason()


def guarded(function):
    """A function that says what to do where numpy or scipy is missing."""
    return function if is_complete() else _guarded(f"the argument of {function.__name__}", function)


def guard(*classes):
    """The same for the members of classes."""
    if is_complete():
        return
    for each in classes:
        for name, member in list(vars(each).items()):
            what = each.__name__ + {"__getitem__": "[...]", "__init__": "(...)"}.get(name, f".{name}")
            if isinstance(member, property):
                setattr(each, name, property(_guarded(what, member.fget), doc=member.__doc__))
            elif callable(member) and (not name.startswith("_") or name in ("__getitem__", "__init__")):
                setattr(each, name, _guarded(what, member))
