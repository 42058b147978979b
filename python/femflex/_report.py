"""The Report that every verb returns: its JSON document, exit code, text, warnings and values."""

import os

from . import _arrays, _core, _html


class Report(dict):
    """The document that `--json` prints, and what the verb made.

    exit_code  0 done, 1 check failed
    text       what the command line prints for people
    warnings   list of dicts: code, message, where
    outputs    paths of the files that were written
    table                 of a study with vary, table or merge: columns by name
    gradient              of a study with gradient=True: values and slopes of the measures
    model, body, result   what the verb made of that kind, or the first such output, read back
    """

    def __init__(
        self, verb, document, exit_code, text, warnings, outputs, made=None, is_written=False
    ):
        super().__init__(document)
        self.verb = verb
        self.exit_code = exit_code
        self.text = text
        self.warnings = warnings
        self.outputs = outputs
        self.made = dict(made or {})  # values by kind: "model", "body", "result"
        self.is_written = is_written  # what was made is in a file that the caller named

    @property
    def passed(self):
        """False where the verb checked something and the check failed."""
        return self.exit_code == 0

    @property
    def model(self):
        """The FE model that was made."""
        return self._first("model", "an FE model", (".fe.h5",), _core.read_model)

    @property
    def body(self):
        """The flexible body that was made."""
        endings = [e for f in _core.body_formats() if f["can_read"] for e in f["endings"]]
        return self._first("body", "a flexible body", tuple(endings), _core.read_body)

    @property
    def result(self):
        """The result that was made."""
        return self._first("result", "a result", (".h5",), _core.read_result)

    @property
    def table(self):
        """The table of runs of a study, columns by name; see its to_dataframe()."""
        if "table" not in self.made:
            raise AttributeError(f"femflex.{self.verb} did not make a table of runs")
        return self.made["table"]

    @property
    def gradient(self):
        """The derivatives of the measures of a study with gradient=True; see its slopes."""
        if "gradient" not in self.made:
            raise AttributeError(f"femflex.{self.verb} did not make a gradient")
        return self.made["gradient"]

    def column(self, table, key):
        """One number of each entry of a list, as an array: report.column('modes', 'frequency_hz').

        Unknown numbers are NaN.
        """
        entries = self[table]
        np = _arrays.numpy(f"the column '{key}'")
        return np.array([np.nan if e[key] is None else e[key] for e in entries], dtype=float)

    def _first(self, kind, what, endings, read):
        if kind not in self.made:
            for path in self.outputs:
                name = os.path.basename(path).lower()
                if name.endswith(endings) and (".fe.h5" in endings or not name.endswith(".fe.h5")):
                    self.made[kind] = read(path)
                    break
            else:
                raise AttributeError(f"femflex.{self.verb} did not write {what}")
        return self.made[kind]

    def _repr_html_(self):
        return _html.of_report(self)
