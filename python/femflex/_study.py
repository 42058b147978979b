"""Many runs: dicts and tables as arguments of study(), executors, and the table of results."""

import csv
import json
import numbers
import os
import re
import tempfile
from collections.abc import Mapping

from ._arrays import frame_of, is_array, is_scalar, numpy


class Table(dict):
    """Columns of a table of runs by name, as arrays in the order of the runs.

    parameters, measures  names of the columns of each kind
    failures              dict of reasons by row, of runs that failed; their measures are NaN
    """

    def __init__(self, path, document):
        super().__init__()
        with open(path, encoding="utf-8", newline="") as file:
            lines = list(csv.reader(file))
        heads, rows = lines[0], lines[1:]
        self.parameters = [p["name"] for p in document["parameters"]]
        self.measures = [m["name"] for m in document["measures"]]
        for k, head in enumerate(heads[:-1]):
            column = _values_of if head in self.parameters else _numbers
            self[head] = column([row[k] for row in rows])
        self["row"] = self["row"].astype(int)
        self.failures = {int(row[0]): row[-1] for row in rows if row[-1]}

    def __len__(self):
        return len(self["row"])

    def __bool__(self):
        return True

    def array(self, names=None):
        """Columns side by side: runs x names; default: all parameters."""
        columns = [self[name] for name in names or self.parameters]
        return numpy("a table of runs").column_stack(columns)

    def to_dataframe(self):
        """A pandas DataFrame with the rows as its index, and a column `failure`."""
        frame = frame_of({k: v for k, v in self.items() if k != "row"}, self["row"], "row")
        frame["failure"] = [self.failures.get(int(row), "") for row in self["row"]]
        return frame


class Gradient:
    """Measures of one run and their derivatives by parameters of the system.

    parameters, measures  names
    at, values            arrays: the values of the parameters, and of the measures
    slopes                derivatives, measures x parameters; NaN where there is none
    reasons               dict by (measure, parameter): why there is none
    """

    def __init__(self, document):
        np = numpy("a gradient")
        entries = document["measures"]
        self.parameters = [p["name"] for p in document["parameters"]]
        self.measures = [m["name"] for m in entries]
        self.at = np.array([p["value"] for p in document["parameters"]], dtype=float)
        self.values = np.array([m["value"] for m in entries], dtype=float)
        self.slopes = np.array([[g["slope"] for g in m["gradient"]] for m in entries], dtype=float)
        self.reasons = {
            (m["name"], g["parameter"]): g["reason"]
            for m in entries
            for g in m["gradient"]
            if g["reason"]
        }

    def to_dataframe(self):
        """A pandas DataFrame: a row per measure, a column per parameter."""
        columns = {name: self.slopes[:, k] for k, name in enumerate(self.parameters)}
        return frame_of(columns, self.measures, "measure")


_REAL = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


def _numbers(cells):
    np = numpy("a column of a table of runs")
    return np.array([float(cell) if cell else np.nan for cell in cells], dtype=float)


def _values_of(cells):
    """A parameter: numbers if all runs have one, else texts."""
    if all(_REAL.fullmatch(cell) for cell in cells if cell):
        return _numbers(cells)
    return numpy("a column of a table of runs").array(cells, dtype=object)


def _value_text(value):
    """A value as the command line takes it: a text or a path as it is, anything else as JSON."""
    if isinstance(value, (str, os.PathLike)):
        return os.fspath(value)
    return json.dumps(value, default=_plain_value)


def _choice_text(value):
    """One of several values; a text with a mark of lists, ranges or JSON is quoted."""
    text = _value_text(value)
    is_marked = isinstance(value, (str, os.PathLike)) and any(mark in text for mark in ',:"[]{}()')
    return json.dumps(text) if is_marked else text


def _plain_value(value):
    if is_array(value):
        return value.tolist()
    if is_scalar(value):
        return value.item()
    if isinstance(value, numbers.Number) and not isinstance(value, complex):
        return float(value)
    raise TypeError(f"{value!r}: expected a number, a text, True, False, a list or a dict")


def _range_text(value):
    """What --vary takes after '=': (low, high), [choices], or the text itself."""
    if isinstance(value, str):
        return value
    if isinstance(value, tuple):
        return ":".join(_value_text(each) for each in value)
    if isinstance(value, (list, range)) or is_array(value):
        return ",".join(_choice_text(each) for each in value)
    raise TypeError(f"vary: {value!r}: expected (low, high), a list of values or a text")


