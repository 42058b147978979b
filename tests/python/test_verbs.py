"""Verbs as functions: the same names, the same documents, the same exceptions as in a shell."""

import concurrent.futures
import inspect
import json
import os
import pickle
import subprocess
import warnings

import numpy as np
import pytest

import femflex as ff


def test_every_verb_is_a_function_with_its_options_and_a_docstring():
    # truth: the program's own table
    for verb in ff._core.verb_table():
        if verb["name"] in ("man", "completion"):
            continue
        function = getattr(ff, ff._verbs.python_name(verb["name"]))
        for option in verb["options"]:
            assert option["help"] in function.__doc__
    assert "reject_below" in inspect.signature(ff.reduce).parameters


def test_a_report_is_the_document_of_the_command_line(dms_folder):
    # truth: what the program prints
    program = os.environ.get("FEMFLEX_PROGRAM")
    if not program:
        pytest.skip("FEMFLEX_PROGRAM does not name the program")
    file = dms_folder / "dms.ou1.op4"
    done = subprocess.run([program, "info", "--json", file], capture_output=True, check=True)
    expected = json.loads(done.stdout)
    report = ff.info(file)
    assert dict(report) == {k: v for k, v in expected.items() if k != "warnings"}
    assert report.exit_code == 0 and report.passed


def test_outputs_are_written_where_asked_and_kept_where_not(dms, tmp_path):
    # truth: the files
    report = ff.reduce(dms, select="dynamic:1-2", output=[tmp_path / "a.fbm", tmp_path / "a.flex"])
    assert [os.path.basename(path) for path in report.outputs] == ["a.fbm", "a.flex"]
    assert (tmp_path / "a.flex").exists()
    assert len(report.body) == 2
    kept = ff.reduce(dms, select="dynamic:1")
    assert len(kept.body) == 1
    with pytest.raises(AttributeError, match="did not write a result"):
        kept.result


def test_temporary_files_go_with_their_call(dms, example, tmp_path, monkeypatch):
    # truth: the folder of temporary files; a restart reads its states from a file
    example["bodies"]["dms"]["flex"] = ff.reduce(dms, select="dynamic:1-2").body
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    report = ff.simulate(example, keep_states=True)
    assert list(folder.iterdir()) == []
    rest = ff.simulate(example, restart=report, end=1.1)
    assert rest.result.time[-1] == pytest.approx(1.1) and list(folder.iterdir()) == []


def test_a_model_is_reduced_without_a_file(dms, tmp_path, monkeypatch):
    # truth: the body that goes through files, to the last bit
    dms.write(tmp_path / "dms.fe.h5")
    ff.reduce(tmp_path / "dms.fe.h5", select="dynamic:1-2", scale=True, damping=0.02,
              output=tmp_path / "dms.fbm")
    expected = ff.read_body(tmp_path / "dms.fbm")
    monkeypatch.setattr("tempfile.mkdtemp", lambda *a, **k: pytest.fail("a temporary folder"))
    report = ff.reduce(dms, select="dynamic:1-2", scale=True, damping=0.02)
    assert report.outputs == [] and report["outputs"] == []
    for what in ("shapes", "mass", "stiffness", "damping", "damping_ratio", "eigenvalues"):
        assert np.array_equal(getattr(report.body, what), getattr(expected, what)), what
    assert report.body.name == expected.name
    assert report.body.provenance == expected.provenance


def test_fe_verbs_take_and_give_values_without_files(dms_folder, tmp_path, monkeypatch):
    # truth: the same calls on files
    files = [dms_folder / name for name in ("dms.bdf", "dms.ou1.op4")]
    paths = {name: tmp_path / name for name in ("dms.fe.h5", "m.fe.h5", "b.fbm")}
    ff.import_(*files, units="m-kg-s", name="dms", output=paths["dms.fe.h5"])
    first = ff.modes(paths["dms.fe.h5"], normal=2, output=paths["m.fe.h5"])
    ff.reduce(paths["m.fe.h5"], output=paths["b.fbm"])
    monkeypatch.setattr("tempfile.mkdtemp", lambda *a, **k: pytest.fail("a temporary folder"))
    model = ff.import_(*files, units="m-kg-s", name="dms").model
    second = ff.modes(model, normal=2)
    assert len(model.modes) == 0 and len(second.model.modes) == 2
    assert second["modes"] == first["modes"] and second.outputs == []
    body = ff.reduce(second).body
    assert ff.compare(body, paths["b.fbm"], tol=1e-12).passed
    assert dict(ff.check(model)) == dict(ff.check(paths["dms.fe.h5"]))
    assert dict(ff.check(body)) == dict(ff.check(paths["b.fbm"]))
    assert dict(ff.validate(body, against=model, modes=2)) == dict(
        ff.validate(paths["b.fbm"], against=paths["dms.fe.h5"], modes=2)
    )
    ff.convert(body, tmp_path / "value.fbm")
    assert ff.compare(tmp_path / "value.fbm", paths["b.fbm"], tol=1e-12).passed


