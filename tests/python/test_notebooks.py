"""The notebooks of examples/notebooks: their cells run, and with Jupyter they run in it."""

import importlib.util
import json
import os
from pathlib import Path

import pytest

import femflex as ff

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "notebooks"
NOTEBOOKS = sorted(path.name for path in FOLDER.glob("*.ipynb"))


def test_there_are_three():
    assert len(NOTEBOOKS) == 3


# truth: the assertions in the cells
@pytest.mark.parametrize("name", NOTEBOOKS)
def test_its_cells_run_as_a_script(name, monkeypatch):
    notebook = json.loads((FOLDER / name).read_text(encoding="utf-8"))
    monkeypatch.chdir(FOLDER)
    variables = {"__name__": "__main__"}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            assert not cell["outputs"], "notebooks are kept without outputs"
            exec(compile("".join(cell["source"]), f"{name}/{cell['id']}", "exec"), variables)


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_it_runs_in_jupyter(name):
    for module in ("nbclient", "nbformat", "ipykernel"):
        if importlib.util.find_spec(module) is None:
            pytest.skip(f"python3-{module} is not installed")
    import nbclient
    import nbformat

    notebook = nbformat.read(FOLDER / name, as_version=4)
    client = nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(FOLDER)}})
    # Debian's kernel runs /usr/bin/python3, whatever Python runs this test
    client.execute(env={**os.environ, "PYTHONPATH": str(Path(ff.__file__).parents[1])})
    shown = [o for c in notebook.cells if c.cell_type == "code" for o in c.outputs]
    assert any("<table>" in o.get("data", {}).get("text/html", "") for o in shown)
