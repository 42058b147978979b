"""Tables, plots and 3D pages that values show on demand."""

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

import femflex as ff


@pytest.fixture
def body(dms):
    return ff.reduce(dms, select="dynamic:1-2", orthogonalise=True, scale=True, damping=0.02).body


@pytest.fixture
def result():
    return ff.Result([0.0, 0.5, 1.0], {"a/x": [1.0, 2.0, 4.0], "a/y": [0.0, 0.0, 1.0]}, units={"a/x": "m", "a/y": "m"})


class Frame:
    """What the package uses of pandas.DataFrame."""

    def __init__(self, columns, index):
        self.columns = {k: np.asarray(v) for k, v in columns.items()}
        self.index = type("Index", (), {"values": np.asarray(list(index)), "name": None})()


@pytest.fixture
def pandas(monkeypatch):
    if importlib.util.find_spec("pandas") is None:
        monkeypatch.setitem(sys.modules, "pandas", type(sys)("pandas"))
        sys.modules["pandas"].DataFrame = Frame


def values(frame, name):
    return np.asarray(frame[name]) if hasattr(frame, "iloc") else frame.columns[name]


def test_a_result_is_a_table_with_time_as_its_index(pandas, result):
    # truth: the numbers that went in
    frame = result.to_dataframe()
    assert frame.index.name == "time"
    assert np.asarray(frame.index.values).tolist() == [0.0, 0.5, 1.0]
    assert values(frame, "a/x").tolist() == [1.0, 2.0, 4.0]
    assert list(result.to_dataframe(["a/y"]).columns) == ["a/y"]


def test_a_body_is_a_table_of_its_modes(pandas, body):
    # truth: the arrays of the body
    frame = body.to_dataframe()
    assert values(frame, "frequency_hz").tolist() == body.frequencies_hz.tolist()
    assert np.asarray(frame.index.values).tolist() == [1, 2]


def test_a_missing_pandas_is_named(monkeypatch, result):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ff.UsageError, match="python3-pandas"):
        result.to_dataframe()


def test_a_plot_has_a_curve_for_each_channel(result):
    pytest.importorskip("matplotlib")
    axes = result.plot("a/x", "a/y")
    assert [line.get_label() for line in axes.get_lines()] == ["a/x", "a/y"]
    assert axes.get_lines()[0].get_ydata().tolist() == [1.0, 2.0, 4.0]
    assert axes.get_ylabel() == "[m]"
    with pytest.raises(ff.UsageError, match="no channel"):
        result.plot()
    with pytest.raises(ff.UsageError, match="no channel 'a/z'"):
        result.plot("a/z")


def test_a_notebook_shows_the_page_of_a_body_inside_itself(body, tmp_path):
    # truth: the page that the verb writes
    page = ff.show(body, height=400)
    html = page._repr_html_()
    assert html.startswith("<iframe") and "height:400px" in html and "srcdoc=" in html
    page.write(tmp_path / "page.html")
    body.write(tmp_path / "body.fbm")
    ff.view(tmp_path / "body.fbm", output=tmp_path / "verb.html")
    assert Path(tmp_path / "page.html").read_bytes() == Path(tmp_path / "verb.html").read_bytes()


def test_what_has_no_picture_says_so(result):
    with pytest.raises(ff.UsageError, match="Result has no picture"):
        ff.show(result)