def test_a_result_is_turned_back_and_a_body_moved_without_files(
    dms, example, tmp_path, monkeypatch
):
    # truth: the same calls on files
    body = ff.reduce(dms, select="dynamic:1-2", orthogonalise=True, scale=True).body
    body.write(tmp_path / "b.fbm")
    example["bodies"]["dms"]["flex"] = tmp_path / "b.fbm"
    ff.simulate(example, output=tmp_path / "r.h5")
    back = ff.back_transform(tmp_path / "r.h5", nodes=[3], output=tmp_path / "e.h5").result
    ff.transform(tmp_path / "b.fbm", move=[0, 0, 1], output=tmp_path / "m.fbm")
    result = ff.read_result(tmp_path / "r.h5")
    monkeypatch.setattr("tempfile.mkdtemp", lambda *a, **k: pytest.fail("a temporary folder"))
    report = ff.back_transform(result, flex=body, nodes=[3])
    assert report.outputs == [] and report.result.channels == back.channels
    assert np.array_equal(report.result.values, back.values)
    moved = ff.transform(body, move=[0, 0, 1]).body
    assert ff.compare(moved, tmp_path / "m.fbm", tol=1e-12).passed
    with pytest.raises(ff.UsageError, match="by its file"):
        ff.transform(body, run=tmp_path / "r.h5", keep=1)


def test_a_system_of_values_is_read_without_files(dms, example, tmp_path, monkeypatch):
    # truth: the same system with the body in a file, to the last bit
    body = ff.reduce(dms, select="dynamic:1-2", orthogonalise=True, scale=True).body
    body.write(tmp_path / "b.fbm")
    example["bodies"]["dms"]["flex"] = tmp_path / "b.fbm"
    modes = ff.linearise(example)
    run = ff.simulate(example, output=tmp_path / "file.h5").result
    example["bodies"]["dms"]["flex"] = body
    monkeypatch.setattr("tempfile.mkdtemp", lambda *a, **k: pytest.fail("a temporary folder"))
    assert ff.linearise(example)["modes"] == modes["modes"]
    same = ff.simulate(example, output=tmp_path / "value.h5").result
    assert same.channels == run.channels and np.array_equal(same.values, run.values)
    example["bodies"]["dms"]["flex"] = dms
    with pytest.raises(ff.ParseError, match="is an FE model; expected a flexible body") as caught:
        ff.linearise(example)
    assert caught.value.where["record"] == "bodies.dms.flex"


def test_a_run_without_output_is_in_memory_to_the_last_bit(dms, example, tmp_path, monkeypatch):
    # truth: the same run into a file, its page, and what goes on from it
    body = ff.reduce(dms, select="dynamic:1-2", orthogonalise=True, scale=True).body
    body.write(tmp_path / "b.fbm")
    example["bodies"]["dms"]["flex"] = tmp_path / "b.fbm"
    file = tmp_path / "file.h5"
    run = ff.simulate(example, keep_states=True, output=file).result
    back = ff.back_transform(file, nodes=[3])
    with monkeypatch.context() as patch:
        patch.setattr("tempfile.mkdtemp", lambda *a, **k: pytest.fail("a temporary folder"))
        report = ff.simulate(example, keep_states=True, csv=tmp_path / "r.csv")
        assert np.array_equal(ff.back_transform(report, nodes=[3]).result.values,
                              back.result.values)
        assert ff.compare(report, file).passed
    same = report.result
    assert report.outputs == [str(tmp_path / "r.csv")] and same.is_complete
    assert same.channels == run.channels and same.units == run.units and same.name == run.name
    assert np.array_equal(same.time, run.time) and np.array_equal(same.values, run.values)
    same.write(tmp_path / "value.h5")
    assert ff.read_result(tmp_path / "value.h5").attributes["options"] == \
        same.attributes["options"]
    pages = []
    for result in (file, report):
        ff.view(result, output=tmp_path / "page.html")
        text = (tmp_path / "page.html").read_text()
        pages.append(text.replace("file.h5", "chain.h5"))
    assert pages[0] == pages[1]
    rest = [ff.simulate(example, restart=start, end=2).result for start in (file, report)]
    assert np.array_equal(rest[0].values, rest[1].values) and rest[0].time[-1] == 2


