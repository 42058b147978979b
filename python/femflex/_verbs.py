"""Every verb of the command line as a function, made from the program's own table of verbs."""

import inspect
import json
import keyword
import os
import shutil
import tempfile
import warnings as python_warnings
import weakref

from . import _core, _study
from ._arrays import is_array, is_scalar
from ._errors import FemflexWarning, UsageError
from ._progress import sink_of
from ._report import Report

# Options that have no meaning in a call, or that every call sets anyway.
_LEFT_OUT = {"--json", "--help"}
# Arguments of a verb that only scripts have, with what their docstring says.
MORE_ARGUMENTS = {
    "study": {
        "executor": "a concurrent.futures.Executor that makes the runs, in parts",
        "shards": "with executor: the number of parts",
    }
}
# Members of a system or an assembly that name other files.
_FILES = {"flex", "model", "lattice", "include", "file", "text_file", "registry", "ca"}


def python_name(name):
    """'--reject-below' and 'back-transform' as Python names."""
    name = name.lstrip("-").replace("-", "_")
    return name + "_" if keyword.iskeyword(name) else name


def options_of(verb):
    """Options of a verb by their Python names."""
    table = [o for o in verb["options"] + _core.common_options() if o["name"] not in _LEFT_OUT]
    return {python_name(option["name"]): option for option in table}


class _Folder:
    """A temporary folder for the values of one call, made when it is first needed.

    It is removed with this object, or at the latest when the interpreter ends.
    """

    def __init__(self):
        self._folder = None
        self._count = 0

    def holds(self, path):
        return self._folder is not None and os.fspath(path).startswith(self._folder + os.sep)

    def path(self, name):
        if self._folder is None:
            self._folder = tempfile.mkdtemp(prefix="femflex-")
            weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)
        self._count += 1
        folder = os.path.join(self._folder, str(self._count))
        os.mkdir(folder)
        return os.path.join(folder, name)


def _file_name(text, ending):
    """A file name for a value that has a name of its own."""
    safe = "".join(c if c.isalnum() or c in "-_." else "_" for c in text)
    return (safe or "value") + ending


def _given(verb, value, folder):
    """An input for a verb: the value itself where it takes values, else a temporary file."""
    if verb["takes_documents"] and isinstance(value, dict) and not isinstance(value, Report):
        return _core.Document(_plain(value, None))
    if verb["takes_values"]:
        if isinstance(value, Report) and value.made and not value.is_written:
            value = next(iter(value.made.values()))
        if isinstance(value, (_core.FeModel, _core.FlexBody, _core.Result)):
            return value
    return _input(value, folder)


def _input(value, folder):
    """The path of an input; values are written to temporary files."""
    if isinstance(value, (str, os.PathLike)):
        return os.fspath(value)
    if isinstance(value, _core.FeModel):
        return _written(value, folder.path(_file_name(value.name or "model", ".fe.h5")))
    if isinstance(value, _core.FlexBody):
        return _written(value, folder.path(_file_name(value.name or "body", ".fbm")))
    if isinstance(value, _core.Result):
        return _written(value, folder.path(_file_name(value.name or "result", ".h5")))
    if isinstance(value, Report):
        if value.made and not value.is_written:
            return _input(next(iter(value.made.values())), folder)
        return value.outputs[0] if value.outputs else _input(dict(value), folder)
    if isinstance(value, dict):
        path = folder.path(_file_name(str(value.get("name", "document")), ".json"))
        with open(path, "w", encoding="utf-8") as out:
            json.dump(_plain(value, folder), out)
        return path
    raise TypeError(
        f"{type(value).__name__}: expected a path, an FeModel, a FlexBody, a Result or a dict"
    )


def _written(value, path):
    value.write(path)
    return path


def _plain(value, folder, key=None):
    """A document in JSON types: arrays as lists, files as full paths.

    Models, bodies and results stay as they are; with a folder they are written to files in it.
    """
    if isinstance(value, dict):
        return {str(k): _plain(v, folder, str(k)) for k, v in value.items()}
    if isinstance(value, (_core.FeModel, _core.FlexBody, _core.Result)):
        return value if folder is None else _input(value, folder)
    if isinstance(value, os.PathLike):
        return os.path.abspath(os.fspath(value))
    if isinstance(value, str):
        return os.path.abspath(value) if key in _FILES and os.path.isfile(value) else value
    if is_array(value):
        return value.tolist()
    if is_scalar(value):
        return value.item()
    if isinstance(value, (list, tuple)):
        return [_plain(item, folder, key) for item in value]
    return value


def _plain_option(value):
    """One value of an option: a text, a number, or a list of them, without numpy."""
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if is_scalar(value):
        return _plain_option(value.item())
    if isinstance(value, (list, tuple, range)) or is_array(value):
        return [_plain_option(item) for item in value]
    if isinstance(value, int) and abs(value) >= 2**63:
        return str(value)
    if isinstance(value, (str, bool, int, float)):
        return value
    raise TypeError(f"{type(value).__name__}: expected a text, a number or a list of them")


def _values(verb, option, value, folder):
    """The values of one option, as a list; None where a flag is off."""
    if not option["value"]:
        if isinstance(value, (str, bytes)):
            raise TypeError(f"{python_name(option['name'])}={value!r}: expected True or False")
        return [] if value else None
    if isinstance(value, (_core.FeModel, _core.FlexBody, _core.Result, Report)):
        return [_given(verb, value, folder)]
    if option["name"] == "--set" and isinstance(value, dict):
        return [_core.Change(path, _plain(v, None)) for path, v in value.items()]
    if option["is_repeated"] and isinstance(value, (list, tuple)):
        return [_plain_option(item) for item in value]
    return [_plain_option(value)]