def _columns_of(table):
    """The columns of a dict, a DataFrame or a list of dicts."""
    if hasattr(table, "to_dict"):
        return {str(k): list(v) for k, v in table.to_dict("list").items()}
    if isinstance(table, Mapping):
        return {str(k): _list_of(v) for k, v in table.items()}
    rows = list(table)
    if not rows or not all(isinstance(row, Mapping) for row in rows):
        raise TypeError("table: expected a path, a dict of columns, a DataFrame or a list of dicts")
    names = set(rows[0])
    for number, row in enumerate(rows):
        if set(row) != names:
            odd = ", ".join(sorted(str(name) for name in names ^ set(row)))
            raise ValueError(f"table: row {number}: every row needs the same names; check {odd}")
    return {str(k): [row[k] for row in rows] for k in rows[0]}


def _list_of(column):
    is_list = hasattr(column, "__len__") and not isinstance(column, str)
    return list(column) if is_list and getattr(column, "ndim", 1) > 0 else [column]


def _write_table(table, path):
    columns = _columns_of(table)
    lengths = {len(column) for column in columns.values()}
    if not lengths:
        raise ValueError("table: it has no columns; give {'NAME': [VALUE, ...]}")
    if len(lengths) != 1:
        raise ValueError("table: the columns have different lengths")
    with open(path, "w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, quoting=csv.QUOTE_ALL)  # keeps ; and # of texts
        out.writerow(columns)
        out.writerows([_value_text(column[r]) for column in columns.values()] for r in range(*lengths))


def plain_options(options, path_of):
    """The options of study() as the command line takes them; None is not given."""
    options = {name: value for name, value in options.items() if value is not None}
    if isinstance(options.get("vary"), Mapping):
        if not options["vary"]:
            raise ValueError("vary: nothing is varied; give {'NAME': (LOW, HIGH)}")
        options["vary"] = [f"{k}={_range_text(v)}" for k, v in options["vary"].items()]
    if isinstance(options.get("measure"), Mapping):
        options["measure"] = [f"{k}={v}" for k, v in options["measure"].items()]
    table = options.get("table")
    if table is not None and not isinstance(table, (str, os.PathLike)):
        path = path_of("samples.csv")
        _write_table(table, path)
        options["table"] = path
    if isinstance(options.get("shard"), tuple):
        part, parts = options["shard"]
        options["shard"] = f"{part}/{parts}"
    return options


def is_table_of_runs(options):
    """Whether a call of study() makes a table, not a gradient or a comparison of variants."""
    if options.get("gradient"):
        return False
    return bool(options.get("merge")) or any(options.get(name) is not None for name in ("vary", "table"))


def make_part(system, options, part, parts):
    """Makes one part of a study and returns its table as bytes; runs wherever an executor is."""
    from . import study

    with tempfile.TemporaryDirectory(prefix="femflex-") as folder:
        path = os.path.join(folder, "part.h5")
        study(system, **options, shard=f"{part}/{parts}", output=path)
        with open(path, "rb") as file:
            return file.read()


def run_on(executor, shards, system, options, bar):
    """Tables of all parts of a study, made by an executor, as bytes."""
    for name in ("shard", "resume", "histories"):
        if options.get(name):
            raise TypeError(f"study() has no '{name}' with an executor")
    if not callable(getattr(executor, "submit", None)):
        raise TypeError(f"executor: {executor!r} is not a concurrent.futures.Executor")
    inner = {k: v for k, v in options.items() if k not in ("output", "csv", "report")}
    inner.setdefault("threads", 1)  # the executor has the processors
    if shards is None:
        shards = 4 * (getattr(executor, "_max_workers", None) or 4)
    if shards < 1:
        raise ValueError(f"shards: {shards}; expected 1 or more")
    futures = [executor.submit(make_part, system, inner, k + 1, shards) for k in range(shards)]
    parts = []
    try:
        for future in futures:
            if bar is not None:
                bar("parts", float(len(parts)), float(shards), "parts")
            parts.append(future.result())
    except BaseException:
        for future in futures:
            future.cancel()
        raise
    return parts