def test_a_run_too_large_for_the_memory_names_the_remedy(dms, example, tmp_path):
    # truth: 1e8 rows of more than 20 bytes are more than 2 GB
    example["bodies"]["dms"]["flex"] = ff.reduce(dms, select="dynamic:1-2").body
    with pytest.raises(ff.UsageError, match="more than 2 GB") as caught:
        ff.simulate(example, end=1e6)
    assert caught.value.code == "large-result" and "output=" in caught.value.fix
    chain = {
        "dimension": 1,
        "nodes": [{"id": 1, "x": [0], "fixed": True}, {"id": 2, "x": [1], "mass": 0.5}],
        "springs": [{"i": 1, "j": 2, "k": 4.0, "law": "linear"}],
    }
    with pytest.raises(ff.UsageError, match="more than 2 GB"):
        ff.lattice(chain, end=1e6, dt=0.01, output_step=0.01)


def test_a_body_is_put_in_by_set_without_files(dms, example, monkeypatch):
    # truth: the same body in the dict
    body = ff.reduce(dms, select="dynamic:1-2", orthogonalise=True, scale=True).body
    other = ff.reduce(dms, select="dynamic:1").body
    example["bodies"]["dms"]["flex"] = body
    run = ff.simulate(example).result
    example["bodies"]["dms"]["flex"] = other
    monkeypatch.setattr("tempfile.mkdtemp", lambda *a, **k: pytest.fail("a temporary folder"))
    same = ff.simulate(example, set={"bodies.dms.flex": body}).result
    assert same.channels == run.channels and np.array_equal(same.values, run.values)
    with pytest.raises(ff.UsageError, match="there is no member 'forcs'") as caught:
        ff.simulate(example, set={"forcs.push.value": [0, 0, 1]})
    assert "forces" in caught.value.fix


def test_values_of_another_kind_are_refused_as_files_are(dms):
    # truth: a body is not an FE model
    body = ff.reduce(dms, select="dynamic:1-2", name="chain").body
    with pytest.raises(ff.UsageError, match="is a flexible body; expected an FE model") as caught:
        ff.reduce(body)
    assert caught.value.code == "wrong-file-kind" and caught.value.file == "chain.fbm"
    with pytest.raises(ff.UsageError, match="units"):
        ff.reduce(dms, units="mm-t-s")


def test_a_parse_error_carries_file_line_and_remedy(tmp_path):
    # truth: the fault is in line 3
    deck = tmp_path / "bad.bdf"
    deck.write_text("BEGIN BULK\nGRID,1,,0.0,0.0,0.0\nGRID,2,,abc,0.0,0.0\nENDDATA\n")
    with pytest.raises(ff.ParseError) as caught:
        ff.info(deck)
    error = caught.value
    assert isinstance(error, ff.FemflexError) and isinstance(error, ValueError)
    assert error.file == str(deck) and error.line == 3
    assert "abc" in error.message and error.code
    copy = pickle.loads(pickle.dumps(error))
    assert str(copy) == str(error) and copy.line == 3


def test_bytes_that_are_no_text_do_not_hide_the_fault(dms_folder, tmp_path):
    # truth: 0xff never occurs in UTF-8; the type of the numbers is at fault
    whole = (dms_folder.parent / "npy" / "valid" / "rows.npy").read_bytes()
    file = tmp_path / "bad.npy"
    file.write_bytes(whole.replace(b"<f8", b"<\xff8"))
    for call in (ff.info, ff.read_contents):
        with pytest.raises(ff.ParseError) as caught:
            call(file)
        assert caught.value.code == "type" and "\ufffd" in str(caught.value)