def _outputs(document, options):
    found = [path for path in document.get("outputs", []) if isinstance(path, str)]
    for key in ("output", "to_fe", "csv", "report", "save_state", "branch", "write", "to_polynomial"):
        value = options.get(key)
        if value is None or isinstance(value, bool):
            continue
        found += [os.fspath(v) for v in (value if isinstance(value, (list, tuple)) else [value])]
    return list(dict.fromkeys(found))


def _check_names(verb, options):
    known = [*options_of(verb), *MORE_ARGUMENTS.get(verb["name"], {})]
    for name in options:
        if name not in known:
            raise TypeError(
                f"{python_name(verb['name'])}() has no argument '{name}'; "
                f"it takes {', '.join(known)}, progress"
            )


def _run_study(verb, inputs, options, progress):
    """A study; with `vary`, `table` or `merge` its Report has a `table`, or a `gradient`."""
    _check_names(verb, options)
    options = dict(options)
    executor, shards = options.pop("executor", None), options.pop("shards", None)
    if not _study.is_table_of_runs(options):
        if executor is not None:
            raise TypeError("study(): an executor needs vary or table, and no gradient")
        if not options.get("gradient"):
            return _run(verb, inputs, options, progress)
        options = _study.plain_options(options, None)
        report = _run(verb, inputs, options, progress)
        report.made["gradient"] = _study.Gradient(report)
        return report
    if executor is not None and options.get("merge"):
        raise TypeError("study(): merge joins tables that exist; leave out the executor")
    folder = _Folder()
    options = _study.plain_options(options, folder.path)
    csv_path = options.setdefault("csv", folder.path("runs.csv"))
    if not isinstance(csv_path, (str, os.PathLike)):
        raise TypeError(f"csv: {csv_path!r}: expected a path")
    if executor is not None:
        bar = sink_of(progress)
        parts = _study.run_on(executor, shards, _input(inputs[0], folder), options, bar)
        inputs = []
        for part in parts:
            inputs.append(folder.path("part.h5"))
            with open(inputs[-1], "wb") as file:
                file.write(part)
        keep = ("output", "csv", "report", "quiet", "reproducible")
        options = {"merge": True, **{k: v for k, v in options.items() if k in keep}}
    report = _run(verb, inputs, options, progress)
    report.made["table"] = _study.Table(csv_path, report)
    report.outputs = [path for path in report.outputs if not folder.holds(path)]
    return report


def _run(verb, inputs, options, progress):
    known = options_of(verb)
    _check_names(verb, options)
    options = {name: value for name, value in options.items() if value is not None}
    folder = _Folder()
    given = {"--json": []}
    for name, value in options.items():
        values = _values(verb, known[name], value, folder)
        if values is not None:
            given[known[name]["name"]] = values
    inputs = [_given(verb, value, folder) for value in inputs]
    bar = sink_of(progress)
    try:
        exit_code, document, text, warned, made = _core.run_verb(verb["name"], inputs, given, bar)
    finally:
        if progress is True:
            bar.close()
    document, warned = json.loads(document), json.loads(warned)
    if not options.get("quiet"):
        for warning in warned:
            python_warnings.warn(warning["message"], FemflexWarning, stacklevel=3)
    outputs = _outputs(document, options)
    is_written = "output" in options
    return Report(verb["name"], document, exit_code, text, warned, outputs, made, is_written)


def _describe(verb):
    """The docstring of a verb: the text of `femflex VERB --help` with Python names."""
    lines = [verb["summary"][0].upper() + verb["summary"][1:] + ".", ""]
    if verb["inputs"]:
        lines += [f"Inputs: {verb['inputs']}", ""]
    for name, option in options_of(verb).items():
        line = f"{name}: {option['help']}"
        if option["choices"]:
            line += f" ({', '.join(option['choices'])})"
        if option["fallback"]:
            line += f" [{option['fallback']}]"
        lines.append(line)
    lines += [f"{name}: {text}" for name, text in MORE_ARGUMENTS.get(verb["name"], {}).items()]
    lines += ["progress: True for a bar on stderr, or a callable (what, done, total, unit)", ""]
    if verb["hands_over"]:
        lines += ["Without `output` no file is written: the Report holds what was made.", ""]
    lines += ["On the command line:"] + ["    " + example for example in verb["examples"]]
    return "\n".join(lines)


def _function(verb):
    name = python_name(verb["name"])

    def function(*inputs, progress=None, **options):
        if len(inputs) < verb["fewest_inputs"]:
            raise UsageError(
                f"{name}: {len(inputs)} inputs were given, expected {verb['inputs']}",
                code="usage",
            )
        run = _run_study if verb["name"] == "study" else _run
        return run(verb, inputs, options, progress)

    parameters = [inspect.Parameter("inputs", inspect.Parameter.VAR_POSITIONAL)]
    for option in [*options_of(verb), *MORE_ARGUMENTS.get(verb["name"], {}), "progress"]:
        parameters.append(
            inspect.Parameter(option, inspect.Parameter.KEYWORD_ONLY, default=None)
        )
    function.__name__ = function.__qualname__ = name
    function.__module__ = "femflex"
    function.__doc__ = _describe(verb)
    function.__signature__ = inspect.Signature(parameters)
    return function


# the excluded verbs are of use in a shell only
VERBS = {v["name"]: v for v in _core.verb_table() if v["name"] not in ("man", "completion")}
FUNCTIONS = {python_name(name): _function(verb) for name, verb in VERBS.items()}
