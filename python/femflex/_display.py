"""What values show of themselves on demand: tables of pandas, plots of matplotlib, 3D pages in notebooks."""

import os
import tempfile
from html import escape
from pathlib import Path

from ._arrays import frame_of
from ._errors import UsageError


def frame_of_result(result, channels=None):
    """A pandas DataFrame: a row per instant [s], a column per channel; default: all channels."""
    names = list(result.channels if channels is None else channels)
    return frame_of({name: result[name] for name in names}, result.time, "time")


def frame_of_body(body):
    """A pandas DataFrame of the modes: kind, source, frequency [Hz], damping ratio, eigenvalue."""
    columns = {
        "kind": list(body.kinds),
        "source": [" ".join(sources) for sources in body.sources],
        "frequency_hz": body.frequencies_hz,
        "damping_ratio": body.damping_ratio,
        "eigenvalue": body.eigenvalues,
    }
    return frame_of(columns, range(1, len(body) + 1), "mode")


def plot_of_result(result, *channels, axes=None):
    """Curves of channels over time on one axes of matplotlib, which it gives back."""
    try:
        from matplotlib import pyplot
    except ImportError as error:
        text = "a plot needs matplotlib, which is not installed; python -m pip install matplotlib (Debian: python3-matplotlib)"
        raise UsageError(text, code="no-matplotlib", message=text, fix="install matplotlib") from error
    if not channels:
        raise UsageError("no channel is named", code="usage", message="no channel is named", fix="give names of result.channels")
    axes = axes or pyplot.figure().subplots()
    for name in channels:
        axes.plot(result.time, result[name], label=name)
    units = {result.units[name] for name in channels if name in result.units}
    axes.set_xlabel("time [s]")
    if len(units) == 1:
        axes.set_ylabel(f"[{units.pop()}]")
    axes.legend()
    return axes


class Page:
    """A page of `femflex view` that a notebook shows inside itself; write() puts it on disk."""

    def __init__(self, text, height):
        self.text = text
        self.height = height

    def write(self, path):
        Path(path).write_text(self.text, encoding="utf-8")

    def _repr_html_(self):
        return (
            f'<iframe title="3D view" style="width:100%;height:{int(self.height)}px;border:0" '
            f'srcdoc="{escape(self.text, quote=True)}"></iframe>'
        )


def page_of(view, values, *, flex=None, height=520):
    """The 3D page of one or two bodies, FE models or results, given as values or paths."""
    with tempfile.TemporaryDirectory(prefix="femflex-") as folder:
        paths = []
        for k, value in enumerate(values):
            if isinstance(value, (str, os.PathLike)):
                paths.append(os.fspath(value))
                continue
            ending = {"FlexBody": ".fbm", "FeModel": ".fe.h5"}.get(type(value).__name__)
            if ending is None:
                text = f"a {type(value).__name__} has no picture of its own"
                raise UsageError(text, code="usage", message=text, fix="name an `output` of the run and show that file")
            paths.append(os.path.join(folder, f"{k + 1}{ending}"))
            value.write(paths[-1])
        page = os.path.join(folder, "page.html")
        options = {"flex": flex} if flex is not None else {}
        view(*paths, output=page, quiet=True, **options)
        return Page(Path(page).read_text(encoding="utf-8"), height)