def test_a_damaged_binary_says_the_byte(dms_folder, tmp_path):
    # truth: a file cut in half breaks off inside
    whole = (dms_folder / "dms.op2").read_bytes()
    cut = tmp_path / "cut.op2"
    cut.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ff.ParseError) as caught:
        ff.read_contents(cut)
    assert caught.value.byte is not None and caught.value.byte <= len(whole) // 2


def test_what_cannot_be_is_a_usage_error_with_the_nearest_name(dms, tmp_path):
    # truth: names that a user may mistype
    with pytest.raises(ff.UsageError, match="no such file"):
        ff.check(tmp_path / "none.fe.h5")
    with pytest.raises(ff.UsageError) as caught:
        ff.reduce(dms, method="craig-bamton")
    assert "craig-bampton" in caught.value.fix
    with pytest.raises(TypeError, match="reject_below"):
        ff.reduce(dms, rejectbelow=1)
    with pytest.raises(ff.ModelError) as asymmetric:
        ff.FeModel(node_ids=[1], positions=[[0, 0, 0]], dof_nodes=[1, 1], dof_components=[1, 2],
                   stiffness=[[1, 2], [0, 1]])
    assert asymmetric.value.code == "not-symmetric"


def test_values_that_would_be_read_as_something_else_are_refused(dms, tmp_path):
    # truth: what the caller wrote; each call used to crash, or to run with other values
    with pytest.raises(ff.UsageError, match="a: not numbers"):
        ff.Result([0, 1], {"a": ["x", "y"]})
    with pytest.raises(TypeError, match="statics='no': expected True or False"):
        ff.lattice(tmp_path / "m.json", end=1, statics="no")
    with pytest.raises(ff.UsageError, match="the value is empty"):
        ff.reduce(dms, select="dynamic:1", output="")
    with pytest.raises(ValueError, match="every row needs the same names; check b"):
        ff.study({}, table=[{"a": 1, "b": 2}, {"a": 3}], end=0.1, measure="m=max:p/x")
    with pytest.raises(ff.UsageError, match="node_ids: 1.5 is not a whole number"):
        ff.FeModel(node_ids=[1.5, 2.7], positions=[[0, 0, 0], [1, 0, 0]])
    with pytest.raises(ff.UsageError, match="dof_components: 8"):
        ff.FeModel(node_ids=[1], positions=[[0, 0, 0]], dof_nodes=[1], dof_components=[8])
    with pytest.raises(ff.UsageError, match="STIFFNESS1"):
        ff.write_op4(tmp_path / "k.op4", {"STIFFNESS1": np.eye(2)})
    with pytest.raises(ff.UsageError, match="ends in .txt"):
        ff.Result([0, 1], {"a": [1, 2]}).write(tmp_path / "r.txt")
    with pytest.raises(ff.UsageError, match="time: 1 at row 2"):
        ff.Result([0, 2, 1], {"a": [1, 2, 3]})
    with pytest.raises(ff.UsageError, match="time: nan at row 1"):
        ff.Result([0, float("nan")], {"a": [1, 2]})
    with pytest.raises(ff.UsageError, match="b: some entries are not finite"):
        ff.mac(np.eye(2), np.full((2, 1), np.nan))
    with pytest.raises(ff.UsageError, match="KAA: some entries are not finite"):
        ff.write_op4(tmp_path / "k.op4", {"KAA": np.array([[np.inf]])})
    with pytest.raises(ff.UsageError, match="KAA: the array has 1 dimensions"):
        ff.write_op4(tmp_path / "k.op4", {"KAA": np.ones(3)})
    with pytest.raises(ff.UsageError, match="no matrices"):
        ff.write_op4(tmp_path / "k.op4", {})
    assert not (tmp_path / "k.op4").exists()


def test_numbers_and_texts_outside_their_range_are_refused_with_their_place(example):
    # truth: the place where each was put; each gave an error of the binding without one
    example["bodies"]["extra"] = {"point": {"mass": 10**400}}
    with pytest.raises(ff.UsageError, match="^bodies.extra.point.mass: the number is outside"):
        ff.simulate(example)
    example["bodies"]["extra"] = {"point": {"mass": float("nan")}}
    with pytest.raises(ff.UsageError, match="^bodies.extra.point.mass: the number is not finite"):
        ff.simulate(example)
    example["bodies"]["extra"] = {"point": {"mass": 1}, "at": [0, "\ud800", 0]}
    with pytest.raises(ff.UsageError, match="^bodies.extra.at.1: the text is not Unicode"):
        ff.simulate(example)
    run = ff._core.run_verb
    with pytest.raises(ff.UsageError, match="^inputs.0: the number is outside"):
        run("info", [2**63], {}, None)
    with pytest.raises(ff.UsageError, match="^--units.0.1: the number is outside"):
        run("info", [], {"--units": [[1, -2**63 - 1]]}, None)
    with pytest.raises(ff.UsageError, match="^--units.0: expected a number, a text"):
        run("info", [], {"--units": [{}]}, None)


def test_found_wanting_is_an_exit_code_not_an_exception(dms):
    # truth: one mode of two misses a frequency
    report = ff.compare(ff.reduce(dms, select="dynamic:1-2").body,
                        ff.reduce(dms, select="dynamic:1").body)
    assert report.exit_code == 1 and not report.passed and report["verdict"] == "fail"


def test_warnings_are_python_warnings_unless_quiet(dms, tmp_path):
    # truth: whether FLEX can hold everything in a body or not, both calls agree
    body = ff.reduce(dms, select="dynamic:1-2").body
    path = tmp_path / "b.fbm"
    body.write(path)
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        report = ff.convert(path, tmp_path / "b.fem")
    shown = [w for w in seen if issubclass(w.category, ff.FemflexWarning)]
    assert len(shown) == len(report.warnings)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ff.convert(path, tmp_path / "c.fem", quiet=True)


def test_a_system_may_be_a_dict_with_values_in_it(dms, example, eigenvalues):
    # truth: closed form of a step force on two undamped modes
    body = ff.reduce(dms, select="dynamic:1-2", orthogonalise=True, scale=True).body
    example["bodies"]["dms"]["flex"] = body
    example["analyses"][0]["step"] = np.float64(1e-3)
    result = ff.simulate(example).result
    t = result.time
    phi = body.shapes_at(3)[2]
    omega = np.sqrt(np.diag(body.stiffness))
    expected = sum(p * p * (1 - np.cos(w * t)) / w**2 for p, w in zip(phi, omega))
    assert result["dms/3/displacement/z"] == pytest.approx(expected, abs=1e-6)
    group = result["dms/3/displacement"]
    assert group.shape == (len(t), 3)
    assert np.array_equal(group[:, 2], result["dms/3/displacement/z"])
    assert np.shares_memory(result["dms/zeta/1"], result.values)
    assert result.units["dms/3/displacement/z"] == "m"
    with pytest.raises(ff.UsageError) as caught:
        result["dms/3/displacment/z"]
    assert "displacement" in caught.value.fix


def test_parameters_are_set_by_path_as_python_values(dms, example):
    # truth: the response of a linear system doubles with its load
    example["bodies"]["dms"]["flex"] = ff.reduce(dms, select="dynamic:1-2").body
    one = ff.simulate(example).result
    two = ff.simulate(example, set={"forces.push.value": [0, 0, 2.0]}, end=0.5).result
    rows = len(two.time)
    assert two.time[-1] == pytest.approx(0.5)
    assert two["dms/3/displacement/z"] == pytest.approx(2 * one["dms/3/displacement/z"][:rows],
                                                       abs=1e-9)


def test_a_run_goes_on_from_a_state_that_its_result_keeps(dms, example, tmp_path):
    # truth: the run without a pause, to the last bit
    example["bodies"]["dms"]["flex"] = ff.reduce(dms, select="dynamic:1-2").body
    run = example["analyses"][0]
    run.update(integrator="generalised-alpha", step=0.01, output_step=0.05, end=1.0)
    whole = ff.simulate(example).result
    half = tmp_path / "half.h5"
    ff.simulate(example, end=0.5, keep_states=True, output=half)
    rest = ff.simulate(example, restart=half).result
    assert rest.time[0] == 0.5 and rest.time[-1] == 1.0
    rows = len(rest.time)
    assert np.array_equal(rest.time, whole.time[-rows:])
    assert np.array_equal(rest.values, whole.values[-rows:])


def test_results_compare_with_arrays_of_the_caller(dms, example, tmp_path):
    # truth: a result against its own numbers, and against twice them
    example["bodies"]["dms"]["flex"] = ff.reduce(dms, select="dynamic:1-2").body
    result = ff.simulate(example).result
    name = "dms/3/displacement/z"
    same = ff.Result(result.time, {name: result[name]}, units={name: "m"})
    assert ff.compare(result, same).passed
    other = ff.Result(result.time, {name: 2 * result[name]})
    assert not ff.compare(result, other).passed
    result.write(tmp_path / "r.csv")
    assert ff.read_result(tmp_path / "r.csv")[name] == pytest.approx(result[name], rel=1e-15)


def test_values_show_themselves_in_a_notebook(dms, example):
    # truth: names and figures that each table must hold
    body = ff.reduce(dms, select="dynamic:1-2", damping=0.02, name="dms").body
    example["bodies"]["dms"]["flex"] = body
    report = ff.simulate(example)
    assert "dofs" in dms._repr_html_() and "stiffness" in dms._repr_html_()
    assert "dynamic:1" in body._repr_html_() and "0.02" in body._repr_html_()
    assert "dms/3/displacement/z" in report.result._repr_html_()
    assert "energy_drift" in report._repr_html_()
    assert "'dms'" in repr(dms) and "2 modes" in repr(body)


def test_a_lattice_may_be_a_dict(tmp_path):
    # truth: K of a linear spring between a held and a free mass, on the free mass
    lattice = {
        "dimension": 1,
        "nodes": [{"id": 1, "x": [0], "fixed": True}, {"id": 2, "x": [1], "mass": 0.5}],
        "springs": [{"i": 1, "j": 2, "k": 4.0, "law": "linear"}],
    }
    report = ff.lattice(lattice, to_fe=tmp_path / "l.fe.h5", end=0.1, dt=0.01)
    assert report["nodes"][1]["position"][0] == pytest.approx(1.0)
    assert report.model.stiffness.toarray() == pytest.approx(np.array([[4.0]]))
    assert report.model.mass.toarray() == pytest.approx(np.array([[0.5]]))
    assert len(report.result.time) > 5 and report.outputs == [str(tmp_path / "l.fe.h5")]
    file = ff.lattice(lattice, output=tmp_path / "l.h5", end=0.1, dt=0.01).result
    assert file.channels == report.result.channels
    assert np.array_equal(file.values, report.result.values)
    rest = ff.lattice(lattice, statics=True)
    assert rest.result.values.shape[0] == 1
    assert ff.lattice(lattice, write=tmp_path / "copy.json").outputs == [str(tmp_path / "copy.json")]


def test_a_polynomial_is_three_arrays():
    # truth: H of the start by the arrays is the energy of the run; twice the numbers, twice H
    lattice = {
        "dimension": 2,
        "gravity": 9.81,
        "nodes": [
            {"id": 1, "x": [0, 0], "mass": 1, "fixed": True},
            {"id": 2, "x": [1, 0.5], "mass": 0.5, "v": [0.2, 1]},
        ],
        "springs": [{"i": 1, "j": 2, "k": 40, "d": 1}],
    }
    model = ff.polynomial(lattice)
    arrays = model["polynomial"]
    assert arrays["variables_per_term"].sum() == len(arrays["variables"])
    terms = np.split(model["start"][arrays["variables"]], np.cumsum(arrays["variables_per_term"]))
    energy = sum(c * np.prod(x) for c, x in zip(arrays["coefficients"], terms))
    report = ff.lattice(lattice, end=0.2, dt=1e-3)
    assert energy == pytest.approx(report["energy"]["start"], rel=1e-12)
    again = ff.lattice(model, end=0.2, dt=1e-3)
    assert again["energy"]["start"] == pytest.approx(energy, rel=1e-12)
    assert again["states"][4:6] == pytest.approx(report["nodes"][1]["position"], rel=1e-9)
    arrays["coefficients"] *= 2
    assert ff.lattice(model, end=0.01)["energy"]["start"] == pytest.approx(2 * energy)
    assert ff.polynomial(model)["polynomial"]["coefficients"] == pytest.approx(
        arrays["coefficients"]
    )


def test_a_lattice_shows_energies_and_bending_on_request():
    # truth: a half of a spring's energy to each end; EI = P L^3 / (3 v) at the tip
    lattice = {
        "dimension": 2,
        "generate": {"type": "beam", "length": 4, "cells": 4, "k": 1e4, "law": "linear"},
        "fixed": {"xy": [1, 6]},
        "loads": [{"node": 5, "force": [0, -1]}],
    }
    report = ff.lattice(
        lattice, statics=True, nodes=[3, 5], show=["springs", "nodes"], beam="cantilever"
    )
    tip = report["beam"]["nodes"][1]
    assert tip["bending_stiffness"] * tip["deflection"] == pytest.approx(4**3 / 3)
    result = report.result
    assert result["spring1/potential"][0] > 0 and result["5/potential"][0] > 0
    assert result["5/bending_stiffness"][0] == pytest.approx(tip["bending_stiffness"])


def test_an_assembly_runs_from_its_file(dms_folder):
    # truth: a damped bar's poles lie left of the imaginary axis, or at rest
    file = dms_folder.parents[1] / "examples" / "substructures" / "bars.json"
    report = ff.assemble(file, part="BB3x6")
    poles = np.array(report["poles"])
    assert poles.shape[1] == 2 and np.all(poles[:, 0] <= 1e-9 * np.abs(poles).max())


PENDULUM = {"vary": {"length": (0.5, 1.5), "mass": [1, 2]}, "sample": "lhs:6", "end": 0.2,
            "measure": {"reach": "max:bar/tip/position/x"}}


def test_a_study_makes_a_table_of_its_runs(tmp_path):
    # truth: `simulate` with the numbers of a row
    ff.new("pendulum", output=tmp_path / "p.json")
    study = ff.study(tmp_path / "p.json", **PENDULUM)
    table = study.table
    assert len(table) == 6 and table.parameters == ["length", "mass"]
    assert study.outputs == [] and not table.failures
    run = ff.simulate(tmp_path / "p.json", end=0.2,
                      set={"parameters.length": table["length"][2],
                           "parameters.mass": table["mass"][2]}).result
    assert run["bar/tip/position/x"].max() == table["reach"][2]
    again = ff.study(tmp_path / "p.json", table={k: table[k] for k in table.parameters}, end=0.2,
                     measure="reach=max:bar/tip/position/x").table
    assert np.array_equal(again["reach"], table["reach"])


def test_a_study_gives_the_gradient_of_a_value(tmp_path):
    # truth: x = v t, and differences of two studies
    system = {"femflex": 1, "name": "p",
              "bodies": {"p": {"point": {"mass": 2}, "at": [0, 0, 0], "velocity": [3, 0, 0]}},
              "forces": {"push": {"type": "force", "on": "p", "value": [4, 0, 0]}},
              "analyses": [{"type": "dynamic", "end": 0.5, "step": 1e-3}]}
    study = ff.study(system, gradient=True, vary=["bodies.p.velocity.0", "bodies.p.point.mass"],
                     measure={"x": "final:p/position/x", "v": "max:p/velocity/x"})
    g = study.gradient
    assert g.measures == ["x", "v"] and g.reasons == {} and np.array_equal(g.at, [3, 2])
    assert np.allclose(g.slopes, [[0.5, -0.125], [1, -0.5]], rtol=1e-6)
    assert np.allclose(g.values, [1.75, 4])


def test_a_study_on_an_executor_gives_the_same_table(tmp_path):
    # truth: the table that one call makes
    from concurrent.futures import ThreadPoolExecutor

    ff.new("pendulum", output=tmp_path / "p.json")
    ff.study(tmp_path / "p.json", output=tmp_path / "one.h5", **PENDULUM)
    with ThreadPoolExecutor(2) as executor:
        report = ff.study(tmp_path / "p.json", executor=executor, shards=3,
                          output=tmp_path / "all.h5", **PENDULUM)
    assert (tmp_path / "one.h5").read_bytes() == (tmp_path / "all.h5").read_bytes()
    assert report.outputs == [str(tmp_path / "all.h5")] and len(report.table) == 6


def test_a_study_takes_a_data_frame_and_refuses_what_varies_nothing(tmp_path):
    # truth: the table from a dict with the same columns
    class Frame:
        """What is used of a DataFrame of pandas, which has no truth value either."""

        def to_dict(self, orient):
            assert orient == "list"
            return {"length": [1.0, 1.5]}

        def __bool__(self):
            raise ValueError("ambiguous")

    ff.new("pendulum", output=tmp_path / "p.json")
    more = {"end": 0.1, "measure": "x=max:bar/tip/position/x"}
    framed = ff.study(tmp_path / "p.json", table=Frame(), **more).table
    plain = ff.study(tmp_path / "p.json", table={"length": [1.0, 1.5]}, **more).table
    assert np.array_equal(framed["x"], plain["x"])
    with pytest.raises(ValueError, match="no columns"):
        ff.study(tmp_path / "p.json", table={}, **more)
    with pytest.raises(ValueError, match="nothing is varied"):
        ff.study(tmp_path / "p.json", vary={}, sample="lhs:2", **more)
    with pytest.raises(TypeError, match="3 is not a concurrent.futures.Executor"):
        ff.study(tmp_path / "p.json", table={"length": [1.0]}, executor=3, **more)


def test_a_study_of_a_value_and_a_stop_from_python(tmp_path):
    # truth: the exception of the caller comes back; a dict is a system
    ff.new("pendulum", output=tmp_path / "p.json")

    def stop(what, done, total, unit):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        ff.study(tmp_path / "p.json", progress=stop, **PENDULUM)
    system = {"femflex": 1, "name": "p", "bodies": {"p": {"point": {"mass": 1}, "at": [1, 0, 0]}},
              "analyses": [{"type": "dynamic", "end": 0.1, "step": 0.01}]}
    table = ff.study(system, vary={"bodies.p.at.0": (1, 2)}, sample="grid:3",
                     measure="x=final:p/position/x").table
    assert np.allclose(table["x"], [1, 1.5, 2], atol=1e-12)


def test_values_of_a_study_may_be_of_any_kind(tmp_path):
    # truth: the same values in the system itself
    system = {"femflex": 1, "name": "p",
              "bodies": {"p": {"point": {"mass": 1}, "at": [1, 0, 0], "velocity": [1, 0, 0]}},
              "forces": {"s": {"type": "spring-damper", "a": "ground", "b": "p", "stiffness": 1e3,
                               "length": 2, "tension_only": False}},
              "analyses": [{"type": "dynamic", "end": 0.1, "step": 0.01}]}
    more = {"measure": "x=final:p/position/x", "csv": None}
    table = ff.study(system, vary={"forces.s.tension_only": [True, False]}, sample="grid:1", **more).table
    assert not table.failures and abs(table["x"][0] - 1.1) < 1e-9 and table["x"][1] > 1.5
    again = ff.study(system, table={"forces.s.tension_only": [False, True]}, **more).table
    assert np.array_equal(again["x"], table["x"][::-1])
    vectors = ff.study(system, vary={"bodies.p.at": [np.array([1.0, 0, 0]), [3, 0, 0]]},
                       sample="grid:1", **more).table
    first = ff.study(system, vary={"bodies.p.at.0": [1, 3]}, sample="grid:1", **more).table
    assert not vectors.failures and np.array_equal(vectors["x"], first["x"])


def test_texts_that_python_takes_for_numbers_stay_texts(tmp_path):
    system = {"femflex": 1, "name": "p", "bodies": {"p": {"point": {"mass": 1}}},
              "analyses": [{"type": "dynamic", "end": 0.1, "step": 0.1}]}
    table = ff.study(system, vary={"name": ["1_0", "inf"]}, sample="grid:1",
                     measure="x=final:p/position/x").table
    assert list(table["name"]) == ["1_0", "inf"]
    for names in (["a;b", "#c"], ["a,b", "1:2"], ["[a", "{b"], ['say "d"', "e"]):
        varied = ff.study(system, vary={"name": names}, sample="grid:1", measure="x=final:p/position/x")
        listed = ff.study(system, table={"name": names, "bodies.p.point.mass": [1, 2]},
                          measure="x=final:p/position/x")
        assert list(varied.table["name"]) == names and list(listed.table["name"]) == names
    with pytest.raises(ValueError, match="shards: -1"):
        with concurrent.futures.ThreadPoolExecutor(1) as executor:
            ff.study(system, vary={"bodies.p.point.mass": [1, 2]}, sample="grid:1", executor=executor,
                     shards=-1, measure="x=final:p/position/x")
    with pytest.raises(TypeError, match="csv"):
        ff.study(system, vary={"bodies.p.point.mass": [1, 2]}, sample="grid:1", csv=["a.csv"],
                 measure="x=final:p/position/x")
